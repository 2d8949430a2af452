/** Two tenants on one server: nothing of one can be seen, used or changed from the other (DECISIONS A7). */

import type { Credentials } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { connectClient, withClient } from '@countersign/server/storage/client.ts'
import { decodeJwt } from 'jose'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createWorld, needsCode, pathIn, sampleBody, titleOf, type World } from '../management/arrange.ts'
import { authorization, FORM, form, send } from '../protocol/arrange.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { OF_TENANT, type OnHost, withSecondTenant } from './second-tenant.ts'

let server: TestServer
let a: OnHost
let b: OnHost
let world: World
let database: pg.Client
let statement: string | undefined
const tokens = { a: '', b: '' }
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  database = await connectClient(server.databaseUrl)
  world = await createWorld(server)
  ;({ a, b } = await withSecondTenant(server, 'second', 'http://second.example:8080'))
  tokens.a = (await a.token()).body.access_token
  tokens.b = (await b.token()).body.access_token
  // each tenant has a captcha provider and a script of its own at the same address
  const config = { type: 'Turnstile', siteKey: 'second', secretKey: 'second' }
  await b.request('PUT', '/api/captcha-provider', { token: tokens.b, body: { config } })
  const script = 'const getCustomJwtClaims = () => ({ second: true })'
  await b.request('PUT', '/api/configs/jwt-customizer/access-token', { token: tokens.b, body: { script } })
})
afterAll(async () => {
  await database.end()
  await server.close()
})

const TABLES = [
  ...['resources', 'scopes', 'roles', 'roles_scopes', 'applications', 'application_secrets', 'applications_roles'],
  ...['signing_keys', 'events', 'outbox', 'users', 'users_roles', 'sessions', 'grants', 'connectors', 'hooks'],
  ...['applications_consent_resource_scopes', 'jwt_customizers'],
]

/** A statement for every row of a tenant, except rows that reads and refusals leave behind. */
const everyRow = async (): Promise<string> => {
  const { rows } = await database.query(
    `SELECT relname AS name FROM pg_class
     WHERE relkind = 'r' AND relname ~ '^(organization|applications_(access|consent_organization))'`,
  )
  const ofOrganizations = rows.map(({ name }) => name)
  expect(ofOrganizations.length).toBeGreaterThan(10)
  return [...TABLES, ...ofOrganizations]
    .map((table) => `SELECT '${table}' AS table, t::text AS row FROM ${table} t WHERE tenant_id = $1`)
    .join(' UNION ALL ')
    .concat(' ORDER BY 1, 2')
}

const rowsOf = async (tenant: string): Promise<unknown> => {
  statement ??= await everyRow()
  return (await database.query({ name: 'every row', text: statement, values: [tenant] })).rows
}

/** Routes that report an unknown user or token in the body as others report one in the path. */
const ANSWERS_404 = new Set(['createImpersonation', 'createSubjectToken', 'verifyOneTimeToken'])

/** Every id in the test data. */
const idsOf = (known: World): string[] =>
  Object.values(known).filter((value) => /^([0-9a-z]{12}|[0-9a-z]{21})$/.test(value))

/** Routes whose ids belong to the installation, not to a tenant. */
const OF_EVERY_TENANT = new Set([
  ...['testConnector', 'getConnectorFactory'],
  // the tag is not an id: what is created in the other tenant belongs to that tenant, and is deleted there
  ...['putCustomPhrases', 'deleteCustomPhrases'],
  ...['getJwtCustomizer', 'putJwtCustomizer', 'updateJwtCustomizer', 'deleteJwtCustomizer'],
  ...['listJwtCustomizerVersions', 'getJwtCustomizerVersion', 'restoreJwtCustomizerVersion'],
])

