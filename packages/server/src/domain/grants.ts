/** Grants: what a user gave an application in a session. One per session and application (DECISIONS F3, F5). */
import { sql } from 'kysely'
import { secondsAfter } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { operation, type Unit } from '../storage/unit-of-work.ts'
import type { Client } from './clients.ts'
import type { Session } from './sessions.ts'

/** 180 days: the longest that a refresh token can live (DECISIONS G3). */
const GRANT_SECONDS = 180 * 86_400

/** The scopes that a user has granted to an application in a session so far. */
export const grantedScopes = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  sessionId: string,
  applicationId: string,
): Promise<readonly string[]> => {
  const row = await database.kysely
    .selectFrom('grants')
    .select('scopes')
    .where('tenant_id', '=', tenantId)
    .where('session_id', '=', sessionId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  return row?.scopes ?? []
}

/**
 * Revokes the oldest grants of a user at an application beyond the limit (DECISIONS F5). Authorizations of one user at
 * one application take turns, so that two at once cannot both find room.
 */
const keepWithinLimit = async (
  unit: Unit<'Grant.LimitExceeded'>,
  session: Session,
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
  await tx
    .deleteFrom('grants')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', sql<string>`ANY(${beyond}::text[])`)
    .execute()
  emit('Grant.LimitExceeded', {
    userId: session.userId,
    applicationId: client.id,
    revokedGrantIds: beyond,
    maxAllowedGrants: limit,
    preRevocationActiveGrantCount: rows.length,
  })
}

/** The grant of the session to the application, made or widened by these scopes; returns its id. */
export const recordGrant = async (
  unit: Unit<'Grant.LimitExceeded'>,
  session: Session,
  client: Client,
  scopes: readonly string[],
): Promise<string> => {
  const { tx, tenant, now } = unit
  if (client.metadata.maxAllowedGrants !== undefined) {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${tenant.id} ${session.userId} ${client.id}`}, 0))`.execute(
      tx,
    )
  }
  const { rows } = await sql<{ id: string; created: boolean }>`
    INSERT INTO grants (tenant_id, id, user_id, application_id, session_id, scopes, created_at, expires_at)
    VALUES (${tenant.id}, ${newId()}, ${session.userId}, ${client.id}, ${session.id}, ${[...scopes]}::text[],
      ${now}, ${secondsAfter(now, GRANT_SECONDS)})
    ON CONFLICT (tenant_id, session_id, application_id) WHERE session_id IS NOT NULL
    DO UPDATE SET scopes = ARRAY(SELECT DISTINCT unnest(grants.scopes || excluded.scopes)), expires_at = excluded.expires_at
    RETURNING id, (xmax = 0) AS created`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('A grant was neither made nor found')
  if (row.created) await keepWithinLimit(unit, session, client, row.id)
  return row.id
}

/** Revokes a grant with every code and token that came of it. One that is gone already changes nothing. */
export const revokeGrant = operation([], async ({ tx, tenant }, grantId: string): Promise<void> => {
  await tx.deleteFrom('grants').where('tenant_id', '=', tenant.id).where('id', '=', grantId).execute()
})
