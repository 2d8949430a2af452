/**
 * client_credentials with 100,000 applications in the database, each with its own secret: requested by one, by a set
 * that fits the cache, and by all of them at random, which do not fit.
 */
import { createHash } from 'node:crypto'
import { atMost, median, type Section, spread } from '../figures.ts'
import { type NextRequest, tokenRequest } from '../load.ts'
import { type Measured, measure } from '../rounds.ts'
import { ASKED, type World } from '../world.ts'
import {
  bareHandler,
  megabytes,
  type OneApplication,
  oneApplication,
  ratios,
  roundTrips,
  speed,
} from './client-credentials.ts'

const APPLICATIONS = 100_000
const HOT_SET = 2_000

const clientId = (index: number): string => `bench-${index}`
const clientSecret = (index: number): string => createHash('md5').update(`secret of ${index}`).digest('hex')

/** The same ids and secrets, generated in the database. They are not sealed: the token endpoint compares hashes. */
const insertApplications = async ({ database, roleId }: World): Promise<void> => {
  await database.query('BEGIN')
  await database.query(
    `INSERT INTO applications (tenant_id, id, name, type, oidc_client_metadata, custom_client_metadata, created_at)
     SELECT 'default', 'bench-' || i, 'Application ' || i, 'MachineToMachine', '{}', '{}', now()
     FROM generate_series(0, $1::integer - 1) i`,
    [APPLICATIONS],
  )
  await database.query(
    `INSERT INTO application_secrets (tenant_id, application_id, name, hash, sealed, created_at)
     SELECT 'default', 'bench-' || i, 'Default secret', sha256(md5('secret of ' || i)::bytea), '', now()
     FROM generate_series(0, $1::integer - 1) i`,
    [APPLICATIONS],
  )
  await database.query(
    `INSERT INTO applications_roles (tenant_id, application_id, role_id, created_at)
     SELECT 'default', 'bench-' || i, $2, now() FROM generate_series(0, $1::integer - 1) i`,
    [APPLICATIONS, roleId],
  )
  await database.query('COMMIT')
  await database.query('ANALYZE')
}

const requestOf = (index: number): Buffer =>
  tokenRequest({ clientId: clientId(index), clientSecret: clientSecret(index) }, ASKED)

/** Requests of the first applications, up to this many, in turn. */
const inTurn = (count: number): NextRequest => {
  const requests = Array.from({ length: count }, (_, index) => requestOf(index))
  let index = 0
  return () => {
    index = (index + 1) % count
    return requests[index] as Buffer
  }
}

/** @param before the measurement with one application in the database */
export const manyApplications = async (world: World, before: OneApplication): Promise<Section> => {
  await insertApplications(world)
  const { server } = world
  const { bare, one, hot, all } = await measure(
    world,
    {
      bare: bareHandler(world),
      one: oneApplication(world),
      hot: { ...server, next: inTurn(HOT_SET) },
      all: { ...server, next: () => requestOf(Math.floor(Math.random() * APPLICATIONS)) },
    },
    { rounds: 4, seconds: 2, warmUp: 4 },
  )
  const base = median(ratios(before.server, before.bare))
  const growth = (which: Measured) => ratios(which, bare).map((ratio) => ratio / base)
  return {
    title: `client_credentials, ${APPLICATIONS.toLocaleString('en')} applications in the database`,
    figures: [
      ...speed('asked by one', one),
      ...speed(`asked by ${HOT_SET.toLocaleString('en')} in turn`, hot),
      ...speed('asked by all at random', all),
      atMost('CPU against before, one', median(growth(one)), spread(growth(one), 2), 1.2, ' times'),
      atMost('CPU against before, in turn', median(growth(hot)), spread(growth(hot), 2), 1.2, ' times'),
      { name: 'CPU against before, all at random', value: spread(growth(all), 2) },
      atMost('database round trips, in turn', hot.roundTripsPerRequest, roundTrips(hot), 0, ''),
      { name: 'database round trips, all at random', value: roundTrips(all) },
      { name: 'resident memory, asked by all', value: `${megabytes(all)} MB` },
    ],
  }
}
