/** The endpoints of `{base_url}/api`, one flat list of what each resource binds. */
import { apiEndpoint } from '../http/api.ts'
import type { Endpoint } from '../http/exchange.ts'
import type { Store } from '../storage/store.ts'
import { applicationHandlers } from './applications.ts'
import { authorizeManagement } from './authorize.ts'
import { connectorHandlers, type SendTestMail } from './connectors.ts'
import { docsEndpoint } from './docs-page.ts'
import { eventFeedHandlers } from './event-feed.ts'
import { logHandlers } from './logs.ts'
import { metaHandlers, type Readiness } from './meta.ts'
import { resourceHandlers } from './resources.ts'
import { roleHandlers } from './roles.ts'
import { signInExperienceHandlers } from './sign-in-experience.ts'
import { signingKeyHandlers } from './signing-keys.ts'
import { userConsentScopeHandlers } from './user-consent-scopes.ts'
import { userSessionHandlers } from './user-sessions.ts'
import { userHandlers } from './users.ts'

export const managementEndpoints = (store: Store, readiness: Readiness, sendTestMail: SendTestMail): Endpoint[] => {
  const bound = [
    ...metaHandlers(readiness),
    ...resourceHandlers,
    ...userHandlers,
    ...userSessionHandlers,
    ...roleHandlers,
    ...applicationHandlers,
    ...userConsentScopeHandlers,
    ...signInExperienceHandlers,
    ...connectorHandlers(sendTestMail),
    ...signingKeyHandlers,
    ...logHandlers,
    ...eventFeedHandlers,
  ]
  const authorize = authorizeManagement(store)
  return [...bound.map((route) => apiEndpoint(store, route, authorize)), docsEndpoint(store)]
}
