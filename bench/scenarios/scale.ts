/**
 * Growth of the Management API and of tokens from a small to a large installation. Both run at the same time and are
 * measured in turns, so that other load of the machine affects both.
 */
import { createCrowd, rolesInAll, type Size } from '../crowd.ts'
import { atMost, type Figure, median, postgresCpu, type Section } from '../figures.ts'
import { createInstallation, type Installation } from '../installation.ts'
import { loadFor, type NextRequest } from '../load.ts'
import { requestToken } from '../management.ts'
import { measurements, type Place } from '../measurements.ts'
import { meterPostgres } from '../postgres-cost.ts'
import { costOf } from '../process-cost.ts'
import { createWorld, type World } from '../world.ts'

const FEW: Size = { users: 10_000, organizations: 100, roles: 10, applications: 100 }
const MANY: Size = { users: 1_000_000, organizations: 10_000, roles: 900, applications: 10_000 }
const QUICK: Size = { users: 100_000, organizations: 1_000, roles: 100, applications: 1_000 }
const MOST = 1.5

/** Of every round. */
interface Rounds {
  /** Milliseconds, one for each request. */
  readonly latencies: Float64Array[]
  /** Microseconds of CPU, of the server and its database. */
  readonly cpu: number[]
  /** Of these, those of PostgreSQL. */
  readonly postgres: (number | undefined)[]
}

const none = (): Rounds => ({ latencies: [], cpu: [], postgres: [] })

const ROUNDS = 8
const SECONDS = 0.5

const openPlace = async (world: World, size: Size): Promise<Place> => {
  const crowd = await createCrowd(world, size)
  const { installation } = world
  const credentials = await installation.credentials()
  const { resource } = credentials
  const { access_token } = await requestToken(installation.baseUrl, credentials, { resource, scope: 'all' })
  return { world, crowd, bearer: `authorization: Bearer ${access_token}` }
}

/** One request at a time: what is measured is how long a caller waits, not a queue. */
const measureAt = async (place: Place, next: NextRequest, into: Rounds): Promise<void> => {
  const { installation, server } = place.world
  const before = costOf(server.pid).cpu
  const spentByPostgres = meterPostgres(installation.dataDir)
  const { latencies } = await loadFor(server.port, SECONDS, next, 1)
  const postgres = spentByPostgres(1)
  into.latencies.push(latencies)
  into.cpu.push(costOf(server.pid).cpu - before + (postgres ?? 0))
  into.postgres.push(postgres)
}

/** Of all requests of all rounds: a single round has too few for a p99. */
const p99Of = ({ latencies }: Rounds): number => {
  const all = Float64Array.from(latencies.flatMap((each) => [...each])).sort()
  return all[Math.floor(all.length * 0.99)] ?? 0
}
const p50sOf = ({ latencies }: Rounds): number[] => latencies.map((each) => median([...each]))
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
/** Of all rounds: the kernel counts in ticks that are long compared with a round. */
const cpuOfRequest = ({ latencies, cpu }: Rounds): number => sum(cpu) / sum(latencies.map(({ length }) => length))

const postgresOfRequest = ({ latencies, postgres }: Rounds): number | undefined =>
  postgres.includes(undefined)
    ? undefined
    : sum(postgres.map((each) => each ?? 0)) / sum(latencies.map(({ length }) => length))

const figuresOf = (name: string, few: Rounds, many: Rounds): Figure[] => {
  const [p50few, p50many] = [p50sOf(few), p50sOf(many)]
  const [p99few, p99many] = [p99Of(few), p99Of(many)]
  const p50 = median(p50many.map((value, round) => value / (p50few[round] ?? 0)))
  const cpu = cpuOfRequest(many) / cpuOfRequest(few)
  const shown = (p50s: readonly number[], p99: number) => `${median(p50s).toFixed(2)} / ${p99.toFixed(2)} ms`
  return [
    {
      name: `${name}: p50 / p99`,
      value: `${shown(p50few, p99few)}, then ${shown(p50many, p99many)}`,
      postgres: [few, many].flatMap((rounds) => postgresCpu([postgresOfRequest(rounds)]) ?? []).join(', then '),
    },
    // other load of the machine influences a p99 more than anything here: it is shown, without a target
    atMost(
      `${name}: growth`,
      Math.max(p50, cpu),
      `p50 ${p50.toFixed(2)}, CPU ${cpu.toFixed(2)}, p99 ${(p99many / p99few).toFixed(2)}`,
      MOST,
      ' times',
    ),
  ]
}

const measureBoth = async (places: readonly [Place, Place], quick: boolean): Promise<Figure[]> => {
  const subjectsAt = async (place: Place) =>
    Promise.all(
      Object.entries(measurements()).map(async ([name, measurement]) => {
        const rounds = none()
        return { name, place, next: await measurement(place), rounds }
      }),
    )
  const [few, many] = await Promise.all([subjectsAt(places[0]), subjectsAt(places[1])])
  const pairs = few.flatMap((small, index) => {
    const large = many[index]
    return large ? [[small, large] as const] : []
  })
  for (let round = -1; round < (quick ? 2 : ROUNDS); round += 1) {
    // the first one is a warm-up
    for (const pair of pairs) {
      for (const { place, next, rounds } of pair) await measureAt(place, next, round < 0 ? none() : rounds)
    }
  }
  return pairs.flatMap(([small, large]) => figuresOf(small.name, small.rounds, large.rounds))
}

const inWords = ({ users, organizations, roles }: Size): string =>
  [
    `${users.toLocaleString('en')} users`,
    `${organizations.toLocaleString('en')} organizations`,
    `${rolesInAll(roles).toLocaleString('en')} roles`,
  ].join(', ')

/**
 * Starts two separate servers, one on an installation that it removes. @param quick to check that it runs, not for
 * figures to quote
 */
export const scale = async (installation: Installation, quick: boolean): Promise<Section> => {
  const large = quick ? QUICK : MANY
  const other = await createInstallation()
  const worlds: World[] = []
  try {
    const places: Place[] = []
    for (const [where, size] of [
      [other, FEW],
      [installation, large],
    ] as const) {
      const world = await createWorld(where, quick)
      worlds.push(world)
      places.push(await openPlace(world, size))
    }
    const [few, many] = places
    if (!few || !many) throw new Error('The places are two')
    return {
      title: `Growth from ${inWords(FEW)} to ${inWords(large)}`,
      figures: await measureBoth([few, many], quick),
    }
  } finally {
    for (const world of worlds) {
      await world.close()
      await world.server.stop()
    }
    await other.remove()
  }
}
