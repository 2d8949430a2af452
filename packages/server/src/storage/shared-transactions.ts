/**
 * Short units of work that arrive at the same moment share a transaction: one connection wakes up, one commit is flushed to
 * disk, and their audit entries are one statement. Alone, that is more than half of what a refresh or an exchange costs
 * PostgreSQL (docs/decisions/0024). No unit is answered before the commit.
 *
 * A unit that is refused without having changed anything does not affect the others. If it has changed something, or if a
 * statement fails, the whole transaction is rolled back, and the other units run again, each in a transaction of its own.
 */
import type pg from 'pg'
import type { Seat } from './bound-driver.ts'
import { endsConnection, isPostgresError } from './database-errors.ts'
import { inTransaction, type Ran, type Transaction } from './transaction.ts'

export interface SharedTransactions {
  /**
   * Runs a unit together with others as soon as there is room. Resolves when it has committed, or with undefined if it has to
   * run again alone. Throws what the unit throws, and when it is unknown whether it committed.
   * @param run must not wait for anything that takes long, such as another unit or a script
   */
  join<T extends Ran>(run: (seat: Seat) => Promise<T>): Promise<T | undefined>
}

/** Transactions at once: while one waits for its commit, another works. */
const AT_ONCE = 2
/** Units in one transaction. */
const MOST_UNITS = 16
/** A transaction that takes longer does not keep another from beginning. */
const LATE_MS = 100
/** No unit waits longer for a lock, which a deletion may hold for seconds; alone, it does. */
const BEGIN = `BEGIN; SET LOCAL lock_timeout = ${LATE_MS}`

type Outcome =
  /** @property tell resolves the caller's promise with the result */
  | { readonly ran: Ran; readonly tell: () => void }
  /** @property isHarmless whether the others can commit nevertheless */
  | { readonly error: unknown; readonly isHarmless: boolean }

interface Passenger {
  readonly run: (seat: Seat) => Promise<Outcome>
  readonly fail: (error: unknown) => void
  /** Makes the caller run it again alone. */
  readonly again: () => void
}

const passenger = <T extends Ran>(
  run: (seat: Seat) => Promise<T>,
  resolve: (done: T | undefined) => void,
  fail: (error: unknown) => void,
): Passenger => ({
  async run(seat) {
    try {
      const ran = await run(seat)
      return { ran, tell: () => resolve(ran) }
    } catch (error) {
      return { error, isHarmless: !seat.hasWritten && !isPostgresError(error) }
    }
  },
  fail,
  again: () => resolve(undefined),
})

/** Ends the transaction. Resolves with whether it committed; if not, it was rolled back. Throws when that is unknown. */
const end = async ({ commit, undo }: Transaction, outcomes: readonly Outcome[]): Promise<boolean> => {
  if (!outcomes.every((outcome) => 'ran' in outcome || outcome.isHarmless)) {
    await undo()
    return false
  }
  try {
    await commit(outcomes.flatMap((outcome) => ('ran' in outcome ? outcome.ran : [])))
    return true
  } catch (error) {
    if (endsConnection(error)) throw error
    return false
  }
}

/** PostgreSQL has refused a statement, which may belong to any of the units: alone, each gets its own error. */
const isOfStatement = (error: unknown): boolean => isPostgresError(error) && !endsConnection(error)

const runTogether = async (transaction: Transaction, units: readonly Passenger[]): Promise<void> => {
  const outcomes = await Promise.all(units.map((unit, index) => unit.run(transaction.seatAt(index))))
  const ended = await end(transaction, outcomes).catch((error: unknown) => ({ error }))
  for (const [index, unit] of units.entries()) {
    const outcome = outcomes[index]
    if (outcome && 'error' in outcome && !isOfStatement(outcome.error)) unit.fail(outcome.error)
    else if (typeof ended === 'object') unit.fail(ended.error)
    else if (ended && outcome && 'tell' in outcome) outcome.tell()
    else unit.again()
  }
  if (typeof ended === 'object') throw ended.error
}

export const createSharedTransactions = (pool: pg.Pool): SharedTransactions => {
  const waiting: Passenger[] = []
  let running = 0
  let isStarting = false

  const start = async (): Promise<void> => {
    const units = waiting.splice(0, MOST_UNITS)
    running += 1
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      running -= 1
      arrange()
    }
    const timer = setTimeout(leave, LATE_MS)
    try {
      await inTransaction(pool, BEGIN, (transaction) => runTogether(transaction, units))
    } catch (error) {
      // has no effect on units that have been answered
      for (const unit of units) unit.fail(error)
    } finally {
      clearTimeout(timer)
      leave()
    }
  }
  /** Units that arrive in the same turn of the event loop run together. */
  const arrange = () => {
    if (isStarting || waiting.length === 0 || running >= AT_ONCE) return
    isStarting = true
    setImmediate(() => {
      isStarting = false
      void start()
      arrange()
    })
  }

  return {
    join: (run) =>
      new Promise((resolve, reject) => {
        waiting.push(passenger(run, resolve, reject))
        arrange()
      }),
  }
}
