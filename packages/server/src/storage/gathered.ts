/**
 * What units of work collect besides their own statements, and the statements that write it before the commit: events, notices
 * of changed configuration, audit entries.
 */
import type pg from 'pg'
import type { AuditRow } from './audit-log.ts'
import { EVENT_CHANNEL, NOTICE_CHANNEL, noticesOf } from './notices.ts'
import type { OutboxRow } from './outbox.ts'

/** What one unit leaves to be written. */
export interface Left {
  readonly tenantId: string
  /** When the unit began. */
  readonly begunAt: Date
  /** The time of its events: that of its commit, which follows at once (DECISIONS K2). */
  readonly endedAt: Date
  readonly events: readonly OutboxRow[]
  /** What it changed in the configuration. */
  readonly tags: readonly string[]
  readonly audit: AuditRow
}

const FLUSH = `
  WITH o AS (
    INSERT INTO outbox (tenant_id, id, type, payload, created_at)
    SELECT $1, e.id, e.type, e.payload, $14 FROM unnest($3::text[], $4::text[], $5::jsonb[]) AS e (id, type, payload)
  ), a AS (
    INSERT INTO audit_log (tenant_id, id, key, user_id, application_id, payload, created_at, entities)
    VALUES ($1, $6, $7, $8, $9, $10, $2, $15)
  )
  SELECT pg_notify($11, n) FROM unnest($12::text[]) AS n
  UNION ALL SELECT pg_notify($13, $1::text) WHERE cardinality($3::text[]) > 0`

const SPILL = `
  WITH o AS (
    INSERT INTO outbox (tenant_id, id, type, payload, created_at)
    SELECT $1, e.id, e.type, e.payload, $5 FROM unnest($2::text[], $3::text[], $4::jsonb[]) AS e (id, type, payload)
  )
  SELECT pg_notify($6, $1::text)`

/** Writes events ahead of the others of their unit; their order is kept, and they exist when it commits. */
export const spillQuery = (tenantId: string, events: readonly OutboxRow[], now: Date): pg.QueryConfig => ({
  name: 'unit-spill',
  text: SPILL,
  values: [
    tenantId,
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ payload }) => payload),
    now,
    EVENT_CHANNEL,
  ],
})

/** Tags that begin with a slash apply to the installation, the others to the tenant. */
export const announcements = (tenantId: string, tags: readonly string[]): [string, string[]][] => [
  [tenantId, tags.filter((tag) => !tag.startsWith('/'))],
  ['*', tags.filter((tag) => tag.startsWith('/'))],
]

/** Writes everything of a unit that caused events or changed configuration. */
const flushQuery = ({ tenantId, begunAt, endedAt, events, tags, audit }: Left): pg.QueryConfig => ({
  name: 'unit-flush',
  text: FLUSH,
  values: [
    tenantId,
    begunAt,
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ payload }) => payload),
    audit.id,
    audit.key,
    audit.user_id,
    audit.application_id,
    audit.payload,
    NOTICE_CHANNEL,
    announcements(tenantId, tags).flatMap(([whose, tags]) => noticesOf(whose, tags)),
    EVENT_CHANNEL,
    endedAt,
    audit.entities,
  ],
})

const ENTRIES = `
  INSERT INTO audit_log (tenant_id, id, key, user_id, application_id, payload, created_at, entities)
  SELECT r.* FROM json_to_recordset($1) AS r (tenant_id text, id text, key text, user_id text, application_id text,
    payload jsonb, created_at timestamptz, entities text[])`

/** An entry as JSON; its payload is JSON already. */
const entryAsJson = ({ payload, ...columns }: AuditRow): string =>
  `${JSON.stringify(columns).slice(0, -1)},"payload":${payload}}`

const ENTRY = `
  INSERT INTO audit_log (tenant_id, id, key, user_id, application_id, payload, created_at, entities)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

/** Writes one entry, which costs less than reading it from a list. */
const entryQuery = (row: AuditRow): pg.QueryConfig => ({
  name: 'audit-entry',
  text: ENTRY,
  values: [row.tenant_id, row.id, row.key, row.user_id, row.application_id, row.payload, row.created_at, row.entities],
})

/** Writes the entries of units that left nothing else, like nearly every token request. */
const entriesQuery = (rows: readonly AuditRow[]): pg.QueryConfig => ({
  name: 'audit-entries',
  text: ENTRIES,
  values: [`[${rows.map(entryAsJson).join()}]`],
})

/** The statements that write what units leave that commit together. */
export const flushQueries = (units: readonly Left[]): pg.QueryConfig[] => {
  const isPlain = ({ events, tags }: Left) => events.length === 0 && tags.length === 0
  const entries = units.filter(isPlain).map(({ audit }) => audit)
  const others = units.filter((unit) => !isPlain(unit)).map(flushQuery)
  const [only, ...more] = entries
  if (only === undefined) return others
  return [...others, more.length === 0 ? entryQuery(only) : entriesQuery(entries)]
}
