/** The state of a tenant's queues and of the installation, for operators: counts and moments, no content and no secret. */
import { MOST_COUNTED } from '@countersign/contract/health.ts'
import { type RawBuilder, sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { readMigrations } from '../../storage/migrate.ts'
import type { Store } from '../../storage/store.ts'
import { refusedOfLate } from '../credentials/address-failures.ts'
import { databaseFacts } from './findings.ts'
import { lastForgottenAt } from './housekeeping.ts'

interface Queue {
  readonly waiting: number
  readonly oldestAt: Date | null
}

const DAY_SECONDS = 86_400

/** @param rows a statement that gives `created_at` */
const queueOf = async ({ database: { kysely } }: Store, rows: RawBuilder<unknown>): Promise<Queue> => {
  const { rows: found } = await sql<Queue>`
    SELECT count(*) AS waiting, min(created_at) AS "oldestAt" FROM (${rows} LIMIT ${MOST_COUNTED}) queue`.execute(
    kysely,
  )
  return found[0] ?? { waiting: 0, oldestAt: null }
}

/** Mail, text messages and logout tokens of the tenant that are not sent yet. */
export const waitingMessages = (store: Store, { id }: Tenant): Promise<Queue> =>
  queueOf(store, sql`SELECT created_at FROM dispatches WHERE tenant_id = ${id}`)

/** What the tenant's enabled hooks have not received. */
export const waitingDeliveries = (store: Store, { id }: Tenant): Promise<Queue> =>
  queueOf(
    store,
    sql`SELECT d.created_at FROM hooks h JOIN hook_deliveries d ON d.tenant_id = h.tenant_id AND d.hook_id = h.id
      WHERE h.tenant_id = ${id} AND h.is_enabled AND d.state IN ('Waiting', 'Sending')`,
  )

/** Committed events of the tenant that are not numbered yet: no reader of the feed and no hook has seen them. */
export const waitingEvents = (store: Store, { id }: Tenant): Promise<Queue> =>
  queueOf(store, sql`SELECT created_at FROM outbox WHERE tenant_id = ${id}`)

/** How many of a rare event were published for the tenant since a moment, by the index `events_of_limits`. */
const eventsSince = async (
  { database: { kysely } }: Store,
  { id }: Tenant,
  type: 'Identifier.Lockout' | 'Message.RateLimited',
  since: Date,
): Promise<number> => {
  // written into the statement, because a parameter would hide from the planner that the index has all of them
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (SELECT FROM events WHERE tenant_id = ${id} AND type = ${sql.lit(type)}
      AND created_at > ${since} LIMIT ${MOST_COUNTED}) reached`.execute(kysely)
  return rows[0]?.count ?? 0
}

/** The limits that the tenant's users and their addresses reached in the last day, of each no more than MOST_COUNTED (DECISIONS U10). */
export const limitsReached = async (store: Store, tenant: Tenant) => {
  const since = secondsAfter(store.clock.now(), -DAY_SECONDS)
  const [lockouts, messages] = await Promise.all([
    eventsSince(store, tenant, 'Identifier.Lockout', since),
    eventsSince(store, tenant, 'Message.RateLimited', since),
  ])
  return { lockouts, messages, addresses: Math.min(refusedOfLate(store, tenant), MOST_COUNTED) }
}

/** What all tenants share. A database that does not answer makes it fail. */
export const installationHealth = async (store: Store) => {
  const [{ rows }, facts, migrations, expiredDeletedAt] = await Promise.all([
    sql<{ bytes: number; applied: number[] }>`
      SELECT pg_database_size(current_database()) AS bytes,
        ARRAY(SELECT version FROM schema_migrations ORDER BY version) AS applied`.execute(store.database.kysely),
    databaseFacts(store),
    readMigrations(),
    lastForgottenAt(store),
  ])
  const { bytes = 0, applied = [] } = rows[0] ?? {}
  return {
    facts,
    databaseBytes: bytes,
    migration: applied.at(-1) ?? 0,
    pendingMigrations: migrations.filter((each) => !applied.includes(each.version)).length,
    expiredDeletedAt,
  }
}
