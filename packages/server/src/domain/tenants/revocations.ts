/**
 * What ended before the access tokens that came of it expire (DECISIONS G17): written with the change, numbered after its commit
 * (decision 0040). Ends of grants, sessions and single tokens are written by triggers, whatever deletes them.
 */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Db } from '../../storage/database.ts'
import type { Store } from '../../storage/store.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

/** What a token can be revoked by: its own `jti`, its grant, its session, its user, or its application. */
export type RevocationKind = 'token' | 'grant' | 'session' | 'user' | 'client'

/** For so many seconds more: an API may take a token after its expiry, because its clock is behind. */
const TOLERANCE_SECONDS = 300
/** Nodes do not have exactly the same time, and `iat` has no fractions. */
const SKEW_SECONDS = 1

/**
 * Revokes every access token that a user has, or that an application got, until now: with the change that ends it. Later ones are
 * good, for a user who is active again and an application that is registered under the same id.
 */
export const revokeTokensOf = ({ tx, tenant, now, send }: Unit, kind: 'user' | 'client', id: string): void =>
  send(
    tx
      .insertInto('revocations')
      .values({ tenant_id: tenant.id, kind, subject: id, issued_until: secondsAfter(now, SKEW_SECONDS) })
      .execute(),
  )

/** Numbers what was committed: the lock lets one node at a time, and what is numbered is never numbered below what was. */
const number = (db: Db, tenantId: string, now: Date): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`INSERT INTO revocation_sequences (tenant_id) VALUES (${tenantId}) ON CONFLICT DO NOTHING`.execute(tx)
    await sql`SELECT FROM revocation_sequences WHERE tenant_id = ${tenantId} FOR UPDATE`.execute(tx)
    await sql`
      WITH over AS (
        DELETE FROM revocations WHERE tenant_id = ${tenantId} AND sequence IS NULL AND ends_at <= ${now}
      ), numbered AS (
        SELECT position, row_number() OVER (ORDER BY position) AS n FROM revocations
        WHERE tenant_id = ${tenantId} AND sequence IS NULL AND (ends_at IS NULL OR ends_at > ${now})
      ), counted AS (
        UPDATE revocation_sequences SET last_sequence = last_sequence + (SELECT count(*) FROM numbered)
        WHERE tenant_id = ${tenantId}
      )
      UPDATE revocations r SET sequence = s.last_sequence + n, expires_at = ${secondsAfter(now, TOLERANCE_SECONDS)}::timestamptz
        + CASE r.kind WHEN 'token' THEN r.ends_at - ${now}::timestamptz ELSE s.longest_token * interval '1 second' END
      FROM numbered, revocation_sequences s
      WHERE r.tenant_id = ${tenantId} AND r.position = numbered.position AND s.tenant_id = ${tenantId}`.execute(tx)
  })

/** Numbers what a tenant has committed and not yet numbered; any number of nodes may do it at once. */
export const numberRevocations = async ({ database, clock }: Store, tenantId: string): Promise<void> => {
  const waiting = await sql`SELECT FROM revocations WHERE tenant_id = ${tenantId} AND sequence IS NULL LIMIT 1`.execute(
    database.kysely,
  )
  if (waiting.rows.length > 0) await number(database.kysely, tenantId, clock.now())
}

/** The same for every tenant: otherwise those whose revocations nobody reads would keep them for ever. */
export const numberAllRevocations = async (store: Store): Promise<void> => {
  const { rows } = await sql<{ tenant_id: string }>`
    SELECT DISTINCT tenant_id FROM revocations WHERE sequence IS NULL`.execute(store.database.kysely)
  for (const { tenant_id } of rows) await numberRevocations(store, tenant_id)
}
