/**
 * Which token a user would get, decided by the steps of an authorization and of its token request themselves, so that the
 * explanation cannot say anything else than they do (DECISIONS U7). Nothing is written.
 */
import { requestedConsent } from '../domain/access/requested-consent.ts'
import type { Client } from '../domain/applications/clients.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { aloneOn } from '../storage/statement.ts'
import type { Store } from '../storage/store.ts'
import type { GrantAuthorization, MachineAuthorization } from '../tokens/authorization.ts'
import { AuthorizationError } from './authorize/authorization-error.ts'
import { checkResources, checkScope, cutScopes } from './authorize/checks.ts'
import { authorizationCode } from './grants/authorization-code.ts'
import { clientCredentials } from './grants/client-credentials.ts'
import type { GrantRequest } from './grants/grant.ts'
import { authorizeUser } from './grants/user-authorization.ts'
import { requestedOrganization } from './organization-token.ts'
import { userTokenTarget } from './user-token-target.ts'

export interface Asked {
  /** Undefined: the application itself. */
  readonly userId: string | undefined
  readonly client: Client
  /** As in a request. */
  readonly scope: string
  readonly resource: string | undefined
  readonly organizationId: string | undefined
}

/** The outcome, or the error with its reason for the log. */
export type Simulated =
  | { readonly authorization: GrantAuthorization | MachineAuthorization }
  | { readonly error: string; readonly description: string; readonly reason: string | undefined }

/** The sign-in that is assumed: one with every factor that may be asked for. */
const ASSUMED_AMR = ['pwd', 'otp', 'mfa']

/** Without a key: whether an API needs one is not asked, because a client that sends a proof has one. */
const ASSUMED = { confirmation: undefined, hasClaimsScript: false, note: () => undefined } as const

const requestOf = (
  store: Store,
  tenant: Tenant,
  { client, scope, resource, organizationId }: Omit<Asked, 'userId'>,
): GrantRequest => {
  const parameters = new Map<string, readonly string[]>([['scope', [scope]]])
  if (resource !== undefined) parameters.set('resource', [resource])
  if (organizationId !== undefined) parameters.set('organization_id', [organizationId])
  return { store, tenant, client, parameters, now: store.clock.now(), ...ASSUMED }
}

const ofUser = async (request: GrantRequest, userId: string): Promise<GrantAuthorization> => {
  const { store, tenant, client, parameters, now } = request
  const resources = await checkResources(store, tenant, parameters)
  const { scopes, dropped } = await cutScopes(store, tenant, client, checkScope(parameters), resources)
  const consentedIds = (await requestedConsent(store, tenant, client, { scopes, resources })) ?? null
  const organization = requestedOrganization(parameters)
  const asked = { resources, scopes, asked: scopes, organizationId: organization, details: [] }
  const target = await userTokenTarget(request, asked)
  const grant = { id: '', sessionId: null, endsWithSession: true, authenticatedAt: now, amr: ASSUMED_AMR, nonce: null }
  const authorization = await authorizeUser({ ...aloneOn(store.database.kysely), tenant }, request, {
    ...{ userId, grant, scopes, grantedScopeIds: null, consentedIds, target },
    details: [],
    refreshToken: undefined,
  })
  return { ...authorization, dropped: [...dropped, ...authorization.dropped] }
}

const authorizationOf = (
  store: Store,
  tenant: Tenant,
  { userId, ...asked }: Asked,
): Promise<GrantAuthorization | MachineAuthorization> => {
  const { refuseClient } = userId === undefined ? clientCredentials : authorizationCode
  const refused = refuseClient(asked.client)
  if (refused) throw new OAuthError('unauthorized_client', refused)
  const request = requestOf(store, tenant, asked)
  return userId === undefined ? clientCredentials.authorize(request) : ofUser(request, userId)
}

/** What a token request after an authorization would come to. Does not check that the user exists. */
export const simulateToken =
  (store: Store) =>
  async (tenant: Tenant, asked: Asked): Promise<Simulated> => {
    try {
      return { authorization: await authorizationOf(store, tenant, asked) }
    } catch (error) {
      if (error instanceof OAuthError)
        return { error: error.code, description: error.description, reason: error.reason }
      if (error instanceof AuthorizationError)
        return { error: error.code, description: error.description, reason: undefined }
      throw error
    }
  }
