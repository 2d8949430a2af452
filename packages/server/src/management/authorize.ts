/**
 * The Management API: contract to domain, one thin file per resource. Knows no protocol and no SQL.
 *
 * This file answers who calls and whether they may (DECISIONS B4, U2): the API is itself a protected API of SPEC 5.
 */

import { ALL_PERMISSION } from '@countersign/contract/permissions.ts'
import { permissionsOf } from '@countersign/contract/route.ts'
import { covers, permissionsOfAdministrator } from '../domain/administrators/permissions.ts'
import { findClient, summaryOf } from '../domain/applications/clients.ts'
import { CONSOLE_ID } from '../domain/applications/console.ts'
import { userOfAccessToken } from '../domain/issued/access-token-users.ts'
import { storedConfirmation } from '../domain/issued/confirmation.ts'
import { presentedToken } from '../http/access-token.ts'
import type { Authorize } from '../http/api.ts'
import type { Exchange } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Actor } from '../kernel/caller.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { assertHeldAtApi } from '../tokens/bound/at-api.ts'
import { grantOfToken } from '../tokens/token-id.ts'
import { type AccessTokenClaims, TokenRefused, verifyAccessToken } from '../tokens/verify.ts'
import { isRecent, needsRecentSignIn, STEP_UP_SECONDS } from './step-up.ts'

const verified = async (store: Store, exchange: Exchange, token: string): Promise<AccessTokenClaims> => {
  try {
    return await verifyAccessToken(store, exchange.tenant, token, store.clock.now())
  } catch (error) {
    if (error instanceof TokenRefused) throw new ApiError('auth.unauthorized', undefined, { cause: error })
    throw error
  }
}

/** A caller, with what its token carries of what it holds. */
interface Identified {
  readonly actor: Actor
  readonly permissions: readonly string[]
}

const scopesOf = ({ scope }: AccessTokenClaims): string[] => scope?.split(' ') ?? []

/**
 * The administrator behind a token of the console: one that a sign-in led to, whose session and grant live, and who still holds
 * what the token carries. Throws 401 for any other token of a user, however it was issued.
 */
const administratorOf = async (store: Store, tenant: Tenant, claims: AccessTokenClaims): Promise<Identified> => {
  const grant = grantOfToken(claims)
  if (claims.client_id !== CONSOLE_ID || !grant || !('id' in grant) || !grant.endsWithSession)
    throw new ApiError('auth.unauthorized')
  const { sub: userId, client_id: applicationId } = claims
  const [user, held] = await Promise.all([
    userOfAccessToken(store, tenant, { userId, applicationId, grant }),
    permissionsOfAdministrator(store.database.kysely, tenant, userId),
  ])
  if (!user || !held) throw new ApiError('auth.unauthorized')
  const carried = scopesOf(claims)
  const permissions = carried.includes(ALL_PERMISSION) ? held : carried.filter((each) => covers(held, each))
  return { actor: { type: 'user', id: userId }, permissions }
}

/**
 * Throws 401 unless the token is for this API, and is a machine's whose application still exists or the console's for an
 * administrator; refuses with 403 without permission, and with 401 an administrator who signed in too long ago for the route
 * (RFC 9470). A token that is bound to a key needs its proof.
 */
export const authorizeManagement =
  (store: Store): Authorize =>
  async (exchange, route) => {
    const { tenant } = exchange
    const presented = presentedToken(exchange)
    const claims = await verified(store, exchange, presented.token)
    if (claims.aud !== tenant.managementApi || claims.organization_id !== undefined)
      throw new ApiError('auth.unauthorized')
    const client = await findClient(store, tenant, claims.client_id)
    if (!client) throw new ApiError('auth.unauthorized')
    const headers = await assertHeldAtApi(store, exchange, { ...presented, ...storedConfirmation(claims.cnf) }, client)
    const isMachine = claims.sub === claims.client_id
    if (!isMachine && store.consoleOrigin(tenant) === undefined) throw new ApiError('auth.unauthorized')
    const { actor, permissions }: Identified = isMachine
      ? { actor: { type: 'application', id: client.id }, permissions: scopesOf(claims) }
      : await administratorOf(store, tenant, claims)
    const needsSignIn =
      isMachine || isRecent(claims.auth_time, store.clock.now()) ? undefined : { maxAge: STEP_UP_SECONDS }
    const who = { actor, application: summaryOf(client), permissions, ...(needsSignIn && { needsSignIn }) }
    const needed = permissionsOf(route)
    if (!needed.every((each) => covers(permissions, each)))
      return { who, refusal: new ApiError('auth.forbidden', { permission: needed.join(' ') }) }
    if (needsSignIn && needsRecentSignIn(route))
      return { who, refusal: new ApiError('auth.step_up_required', needsSignIn) }
    return { who, headers }
  }
