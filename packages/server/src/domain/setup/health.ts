/** The state of a tenant's queues and of the installation, for operators: counts and moments, no content and no secret. */
import { MOST_COUNTED } from '@countersign/contract/health.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import { readMigrations } from '../../storage/migrate.ts'
import type { Store } from '../../storage/store.ts'
import { lastForgottenAt } from './housekeeping.ts'

interface Queue {
  readonly waiting: number
  readonly oldestAt: Date | null
}

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

/** What all tenants share. A database that does not answer makes it fail. */
export const installationHealth = async (store: Store) => {
  const [{ rows }, migrations, expiredDeletedAt] = await Promise.all([
    sql<{ version: string; bytes: number; applied: number[] }>`
      SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
        ARRAY(SELECT version FROM schema_migrations ORDER BY version) AS applied`.execute(store.database.kysely),
    readMigrations(),
    lastForgottenAt(store),
  ])
  const { version = '', bytes = 0, applied = [] } = rows[0] ?? {}
  return {
    databaseVersion: version,
    databaseBytes: bytes,
    migration: applied.at(-1) ?? 0,
    pendingMigrations: migrations.filter((each) => !applied.includes(each.version)).length,
    expiredDeletedAt,
  }
}
