/** A world for each route that tests call with success, and as few of them as that takes: one is some fifty requests. */
import type { Method } from '@countersign/contract/route.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { createWorld, type World } from './arrange.ts'

/** What they change is what another route needs: a name, a password that was, a session. PUT and DELETE are such anyway. */
const TAKING_AWAY = new Set([
  'POST /users/:userId/personal-access-tokens/delete',
  'PATCH /users/:userId/personal-access-tokens',
  'PATCH /users/:userId/personal-access-tokens/:name',
  'PATCH /users/:userId/password',
  'PATCH /users/:userId/is-suspended',
  'PATCH /applications/:id/secrets/:name',
  'PATCH /resources/:resourceId/scopes/:scopeId',
])

/** A tenant has one connector of a kind: that of the last world. */
const isOfTheLast = (path: string): boolean => path.startsWith('/connectors/:id')

/**
 * Gives each route a world in which it can succeed. What only adds or reads shares one: it finds everything as it was made,
 * because a route is given the same world once only. What takes something away, by its method or by the list above, has a
 * world of its own. The test clock has moved on since the last request, so that what follows is the newest.
 */
export const worldsOf = (
  server: TestServer,
): ((route: { readonly method: Method; readonly path: string }) => Promise<World>) => {
  let shared: Promise<World> | undefined
  const seen = new Set<string>()
  return async ({ method, path }) => {
    server.clock.advance(1)
    const title = `${method} ${path}`
    if (method === 'PUT' || method === 'DELETE' || TAKING_AWAY.has(title) || isOfTheLast(path))
      return createWorld(server)
    if (method !== 'GET') {
      if (seen.has(title)) return createWorld(server)
      seen.add(title)
    }
    shared ??= createWorld(server)
    return shared
  }
}
