/**
 * Ids in every place of every route that takes one: of another tenant, and of another kind of thing. Then lists that are empty,
 * as long as can be, and with the same twice. The routes and their bodies are read from the contract.
 */
import type { Route } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { connectClient } from '@countersign/server/storage/client.ts'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { withSecondTenant } from '../tenants/second-tenant.ts'
import { call, createWorld, GUARDED, managementToken, pathIn, sampleBody, titleOf, type World } from './arrange.ts'

let server: TestServer
let token: string
let world: World
let client: pg.Client
/** Of the second tenant, one of each kind. */
let foreign: Readonly<Record<Kind, string>>

const KINDS = {
  resource: 'resourceId',
  scope: 'scopeId',
  role: 'roleId',
  application: 'applicationId',
  user: 'userId',
  organization: 'organizationId',
  organizationRole: 'organizationRoleId',
  organizationScope: 'organizationScopeId',
  connector: 'connectorId',
  ssoConnector: 'ssoConnectorId',
  hook: 'hookId',
  invitation: 'invitationId',
} as const
type Kind = keyof typeof KINDS

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  token = await managementToken(server, 'all')
  world = await createWorld(server)
  client = await connectClient(server.databaseUrl)
  const { b } = await withSecondTenant(server, 'second', 'http://second.example:8080')
  const other = (await b.token()).body.access_token
  const made = async (path: string, body: object): Promise<string> =>
    (await b.request('POST', `/api${path}`, { token: other, body })).body.id
  const resource = await made('/resources', { name: 'Orders', indicator: 'https://orders.example' })
  const organization = await made('/organizations', { name: 'Acme' })
  foreign = {
    resource,
    organization,
    scope: await made(`/resources/${resource}/scopes`, { name: 'read' }),
    role: await made('/roles', { name: 'reader', type: 'MachineToMachine' }),
    application: await made('/applications', { name: 'Worker', type: 'MachineToMachine' }),
    user: await made('/users', { username: 'ann' }),
    organizationRole: await made('/organization-roles', { name: 'admin' }),
    organizationScope: await made('/organization-scopes', { name: 'invite' }),
    connector: await made('/connectors', sampleBody(route('createConnector'), world) as object),
    ssoConnector: await made('/sso-connectors', { providerName: 'OIDC', connectorName: 'Acme' }),
    hook: await made('/hooks', sampleBody(route('createHook'), world) as object),
    invitation: await made('/organization-invitations', {
      ...{ organizationId: organization, invitee: 'bob@example.com', expiresAt: Date.UTC(2100, 0) },
    }),
  }
  expect(Object.values(foreign).every(Boolean)).toBe(true)
})
afterAll(async () => {
  await client.end()
  await server.close()
})

const route = (id: string): Route => {
  const found = GUARDED.find((each) => each.id === id)
  if (!found) throw new Error(`there is no route ${id}`)
  return found
}

/** What a request leaves behind even when it is refused, and what the server moves by itself. */
const BY_ITSELF = ['audit_log', 'outbox', 'events', 'event_sequences', 'hook_deliveries', 'hook_attempts', 'dispatches']
let digestQuery: string | undefined

/** Everything that is stored, of both tenants, in a few characters for each table. */
const digest = async (): Promise<Record<string, string>> => {
  if (!digestQuery) {
    const { rows } = await client.query(
      `SELECT relname AS name FROM pg_class
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> ALL($1) ORDER BY 1`,
      [BY_ITSELF],
    )
    const events = `SELECT 'events' AS name, count(*) || '' AS digest FROM (SELECT FROM outbox UNION ALL SELECT FROM events) e`
    const tables = rows.map(
      ({ name }) => `SELECT '${name}' AS name, md5(string_agg(t::text, ',' ORDER BY t::text)) AS digest FROM ${name} t`,
    )
    digestQuery = [events, ...tables].join(' UNION ALL ')
  }
  const { rows } = await client.query(digestQuery)
  return Object.fromEntries(rows.map(({ name, digest: value }) => [name, value]))
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly maxLength?: number
}

/** Keys that lead to a field; `[]` into the only entry of a list. */
type FieldPath = readonly string[]
const shown = (path: FieldPath): string => path.join('.').replaceAll('.[]', '[]')

