/**
 * Browser sessions (DECISIONS F3): created at sign-in with a new secret, of which the hash is stored, and ended by
 * sign-out or expiry.
 */

import { type Selectable, sql, type Updateable } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import { type Place, signInContext } from '../../kernel/places.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { insertRow } from '../../storage/fixed-statement.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { isToldOfLogout, queueLogoutNotices } from './back-channel-logout.ts'

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

type SessionRow = Pick<Selectable<Tables['sessions']>, 'id' | 'user_id' | 'authenticated_at' | 'amr' | 'expires_at'>

const toSession = (row: SessionRow): Session => ({
  id: row.id,
  userId: row.user_id,
  authenticatedAt: row.authenticated_at,
  amr: row.amr,
  expiresAt: row.expires_at,
})

/** Grants without offline_access end with their session, however it ends; their `expires_at` is the session's. */
const endsWithSession = sql<boolean>`NOT 'offline_access' = ANY(scopes)`

/** Those that were made in a session: its own, and those of devices. */
const madeIn = (sessionId: string) => sql<boolean>`(session_id = ${sessionId} OR original_session_id = ${sessionId})`

/** A sign-in that has just succeeded. */
export interface SignedIn {
  readonly userId: string
  /** RFC 8176. */
  readonly amr: readonly string[]
  /** The application that the user signs in to; null: none, but the account pages. */
  readonly applicationId: string | null
  readonly interactionEvent: 'SignIn' | 'Register'
  /** What was verified, without secrets: the session records it to show how it started. */
  readonly verificationRecords: readonly object[]
  /** Where the user signs in, if that is known. */
  readonly place?: Place | undefined
  /** The secret of the browser's previous session, if there was one. */
  readonly previousSecret: string | undefined
}

/**
 * Replaces the browser's previous session: renewed for the same user, so that applications that know its `sid` keep it,
 * or ended for another. Returns the id of the renewed one.
 */
const renewSession = async (
  unit: Unit,
  { userId, previousSecret }: SignedIn,
  fresh: Updateable<Tables['sessions']> & { readonly expires_at: Date },
): Promise<string | undefined> => {
  const { tx, tenant, now, send } = unit
  const hash = opaqueHash('session', previousSecret)
  if (!hash) return undefined
  const previous = await tx
    .selectFrom('sessions')
    .select(['id', 'user_id'])
    .where(inTenant(tenant.id))
    .where('secret_hash', '=', hash)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
  if (!previous) return undefined
  if (previous.user_id !== userId) {
    await endSession(unit, previous.id)
    return undefined
  }
  send(tx.updateTable('sessions').set(fresh).where(inTenant(tenant.id)).where('id', '=', previous.id).execute())
  send(
    tx
      .updateTable('grants')
      .set({ expires_at: fresh.expires_at })
      .where(inTenant(tenant.id))
      .where(madeIn(previous.id))
      .where(endsWithSession)
      .execute(),
  )
  return previous.id
}

/**
 * Gives a user who has just proved who they are a session with a new secret (SECURITY R-26). Returns it with the secret,
 * which is only for the cookie.
 */
export const startSession = async (
  unit: Unit,
  signedIn: SignedIn,
): Promise<{ readonly session: Session; readonly secret: string }> => {
  const { tx, tenant, now, caller } = unit
  const { userId, amr, applicationId, interactionEvent, verificationRecords, place } = signedIn
  const { value: secret, hash } = newHashedOpaque('session')
  const fresh = {
    secret_hash: hash,
    authenticated_at: now,
    amr: [...amr],
    ip: caller.ip ?? null,
    user_agent: caller.userAgent ?? null,
    expires_at: secondsAfter(now, SESSION_SECONDS),
    application_id: applicationId,
    last_submission: JSON.stringify({
      interactionEvent,
      userId,
      verificationRecords,
      ...(place ? { signInContext: signInContext(place) } : {}),
    }),
  }
  const renewed = await renewSession(unit, signedIn, fresh)
  const id = renewed ?? newId()
  if (renewed === undefined) {
    unit.send(insertRow(tx, 'sessions', { ...fresh, tenant_id: tenant.id, id, user_id: userId, created_at: now }))
  }
  return { session: { id, userId, authenticatedAt: now, amr, expiresAt: fresh.expires_at }, secret }
}

/** The live session for a cookie's secret, whose user exists and is not suspended. */
export const findSession = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  secret: string | undefined,
): Promise<Session | undefined> => {
  const hash = opaqueHash('session', secret)
  if (!hash) return undefined
  const { rows } = await database.lookups.query({
    name: 'find-session',
    text: `SELECT s.id, s.user_id, s.authenticated_at, s.amr, s.expires_at
      FROM sessions s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
      WHERE s.tenant_id = $1 AND s.secret_hash = $2 AND s.expires_at > $3 AND NOT u.is_suspended`,
    values: [tenantId, hash, clock.now()],
  })
  const [row] = rows as SessionRow[]
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
    .where(inTenant(tenantId))
    .where('user_id', '=', userId)
    .where('expires_at', '>', clock.now())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toSession)
}

/**
 * Ends a session. Its grants end with it, except those with offline_access, which outlive it and record it. Every
 * application with a grant in it is notified, if it wants to be (DECISIONS F7). Returns whether there was one.
 */
export const endSession = async (unit: Unit, sessionId: string): Promise<boolean> => {
  const { tx, tenant } = unit
  const ended = await tx
    .deleteFrom('sessions')
    .where(inTenant(tenant.id))
    .where('id', '=', sessionId)
    .returning('user_id')
    .executeTakeFirst()
  const gone = await tx
    .deleteFrom('grants')
    .where(inTenant(tenant.id))
    .where(madeIn(sessionId))
    .where(endsWithSession)
    .returning(['application_id', isToldOfLogout.as('is_told')])
    .execute()
  const kept = await tx
    .updateTable('grants')
    .set({ session_id: null, original_session_id: sessionId })
    .where(inTenant(tenant.id))
    .where(madeIn(sessionId))
    .returning(['application_id', isToldOfLogout.as('is_told')])
    .execute()
  if (!ended) return false
  queueLogoutNotices(
    unit,
    ended.user_id,
    [...gone, ...kept].map((grant) => ({ ...grant, session_id: sessionId })),
  )
  return true
}

/** Whether the user still has this session. */
export const isLiveSession = async (
  { tx, tenant, now }: Pick<Unit, 'tx' | 'tenant' | 'now'>,
  userId: string,
  sessionId: string,
): Promise<boolean> => {
  const row = await tx
    .selectFrom('sessions')
    .select('id')
    .where(inTenant(tenant.id))
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}
