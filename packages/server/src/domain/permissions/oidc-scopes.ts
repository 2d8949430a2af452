/** The scopes that are not API permissions: OpenID Connect Core section 5.4, and the names that SDKs send (E3). */
import {
  ORGANIZATION_ROLES_SCOPE,
  ORGANIZATIONS_SCOPE,
  SESSIONS_SCOPE,
  TRUSTED_DEVICES_SCOPE,
} from '@countersign/contract/reserved-names.ts'
import { canonicalName } from './reserved-names.ts'

/** In the order in which the consent page names them. */
export const OIDC_SCOPES = [
  'openid',
  'profile',
  'email',
  'phone',
  'address',
  'offline_access',
  'custom_data',
  'identities',
  'roles',
  ORGANIZATIONS_SCOPE,
  ORGANIZATION_ROLES_SCOPE,
  SESSIONS_SCOPE,
  TRUSTED_DEVICES_SCOPE,
] as const

/** For the grants of the application itself (Grant Management for OAuth 2.0): it may ask for them if it manages grants. */
export const GRANT_QUERY_SCOPE = 'grant_management_query'
export const GRANT_REVOKE_SCOPE = 'grant_management_revoke'
const GRANT_SCOPES: readonly string[] = [GRANT_QUERY_SCOPE, GRANT_REVOKE_SCOPE]

/** Whether a scope is about grants rather than about the user. */
export const isGrantScope = (scope: string): boolean => GRANT_SCOPES.includes(scope)

/** To share the sign-in with other applications of the device (Native SSO section 3.1): for those of a group. */
export const DEVICE_SSO_SCOPE = 'device_sso'

const known: ReadonlySet<string> = new Set([...OIDC_SCOPES, ...GRANT_SCOPES, DEVICE_SSO_SCOPE])

/** Whether a scope is an OpenID Connect scope rather than a permission. */
export const isOidcScope = (scope: string): boolean => known.has(canonicalName(scope))
