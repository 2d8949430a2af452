/**
 * Rows of two tenants may have the same ids (DECISIONS A7): keys begin with the tenant. Here all rows of a tenant also
 * exist under another tenant with other contents; what a request returns and changes is the same as without them.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { connectClient } from '@countersign/server/storage/client.ts'
import { decodeJwt } from 'jose'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { functionOf } from '../custom-claims/arrange.ts'
import {
  createOrganization,
  createOrganizationRole,
  createPermission,
  join,
  mayAsk,
} from '../organizations/token-arrange.ts'
import {
  type Arranged,
  arrange,
  askToken,
  authorization,
  post,
  registerApplication,
  send,
} from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, signIn } from '../sign-in/arrange.ts'
import { ask, createDevice, enter } from '../sign-in/device.ts'
import { type Api, type Authorized, createApi, createRole, redeemCode, refresh } from '../sign-in/user-tokens.ts'
import { ACCESS_TOKEN, createExchanger, exchange, PAT } from '../token-exchange/arrange.ts'

/** Tables whose keys do not begin with the tenant, or that grow by themselves. */
const NOT_COPIED = ['events', 'outbox', 'audit_log', 'signing_keys', 'tenant_hosts', 'connectors']
/** The names of the other tenant's rows. */
const RENAMED = [
  ...['scopes', 'roles', 'resources', 'applications', 'organizations', 'organization_roles', 'organization_scopes'],
]

let server: TestServer
let database: pg.Client
let copying: string
let everyRow: string
let kept: unknown
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  database = await connectClient(server.databaseUrl)
  // references are not checked: the other tenant has no row in `tenants`
  await database.query('SET session_replication_role = replica')
  const { rows } = await database.query<{ name: string; columns: string }>(
    `SELECT t.relname AS name, string_agg(quote_ident(a.attname), ', ') AS columns
    FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace AND t.relname <> ALL($1) AND a.attname <> 'tenant_id'
      AND EXISTS (SELECT FROM pg_attribute k WHERE k.attrelid = t.oid AND k.attname = 'tenant_id')
    GROUP BY t.relname ORDER BY t.relname`,
    [NOT_COPIED],
  )
  copying = [
    ...rows.map(
      ({ name, columns }) =>
        `DELETE FROM ${name} WHERE tenant_id = 'twin';
        INSERT INTO ${name} (tenant_id, ${columns}) SELECT 'twin', ${columns} FROM ${name} WHERE tenant_id = 'default'`,
    ),
    ...RENAMED.map((name) => `UPDATE ${name} SET name = name || '-twin' WHERE tenant_id = 'twin'`),
    `UPDATE users SET is_suspended = true, username = id WHERE tenant_id = 'twin'`,
  ].join(';')
  everyRow = rows
    .map(({ name }) => `SELECT '${name}', t::text FROM ${name} t WHERE tenant_id = 'twin'`)
    .join(' UNION ALL ')
})
afterAll(async () => {
  await database.end()
  await server.close()
})

const rowsOfTwin = async () => (await database.query(`${everyRow} ORDER BY 1, 2`)).rows

/** Copies the current rows to the other tenant, whose existing rows must be unchanged. */
const copy = async () => {
  if (kept !== undefined) expect(await rowsOfTwin()).toEqual(kept)
  await database.query(copying)
  kept = await rowsOfTwin()
}

interface World {
  readonly machine: Arranged
  readonly api: Api
  readonly app: Awaited<ReturnType<typeof createApp>>
  readonly user: Awaited<ReturnType<typeof createUser>>
  readonly browser: ReturnType<typeof newBrowser>
  readonly roleId: string
  /** Another one, without roles. */
  readonly otherId: string
  readonly organization: { readonly id: string; readonly roleId: string }
}

