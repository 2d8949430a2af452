/** The endpoints of `{base_url}/scim/v2/{directory}`: SCIM 2.0 (RFC 7643, RFC 7644, RFC 9865). */
import type { Endpoint } from '../http/exchange.ts'
import type { Store } from '../storage/store.ts'
import { DISCOVERY_ROUTES } from './discovery.ts'
import { scimEndpoint } from './endpoint.ts'
import { GROUP_ROUTES } from './groups.ts'
import { USER_ROUTES } from './users.ts'

export const scimEndpoints = (store: Store): Endpoint[] =>
  [...DISCOVERY_ROUTES, ...USER_ROUTES, ...GROUP_ROUTES].map((route) => scimEndpoint(store, route))
