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

/** The most rows that are numbered at once: whoever asks for the feed waits for it. */
const BATCH = 10_000

/**
 * Numbers what was committed first: the lock lets one node at a time, and what is numbered is never numbered below what was. Returns
 * whether there may be more.
 */
const numberBatch = (db: Db, tenantId: string, now: Date): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await sql`INSERT INTO revocation_sequences (tenant_id) VALUES (${tenantId}) ON CONFLICT DO NOTHING`.execute(tx)
    await sql`SELECT FROM revocation_sequences WHERE tenant_id = ${tenantId} FOR UPDATE`.execute(tx)
    // by their places: with statistics from before a flood each would be looked for in all of it
    const { rows } = await sql<{ count: number }>`
      WITH batch AS MATERIALIZED (
        SELECT ctid AS place, position, ends_at <= ${now} AS is_over FROM revocations
        WHERE tenant_id = ${tenantId} AND sequence IS NULL ORDER BY position LIMIT ${BATCH}
      ), over AS (
        DELETE FROM revocations r USING batch b WHERE r.ctid = b.place AND b.is_over
      ), numbered AS (
        SELECT place, row_number() OVER (ORDER BY position) AS n FROM batch WHERE is_over IS NOT TRUE
      ), counted AS (
        UPDATE revocation_sequences SET last_sequence = last_sequence + (SELECT count(*) FROM numbered)
        WHERE tenant_id = ${tenantId}
      ), given AS (
        UPDATE revocations r SET sequence = s.last_sequence + n, expires_at = ${secondsAfter(now, TOLERANCE_SECONDS)}::timestamptz
          + CASE r.kind WHEN 'token' THEN r.ends_at - ${now}::timestamptz ELSE s.longest_token * interval '1 second' END
        FROM numbered, revocation_sequences s
        WHERE r.ctid = numbered.place AND s.tenant_id = ${tenantId}
      )
      SELECT count(*) AS count FROM batch`.execute(tx)
    return rows[0]?.count === BATCH
  })

/**
 * Numbers what a tenant has committed and not yet numbered; any number of nodes may do it at once. Returns whether there may be more:
 * it is done in batches.
 */
export const numberRevocations = async ({ database, clock }: Store, tenantId: string): Promise<boolean> => {
  const waiting = await sql`SELECT FROM revocations WHERE tenant_id = ${tenantId} AND sequence IS NULL LIMIT 1`.execute(
    database.kysely,
  )
  return waiting.rows.length > 0 && numberBatch(database.kysely, tenantId, clock.now())
}

/** The same for every tenant: otherwise those whose revocations nobody reads would keep them for ever. */
export const numberAllRevocations = async (store: Store): Promise<void> => {
  const { rows } = await sql<{ tenant_id: string }>`
    SELECT DISTINCT tenant_id FROM revocations WHERE sequence IS NULL`.execute(store.database.kysely)
  for (const { tenant_id } of rows) while (await numberRevocations(store, tenant_id));
}
