/**
 * A mirror that is fed by the event feed alone has the permissions of APIs and organizations, the roles of both kinds, and
 * which role holds which, whatever is changed and deleted at once (DECISIONS N1). It infers nothing: each event says all.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fresh } from '../management/arrange.ts'
import { idsOf } from '../users/arrange.ts'
import { type FeedEvent, readAll } from './feed.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

/** By kind of entity what the mirror knows of each: its name and description. */
type Known = Record<'Role' | 'Scope' | 'OrganizationRole' | 'OrganizationScope', Map<string, unknown>>
interface Mirror extends Known {
  /** The ids of the permissions of each role of either kind, sorted. */
  readonly held: Map<string, readonly string[]>
}
const empty = (): Mirror => ({
  Role: new Map(),
  Scope: new Map(),
  OrganizationRole: new Map(),
  OrganizationScope: new Map(),
  held: new Map(),
})

const described = ({ name, description }: { name: string; description: string | null }) => ({ name, description })

const replay = (events: readonly FeedEvent[]): Mirror => {
  const mirror = empty()
  for (const { event, data, roleId, organizationRoleId } of events as (FeedEvent & { data: never })[]) {
    const match =
      /^(Role|Scope|OrganizationRole|OrganizationScope)\.(Scopes\.Updated|Created|Data\.Updated|Deleted)$/.exec(event)
    const [, kind, what] = (match ?? []) as unknown as [string, keyof Known, string]
    const { id } = data as { id: string }
    if (what === 'Scopes.Updated') {
      const ids = (data as { id: string }[]).map((scope) => scope.id).sort()
      // a mirror with foreign keys can take it: what is named is there, and what is deleted is held by nothing
      expect(ids.filter((scope) => !mirror.Scope.has(scope) && !mirror.OrganizationScope.has(scope))).toEqual([])
      mirror.held.set(`${roleId ?? organizationRoleId}`, ids)
    } else if (what === 'Deleted') {
      expect([...mirror.held.values()].filter((ids) => ids.includes(id))).toEqual([])
      expect(mirror[kind].delete(id)).toBe(true)
      mirror.held.delete(id)
    } else {
      mirror[kind].set(id, described(data))
      if (what === 'Created' && kind.endsWith('Role')) mirror.held.set(id, [])
    }
  }
  return mirror
}

const ROLES = 3
const SCOPES = 3

interface World {
  readonly resourceId: string
  readonly scopes: readonly string[]
  readonly roles: readonly string[]
  readonly organizationScopes: readonly string[]
  readonly organizationRoles: readonly string[]
}

const createWorld = async (): Promise<World> => {
  const { api } = server
  const created = async (path: string, body: object) => (await api('POST', path, body)).body.id as string
  const several = (count: number, path: string) =>
    Promise.all(Array.from({ length: count }, () => created(path, { name: fresh('n') })))
  const indicator = `https://${fresh('replay')}.example`
  const resourceId = await created('/resources', { name: 'x', indicator })
  const [scopes, roles, organizationScopes, organizationRoles] = await Promise.all([
    several(SCOPES, `/resources/${resourceId}/scopes`),
    several(ROLES, '/roles'),
    several(SCOPES, '/organization-scopes'),
    several(ROLES, '/organization-roles'),
  ])
  return { resourceId, scopes, roles, organizationScopes, organizationRoles }
}

/** The same as the API shows it. */
const actual = async (world: World): Promise<Mirror> => {
  const { api } = server
  const mirror = empty()
  const know = async (kind: keyof Known, path: string, id: string): Promise<boolean> => {
    const { status, body } = await api('GET', `${path}/${id}`)
    if (status === 200) mirror[kind].set(id, described(body))
    return status === 200
  }
  const listed = async (path: string) => idsOf(await api('GET', `${path}?page_size=100`))
  const { status, body: scopes } = await api('GET', `/resources/${world.resourceId}/scopes?page_size=100`)
  if (status === 200) for (const scope of scopes) mirror.Scope.set(scope.id, described(scope))
  for (const id of world.organizationScopes) await know('OrganizationScope', '/organization-scopes', id)
  for (const id of world.roles)
    if (await know('Role', '/roles', id)) mirror.held.set(id, (await listed(`/roles/${id}/scopes`)).sort())
  for (const id of world.organizationRoles) {
    if (!(await know('OrganizationRole', '/organization-roles', id))) continue
    const path = `/organization-roles/${id}`
    mirror.held.set(id, [...(await listed(`${path}/scopes`)), ...(await listed(`${path}/resource-scopes`))].sort())
  }
  return mirror
}

