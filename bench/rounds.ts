/**
 * Measured rounds: the programs take turns, so that other load of the machine affects all of them, and figures
 * are compared round by round.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { loadFor, type NextRequest, type Round } from './load.ts'
import { meterPostgres } from './postgres-cost.ts'
import { costOf } from './process-cost.ts'
import type { World } from './world.ts'

/** A program with the requests that it receives. */
export interface Subject {
  readonly pid: number
  readonly port: number
  readonly next: NextRequest
  /** How often it has waited for the database so far; zero for a program without one. */
  readonly roundTrips?: () => Promise<number>
  /** For actions of several requests: generates load for this many seconds. */
  readonly load?: (seconds: number) => Promise<Round>
  /** Seconds of load before the first round, where those of the plan are too few requests for the server's code to become fast. */
  readonly warmUp?: number
}

export interface Measured {
  readonly requests: number
  /** Microseconds of CPU per request, in each round. */
  readonly cpu: readonly number[]
  /** Microseconds of PostgreSQL's CPU per request, in each round; undefined where they cannot be read. */
  readonly postgres: readonly (number | undefined)[]
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Resident bytes after the last round. */
  readonly memory: number
  /** Database round trips per request, to a hundredth, without the batches of audit rows; a heartbeat counts less. */
  readonly roundTripsPerRequest: number
  /** Batches of audit rows written in the meantime, off the path of the requests. */
  readonly auditBatches: number
}

const CONNECTIONS = 16
/** Longer than the server keeps audit rows, so that a round pays for its own. */
const SETTLE_MS = 700

/**
 * A batch of audit rows is one transaction that wrote several about tokens of machines. Units that share a transaction
 * also write several, with other keys, on the path of their requests.
 */
const auditBatchesSince = async ({ database }: World, moment: Date): Promise<number> => {
  const { rows } = await database.query(
    `SELECT count(*)::integer AS batches
     FROM (SELECT FROM audit_log WHERE created_at >= $1 AND key = 'ExchangeTokenBy.ClientCredentials' GROUP BY xmin::text HAVING count(*) > 1) several`,
    [moment],
  )
  return rows[0].batches
}

const measureRound = async (world: World, { pid, port, next, roundTrips, load }: Subject, seconds: number) => {
  const startedAt = new Date()
  const roundTripsBefore = await roundTrips?.()
  const before = costOf(pid)
  const spentByPostgres = meterPostgres(world.installation.dataDir)
  const round = load ? await load(seconds) : await loadFor(port, seconds, next, CONNECTIONS)
  await delay(SETTLE_MS)
  const { cpu, memory } = costOf(pid)
  const postgres = spentByPostgres(round.requests)
  const made = roundTrips && roundTripsBefore !== undefined ? (await roundTrips()) - roundTripsBefore : 0
  const auditBatches = roundTrips ? await auditBatchesSince(world, startedAt) : 0
  return {
    ...round,
    cpu: (cpu - before.cpu) / round.requests,
    postgres,
    memory,
    made: made - auditBatches,
    auditBatches,
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const measuredOf = (rounds: readonly Awaited<ReturnType<typeof measureRound>>[]): Measured => {
  const latencies = Float64Array.from(rounds.flatMap((round) => [...round.latencies])).sort()
  const requests = sum(rounds.map((round) => round.requests))
  return {
    requests,
    cpu: rounds.map(({ cpu }) => cpu),
    postgres: rounds.map(({ postgres }) => postgres),
    requestsPerSecond: requests / sum(rounds.map(({ seconds }) => seconds)),
    p50: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    memory: rounds.at(-1)?.memory ?? 0,
    roundTripsPerRequest: Math.round((100 * sum(rounds.map(({ made }) => made))) / requests) / 100,
    auditBatches: sum(rounds.map(({ auditBatches }) => auditBatches)),
  }
}

export interface Plan {
  readonly rounds: number
  /** Of a round. */
  readonly seconds: number
  /** Seconds of load before the first round. */
  readonly warmUp: number
}

/** The server's code is optimized step by step: it becomes faster over tens of thousands of requests. */
const FROM_COLD: Plan = { rounds: 6, seconds: 2, warmUp: 10 }
const QUICK: Plan = { rounds: 2, seconds: 1, warmUp: 4 }

/** Measures the subjects in turns, after a warm-up of each. */
export const measure = async <K extends string>(
  world: World,
  subjects: Readonly<Record<K, Subject>>,
  plan: Plan = FROM_COLD,
): Promise<Readonly<Record<K, Measured>>> => {
  const { rounds, seconds, warmUp } = world.quick ? QUICK : plan
  const each = Object.entries<Subject>(subjects).map(([name, subject]) => ({
    name,
    subject,
    measured: [] as Awaited<ReturnType<typeof measureRound>>[],
  }))
  for (const { subject } of each) await measureRound(world, subject, world.quick ? warmUp : (subject.warmUp ?? warmUp))
  for (let round = 0; round < rounds; round += 1) {
    for (const { subject, measured } of each) measured.push(await measureRound(world, subject, seconds))
  }
  return Object.fromEntries(each.map(({ name, measured }) => [name, measuredOf(measured)])) as Record<K, Measured>
}
