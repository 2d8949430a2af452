/** client_credentials with a script of custom claims, against the same without: what a run of the sandbox costs. */
import { atMost, median, type Section, spread } from '../figures.ts'
import { measure } from '../rounds.ts'
import type { World } from '../world.ts'
import {
  bareHandler,
  megabytes,
  type OneApplication,
  oneApplication,
  ratios,
  roundTrips,
  speed,
} from './client-credentials.ts'

const params = { tokenTypePath: 'client-credentials' } as const
/** Microseconds. */
const MOST_ADDED = 1000

const SCRIPT = `
const getCustomJwtClaims = async ({ token, context, environmentVariables }) => ({
  team: context.application.customData.team ?? 'none',
  region: environmentVariables.REGION,
  may: (token.scope ?? '').split(' ').some((scope) => scope.startsWith('write:')) ? 'write' : 'read',
})`

/** @param before the measurement without a script */
export const customClaims = async (world: World, before: OneApplication): Promise<Section> => {
  await world.api.putJwtCustomizer({ params, body: { script: SCRIPT, environmentVariables: { REGION: 'eu' } } })
  const { bare, scripted } = await measure(
    world,
    { bare: bareHandler(world), scripted: oneApplication(world) },
    { rounds: 4, seconds: 2, warmUp: 8 },
  )
  await world.api.deleteJwtCustomizer({ params })
  const base = median(ratios(before.server, before.bare))
  // other load of the machine also shows in the bare handler
  const added = scripted.cpu.map((cpu, round) => cpu - base * (bare.cpu[round] ?? Number.NaN))
  return {
    title: 'client_credentials with a script of custom claims',
    figures: [
      ...speed('with a script', scripted),
      atMost('CPU that it adds to a request', median(added), `${spread(added, 0)} µs`, MOST_ADDED, ' µs'),
      atMost('database round trips per request', scripted.roundTripsPerRequest, roundTrips(scripted), 0, ''),
      { name: 'resident memory with its workers', value: `${megabytes(scripted)} MB` },
    ],
  }
}
