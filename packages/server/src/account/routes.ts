/** The endpoints of the Account API, which scripts of the tenant's applications call (DECISIONS C5). */
import { VERIFICATION_HEADER } from '@countersign/contract/account-verifications.ts'
import { isAllowedOrigin } from '../domain/applications/allowed-origins.ts'
import { apiEndpoint } from '../http/api.ts'
import { withCors } from '../http/cors.ts'
import type { Endpoint } from '../http/exchange.ts'
import { ofProtectedResource } from '../http/resource-metadata.ts'
import type { Store } from '../storage/store.ts'
import { accountHandlers } from './account.ts'
import { authorizeAccount } from './authorize.ts'
import { accountBelongingHandlers } from './belongings.ts'
import { accountCredentialHandlers } from './credentials.ts'
import { factorVerificationHandlers } from './factor-verifications.ts'
import { accountFactorHandlers } from './factors.ts'
import { accountIdentityHandlers } from './identities.ts'
import { accountOrganizationSsoHandlers } from './organization-sso.ts'
import { accountSessionHandlers } from './sessions.ts'
import { verificationHandlers } from './verifications.ts'

export const accountEndpoints = (store: Store): Endpoint[] => {
  const authorize = authorizeAccount(store)
  return withCors(
    [
      ...accountHandlers,
      ...accountCredentialHandlers,
      ...accountIdentityHandlers,
      ...accountFactorHandlers,
      ...accountSessionHandlers,
      ...accountBelongingHandlers,
      ...accountOrganizationSsoHandlers,
      ...verificationHandlers,
      ...factorVerificationHandlers,
    ]
      .map((route) => apiEndpoint(store, route, authorize))
      .map((endpoint) => ({ ...ofProtectedResource('/api/my-account')(endpoint), part: 'applications' as const })),
    (tenant, origin) => isAllowedOrigin(store, tenant, origin),
    [VERIFICATION_HEADER],
  )
}
