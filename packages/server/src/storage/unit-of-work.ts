/**
 * The unit of work: one operation, one transaction. Its rows, its events, its audit entry and the notice of what it
 * changed commit together or not at all. All writes of the server go through it.
 *
 * An operation declares the events it may emit. Emitting another, or calling an operation that may emit another, does
 * not compile.
 */
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import type { EventData, EventType } from '@countersign/contract/events.ts'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { ApiError } from '../kernel/api-error.ts'
import { type Caller, withStatus } from '../kernel/caller.ts'
import type { Vault } from '../kernel/secrets.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { AuditEntities, type EntityChange } from './audit-entities.ts'
import { type AuditFacts, type AuditRow, auditRow } from './audit-log.ts'
import { boundTo } from './bound-driver.ts'
import { asApiError, isOfFailedTransaction, isOutdatedPlan, isRetryable } from './database-errors.ts'
import { EVENT_CHANNEL, NOTICE_CHANNEL, noticesOf } from './notices.ts'
import { type OutboxRow, outboxRow } from './outbox.ts'
import { forgetPrepared } from './prepared.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

export type Tx = Kysely<Tables>

export interface Unit<in E extends EventType = never> {
  readonly tenant: Tenant
  readonly tx: Tx
  readonly now: Date
  readonly caller: Caller
  readonly vault: Vault
  /** Writes an event to the outbox; it exists when the transaction commits. */
  emit<T extends E>(type: T, data: EventData<T>): void
  /**
   * Announces a change of configuration, so that every node drops what it built from it. A tag contains no space; one
   * that begins with a slash applies to the whole installation.
   */
  changed(...tags: string[]): void
  /**
   * Registers a statement that was sent and whose result is not needed: it shares the round trip of the next one or of
   * the commit. If it fails, the unit fails.
   */
  send(statement: Promise<unknown>): void
  /** Adds facts to the audit entry of this unit. */
  note(facts: Readonly<Record<string, unknown>>): void
  /**
   * Names what the unit concerns in its audit entry, which is found by these ids.
   * @param change its fields before and after, without secrets or with them as Withheld
   */
  concerns(type: string, ids: string | readonly string[], change?: EntityChange): void
}

export interface Operation<E extends EventType, A extends readonly unknown[], R> {
  readonly events: readonly E[]
  run(unit: Unit<E>, ...args: A): Promise<R>
}

/** Declares an operation with the events it may emit. */
export const operation = <const E extends EventType, A extends readonly unknown[], R>(
  events: readonly E[],
  run: (unit: Unit<E>, ...args: A) => Promise<R>,
): Operation<E, A, R> => ({ events, run })

/** A refusal that must be recorded: what the unit wrote is committed, then the error is thrown. */
export class Refusal extends Error {
  readonly error: Error
  constructor(error: Error) {
    super(error.message, { cause: error })
    this.error = error
  }
}

const remembered = new WeakSet<Error>()

/** Whether a unit has committed this error as a Refusal, with its entry in the audit log. */
export const isRemembered = (error: unknown): boolean => error instanceof Error && remembered.has(error)

export interface Work {
  readonly store: Store
  readonly tenant: Tenant
  readonly caller: Caller
}

/** What the unit collected besides its own statements; written with one more statement before the commit. */
interface Gathered {
  readonly events: OutboxRow[]
  readonly tags: string[]
  readonly sent: Promise<unknown>[]
  facts: Record<string, unknown>
  /** Created on demand: most units of sign-in and tokens name none. */
  entities: AuditEntities | undefined
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

/** How many events wait in memory: a deletion may cause hundreds of thousands, which are written ahead in parts. */
const MOST_GATHERED = 1000

const SPILL = `
  WITH o AS (
    INSERT INTO outbox (tenant_id, id, type, payload, created_at)
    SELECT $1, e.id, e.type, e.payload, $5 FROM unnest($2::text[], $3::text[], $4::jsonb[]) AS e (id, type, payload)
  )
  SELECT pg_notify($6, $1::text)`

/** Writes events ahead of the others of their unit; their order is kept, and they exist when it commits. */
const spillQuery = ({ store, tenant }: Work, events: readonly OutboxRow[]): pg.QueryConfig => ({
  name: 'unit-spill',
  text: SPILL,
  values: [
    tenant.id,
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ payload }) => payload),
    store.clock.now(),
    EVENT_CHANNEL,
  ],
})

