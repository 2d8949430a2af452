/** Who looks after an account: the user, and the grant in which an application does it for them (DECISIONS T1). */
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { aloneOn } from '../../storage/statement.ts'
import type { Store } from '../../storage/store.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { type Client, findClient } from '../applications/clients.ts'
import { findOpaqueToken } from '../issued/opaque-access-tokens.ts'
import { readHolder } from '../sign-in/identity.ts'
import { lockUser, type UserRow } from '../users/rows.ts'

export interface AccountHolder {
  readonly userId: string
  readonly grantId: string
  /** The hash of the access token: of an authorization that asked for a new sign-in it is a proof itself. */
  readonly token: Buffer
  /** The session of the grant; null: it has ended, and the grant outlives it. */
  readonly sessionId: string | null
  readonly scopes: readonly string[]
  /** The verification that the request names. */
  readonly verificationId: string | undefined
}

/** What a verification is bound to (SECURITY R-27): it counts in no other grant of the same user. */
export const bindingOf = ({ grantId }: AccountHolder): string => `grant/${grantId}`

/**
 * The holder of an opaque access token, and its application. Undefined: the token is not live, belongs to no grant, or the
 * application no longer admits the user. Does not check scopes.
 */
export const findAccountHolder = async (
  store: Store,
  tenant: Tenant,
  token: string,
  verificationId: string | undefined,
): Promise<{ readonly holder: AccountHolder; readonly client: Client } | undefined> => {
  const found = await findOpaqueToken(store, tenant, token)
  // one that was exchanged for a personal access token was issued without the user
  if (!found || found.grantId === null) return undefined
  const { hash, grantId, userId, sessionId, scopes, applicationId } = found
  const client = await findClient(store, tenant, applicationId)
  if (!client) return undefined
  if (client.hasAccessControl) {
    const user = await readHolder(aloneOn(store.database.kysely), tenant, { userId, scopes: [], client })
    if (!user?.isAdmitted) return undefined
  }
  return { holder: { userId, grantId, token: hash, sessionId, scopes, verificationId }, client }
}

/**
 * The row of the holder, locked until the unit ends. Throws 401 `auth.unauthorized` if the user was deleted or suspended, or
 * the grant has ended, since the token was checked (SECURITY R-13).
 */
export const lockHolder = async (unit: Unit, { userId, grantId }: AccountHolder): Promise<UserRow> => {
  const { tx, tenant, now } = unit
  unit.note({ userId })
  const row = await lockUser(unit, userId).catch((error: unknown) => {
    throw error instanceof ApiError ? new ApiError('auth.unauthorized', undefined, { cause: error }) : error
  })
  // whatever ends grants locks the user first
  const grant = await tx
    .selectFrom('grants')
    .select('id')
    .where(inTenant(tenant.id))
    .where('id', '=', grantId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!grant || row.is_suspended) throw new ApiError('auth.unauthorized')
  return row
}
