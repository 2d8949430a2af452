/**
 * Audit entries. Whatever opens a transaction writes its entry inside it (unit-of-work.ts). Tokens that need no
 * transaction leave theirs here: buffered in memory and written together, at least every half second and at shutdown.
 * A crash can lose the entries of that half second; it cannot lose an event or a change.
 */
import { sql } from 'kysely'
import { type Caller, isAnonymous } from '../kernel/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { countedNetwork } from '../kernel/network.ts'
import type { SlidingLimit } from '../kernel/sliding-limit.ts'
import { AuditEntities } from './audit-entities.ts'
import { storedActor, storedFacts, wholePayload } from './audit-payload.ts'
import type { AuditSink } from './audit-sink.ts'
import type { Database } from './database.ts'
import { RowBuffer } from './row-buffer.ts'

/** What an entry says beyond who, where and when. */
export interface AuditFacts {
  readonly result: 'Success' | 'Error'
  readonly [fact: string]: unknown
}

export interface AuditRow {
  readonly tenant_id: string
  readonly id: string
  readonly key: string
  readonly user_id: string | null
  readonly application_id: string | null
  /** JSON of what is stored of it (audit-payload.ts). */
  readonly payload: string
  readonly created_at: Date
  readonly entities: string[] | null
}

const storable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value

/** Characters of JSON; nearly every entry about an anonymous caller is a third of it. */
const LONGEST_ANONYMOUS = 1500

/** Limits for each string and list, tried one after another until the entry is short enough. */
const CUTS = [
  { text: 128, items: 20 },
  { text: 64, items: 5 },
  { text: 64, items: 1 },
] as const

const cutTo =
  ({ text, items }: (typeof CUTS)[number]) =>
  (key: string, value: unknown): unknown => {
    if (typeof value === 'string' && value.length > text) return storable(key, `${value.slice(0, text)}…`)
    if (Array.isArray(value) && value.length > items)
      return [...value.slice(0, items), `and ${value.length - items} more`]
    return storable(key, value)
  }

/**
 * A value as JSON that PostgreSQL can store: without NUL or half surrogate pairs, because an entry about a request that
 * contained one must not prevent the others of its batch from being written. JSON writes both as escapes, so that
 * nearly every entry is done after the first attempt.
 */
const storableJson = (facts: object): string => {
  const json = JSON.stringify(facts)
  return json.includes('\\u') ? JSON.stringify(facts, storable) : json
}

/** The same for an entry about an unauthenticated caller: what they sent is truncated (SECURITY R-35). */
const anonymousJson = (facts: object): string => {
  let json = storableJson(facts)
  for (const cut of CUTS) if (json.length > LONGEST_ANONYMOUS) json = JSON.stringify(facts, cutTo(cut))
  return json
}

const jsonOf = (caller: Caller, facts: object): string =>
  isAnonymous(caller) ? anonymousJson(facts) : storableJson(facts)

/** What the caller named, and what the operation recorded about it. */
const entitiesOf = ({ named = [] }: Caller, entities: AuditEntities | undefined): AuditEntities | undefined => {
  if (named.length === 0) return entities
  const all = entities ?? new AuditEntities()
  all.addNamed(named)
  return all
}

/** The entry. The actor is the application or user unless the facts name another. */
const auditEntry = (tenantId: string, caller: Caller, now: Date, facts: AuditFacts, noted?: AuditEntities) => {
  const entities = entitiesOf(caller, noted)
  const { actor, action, ip, userAgent, requestId, request } = caller
  const applicationId = facts.applicationId ?? (actor.type === 'application' ? actor.id : undefined)
  const userId = facts.userId ?? (actor.type === 'user' ? actor.id : undefined)
  const columns = {
    user_id: typeof userId === 'string' ? userId : null,
    application_id: typeof applicationId === 'string' ? applicationId : null,
  }
  return {
    tenant_id: tenantId,
    id: newId(),
    key: action,
    ...columns,
    payload: {
      ...{ ip, userAgent, requestId, actor: storedActor(actor, columns), request },
      ...storedFacts(facts),
      ...entities?.facts,
    },
    created_at: now,
    entities: entities?.ids ?? null,
  }
}

/** The row of an entry. @param noted what the operation concerned */
export const auditRow = (
  tenantId: string,
  caller: Caller,
  now: Date,
  facts: AuditFacts,
  noted?: AuditEntities,
): AuditRow => {
  const entry = auditEntry(tenantId, caller, now, facts, noted)
  return { ...entry, payload: jsonOf(caller, entry.payload) }
}

