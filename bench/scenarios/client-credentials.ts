/** client_credentials against the bare handler, with one application: the cost of everything around a signature. */
import { atMost, type Figure, median, postgresCpu, type Section, spread } from '../figures.ts'
import { tokenRequest } from '../load.ts'
import { type Measured, measure, type Subject } from '../rounds.ts'
import { ASKED, type World } from '../world.ts'

/** The server, with token requests of the one application. */
export const oneApplication = ({ server, application }: World): Subject => {
  const request = tokenRequest(application, ASKED)
  return { ...server, next: () => request }
}

export const bareHandler = ({ bare, application }: World): Subject => {
  const request = tokenRequest(application, ASKED)
  return { ...bare, next: () => request }
}

/** CPU of one program relative to another, round by round. */
export const ratios = (measured: Measured, base: Measured): number[] =>
  measured.cpu.map((cpu, round) => cpu / (base.cpu[round] ?? Number.NaN))

export const speed = (name: string, { cpu, postgres, requestsPerSecond, p50, p99 }: Measured): Figure[] => [
  { name: `${name}: CPU per request`, value: `${spread(cpu, 1)} µs`, postgres: postgresCpu(postgres) },
  {
    name: `${name}: requests/s, p50, p99`,
    value: `${requestsPerSecond.toFixed(0)}/s, ${p50.toFixed(2)} ms, ${p99.toFixed(2)} ms`,
  },
]

/**
 * What a request may cost PostgreSQL. @param most microseconds; there is no target without it, nor where it cannot be
 * read
 */
export const postgresBudget = (name: string, { postgres }: Measured, most: number | undefined): Figure[] => {
  const shown = postgresCpu(postgres)
  if (most === undefined || shown === undefined) return []
  const middle = median(postgres.filter((each) => each !== undefined))
  return [{ ...atMost(`${name}: PostgreSQL`, middle, '', most, ' µs'), postgres: shown }]
}

/** What a request costs PostgreSQL relative to another; undefined where that cannot be read. */
export const postgresGrowth = (few: Measured, many: Measured): string | undefined => {
  const known = ({ postgres }: Measured) => postgres.filter((each) => each !== undefined)
  const ratio = median(known(many)) / median(known(few))
  return Number.isFinite(ratio) ? `${ratio.toFixed(2)} times` : undefined
}

export const megabytes = ({ memory }: Measured): number => Math.round(memory / 1_000_000)

export const roundTrips = ({ roundTripsPerRequest }: Measured): string => roundTripsPerRequest.toFixed(2)

/** The server and the bare handler, in turns. */
export const measureOneApplication = (world: World) =>
  measure(world, { bare: bareHandler(world), server: oneApplication(world) })

export type OneApplication = Awaited<ReturnType<typeof measureOneApplication>>

export const clientCredentials = ({ bare, server }: OneApplication): Section => {
  const ratio = ratios(server, bare)
  const { roundTripsPerRequest, auditBatches, requests } = server
  return {
    title: 'client_credentials, one application',
    figures: [
      ...speed('bare node:http handler', bare),
      ...speed('Countersign', server),
      atMost('CPU, as a ratio', median(ratio), spread(ratio, 2), 1.6, ' times'),
      atMost('resident memory', megabytes(server), `${megabytes(server)} MB`, 150, ' MB'),
      atMost('database round trips per request', roundTripsPerRequest, roundTrips(server), 0, ''),
      { name: 'audit rows, written off the path', value: `${requests} in ${auditBatches} statements` },
    ],
  }
}
