/** The commands of the guide about the revocation feed. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const revocationFeed: Walk = (place) =>
  withGuide(place, 'revocation-feed', async (guide) => {
    // tokens are verified by the clock of the machine, and that of the server stands still
    const { clock } = place.server
    clock.advance(Math.max(0, (Date.now() - clock.now().getTime()) / 1000))
    await guide.next()
    expect(await guide.next()).toBe('accepted\n')
    expect(await guide.next()).toBe('accepted\ntoken_revoked\n')
    const [page, refused] = (await guide.next()).split('\n{')
    expect(page).toMatch(/true,\s+\{ id: '[\w-]{16}', exp: \d+.*\},\s+'string',\s+false/s)
    expect(refused).toContain('after is not a cursor of this feed')
  })
