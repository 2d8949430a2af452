/** Tokens of organizations (DECISIONS E2, D6): for the organization, for an API in it, and never without membership. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  type Arranged,
  arrange,
  askToken,
  authorization,
  FORM,
  form,
  post,
  registerApplication,
  send,
} from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from '../sign-in/arrange.ts'
import { ask, createDevice, enter } from '../sign-in/device.ts'
import { withSecondTenant } from '../tenants/second-tenant.ts'
import {
  agree,
  audienceOf,
  authorized,
  createOrganization,
  createOrganizationRole,
  createPermission,
  join,
  joinMachine,
  mayAsk,
  ORGANIZATIONS,
  ORGANIZATIONS_RESOURCE,
  refresh,
} from './token-arrange.ts'

let server: TestServer
let permissionIds: Record<string, string>
let arranged: Arranged
let app: Awaited<ReturnType<typeof createApp>>
let user: Awaited<ReturnType<typeof createUser>>
let organizationId: string
let elsewhereId: string
let roleId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const names = ['invite:member', 'delete:organization']
  permissionIds = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await createPermission(server, name)] as const)),
  )
})
beforeEach(async () => {
  arranged = await arrange(server)
  app = await createApp(server, 'SPA')
  user = await createUser(server)
  organizationId = await createOrganization(server)
  elsewhereId = await createOrganization(server)
  roleId = await createOrganizationRole(server, {
    organizationScopeIds: [permissionIds['invite:member'] ?? ''],
    resourceScopeIds: [arranged.scopeIds['write:orders'] ?? ''],
  })
  await join(server, organizationId, user.id, [roleId])
})
afterAll(() => server.close())

const SCOPE = `openid offline_access ${ORGANIZATIONS} invite:member delete:organization read:orders write:orders`
const authorize = async (
  scope = SCOPE,
  of = app,
  resources = [arranged.resource.indicator, ORGANIZATIONS_RESOURCE],
) => {
  const begun = await begin(of.configuration, { scope })
  for (const each of resources) begun.url.searchParams.append('resource', each)
  return authorized(of, begun, user.username)
}
const inOrganization = (id = organizationId) => ({ organization_id: id })
const forApi = () => ({ resource: arranged.resource.indicator })
const claimsOf = (outcome: Awaited<ReturnType<typeof refresh>>) => decodeJwt(outcome.tokens?.access_token ?? '')
const giveRole = async (scopeNames: string[]) => {
  const scopeIds = scopeNames.map((name) => arranged.scopeIds[name])
  const { body } = await server.api('POST', '/roles', { name: `global ${arranged.resource.id}`, scopeIds })
  await server.api('POST', `/users/${user.id}/roles`, { roleIds: [body.id] })
}

describe('a code with organization_id', () => {
  const redeemed = async (parameters: Record<string, string>, scope = SCOPE, of = user) => {
    const begun = await begin(app.configuration, { scope })
    for (const each of [arranged.resource.indicator, ORGANIZATIONS_RESOURCE])
      begun.url.searchParams.append('resource', each)
    return redeem(app.configuration, await signIn(newBrowser(), begun, of.username), begun, parameters)
  }

  test('is for the organization, or for an API in it, as a refresh is', async () => {
    const tokens = await redeemed(inOrganization())
    expect(tokens).toMatchObject({ scope: 'invite:member', expires_in: 3600, id_token: expect.any(String) })
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      aud: audienceOf(organizationId),
      sub: user.id,
      scope: 'invite:member',
      organization_id: organizationId,
    })
    const { access_token, refresh_token } = await redeemed({ ...forApi(), ...inOrganization() })
    expect(decodeJwt(access_token)).toMatchObject({
      aud: arranged.resource.indicator,
      scope: 'write:orders',
      organization_id: organizationId,
    })
    expect(claimsOf(await refresh(app, refresh_token, inOrganization())).aud).toBe(audienceOf(organizationId))
  })

  test('is refused to non-members, and without the organizations scope', async () => {
    const no = { status: 403, error: 'access_denied' }
    await expect(redeemed(inOrganization(elsewhereId))).rejects.toMatchObject(no)
    await expect(redeemed(inOrganization('nonsense!'))).rejects.toMatchObject(no)
    const stranger = await createUser(server)
    await expect(redeemed(inOrganization(), SCOPE, stranger)).rejects.toMatchObject(no)
    const plain = redeemed(inOrganization(), 'openid offline_access read:orders')
    await expect(plain).rejects.toMatchObject({ status: 403, error: 'insufficient_scope' })
  })
})

test('a device code with organization_id is for the organization', async () => {
  const device = await createDevice(server)
  const parameters = [
    ['scope', SCOPE],
    ['resource', ORGANIZATIONS_RESOURCE],
  ]
  const { body: codes } = await ask(server, device.id, parameters)
  const browser = newBrowser()
  const page = await enter(server, browser, codes.user_code)
  await browser.submit(await browser.submit(page, { identifier: user.username, password: PASSWORD }), {
    answer: 'allow',
  })
  const { status, body } = await post(server, '/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: device.id,
    device_code: codes.device_code,
    ...inOrganization(),
  })
  expect(status).toBe(200)
  expect(decodeJwt(body.access_token)).toMatchObject({ aud: audienceOf(organizationId), scope: 'invite:member' })
})

describe('a refresh with organization_id', () => {
  test('without a resource is for the organization, with the requested permissions that are held there', async () => {
    const { refresh_token } = await authorize()
    const outcome = await refresh(app, refresh_token, inOrganization())
    expect(outcome.tokens).toMatchObject({ scope: 'invite:member', expires_in: 3600, token_type: 'bearer' })
    const claims = claimsOf(outcome)
    expect(claims).toMatchObject({
      iss: server.issuer,
      aud: audienceOf(organizationId),
      sub: user.id,
      client_id: app.id,
      scope: 'invite:member',
      organization_id: organizationId,
    })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600)
  })

  test("with a resource is for the API, with permissions of organization roles and of the tenant's roles", async () => {
    await giveRole(['read:orders'])
    const { refresh_token } = await authorize()
    const outcome = await refresh(app, refresh_token, { ...forApi(), ...inOrganization() })
    expect(claimsOf(outcome)).toMatchObject({
      aud: arranged.resource.indicator,
      scope: 'read:orders write:orders',
      organization_id: organizationId,
    })
  })

  test('D6 a token of the API without it has nothing that is held only in an organization, nor another organization’s', async () => {
    await join(server, elsewhereId, user.id)
    const { refresh_token } = await authorize()
    const global = await refresh(app, refresh_token, forApi())
    expect(claimsOf(global)).not.toHaveProperty('scope')
    expect(claimsOf(global)).not.toHaveProperty('organization_id')
    const other = await refresh(app, global.tokens?.refresh_token, { ...forApi(), ...inOrganization(elsewhereId) })
    expect(claimsOf(other)).toMatchObject({ organization_id: elsewhereId })
    expect(claimsOf(other)).not.toHaveProperty('scope')
  })

  test('shows permissions gained there since; those of roles of the tenant need a new authorization', async () => {
    const { refresh_token } = await authorize()
    await server.api('POST', `/organization-roles/${roleId}/scopes`, {
      organizationScopeIds: [permissionIds['delete:organization']],
    })
    await giveRole(['read:orders'])
    const first = await refresh(app, refresh_token, inOrganization())
    expect(first.tokens?.scope).toBe('invite:member delete:organization')
    const second = await refresh(app, first.tokens?.refresh_token, { ...forApi(), ...inOrganization() })
    expect(second.tokens?.scope).toBe('write:orders')
  })

  test('scope narrows it, and organization_id alone does not affect other refreshes', async () => {
    const { refresh_token } = await authorize()
    const narrowed = await refresh(app, refresh_token, { ...inOrganization(), scope: 'delete:organization' })
    expect(narrowed.tokens?.scope).toBe('')
    const opaque = await refresh(app, narrowed.tokens?.refresh_token)
    expect(opaque.tokens?.access_token).toMatch(/^cs_at_/)
  })

  test('takes the names with countersign too', async () => {
    const alias = ORGANIZATIONS.replace('logto', 'countersign')
    const scope = `openid offline_access ${alias} invite:member`
    const { refresh_token, ...tokens } = await authorize(scope, app, ['urn:countersign:resource:organizations'])
    expect(tokens.scope?.split(' ')).toContain(alias)
    const outcome = await refresh(app, refresh_token, {
      ...inOrganization(),
      resource: 'urn:countersign:resource:organizations',
    })
    expect(claimsOf(outcome)).toMatchObject({ aud: audienceOf(organizationId), scope: 'invite:member' })
  })

  test.each<[string, () => Record<string, string>, number, string]>([
    ['an organization of which the user is not a member', () => inOrganization(elsewhereId), 403, 'access_denied'],
    ['an organization that does not exist', () => inOrganization('000000000000'), 403, 'access_denied'],
    ['an invalid organization id', () => inOrganization('../%00'), 403, 'access_denied'],
    ['a very long name', () => inOrganization('a'.repeat(10_000)), 403, 'access_denied'],
    [
      'a resource that was not authorized',
      () => ({ ...inOrganization(), resource: server.credentials.resource }),
      400,
      'invalid_target',
    ],
    [
      'the reserved resource without an organization',
      () => ({ resource: ORGANIZATIONS_RESOURCE }),
      400,
      'invalid_target',
    ],
  ])('is refused for %s, and the refresh token stays good', async (_what, parameters, status, error) => {
    const { refresh_token } = await authorize()
    expect(await refresh(app, refresh_token, parameters())).toEqual({ status, error })
    expect((await refresh(app, refresh_token, inOrganization())).status).toBe(200)
  })

  test('an empty organization_id counts as none; a repeated one is refused', async () => {
    const { refresh_token = '' } = await authorize()
    const ask = (ids: string[]) =>
      post(server, '/token', { grant_type: 'refresh_token', client_id: app.id, refresh_token, organization_id: ids })
    expect((await ask([organizationId, organizationId])).body.error).toBe('invalid_request')
    expect((await ask([''])).body.access_token).toMatch(/^cs_at_/)
  })

  test('is refused with insufficient_scope where the scope was not authorized', async () => {
    const { refresh_token } = await authorize('openid offline_access invite:member')
    expect(await refresh(app, refresh_token, inOrganization())).toEqual({ status: 403, error: 'insufficient_scope' })
    expect((await refresh(app, refresh_token)).status).toBe(200)
  })

  test('an organization that requires a second factor locks out no member while the tenant has no factors', async () => {
    const { status, body } = await server.api('PATCH', `/organizations/${organizationId}`, { isMfaRequired: true })
    expect([status, body.isMfaRequired]).toEqual([200, true])
    const { refresh_token } = await authorize()
    expect((await refresh(app, refresh_token, inOrganization())).status).toBe(200)
  })

  test('R-13 a removed member is refused at the next refresh; permissions of a removed role are missing', async () => {
    const { refresh_token } = await authorize()
    await server.api('DELETE', `/organizations/${organizationId}/users/${user.id}/roles/${roleId}`)
    const without = await refresh(app, refresh_token, inOrganization())
    expect(without.status).toBe(200)
    expect(without.tokens?.scope).toBe('')
    await server.api('DELETE', `/organizations/${organizationId}/users/${user.id}`)
    const token = without.tokens?.refresh_token
    expect(await refresh(app, token, inOrganization())).toEqual({ status: 403, error: 'access_denied' })
    expect((await refresh(app, token)).status).toBe(200)
  })

  test('R-13 an organization that was deleted is refused', async () => {
    const { refresh_token } = await authorize()
    await server.api('DELETE', `/organizations/${organizationId}`)
    expect(await refresh(app, refresh_token, inOrganization())).toEqual({ status: 403, error: 'access_denied' })
  })
})

describe('a third-party application', () => {
  const consent = () => agree(server, app.id, user.id, organizationId)
  beforeEach(async () => {
    app = await createApp(server, 'SPA', { isThirdParty: true })
  })

  test('needs the scope in its configuration, and the consent of the user for the organization', async () => {
    await mayAsk(server, app.id, { organizationScopes: [permissionIds['invite:member'] ?? ''] })
    const before = await authorize()
    expect(await refresh(app, before.refresh_token, inOrganization())).toEqual({
      status: 403,
      error: 'insufficient_scope',
    })
    await mayAsk(server, app.id, { userScopes: [ORGANIZATIONS] })
    const { refresh_token } = await authorize()
    expect(await refresh(app, refresh_token, inOrganization())).toEqual({ status: 403, error: 'access_denied' })
    await consent()
    const there = await refresh(app, refresh_token, inOrganization())
    expect(there.tokens?.scope).toBe('invite:member')
    // taken out of the configuration, it ends also for grants that have it
    const configured = `/applications/${app.id}/user-consent-scopes/user-scopes/${encodeURIComponent(ORGANIZATIONS)}`
    expect((await server.api('DELETE', configured)).status).toBe(204)
    expect(await refresh(app, there.tokens?.refresh_token, inOrganization())).toEqual({
      status: 403,
      error: 'insufficient_scope',
    })
  })

  test('has its permissions in organizations, only there', async () => {
    await giveRole(['read:orders'])
    await mayAsk(server, app.id, { userScopes: [ORGANIZATIONS] })
    await consent()
    const ask = async () => {
      const { refresh_token } = await authorize()
      const there = await refresh(app, refresh_token, { ...forApi(), ...inOrganization() })
      return [there.tokens?.scope, (await refresh(app, there.tokens?.refresh_token, forApi())).tokens?.scope]
    }
    expect(await ask()).toEqual(['', ''])
    await mayAsk(server, app.id, { organizationResourceScopes: Object.values(arranged.scopeIds) })
    // read:orders is held by a role of the tenant, and the application may ask for it only of organization roles
    expect(await ask()).toEqual(['write:orders', ''])
    await mayAsk(server, app.id, { resourceScopes: [arranged.scopeIds['read:orders'] ?? ''] })
    expect(await ask()).toEqual(['read:orders write:orders', 'read:orders'])
  })
})

describe('client_credentials with organization_id', () => {
  const machine = async () => {
    const client = await registerApplication(server)
    const held = {
      organizationScopeIds: [permissionIds['invite:member'] ?? ''],
      resourceScopeIds: [arranged.scopeIds['write:orders'] ?? ''],
    }
    const machineRoleId = await createOrganizationRole(server, held, { type: 'MachineToMachine' })
    await joinMachine(server, organizationId, client.clientId, [machineRoleId])
    return { client, machineRoleId }
  }
  const scope = 'invite:member delete:organization read:orders write:orders'

  test('is for the organization, or for an API in it', async () => {
    const { client } = await machine()
    const own = await askToken(server, client, { ...inOrganization(), scope })
    expect(own.body).toMatchObject({ scope: 'invite:member', expires_in: 3600 })
    expect(decodeJwt(own.body.access_token)).toMatchObject({
      aud: audienceOf(organizationId),
      sub: client.clientId,
      organization_id: organizationId,
    })
    const api = await askToken(server, client, { ...inOrganization(), ...forApi(), scope })
    expect(decodeJwt(api.body.access_token)).toMatchObject({
      aud: arranged.resource.indicator,
      scope: 'write:orders',
      organization_id: organizationId,
    })
    expect((await askToken(server, client, { ...forApi(), scope })).body.scope).toBe('')
  })

  test('adds what roles of the tenant hold for the API', async () => {
    await joinMachine(server, organizationId, arranged.client.clientId)
    const { body } = await askToken(server, arranged.client, { ...inOrganization(), ...forApi(), scope })
    expect(body.scope).toBe('read:orders')
  })

  test('R-13 counts every change at the next token', async () => {
    const { client, machineRoleId } = await machine()
    const ask = async () => {
      const { status, body } = await askToken(server, client, { ...inOrganization(), scope })
      return status === 200 ? body.scope : [status, body.error]
    }
    expect(await ask()).toBe('invite:member')
    await server.api('POST', `/organization-roles/${machineRoleId}/scopes`, {
      organizationScopeIds: [permissionIds['delete:organization']],
    })
    expect(await ask()).toBe('invite:member delete:organization')
    const path = `/organizations/${organizationId}/applications/${client.clientId}`
    await server.api('DELETE', `${path}/roles/${machineRoleId}`)
    expect(await ask()).toBe('')
    await server.api('DELETE', path)
    expect(await ask()).toEqual([403, 'access_denied'])
    await joinMachine(server, organizationId, client.clientId, [machineRoleId])
    expect(await ask()).toBe('invite:member delete:organization')
    await server.api('DELETE', `/organizations/${organizationId}`)
    expect(await ask()).toEqual([403, 'access_denied'])
  })

  test('is refused for an organization that it is not in', async () => {
    const { client } = await machine()
    for (const id of [elsewhereId, '000000000000', 'no organization']) {
      const { status, body } = await askToken(server, client, { organization_id: id, scope })
      expect([status, body.error]).toEqual([403, 'access_denied'])
    }
  })

  test('is in the audit log, and introspection shows it', async () => {
    const { client } = await machine()
    const { body } = await askToken(server, client, { ...inOrganization(), scope })
    const shown = await post(server, '/token/introspection', { token: body.access_token }, authorization(client))
    expect(shown.body).toMatchObject({
      active: true,
      aud: audienceOf(organizationId),
      organization_id: organizationId,
      scope: 'invite:member',
    })
    const { body: logs } = await server.api('GET', `/logs?applicationId=${client.clientId}`)
    expect(logs[0].payload).toMatchObject({ organizationId, result: 'Success' })
  })
})

test('no API can be registered under a name that organizations have', async () => {
  for (const indicator of [ORGANIZATIONS_RESOURCE, audienceOf(organizationId), 'urn:countersign:organization:x']) {
    const { status, body } = await server.api('POST', '/resources', { name: 'Trap', indicator })
    expect([status, body.code]).toEqual([400, 'resource.invalid_indicator'])
  }
})

test('an organization of another tenant is unknown, for users and for machines', async () => {
  const tenants = await withSecondTenant(server, 'second', 'https://second.example')
  const { pool } = server.store.database
  const theirs = '2ndtenantorg'
  await pool.query(
    `INSERT INTO organizations (tenant_id, id, name, custom_data, color, branding, created_at)
     VALUES ('second', $1, 'Theirs', '{}', '{}', '{}', now())`,
    [theirs],
  )
  // what is a member there has the same id as what asks here
  const { clientId } = tenants.b.credentials
  const row = ['second', theirs, clientId, server.clock.now()]
  await pool.query(
    'INSERT INTO organization_applications (tenant_id, organization_id, application_id, created_at) VALUES ($1, $2, $3, $4)',
    row,
  )
  const ask = ({ host, credentials }: typeof tenants.b) =>
    send(`${server.baseUrl}/oidc/token`, {
      headers: { host, 'content-type': FORM, ...authorization(credentials) },
      body: form({ grant_type: 'client_credentials', organization_id: theirs }),
    })
  const there = await ask(tenants.b)
  expect(decodeJwt(there.body.access_token)).toMatchObject({
    iss: 'https://second.example/oidc',
    aud: audienceOf(theirs),
  })
  const here = await ask(tenants.a)
  expect([here.status, here.body.error]).toEqual([403, 'access_denied'])
})
