/**
 * What a user's sign-in and tokens cost, with ten thousand and with a million users and tokens in the database: code
 * redemption, refresh, userinfo, introspection, and a whole sign-in with a password over HTTP.
 */
import { hashPassword, verifyPassword } from '@countersign/server/domain/credentials/passwords.ts'
import { atMost, type Figure, median, type Section, spread } from '../figures.ts'
import { basic, loadFor, repeatFor, requestBytes, tokenRequest } from '../load.ts'
import { PASSWORD, type Population, REDIRECT_URI } from '../population.ts'
import { type Measured, measure, type Plan, type Subject } from '../rounds.ts'
import { beginSignIn, signInOverHttp } from '../sign-in.ts'
import type { World } from '../world.ts'
import { postgresBudget, postgresGrowth, roundTrips, speed } from './client-credentials.ts'
import { oneFamily } from './one-family.ts'

export const FEW = 10_000
export const MANY = 1_000_000
export const PLAN: Plan = { rounds: 4, seconds: 2, warmUp: 4 }
/** Seconds in which some four thousand sign-ins are made: after that one costs no less. */
const SIGN_IN_WARM_UP = 45
/** Concurrent sign-ins: more than the server hashes concurrently would measure the queue. */
const AT_ONCE = 2

/** Name of a measurement → the most round trips that it may take; a sign-in is four requests. */
const BUDGETS = {
  'code redemption': 3,
  refresh: 2,
  userinfo: 2,
  introspection: 2,
  'password sign-in': 10,
} as const
export type Name = keyof typeof BUDGETS
/** Microseconds of PostgreSQL's CPU that it may take (docs/decisions/0024). */
const POSTGRES: Readonly<Partial<Record<Name, number>>> = { refresh: 500, userinfo: 120, 'password sign-in': 3000 }
export const NAMES = Object.keys(BUDGETS) as Name[]

/** Counters continue from one size to the next, so that no code is used twice. */
interface Used {
  codes: number
  refreshes: number
}

export const subjects = (world: World, population: Population, used: Used): Record<Name, Subject> => {
  const { server } = world
  const { client, size } = population
  const random = () => Math.floor(Math.random() * size)
  const generations = new Map<number, number>()
  const firstRefresh = used.refreshes
  return {
    'code redemption': {
      ...server,
      next: () => {
        const code = population.code(used.codes++)
        return tokenRequest(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI })
      },
    },
    refresh: {
      ...server,
      next: () => {
        // users in turn, over the whole table
        const index = ((used.refreshes++ - firstRefresh) * 7919) % size
        const generation = generations.get(index) ?? 0
        generations.set(index, generation + 1)
        const refreshToken = population.refreshToken(index, generation)
        return tokenRequest(client, { grant_type: 'refresh_token', refresh_token: refreshToken })
      },
    },
    userinfo: {
      ...server,
      next: () => requestBytes('/oidc/me', `authorization: Bearer ${population.opaqueToken(random())}`),
    },
    introspection: {
      ...server,
      next: () => requestBytes('/oidc/token/introspection', basic(client), { token: population.opaqueToken(random()) }),
    },
    'password sign-in': {
      ...server,
      next: () => Buffer.alloc(0),
      warmUp: SIGN_IN_WARM_UP,
      load: (seconds) =>
        repeatFor(
          seconds,
          () => signInOverHttp(server.port, client, population.username(random()), PASSWORD, REDIRECT_URI),
          AT_ONCE,
        ),
    },
  }
}

type Results = Readonly<Record<Name, Measured>>

const sectionOf = (size: number, results: Results): Section => ({
  title: `Users and their tokens, ${size.toLocaleString('en')} of each`,
  figures: NAMES.flatMap((name): Figure[] => {
    const budget = BUDGETS[name]
    const { roundTripsPerRequest } = results[name]
    const trips = `${name}: database round trips`
    return [
      ...speed(name, results[name]),
      ...postgresBudget(name, results[name], POSTGRES[name]),
      // a round trip is counted in whole numbers; a heartbeat may fall into a measurement
      atMost(trips, Math.round(roundTripsPerRequest), roundTrips(results[name]), budget, ''),
    ]
  }),
})

/** The share of the hash in a sign-in: the same verification alone, on one thread. */
const hashing = async (signIn: Measured): Promise<Figure> => {
  const stored = await hashPassword(PASSWORD)
  const took: number[] = []
  for (let count = 0; count < 20; count += 1) {
    const before = process.cpuUsage()
    await verifyPassword(stored, PASSWORD)
    const { user, system } = process.cpuUsage(before)
    took.push(user + system)
  }
  const share = median(took) / median(signIn.cpu)
  return {
    name: 'password sign-in: the hash alone',
    value: `${spread(took, 0)} µs of CPU, ${(share * 100).toFixed(0)} % of the sign-in`,
  }
}

/** The sign-in page as a user experiences it: one request at a time. */
const firstByte = async ({ server }: World, { client }: Population): Promise<Figure> => {
  const { page, browse, cookie } = await beginSignIn(server.port, client.clientId, REDIRECT_URI)
  const { text } = await browse(page)
  const request = requestBytes(page, `cookie: ${cookie()}`)
  const { latencies } = await loadFor(server.port, 2, () => request, 1)
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? 0
  const shown = `${median([...latencies]).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${(text.length / 1000).toFixed(1)} kB`
  return atMost('sign-in page, warm', p99, shown, 20, ' ms')
}

const growth = (few: Results, many: Results): Section => ({
  title: `Growth from ${FEW.toLocaleString('en')} to ${MANY.toLocaleString('en')} users and tokens`,
  figures: NAMES.flatMap((name): Figure[] => {
    const ratio = (of: (measured: Measured) => number) => of(many[name]) / of(few[name])
    const cpu = ratio((measured) => median(measured.cpu))
    const p50 = ratio(({ p50: value }) => value)
    return [
      {
        ...atMost(`${name}: CPU`, cpu, cpu.toFixed(2), 1.5, ' times'),
        postgres: postgresGrowth(few[name], many[name]),
      },
      atMost(`${name}: p50`, p50, p50.toFixed(2), 1.5, ' times'),
      { name: `${name}: p99`, value: `${ratio(({ p99 }) => p99).toFixed(2)} times` },
    ]
  }),
})

/** @param print called with each section as soon as it is measured */
export const users = async (world: World, population: Population, print: (section: Section) => void): Promise<void> => {
  const used: Used = { codes: 0, refreshes: 0 }
  await population.growTo(FEW)
  const few = await measure(world, subjects(world, population, used), PLAN)
  const section = sectionOf(FEW, few)
  const more = [await hashing(few['password sign-in']), await firstByte(world, population)]
  print({ ...section, figures: [...section.figures, ...more] })
  print(await oneFamily(world, population))
  if (world.quick) return
  // the counters of the families restart with users who have not refreshed
  await world.database.query('UPDATE refresh_families SET generation = 0, rotated_at = NULL WHERE generation > 0')
  await population.growTo(MANY)
  used.codes = 100_000
  const many = await measure(world, subjects(world, population, used), PLAN)
  print(sectionOf(MANY, many))
  print(growth(few, many))
}