export interface AuditBatch {
  /** Adds an entry; returns at once. One about an anonymous caller is dropped if `admits` refuses it. */
  add(tenantId: string, caller: Caller, facts: AuditFacts): void
  /**
   * Whether one more entry about the caller is kept, and counts it: anonymous callers at one address may cause only so
   * many within ten minutes, so that no one can fill the disk. For others every entry is kept.
   */
  admits(tenantId: string, caller: Caller): boolean
  /** Passes the entry of a committed unit to the sink besides the database. */
  committed(row: AuditRow): void
  /**
   * Writes what is buffered. Reading the log calls it first, so that an entry is visible as soon as its response was
   * sent.
   */
  flush(): Promise<void>
  close(): Promise<void>
  readonly dropped: () => number
  /** How many entries `admits` has refused. */
  readonly withheld: () => number
}

const EVERY_MS = 500
const ENOUGH = 1000
/** Beyond this, while the database does not answer, new entries are dropped and counted: memory is finite. */
const MOST_BATCHES = 100

/** A row as it waits in a batch. */
interface BatchedRow extends Omit<AuditRow, 'payload' | 'created_at'> {
  readonly payload: object
  readonly created_at: string
}

/** An entry as a line of JSON, in the shape of `GET /api/logs`. */
const lineOf = (row: Omit<BatchedRow, 'created_at'>, createdAt: number): string => {
  const { tenant_id: tenantId, id, key } = row
  return `${JSON.stringify({ tenantId, id, key, payload: wholePayload(row), createdAt })}\n`
}

const linesOf = (rows: RowBuffer): string =>
  (JSON.parse(rows.toArray().toString()) as BatchedRow[]).map((row) => lineOf(row, Date.parse(row.created_at))).join('')

/**
 * @param database where the entries go
 * @param ofAddress how many entries anonymous callers at one address may cause
 * @param sink where they also go, once the database has them
 */
export const createAuditBatch = (
  database: Database,
  clock: Clock,
  log: Log,
  ofAddress: SlidingLimit,
  sink?: AuditSink,
): AuditBatch => {
  let gathering = new RowBuffer()
  /** The entries to be written, oldest first. */
  const batches: RowBuffer[] = []
  const spare: RowBuffer[] = []
  let dropped = 0
  let withheld = 0
  let writing: Promise<void> = Promise.resolve()

  const insert = (rows: RowBuffer) =>
    sql`
      INSERT INTO audit_log (tenant_id, id, key, user_id, application_id, payload, created_at, entities)
      SELECT r.* FROM json_to_recordset(${rows.toArray()}::json) AS r (tenant_id text, id text, key text,
        user_id text, application_id text, payload jsonb, created_at timestamptz, entities text[])
      WHERE EXISTS (SELECT FROM tenants t WHERE t.id = r.tenant_id)
      ON CONFLICT DO NOTHING`.execute(database.kysely)

  const closeBatch = () => {
    if (gathering.count === 0) return
    batches.push(gathering)
    gathering = spare.pop() ?? new RowBuffer()
  }
  const write = async () => {
    closeBatch()
    // batches completed in the meantime are left for the next time; otherwise reading the log would wait for a busy
    // server's last one
    for (const batch of [...batches]) {
      try {
        await insert(batch)
        sink?.write(linesOf(batch))
        batches.shift()
        batch.clear()
        if (spare.length < 2) spare.push(batch)
      } catch (error) {
        log.error(
          { error: error instanceof Error ? error.message : String(error), batches: batches.length },
          'audit entries could not be written; they wait',
        )
        return
      }
    }
  }
  const flush = (): Promise<void> => {
    writing = writing.then(write)
    return writing
  }
  const timer = setInterval(() => void flush(), EVERY_MS)
  timer.unref()

  const admits = (tenantId: string, caller: Caller): boolean => {
    if (caller.ip === undefined || !isAnonymous(caller)) return true
    const { isAdmitted } = ofAddress.admit(`${tenantId} ${countedNetwork(caller.ip)}`, clock.now())
    if (!isAdmitted) withheld += 1
    return isAdmitted
  }

  return {
    admits,
    add(tenantId, caller, facts) {
      if (!admits(tenantId, caller)) return
      if (batches.length >= MOST_BATCHES) {
        dropped += 1
        return
      }
      gathering.append(jsonOf(caller, auditEntry(tenantId, caller, clock.now(), facts)))
      if (gathering.count === ENOUGH) {
        closeBatch()
        void flush()
      }
    },
    committed: (row) => sink?.write(lineOf({ ...row, payload: JSON.parse(row.payload) }, row.created_at.getTime())),
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
    dropped: () => dropped,
    withheld: () => withheld,
  }
}
