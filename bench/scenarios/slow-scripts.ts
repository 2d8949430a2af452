/**
 * A thousand concurrent token requests whose script never ends: the effect on requests for tokens without
 * a script and for the keys, and the memory left in use afterwards.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { atMost, type Figure, median, type Section, spread } from '../figures.ts'
import { loadFor, requestBytes, tokenRequest } from '../load.ts'
import { costOf } from '../process-cost.ts'
import { ASKED, type World } from '../world.ts'

const params = { tokenTypePath: 'client-credentials' } as const
const AT_ONCE = 1000
const ROUNDS = 3
/** Longer than the server keeps an idle worker. */
const UNTIL_IDLE_MS = 33_000
/** Seconds of load before the first round. */
const WARM_UP = 4

/**
 * Requests tokens concurrently whose scripts never finish; resolves when those beyond the tenant's share are refused.
 */
const askAtOnce = async ({ installation, application }: World) => {
  const authorization = `Basic ${Buffer.from(`${application.clientId}:${application.clientSecret}`).toString('base64')}`
  const { promise: refused, resolve } = Promise.withResolvers<void>()
  const statuses: number[] = []
  let ran = 0
  const all = Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const response = await fetch(`${installation.baseUrl}/oidc/token`, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ grant_type: 'client_credentials', ...ASKED }),
      })
      await response.arrayBuffer()
      statuses.push(response.status)
      if (response.status === 400) ran += 1
      if (statuses.length >= AT_ONCE * 0.9) resolve()
    }),
  )
  await refused
  return { all, ran: () => ran, isOver: () => statuses.length === AT_ONCE }
}

/** Tokens for the Management API are issued without a script (docs/decisions/0021). */
const othersOf = async ({ installation }: World) => {
  const { clientId, clientSecret } = await installation.credentials()
  const management = { resource: `${installation.baseUrl}/api`, scope: 'all' }
  return {
    'a token without a script': tokenRequest({ clientId, clientSecret }, management),
    'the keys': requestBytes('/oidc/jwks', 'accept-encoding: identity'),
  }
}

/** Milliseconds of a response, including the slowest. */
const mean = async ({ server }: World, request: Buffer, seconds: number): Promise<number> => {
  const { latencies, requests } = await loadFor(server.port, seconds, () => request, 1)
  return latencies.reduce((sum, each) => sum + each, 0) / requests
}

/** Responses without and with the slow scripts, in turns. */
export const slowScripts = async (world: World): Promise<Section> => {
  const others = Object.entries(await othersOf(world))
  const rounds = world.quick ? 2 : ROUNDS
  for (const [, request] of others) await mean(world, request, WARM_UP)
  const before = costOf(world.server.pid).memory
  const measured = new Map(others.map(([name]) => [name, { quiet: [] as number[], meanwhile: [] as number[] }]))
  let ran = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, request] of others) measured.get(name)?.quiet.push(await mean(world, request, 1))
    await world.api.putJwtCustomizer({
      params,
      body: {
        script: 'const getCustomJwtClaims = () => { const all = new Uint8Array(20_000_000).fill(1); for (;;); }',
        cpuLimit: 100,
      },
    })
    const slow = await askAtOnce(world)
    for (const [name, request] of others) measured.get(name)?.meanwhile.push(await mean(world, request, 1))
    if (slow.isOver()) throw new Error('The slow scripts were over before the others were measured')
    await slow.all
    ran += slow.ran()
    await world.api.deleteJwtCustomizer({ params })
  }
  await delay(UNTIL_IDLE_MS)
  const after = costOf(world.server.pid).memory
  const growth = (after - before) / 1_000_000
  return {
    title: `${AT_ONCE.toLocaleString('en')} concurrent scripts that never end`,
    figures: [
      ...others.flatMap(([name]): Figure[] => {
        const { quiet, meanwhile } = measured.get(name) ?? { quiet: [], meanwhile: [] }
        const ratio = meanwhile.map((each, round) => each / (quiet[round] ?? Number.NaN))
        return [
          { name: `${name}, mean without them`, value: `${spread(quiet, 2)} ms` },
          atMost(`${name}, mean meanwhile`, median(ratio), `${spread(ratio, 2)} times`, 1.5, ' times'),
        ]
      }),
      { name: 'of them ran, the others were refused', value: `${Math.round(ran / rounds)} of ${AT_ONCE}` },
      atMost('resident memory more when they are over', growth, `${growth.toFixed(0)} MB`, 50, ' MB'),
    ],
  }
}
