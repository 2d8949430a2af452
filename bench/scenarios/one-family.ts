/**
 * One client that refreshes one family 1,500 times concurrently: how long another user waits for userinfo meanwhile.
 * The refreshes queue; while they do, they must not occupy the connections of other requests.
 */
import { atMost, type Figure, type Section } from '../figures.ts'
import { loadFor, requestBytes, tokenRequest } from '../load.ts'
import type { Population } from '../population.ts'
import type { World } from '../world.ts'

const AT_ONCE = 1500
const ROUNDS = 3
/** Seconds until the last of them is answered, at most. */
const LONGEST = 60
/** Milliseconds. */
const MOST = 250

/** Latencies of userinfo, of one user after another, for as long as the work takes. */
const meanwhile = async ({ server }: World, population: Population, work: Promise<unknown>): Promise<number[]> => {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  let asked = 0
  const next = () => {
    asked += 1
    const token = population.opaqueToken((asked * 7919) % population.size)
    return isOver ? undefined : requestBytes('/oidc/me', `authorization: Bearer ${token}`)
  }
  const { latencies } = await loadFor(server.port, LONGEST, next, 2)
  await over
  return [...latencies]
}

const percentile = (values: readonly number[], share: number): number =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

/** Refreshed families are reset and must not be refreshed afterwards. */
export const oneFamily = async (world: World, population: Population): Promise<Section> => {
  // earlier measurements have used the tokens of most of them
  await world.database.query('UPDATE refresh_families SET generation = 0, rotated_at = NULL WHERE generation > 0')
  const waited: number[] = []
  const figures: Figure[] = []
  for (let round = 0; round < (world.quick ? 1 : ROUNDS); round += 1) {
    const refreshToken = population.refreshToken(round, 0)
    const request = tokenRequest(population.client, { grant_type: 'refresh_token', refresh_token: refreshToken })
    let left = AT_ONCE
    const next = () => {
      left -= 1
      return left < 0 ? undefined : request
    }
    const refreshes = loadFor(world.server.port, LONGEST, next, AT_ONCE)
    waited.push(...(await meanwhile(world, population, refreshes)))
    const { seconds, requests } = await refreshes
    if (requests !== AT_ONCE) throw new Error(`${requests} of ${AT_ONCE} refreshes were answered`)
    figures.push({ name: `all of them answered, round ${round + 1}`, value: `${seconds.toFixed(2)} s` })
  }
  waited.sort((a, b) => a - b)
  const p99 = percentile(waited, 0.99)
  const shown = `${percentile(waited, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${percentile(waited, 1).toFixed(1)} ms`
  return {
    title: `${AT_ONCE.toLocaleString('en')} concurrent refreshes of one family`,
    figures: [atMost('userinfo of other users meanwhile', p99, shown, MOST, ' ms'), ...figures],
  }
}
