/** The organization template: roles and permissions that all organizations share, and what users can never hold (B4). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fresh } from '../management/arrange.ts'
import { idsOf, refusal } from '../users/arrange.ts'
import { createMember, createOrganization, createRole, createScope, managementScopeId, named } from './api-arrange.ts'

let server: TestServer
let resourceId: string
let scopeId: string
let all: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const { body } = await server.api('POST', '/resources', { name: 'Orders', indicator: 'https://orders.example' })
  resourceId = body.id
  scopeId = (await server.api('POST', `/resources/${resourceId}/scopes`, { name: 'read' })).body.id
  all = await managementScopeId(server)
})
afterAll(() => server.close())

describe('/organization-scopes', () => {
  test('are created with 201, read, changed, found by a part of the name and deleted', async () => {
    const { api } = server
    const name = fresh('invite:member')
    const { status, body } = await api('POST', '/organization-scopes', { name, description: 'd' })
    expect([status, body]).toEqual([201, { tenantId: 'default', id: body.id, name, description: 'd' }])
    const path = `/organization-scopes/${body.id}`
    expect((await api('GET', path)).body).toEqual(body)
    expect((await api('PATCH', path, { description: null })).body).toEqual({ ...body, description: null })
    expect(idsOf(await api('GET', `/organization-scopes?q=${encodeURIComponent(name.toUpperCase())}`))).toEqual([
      body.id,
    ])
    expect(idsOf(await api('GET', `/organization-scopes?q=${body.id}`))).toEqual([body.id])
    expect((await api('DELETE', path)).status).toBe(204)
    expect((await api('GET', path)).status).toBe(404)
  })

  test('a name is one scope, and there is one of each', async () => {
    const { api } = server
    for (const name of ['a b', 'a"b', 'ä', 'a\tb', '\u200b'])
      expect(refusal(await api('POST', '/organization-scopes', { name }))).toEqual([400, 'scope.name_with_space'])
    const name = fresh('twice')
    await api('POST', '/organization-scopes', { name })
    const again = await api('POST', '/organization-scopes', { name })
    expect(refusal(again)).toEqual([422, 'entity.unique_integrity_violation'])
    const other = await createScope(server)
    const renamed = await api('PATCH', `/organization-scopes/${other}`, { name })
    expect(refusal(renamed)).toEqual([422, 'entity.unique_integrity_violation'])
  })
})

describe('/organization-roles', () => {
  test('begin with permissions of both kinds, and are listed with them', async () => {
    const { api } = server
    const own = await createScope(server)
    const name = fresh('admin')
    const body = { name, organizationScopeIds: [own, own], resourceScopeIds: [scopeId, scopeId] }
    const answer = await api('POST', '/organization-roles', body)
    const role = { tenantId: 'default', id: answer.body.id, name, description: null, type: 'User' }
    expect([answer.status, answer.body]).toEqual([201, role])
    const listed = await api('GET', `/organization-roles?q=${name}`)
    expect(listed.body).toEqual([
      {
        ...role,
        scopes: [{ id: own, name: expect.any(String) }],
        resourceScopes: [{ id: scopeId, name: 'read', resource: { id: resourceId, name: 'Orders' } }],
      },
    ])
    expect((await api('GET', `/organization-roles/${role.id}`)).body).toEqual(role)
    expect(idsOf(await api('GET', `/organization-roles/${role.id}/scopes`))).toEqual([own])
    const [api1] = (await api('GET', `/organization-roles/${role.id}/resource-scopes`)).body
    expect(api1).toMatchObject({ id: scopeId, resourceId, name: 'read', createdAt: expect.any(Number) })
  })

  test('one unknown permission refuses the whole role', async () => {
    const own = await createScope(server)
    const name = fresh('half')
    for (const [field, ids, id] of [
      ['organizationScopeIds', [own, scopeId], scopeId],
      ['resourceScopeIds', [scopeId, own], own],
    ] as const) {
      const answer = await server.api('POST', '/organization-roles', { name, [field]: ids })
      expect(named(answer)).toEqual([422, 'entity.relation_foreign_key_not_found', { [field]: [id] }])
    }
    expect((await server.api('GET', `/organization-roles?q=${name}`)).body).toEqual([])
  })

  test.each([
    ['scopes', 'organizationScopeIds', () => createScope(server)],
    [
      'resource-scopes',
      'scopeIds',
      async () => (await server.api('POST', `/resources/${resourceId}/scopes`, { name: fresh('s') })).body.id,
    ],
  ] as const)('/%s: POST adds, PUT replaces, DELETE takes one', async (kind, field, make) => {
    const { api } = server
    const path = `/organization-roles/${await createRole(server)}/${kind}`
    const [first, second, third] = [await make(), await make(), await make()]
    const held = async () => idsOf(await api('GET', path)).sort()
    expect((await api('POST', path, { [field]: [first, first] })).status).toBe(201)
    expect((await api('POST', path, { [field]: [first, second] })).status).toBe(201)
    expect(await held()).toEqual([first, second].sort())
    expect((await api('PUT', path, { [field]: [second, third, third] })).status).toBe(204)
    expect(await held()).toEqual([second, third].sort())
    const unknown = await api('PUT', path, { [field]: [first, 'x'] })
    expect(named(unknown)).toEqual([422, 'entity.relation_foreign_key_not_found', { [field]: ['x'] }])
    expect(await held()).toEqual([second, third].sort())
    expect((await api('DELETE', `${path}/${second}`)).status).toBe(204)
    expect((await api('DELETE', `${path}/${second}`)).status).toBe(404)
    expect((await api('PUT', path, { [field]: [] })).status).toBe(204)
    expect(await held()).toEqual([])
    expect((await api('POST', path, { [field]: [] })).status).toBe(400)
  })

  test('permissions of the Management API are for machines only, by every path', async () => {
    const { api } = server
    const refused = [400, 'role.management_api_scopes_not_assignable_to_user_role']
    const body = { name: fresh('no'), resourceScopeIds: [scopeId, all] }
    expect(refusal(await api('POST', '/organization-roles', body))).toEqual(refused)
    const people = `/organization-roles/${await createRole(server)}/resource-scopes`
    expect(refusal(await api('POST', people, { scopeIds: [all] }))).toEqual(refused)
    expect(refusal(await api('PUT', people, { scopeIds: [all] }))).toEqual(refused)
    expect((await api('GET', people)).body).toEqual([])
    const machines = await createRole(server, { type: 'MachineToMachine', resourceScopeIds: [all, scopeId] })
    expect(refusal(await api('PATCH', `/organization-roles/${machines}`, { type: 'User' }))).toEqual(refused)
    expect((await api('GET', `/organization-roles/${machines}`)).body.type).toBe('MachineToMachine')
    expect((await api('GET', `/organization-roles/${machines}/resource-scopes`)).body).toHaveLength(2)
  })

  test('the type changes with its permissions, unless the role is held', async () => {
    const { api } = server
    const role = await createRole(server, { resourceScopeIds: [scopeId] })
    const changed = await api('PATCH', `/organization-roles/${role}`, { type: 'MachineToMachine', name: fresh('bot') })
    expect(changed).toMatchObject({ status: 200, body: { type: 'MachineToMachine' } })
    expect(idsOf(await api('GET', `/organization-roles/${role}/resource-scopes`))).toEqual([scopeId])
    const { organizationId, userId } = await createMember(server)
    const held = await createRole(server)
    const given = { organizationRoleIds: [held] }
    await api('POST', `/organizations/${organizationId}/users/${userId}/roles`, given)
    const refused = await api('PATCH', `/organization-roles/${held}`, { type: 'MachineToMachine' })
    expect(refusal(refused)).toEqual([422, 'entity.db_constraint_violated'])
    const provided = await createRole(server)
    await api('PUT', `/organizations/${organizationId}/jit/roles`, { organizationRoleIds: [provided] })
    const alsoRefused = await api('PATCH', `/organization-roles/${provided}`, { type: 'MachineToMachine' })
    expect(refusal(alsoRefused)).toEqual([422, 'entity.db_constraint_violated'])
  })

  test('deleting an entity in use removes it everywhere, and nothing else', async () => {
    const { api } = server
    const [kept, gone] = [await createScope(server), await createScope(server)]
    const role = await createRole(server, { organizationScopeIds: [kept, gone] })
    const organizationId = await createOrganization(server)
    const { body: user } = await api('POST', '/users', { username: fresh('user').replace('-', '_') })
    await api('POST', `/organizations/${organizationId}/users`, { userIds: [user.id] })
    const member = `/organizations/${organizationId}/users/${user.id}`
    await api('POST', `${member}/roles`, { organizationRoleIds: [role] })
    expect(idsOf(await api('GET', `${member}/scopes`)).sort()).toEqual([kept, gone].sort())
    await api('DELETE', `/organization-scopes/${gone}`)
    expect(idsOf(await api('GET', `${member}/scopes`))).toEqual([kept])
    await api('DELETE', `/organization-roles/${role}`)
    expect((await api('GET', `${member}/roles`)).body).toEqual([])
    expect(idsOf(await api('GET', `/organizations/${organizationId}/users`))).toEqual([user.id])
  })
})
