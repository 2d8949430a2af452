/** What is wrong with the database and the signing keys, and what to do about it: for `countersign doctor` and GET /health. Nothing outside is asked. */
import type { FINDING_CODES } from '@countersign/contract/health.ts'
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { currentKey, signingKeys, unsignedAlgorithms } from '../tenants/signing-keys.ts'

export interface HealthFinding {
  readonly level: 'error' | 'warning'
  readonly code: (typeof FINDING_CODES)[number]
  /** What is wrong. */
  readonly sentence: string
  /** What to do about it. */
  readonly fix: string
}

interface DatabaseFacts {
  readonly version: string
  readonly major: number
  readonly mayMigrate: boolean
  readonly isReplica: boolean
  /** Of all clients, whichever database they use; the most without those that PostgreSQL keeps for superusers. */
  readonly connections: { readonly used: number; readonly most: number }
  /** Since the oldest open transaction of this database began, as far as the database user may see; null: there is none. */
  readonly longestTransactionSeconds: number | null
  /** By which this process's clock differs from the database's. */
  readonly skewMs: number
}

const OLDEST_POSTGRES = 15
const TOLERATED_SKEW_MS = 5000
/** Of the connections, above which a burst may find none left. */
const NEARLY_ALL = 0.9
const LONG_TRANSACTION_SECONDS = 15 * 60

/** Reads views of PostgreSQL, whatever the size of the database. */
export const databaseFacts = async ({ database, clock }: Pick<Store, 'database' | 'clock'>): Promise<DatabaseFacts> => {
  const { rows } = await sql<Omit<DatabaseFacts, 'connections' | 'skewMs'> & { used: number; most: number; now: Date }>`
    SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::integer / 10000 AS major,
      has_schema_privilege(current_schema(), 'CREATE') AS "mayMigrate", pg_is_in_recovery() AS "isReplica",
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer AS most,
      clock_timestamp() AS now, activity.*
    FROM (SELECT count(*)::integer AS used,
        extract(epoch FROM clock_timestamp() - min(xact_start)
          FILTER (WHERE datname = current_database() AND pid <> pg_backend_pid()))::integer AS "longestTransactionSeconds"
      FROM pg_stat_activity WHERE backend_type = 'client backend') activity`.execute(database.kysely)
  const [row] = rows
  if (!row) throw new Error('the database did not answer')
  const { used, most, now, ...facts } = row
  return { ...facts, connections: { used, most }, skewMs: Math.abs(clock.now().getTime() - now.getTime()) }
}

/** @returns none: the database is as it has to be */
export const databaseFindings = (facts: DatabaseFacts): HealthFinding[] => {
  const { version, major, mayMigrate, isReplica, connections, longestTransactionSeconds, skewMs } = facts
  const findings: (HealthFinding | false)[] = [
    major < OLDEST_POSTGRES && {
      level: 'error',
      code: 'database.version',
      sentence: `PostgreSQL ${version} is not supported.`,
      fix: `Update the database to version ${OLDEST_POSTGRES} or later.`,
    },
    !mayMigrate && {
      level: 'error',
      code: 'database.privileges',
      sentence: 'The database user may not create tables, so migrations will fail.',
      fix: 'Grant it CREATE on the schema.',
    },
    isReplica && {
      level: 'error',
      code: 'database.replica',
      sentence: 'The database is a read-only replica.',
      fix: 'Set DATABASE_URL to the primary server.',
    },
    connections.used >= NEARLY_ALL * connections.most && {
      level: 'warning',
      code: 'database.connections',
      sentence: `${connections.used} of ${connections.most} connections of the database are in use.`,
      fix: 'Raise max_connections of PostgreSQL, or run fewer servers with a smaller DATABASE_POOL_SIZE.',
    },
    longestTransactionSeconds !== null &&
      longestTransactionSeconds >= LONG_TRANSACTION_SECONDS && {
        level: 'warning',
        code: 'database.transaction',
        sentence: `A transaction has been open for ${Math.floor(longestTransactionSeconds / 60)} minutes.`,
        fix: 'Find it in pg_stat_activity and end it: what was deleted since it began keeps its space.',
      },
    skewMs > TOLERATED_SKEW_MS && {
      level: 'warning',
      code: 'clock.skew',
      sentence: `The clock differs from the database's by ${Math.round(skewMs / 1000)} s: tokens will seem expired or not yet valid.`,
      fix: 'Synchronize the clocks of the server and the database by NTP.',
    },
  ]
  return findings.filter((each) => each !== false)
}

/** @param count of the migrations that this server knows and the database does not have */
export const migrationFindings = (count: number): HealthFinding[] =>
  count === 0
    ? []
    : [
        {
          level: 'warning',
          code: 'database.migrations',
          sentence: `Migrations of the database that have not run: ${count}.`,
          fix: 'Run countersign migrate, or restart the server.',
        },
      ]

const NEW_KEY = '`countersign keys rotate --grace 0` makes one.'

/** What keeps the tenant from signing. */
export const keyFindings = async (store: Store, tenant: Tenant): Promise<HealthFinding[]> => {
  const keys = await signingKeys(store, tenant)
  if (!currentKey(keys, store.clock.now()))
    return [{ level: 'error', code: 'keys.none', sentence: 'No key is in use.', fix: NEW_KEY }]
  return (await unsignedAlgorithms(store, tenant)).map((asked) => ({
    level: 'error',
    code: 'keys.algorithm',
    sentence: `Applications ask for ID tokens signed with ${asked}, and no such key is in use.`,
    fix: NEW_KEY,
  }))
}
