/** The endpoints of `{base_url}/scim/v2/{directory}`: SCIM 2.0 (RFC 7643, RFC 7644, RFC 9865). */
import type { Endpoint } from '../http/exchange.ts'
import { createSlidingLimit } from '../kernel/sliding-limit.ts'
import type { Store } from '../storage/store.ts'
import { BULK_ROUTES } from './bulk.ts'
import { DISCOVERY_ROUTES } from './discovery.ts'
import { type ScimRoute, scimAnswer, scimEndpoint } from './endpoint.ts'
import { errorBody, ScimError } from './errors.ts'
import { GROUP_ROUTES, groupSource } from './groups.ts'
import { searchRequestOf } from './list-request.ts'
import { searchAnswer, searchIn } from './listing.ts'
import { USER_ROUTES, userSource } from './users.ts'

/** A search over users and groups (RFC 7644 section 3.4.3). */
const SEARCH: ScimRoute = {
  ...{ method: 'POST', path: '/.search', action: 'search', status: 200 },
  handle: (call) => searchAnswer([searchIn(userSource(call)), searchIn(groupSource(call))], searchRequestOf(call)),
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** What is nothing of SCIM, below a directory: its errors are in the form of SCIM too. */
const NOTHING: readonly ScimRoute[] = METHODS.map((method) => ({
  ...{ method, path: '/*', action: 'nothing', status: 404 },
  handle: () => Promise.reject(new ScimError(404, undefined, 'There is nothing at this address.')),
}))

const ROUTES: readonly ScimRoute[] = [...DISCOVERY_ROUTES, ...USER_ROUTES, ...GROUP_ROUTES, ...BULK_ROUTES, SEARCH]

/** The other methods at the addresses of these routes: 405, which names those that there are (RFC 9110 section 15.5.6). */
const otherMethods = (routes: readonly ScimRoute[]): ScimRoute[] =>
  [...Map.groupBy(routes, ({ path }) => path)].flatMap(([path, atPath]) => {
    const offered = new Set(atPath.map(({ method }) => method))
    const refusal = errorBody(new ScimError(405, undefined, 'The resource does not have this method.'))
    return METHODS.filter((method) => !offered.has(method)).map(
      (method): ScimRoute => ({
        ...{ method, path, action: 'nothing', status: 405 },
        handle: async () => scimAnswer(405, refusal, { allow: [...offered].join(', ') }),
      }),
    )
  })

/** The most directories whose requests are counted at a time. */
const MOST_COUNTED = 10_000

/** @param mostPerMinute how many requests a directory may send to this node within a minute; 0: any number */
export const scimEndpoints = (store: Store, mostPerMinute: number): Endpoint[] => {
  const limit = createSlidingLimit({ most: mostPerMinute, windowSeconds: 60, capacity: MOST_COUNTED })
  return [...ROUTES, ...otherMethods(ROUTES), ...NOTHING].map((route) => scimEndpoint(store, limit, route))
}
