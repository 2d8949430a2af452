/**
 * Webhooks: how long after its commit an event reaches its receiver, how many per second, what failing receivers cost
 * the others, and what a million waiting events cost.
 */
import type { Client } from '@countersign/contract/client.ts'
import { EVENT_TYPES, type EventType } from '@countersign/contract/events.ts'
import { connectClient } from '@countersign/server/storage/client.ts'
import type pg from 'pg'
import { commitEvents, commitSteadily, percentile, type Receiver, startReceiver, until } from '../event-source.ts'
import { atMost, type Figure, postgresCpu, type Section } from '../figures.ts'
import type { Installation, ServerNode } from '../installation.ts'
import { loadFor, tokenRequest } from '../load.ts'
import { managementOf } from '../management.ts'
import { meterPostgres } from '../postgres-cost.ts'

interface Stage {
  readonly api: Client
  readonly database: pg.Client
  readonly node: ServerNode
  readonly installation: Installation
  readonly quick: boolean
}

const TYPE = 'Role.Data.Updated' as const
const ms = (value: number): string => `${value.toFixed(1)} ms`
const named = (count: number): string => `${count} ${count === 1 ? 'hook' : 'hooks'}`

/** Creates hooks, each with its own path, and deletes them at the end. */
const withHooks = async <T>(
  { api }: Stage,
  hooks: readonly { readonly url: string; readonly events: readonly EventType[] }[],
  use: (ids: readonly string[]) => Promise<T>,
): Promise<T> => {
  const ids: string[] = []
  for (const { url, events } of hooks)
    ids.push((await api.createHook({ body: { events: [...events], config: { url } } })).id)
  try {
    return await use(ids)
  } finally {
    for (const id of ids) await api.deleteHook({ params: { id } })
  }
}

const delaysOf = ({ arrivals }: Receiver): number[] => [...arrivals.values()].flat().map(({ delay }) => delay)
const healthy = (receiver: Receiver, count: number, events: readonly EventType[] = [TYPE]) =>
  Array.from({ length: count }, (_, n) => ({ url: `${receiver.url}/${n}`, events }))

const steady = async (stage: Stage, hookCount: number): Promise<Figure[]> => {
  const receiver = await startReceiver()
  return withHooks(stage, healthy(receiver, hookCount), async () => {
    await commitSteadily(stage.database, [TYPE], 100, 1)
    await until(() => receiver.count() === 100 * hookCount, 'the first hundred')
    receiver.arrivals.clear()
    const spentByPostgres = meterPostgres(stage.installation.dataDir)
    const total = await commitSteadily(stage.database, [TYPE], 100, stage.quick ? 2 : 10)
    await until(() => receiver.count() === (100 + total) * hookCount, 'the rest')
    const postgres = postgresCpu([spentByPostgres(total * hookCount)], ' a delivery')
    receiver.close()
    const delays = delaysOf(receiver)
    const middle = percentile(delays, 0.5)
    return [
      { ...atMost(`${named(hookCount)}, 100 events/s: p50`, middle, ms(middle), 100, ' ms'), postgres },
      { name: `${named(hookCount)}, 100 events/s: p99`, value: ms(percentile(delays, 0.99)) },
    ]
  })
}

/** @param each how many of the hooks an event is for: all of them, or one in turn */
const flood = async (stage: Stage, hookCount: number, each: 'all' | 'one' = 'all'): Promise<Figure[]> => {
  const receiver = await startReceiver()
  const [commits, together] = [stage.quick ? 20 : 100, 50]
  const types = each === 'all' ? [TYPE] : EVENT_TYPES.slice(0, hookCount)
  const asking = healthy(receiver, hookCount).map((hook, n) => ({ ...hook, events: [types[n % types.length] ?? TYPE] }))
  const perEvent = each === 'all' ? hookCount : 1
  const batch = Array.from({ length: together }, (_, n) => types[n % types.length] ?? TYPE)
  return withHooks(stage, asking, async () => {
    const run = async () => {
      const before = receiver.count()
      const since = performance.now()
      for (let n = 0; n < commits; n += 1) await commitEvents(stage.database, batch)
      await until(() => receiver.count() === before + commits * together * perEvent, 'the flood')
      return (commits * together) / ((performance.now() - since) / 1000)
    }
    await run()
    const spentByPostgres = meterPostgres(stage.installation.dataDir)
    const perSecond = await run()
    const postgres = postgresCpu([spentByPostgres(commits * together * perEvent)], ' a delivery')
    receiver.close()
    return [
      {
        name: `${named(hookCount)}, each event for ${each === 'one' ? 'one' : hookCount}: events/s from commit to receipt`,
        value: `${perSecond.toFixed(0)}/s, ${(perSecond * perEvent).toFixed(0)} deliveries/s`,
        postgres,
        ...(perEvent === 1 ? { target: 'at least 1000/s', isReached: perSecond >= 1000 } : {}),
      },
    ]
  })
}

/**
 * 200 events per second, each of them for two or three of a hundred hooks; with and without two failing hooks that
 * subscribe to all.
 */
