/**
 * The Management API: contract to domain, one thin file per resource. Knows no protocol and no SQL.
 *
 * This file answers who calls and whether they may (DECISIONS B4): the API is itself a protected API of SPEC 5.
 */

import { ALL_PERMISSION } from '@countersign/contract/permissions.ts'
import { permissionsOf } from '@countersign/contract/route.ts'
import { findClient } from '../domain/applications/clients.ts'
import type { Authorize } from '../http/api.ts'
import { bearerToken } from '../http/bearer-token.ts'
import type { Exchange } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Store } from '../storage/store.ts'
import { type AccessTokenClaims, TokenRefused, verifyAccessToken } from '../tokens/verify.ts'

const verified = async (store: Store, exchange: Exchange): Promise<AccessTokenClaims> => {
  try {
    return await verifyAccessToken(store, exchange.tenant, bearerToken(exchange), store.clock.now())
  } catch (error) {
    if (error instanceof TokenRefused) throw new ApiError('auth.unauthorized', undefined, { cause: error })
    throw error
  }
}

/** Throws 401 unless the token is a machine's, for this API, and its application still exists; refuses with 403 without permission. */
export const authorizeManagement =
  (store: Store): Authorize =>
  async (exchange, route) => {
    const { tenant } = exchange
    const claims = await verified(store, exchange)
    if (claims.aud !== tenant.managementApi || claims.sub !== claims.client_id) throw new ApiError('auth.unauthorized')
    const client = await findClient(store, tenant, claims.client_id)
    if (!client) throw new ApiError('auth.unauthorized')
    const { id, type, name, description } = client
    const permissions = claims.scope?.split(' ') ?? []
    const application = { id, type, name, description }
    const who = { actor: { type: 'application', id }, application, permissions } as const
    const needed = permissionsOf(route)
    const mayCall = permissions.includes(ALL_PERMISSION) || needed.every((each) => permissions.includes(each))
    return mayCall ? { who } : { who, refusal: new ApiError('auth.forbidden', { permission: needed.join(' ') }) }
  }
