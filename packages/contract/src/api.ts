/** Every route of the Management API, one flat list. A new resource adds one line here and one in the server's registry. */
import { applicationRoutes } from './applications.ts'
import { connectorRoutes } from './connectors.ts'
import { eventFeedRoutes } from './event-feed.ts'
import { experienceRoutes } from './experience.ts'
import { logRoutes } from './logs.ts'
import { metaRoutes } from './meta.ts'
import { resourceRoutes } from './resources.ts'
import { roleRoutes } from './roles.ts'
import type { Route } from './route.ts'
import { signInExperienceRoutes } from './sign-in-experience.ts'
import { signingKeyRoutes } from './signing-keys.ts'
import { userConsentScopeRoutes } from './user-consent-scopes.ts'
import { userSessionRoutes } from './user-sessions.ts'
import { userRoutes } from './users.ts'

export const API_ROUTES: readonly Route[] = [
  ...Object.values(metaRoutes),
  ...Object.values(resourceRoutes),
  ...Object.values(userRoutes),
  ...Object.values(userSessionRoutes),
  ...Object.values(roleRoutes),
  ...Object.values(applicationRoutes),
  ...Object.values(userConsentScopeRoutes),
  ...Object.values(signInExperienceRoutes),
  ...Object.values(connectorRoutes),
  ...Object.values(signingKeyRoutes),
  ...Object.values(logRoutes),
  ...Object.values(eventFeedRoutes),
]

/** Every route of the Experience API, which needs no token. */
export const EXPERIENCE_ROUTES: readonly Route[] = Object.values(experienceRoutes)