/** The same for a unit that caused no event and changed no configuration, like nearly every token request. */
const FLUSH_AUDIT = `
  INSERT INTO audit_log (tenant_id, id, key, user_id, application_id, payload, created_at, entities)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

/** Tags that begin with a slash apply to the installation, the others to the tenant. */
const announcements = (tenantId: string, tags: readonly string[]): [string, string[]][] => [
  [tenantId, tags.filter((tag) => !tag.startsWith('/'))],
  ['*', tags.filter((tag) => tag.startsWith('/'))],
]

/**
 * Writes what was collected.
 * @param now when the unit began; its events get the time of its commit, which follows at once (DECISIONS K2)
 */
const flushQuery = ({ store, tenant }: Work, audit: AuditRow, now: Date, gathered: Gathered): pg.QueryConfig => {
  const { events, tags } = gathered
  if (events.length === 0 && tags.length === 0) {
    const { tenant_id, id, key, user_id, application_id, payload, created_at, entities } = audit
    const values = [tenant_id, id, key, user_id, application_id, payload, created_at, entities]
    return { name: 'unit-flush-audit', text: FLUSH_AUDIT, values }
  }
  return {
    name: 'unit-flush',
    text: FLUSH,
    values: [
      tenant.id,
      now,
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ payload }) => payload),
      audit.id,
      audit.key,
      audit.user_id,
      audit.application_id,
      audit.payload,
      NOTICE_CHANNEL,
      announcements(tenant.id, gathered.tags).flatMap(([whose, tags]) => noticesOf(whose, tags)),
      EVENT_CHANNEL,
      store.clock.now(),
      audit.entities,
    ],
  }
}

/**
 * Whether the unit writes an audit entry. All units that concerned a user, caused an event or changed configuration do;
 * what an anonymous caller only starts, or is refused under an unproved name, is limited by address.
 */
const leavesEntry = ({ store, tenant, caller }: Work, { result }: AuditFacts, gathered: Gathered): boolean => {
  const { facts, events, tags } = gathered
  const isLimited = (result === 'Success' || caller.isUnproven) && facts.userId === undefined
  return !isLimited || events.length > 0 || tags.length > 0 || store.audit.admits(tenant.id, caller)
}

const attempt = async <E extends EventType, A extends readonly unknown[], R>(
  work: Work,
  { run }: Operation<E, A, R>,
  args: A,
): Promise<R> => {
  const { store, tenant, caller } = work
  const now = store.clock.now()
  const gathered: Gathered = { events: [], tags: [], sent: [], facts: {}, entities: undefined }
  const client = await store.database.pool.connect()
  let broken: Error | undefined

  const send = (statement: Promise<unknown>) => {
    statement.catch(() => undefined)
    gathered.sent.push(statement)
  }

  const commit = async (outcome: AuditFacts, by = caller) => {
    const audit = auditRow(tenant.id, by, now, { ...outcome, ...gathered.facts }, gathered.entities)
    // all are sent at once; a statement that fails turns the commit into a rollback
    const isKept = leavesEntry(work, outcome, gathered)
    const flushed = isKept && client.query(flushQuery(work, audit, now, gathered))
    const committed = client.query('COMMIT')
    const [end, ...others] = await Promise.allSettled([committed, begun, ...gathered.sent, flushed])
    // without a response it may have committed: better reported twice than never
    if (isKept && (end.status === 'rejected' || end.value.command === 'COMMIT')) store.audit.committed(audit)
    const failed = [...others, end].find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
    if (end.status === 'rejected') throw end.reason
    if (end.value.command !== 'COMMIT') throw new Error('The transaction was rolled back instead of committed')
    for (const [whose, tags] of announcements(tenant.id, gathered.tags)) store.cache.drop(whose, tags)
  }

  /**
   * After a failure every later statement fails because of it: the first error among those sent earlier is the cause.
   */
  const causeOf = async (error: unknown): Promise<unknown> => {
    if (!isOfFailedTransaction(error)) return error
    const outcomes = await Promise.allSettled(gathered.sent)
    const first = outcomes.find((each) => each.status === 'rejected' && !isOfFailedTransaction(each.reason))
    return first?.status === 'rejected' ? first.reason : error
  }

  // its result is not awaited before the end
  const begun = client.query('BEGIN')
  begun.catch(() => undefined)
  try {
    const unit: Unit<E> = {
      tenant,
      now,
      caller,
      vault: store.vault,
      tx: boundTo(client),
      emit(type, data) {
        gathered.events.push(outboxRow(caller, type, data))
        if (gathered.events.length === MOST_GATHERED) send(client.query(spillQuery(work, gathered.events.splice(0))))
      },
      changed: (...tags) => void gathered.tags.push(...tags),
      send,
      note: (facts) => void Object.assign(gathered.facts, facts),
      concerns(type, ids, change) {
        gathered.entities ??= new AuditEntities()
        for (const id of [ids].flat()) gathered.entities.add(type, id, change)
      },
    }
    let result: R
    try {
      result = await run(unit, ...args)
    } catch (error) {
      if (error instanceof Refusal) {
        const { error: cause } = error
        const by = cause instanceof ApiError ? withStatus(caller, cause.status) : caller
        await commit({ result: 'Error', error: error.message }, by)
        remembered.add(error.error)
        throw error.error
      }
      // one that has started and waits for something else must not be sent after the end of the transaction
      if (gathered.sent.length > 0) await turn()
      await client.query('ROLLBACK')
      throw await causeOf(error)
    }
    await commit({ result: 'Success' })
    return result
  } catch (error) {
    // a connection in an unknown state must not go back to the pool
    if (error instanceof Error && /connection|terminat|ECONN|timeout/i.test(error.message)) broken = error
    throw error
  } finally {
    client.release(broken)
  }
}

const ATTEMPTS = 4
/** Without a pause the victim could take its first lock again before the winner, who waits for it, gets it. */
const PAUSE_MS = 25

/**
 * Runs one operation in one transaction, and repeats it when PostgreSQL chose it as a deadlock victim or its plans
 * predate a migration. Throws what the operation throws; a violated constraint becomes the ApiError of the catalogue.
 */
export const perform = async <E extends EventType, A extends readonly unknown[], R>(
  work: Work,
  op: Operation<E, A, R>,
  ...args: A
): Promise<R> => {
  for (let left = ATTEMPTS - 1; ; left -= 1) {
    try {
      return await attempt(work, op, args)
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw asApiError(error)
      if (isOutdatedPlan(error)) forgetPrepared()
      await delay(PAUSE_MS * (ATTEMPTS - left))
    }
  }
}
