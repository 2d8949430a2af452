/** Roles and the permissions they hold: DECISIONS E1, statuses and shapes of the reference. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createWorld, fresh, type World } from './arrange.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createWorld(server)
})
afterAll(() => server.close())

const create = (fields: Record<string, unknown> = {}) =>
  server.api('POST', '/roles', { name: fresh('role'), ...fields })
const scopeIdsOf = async (roleId: string): Promise<string[]> =>
  (await server.api('GET', `/roles/${roleId}/scopes?page_size=100`)).body.map(({ id }: { id: string }) => id)

test('POST answers 200 with the role: by default of type User, not a default role, without description', async () => {
  const { status, body } = await server.api('POST', '/roles', { name: 'Leser 読者 📖' })
  expect(status).toBe(200)
  expect(body).toEqual({
    tenantId: 'default',
    id: expect.stringMatching(/^[0-9a-z]{21}$/),
    name: 'Leser 読者 📖',
    description: '',
    type: 'User',
    isDefault: false,
  })
  expect((await server.api('GET', `/roles/${body.id}`)).body).toEqual(body)
})

test('POST with scopeIds gives the role these permissions, ignoring duplicates', async () => {
  const { status, body } = await create({ scopeIds: [world.scopeId, world.freeScopeId, world.scopeId] })
  expect(status).toBe(200)
  expect((await scopeIdsOf(body.id)).sort()).toEqual([world.scopeId, world.freeScopeId].sort())
})

test('POST with an empty list of scopeIds creates a role without permissions', async () => {
  const { status, body } = await create({ scopeIds: [] })
  expect(status).toBe(200)
  expect(await scopeIdsOf(body.id)).toEqual([])
})

test('POST that is refused for one of its permissions creates no role', async () => {
  const name = fresh('refused')
  const { status, body } = await create({ name, scopeIds: [world.scopeId, world.roleId] })
  expect([status, body.code]).toEqual([422, 'entity.relation_foreign_key_not_found'])
  expect(body.data.scopeIds).toEqual([world.roleId])
  expect((await server.api('GET', `/roles?search=${name}`)).body).toEqual([])
})

test('the name is unique: 422 at POST and PATCH; case counts; a role may keep its own', async () => {
  const [a, b] = [fresh('unique'), fresh('unique')]
  const { body: role } = await create({ name: a })
  await create({ name: b })
  expect(await create({ name: a })).toMatchObject({ status: 422, body: { code: 'role.name_in_use' } })
  const renamed = await server.api('PATCH', `/roles/${role.id}`, { name: b })
  expect(renamed).toMatchObject({ status: 422, body: { code: 'role.name_in_use' } })
  expect((await create({ name: a.toUpperCase() })).status).toBe(200)
  expect((await server.api('PATCH', `/roles/${role.id}`, { name: a })).status).toBe(200)
})

test('20 concurrent creations of one name: one succeeds, the others get 422', async () => {
  const name = fresh('race')
  const answers = await Promise.all(Array.from({ length: 20 }, () => create({ name })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 422)])
})

test('only a role of users can be a default role: 422 at POST and PATCH', async () => {
  expect((await create({ isDefault: true })).body.isDefault).toBe(true)
  const machine = { type: 'MachineToMachine' }
  expect(await create({ ...machine, isDefault: true })).toMatchObject({
    status: 422,
    body: { code: 'role.default_role_type' },
  })
  const { body: role } = await create(machine)
  const { status, body } = await server.api('PATCH', `/roles/${role.id}`, { isDefault: true })
  expect([status, body.code]).toEqual([422, 'role.default_role_type'])
})

test('PATCH changes the given fields, but not the type', async () => {
  const { body } = await create({ description: 'before' })
  const path = `/roles/${body.id}`
  const { body: after } = await server.api('PATCH', path, { description: '', type: 'MachineToMachine' })
  expect(after).toEqual({ ...body, description: '' })
  expect((await server.api('PATCH', path, { isDefault: true })).body).toEqual({
    ...body,
    description: '',
    isDefault: true,
  })
  expect((await server.api('PATCH', path, {})).body.isDefault).toBe(true)
})

test.each([{ name: '' }, { name: 'x'.repeat(129) }, { name: 1 }, { description: 'x'.repeat(129) }, { type: 'Admin' }])(
  'POST refuses %j with 400',
  async (fields) => {
    const { status, body } = await create(fields)
    expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
  },
)

test('the list says how many applications hold a role and shows at most three', async () => {
  const role = { name: fresh('held'), type: 'MachineToMachine' }
  const { body } = await server.api('POST', '/roles', role)
  const ids: string[] = []
  for (const name of ['A', 'B', 'C', 'D']) {
    ids.push((await server.api('POST', '/applications', { name, type: 'MachineToMachine' })).body.id)
  }
  await server.api('POST', `/roles/${body.id}/applications`, { applicationIds: ids })
  const { body: list } = await server.api('GET', `/roles?search=${role.name}`)
  expect(list).toMatchObject([{ id: body.id, usersCount: 0, featuredUsers: [], applicationsCount: 4 }])
  expect(list[0].featuredApplications).toHaveLength(3)
  for (const featured of list[0].featuredApplications) expect(ids).toContain(featured.id)
})

test('the list can be narrowed by type, by a part of the name, and to the roles that an application does not hold', async () => {
  const found = async (query: string) =>
    (await server.api('GET', `/roles?page_size=100&${query}`)).body.map(({ id }: { id: string }) => id)
  const { body: ofUsers } = await create({ name: fresh('Narrow_100%') })
  expect(await found('search=narrow_100%25')).toEqual([ofUsers.id])
  expect(await found('search=%25arrow_10%25')).toEqual([ofUsers.id])
  expect(await found('search=arrow_10%25')).toEqual([])
  expect(await found('type=MachineToMachine')).toEqual(expect.not.arrayContaining([ofUsers.id]))
  expect(await found('type=User')).toEqual(expect.not.arrayContaining([world.roleId]))
  const without = await found(`excludeApplicationId=${world.applicationId}`)
  expect(without).toContain(world.freeRoleId)
  expect(without).not.toContain(world.roleId)
  expect((await server.api('GET', '/roles?type=Admin')).status).toBe(400)
})

describe('the permissions of a role', () => {
  test('POST answers 201 with those that were added, duplicates once', async () => {
    const { body: role } = await create()
    const scopeIds = [world.scopeId, world.scopeId]
    const { status, body } = await server.api('POST', `/roles/${role.id}/scopes`, { scopeIds })
    expect(status).toBe(201)
    expect(body.map(({ id }: { id: string }) => id)).toEqual([world.scopeId])
    const { body: list } = await server.api('GET', `/roles/${role.id}/scopes`)
    expect(list).toMatchObject([{ id: world.scopeId, resource: { id: world.resourceId, isDefault: false } }])
  })

  test('POST of one that the role holds already is 422 and adds no other', async () => {
    const { body: role } = await create({ scopeIds: [world.scopeId] })
    const scopeIds = [world.freeScopeId, world.scopeId]
    const { status, body } = await server.api('POST', `/roles/${role.id}/scopes`, { scopeIds })
    expect([status, body.code, body.data]).toEqual([422, 'role.scope_exists', { scopeIds: [world.scopeId] }])
    expect(await scopeIdsOf(role.id)).toEqual([world.scopeId])
  })

  test.each([
    ['of a role', () => world.roleId],
    ['of a resource', () => world.resourceId],
    ['of an application', () => world.applicationId],
    ['that names nothing', () => 'x'],
    ['with a quote', () => "'--"],
  ])('POST of an id %s is 422 and names it', async (_title, id) => {
    const { body: role } = await create()
    const { status, body } = await server.api('POST', `/roles/${role.id}/scopes`, { scopeIds: [id(), world.scopeId] })
    expect([status, body.code]).toEqual([422, 'entity.relation_foreign_key_not_found'])
    expect(body.data.scopeIds).toEqual([id()])
  })

  test.each([[[]], [null], ['x'], [[1]], [[null]], [[['x']]], [{ 0: 'x' }]])('POST of %j is 400', async (scopeIds) => {
    const { status, body } = await server.api('POST', `/roles/${world.freeRoleId}/scopes`, { scopeIds })
    expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
  })

  test('DELETE takes one away with 204; one that the role does not hold is 404', async () => {
    const { body: role } = await create({ scopeIds: [world.scopeId] })
    const path = `/roles/${role.id}/scopes/${world.scopeId}`
    expect((await server.api('DELETE', path)).status).toBe(204)
    expect(await scopeIdsOf(role.id)).toEqual([])
    expect((await server.api('DELETE', path)).status).toBe(404)
    expect((await server.api('DELETE', `/roles/${role.id}/scopes/${world.roleId}`)).status).toBe(404)
  })
})

test('DELETE removes the role from the applications that hold it; a second time is 404', async () => {
  const other = await createWorld(server)
  expect((await server.api('DELETE', `/roles/${other.roleId}`)).status).toBe(204)
  expect((await server.api('GET', `/applications/${other.applicationId}/roles`)).body).toEqual([])
  expect((await server.api('DELETE', `/roles/${other.roleId}`)).status).toBe(404)
})