/** Every field of a body with its schema. */
const fieldsOf = (schema: Schema, path: FieldPath = []): [FieldPath, Schema][] => [
  [path, schema],
  ...(schema.anyOf ?? []).flatMap((inner) => fieldsOf(inner, path).filter(([{ length }]) => length > path.length)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => fieldsOf(inner, [...path, name])),
  ...(schema.items ? fieldsOf(schema.items, [...path, '[]']) : []),
]

/** The body with a value at a path; what is on the way is made. */
const withField = (body: unknown, [step, ...rest]: FieldPath, value: unknown): unknown => {
  if (step === undefined) return value
  if (step === '[]') return [withField(Array.isArray(body) ? body[0] : undefined, rest, value)]
  const own = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return { ...own, [step]: withField(own[step], rest, value) }
}

/** Fields that hold ids, by what they are called; what belongs there. `ids` are of a list. */
const MEANT: Readonly<Record<string, keyof World>> = {
  scopeIds: 'freeScopeId',
  resourceScopeIds: 'freeScopeId',
  resourceScopes: 'freeScopeId',
  organizationResourceScopes: 'freeScopeId',
  organizationScopeIds: 'freeOrganizationScopeId',
  organizationScopes: 'freeOrganizationScopeId',
  organizationRoleIds: 'freeOrganizationRoleId',
  roleIds: 'freeRoleId',
  userRoleIds: 'freeUserRoleId',
  applicationIds: 'freeApplicationId',
  defaultApplicationId: 'webApplicationId',
  applicationId: 'webApplicationId',
  resourceId: 'resourceId',
  userIds: 'freeUserId',
  ssoConnectorIds: 'freeSsoConnectorId',
  organizationIds: 'organizationId',
  jitOrganizationIds: 'organizationId',
  organizationId: 'organizationId',
  inviterId: 'userId',
  userId: 'userId',
  singleSignOnExemptUserIds: 'userId',
  acceptedUserId: 'freeUserId',
}

/** The world with an invitation that the user who accepts it was sent. */
const worldOf = ({ id }: Route): World =>
  id === 'replaceOrganizationInvitationStatus' ? { ...world, invitationId: world.acceptableInvitationId } : world

/** A body in which the ids around the one that is tried are known, so that it is the only reason to refuse. */
const bodyAround = (of: Route, path: FieldPath): unknown => {
  const body = sampleBody(of, world)
  if (of.id === 'replaceOrganizationInvitationStatus') return { status: 'Accepted' }
  if (path[0] === 'subject') {
    const { userId, webApplicationId: applicationId, organizationId } = world
    return { ...(body as object), subject: { userId, applicationId, organizationId } }
  }
  if (path[0] !== 'organizationRoleRules') return body
  const rule = { organizationId: world.organizationId, organizationRoleIds: [world.organizationRoleId] }
  return { ...(body as object), organizationRoleRules: [rule] }
}

/** An id that belongs at a path of a body; undefined where no id does. */
const knownAt = (of: Route, path: FieldPath): string | undefined => {
  const name = path.at(-1) ?? ''
  const meant = MEANT[name]
  if (meant === undefined) return undefined
  // where roles of several types can be meant, the sample has one that fits
  const sample = (sampleBody(of, world) as Record<string, unknown>)[name]
  return Array.isArray(sample) && sample.length > 0 ? sample[0] : world[meant]
}

interface Place {
  readonly where: string
  /** The request with something else there. */
  sent(id: string): { path: string; body: unknown }
  /** What belongs there, if it is in the body. */
  readonly known?: () => string
}

const NO_IDS = ['name', 'scopeType', 'tokenTypePath', 'emailDomain', 'factoryId', 'target']

const placesOf = (of: Route): Place[] => {
  const inPath = [...of.path.matchAll(/:(\w+)/g)].flatMap(([, name = ''], index) => {
    if (NO_IDS.includes(name)) return []
    const sent = (id: string) => {
      const [pattern, filled] = [of.path.split('/'), pathIn(worldOf(of), of).split('/')]
      const places = pattern.flatMap((part, at) => (part.startsWith(':') ? [at] : []))
      const path = filled.map((part, at) => (at === places[index] ? id : part)).join('/')
      return { path, body: sampleBody(of, world) }
    }
    return [{ where: `:${name}`, sent }]
  })
  const inBody = fieldsOf((of.body ?? {}) as Schema).flatMap(([path, schema]) => {
    // in an identity it is what a provider calls the user
    if (!Object.hasOwn(MEANT, path.at(-1) ?? '') || schema.anyOf || of.id === 'putUserIdentity') return []
    // the known one comes first: nothing of it may be kept
    const value = (id: string) => (schema.type === 'array' ? [knownAt(of, path), id] : id)
    const sent = (id: string) => ({
      path: pathIn(worldOf(of), of),
      body: withField(bodyAround(of, path), path, value(id)),
    })
    return [{ where: shown(path), sent, known: () => knownAt(of, path) ?? '' }]
  })
  return [...inPath, ...inBody]
}

