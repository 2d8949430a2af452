/**
 * What leaves on one connection within a transaction, in order. Statements wait for the end of the current turn of the
 * event loop, so that the same statement of several units becomes one (statement.ts): putting a statement in place and
 * sending it costs PostgreSQL and this process more than one more row (docs/decisions/0024).
 */
import type pg from 'pg'
import { preparedNameOfOften } from './prepared.ts'
import { type Shape, type ShapedValues, valuesAsJson } from './statement.ts'

/** Where one unit stands: nothing that it sends overtakes what it sent before. */
export interface Place {
  /** The position of what it sent last. */
  last: number
}

/** What came back for one unit; `isWritten` if its values changed a row. */
export interface Share {
  readonly rows: unknown[]
  readonly isWritten: boolean
}

export interface Lane {
  /** Sends a statement. Rejects when it fails. */
  query(statement: string | pg.QueryConfig, place?: Place): Promise<pg.QueryResult>
  /** Sends a statement of this shape, together with the same of others. If it fails, it fails for all of them. */
  together(shape: Shape, values: ShapedValues, place: Place): Promise<Share>
}

interface Batch {
  readonly position: number
  /** The values of each, as JSON. */
  readonly given: string[]
  readonly result: Promise<readonly Share[]>
}

/** What came back, by the unit for which it came. A statement that returns nothing has changed a row for each. */
const sharesOf = ({ command, fields, rows }: pg.QueryResult, count: number): Share[] => {
  if (fields.length === 0) return Array.from({ length: count }, () => ({ rows: [], isWritten: command !== 'SELECT' }))
  const each: unknown[][] = Array.from({ length: count }, () => [])
  for (const row of rows as { readonly n: number }[]) each[row.n]?.push(row)
  return each.map((own) => ({ rows: own, isWritten: command !== 'SELECT' && own.length > 0 }))
}

export const createLane = (client: pg.PoolClient): Lane => {
  let waiting: (() => void)[] = []
  let batches = new Map<Shape, Batch>()
  let positions = 0

  const leave = () => {
    const leaving = waiting
    waiting = []
    batches = new Map()
    for (const send of leaving) send()
  }
  /** Units that go on because of one result do so in microtasks, which end before the next tick begins. */
  const enqueue = <T>(send: () => Promise<T>): Promise<T> => {
    if (waiting.length === 0) queueMicrotask(() => process.nextTick(leave))
    positions += 1
    return new Promise((resolve) => void waiting.push(() => resolve(send())))
  }

  const newBatch = (shape: Shape): Batch => {
    const given: string[] = []
    const send = async (): Promise<readonly Share[]> => {
      const name = preparedNameOfOften(shape.text)
      const result = await client.query({ ...(name && { name }), text: shape.text, values: [`[${given.join()}]`] })
      return sharesOf(result, given.length)
    }
    const result = enqueue(send)
    const batch = { position: positions, given, result }
    batches.set(shape, batch)
    return batch
  }

  return {
    query(statement, place) {
      const sent = enqueue(async () => client.query(statement))
      if (place) place.last = positions
      return sent
    },
    async together(shape, values, place) {
      const open = batches.get(shape)
      const batch = open && open.position > place.last ? open : newBatch(shape)
      place.last = batch.position
      const number = batch.given.length
      batch.given.push(valuesAsJson(shape, number, values))
      return (await batch.result)[number] ?? { rows: [], isWritten: false }
    },
  }
}
