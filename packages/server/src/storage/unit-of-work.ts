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
import { ApiError } from '../kernel/api-error.ts'
import { type Caller, withStatus } from '../kernel/caller.ts'
import type { Vault } from '../kernel/secrets.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { AuditEntities, type EntityChange } from './audit-entities.ts'
import { type AuditFacts, auditRow } from './audit-log.ts'
import type { Seat } from './bound-driver.ts'
import { asApiError, isOfFailedTransaction, isOutdatedPlan, isRetryable } from './database-errors.ts'
import { announcements, spillQuery } from './gathered.ts'
import { type OutboxRow, outboxRow } from './outbox.ts'
import { forgetPrepared } from './prepared.ts'
import type { ShapeSender } from './statement.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'
import { inTransaction, type Ran } from './transaction.ts'

export type Tx = Kysely<Tables>

export interface Unit<in E extends EventType = never> extends ShapeSender {
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
  /**
   * Runs another operation in the same transaction, with an audit entry of its own; this one declares its events as well.
   * Throws what it throws, and the error of a Refusal, of which nothing is remembered.
   * @param caller of the other operation
   */
  alongside<T extends E, A extends readonly unknown[], R>(
    caller: Caller,
    operation: Operation<T, A, R>,
    ...args: A
  ): Promise<R>
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
  /** Whether it waits only for its own statements, so that it can share a transaction with other short units. */
  readonly isShort?: boolean
  /**
   * Whether losing it in a database crash within half a second does no harm, such as a flow that an anonymous
   * caller has just begun: the commit then does not wait for the disk. Later commits are never on disk before it.
   */
  readonly isForgettable?: boolean
}

/** How many events wait in memory: a deletion may cause hundreds of thousands, which are written ahead in parts. */
const MOST_GATHERED = 1000

/** What the unit collected besides its own statements; written before the commit. */
interface Gathered {
  readonly events: OutboxRow[]
  readonly tags: string[]
  readonly sent: Promise<unknown>[]
  facts: Record<string, unknown>
  /** Created on demand: most units of sign-in and tokens name none. */
  entities: AuditEntities | undefined
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

/** A unit that has run and waits for its commit. */
interface Done<R> extends Ran {
  /** Returns the result, or throws the refusal that was to be remembered. */
  readonly conclude: () => R
}

/** After a failure every later statement fails because of it: the first error among those sent earlier is the cause. */
const causeOf = async (error: unknown, sent: readonly Promise<unknown>[]): Promise<unknown> => {
  if (!isOfFailedTransaction(error)) return error
  const outcomes = await Promise.allSettled(sent)
  const first = outcomes.find((each) => each.status === 'rejected' && !isOfFailedTransaction(each.reason))
  return first?.status === 'rejected' ? first.reason : error
}

/** Runs the operation up to its commit. Throws what the operation throws, except a Refusal, once its statements have ended. */
const runUnit = async <E extends EventType, A extends readonly unknown[], R>(
  work: Work,
  { run }: Operation<E, A, R>,
  args: A,
  seat: Seat,
): Promise<Done<R>> => {
  const { store, tenant, caller } = work
  const now = store.clock.now()
  const gathered: Gathered = { events: [], tags: [], sent: [], facts: {}, entities: undefined }
  const others: Ran[] = []

  const send = (statement: Promise<unknown>) => {
    statement.catch(() => undefined)
    gathered.sent.push(statement)
  }
  const spill = () => {
    seat.hasWritten = true
    send(seat.query(spillQuery(tenant.id, gathered.events.splice(0), store.clock.now())))
  }
  const done = (outcome: AuditFacts, by: Caller, conclude: () => R): Done<R> => {
    const { events, tags, sent } = gathered
    const audit = auditRow(tenant.id, by, now, { ...outcome, ...gathered.facts }, gathered.entities)
    const isKept = leavesEntry(work, outcome, gathered)
    const left = { tenantId: tenant.id, begunAt: now, endedAt: store.clock.now(), events, tags, audit }
    return {
      sent: [...sent, ...others.flatMap((other) => other.sent)],
      left: [...(isKept ? [left] : []), ...others.flatMap((other) => other.left)],
      ended(isCommitted) {
        for (const other of others) other.ended(isCommitted)
        // without a response it may have committed: better reported twice than never
        if (isKept && isCommitted !== false) store.audit.committed(audit)
        if (isCommitted) for (const [whose, names] of announcements(tenant.id, tags)) store.cache.drop(whose, names)
      },
      conclude,
    }
  }

  const unit: Unit<E> = {
    tenant,
    now,
    caller,
    vault: store.vault,
    tx: seat.tx,
    sendShape: seat.sendShape,
    emit(type, data) {
      gathered.events.push(outboxRow(caller, type, data))
      if (gathered.events.length === MOST_GATHERED) spill()
    },
    changed: (...tags) => void gathered.tags.push(...tags),
    send,
    note: (facts) => void Object.assign(gathered.facts, facts),
    concerns(type, ids, change) {
      gathered.entities ??= new AuditEntities()
      for (const id of [ids].flat()) gathered.entities.add(type, id, change)
    },
    async alongside(by, other, ...given) {
      const ran = await runUnit({ ...work, caller: by }, other, given, seat)
      others.push(ran)
      return ran.conclude()
    },
  }
  try {
    const result = await run(unit, ...args)
    return done({ result: 'Success' }, caller, () => result)
  } catch (error) {
    if (!(error instanceof Refusal)) {
      // one that was begun and waits for something else must not be sent after the end of the transaction
      if (gathered.sent.length > 0 || others.length > 0) await turn()
      const sent = [...gathered.sent, ...others.flatMap((other) => other.sent)]
      const cause = await causeOf(error, sent)
      await Promise.allSettled(sent)
      throw cause
    }
    const { error: cause, message } = error
    const by = cause instanceof ApiError ? withStatus(caller, cause.status) : caller
    return done({ result: 'Error', error: message }, by, () => {
      remembered.add(cause)
      throw cause
    })
  }
}

const FORGETTABLE = 'BEGIN; SET LOCAL synchronous_commit = off'

/** In a transaction of its own. */
const runAlone = <R>({ store, isForgettable }: Work, run: (seat: Seat) => Promise<Done<R>>): Promise<Done<R>> =>
  inTransaction(store.database.pool, isForgettable ? FORGETTABLE : 'BEGIN', async ({ seatAt, commit, undo }) => {
    const done = await run(seatAt(0)).catch(async (error: unknown) => {
      await undo()
      throw error
    })
    await commit([done])
    return done
  })

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
      const run = (seat: Seat) => runUnit(work, op, args, seat)
      const done = (work.isShort ? await work.store.shared.join(run) : undefined) ?? (await runAlone(work, run))
      return done.conclude()
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw asApiError(error)
      if (isOutdatedPlan(error)) forgetPrepared()
      await delay(PAUSE_MS * (ATTEMPTS - left))
    }
  }
}
