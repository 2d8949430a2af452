/**
 * Changes that are caused without a pause, receivers that count what comes of them, and what must hold afterwards however
 * many processes died meanwhile: nothing is lost, nothing is invented, numbers have no gaps, and order is kept where it was
 * asked for.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestServer } from '@countersign/harness/server.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { operation, perform } from '@countersign/server/storage/unit-of-work.ts'
import { expect, vi } from 'vitest'
import { fresh } from '../management/arrange.ts'
import { createHook, type Got } from './arrange.ts'

/** What a receiver saw, in the order in which it saw it: events that came, and those that it has answered with success. */
interface Seen {
  readonly what: 'came' | 'answered'
  readonly id: string
  readonly sequence: number
  readonly raw: string
}

interface Counter {
  readonly hookId: string
  readonly isOrdered: boolean
  readonly seen: readonly Seen[]
  /** How many events it has got, each counted once. */
  readonly count: () => number
}

export interface Load {
  /** How many different events every receiver has got at least. */
  readonly arrived: () => number
  /** Resolves in the moment in which a receiver gets an event for the first time, before it answers. */
  next(): Promise<void>
  /** Causes nothing more. From now on every receiver answers with success. */
  stop(): Promise<void>
  /** Asserts everything once all is delivered; gives the figures in a sentence. */
  check(): Promise<string>
  close(): Promise<void>
}

/** So many events may be on their way: more would only be waited for at the end. */
const MOST_UNDERWAY = 150
const WRITERS = 3
/** Of first attempts: answered with 500, and cut without an answer. */
const [FAILING, CUT] = [0.02, 0.02]
const LONGEST_ANSWER_MS = 15
/** In the names of what is never committed. */
const NEVER = 'never'

/** Waits as long as it takes on a busy machine. */
export const inTheEnd = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 90_000, interval: 20 })

