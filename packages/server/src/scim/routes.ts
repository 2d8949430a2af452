/** The endpoints of `{base_url}/scim/v2/{directory}`: SCIM 2.0 (RFC 7643, RFC 7644, RFC 9865). */
import type { Endpoint } from '../http/exchange.ts'
import type { Store } from '../storage/store.ts'
import { BULK_ROUTES } from './bulk.ts'
import { DISCOVERY_ROUTES } from './discovery.ts'
import { type ScimRoute, scimEndpoint } from './endpoint.ts'
import { GROUP_ROUTES, groupSource } from './groups.ts'
import { searchRequestOf } from './list-request.ts'
import { searchAnswer, searchIn } from './listing.ts'
import { USER_ROUTES, userSource } from './users.ts'

/** A search over users and groups (RFC 7644 section 3.4.3). */
const SEARCH: ScimRoute = {
  ...{ method: 'POST', path: '/.search', action: 'search', status: 200 },
  handle: (call) => searchAnswer([searchIn(userSource(call)), searchIn(groupSource(call))], searchRequestOf(call)),
}

export const scimEndpoints = (store: Store): Endpoint[] =>
  [...DISCOVERY_ROUTES, ...USER_ROUTES, ...GROUP_ROUTES, ...BULK_ROUTES, SEARCH].map((route) =>
    scimEndpoint(store, route),
  )
