/** The commands of the guide about the account pages, with the visit of the user in between. */
import { expect } from 'vitest'
import { newBrowser } from '../sign-in/arrange.ts'
import { type Walk, withGuide } from './walk.ts'

export const accountPages: Walk = (place) =>
  withGuide(place, 'account-pages', async ({ blocks, next }) => {
    expect(blocks).toHaveLength(2)
    expect(await next()).toBe('true\n')
    const browser = newBrowser()
    const signIn = await browser.open((await next()).trim())
    const page = await browser.submit(signIn, { identifier: 'account_grace', password: 'a long enough phrase' })
    expect([page.status, page.url.pathname]).toEqual([200, '/account/security'])
    expect(page.text).toContain('id="back" href="https://app.example/settings"')
  })
