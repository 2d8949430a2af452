/** The commands of the guide about devices, with the actions of a user in between. */
import { expect } from 'vitest'
import { createUser, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import { type Walk, withGuide } from './walk.ts'

export const device: Walk = (place) =>
  withGuide(place, 'device', async ({ blocks, next }) => {
    expect(blocks).toHaveLength(4)
    const before = (await next()) + (await next()) + (await next())
    const [userCode = '', address = '', polled = ''] = before.split('\n')
    expect(userCode).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
    expect(JSON.parse(polled)).toMatchObject({ error: 'authorization_pending' })

    const { username } = await createUser(place.server)
    const browser = newBrowser()
    const entry = await browser.open(address)
    const signIn = await browser.submit(entry, { user_code: userCode })
    const confirmation = await browser.submit(signIn, { identifier: username, password: PASSWORD })
    expect(confirmation.text).toContain('Connect Living room?')
    expect((await browser.submit(confirmation, { answer: 'allow' })).url.pathname).toBe('/device/done')

    const after = JSON.parse(await next())
    expect(after).toMatchObject({ token_type: 'Bearer', scope: 'openid profile offline_access' })
    expect(after.refresh_token).toMatch(/^cs_rt_/)
    expect(after.id_token.split('.')).toHaveLength(3)
  })
