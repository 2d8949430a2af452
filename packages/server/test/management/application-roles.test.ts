/** Which machine-to-machine roles an application holds, changed from either side. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createWorld, fresh, type World } from './arrange.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())
beforeEach(async () => {
  world = await createWorld(server)
})

const ids = ({ body }: { body: { id: string }[] }) => body.map(({ id }) => id).sort()
const rolesOf = async (id: string) => ids(await server.api('GET', `/applications/${id}/roles`))
const holdersOf = async (id: string) => ids(await server.api('GET', `/roles/${id}/applications`))
const userRole = async () => (await server.api('POST', '/roles', { name: fresh('users') })).body.id as string
const spa = async () => (await server.api('POST', '/applications', { name: 'SPA', type: 'SPA' })).body.id as string

describe('/applications/:id/roles', () => {
  const path = () => `/applications/${world.applicationId}/roles`

  test('POST answers 201 with the requested and the added roles; roles held already and duplicates are ignored', async () => {
    const roleIds = [world.roleId, world.freeRoleId, world.freeRoleId]
    const { status, body } = await server.api('POST', path(), { roleIds })
    expect([status, body]).toEqual([201, { roleIds, addedRoleIds: [world.freeRoleId] }])
    expect(await rolesOf(world.applicationId)).toEqual([world.roleId, world.freeRoleId].sort())
    const none = await server.api('POST', path(), { roleIds: [] })
    expect([none.status, none.body]).toEqual([201, { roleIds: [], addedRoleIds: [] }])
  })

  test('PUT replaces the roles: some are removed, some added, some kept; an empty list removes all', async () => {
    const { body: third } = await server.api('POST', '/roles', { name: fresh('third'), type: 'MachineToMachine' })
    await server.api('POST', path(), { roleIds: [world.freeRoleId] })
    expect(await server.api('PUT', path(), { roleIds: [world.roleId, third.id, third.id] })).toMatchObject({
      status: 200,
    })
    expect(await rolesOf(world.applicationId)).toEqual([world.roleId, third.id].sort())
    expect((await server.api('PUT', path(), { roleIds: [] })).status).toBe(200)
    expect(await rolesOf(world.applicationId)).toEqual([])
  })

  test('DELETE takes one away with 204; one that is not held is 404', async () => {
    expect((await server.api('DELETE', `${path()}/${world.roleId}`)).status).toBe(204)
    expect(await rolesOf(world.applicationId)).toEqual([])
    expect((await server.api('DELETE', `${path()}/${world.roleId}`)).status).toBe(404)
    const missing = await server.api('DELETE', `${path()}/${world.scopeId}`)
    expect([missing.status, missing.body.data]).toEqual([404, { entity: 'role', id: world.scopeId }])
  })

  test.each(['POST', 'PUT'] as const)(
    '%s of an id that names no role is 422, names it, and changes nothing',
    async (method) => {
      for (const id of ['x', world.applicationId, world.scopeId]) {
        const { status, body } = await server.api(method, path(), { roleIds: [world.freeRoleId, id] })
        expect([status, body.code, body.data]).toEqual([
          422,
          'entity.relation_foreign_key_not_found',
          { roleIds: [id] },
        ])
      }
      expect(await rolesOf(world.applicationId)).toEqual([world.roleId])
    },
  )

  test.each(['POST', 'PUT'] as const)('E1: %s of a role of users is 422 and changes nothing', async (method) => {
    const { status, body } = await server.api(method, path(), { roleIds: [world.freeRoleId, await userRole()] })
    expect([status, body.code]).toEqual([422, 'application.invalid_role_type'])
    expect(await rolesOf(world.applicationId)).toEqual([world.roleId])
  })

  test('an application of another type than MachineToMachine has no roles: 422', async () => {
    const of = `/applications/${await spa()}/roles`
    const answers = [
      await server.api('GET', of),
      await server.api('POST', of, { roleIds: [world.roleId] }),
      await server.api('PUT', of, { roleIds: [world.roleId] }),
    ]
    for (const { status, body } of answers) expect([status, body.code]).toEqual([422, 'application.invalid_type'])
    expect((await server.api('DELETE', `${of}/${world.roleId}`)).status).toBe(404)
  })
})

describe('/roles/:id/applications', () => {
  const path = () => `/roles/${world.freeRoleId}/applications`

  test('POST answers 201 and gives the role to all of them, ignoring duplicates', async () => {
    const applicationIds = [world.applicationId, world.freeApplicationId, world.applicationId]
    expect((await server.api('POST', path(), { applicationIds })).status).toBe(201)
    expect(await holdersOf(world.freeRoleId)).toEqual([world.applicationId, world.freeApplicationId].sort())
  })

  test('POST of one that holds the role already is 422, names it, and gives the role to no other', async () => {
    await server.api('POST', path(), { applicationIds: [world.applicationId] })
    const applicationIds = [world.freeApplicationId, world.applicationId]
    const { status, body } = await server.api('POST', path(), { applicationIds })
    expect([status, body.code, body.data]).toEqual([
      422,
      'role.application_exists',
      { applicationIds: [world.applicationId] },
    ])
    expect(await holdersOf(world.freeRoleId)).toEqual([world.applicationId])
    // sorted, in whatever order they were sent
    await server.api('POST', path(), { applicationIds: [world.freeApplicationId] })
    const both = [world.applicationId, world.freeApplicationId].sort()
    const again = await server.api('POST', path(), { applicationIds: both.toReversed() })
    expect(again.body.data).toEqual({ applicationIds: both })
  })

  test('POST of an application of another type, or of an unknown id, is 422', async () => {
    const wrong = await server.api('POST', path(), { applicationIds: [world.applicationId, await spa()] })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'application.invalid_type'])
    const unknown = await server.api('POST', path(), { applicationIds: [world.applicationId, world.roleId] })
    expect([unknown.status, unknown.body.code]).toEqual([422, 'entity.relation_foreign_key_not_found'])
    expect(await holdersOf(world.freeRoleId)).toEqual([])
  })

  test('E1: a role of type User cannot be given to an application: 422', async () => {
    const of = `/roles/${await userRole()}/applications`
    const { status, body } = await server.api('POST', of, { applicationIds: [world.applicationId] })
    expect([status, body.code]).toEqual([422, 'application.invalid_role_type'])
  })

  test('DELETE takes it away with 204; where it is not held it is 404', async () => {
    const one = `/roles/${world.roleId}/applications/${world.applicationId}`
    expect((await server.api('DELETE', one)).status).toBe(204)
    expect(await rolesOf(world.applicationId)).toEqual([])
    expect((await server.api('DELETE', one)).status).toBe(404)
  })

  test('the list can be searched by a part of the name', async () => {
    await server.api('POST', path(), { applicationIds: [world.applicationId, world.freeApplicationId] })
    const { body } = await server.api('GET', `${path()}?search=%25idl%25`)
    expect(body.map(({ id }: { id: string }) => id)).toEqual([world.freeApplicationId])
  })
})

test('concurrent changes of the same roles from both sides never answer 500', async () => {
  const { applicationId, freeApplicationId, roleId, freeRoleId } = world
  const of = (id: string) => `/applications/${id}/roles`
  const answers = await Promise.all(
    Array.from({ length: 15 }, () => [
      server.api('POST', of(applicationId), { roleIds: [roleId, freeRoleId] }),
      server.api('PUT', of(applicationId), { roleIds: [freeRoleId] }),
      server.api('DELETE', `${of(applicationId)}/${freeRoleId}`),
      server.api('POST', `/roles/${freeRoleId}/applications`, { applicationIds: [freeApplicationId, applicationId] }),
      server.api('DELETE', `/roles/${roleId}/applications/${applicationId}`),
    ]).flat(),
  )
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  const held = await rolesOf(applicationId)
  for (const id of [roleId, freeRoleId]) expect((await holdersOf(id)).includes(applicationId)).toBe(held.includes(id))
})