const isolation = async (stage: Stage): Promise<Figure[]> => {
  const [receiver, hole, failing] = [
    await startReceiver(),
    await startReceiver('never answers'),
    await startReceiver('fails'),
  ]
  const types = EVENT_TYPES
  const good = Array.from({ length: 100 }, (_, n) => ({
    url: `${receiver.url}/${n}`,
    events: [types[n % types.length] ?? TYPE],
  }))
  const bad = [hole, failing].map(({ url }) => ({ url, events: types }))
  const measure = async () => {
    receiver.arrivals.clear()
    const before = receiver.count()
    const total = await commitSteadily(stage.database, types, 200, stage.quick ? 3 : 15)
    const expected = Array.from({ length: total }, (_, n) =>
      good.filter((_, hook) => hook % types.length === n % types.length),
    )
    await until(() => receiver.count() === before + expected.flat().length, 'the healthy hooks')
    return percentile(delaysOf(receiver), 0.99)
  }
  try {
    return await withHooks(stage, good, async () => {
      await measure()
      const alone = await measure()
      const beside = await withHooks(stage, bad, measure)
      const ratio = beside / alone
      return [
        { name: '100 hooks, 200 events/s: p99', value: ms(alone) },
        { name: 'the same beside one that never answers and one that fails: p99', value: ms(beside) },
        atMost('as a ratio', ratio, ratio.toFixed(2), 2, ' times'),
      ]
    })
  } finally {
    for (const each of [receiver, hole, failing]) each.close()
  }
}

const FILL = `
  WITH filled AS (
    INSERT INTO events (tenant_id, sequence, id, type, payload, created_at)
    SELECT 'default', s.last_sequence + n, 'waiting-' || (s.last_sequence + n), '${TYPE}', '{}', now()
    FROM event_sequences s, generate_series(1, $2::int) AS n WHERE s.tenant_id = 'default'
    RETURNING sequence, id, created_at
  ), queued AS (
    INSERT INTO hook_deliveries (tenant_id, hook_id, id, sequence, event, created_at, due_at)
    SELECT 'default', $1, id, sequence, '${TYPE}', created_at, created_at FROM filled
  )
  UPDATE event_sequences SET last_sequence = last_sequence + $2 WHERE tenant_id = 'default'`

/** A backlog of one hook: how fast it is delivered, and what a token costs meanwhile. */
const backlog = async (stage: Stage, sizes: readonly number[]): Promise<Figure[]> => {
  const { api, database, node, installation } = stage
  const { clientId, clientSecret, resource } = await installation.credentials()
  const request = tokenRequest({ clientId, clientSecret }, { resource, scope: 'all' })
  const measured: { rate: number; p99: number; postgres: string | undefined }[] = []
  for (const size of sizes) {
    const receiver = await startReceiver()
    const id = (
      await api.createHook({ body: { events: [TYPE], config: { url: `${receiver.url}/0` }, enabled: false } })
    ).id
    await database.query(FILL, [id, size])
    // otherwise PostgreSQL's clean-up after them would be measured
    for (const table of ['hook_deliveries', 'events']) await database.query(`VACUUM (ANALYZE) ${table}`)
    await database.query('CHECKPOINT')
    await api.updateHook({ params: { id }, body: { enabled: true } })
    await until(() => receiver.count() > 0, 'the first delivery', 30)
    const [before, since] = [receiver.count(), performance.now()]
    const spentByPostgres = meterPostgres(installation.dataDir)
    await until(() => receiver.count() - before >= 2000, 'two thousand deliveries', 60)
    const rate = 2000 / ((performance.now() - since) / 1000)
    const postgres = postgresCpu([spentByPostgres(2000)], ' a delivery')
    const { latencies } = await loadFor(node.port, stage.quick ? 1 : 3, () => request, 4)
    measured.push({ rate, p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0, postgres })
    await api.deleteHook({ params: { id } })
    receiver.close()
    await database.query('DELETE FROM hook_deliveries WHERE hook_id = $1', [id])
  }
  const [few, many] = measured
  if (!few || !many) return []
  const [growth, wait] = [few.rate / many.rate, many.p99 / few.p99]
  const [small, large] = sizes.map((size) => size.toLocaleString('en'))
  return [
    {
      name: `${small} waiting: deliveries/s; p99 of a token meanwhile`,
      value: `${few.rate.toFixed(0)}/s; ${ms(few.p99)}`,
      postgres: few.postgres,
    },
    {
      name: `${large} waiting: deliveries/s; p99 of a token meanwhile`,
      value: `${many.rate.toFixed(0)}/s; ${ms(many.p99)}`,
      postgres: many.postgres,
    },
    atMost('a delivery among many, as a ratio', growth, growth.toFixed(2), 1.5, ' times'),
    atMost('p99 of a token, as a ratio', wait, wait.toFixed(2), 1.3, ' times'),
  ]
}

/** Starts a separate server. @param quick to check that it runs, not for figures to quote */
export const webhooks = async (
  installation: Installation,
  quick: boolean,
  print: (section: Section) => void,
): Promise<void> => {
  const node = await installation.startServer()
  const api = await managementOf(installation)
  const database = await connectClient(installation.databaseUrl)
  const stage = { api, database, node, installation, quick }
  try {
    print({
      title: 'Webhooks: from the commit of an event to its receiver',
      figures: [
        ...(await steady(stage, 1)),
        ...(await steady(stage, 10)),
        ...(await flood(stage, 1)),
        ...(await flood(stage, 10, 'one')),
        ...(await flood(stage, 10)),
      ],
    })
    print({ title: 'Webhooks: failing receivers', figures: await isolation(stage) })
    const sizes = quick ? [10_000, 50_000] : [20_000, 1_000_000]
    print({ title: 'Webhooks: what waits', figures: await backlog(stage, sizes) })
  } finally {
    await database.end()
  }
}
