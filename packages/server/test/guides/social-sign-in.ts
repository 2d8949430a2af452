/** The commands of the guides about sign-in with accounts at providers. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

const REDIRECT_URI = /^http:\/\/localhost:\d+\/callback\/[0-9a-z]{21}$/m

export const socialSignIn: Walk = (place) =>
  withGuide(place, 'social-sign-in', async (guide) => {
    const [, gitlab, other, targets, settings, none] = await guide.all()
    for (const address of [gitlab, other]) expect(address).toMatch(REDIRECT_URI)
    expect(targets).toMatch(/'gitlab', 'example'/)
    expect(settings).toContain('automaticAccountLinking: true')
    expect(none).toMatch(/^0/)
  })

export const signInWithGoogle: Walk = (place) =>
  withGuide(place, 'sign-in-with-google', async (guide) => {
    const [, address, targets, oneTap, isKept, none] = await guide.all()
    expect(address).toMatch(REDIRECT_URI)
    expect(targets).toMatch(/'google'/)
    expect(oneTap).toContain('isEnabled: true')
    expect(isKept).toMatch(/^true/)
    expect(none).toMatch(/^0/)
  })

export const signInWithGithub: Walk = (place) =>
  withGuide(place, 'sign-in-with-github', async (guide) => {
    const [, address, targets, isKept, none] = await guide.all()
    expect(address).toMatch(REDIRECT_URI)
    expect(targets).toMatch(/'github'/)
    expect(isKept).toMatch(/^true/)
    expect(none).toMatch(/^0/)
  })
