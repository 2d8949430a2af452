/** The commands of the guide about custom sign-in pages. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const ownSignInPage: Walk = (place) =>
  withGuide(place, 'own-sign-in-page', async (guide) => {
    expect(guide.blocks).toHaveLength(4)
    const [begun = '', registered = '', signedIn = '', refused = ''] = await guide.all()
    expect(begun).toMatch(/\/sign-in\/[0-9a-z]{21}/)
    expect(registered).toMatch(/^http:\/\/localhost:4000\/callback\?code=/m)
    expect(signedIn).toContain('"interactionEvent":"SignIn"')
    expect(signedIn).toContain('"id_token"')
    expect(refused).toContain('"code":"session.invalid_credentials"')
    expect(begun + registered + signedIn).not.toMatch(/"code":|"error":/)
    expect(existsSync(join(place.directory, 'data/jar.txt'))).toBe(false)
    const { body } = await place.server.api('GET', '/users?search.username=grace&mode.username=exact')
    expect(body).toMatchObject([{ name: 'Grace Hopper' }])
  })
