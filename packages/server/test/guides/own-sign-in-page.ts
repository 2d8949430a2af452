/** The commands of the guide about custom sign-in pages. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@countersign/harness/free-port.ts'
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const ownSignInPage: Walk = async (place) => {
  const port = String(await freePort())
  // wait until it listens: a person takes longer to type
  const listening = `PROVIDER=$!\nuntil curl -s -o /dev/null localhost:${port}; do sleep 0.1; done\n`
  const follow: Parameters<typeof withGuide>[2] = async (guide) => {
    expect(guide.blocks).toHaveLength(7)
    const all = await guide.all()
    const [begun = '', registered = '', signedIn = '', prepared, withCode = '', cleanUp, refused] = all
    expect(begun).toMatch(/\/sign-in\/[0-9a-z]{21}/)
    expect(registered).toMatch(/^http:\/\/localhost:4000\/callback\?code=/m)
    expect(signedIn).toContain('"interactionEvent":"SignIn"')
    expect(signedIn).toContain('"id_token"')
    expect(refused).toContain('"code":"session.invalid_credentials"')
    expect(prepared).toContain('true\ngrace@notes.example\n')
    expect(withCode).toMatch(/^http\S+\/oidc\/auth\/[0-9a-z]{21}$/m)
    expect(cleanUp).toContain('1\n')
    expect(begun + registered + signedIn + withCode).not.toMatch(/"code":|"error":/)
    expect(existsSync(join(place.directory, 'data/jar.txt'))).toBe(false)
    const { body } = await place.server.api('GET', '/users?search.username=grace&mode.username=exact')
    expect(body).toMatchObject([{ name: 'Grace Hopper' }])
  }
  await withGuide(place, 'own-sign-in-page', follow, [
    ['2527', port],
    ['PROVIDER=$!\n', listening],
  ])
}