const PLACES = GUARDED.flatMap((of) => placesOf(of).map((place) => [titleOf(of), place.where, of, place] as const))
const kindOf = (where: string, { path }: Route): Kind | undefined => {
  const name =
    where
      .replace(/^:|\[\]/g, '')
      .split('.')
      .at(-1) ?? ''
  const key = MEANT[name] ?? (name === 'id' ? `${path.split('/')[1]?.replace(/s$/, '')}Id` : name)
  const own = key
    .replace(/^free(.)/, (_, first) => first.toLowerCase())
    .replace(/-(.)/g, (_, next) => next.toUpperCase())
  const kind = own
    .replace(/Id$/, '')
    .replace('userRole', 'role')
    .replace('webApplication', 'application')
    .replace('organizationInvitation', 'invitation')
  return kind in KINDS ? (kind as Kind) : undefined
}

let asked = 0
/** Ids of some other kinds of things; of others each time, because all of them everywhere would take long. */
const othersThan = (kind: Kind | undefined): string[] => {
  const others = (Object.keys(KINDS) as Kind[]).filter((each) => each !== kind)
  asked += 1
  return [0, 1, 2, 3].map((step) => world[KINDS[others[(4 * asked + step) % others.length] ?? 'user']])
}

describe('R-33, R-37: an id unknown in the tenant is refused, and changes nothing', () => {
  test('the list of places is complete', () => {
    const places = PLACES.map(([title, where]) => `${title} ${where}`)
    expect(places.length).toBeGreaterThan(150)
    expect(places).toContain(
      'PUT /applications/:applicationId/access-control organizationRoleRules[].organizationRoleIds',
    )
    const fields = new Set(
      GUARDED.flatMap(({ body }) => fieldsOf((body ?? {}) as Schema).map(([path]) => path.at(-1) ?? '')),
    )
    // of another authorization server, of another server, of a factory, of Google, of a service provider, one that the caller chooses, and those of filters, which
    // leave nobody out where they name nothing
    const others = [
      'clientId',
      'connectorId',
      'projectId',
      'entityId',
      'importId',
      'excludeRoleId',
      'excludeOrganizationId',
    ]
    expect([...fields].filter((name) => /Ids?$/.test(name) && !(name in MEANT) && !others.includes(name))).toEqual([])
  })

  test.each(GUARDED.filter((of) => placesOf(of).length > 0).map((of) => [titleOf(of), of] as const))(
    '%s',
    async (_, of) => {
      const before = await digest()
      for (const place of placesOf(of)) {
        const kind = kindOf(place.where, of)
        const ids = [...(kind ? [foreign[kind]] : Object.values(foreign)), ...othersThan(kind)]
        const answers = await Promise.all(
          ids.map(async (id) => {
            const { path, body } = place.sent(id)
            const { status } = await call(server, of.method, path, { token, body })
            return { where: place.where, id, status }
          }),
        )
        expect(answers.filter(({ status }) => status !== 404 && status !== 422)).toEqual([])
      }
      expect(await digest()).toEqual(before)
    },
  )
})

describe('R-33: a filter by an id of another tenant finds nothing', () => {
  const filters = GUARDED.flatMap((of) =>
    Object.keys((of.query as Schema | undefined)?.properties ?? {})
      .filter((name) => name.endsWith('Id'))
      .map((name) => [titleOf(of), name, of] as const),
  )
  test.each(filters)('%s ?%s=', async (_, name, of) => {
    for (const id of [...Object.values(foreign), ...othersThan(undefined)]) {
      const { status, text } = await call(server, 'GET', `${pathIn(world, of)}?${name}=${id}`, { token })
      expect([200, 404, 422]).toContain(status)
      expect(text).not.toContain('"tenantId":"second"')
    }
  })
})

