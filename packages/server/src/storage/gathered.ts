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

const COLUMNS = ['tenant_id', 'id', 'key', 'user_id', 'application_id', 'payload', 'created_at', 'entities'] as const

const INSERT_ENTRIES = `INSERT INTO audit_log (${COLUMNS.join()})`

const FLUSH = `
  WITH o AS (
    INSERT INTO outbox (tenant_id, id, type, payload, created_at)
    SELECT $1, e.id, e.type, e.payload, $14 FROM unnest($3::text[], $4::text[], $5::jsonb[]) AS e (id, type, payload)
  ), a AS (
    ${INSERT_ENTRIES}
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
  ${INSERT_ENTRIES}
  SELECT r.* FROM json_to_recordset($1) AS r (tenant_id text, id text, key text, user_id text, application_id text,
    payload jsonb, created_at timestamptz, entities text[])`

/** An entry as JSON; its payload is JSON already. */
const entryAsJson = ({ payload, ...columns }: AuditRow): string =>
  `${JSON.stringify(columns).slice(0, -1)},"payload":${payload}}`

/** `($1, …, $8)`: where an entry is in a statement with so many entries before it. */
const placeOf = (before: number): string =>
  `(${COLUMNS.map((_, index) => `$${before * COLUMNS.length + index + 1}`).join()})`

const entriesText = (count: number): string =>
  `${INSERT_ENTRIES} VALUES ${Array.from({ length: count }, (_, before) => placeOf(before)).join()}`

const valuesOf = (row: AuditRow): unknown[] => COLUMNS.map((column) => row[column])

const ENTRY = entriesText(1)

/** Writes one entry, which costs less than reading it from a list. */
const entryQuery = (row: AuditRow): pg.QueryConfig => ({ name: 'audit-entry', text: ENTRY, values: valuesOf(row) })

/** One event after so many entries. */
const eventText = (entries: number): string => {
  const [tenant, id, type, payload, time, channel] = [1, 2, 3, 4, 5, 6].map((n) => `$${entries * COLUMNS.length + n}`)
  return `
  WITH a AS (${entriesText(entries)}), o AS (
    INSERT INTO outbox (tenant_id, id, type, payload, created_at) VALUES (${tenant}, ${id}, ${type}, ${payload}, ${time}))
  SELECT pg_notify(${channel}, ${tenant})`
}

const EVENT_TEXTS = [eventText(1), eventText(2)] as const

/**
 * Writes the one event of a unit, its entry and that of at most one more: what a sign-in leaves, which costs a fifth less than
 * as lists of any length.
 */
const eventQuery = ({ tenantId, endedAt, audit }: Left, event: OutboxRow, other?: AuditRow): pg.QueryConfig => ({
  name: other ? 'entries-event' : 'entry-event',
  text: EVENT_TEXTS[other ? 1 : 0],
  values: [
    ...valuesOf(audit),
    ...(other ? valuesOf(other) : []),
    ...[tenantId, event.id, event.type, event.payload, endedAt, EVENT_CHANNEL],
  ],
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
  const others = units.filter((unit) => !isPlain(unit))
  const [only, ...more] = entries
  const [left, ...beside] = others
  const [event, ...further] = left?.events ?? []
  if (left && event && [...left.tags, ...further, ...beside, ...more].length === 0)
    return [eventQuery(left, event, only)]
  const changes = others.map(flushQuery)
  if (only === undefined) return changes
  return [...changes, more.length === 0 ? entryQuery(only) : entriesQuery(entries)]
}
