/**
 * Who looks after an account: the user, in the grant in which an application does it for them, or in the session of their browser
 * on the hosted pages (DECISIONS T1).
 */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { aloneOn } from '../../storage/statement.ts'
import type { Store } from '../../storage/store.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { type Client, findClient } from '../applications/clients.ts'
import type { StoredConfirmation } from '../issued/confirmation.ts'
import { findOpaqueToken, isTokenLive } from '../issued/opaque-access-tokens.ts'
import type { Session } from '../sessions/sessions.ts'
import { readHolder } from '../sign-in/identity.ts'
import { lockUser, type UserRow } from '../users/rows.ts'

/** What the domain asks the scopes of a holder for. */
const PAGE_SCOPES = ['openid', 'profile', 'email', 'phone', 'address', 'custom_data', 'identities'] as const

export interface AccountHolder {
  readonly userId: string
  /** Null: the user is on the account pages, in the session itself. */
  readonly grantId: string | null
  /** The hash of the access token: of an authorization that asked for a new sign-in it is a proof itself. Null on the account pages. */
  readonly token: Buffer | null
  /** The session of the grant; null: it has ended, and the grant outlives it. */
  readonly sessionId: string | null
  readonly scopes: readonly string[]
  /** The verification that the request names. */
  readonly verificationId: string | undefined
}

/** What a verification is bound to (SECURITY R-27): it counts in no other grant, and in no other session, of the same user. */
export const bindingOf = ({ grantId, sessionId }: AccountHolder): string =>
  grantId === null ? `session/${sessionId}` : `grant/${grantId}`

/** The holder of a browser's session, on the account pages: the server asks for the user, so nothing limits what it covers. */
export const sessionHolder = ({ id, userId }: Session, verificationId?: string): AccountHolder => ({
  userId,
  grantId: null,
  token: null,
  sessionId: id,
  scopes: PAGE_SCOPES,
  verificationId,
})

/**
 * The holder of an opaque access token, and its application. Undefined: the token is not live, belongs to no grant, or the
 * application no longer admits the user. Does not check scopes, nor that the caller has what the token is bound to.
 */
export const findAccountHolder = async (
  store: Store,
  tenant: Tenant,
  token: string,
  verificationId: string | undefined,
): Promise<
  { readonly holder: AccountHolder; readonly client: Client; readonly confirmation: StoredConfirmation } | undefined
> => {
  const found = await findOpaqueToken(store, tenant, token)
  // one that was exchanged for a personal access token was issued without the user
  if (!found || found.grantId === null) return undefined
  const { hash, grantId, userId, sessionId, scopes, applicationId, jkt, x5t } = found
  const client = await findClient(store, tenant, applicationId)
  if (!client) return undefined
  if (client.hasAccessControl) {
    const user = await readHolder(aloneOn(store.database.kysely), tenant, { userId, scopes: [], client })
    if (!user?.isAdmitted) return undefined
  }
  const holder = { userId, grantId, token: hash, sessionId, scopes, verificationId }
  return { holder, client, confirmation: { jkt, x5t } }
}

/** Whether the token of the holder is live, or the session on the account pages. The user is locked. */
const isLive = async (unit: Unit, { userId, token, sessionId }: AccountHolder): Promise<boolean> => {
  if (token !== null) return isTokenLive(unit, token, userId)
  const { tx, tenant, now } = unit
  const { rows } = await sql`
    SELECT FROM sessions
    WHERE tenant_id = ${tenant.id} AND id = ${sessionId} AND user_id = ${userId} AND expires_at > ${now}`.execute(tx)
  return rows.length > 0
}

/**
 * The row of the holder, locked until the unit ends. Throws 401 `auth.unauthorized` if the user was deleted or suspended, or
 * the token, its grant or the session has ended, since it was checked (SECURITY R-13).
 */
export const lockHolder = async (unit: Unit, holder: AccountHolder): Promise<UserRow> => {
  const { userId } = holder
  unit.note({ userId })
  const row = await lockUser(unit, userId).catch((error: unknown) => {
    throw error instanceof ApiError ? new ApiError('auth.unauthorized', undefined, { cause: error }) : error
  })
  if (row.is_suspended || !(await isLive(unit, holder))) throw new ApiError('auth.unauthorized')
  return row
}
