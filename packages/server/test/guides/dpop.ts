/** The commands of the guide about tokens that are bound to a key. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const dpop: Walk = (place) =>
  withGuide(place, 'dpop', async (guide) => {
    const printed: string[] = []
    for (const _block of guide.blocks) {
      // proofs are made by the clock of the machine, and that of the server stands still
      const { clock } = place.server
      clock.advance(Math.max(0, (Date.now() - clock.now().getTime()) / 1000))
      printed.push(await guide.next())
    }
    const at = (text: string) => printed.findIndex((each) => each.includes(text))
    expect(printed[2]).toContain('"cnf":{"jkt":')
    expect(printed[3]).toContain('the proof was used before')
    expect(printed[4]).toMatch(/^200\n/)
    expect(printed[4]).toContain('auth.token_not_held')
    expect(printed[5]).toContain('the application has to send a DPoP proof with every token request')
    expect(printed[6]).toMatch(/true\nDPoP/)
    expect(printed[7]).toMatch(/\nnone/)
    expect(at('invalid_client')).toBe(-1)
  })