const createWorld = async (): Promise<World> => {
  const [machine, api] = [await arrange(server), await createApi(server)]
  const app = await createApp(server, 'SPA', { isThirdParty: true })
  const user = await createUser(server)
  const roleId = await createRole(server, [api.scopeIds.read])
  await server.api('POST', `/users/${user.id}/roles`, { roleIds: [roleId] })
  const organizationRole = await createOrganizationRole(server)
  const organization = { id: await createOrganization(server), roleId: organizationRole }
  await join(server, organization.id, user.id, [organizationRole])
  const resourceScopes = Object.values(api.scopeIds)
  await mayAsk(server, app.id, {
    ...{ userScopes: ['profile'], resourceScopes, organizationResourceScopes: resourceScopes },
    organizationScopes: [await createPermission(server, 'invite')],
  })
  const body = `const { roles, organizations, organizationRoles } = context.user
    return { holds: roles.map(({ name, scopes }) => [name, scopes.map(({ name }) => name)]),
      member: [...organizations.map(({ name }) => name), ...organizationRoles.map(({ roleName }) => roleName)] }`
  await server.api('PUT', '/configs/jwt-customizer/access-token', { script: functionOf(body) })
  const browser = newBrowser()
  await signIn(browser, await begin(app.configuration, { scope: 'openid' }), user.username)
  const { id: otherId } = await createUser(server)
  return { machine, api, app, user, browser, roleId, otherId, organization }
}

// the permissions of the other tenant are requested too
const SCOPE = 'openid profile offline_access read write read-twin write-twin'

type Change = readonly [method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object]
const NO_RULES = { userIds: [], userRoleIds: [], organizationIds: [], organizationRoleRules: [] }
/** What takes the one row of a list away, and what brings it back. */
const ofRow = (path: string, body: Readonly<Record<string, readonly string[]>>): readonly [Change, Change] => [
  ['DELETE', `${path}/${Object.values(body).flat()[0]}`],
  ['POST', path, body],
]

