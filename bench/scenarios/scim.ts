/** Provisioning by SCIM: users are created, changed and looked up in a directory with a thousand and with 100,000 of them. */
import { atMost, type Figure, median, type Section } from '../figures.ts'
import { jsonRequestBytes, requestBytes } from '../load.ts'
import type { Population } from '../population.ts'
import { measure, type Subject } from '../rounds.ts'
import type { World } from '../world.ts'
import { postgresGrowth, roundTrips, speed } from './client-credentials.ts'
import { PLAN } from './users.ts'

const FEW = 1000
const MANY = 100_000
/** How many times the cost of a request in the small directory. */
const MOST = 1.5

const NAMES = ['create', 'patch', 'filter by userName'] as const
type Name = (typeof NAMES)[number]

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

interface Directory {
  readonly id: string
  readonly path: string
  readonly authorization: string
}

const openDirectory = async ({ api }: World): Promise<Directory> => {
  const { id, baseUrl } = await api.createScimDirectory({ body: { name: 'Bench' } })
  const { value } = await api.createScimToken({ params: { id }, body: { name: 'Bench' } })
  return { id, path: new URL(baseUrl).pathname, authorization: `authorization: Bearer ${value}` }
}

/** Users from..to-1 of the population become those of the directory. */
const provision = async ({ database }: World, { id }: Directory, from: number, to: number): Promise<void> => {
  await database.query(
    `INSERT INTO scim_users (tenant_id, directory_id, user_id, user_name, user_name_key, external_id, email_keys, is_active, is_owner,
       attributes, created_at, updated_at)
     SELECT 'default', $1, 'u' || lpad(i::text, 11, '0'), 'bench_' || i, 'bench_' || i, 'external-' || i, '{}', true, true,
       jsonb_build_object('userName', 'bench_' || i), now(), now() FROM generate_series($2::integer, $3::integer - 1) i`,
    [id, from, to],
  )
  await database.query('VACUUM ANALYZE')
  await database.query('CHECKPOINT')
}

let created = 0

const subjects = ({ server }: World, { path, authorization }: Directory, size: number): Record<Name, Subject> => {
  const random = () => Math.floor(Math.random() * size)
  return {
    create: {
      ...server,
      next: () => {
        const userName = `new_${created++}`
        const body = { schemas: [USER], userName, externalId: userName, name: { givenName: 'Ann' }, active: true }
        return jsonRequestBytes('POST', `${path}/Users`, authorization, body)
      },
    },
    patch: {
      ...server,
      next: () => {
        const change = { op: 'replace', path: 'displayName', value: `Ann ${Math.random()}` }
        const id = `u${String(random()).padStart(11, '0')}`
        return jsonRequestBytes('PATCH', `${path}/Users/${id}`, authorization, {
          schemas: [PATCH],
          Operations: [change],
        })
      },
    },
    'filter by userName': {
      ...server,
      next: () => {
        const filter = encodeURIComponent(`userName eq "bench_${random()}"`)
        return requestBytes(`${path}/Users?filter=${filter}`, authorization)
      },
    },
  }
}

export const scim = async (world: World, population: Population): Promise<Section> => {
  const directory = await openDirectory(world)
  await population.growTo(FEW)
  await provision(world, directory, 0, FEW)
  const few = await measure(world, subjects(world, directory, FEW), PLAN)
  await population.growTo(MANY)
  await provision(world, directory, FEW, MANY)
  const many = await measure(world, subjects(world, directory, MANY), PLAN)
  return {
    title: `SCIM, a directory of ${MANY.toLocaleString('en')} users`,
    figures: NAMES.flatMap((name): Figure[] => {
      const cpu = median(many[name].cpu) / median(few[name].cpu)
      return [
        ...speed(name, many[name]),
        {
          ...atMost(`${name}: CPU against a thousand users`, cpu, cpu.toFixed(2), MOST, ' times'),
          postgres: postgresGrowth(few[name], many[name]),
        },
        { name: `${name}: database round trips`, value: roundTrips(many[name]) },
      ]
    }),
  }
}
