/** The endpoints of `{base_url}/api/experience`. */
import { type Authorize, apiEndpoint } from '../http/api.ts'
import type { Endpoint } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Store } from '../storage/store.ts'
import { experienceFactorHandlers } from './factor-handlers.ts'
import { experienceHandlers } from './handlers.ts'

/** Nothing here asks for a token; a route that did would be one of another API. */
const nobody: Authorize = () => Promise.reject(new ApiError('auth.unauthorized'))

export const experienceEndpoints = (store: Store): Endpoint[] =>
  [...experienceHandlers, ...experienceFactorHandlers].map((route) => apiEndpoint(store, route, nobody))
