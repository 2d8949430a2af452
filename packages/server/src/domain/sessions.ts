/** Sessions of browsers (DECISIONS F3): made at sign-in with a new secret, kept as its hash, ended by sign-out or time. */
import { type Selectable, sql } from 'kysely'
import { secondsAfter } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import { newOpaque, opaqueHash } from '../kernel/opaque.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import type { Tables } from '../storage/tables.ts'
import type { Unit } from '../storage/unit-of-work.ts'

/** 14 days (DECISIONS G3). */
export const SESSION_SECONDS = 14 * 86_400

export interface Session {
  readonly id: string
  readonly userId: string
  /** When the user last proved who they are: `auth_time`. */
  readonly authenticatedAt: Date
  /** How: `amr` (RFC 8176). */
  readonly amr: readonly string[]
  readonly expiresAt: Date
}

const toSession = (row: Selectable<Tables['sessions']>): Session => ({
  id: row.id,
  userId: row.user_id,
  authenticatedAt: row.authenticated_at,
  amr: row.amr,
  expiresAt: row.expires_at,
})

/**
 * Starts a session for a user who has just proved who they are. Returns it with the secret for the cookie, which is seen
 * nowhere else. Any session that the browser had before is left to the caller (SECURITY R-26: never the same id).
 */
export const startSession = async (
  { tx, tenant, now, caller }: Unit,
  userId: string,
  amr: readonly string[],
): Promise<{ session: Session; secret: string }> => {
  const secret = newOpaque('session')
  const hash = opaqueHash('session', secret)
  if (!hash) throw new Error('A new session secret has no hash')
  const row = await tx
    .insertInto('sessions')
    .values({
      tenant_id: tenant.id,
      id: newId(),
      secret_hash: hash,
      user_id: userId,
      authenticated_at: now,
      amr: [...amr],
      ip: caller.ip ?? null,
      user_agent: caller.userAgent ?? null,
      created_at: now,
      expires_at: secondsAfter(now, SESSION_SECONDS),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { session: toSession(row), secret }
}

/** The live session of a cookie's secret, whose user is there and not suspended. */
export const findSession = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  secret: string | undefined,
): Promise<Session | undefined> => {
  const hash = opaqueHash('session', secret)
  if (!hash) return undefined
  const row = await database.kysely
    .selectFrom('sessions as s')
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 's.tenant_id').onRef('u.id', '=', 's.user_id'))
    .selectAll('s')
    .where('s.tenant_id', '=', tenantId)
    .where('s.secret_hash', '=', hash)
    .where('s.expires_at', '>', clock.now())
    .where('u.is_suspended', '=', false)
    .executeTakeFirst()
  return row && toSession(row)
}

/** The live sessions of a user, newest first. */
export const sessionsOfUser = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  userId: string,
): Promise<Session[]> => {
  const rows = await database.kysely
    .selectFrom('sessions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', clock.now())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toSession)
}

/**
 * Ends a session. Its grants end with it, but for those with offline_access, which go on without a session.
 * Returns whether there was one.
 */
export const endSession = async ({ tx, tenant }: Unit, sessionId: string): Promise<boolean> => {
  const ended = await tx
    .deleteFrom('sessions')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', sessionId)
    .returning('id')
    .execute()
  await tx
    .deleteFrom('grants')
    .where('tenant_id', '=', tenant.id)
    .where('session_id', '=', sessionId)
    .where(sql<boolean>`NOT 'offline_access' = ANY(scopes)`)
    .execute()
  await tx
    .updateTable('grants')
    .set({ session_id: null })
    .where('tenant_id', '=', tenant.id)
    .where('session_id', '=', sessionId)
    .execute()
  return ended.length > 0
}