describe.each(OF_TENANT.map((route) => [titleOf(route), route] as const))('R-33: %s', (_, route) => {
  test('treats ids of the other tenant as unknown, and changes nothing there', async () => {
    const before = await rowsOf('default')
    const body = sampleBody(route, world)
    const { status, text } = await b.request(route.method, `/api${pathIn(world, route)}`, { token: tokens.b, body })
    if ((route.params && !OF_EVERY_TENANT.has(route.id)) || ANSWERS_404.has(route.id)) expect(status).toBe(404)
    // the other tenant has no connector and no such code
    else if (route.path.startsWith('/verification-codes')) expect(status).toBe(needsCode(route) ? 400 : 501)
    else if (route.id === 'orderCustomProfileFields') expect(status).toBe(400)
    else if (idsOf(world).some((id) => JSON.stringify(body ?? '').includes(id))) expect(status).toBe(422)
    else expect(status).toBe(route.status)
    // an error and the audit entry may repeat the ids of the request, but must not reveal what exists
    if (status < 300 && route.id !== 'listLogs') {
      for (const id of idsOf(world)) expect(text).not.toContain(id)
      expect(text).not.toContain('"tenantId":"default"')
    }
    expect(await rowsOf('default')).toEqual(before)
  })

  test("refuses the other tenant's token with 401, both ways", async () => {
    const body = sampleBody(route, world)
    const path = `/api${pathIn(world, route)}`
    const before = await rowsOf('default')
    expect((await b.request(route.method, path, { token: tokens.a, body })).status).toBe(401)
    expect((await a.request(route.method, path, { token: tokens.b, body })).status).toBe(401)
    expect(await rowsOf('default')).toEqual(before)
  })
})

test('ids of the other tenant in a body are unknown: 422', async () => {
  const created = async (path: string, body: unknown) =>
    (await b.request('POST', path, { token: tokens.b, body })).body.id
  const role = await created('/api/roles', { name: 'own', type: 'MachineToMachine' })
  const application = await created('/api/applications', { name: 'own', type: 'MachineToMachine' })
  const requests = [
    ['POST', '/api/roles', { name: 'x', scopeIds: [world.scopeId] }],
    ['POST', `/api/roles/${role}/scopes`, { scopeIds: [world.scopeId] }],
    ['POST', `/api/roles/${role}/applications`, { applicationIds: [world.applicationId] }],
    ['POST', `/api/applications/${application}/roles`, { roleIds: [world.roleId] }],
    ['PUT', `/api/applications/${application}/roles`, { roleIds: [world.roleId] }],
  ] as const
  for (const [method, path, body] of requests) {
    const { status, body: answer } = await b.request(method, path, { token: tokens.b, body })
    expect([status, answer.code]).toEqual([422, 'entity.relation_foreign_key_not_found'])
  }
})

test('a claims script is tested with no user or application of the other tenant: 404', async () => {
  const application = await b.request('POST', '/api/applications', {
    token: tokens.b,
    body: { name: 'own', type: 'SPA' },
  })
  for (const applicationId of [application.body.id, world.applicationId]) {
    const subject = { userId: world.userId, applicationId }
    const body = { tokenType: 'access-token', script: 'const getCustomJwtClaims = () => ({})', subject }
    const { status } = await b.request('POST', '/api/configs/jwt-customizer/test', { token: tokens.b, body })
    expect(status).toBe(404)
  }
})

test('a filter by an id of the other tenant returns nothing of it', async () => {
  const get = (query: string) => b.request('GET', `/api/${query}`, { token: tokens.b })
  for (const query of [
    `applications?search=${world.applicationId}`,
    `logs?applicationId=${server.credentials.clientId}`,
  ]) {
    expect(await get(query)).toMatchObject({ status: 200, body: [] })
  }
  const { body: own } = await get('roles')
  expect((await get(`roles?excludeApplicationId=${world.applicationId}`)).body).toEqual(own)
})

test('names, indicators and ids need to be unique only within a tenant', async () => {
  const { body: resources } = await server.api('GET', '/resources')
  const indicator = resources.find(({ id }: { id: string }) => id === world.resourceId).indicator
  const { status } = await b.request('POST', '/api/resources', { token: tokens.b, body: { name: 'x', indicator } })
  expect(status).toBe(201)
})

test('an application of one tenant cannot get a token of the other', async () => {
  expect((await b.token('all', a.credentials)).status).toBe(401)
  expect((await a.token('all', b.credentials)).status).toBe(401)
})