const MOST = 10_000
/** What adds before what replaces, and members after what hangs on them. */
const turn = ({ method, path }: Route): number => (method === 'POST' ? 0 : 100) - path.split('/').length
const LISTS = GUARDED.toSorted((one, other) => turn(one) - turn(other)).flatMap((of) => {
  const fields = fieldsOf((of.body ?? {}) as Schema).filter(([, { type }]) => type === 'array')
  // of a field of several variants the one that takes most
  const byPath = Map.groupBy(fields, ([path]) => shown(path))
  const lists = [...byPath.values()].map(
    (variants) =>
      variants.toSorted(([, one], [, other]) => (one.minItems ?? 0) - (other.minItems ?? 0))[0] as [FieldPath, Schema],
  )
  return lists.length > 0 ? [[titleOf(of), of, lists] as const] : []
})

/** What fits into a list; different for each number. */
const fitting = (path: FieldPath, { enum: known, type }: Schema, index: number): unknown => {
  const name = path.at(-1) ?? ''
  if (known) return known[index % known.length]
  if (name === 'organizationRoleRules')
    return { organizationId: String(index).padStart(12, '0'), organizationRoleIds: [world.organizationRoleId] }
  if (type !== 'string') return { identifier: 'username', password: true, verificationCode: false }
  if (MEANT[name]) return String(index).padStart(21, '0')
  return name === 'emailDomains' ? `d${index}.example` : `https://d${index}.example/`
}

const answered = async (of: Route, path: FieldPath, list: readonly unknown[]) => {
  const body = withField(bodyAround(of, path), path, list)
  const { status, text } = await call(server, of.method, pathIn(world, of), { token, body })
  return { list: shown(path), status, text: text.slice(0, 200) }
}
type Answered = Awaited<ReturnType<typeof answered>>
const isRefused = ({ status }: Answered) => status >= 400 && status < 500
const isTaken = (of: Route, { status }: Answered) => status === of.status || status === of.otherStatus
const expectEither = (of: Route, answer: Answered) =>
  expect({ ...answer, isSound: isRefused(answer) || isTaken(of, answer) }).toMatchObject({ isSound: true })

describe('a valid id is accepted in each place', () => {
  const inBodies = PLACES.filter(([, , , { known }]) => known)
  const inTurn = inBodies.toSorted(([, , one], [, , other]) => turn(one) - turn(other))
  test.each(inTurn)('%s %s', async (_, __, of, place) => {
    const { path, body } = place.sent(place.known?.() ?? '')
    const { status, text } = await call(server, of.method, path, { token, body })
    expect({ status, text }).toMatchObject({ status: of.status })
  })
})

describe('R-35: lists of 10,000 are accepted or refused as a whole', () => {
  test.each(LISTS)('%s', async (_, of, lists) => {
    for (const [path, { items = {}, maxItems = MOST }] of lists) {
      const before = await digest()
      const all = Array.from({ length: MOST }, (_each, index) => fitting(path, items, index + 1))
      const most = await answered(of, path, all)
      if (maxItems < MOST) expect(most).toMatchObject({ status: 400 })
      else if (knownAt(of, path)) expect([404, 422]).toContain(most.status)
      else expectEither(of, most)
      if (isRefused(most)) expect(await digest()).toEqual(before)
    }
  })
})

test('no event of these requests names an entity twice', async () => {
  const { rows } = await client.query('SELECT payload FROM outbox UNION ALL SELECT payload FROM events')
  const listsIn = (value: unknown): unknown[][] => [
    ...(Array.isArray(value) ? [value] : []),
    ...(typeof value === 'object' && value !== null ? Object.values(value).flatMap(listsIn) : []),
  ]
  const repeated = rows
    .flatMap(({ payload }) => listsIn(payload))
    .map((list) => list.map((each) => JSON.stringify(each)))
    .filter((list) => new Set(list).size < list.length)
  expect(rows.length).toBeGreaterThan(20)
  expect(repeated).toEqual([])
})

describe('R-35: empty lists are refused where an item is required', () => {
  test.each(LISTS)('%s', async (_, of, lists) => {
    for (const [path, { minItems = 0 }] of lists) {
      const answer = await answered(of, path, [])
      if (minItems > 0) expect(answer).toMatchObject({ status: 400 })
      else expectEither(of, answer)
    }
  })
})