type Request = readonly [method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object]
/** Each step, by what it does to the world with the role and the permission of these positions. */
const STEPS = {
  add: ({ roles, scopes }: World, r: number, s: number): Request => [
    'POST',
    `/roles/${roles[r]}/scopes`,
    { scopeIds: [scopes[s]] },
  ],
  remove: ({ roles, scopes }: World, r: number, s: number): Request => [
    'DELETE',
    `/roles/${roles[r]}/scopes/${scopes[s]}`,
  ],
  addBoth: ({ organizationRoles, organizationScopes }: World, r: number, s: number): Request => [
    'POST',
    `/organization-roles/${organizationRoles[r]}/scopes`,
    { organizationScopeIds: [organizationScopes[s]] },
  ],
  replace: ({ organizationRoles, organizationScopes }: World, r: number, s: number): Request => [
    'PUT',
    `/organization-roles/${organizationRoles[r]}/scopes`,
    { organizationScopeIds: [organizationScopes[s]] },
  ],
  addResourceScope: ({ organizationRoles, scopes }: World, r: number, s: number): Request => [
    'POST',
    `/organization-roles/${organizationRoles[r]}/resource-scopes`,
    { scopeIds: [scopes[s]] },
  ],
  removeResourceScope: ({ organizationRoles, scopes }: World, r: number, s: number): Request => [
    'DELETE',
    `/organization-roles/${organizationRoles[r]}/resource-scopes/${scopes[s]}`,
  ],
  describe: ({ resourceId, scopes }: World, _r: number, s: number): Request => [
    'PATCH',
    `/resources/${resourceId}/scopes/${scopes[s]}`,
    { description: fresh('d') },
  ],
  rename: ({ roles }: World, r: number): Request => ['PATCH', `/roles/${roles[r]}`, { name: fresh('r') }],
  deleteRole: ({ roles }: World, r: number): Request => ['DELETE', `/roles/${roles[r]}`],
  deleteOrganizationRole: ({ organizationRoles }: World, r: number): Request => [
    'DELETE',
    `/organization-roles/${organizationRoles[r]}`,
  ],
  deleteScope: ({ resourceId, scopes }: World, _r: number, s: number): Request => [
    'DELETE',
    `/resources/${resourceId}/scopes/${scopes[s]}`,
  ],
  deleteOrganizationScope: ({ organizationScopes }: World, _r: number, s: number): Request => [
    'DELETE',
    `/organization-scopes/${organizationScopes[s]}`,
  ],
  deleteResource: ({ resourceId }: World): Request => ['DELETE', `/resources/${resourceId}`],
} as const
type Kind = keyof typeof STEPS
const GIVING: readonly Kind[] = ['add', 'addBoth', 'replace', 'addResourceScope']
const CHANGING: readonly Kind[] = ['remove', 'removeResourceScope', 'describe', 'rename']
const DELETING: readonly Kind[] = ['deleteRole', 'deleteOrganizationRole', 'deleteScope', 'deleteOrganizationScope']
const kind = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...GIVING) },
  { weight: 5, arbitrary: fc.constantFrom(...CHANGING) },
  { weight: 3, arbitrary: fc.constantFrom(...DELETING) },
  { weight: 1, arbitrary: fc.constant<Kind>('deleteResource') },
)
const step = fc.tuple(kind, fc.nat(ROLES - 1), fc.nat(SCOPES - 1))

test('after any concurrent changes no response is 500, and the replayed events give the state', async () => {
  const { api } = server
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const { cursor } = await readAll(api)
      const world = await createWorld()
      const answers = await Promise.all(
        steps.map(async ([what, r, s]) => {
          const { status } = await api(...STEPS[what](world, r, s))
          return { what, status }
        }),
      )
      expect(answers.filter(({ status }) => ![200, 201, 204, 404, 422].includes(status))).toEqual([])
      const { events } = await readAll(api, cursor)
      expect(replay(events)).toEqual(await actual(world))
      // one event for each change that was made; deletions say more
      const made = answers.filter(({ what, status }) => status < 300 && !what.startsWith('delete')).length
      const isDeletion = ({ method, matchedRoute }: FeedEvent) =>
        method === 'DELETE' && !/^\/(organization-)?roles\/:id\/.+/.test(`${matchedRoute}`)
      expect(events.filter((event) => !isDeletion(event)).length).toBe(made + 2 * SCOPES + 2 * ROLES)
    }),
    { numRuns: 25 },
  )
})

test('the permissions of a role beyond the size of one event come in parts', async () => {
  const { api, store } = server
  const { resourceId, roles, organizationRoles } = await createWorld()
  const [roleId, organizationRoleId] = [roles[0], organizationRoles[0]]
  await sql`
    WITH made AS (
      INSERT INTO scopes (tenant_id, id, resource_id, name, created_at)
      SELECT 'default', 'many' || n, ${resourceId}, 'many' || n, now() FROM generate_series(0, 5001) AS n
      RETURNING tenant_id, id
    ), held AS (
      INSERT INTO roles_scopes (tenant_id, role_id, scope_id, role_type, scope_is_management)
      SELECT tenant_id, ${roleId}, id, 'User', false FROM made)
    INSERT INTO organization_roles_resource_scopes
      (tenant_id, organization_role_id, scope_id, role_type, scope_is_management)
    SELECT tenant_id, ${organizationRoleId}, id, 'User', false FROM made`.execute(store.database.kysely)
  const { cursor } = await readAll(api)
  expect((await api('DELETE', `/resources/${resourceId}/scopes/many0`)).status).toBe(204)
  const { events } = await readAll(api, cursor)
  const sizes = (events as (FeedEvent & { data: unknown[] })[]).map(({ event, part, parts, data }) => [
    event,
    part,
    parts,
    data.length,
  ])
  expect(sizes).toEqual([
    ['Role.Scopes.Updated', 1, 2, 5000],
    ['Role.Scopes.Updated', 2, 2, 1],
    ['OrganizationRole.Scopes.Updated', 1, 2, 5000],
    ['OrganizationRole.Scopes.Updated', 2, 2, 1],
    ['Scope.Deleted', undefined, undefined, undefined],
  ])
})
