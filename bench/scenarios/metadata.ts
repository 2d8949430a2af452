/** The documents that clients and resource servers read before anything else: discovery, and what an API says of itself. */
import { atMost, median, type Section, spread } from '../figures.ts'
import { requestBytes } from '../load.ts'
import { measure, type Subject } from '../rounds.ts'
import type { World } from '../world.ts'
import { speed } from './client-credentials.ts'

const BUDGET_MICROSECONDS = 100

const reading = ({ server }: World, path: string): Subject => {
  const request = requestBytes(path, 'connection: keep-alive')
  return { ...server, next: () => request }
}

export const metadata = async (world: World): Promise<Section> => {
  const measured = await measure(world, {
    discovery: reading(world, '/oidc/.well-known/openid-configuration'),
    authorizationServer: reading(world, '/.well-known/oauth-authorization-server/oidc'),
    protectedResource: reading(world, '/.well-known/oauth-protected-resource/api'),
  })
  return {
    title: 'metadata',
    figures: Object.entries(measured).flatMap(([name, each]) => [
      ...speed(name, each).slice(1),
      atMost(`${name}: CPU per request`, median(each.cpu), `${spread(each.cpu, 1)} µs`, BUDGET_MICROSECONDS, ' µs'),
    ]),
  }
}
