/** What applications are configured with around organizations: consents, what they may ask for, and who may use them. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createUser, idsOf, refusal } from '../users/arrange.ts'
import {
  createMachine,
  createMember,
  createOrganization,
  createRole,
  createScope,
  managementScopeId,
  named,
} from './api-arrange.ts'

let server: TestServer
let thirdParty: string
let spa: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())
const application = async (fields: object) =>
  (await server.api('POST', '/applications', { name: 'App', type: 'SPA', ...fields })).body.id as string
beforeEach(async () => {
  thirdParty = await application({ isThirdParty: true })
  spa = await application({})
})

describe('/applications/:id/users/:userId/consent-organizations', () => {
  test('POST adds, PUT replaces, DELETE takes one; the last added comes first', async () => {
    const { api, clock } = server
    const { organizationId: a, userId } = await createMember(server)
    const b = await createOrganization(server)
    await api('POST', `/organizations/${b}/users`, { userIds: [userId] })
    const path = `/applications/${thirdParty}/users/${userId}/consent-organizations`
    const held = async () => idsOf({ ...(await api('GET', path)), body: (await api('GET', path)).body.organizations })
    expect((await api('POST', path, { organizationIds: [a, a] })).status).toBe(201)
    clock.advance(1)
    expect((await api('POST', path, { organizationIds: [a, b] })).status).toBe(201)
    expect(await held()).toEqual([b, a])
    expect((await api('GET', path)).headers.get('total-number')).toBe('2')
    expect((await api('GET', path)).body.organizations[1]).toEqual((await api('GET', `/organizations/${a}`)).body)
    expect((await api('PUT', path, { organizationIds: [b] })).status).toBe(204)
    expect(await held()).toEqual([b])
    expect((await api('DELETE', `${path}/${b}`)).status).toBe(204)
    expect((await api('DELETE', `${path}/${b}`)).status).toBe(404)
    await api('POST', path, { organizationIds: [a] })
    await api('DELETE', `/organizations/${a}/users/${userId}`)
    expect(await held()).toEqual([])
  })

  test('is for members, for third-party applications, and for users that exist', async () => {
    const { api } = server
    const { organizationId, userId } = await createMember(server)
    const foreign = await createOrganization(server)
    const path = (id: string, user = userId) => `/applications/${id}/users/${user}/consent-organizations`
    for (const method of ['POST', 'PUT'] as const) {
      const stranger = await api(method, path(thirdParty), { organizationIds: [organizationId, foreign] })
      expect(named(stranger)).toEqual([422, 'organization.require_membership', { organizationIds: [foreign] }])
      const unknown = await api(method, path(thirdParty), { organizationIds: [organizationId, 'x'] })
      expect(named(unknown)).toEqual([422, 'entity.relation_foreign_key_not_found', { organizationIds: ['x'] }])
      const own = await api(method, path(spa), { organizationIds: [organizationId] })
      expect(refusal(own)).toEqual([422, 'application.third_party_application_only'])
      expect((await api(method, path(thirdParty, '000000000000'), { organizationIds: ['x'] })).status).toBe(404)
      expect((await api(method, path('0'), { organizationIds: ['x'] })).status).toBe(404)
    }
    expect((await api('GET', path(thirdParty))).body).toEqual({ organizations: [] })
    expect(refusal(await api('GET', path(spa)))).toEqual([422, 'application.third_party_application_only'])
    expect((await api('GET', path(thirdParty, '000000000000'))).status).toBe(404)
  })
})

describe('/applications/:id/user-consent-scopes', () => {
  test('holds organization permissions and API permissions within organizations, apart from the others', async () => {
    const { api } = server
    const path = `/applications/${thirdParty}/user-consent-scopes`
    const { body: resource } = await api('POST', '/resources', { name: 'A', indicator: 'https://a.example' })
    const { body: scope } = await api('POST', `/resources/${resource.id}/scopes`, { name: 'read' })
    const own = await createScope(server)
    const body = { organizationScopes: [own, own], organizationResourceScopes: [scope.id] }
    expect((await api('POST', path, body)).status).toBe(201)
    expect((await api('POST', path, body)).status).toBe(201)
    const grouped = {
      resource: { id: resource.id, name: 'A', indicator: 'https://a.example' },
      scopes: [{ id: scope.id, name: 'read', description: null }],
    }
    expect((await api('GET', path)).body).toEqual({
      organizationScopes: [{ id: own, name: expect.any(String), description: null }],
      resourceScopes: [],
      organizationResourceScopes: [grouped],
      userScopes: [],
    })
    expect((await api('DELETE', `${path}/resource-scopes/${scope.id}`)).status).toBe(404)
    expect((await api('DELETE', `${path}/organization-resource-scopes/${scope.id}`)).status).toBe(204)
    expect((await api('DELETE', `${path}/organization-scopes/${own}`)).status).toBe(204)
    expect((await api('DELETE', `${path}/organization-scopes/${own}`)).status).toBe(404)
  })

  test('are listed by name, those of APIs by the name of the API first', async () => {
    const { api } = server
    const path = `/applications/${thirdParty}/user-consent-scopes`
    const scopeIds: string[] = []
    for (const [name, indicator] of [
      ['Zoo', 'https://zoo.example'],
      ['Ark', 'https://ark-1.example'],
      ['Ark', 'https://ark-2.example'],
    ]) {
      const { body: resource } = await api('POST', '/resources', { name, indicator })
      for (const scope of ['write', 'read'])
        scopeIds.unshift((await api('POST', `/resources/${resource.id}/scopes`, { name: scope })).body.id)
    }
    const organizationScopes = [await createScope(server, { name: 'b:z' }), await createScope(server, { name: 'b:a' })]
    await api('POST', path, { resourceScopes: [...scopeIds, scopeIds[0]], organizationScopes })
    const { body } = await api('GET', path)
    type Named = { name: string }
    type Group = { resource: Named & { id: string }; scopes: Named[] }
    expect(
      body.resourceScopes.map(({ resource, scopes }: Group) => [resource.name, ...scopes.map(({ name }) => name)]),
    ).toEqual([
      ['Ark', 'read', 'write'],
      ['Ark', 'read', 'write'],
      ['Zoo', 'read', 'write'],
    ])
    const arks = body.resourceScopes.slice(0, 2).map(({ resource }: Group) => resource.id)
    expect(arks).toEqual(arks.toSorted())
    expect(body.organizationScopes.map(({ name }: Named) => name)).toEqual(['b:a', 'b:z'])
  })

  test('unknown ones are refused whole, and so are permissions of the Management API', async () => {
    const { api } = server
    const path = `/applications/${thirdParty}/user-consent-scopes`
    const own = await createScope(server)
    const code = 'application.user_consent_scopes_not_found'
    const first = await api('POST', path, { organizationScopes: [own, 'x'] })
    expect(named(first)).toEqual([422, code, { invalidScopes: ['x'] }])
    const second = await api('POST', path, { organizationScopes: [own], organizationResourceScopes: [own] })
    expect(named(second)).toEqual([422, code, { invalidScopes: [own] }])
    const management = { organizationResourceScopes: [await managementScopeId(server)] }
    const refused = [422, 'application.consent_management_api_scopes_not_allowed']
    expect(refusal(await api('POST', path, management))).toEqual(refused)
    expect((await api('GET', path)).body.organizationScopes).toEqual([])
  })
})

describe('/applications/:id/access-control', () => {
  const EMPTY = { userIds: [], userRoleIds: [], organizationIds: [], organizationRoleRules: [] }
  const put = (rules: object, id = spa) =>
    server.api('PUT', `/applications/${id}/access-control`, { ...EMPTY, ...rules })

  test('is empty at first; PUT replaces all of it, duplicates count once', async () => {
    const { api } = server
    expect((await api('GET', `/applications/${spa}/access-control`)).body).toEqual(EMPTY)
    const userId = await createUser(server)
    const { body: role } = await api('POST', '/roles', { name: 'may use it' })
    const [a, b] = [await createOrganization(server), await createOrganization(server)]
    const roles = [await createRole(server), await createRole(server)].sort()
    const rule = { organizationId: b, organizationRoleIds: roles }
    const rules = {
      userIds: [userId],
      userRoleIds: [role.id],
      organizationIds: [a],
      organizationRoleRules: [rule],
    }
    const twice = Object.fromEntries(Object.entries(rules).map(([name, ids]) => [name, [...ids, ...ids]]))
    const other = await application({})
    expect(await put(twice, other)).toMatchObject({ status: 200, body: rules })
    // each application has its own
    expect((await api('GET', `/applications/${spa}/access-control`)).body).toEqual(EMPTY)
    expect(await put(twice)).toMatchObject({ status: 200, body: rules })
    expect((await api('GET', `/applications/${spa}/access-control`)).body).toEqual(rules)
    await api('DELETE', `/organizations/${b}`)
    expect((await put({ userIds: [userId] })).body).toEqual({ ...EMPTY, userIds: [userId] })
    const kept = { ...rules, organizationRoleRules: [] }
    expect((await api('GET', `/applications/${other}/access-control`)).body).toEqual(kept)
  })

  test('names only what exists and is of users, and nothing empty', async () => {
    const { api } = server
    const unknown = (field: string) => [422, 'entity.relation_foreign_key_not_found', { [field]: ['x'] }]
    const organizationId = await createOrganization(server)
    for (const field of ['userIds', 'userRoleIds', 'organizationIds'])
      expect(named(await put({ [field]: ['x'] }))).toEqual(unknown(field))
    const rules = (organization: string, ...organizationRoleIds: string[]) => ({
      organizationRoleRules: [{ organizationId: organization, organizationRoleIds }],
    })
    const role = await createRole(server)
    expect(named(await put(rules('x', role)))).toEqual(unknown('organizationRoleRules'))
    expect(named(await put(rules(organizationId, 'x')))).toEqual(unknown('organizationRoleIds'))
    expect(refusal(await put(rules(organizationId)))).toEqual([422, 'application.access_control_empty'])
    const machineRole = await createRole(server, { type: 'MachineToMachine' })
    expect(refusal(await put(rules(organizationId, machineRole)))).toEqual([422, 'user.invalid_role_type'])
    const { body: machines } = await api('POST', '/roles', { name: 'machines', type: 'MachineToMachine' })
    expect(refusal(await put({ userRoleIds: [machines.id] }))).toEqual([422, 'user.invalid_role_type'])
    expect(refusal(await put({}, await createMachine(server)))).toEqual([422, 'application.invalid_type'])
    expect((await api('GET', `/applications/${spa}/access-control`)).body).toEqual(EMPTY)
  })

  test('the application says whether it counts; while it does the rules cannot be empty', async () => {
    const { api } = server
    expect((await api('GET', `/applications/${spa}`)).body.appLevelAccessControlEnabled).toBe(false)
    const changed = await api('PATCH', `/applications/${spa}`, { appLevelAccessControlEnabled: true })
    expect(changed.body.appLevelAccessControlEnabled).toBe(true)
    expect((await api('PATCH', `/applications/${spa}`, { name: 'x' })).body.appLevelAccessControlEnabled).toBe(true)
    expect(refusal(await put({}))).toEqual([422, 'application.access_control_empty'])
    expect((await put({ userIds: [await createUser(server)] })).status).toBe(200)
    const on = await application({ appLevelAccessControlEnabled: true })
    expect((await api('GET', `/applications/${on}`)).body.appLevelAccessControlEnabled).toBe(true)
  })
})