describe('what a user of one holds', () => {
  const CHALLENGE = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' }
  let cookie: string
  let opaque: string
  let refreshToken: string
  let atA: { id: string }
  let atB: Credentials
  beforeAll(async () => {
    const app = await createApp(server)
    atA = app
    const user = await createUser(server)
    const browser = newBrowser()
    const begun = await begin(app.configuration, { scope: 'openid offline_access' })
    const issued = await redeem(app.configuration, await signIn(browser, begun, user.username), begun)
    opaque = issued.access_token
    refreshToken = issued.refresh_token ?? ''
    cookie = `countersign-session=${browser.cookie('countersign-session')}`
    const { body } = await b.request('POST', '/api/applications', {
      token: tokens.b,
      body: {
        name: 'Sees all',
        type: 'Traditional',
        oidcClientMetadata: { redirectUris: [CALLBACK], postLogoutRedirectUris: [] },
        customClientMetadata: { dangerouslyIntrospectAllTokens: true },
      },
    })
    const secrets = await b.request('GET', `/api/applications/${body.id}/secrets`, { token: tokens.b })
    atB = { ...b.credentials, clientId: body.id, clientSecret: secrets.body[0].value }
  })

  test('tokens of one tenant are not active in the other, even for an application that may introspect all', async () => {
    const introspected = async (token: string) =>
      send(`${server.baseUrl}/oidc/token/introspection`, {
        method: 'POST',
        headers: { host: b.host, 'content-type': FORM, ...authorization(atB) },
        body: form({ token }),
      })
    for (const token of [opaque, refreshToken]) expect((await introspected(token)).body).toEqual({ active: false })
    expect((await a.request('GET', '/oidc/me', { token: opaque })).status).toBe(200)
    expect((await b.request('GET', '/oidc/me', { token: opaque })).status).toBe(401)
  })

  test('a session of one tenant is not valid in the other', async () => {
    const asked = async (tenant: OnHost, clientId: string, prompt: string) => {
      const parameters = { client_id: clientId, redirect_uri: CALLBACK, response_type: 'code', scope: 'openid', prompt }
      const query = new URLSearchParams({ ...parameters, ...CHALLENGE })
      const { status, headers } = await tenant.request('GET', `/oidc/auth?${query}`, { headers: { cookie } })
      return [status, headers.location]
    }
    expect(await asked(a, atA.id, 'none')).toEqual([303, expect.stringContaining('code=cs_ac_')])
    expect(await asked(b, atB.clientId, 'none')).toEqual([303, expect.stringContaining('error=login_required')])
    expect(await asked(a, atA.id, 'select_account')).toEqual([303, expect.stringContaining('/select-account/')])
    expect(await asked(b, atB.clientId, 'select_account')).toEqual([303, expect.stringContaining('/sign-in/')])
  })
})