const receivers = async () => {
  const counters = new Map<string, { seen: Seen[]; ids: Set<string> }>()
  let isPatient = false
  let somethingNew = Promise.withResolvers<void>()
  const answer = (response: ServerResponse, seen: Seen[], came: Seen, isFirst: boolean) => {
    const chance = isFirst && !isPatient ? Math.random() : 1
    if (chance < CUT) return void response.destroy()
    if (chance < CUT + FAILING) return void response.writeHead(500).end()
    seen.push({ ...came, what: 'answered' })
    response.writeHead(204).end()
  }
  const server = createServer(async (request, response) => {
    // the connection of a process that was killed is no news
    const chunks = await request.toArray().catch(() => undefined)
    const counter = counters.get(request.url ?? '')
    if (!chunks || !counter) return void response.destroy()
    const raw = Buffer.concat(chunks).toString()
    const { id, sequence }: Got['body'] = JSON.parse(raw)
    const came: Seen = { what: 'came', id, sequence, raw }
    const isFirst = !counter.ids.has(id)
    counter.ids.add(id)
    counter.seen.push(came)
    if (isFirst) {
      somethingNew.resolve()
      somethingNew = Promise.withResolvers()
    }
    setTimeout(answer, Math.random() * LONGEST_ANSWER_MS, response, counter.seen, came, isFirst)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    add(path: string) {
      const counter = { seen: [] as Seen[], ids: new Set<string>() }
      counters.set(path, counter)
      return { url: `http://127.0.0.1:${port}${path}`, seen: counter.seen, count: () => counter.ids.size }
    },
    next: () => somethingNew.promise,
    answerAll() {
      isPatient = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const emitsAndThrows = operation(['Role.Created'], async (unit, name: string) => {
  const data = { id: name, name, description: '', type: 'User' as const, isDefault: false }
  unit.emit('Role.Created', { data })
  throw new Error('not this one')
})

/** Three changes that are not committed: refused by the database, by the operation, and rolled back when all was written. */
const rollBack = async ({ api, store, databaseUrl }: TestServer, existing: string) => {
  expect((await api('POST', '/roles', { name: existing, description: NEVER })).status).toBe(422)
  const work = { store, tenant: await getTenant(store, 'default'), caller: systemCaller('test') }
  await expect(perform(work, emitsAndThrows, fresh(NEVER))).rejects.toThrow('not this one')
  await withClient(databaseUrl, async (client) => {
    await client.query('BEGIN')
    await client.query(
      `INSERT INTO outbox (tenant_id, id, type, payload, created_at)
       VALUES ('default', $1, 'Role.Created', jsonb_build_object('data', jsonb_build_object('name', $1::text)), now())`,
      [fresh(NEVER)],
    )
    await client.query(`SELECT pg_notify('countersign_event', 'default')`)
    await client.query('ROLLBACK')
  })
}

/** Two ordered hooks and two that are not, and writers that never pause while receivers keep up. */
export const startLoad = async (server: TestServer): Promise<Load> => {
  const { add, next, answerAll, close } = await receivers()
  const counters: Counter[] = []
  for (const [n, isOrdered] of [true, false, true, false].entries()) {
    const { url, seen, count } = add(`/hook-${n}`)
    const { id } = await createHook(server, url, { ordered: isOrdered })
    counters.push({ hookId: id, isOrdered, seen, count })
  }
  const arrived = () => Math.min(...counters.map(({ count }) => count()))
  /** Names of roles whose creation was answered with success. */
  const answered: string[] = []
  let isStopped = false
  let rolledBack = 0

  const write = async () => {
    for (let n = 0; !isStopped; n += 1) {
      if (answered.length - arrived() > MOST_UNDERWAY) {
        await delay(5)
        continue
      }
      const name = fresh('role')
      try {
        const { status } = await server.api('POST', '/roles', { name })
        if (status === 200) answered.push(name)
        // whether the change was committed is open while there is no database
        else await delay(20)
        if (status !== 200 || n % 10 !== 0) continue
        await rollBack(server, name)
        rolledBack += 3
      } catch {
        await delay(20)
      }
    }
  }
  const writers = Array.from({ length: WRITERS }, write)

  const query = (text: string) =>
    withClient(server.databaseUrl, async (client) => (await client.query<Record<string, unknown>>(text)).rows)
  const committed = async () =>
    (await query(
      `SELECT id, sequence::int, payload->'data'->>'name' AS name FROM events WHERE type = 'Role.Created' ORDER BY sequence`,
    )) as { id: string; sequence: number; name: string }[]

  const checkNumbers = async () => {
    const [numbers] = await query(
      `SELECT count(*)::int AS count, min(sequence)::int AS first, max(sequence)::int AS last,
        (SELECT last_sequence::int FROM event_sequences WHERE tenant_id = 'default') AS next
       FROM events WHERE tenant_id = 'default'`,
    )
    expect(numbers).toEqual({ count: numbers?.count, first: 1, last: numbers?.count, next: numbers?.count })
  }

  const checkOrder = ({ seen }: Counter, sequences: readonly number[]) => {
    let waitsFor = 0
    const done = new Set<number>()
    for (const { what, sequence } of seen) {
      if (what === 'answered') done.add(sequence)
      while (done.has(sequences[waitsFor] ?? 0)) waitsFor += 1
      // whatever comes is the first that was not answered, or one that was, again
      if (what === 'came') expect(sequence).toBeLessThanOrEqual(sequences[waitsFor] ?? sequences.at(-1) ?? 0)
    }
  }

  return {
    arrived,
    next,
    async stop() {
      isStopped = true
      answerAll()
      await Promise.all(writers)
    },
    async check() {
      await inTheEnd(async () =>
        expect(
          await query(
            `SELECT state, count(*)::int FROM hook_deliveries WHERE state <> 'Delivered' GROUP BY 1
             UNION ALL SELECT 'unnumbered', count(*)::int FROM outbox HAVING count(*) > 0`,
          ),
        ).toEqual([]),
      )
      const events = await committed()
      const expected = events.map(({ id, sequence }) => `${sequence} ${id}`)
      expect(events.filter(({ name }) => name.includes(NEVER))).toEqual([])
      expect(answered.filter((name) => !events.some((event) => event.name === name))).toEqual([])
      await checkNumbers()
      let requests = 0
      for (const counter of counters) {
        const came = counter.seen.filter(({ what }) => what === 'came')
        requests += came.length
        // each with the number that it has in the feed, and every time with the same bytes
        const distinct = new Map(came.map(({ id, sequence, raw }) => [raw, `${sequence} ${id}`]))
        expect([...distinct.values()].toSorted((a, b) => parseInt(a, 10) - parseInt(b, 10))).toEqual(expected)
        if (counter.isOrdered)
          checkOrder(
            counter,
            events.map(({ sequence }) => sequence),
          )
      }
      const again = requests - counters.length * events.length
      return `${events.length} events to ${counters.length} hooks in ${requests} requests, ${again} of them again; ${rolledBack} changes rolled back`
    },
    async close() {
      isStopped = true
      await Promise.all(writers)
      await close()
    },
  }
}