/** Issues, finds, uses and revokes everything; `meanwhile` runs before each step. */
const walk = async (world: World, meanwhile: () => Promise<void>) => {
  const { machine, api, app, user, browser, roleId, otherId, organization } = world
  const seen: unknown[] = []
  const step = async (work: () => Promise<unknown>) => {
    await meanwhile()
    server.store.cache.drop('default', ['*'])
    seen.push(await work())
  }
  const list = (path: string) => async () => {
    const { status, body } = await server.api('GET', path)
    return [status, JSON.parse(JSON.stringify(body, (key, value) => (/At$|^value$/.test(key) ? undefined : value)))]
  }
  const granted = ({ status, body }: { status: number; body: Record<string, string> }) => {
    const claims = body.access_token?.startsWith('ey') ? decodeJwt(body.access_token) : {}
    return [status, body.error, body.scope, claims.holds, claims.member]
  }
  const person = { app, user, browser }
  const resource = api.indicator
  const all = await registerApplication(server, 'MachineToMachine', { dangerouslyIntrospectAllTokens: true })
  const exchanger = await createExchanger(server)
  const shown = async (token: string) => {
    const { body } = await post(server, '/token/introspection', { token }, authorization(all))
    return [body.active, body.sub, body.username, body.scope]
  }
  const agreed = async (): Promise<Authorized> => {
    const begun = await begin(app.configuration, { scope: SCOPE, resource })
    const opened = await browser.open(begun.url)
    const { url } = opened.url.searchParams.has('code') ? opened : await browser.submit(opened, { answer: 'allow' })
    return { begun, code: url.searchParams.get('code') ?? '' }
  }
  let [jwt, opaque, refreshToken, subject] = ['', '', '', '']
  await step(
    async () =>
      (
        await askToken(server, machine.client, {
          resource: machine.resource.indicator,
          scope: 'read:orders read:orders-twin',
        })
      ).body.scope,
  )
  let made = await agreed()
  await step(async () => {
    const reply = await redeemCode(server, person, made)
    ;({ access_token: opaque, refresh_token: refreshToken } = reply.body)
    return granted(reply)
  })
  await step(async () => {
    const reply = await refresh(server, person, refreshToken, { resource })
    ;({ access_token: jwt, refresh_token: refreshToken } = reply.body)
    return granted(reply)
  })
  await step(async () => Promise.all([jwt, opaque, refreshToken].map(shown)))
  await step(
    async () =>
      (await send(`${server.issuer}/me`, { method: 'GET', headers: { authorization: `Bearer ${opaque}` } })).body
        .username,
  )
  let impersonated = ''
  for (const subject_token_type of [ACCESS_TOKEN, PAT]) {
    subject =
      subject_token_type === PAT
        ? (await server.api('POST', `/users/${user.id}/personal-access-tokens`, { name: 'desk' })).body.value
        : (await server.api('POST', '/subject-tokens', { userId: user.id, context: { ticket: 1 } })).body.subjectToken
    const asked = { subject_token: subject, subject_token_type, resource, scope: 'read write read-twin' }
    await step(async () => {
      const reply = await exchange(server.baseUrl, exchanger, asked)
      impersonated ||= reply.body.access_token
      return granted(reply)
    })
  }
  const onward = { subject_token: impersonated, subject_token_type: ACCESS_TOKEN, resource, scope: 'read' }
  await step(async () => granted(await exchange(server.baseUrl, exchanger, onward)))
  const change = async (...changes: readonly Change[]) => {
    const statuses: number[] = []
    for (const [method, path, body] of changes) statuses.push((await server.api(method, path, body)).status)
    return statuses
  }
  const admission = `/applications/${app.id}/access-control`
  const rules = (more: object): Change => ['PUT', admission, { ...NO_RULES, ...more }]
  const [userRole, givenRole] = ofRow(`/users/${user.id}/roles`, { roleIds: [roleId] })
  const members = `/organizations/${organization.id}/users`
  const [member, joined] = ofRow(members, { userIds: [user.id] })
  const inOrganization = { organizationRoleIds: [organization.roleId] }
  const [memberRole, givenMemberRole] = ofRow(`${members}/${user.id}/roles`, inOrganization)
  const ofOther = rules({ userIds: [otherId] })
  const byRoleThere = { organizationRoleRules: [{ organizationId: organization.id, ...inOrganization }] }
  // the other tenant still has the row that admits the user, which must not count
  await change(rules({ userIds: [user.id] }), [
    'PATCH',
    `/applications/${app.id}`,
    { appLevelAccessControlEnabled: true },
  ])
  for (const [admitting, ended, back] of [
    [{ userIds: [user.id] }, ofOther, []],
    [{ userRoleIds: [roleId] }, ofOther, []],
    [{ userRoleIds: [roleId] }, userRole, [givenRole]],
    [{ organizationIds: [organization.id] }, ofOther, []],
    [{ organizationIds: [organization.id] }, member, [joined, givenMemberRole]],
    [byRoleThere, memberRole, [givenMemberRole]],
  ] as const) {
    await change(rules(admitting))
    await step(async () => {
      const admitted = await refresh(server, person, refreshToken, { resource })
      refreshToken = admitted.body.refresh_token
      const statuses = await change(ended)
      const refused = await refresh(server, person, refreshToken, { resource })
      return [granted(admitted), granted(refused), await list(admission)(), statuses, await change(...back)]
    })
  }
  await change(['PATCH', `/applications/${app.id}`, { appLevelAccessControlEnabled: false }])
  const read = api.scopeIds.read ?? ''
  const [roleScope, givenScope] = ofRow(`/roles/${roleId}/scopes`, { scopeIds: [read] })
  // nor does it say what the user held when they agreed, or holds now
  for (const [ended, back] of [
    [roleScope, givenScope],
    [userRole, givenRole],
  ] as const)
    await step(async () => {
      await change(ended)
      made = await agreed()
      const asked = { subject_token: subject, subject_token_type: PAT, resource, scope: 'read write read-twin' }
      const exchanged = granted(await exchange(server.baseUrl, exchanger, asked))
      await change(back)
      return [exchanged, granted(await redeemCode(server, person, made, { resource }))]
    })
  const orders = { resource: machine.resource.indicator, scope: 'read:orders read:orders-twin' }
  for (const [ended, back] of [
    ofRow(`/roles/${machine.roleId}/scopes`, { scopeIds: [machine.scopeIds['read:orders'] ?? ''] }),
    ofRow(`/applications/${machine.client.clientId}/roles`, { roleIds: [machine.roleId] }),
  ])
    await step(async () => {
      await change(ended)
      const { body } = await askToken(server, machine.client, orders)
      return [body.scope, await change(back)]
    })
  const administrator = `/applications/${machine.client.clientId}`
  for (const all of [[true], [false, true], [false]])
    await step(async () => {
      const statuses = await change(...all.map((isAdmin): Change => ['PATCH', administrator, { isAdmin }]))
      return [statuses, (await server.api('GET', administrator)).body.isAdmin]
    })
  const consents = `/applications/${app.id}/user-consent-scopes`
  for (const [path, field] of [
    [`/resources/${api.id}/scopes`, 'resourceScopes'],
    ['/organization-scopes', 'organizationScopes'],
  ] as const) {
    const { body: gone } = await server.api('POST', path, { name: 'gone' })
    await step(() => change(['DELETE', `${path}/${gone.id}`], ['POST', consents, { [field]: [gone.id] }]))
  }
  const device = await createDevice(server)
  const { body: codes } = await ask(server, device.id, { scope: 'openid read read-twin', resource })
  await step(async () => {
    const page = await enter(server, newBrowser(), codes.user_code)
    return page.text.includes('name="identifier"')
  })
  const elsewhere = newBrowser()
  const page = await elsewhere.submit(await enter(server, elsewhere, codes.user_code), {
    identifier: user.username,
    password: PASSWORD,
  })
  await step(async () => [...page.text.matchAll(/<li>(.*?)<\/li>/g)].map(([, item]) => item))
  await elsewhere.submit(page, { answer: 'allow' })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const poll = { grant_type, client_id: device.id, device_code: codes.device_code, resource }
  await step(async () => granted(await post(server, '/token', poll)))
  for (const path of [
    ...['roles', 'user-consent-scopes'].map(
      (name) => `/applications/${name === 'roles' ? machine.client.clientId : app.id}/${name}`,
    ),
    ...['applications', 'users'].map((name) => `/roles/${name === 'users' ? roleId : machine.roleId}/${name}`),
    ...[`/users/${user.id}/roles`, `/users/${user.id}/personal-access-tokens`, '/configs/jwt-customizer'],
  ])
    await step(list(path))
  // changes are reverted, so that the next walk starts from the same state
  const tokens = `/users/${user.id}/personal-access-tokens`
  const scopeId = api.scopeIds.read ?? ''
  const machineRoles = `/applications/${machine.client.clientId}/roles`
  for (const [method, path, body] of [
    ['PATCH', `${tokens}/desk`, { name: 'lap' }],
    ['DELETE', `${tokens}/lap`, undefined],
    ['DELETE', `/users/${user.id}/roles/${roleId}`, undefined],
    ['POST', `/roles/${roleId}/users`, { userIds: [user.id] }],
    ['PUT', `/users/${user.id}/roles`, { roleIds: [] }],
    ['PUT', `/users/${user.id}/roles`, { roleIds: [roleId] }],
    ['PUT', machineRoles, { roleIds: [] }],
    ['POST', machineRoles, { roleIds: [machine.roleId] }],
    ['DELETE', `/roles/${machine.roleId}/applications/${machine.client.clientId}`, undefined],
    ['POST', `/roles/${machine.roleId}/applications`, { applicationIds: [machine.client.clientId] }],
    ['DELETE', `/applications/${app.id}/user-consent-scopes/resource-scopes/${scopeId}`, undefined],
    ['POST', `/applications/${app.id}/user-consent-scopes`, { resourceScopes: [scopeId] }],
    ['PATCH', '/configs/jwt-customizer/access-token', { cpuLimit: 100 }],
  ] as const) {
    const [all = path] = /^.*\/(roles|users|applications|personal-access-tokens|user-consent-scopes)/.exec(path) ?? []
    await step(async () => [(await server.api(method, path, body)).status, await list(all)()])
  }
  // reuse of a code and revocation of a token end their grant
  made = await agreed()
  const { body } = await redeemCode(server, person, made, { resource })
  await step(async () => granted(await redeemCode(server, person, made, { resource })))
  await step(async () => shown(body.access_token))
  await step(async () => (await post(server, '/token/revocation', { client_id: app.id, token: refreshToken })).status)
  await step(async () => shown(refreshToken))
  return seen
}

test('A7 rows of another tenant with the same ids are never read or changed', async () => {
  const world = await createWorld()
  const text = expect.any(String)
  const alone = await walk(world, async () => undefined)
  // this must not compare refusals only
  expect([alone[0], alone[2]]).toEqual([
    'read:orders',
    [200, undefined, 'read', [[expect.any(String), ['read']]], [text, text]],
  ])
  const together = await walk(world, copy)
  expect(together).toEqual(alone)
  expect(await rowsOfTwin()).toEqual(kept)
})