test('SAML endpoints of one tenant know no application and no connector of the other, and say no more of them than of none', async () => {
  const body = 'SAMLRequest=PHg%2B&SAMLResponse=PHg%2B&RelayState=x&logout_token=x'
  const endpoints = [
    ...['metadata', 'callback?state=x'].map((each) => ['GET', (id: string) => `/api/saml-applications/${id}/${each}`]),
    ...['authn', 'slo', 'authn?SAMLRequest=x', 'slo?SAMLRequest=x', 'slo?SAMLResponse=x'].flatMap((each) =>
      ['GET', 'POST'].map((method) => [method, (id: string) => `/api/saml/${id}/${each}`]),
    ),
    ...['', '/request?visit=x', '/logout?SAMLRequest=x', '/logout?SAMLResponse=x'].map((each) => [
      'GET',
      (id: string) => `/enterprise-sso/${id}${each}`,
    ]),
    ['POST', (id: string) => `/enterprise-sso/${id}/logout`],
    ['POST', (id: string) => `/api/authn/single-sign-on/saml/${id}`],
    ['GET', (id: string) => `/callback/${id}?code=x&state=x`],
    ['GET', (id: string) => `/sso/${id}/signed-out?state=x`],
    ['POST', (id: string) => `/sso/${id}/backchannel-logout`],
  ] as [string, (id: string) => string][]
  const answerOf = async (tenant: OnHost, method: string, path: string, id: string) => {
    const content = method === 'GET' ? undefined : body
    const headers = { host: tenant.host, ...(content ? { 'content-type': FORM } : {}) }
    const answer = await send(`${server.baseUrl}${path}`, { method, headers, body: content })
    const text = answer.text.replaceAll(id, '').replace(/(request[-_]?id">|"request_?id":")[^<"]*/gi, '$1')
    return { status: answer.status, location: answer.headers.location, text }
  }
  for (const [method, pathOf] of endpoints) {
    for (const id of [world.samlApplicationId, world.ssoConnectorId]) {
      const none = 'a'.repeat(id.length)
      const unknown = await answerOf(b, method, pathOf(none), none)
      expect([method, pathOf(id), await answerOf(b, method, pathOf(id), id)]).toEqual([method, pathOf(id), unknown])
    }
  }
  for (const path of [
    `/api/saml-applications/${world.samlApplicationId}/metadata`,
    `/enterprise-sso/${world.ssoConnectorId}`,
  ])
    expect((await a.request('GET', path)).status).toBe(200)
})

test('each tenant has its own issuer, audience, keys and discovery', async () => {
  const claims = [decodeJwt(tokens.a), decodeJwt(tokens.b)]
  expect(claims.map(({ iss }) => iss)).toEqual([server.issuer, 'http://second.example:8080/oidc'])
  expect(claims.map(({ aud }) => aud)).toEqual([`${server.baseUrl}/api`, 'http://second.example:8080/api'])
  const kids = async (tenant: OnHost) =>
    (await tenant.request('GET', '/oidc/jwks')).body.keys.map(({ kid }: { kid: string }) => kid)
  expect(new Set(await kids(a)).isDisjointFrom(new Set(await kids(b)))).toBe(true)
  const discovery = async (tenant: OnHost) =>
    (await tenant.request('GET', '/oidc/.well-known/openid-configuration')).body
  expect((await discovery(a)).issuer).toBe(server.issuer)
  const other = await discovery(b)
  expect(JSON.stringify(other)).not.toContain(server.baseUrl)
  for (const [name, value] of Object.entries(other)) {
    if (/_endpoint$|^issuer$|_uri$/.test(name)) expect(value).toMatch(/^http:\/\/second\.example:8080\/oidc/)
  }
  const { body: document } = await b.request('GET', '/api/openapi.json')
  expect(document.servers).toEqual([{ url: 'http://second.example:8080/api' }])
})

test('events and audit entries of one tenant are not in the feed and the log of the other', async () => {
  const { body: mine } = await server.api('POST', '/roles', { name: 'only in a' })
  const feed = async (tenant: OnHost, token: string) => (await tenant.request('GET', '/api/events', { token })).text
  expect(await feed(a, tokens.a)).toContain(mine.id)
  expect(await feed(b, tokens.b)).not.toContain(mine.id)
  const { body: log } = await b.request('GET', '/api/logs?page_size=100', { token: tokens.b })
  expect(new Set(log.map(({ tenantId }: { tenantId: string }) => tenantId))).toEqual(new Set(['second']))
  const { body: entries } = await server.api('GET', '/logs?page_size=100')
  expect(new Set(entries.map(({ tenantId }: { tenantId: string }) => tenantId))).toEqual(new Set(['default']))
})

test('the numbers of events begin at 1 in each tenant', async () => {
  const { body } = await b.request('GET', '/api/events?limit=1', { token: tokens.b })
  expect(body.events[0].sequence).toBe(1)
})

test('the database refuses a reference from one tenant to the other', async () => {
  await withClient(server.databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT r.conrelid::regclass::text AS name FROM pg_constraint r
       WHERE r.contype = 'f' AND r.confrelid <> 'tenants'::regclass
         AND (SELECT attname FROM pg_attribute WHERE attrelid = r.conrelid AND attnum = r.conkey[1]) <> 'tenant_id'`,
    )
    expect(rows).toEqual([])
    const insert = client.query(
      `INSERT INTO applications_roles SELECT 'second', $1, id, 'MachineToMachine', now() FROM roles WHERE tenant_id = 'second' LIMIT 1`,
      [world.applicationId],
    )
    await expect(insert).rejects.toMatchObject({ code: '23503' })
  })
})
