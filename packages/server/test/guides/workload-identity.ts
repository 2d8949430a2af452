/** The commands of the guide about workloads without a secret. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const workloadIdentity: Walk = (place) =>
  withGuide(place, 'workload-identity', async (guide) => {
    const printed: string[] = []
    for (const _block of guide.blocks) {
      // tokens are made by the clock of the machine, and that of the server stands still
      const { clock } = place.server
      clock.advance(Math.max(1, (Date.now() - clock.now().getTime()) / 1000))
      printed.push(await guide.next())
    }
    expect(printed[0]).toContain('production')
    expect(printed[2]).toMatch(/^Bearer\ninvalid_client\n/)
    expect(printed[3]).toContain('production: sub is "repo:octo/shop:ref:refs/heads/dev"')
  })
