/**
 * What second factors cost: the lines of users.ts before and after every user has an app and ten backup codes, and a whole
 * sign-in with the code of the app.
 */
import { atMost, type Figure, median, type Section } from '../figures.ts'
import { repeatFor } from '../load.ts'
import { PASSWORD, type Population, REDIRECT_URI } from '../population.ts'
import { measure, type Subject } from '../rounds.ts'
import { signInOverHttp } from '../sign-in.ts'
import type { World } from '../world.ts'
import { postgresGrowth, roundTrips, speed } from './client-credentials.ts'
import { FEW, MANY, NAMES, PLAN, subjects } from './users.ts'

/** How many waits for the database the app may add to a sign-in. */
const MORE_TRIPS = 5
const MOST = 1.2
const SIGN_IN = 'password sign-in'
const AT_ONCE = 2

/** Users in turn: a code of an app is valid once. */
const totpSignIn = ({ server }: World, population: Population): Subject => {
  let next = 0
  const signIn = () => {
    const username = population.username((next++ * 7919) % population.size)
    return signInOverHttp(server.port, population.client, username, PASSWORD, REDIRECT_URI, population.totpCode)
  }
  return { ...server, next: () => Buffer.alloc(0), load: (seconds) => repeatFor(seconds, signIn, AT_ONCE) }
}

export const factors = async (world: World, population: Population): Promise<Section> => {
  const size = world.quick ? FEW : MANY
  await population.growTo(size)
  const used = { codes: 0, refreshes: 0 }
  const without = await measure(world, subjects(world, population, used), PLAN)
  await population.addFactors()
  await world.api.updateSignInExperience({ body: { mfa: { factors: ['Totp', 'BackupCode'], policy: 'NoPrompt' } } })
  await world.database.query('UPDATE refresh_families SET generation = 0, rotated_at = NULL WHERE generation > 0')
  const { [SIGN_IN]: _withoutApp, ...others } = subjects(world, population, used)
  const having = await measure(world, { ...others, [SIGN_IN]: totpSignIn(world, population) }, PLAN)
  const trips = having[SIGN_IN].roundTripsPerRequest - without[SIGN_IN].roundTripsPerRequest
  return {
    title: `Second factors, ${size.toLocaleString('en')} users who have them`,
    figures: [
      ...speed('password sign-in, no one has factors', without[SIGN_IN]),
      ...speed('password and app', having[SIGN_IN]),
      atMost('password and app: round trips more', Math.round(trips), trips.toFixed(2), MORE_TRIPS, ''),
      ...NAMES.flatMap((name): Figure[] => {
        const cpu = median(having[name].cpu) / median(without[name].cpu)
        const postgres = postgresGrowth(without[name], having[name])
        return [{ ...atMost(`${name}: CPU against before`, cpu, cpu.toFixed(2), MOST, ' times'), postgres }]
      }),
      { name: 'password and app: database round trips', value: roundTrips(having[SIGN_IN]) },
    ],
  }
}
