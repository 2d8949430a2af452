/**
 * Grants: what a user granted to an application in a session. One per session and application (DECISIONS F3, F5), and
 * one for each device that the device flow connects (DECISIONS N8).
 */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { fixedStatement, type Given } from '../../storage/fixed-statement.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import type { Client } from '../applications/clients.ts'
import type { Session } from './sessions.ts'

/** 180 days: the maximum lifetime of a refresh token (DECISIONS G3). */
export const GRANT_SECONDS = 180 * 86_400

/** What a user has granted to an application in a session so far. */
export interface Granted {
  readonly scopes: readonly string[]
  /** Ids of APIs and permissions, as requested-consent.ts names them. */
  readonly consentedIds: readonly string[]
}

/** Undefined: nothing, or recorded by a version that stored only names, which do not identify APIs. */
export const grantedBefore = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  sessionId: string,
  applicationId: string,
): Promise<Granted | undefined> => {
  const row = await database.kysely
    .selectFrom('grants')
    .select(['scopes', 'consented_ids'])
    .where(inTenant(tenantId))
    .where('session_id', '=', sessionId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  return row?.consented_ids ? { scopes: row.scopes, consentedIds: row.consented_ids } : undefined
}

/** Revokes the oldest grants of a user, who is locked, at an application beyond the limit (DECISIONS F5). */
const keepWithinLimit = async (
  unit: Unit<'Grant.LimitExceeded'>,
  session: Pick<Session, 'id' | 'userId'>,
  client: Client,
  newest: string,
): Promise<void> => {
  const limit = client.metadata.maxAllowedGrants
  if (limit === undefined) return
  const { tx, tenant, now, emit } = unit
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM grants
    WHERE tenant_id = ${tenant.id} AND user_id = ${session.userId} AND application_id = ${client.id} AND expires_at > ${now}
    ORDER BY (id = ${newest}) DESC, created_at DESC, id DESC`.execute(tx)
  const beyond = rows.slice(limit).map(({ id }) => id)
  if (beyond.length === 0) return
  const deleted = await tx
    .deleteFrom('grants')
    .where(inTenant(tenant.id))
    .where('id', '=', sql<string>`ANY(${beyond}::text[])`)
    .returning('id')
    .execute()
  // the others were revoked meanwhile, by what was not about the limit
  const revoked = new Set(deleted.map(({ id }) => id))
  if (revoked.size === 0) return
  emit('Grant.LimitExceeded', {
    userId: session.userId,
    applicationId: client.id,
    revokedGrantIds: beyond.filter((id) => revoked.has(id)),
    maxAllowedGrants: limit,
    preRevocationActiveGrantCount: rows.length - beyond.length + revoked.size,
  })
}

/** Thrown if a session ended while it was used: whatever was decided from it has to be decided again. */
export class SessionEnded extends Error {}

/** What a user has just authorized. */
export interface NewGrant {
  readonly scopes: readonly string[]
  /** What the user consented to for a third-party application; null for a first-party one. */
  readonly consentedIds: readonly string[] | null
  /**
   * For a device, which is not the browser of the session: a separate grant, whatever the session has granted before.
   */
  readonly isOfDevice: boolean
}

interface GrantValues {
  readonly tenantId: string
  readonly userId: string
  readonly id: string
  readonly applicationId: string
  readonly sessionId: string
  readonly scopes: readonly string[]
  readonly consentedIds: readonly string[] | null
  readonly now: Date
  readonly isOffline: boolean
  readonly longest: Date
}

// the user's lock comes first, because which session is meant depends on it, and is exclusive: with a shared one, an
// operation that ends the user's sessions would wait as long as others kept arriving. A session that ended in the
// meantime can no longer be locked
const recording = (isOfDevice: boolean) =>
  fixedStatement((_, given: Given<GrantValues>) => {
    const { tenantId, userId, id, applicationId, sessionId, scopes, consentedIds, now, isOffline, longest } = given
    return sql<{ id: string }>`
    WITH locked AS (
      SELECT id FROM users WHERE tenant_id = ${tenantId} AND id = ${userId} FOR NO KEY UPDATE)
    INSERT INTO grants (tenant_id, id, user_id, application_id, session_id, original_session_id, scopes, consented_ids,
      created_at, expires_at)
    SELECT s.tenant_id, ${id}, s.user_id, ${applicationId}, ${isOfDevice ? sql`NULL, s.id` : sql`s.id, NULL`}, ${scopes}::text[],
      ${consentedIds}::text[], ${now}::timestamptz,
      CASE WHEN ${isOffline} THEN ${longest} ELSE s.expires_at END
    FROM sessions s WHERE s.tenant_id = ${tenantId} AND s.id = ${sessionId} AND s.expires_at > ${now}
      AND s.user_id = (SELECT id FROM locked)
    FOR KEY SHARE
    ON CONFLICT (tenant_id, session_id, application_id) WHERE session_id IS NOT NULL
    DO UPDATE SET scopes = ARRAY(SELECT DISTINCT unnest(grants.scopes || excluded.scopes)),
      consented_ids = CASE WHEN excluded.consented_ids IS NULL THEN grants.consented_ids
        ELSE ARRAY(SELECT DISTINCT unnest(grants.consented_ids || excluded.consented_ids)) END,
      expires_at = CASE WHEN 'offline_access' = ANY(grants.scopes) THEN ${longest} ELSE excluded.expires_at END
    RETURNING id`
  })
const recordOfSession = recording(false)
const recordOfDevice = recording(true)

/**
 * Creates the session's grant to the application or extends it by these scopes, or creates that of a device; returns
 * its id. It ends with the session, or after 180 days with offline_access. Throws SessionEnded if the session is gone:
 * whatever ends sessions first locks the user or the session, and so does this, so that no grant is created after such
 * an end (DECISIONS F6, SECURITY R-13), and no two authorizations count the same free place.
 */
export const recordGrant = async (
  unit: Unit<'Grant.LimitExceeded'>,
  session: Pick<Session, 'id' | 'userId'>,
  client: Client,
  { scopes, consentedIds, isOfDevice }: NewGrant,
): Promise<string> => {
  const { tx, tenant, now } = unit
  const record = isOfDevice ? recordOfDevice : recordOfSession
  const [row] = await record(tx, {
    tenantId: tenant.id,
    userId: session.userId,
    id: newId(),
    applicationId: client.id,
    sessionId: session.id,
    scopes,
    consentedIds,
    now,
    isOffline: scopes.includes('offline_access'),
    longest: secondsAfter(now, GRANT_SECONDS),
  })
  if (!row) throw new SessionEnded('the session has ended in the meantime')
  await keepWithinLimit(unit, session, client, row.id)
  return row.id
}

/** Revokes a grant with every code and token issued from it. If it is already gone, nothing changes. */
export const revokeGrant = operation([], async ({ tx, tenant }, grantId: string): Promise<void> => {
  await tx.deleteFrom('grants').where(inTenant(tenant.id)).where('id', '=', grantId).execute()
})
