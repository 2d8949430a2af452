/** The commands of the guide about the Account API, with the sign-in of the user in between. */
import { expect } from 'vitest'
import { newBrowser } from '../sign-in/arrange.ts'
import { type Walk, withGuide } from './walk.ts'

export const accountApi: Walk = (place) =>
  withGuide(place, 'account-api', async ({ blocks, next }) => {
    expect(blocks).toHaveLength(9)
    expect(await next()).toBe('true\nNoPrompt\n')
    const browser = newBrowser()
    const address = (await next()).trim()
    const entry = await browser.open(address)
    const signIn = await browser.submit(entry, { user_code: new URL(address).searchParams.get('user_code') ?? '' })
    const entered = await browser.submit(signIn, { identifier: 'account_ada', password: 'a long enough phrase' })
    expect((await browser.submit(entered, { answer: 'allow' })).url.pathname).toBe('/device/done')
    expect(await next()).toBe('account_ada\nAda\n')
    expect(await next()).toBe('verification_record.permission_denied\n32\n')
    expect(await next()).toBe('true\n')
    expect(await next()).toContain("[ 'Totp', 'BackupCode' ]")
    expect(await next()).toContain('Account in a shell true')
    const belongings = await next()
    expect(belongings).toContain('pat_')
    expect(belongings).toContain("[ 'nightly job' ]")
    expect(await next()).toBe('true\naccount_ada\n')
  })
