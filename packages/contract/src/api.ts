/** Every route of `{base_url}/api`, one flat list. A new resource adds one line here and one in the server's registry. */
import { applicationRoutes } from './applications.ts'
import { eventFeedRoutes } from './event-feed.ts'
import { logRoutes } from './logs.ts'
import { metaRoutes } from './meta.ts'
import { resourceRoutes } from './resources.ts'
import { roleRoutes } from './roles.ts'
import type { Route } from './route.ts'
import { signingKeyRoutes } from './signing-keys.ts'
import { userRoutes } from './users.ts'

export const API_ROUTES: readonly Route[] = [
  ...Object.values(metaRoutes),
  ...Object.values(resourceRoutes),
  ...Object.values(userRoutes),
  ...Object.values(roleRoutes),
  ...Object.values(applicationRoutes),
  ...Object.values(signingKeyRoutes),
  ...Object.values(logRoutes),
  ...Object.values(eventFeedRoutes),
]
