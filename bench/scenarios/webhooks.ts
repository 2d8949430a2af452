/** Webhooks: how long after its change an event is at its receiver, and how many can be delivered in a second. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atMost, type Figure, type Section } from '../figures.ts'
import type { Installation } from '../installation.ts'
import { type Management, managementOf } from '../management.ts'

interface Arrival {
  readonly event: string
  /** From the beginning of the transaction that caused it, in milliseconds. */
  readonly delay: number
}

const startReceiver = async () => {
  const arrivals: Arrival[] = []
  const server = createServer(async (request, response) => {
    const at = performance.timeOrigin + performance.now()
    const { id, createdAt } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    arrivals.push({ event: id, delay: at - Date.parse(createdAt) })
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { arrivals, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

const until = async (isSo: () => boolean, what: string): Promise<void> => {
  const since = performance.now()
  while (!isSo()) {
    if (performance.now() - since > 120_000) throw new Error(`${what} took too long`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

const measure = async (api: Management, quick: boolean, hookCount: number): Promise<Figure[]> => {
  const { arrivals, server, url } = await startReceiver()
  const events = ['Role.Data.Updated']
  const hooks: { id: string }[] = []
  for (let n = 0; n < hookCount; n += 1) hooks.push(await api('POST', '/hooks', { events, config: { url } }))
  try {
    const role = await api('POST', '/roles', { name: `Changing ${hookCount}` })
    const changes = quick ? 30 : 300
    for (let n = 1; n <= changes; n += 1) {
      await api('PATCH', `/roles/${role.id}`, { description: String(n) })
      // one at a time: what is measured is the way of one event
      await until(() => arrivals.length === n * hookCount, 'a delivery')
    }
    const delays = arrivals.map(({ delay }) => delay)
    const before = arrivals.length
    const since = performance.now()
    for (const { id } of hooks) await api('POST', `/hooks/${id}/replay`, { since: 0 })
    await until(() => arrivals.length >= before * 2, 'a replay')
    const perSecond = before / ((performance.now() - since) / 1000)
    const named = `${hookCount} ${hookCount === 1 ? 'hook' : 'hooks'}`
    return [
      atMost(`${named}, middle`, percentile(delays, 0.5), `${percentile(delays, 0.5).toFixed(1)} ms`, 100, ' ms'),
      { name: `${named}, 99 of 100`, value: `${percentile(delays, 0.99).toFixed(1)} ms` },
      { name: `${named}, deliveries a second of a backlog`, value: perSecond.toFixed(0) },
    ]
  } finally {
    for (const { id } of hooks) await api('DELETE', `/hooks/${id}`)
    server.closeAllConnections()
    server.close()
  }
}

/** Starts a server of its own. @param quick to see that it runs, not to quote */
export const webhooks = async (installation: Installation, quick: boolean): Promise<Section> => {
  await installation.startServer()
  const api = await managementOf(installation.baseUrl, await installation.credentials())
  return {
    title: 'Webhooks: from the beginning of the transaction that causes an event to its receiver',
    figures: [...(await measure(api, quick, 1)), ...(await measure(api, quick, 10))],
  }
}
