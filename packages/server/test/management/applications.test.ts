/** Applications: DECISIONS C1, statuses and shapes of the reference. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createWorld, fresh, holdFinePermissions, managementToken } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const create = (fields: Record<string, unknown> = {}) =>
  server.api('POST', '/applications', { name: fresh('App'), type: 'Traditional', ...fields })
const change = (id: string, fields: Record<string, unknown>) => server.api('PATCH', `/applications/${id}`, fields)

test('POST answers 200 with the application and no secret in it', async () => {
  const { status, body } = await server.api('POST', '/applications', { name: 'Büro 事務所 🏢', type: 'Traditional' })
  expect(status).toBe(200)
  expect(body).toEqual({
    tenantId: 'default',
    registration: null,
    protectedAppMetadata: null,
    id: expect.stringMatching(/^[0-9a-z]{21}$/),
    name: 'Büro 事務所 🏢',
    description: null,
    type: 'Traditional',
    oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] },
    customClientMetadata: {},
    customData: {},
    isThirdParty: false,
    appLevelAccessControlEnabled: false,
    createdAt: server.clock.now().getTime(),
  })
  expect((await server.api('GET', `/applications/${body.id}`)).body).toEqual({ ...body, isAdmin: false })
})

test.each([
  ['Native', 0],
  ['SPA', 0],
  ['Traditional', 1],
  ['MachineToMachine', 1],
])('an application of type %s begins with %d secrets', async (type, secrets) => {
  const { body } = await create({ type })
  expect((await server.api('GET', `/applications/${body.id}/secrets`)).body).toHaveLength(secrets)
})

test.each([
  {},
  { name: 'x' },
  { type: 'SPA' },
  { name: '', type: 'SPA' },
  { name: 'x'.repeat(257), type: 'SPA' },
  { name: 'x', type: 'spa' },
  { name: 'x', type: 'SPA', customData: [] },
  { name: 'x', type: 'SPA', customData: 'x' },
  { name: 'x', type: 'SPA', oidcClientMetadata: { redirectUris: 'https://a.example' } },
  {
    name: 'x',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: Array.from({ length: 101 }, () => 'https://a.example') },
  },
  { name: 'x', type: 'SPA', customClientMetadata: { refreshTokenTtlInDays: 181 } },
  { name: 'x', type: 'SPA', customClientMetadata: { maxAllowedGrants: 0 } },
  { name: 'x', type: 'SPA', description: 'x'.repeat(1025) },
])('POST refuses %j with 400', async (body) => {
  const answer = await server.api('POST', '/applications', body)
  expect([answer.status, answer.body.code]).toEqual([400, 'guard.invalid_input'])
})

test('POST refuses type SAML with a specific code', async () => {
  const answer = await server.api('POST', '/applications', { name: 'x', type: 'SAML' })
  expect([answer.status, answer.body.code]).toEqual([400, 'application.saml.use_saml_app_api'])
})

test('PATCH merges OIDC metadata, replaces own metadata and custom data, and cannot change type or party', async () => {
  const { body } = await create({
    description: 'before',
    oidcClientMetadata: { redirectUris: ['https://a.example/cb'], logoUri: 'https://a.example/logo' },
    customClientMetadata: { idTokenTtl: 60, requirePkce: true },
    customData: { kept: 1 },
  })
  const { status, body: after } = await change(body.id, {
    type: 'SPA',
    isThirdParty: true,
    oidcClientMetadata: { redirectUris: ['https://b.example/cb'] },
    customClientMetadata: { idTokenTtl: 120 },
    customData: { other: { deep: [1, null, '文'] } },
  })
  expect(status).toBe(200)
  expect(after).toEqual({
    ...body,
    oidcClientMetadata: { ...body.oidcClientMetadata, redirectUris: ['https://b.example/cb'] },
    customClientMetadata: { idTokenTtl: 120 },
    customData: { other: { deep: [1, null, '文'] } },
  })
  expect((await change(body.id, {})).body).toEqual(after)
  expect((await change(body.id, { description: null })).body.description).toBeNull()
})

test('PATCH of the custom data merges at the top level and answers with all of it', async () => {
  const { body } = await create({ customData: { a: { x: 1 }, b: 2 } })
  const path = `/applications/${body.id}/custom-data`
  const { status, body: merged } = await server.api('PATCH', path, { a: { y: 2 }, c: null, constructor: 'x' })
  expect(status).toBe(200)
  expect(merged).toEqual({ a: { y: 2 }, b: 2, c: null, constructor: 'x' })
  expect((await server.api('GET', `/applications/${body.id}`)).body.customData).toEqual(merged)
  expect((await server.api('PATCH', path, {})).body).toEqual(merged)
  for (const wrong of [[], 'x', 1, null]) expect((await server.api('PATCH', path, wrong)).status).toBe(400)
})

test('20 concurrent merges into the custom data lose nothing', async () => {
  const { body } = await create()
  const path = `/applications/${body.id}/custom-data`
  const keys = Array.from({ length: 20 }, (_, i) => `key${i}`)
  await Promise.all(keys.map((key) => server.api('PATCH', path, { [key]: key })))
  const { body: after } = await server.api('GET', `/applications/${body.id}`)
  expect(Object.keys(after.customData).sort()).toEqual([...keys].sort())
})

describe('third-party applications', () => {
  test.each(['Native', 'SPA', 'Traditional'])('may be of type %s', async (type) => {
    expect((await create({ type, isThirdParty: true })).body.isThirdParty).toBe(true)
  })
  test('may not be of type MachineToMachine: 400', async () => {
    const { status, body } = await create({ type: 'MachineToMachine', isThirdParty: true })
    expect([status, body.code]).toEqual([400, 'application.invalid_third_party_application_type'])
  })
  test('H2: cannot enable token exchange, at POST or at PATCH: 422', async () => {
    const code = 'application.third_party_application_cannot_enable_token_exchange'
    const customClientMetadata = { allowTokenExchange: true }
    const { status, body } = await create({ isThirdParty: true, customClientMetadata })
    expect([status, body.code]).toEqual([422, code])
    const { body: application } = await create({ isThirdParty: true })
    const patched = await change(application.id, { customClientMetadata })
    expect([patched.status, patched.body.code]).toEqual([422, code])
    expect((await create({ customClientMetadata })).status).toBe(200)
  })
})

describe('the device flow', () => {
  const customClientMetadata = { isDeviceFlow: true }
  test('is for Native applications only: 422', async () => {
    expect((await create({ type: 'Native', customClientMetadata })).status).toBe(200)
    for (const type of ['SPA', 'Traditional', 'MachineToMachine']) {
      const { status, body } = await create({ type, customClientMetadata })
      expect([status, body.code]).toEqual([422, 'application.device_flow_native_only'])
    }
  })
  test('DECISIONS C10: stays chosen where the rest of the metadata is replaced', async () => {
    const { body } = await create({ type: 'Native', customClientMetadata: { ...customClientMetadata, idTokenTtl: 60 } })
    const replaced = await change(body.id, { customClientMetadata: { requirePkce: true } })
    expect(replaced.body.customClientMetadata).toEqual({ ...customClientMetadata, requirePkce: true })
  })
  test('is chosen at creation and cannot be changed: 422', async () => {
    const code = 'application.device_flow_not_changeable'
    const { body: without } = await create({ type: 'Native' })
    expect(await change(without.id, { customClientMetadata })).toMatchObject({ status: 422, body: { code } })
    const { body: having } = await create({ type: 'Native', customClientMetadata })
    const off = { customClientMetadata: { isDeviceFlow: false } }
    expect(await change(having.id, off)).toMatchObject({ status: 422, body: { code } })
    expect((await change(having.id, { customClientMetadata, name: 'TV' })).body.name).toBe('TV')
  })
})

describe('client authentication settings', () => {
  test.each(['Native', 'SPA'])('a public application of type %s has none: 400', async (type) => {
    const customClientMetadata = { tokenEndpointAuthMethod: 'client_secret_post' }
    expect((await create({ type, customClientMetadata })).status).toBe(400)
  })
  test('private_key_jwt needs keys: 400 without, 200 with a public key', async () => {
    const customClientMetadata = { tokenEndpointAuthMethod: 'private_key_jwt' }
    expect((await create({ customClientMetadata })).status).toBe(400)
    const { publicKey } = await generateKeyPair('ES256', { extractable: true })
    const jwks = { keys: [await exportJWK(publicKey)] }
    expect((await create({ customClientMetadata: { ...customClientMetadata, jwks } })).status).toBe(200)
  })
  test('R-33: keys with a private part, symmetric, weak or broken keys are refused with 400', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const rsa = { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(128, 0xff).toString('base64url') }
    const broken = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }
    const symmetric = { kty: 'oct', k: 'c2VjcmV0' }
    for (const key of [await exportJWK(privateKey), symmetric, rsa, broken, {}, { kty: 'EC', crv: 'P-521' }]) {
      const { status } = await create({ customClientMetadata: { jwks: { keys: [key] } } })
      expect(status).toBe(400)
    }
    expect((await create({ customClientMetadata: { jwks: { keys: [] } } })).status).toBe(400)
  })
})

test('the list can be narrowed by types, party, a part of the name or the id, and a role that is not held', async () => {
  const world = await createWorld(server)
  const { body: spa } = await create({ type: 'SPA', name: fresh('Narrow_5%'), isThirdParty: true })
  const found = async (query: string) =>
    (await server.api('GET', `/applications?page_size=100&${query}`)).body.map(({ id }: { id: string }) => id)
  expect(await found('types=SPA')).toContain(spa.id)
  expect(await found('types=Native')).not.toContain(spa.id)
  const both = await found('types=SPA&types=MachineToMachine')
  expect(both).toEqual(expect.arrayContaining([spa.id, world.applicationId]))
  expect(await found('isThirdParty=true')).toContain(spa.id)
  expect(await found('isThirdParty=false')).not.toContain(spa.id)
  expect(await found('search=narrow_5%25')).toEqual([spa.id])
  expect(await found('search=%25arrow_5%25')).toEqual([spa.id])
  expect(await found(`search=${spa.id}`)).toEqual([spa.id])
  expect(await found(`search=%25${spa.id}%25`)).toEqual([spa.id])
  const without = await found(`excludeRoleId=${world.roleId}`)
  expect(without).toContain(world.freeApplicationId)
  expect(without).not.toContain(world.applicationId)
  const { body: organization } = await server.api('POST', '/organizations', { name: 'left out' })
  await server.api('POST', `/organizations/${organization.id}/applications`, { applicationIds: [world.applicationId] })
  const outside = await found(`excludeOrganizationId=${organization.id}`)
  expect(outside).toContain(world.freeApplicationId)
  expect(outside).not.toContain(world.applicationId)
  for (const query of ['types=Protected', 'isThirdParty=1', 'types=']) {
    expect((await server.api('GET', `/applications?${query}`)).status).toBe(400)
  }
})

test('isAdmin says whether the application holds every permission of the Management API', async () => {
  const { body } = await server.api('GET', `/applications/${server.credentials.clientId}`)
  expect(body.isAdmin).toBe(true)
})

test('isAdmin of PATCH grants and revokes what GET shows, together with the other changes or not at all', async () => {
  const { body } = await create({ type: 'MachineToMachine' })
  const patch = (id: string, change: object) => server.api('PATCH', `/applications/${id}`, change)
  const isAdmin = async () => (await server.api('GET', `/applications/${body.id}`)).body.isAdmin
  for (const admin of [true, true, false, false]) {
    const { status, body: answer } = await patch(body.id, { isAdmin: admin, name: `admin: ${admin}` })
    expect([status, answer.name, await isAdmin()]).toEqual([200, `admin: ${admin}`, admin])
  }
  const { body: spa } = await create({ type: 'SPA' })
  const refused = await patch(spa.id, { isAdmin: true, name: 'other' })
  expect([refused.status, refused.body.code]).toEqual([422, 'application.invalid_type'])
  expect((await server.api('GET', `/applications/${spa.id}`)).body.name).toBe(spa.name)
  expect((await patch(spa.id, { isAdmin: false })).status).toBe(200)
})

test('isAdmin of PATCH gives the role with `all` and the fewest other permissions; an `all` of another API does not count', async () => {
  const { api, credentials } = server
  const { body: resources } = await api('GET', '/resources?includeScopes=true')
  const own = resources.find(({ indicator }: { indicator: string }) => indicator === credentials.resource)
  const all = own.scopes.find(({ name }: { name: string }) => name === 'all').id
  const { body: another } = await api('POST', '/resources', { name: 'Another', indicator: 'https://another.example' })
  const scope = async (name: string) => (await api('POST', `/resources/${another.id}/scopes`, { name })).body.id
  const role = async (...scopeIds: string[]): Promise<string> =>
    (await api('POST', '/roles', { name: fresh('role'), type: 'MachineToMachine', scopeIds })).body.id
  const namesake = await role(await scope('all'))
  const [more, most] = [await scope('more'), await scope('most')]
  const { body: held } = await api('GET', `/applications/${credentials.clientId}/roles`)
  for (const { id } of held) await api('POST', `/roles/${id}/scopes`, { scopeIds: [more, most] })
  await role(all, more, most)
  server.clock.advance(1)
  const least = [await role(all, more)]
  server.clock.advance(1)
  await role(all, more)
  const { body } = await create({ type: 'MachineToMachine' })
  const rolesOf = async () =>
    (await api('GET', `/applications/${body.id}/roles`)).body.map(({ id }: { id: string }) => id)
  await api('POST', `/applications/${body.id}/roles`, { roleIds: [namesake] })
  expect((await api('GET', `/applications/${body.id}`)).body.isAdmin).toBe(false)
  expect((await api('PATCH', `/applications/${body.id}`, { isAdmin: true })).status).toBe(200)
  expect((await rolesOf()).sort()).toEqual([namesake, ...least].sort())
  expect((await api('PATCH', `/applications/${body.id}`, { isAdmin: false })).status).toBe(200)
  expect(await rolesOf()).toEqual([namesake])
  for (const { id } of held) for (const each of [more, most]) await api('DELETE', `/roles/${id}/scopes/${each}`)
})

test('R-33 isAdmin of PATCH is refused to callers without all permissions', async () => {
  const { body } = await create({ type: 'MachineToMachine' })
  await holdFinePermissions(server)
  const token = await managementToken(server, 'write:applications')
  const patch = (id: string, isAdmin: boolean) => server.api('PATCH', `/applications/${id}`, { isAdmin }, { token })
  expect((await patch(body.id, true)).status).toBe(403)
  expect((await server.api('GET', `/applications/${body.id}`)).body.isAdmin).toBe(false)
  await server.api('PATCH', `/applications/${body.id}`, { isAdmin: true })
  expect((await patch(body.id, false)).status).toBe(403)
  expect((await server.api('GET', `/applications/${body.id}`)).body.isAdmin).toBe(true)
})

test('DELETE removes the application with its roles and secrets; a second time is 404', async () => {
  const world = await createWorld(server)
  const path = `/applications/${world.applicationId}`
  expect((await server.api('DELETE', path)).status).toBe(204)
  for (const rest of ['', '/secrets', '/roles']) expect((await server.api('GET', path + rest)).status).toBe(404)
  expect((await server.api('GET', `/roles/${world.roleId}/applications`)).body).toEqual([])
  expect((await server.api('DELETE', path)).status).toBe(404)
})

test.each(['none', 'HS256', 'PS384', '', 5])(
  '%j is refused with 400 as the algorithm of ID tokens',
  async (idTokenSignedResponseAlg) => {
    const body = { name: 'Notes', type: 'SPA', customClientMetadata: { idTokenSignedResponseAlg } }
    expect((await server.api('POST', '/applications', body)).status).toBe(400)
  },
)
