/**
 * Reads by key, each in its own transaction, on a few connections that many requests share: a statement does not wait
 * for the result of the previous one. That costs PostgreSQL and this process far less than a connection for each, and a
 * request that only reads does not wait for the pool, whatever holds its connections (docs/decisions/0024).
 *
 * Only for statements that find one row by an index and wait for no row lock: results arrive in order.
 */
import type pg from 'pg'
import { endsConnection } from './database-errors.ts'

export interface Lookups {
  /** Sends a prepared statement at once. Rejects when it fails or the connection is lost. */
  query(statement: pg.QueryConfig & { readonly name: string }): Promise<pg.QueryResult>
  close(): Promise<void>
}

/**
 * How many on one connection before another is opened or used: one busy process serves more than two that have to wake
 * up.
 */
const AT_ONCE = 16

interface Slot {
  client?: Promise<pg.Client> | undefined
  waiting: number
}

/**
 * @param connect opens a pipelined connection
 * @param most connections
 */
export const createLookups = (connect: () => Promise<pg.Client>, most: number): Lookups => {
  const slots: Slot[] = Array.from({ length: most }, () => ({ waiting: 0 }))

  const forgetIn = (slot: Slot, client: Promise<pg.Client>) => {
    if (slot.client === client) slot.client = undefined
  }
  const opened = (slot: Slot): Promise<pg.Client> => {
    if (slot.client) return slot.client
    const forget = () => forgetIn(slot, client)
    const client = connect()
    slot.client = client
    client.then((open) => {
      open.once('error', forget)
      open.once('end', forget)
    }, forget)
    return client
  }

  return {
    async query(statement) {
      const least = () => slots.reduce((best, slot) => (slot.waiting < best.waiting ? slot : best))
      const slot = slots.find(({ waiting }) => waiting < AT_ONCE) ?? least()
      slot.waiting += 1
      const client = opened(slot)
      try {
        return await (await client).query(statement)
      } catch (error) {
        // the next statement must not be sent after this one before the driver has noticed that the connection is gone
        if (endsConnection(error)) {
          forgetIn(slot, client)
          client.then((lost) => lost.end()).catch(() => undefined)
        }
        throw error
      } finally {
        slot.waiting -= 1
      }
    },
    async close() {
      await Promise.all(slots.map(async ({ client }) => (await client?.catch(() => undefined))?.end()))
    },
  }
}
