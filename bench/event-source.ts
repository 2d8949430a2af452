/**
 * Events without their causes: rows of the outbox, committed and announced as the server does it, so that only
 * their delivery to a receiver is measured. And the receiver, which records the time of every delivery.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

export interface Arrival {
  readonly event: string
  /** From the commit of the event, in milliseconds. */
  readonly delay: number
}

export interface Receiver {
  readonly url: string
  /** By the last part of the path that received it. */
  readonly arrivals: Map<string, Arrival[]>
  count(): number
  close(): void
}

type Behaviour = 'answers' | 'fails' | 'never answers'

/** A receiver of many hooks: each has a path of its own. */
export const startReceiver = async (behaviour: Behaviour = 'answers'): Promise<Receiver> => {
  const arrivals = new Map<string, Arrival[]>()
  let count = 0
  const server = createServer(async (request, response) => {
    const at = performance.timeOrigin + performance.now()
    const text = Buffer.concat(await request.toArray()).toString()
    if (behaviour === 'never answers') return
    const { id, createdAt, committedAt = Date.parse(createdAt) } = JSON.parse(text)
    const path = (request.url ?? '').slice(1)
    const known = arrivals.get(path)
    const arrival = { event: id, delay: at - committedAt }
    if (known) known.push(arrival)
    else arrivals.set(path, [arrival])
    count += 1
    response.writeHead(behaviour === 'fails' ? 500 : 200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    count: () => count,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

let written = 0

/** Commits events of these types together. `committedAt` in the payload is the time, in milliseconds. */
export const commitEvents = async (database: pg.Client, types: readonly string[]): Promise<void> => {
  const committedAt = performance.timeOrigin + performance.now()
  await database.query(
    `WITH written AS (
       INSERT INTO outbox (tenant_id, id, type, payload, created_at)
       SELECT 'default', 'bench-' || ($2::bigint + n), type, jsonb_build_object('committedAt', $3::float8), now()
       FROM unnest($1::text[]) WITH ORDINALITY AS given (type, n)
     ) SELECT pg_notify('countersign_event', 'default')`,
    [types, written, committedAt],
  )
  written += types.length
}

/** Commits one event at a time, this many per second, for some seconds; the types alternate. */
export const commitSteadily = async (
  database: pg.Client,
  types: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<number> => {
  const startedAt = performance.now()
  const total = perSecond * seconds
  for (let n = 0; n < total; n += 1) {
    const wait = startedAt + (n * 1000) / perSecond - performance.now()
    if (wait > 0) await delay(wait)
    await commitEvents(database, [types[n % types.length] ?? ''])
  }
  return total
}

export const until = async (isSo: () => boolean, what: string, seconds = 120): Promise<void> => {
  const since = performance.now()
  while (!isSo()) {
    if (performance.now() - since > seconds * 1000) throw new Error(`${what} took longer than ${seconds} s`)
    await delay(1)
  }
}

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
