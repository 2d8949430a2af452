/** Transactions on connections of the pool: how they begin, and how they end with what their units leave. */
import { setImmediate as turn } from 'node:timers/promises'
import type pg from 'pg'
import { type BoundConnection, boundTo } from './bound-driver.ts'
import { flushQueries, type Left } from './gathered.ts'
import type { Lane } from './lane.ts'

/** A unit that ran in a transaction and is to be committed. */
export interface Ran {
  /** Statements that were sent and not waited for. */
  readonly sent: readonly Promise<unknown>[]
  /** Empty: nothing, not even an audit entry. */
  readonly left: readonly Left[]
  /** Called at the end; with undefined when it is unknown whether the transaction committed. */
  readonly ended: (isCommitted: boolean | undefined) => void
}

export interface Transaction extends Pick<BoundConnection, 'seatAt'> {
  /** Writes what the units leave, and commits. Throws when it did not commit, or when that is unknown. */
  commit(all: readonly Ran[]): Promise<void>
  /** Rolls back, after statements that are about to be sent. */
  undo(): Promise<void>
}

/** A connection in an unknown state, which must not go back to the pool. */
const breaks = (error: unknown): error is Error =>
  error instanceof Error && /connection|terminat|ECONN|timeout/i.test(error.message)

const commitOn = async (lane: Lane, begun: Promise<unknown>, all: readonly Ran[]): Promise<void> => {
  // all are sent at once; a statement that fails turns the commit into a rollback
  const flushed = flushQueries(all.flatMap(({ left }) => left)).map((query) => lane.query(query))
  const committed = lane.query('COMMIT')
  const sent = all.flatMap((each) => each.sent)
  const [end, ...others] = await Promise.allSettled([committed, begun, ...sent, ...flushed])
  const isCommitted = end.status === 'rejected' ? undefined : end.value.command === 'COMMIT'
  const failed = [...others, end].find((outcome) => outcome.status === 'rejected')
  for (const { ended } of all) ended(failed && isCommitted ? false : isCommitted)
  if (failed) throw failed.reason
  if (!isCommitted) throw new Error('The transaction was rolled back instead of committed')
}

/**
 * Does the work in a transaction, which the work ends.
 * @param begin the statement that begins it
 */
export const inTransaction = async <T>(
  pool: pg.Pool,
  begin: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect()
  let broken: Error | undefined
  // its result is not awaited before the end
  const { lane, seatAt } = boundTo(client)
  const begun = lane.query(begin)
  begun.catch(() => undefined)
  try {
    return await work({
      seatAt,
      commit: (all) => commitOn(lane, begun, all),
      async undo() {
        await turn()
        await lane.query('ROLLBACK')
      },
    })
  } catch (error) {
    if (breaks(error)) broken = error
    throw error
  } finally {
    client.release(broken)
  }
}
