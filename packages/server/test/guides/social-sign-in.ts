/** The commands of the guide about sign-in with accounts at providers. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const socialSignIn: Walk = (place) =>
  withGuide(place, 'social-sign-in', async (guide) => {
    const [, google, github, targets, settings, none] = await guide.all()
    for (const address of [google, github]) expect(address).toMatch(/^http:\/\/localhost:\d+\/callback\/[0-9a-z]{21}$/m)
    expect(targets).toMatch(/'google', 'github'/)
    expect(settings).toContain('automaticAccountLinking: true')
    expect(none).toMatch(/^0/)
  })
