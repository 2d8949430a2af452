/** The commands of the guide about rich authorization requests, with the approval of a user in between. */
import { expect } from 'vitest'
import { createUser, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import { type Walk, withGuide } from './walk.ts'

export const richAuthorization: Walk = (place) =>
  withGuide(place, 'rich-authorization', async ({ blocks, next }) => {
    expect(blocks).toHaveLength(7)
    expect(await next()).toContain('Pay {instructedAmount.amount}')
    await next()
    const [refused = '', address = ''] = (await next()).split('\n')
    expect(JSON.parse(refused)).toMatchObject({
      error: 'invalid_authorization_details',
      error_description: expect.stringContaining('amount'),
    })

    const { username } = await createUser(place.server)
    const browser = newBrowser()
    const code = new URL(address).searchParams.get('user_code') ?? ''
    const signIn = await browser.submit(await browser.open(address), { user_code: code })
    const confirmation = await browser.submit(signIn, { identifier: username, password: PASSWORD })
    const words = confirmation.text.replace(/<[^>]+>/g, '')
    for (const sentence of ['Pay 123.50 EUR to A', 'Pay 9.00 EUR to B']) expect(words).toContain(sentence)
    expect((await browser.submit(confirmation, { answer: 'allow' })).url.pathname).toBe('/device/done')

    expect((await next()).trim()).toBe('https://payments.example/api 2 true')
    const [wider = '', narrowed] = (await next()).split('\n')
    expect(JSON.parse(wider)).toMatchObject({ error: 'invalid_authorization_details' })
    expect(narrowed).toBe('1')
    expect((await next()).trim()).toBe('C')
    expect((await next()).trim().split('\n')).toEqual(['60', 'invalid_grant_id'])
  })
