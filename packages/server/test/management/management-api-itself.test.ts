/** The Management API as a resource: no one changes it, and no role of users ever holds its permissions (DECISIONS B4). */
import { MANAGEMENT_PERMISSIONS } from '@countersign/contract/permissions.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createWorld, fresh, type World } from './arrange.ts'

let server: TestServer
let world: World
let resourceId: string
let allId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createWorld(server)
  const { body } = await server.api('GET', '/resources?includeScopes=true&page_size=100')
  const management = body.find(({ indicator }: { indicator: string }) => indicator === `${server.baseUrl}/api`)
  resourceId = management.id
  allId = management.scopes.find(({ name }: { name: string }) => name === 'all').id
})
afterAll(() => server.close())

const state = async () => ({
  resource: (await server.api('GET', `/resources/${resourceId}`)).body,
  scopes: (await server.api('GET', `/resources/${resourceId}/scopes?page_size=100`)).body,
})

test('it is registered with all and one permission to read and one to write for each area', async () => {
  const { scopes } = await state()
  const names = scopes.map(({ name }: { name: string }) => name)
  expect(names.sort()).toEqual(MANAGEMENT_PERMISSIONS.map(({ name }) => name).sort())
})

test.each([
  ['PATCH', () => `/resources/${resourceId}`, { name: 'x' }, 'resource.cannot_modify_management_api'],
  ['PATCH', () => `/resources/${resourceId}`, {}, 'resource.cannot_modify_management_api'],
  ['PATCH', () => `/resources/${resourceId}/is-default`, { isDefault: true }, 'resource.cannot_modify_management_api'],
  ['PATCH', () => `/resources/${resourceId}/is-default`, { isDefault: false }, 'resource.cannot_modify_management_api'],
  ['DELETE', () => `/resources/${resourceId}`, undefined, 'resource.cannot_delete_management_api'],
  ['POST', () => `/resources/${resourceId}/scopes`, { name: 'x' }, 'resource.cannot_modify_management_api'],
  ['PATCH', () => `/resources/${resourceId}/scopes/${allId}`, { name: 'x' }, 'resource.cannot_modify_management_api'],
  ['DELETE', () => `/resources/${resourceId}/scopes/${allId}`, undefined, 'resource.cannot_modify_management_api'],
] as const)('%s of it is refused with 400 and changes nothing (%#)', async (method, path, body, code) => {
  const before = await state()
  const answer = await server.api(method, path(), body)
  expect([answer.status, answer.body.code]).toEqual([400, code])
  expect(await state()).toEqual(before)
})

test('its permissions cannot be reached through another resource: 404', async () => {
  const path = `/resources/${world.resourceId}/scopes/${allId}`
  expect((await server.api('PATCH', path, { name: 'x' })).status).toBe(404)
  expect((await server.api('DELETE', path)).status).toBe(404)
})

test('a second resource with its indicator cannot be registered: 422', async () => {
  const { status } = await server.api('POST', '/resources', { name: 'x', indicator: `${server.baseUrl}/api` })
  expect(status).toBe(422)
})

describe('a role of users never holds one of its permissions', () => {
  const code = 'role.management_api_scopes_not_assignable_to_user_role'
  const userRole = async (scopeIds: string[] = []) =>
    (await server.api('POST', '/roles', { name: fresh('users'), scopeIds })).body.id as string

  test('not by POST /roles', async () => {
    for (const type of ['User', undefined]) {
      const role = { name: fresh('users'), ...(type ? { type } : {}), scopeIds: [world.scopeId, allId] }
      const { status, body } = await server.api('POST', '/roles', role)
      expect([status, body.code]).toEqual([400, code])
    }
  })

  test('not by POST /roles/:id/scopes, alone or among others', async () => {
    const id = await userRole()
    for (const scopeIds of [[allId], [world.scopeId, allId], [allId, allId]]) {
      const { status, body } = await server.api('POST', `/roles/${id}/scopes`, { scopeIds })
      expect([status, body.code]).toEqual([400, code])
    }
    expect((await server.api('GET', `/roles/${id}/scopes`)).body).toEqual([])
  })

  test('not by changing the type of a role that holds one', async () => {
    const machine = { name: fresh('machines'), type: 'MachineToMachine', scopeIds: [allId] }
    const { body } = await server.api('POST', '/roles', machine)
    expect((await server.api('PATCH', `/roles/${body.id}`, { type: 'User', isDefault: true })).status).toBe(422)
    expect((await server.api('PATCH', `/roles/${body.id}`, { type: 'User' })).body.type).toBe('MachineToMachine')
  })

  test.each([
    ['saying the truth', 'User', true, 'roles_scopes_management_check'],
    ['lying about the role', 'MachineToMachine', true, 'roles_scopes_role_fkey'],
    ['lying about the permission', 'User', false, 'roles_scopes_scope_fkey'],
  ])('not by SQL, %s', async (_title, type, isManagement, constraint) => {
    const id = await userRole()
    await withClient(server.databaseUrl, async (client) => {
      const insert = client.query('INSERT INTO roles_scopes VALUES ($1, $2, $3, $4, $5)', [
        'default',
        id,
        allId,
        type,
        isManagement,
      ])
      await expect(insert).rejects.toMatchObject({ constraint })
    })
  })

  test('not by SQL, turning the role that holds one, or a permission that users hold, into the other kind', async () => {
    const id = await userRole([world.scopeId])
    await withClient(server.databaseUrl, async (client) => {
      const retyped = client.query(`UPDATE roles SET type = 'User' WHERE name = 'Management API access'`)
      await expect(retyped).rejects.toMatchObject({ code: '23503' })
      const moved = client.query('UPDATE scopes SET is_management = true, resource_id = $1 WHERE id = $2', [
        resourceId,
        world.scopeId,
      ])
      await expect(moved).rejects.toMatchObject({ code: '23503' })
      expect((await client.query('SELECT FROM roles_scopes WHERE role_id = $1', [id])).rowCount).toBe(1)
    })
  })
})

test('only machine-to-machine applications get machine-to-machine roles, by SQL too', async () => {
  const { body: spa } = await server.api('POST', '/applications', { name: 'SPA', type: 'SPA' })
  const { body: users } = await server.api('POST', '/roles', { name: fresh('users') })
  await withClient(server.databaseUrl, async (client) => {
    const insert = (applicationId: string, roleId: string, type: string) =>
      client.query('INSERT INTO applications_roles VALUES ($1, $2, $3, $4, now())', [
        'default',
        applicationId,
        roleId,
        type,
      ])
    for (const type of ['MachineToMachine', 'SPA', 'User']) {
      await expect(insert(spa.id, world.roleId, type)).rejects.toMatchObject({ code: expect.stringMatching(/^23/) })
      await expect(insert(world.applicationId, users.id, type)).rejects.toMatchObject({
        code: expect.stringMatching(/^23/),
      })
    }
  })
})
