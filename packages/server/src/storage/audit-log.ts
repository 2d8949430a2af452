/**
 * Audit entries. Whatever opens a transaction writes its entry inside it (unit-of-work.ts). Tokens that need no
 * transaction leave theirs here: gathered in memory and written together, at least every half second and at shutdown.
 * A crash can lose the entries of that half second; it cannot lose an event or a change.
 */
import { sql } from 'kysely'
import type { Caller } from '../kernel/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Database } from './database.ts'

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
  readonly payload: string
  readonly created_at: Date
}

/** Makes the row of an entry. The actor is the application or user unless the facts name another. */
export const auditRow = (tenantId: string, caller: Caller, now: Date, facts: AuditFacts): AuditRow => {
  const { actor, action, ip, userAgent, requestId, request } = caller
  const applicationId = facts.applicationId ?? (actor.type === 'application' ? actor.id : undefined)
  const userId = facts.userId ?? (actor.type === 'user' ? actor.id : undefined)
  return {
    tenant_id: tenantId,
    id: newId(),
    key: action,
    user_id: typeof userId === 'string' ? userId : null,
    application_id: typeof applicationId === 'string' ? applicationId : null,
    payload: JSON.stringify({ key: action, ip, userAgent, requestId, actor, request, applicationId, userId, ...facts }),
    created_at: now,
  }
}

export interface AuditBatch {
  /** Leaves an entry; returns at once. */
  add(tenantId: string, caller: Caller, facts: AuditFacts): void
  /** Writes what has gathered. Reading the log calls it first, so that an entry shows as soon as its answer was sent. */
  flush(): Promise<void>
  close(): Promise<void>
  readonly dropped: () => number
}

const EVERY_MS = 500
const ENOUGH = 1000
/** Beyond this, while the database does not answer, new entries are dropped and counted: memory is finite. */
const MOST = 100_000

/** @param database where the entries go */
export const createAuditBatch = (database: Database, clock: Clock, log: Log): AuditBatch => {
  let waiting: AuditRow[] = []
  let dropped = 0
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    const rows = waiting
    if (rows.length === 0) return
    waiting = []
    const column = <K extends keyof AuditRow>(name: K) => rows.map((row) => row[name])
    try {
      await sql`
        INSERT INTO audit_log (tenant_id, id, key, user_id, application_id, payload, created_at)
        SELECT r.* FROM unnest(${column('tenant_id')}::text[], ${column('id')}::text[], ${column('key')}::text[],
          ${column('user_id')}::text[], ${column('application_id')}::text[], ${column('payload')}::jsonb[],
          ${column('created_at')}::timestamptz[]) AS r (tenant_id)
        WHERE EXISTS (SELECT FROM tenants t WHERE t.id = r.tenant_id)
        ON CONFLICT DO NOTHING`.execute(database.kysely)
    } catch (error) {
      log.error(
        { error: error instanceof Error ? error.message : String(error), entries: rows.length },
        'audit entries could not be written; they wait',
      )
      waiting = [...rows, ...waiting].slice(0, MOST)
    }
  }
  const flush = (): Promise<void> => {
    writing = writing.then(write)
    return writing
  }
  const timer = setInterval(() => void flush(), EVERY_MS)
  timer.unref()

  return {
    add(tenantId, caller, facts) {
      if (waiting.length >= MOST) {
        dropped += 1
        return
      }
      waiting.push(auditRow(tenantId, caller, clock.now(), facts))
      if (waiting.length === ENOUGH) void flush()
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
    dropped: () => dropped,
  }
}
