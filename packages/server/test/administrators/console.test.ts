/** Administrators sign in at the console and call the Management API with what they hold at that moment (DECISIONS U1 to U3). */
import { createHash } from 'node:crypto'
import { API_ROUTES } from '@countersign/contract/api.ts'
import { MANAGEMENT_PERMISSIONS } from '@countersign/contract/permissions.ts'
import { permissionsOf } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call, unknownPath } from '../management/arrange.ts'
import { post, send } from '../protocol/arrange.ts'
import { CALLBACK, createApp, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import { authorize, redeemCode } from '../sign-in/user-tokens.ts'
import { type Administrator, askAsConsole, consoleToken, createAdministrator, outcome } from './arrange.ts'

let server: TestServer
let owner: Administrator
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  owner = await createAdministrator(server, ['owner'])
})
afterAll(() => server.close())

const EVERY = MANAGEMENT_PERMISSIONS.map(({ name }) => name)

test('a sign-in gives a token of ten minutes for the Management API, an ID token and no refresh token', async () => {
  const scope = `openid profile offline_access unknown:thing ${EVERY.join(' ')}`
  const { status, body } = await askAsConsole(server, owner, { scope, prompt: 'consent' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ expires_in: 600, scope: EVERY.join(' ') })
  expect(body.refresh_token).toBeUndefined()
  expect(decodeJwt(body.access_token)).toMatchObject({ sub: owner.id, aud: server.credentials.resource })
  expect(decodeJwt(body.id_token)).toMatchObject({ sub: owner.id, aud: 'console', username: owner.username })
  // it could outlive the session
  expect(await outcome(server, body.access_token, 'GET', '/roles')).toBe('401 auth.unauthorized')
})

test('what an administrator does is in the audit log under their name', async () => {
  const token = await consoleToken(server, owner)
  expect(await outcome(server, token, 'POST', '/roles', { name: 'Buyers' })).toBe('200')
  const { body } = await server.api('GET', '/logs?logKey=ManagementApi.createRole&page_size=1')
  expect(body[0].payload).toMatchObject({ userId: owner.id, actor: { type: 'user' } })
  // what it reads is not in there, and that it got a token can be left out
  const keys = async (more: string) =>
    (await server.api('GET', `/logs?userId=${owner.id}&page_size=100${more}`)).body.map(
      ({ key }: { key: string }) => key,
    )
  const gotTokens = ['Interaction.Authorize', 'ExchangeTokenBy.AuthorizationCode']
  expect(await keys('')).toEqual(expect.arrayContaining(gotTokens))
  const { cursor } = (await server.api('GET', '/logs/live')).body
  expect(await outcome(server, await consoleToken(server, owner, { prompt: 'none' }), 'GET', '/roles')).toBe('200')
  const rest = await keys('&withoutRenewals=true')
  expect(rest).toEqual(expect.arrayContaining(['Interaction.SignIn.Submit', 'ManagementApi.createRole']))
  expect(rest.filter((key: string) => gotTokens.includes(key) || key.includes('listRoles'))).toEqual([])
  const since = `/logs/live?userId=${owner.id}&since=${encodeURIComponent(cursor)}`
  const followed = async (more: string) => (await server.api('GET', `${since}${more}`)).body.entries.length
  expect([await followed(''), await followed('&withoutRenewals=true')]).toEqual([2, 0])
})

describe.each(['owner', 'administrator', 'developer', 'support', 'auditor'])('%s', (roleId) => {
  test('may call exactly the routes whose permissions the role holds', async () => {
    const { body: role } = await server.api('GET', `/administrator-roles/${roleId}`)
    const token = await consoleToken(server, await createAdministrator(server, [roleId]))
    const holds = (permission: string) => role.permissions.includes('all') || role.permissions.includes(permission)
    const guarded = API_ROUTES.filter(({ permission }) => permission !== null)
    const wrong: string[] = []
    for (const route of guarded) {
      const { status } = await call(server, route.method, unknownPath(route), { token })
      if ((status === 403) === permissionsOf(route).every(holds)) wrong.push(`${route.id}: ${status}`)
      if (status === 401) wrong.push(`${route.id}: ${status}`)
    }
    expect(wrong).toEqual([])
    expect(role.isBuiltIn).toBe(true)
  })
})

test('the console is for signing in, also where a tenant only registers users', async () => {
  expect((await server.api('PATCH', '/sign-in-exp', { signInMode: 'Register' })).status).toBe(200)
  const grace = await createAdministrator(server, ['auditor'])
  expect(await consoleToken(server, grace)).toBeTruthy()
  await server.api('PATCH', '/sign-in-exp', { signInMode: 'SignInAndRegister' })
  const asked = new URLSearchParams({
    ...{ client_id: 'console', redirect_uri: `${server.baseUrl}/console/callback`, response_type: 'code' },
    ...{ scope: 'openid', resource: server.credentials.resource },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
  })
  const page = await newBrowser().open(`${server.baseUrl}/oidc/auth?${asked}`)
  expect(page.text).toContain('name="password"')
  expect(page.text).not.toContain('/register/')
})

test('a user who is no administrator gets no token', async () => {
  const { status, body } = await askAsConsole(server, await createAdministrator(server))
  expect([status, body.error]).toEqual([400, 'access_denied'])
})

describe('takes effect with the next call', () => {
  const ENDINGS: Readonly<Record<string, (administrator: Administrator) => Promise<unknown>>> = {
    'the removal of an administrator': ({ id }) => server.api('DELETE', `/administrators/${id}`),
    suspension: ({ id }) => server.api('PATCH', `/users/${id}/is-suspended`, { isSuspended: true }),
    'a new password': ({ id }) => server.api('PATCH', `/users/${id}/password`, { password: PASSWORD }),
    deletion: ({ id }) => server.api('DELETE', `/users/${id}`),
    'the end of the session': async ({ id }) => {
      const { body } = await server.api('GET', `/users/${id}/sessions`)
      for (const { payload } of body.sessions) await server.api('DELETE', `/users/${id}/sessions/${payload.jti}`)
    },
  }
  test.each(Object.entries(ENDINGS))('%s', async (_what, end) => {
    const administrator = await createAdministrator(server, ['auditor'])
    const token = await consoleToken(server, administrator)
    expect(await outcome(server, token, 'GET', '/roles')).toBe('200')
    await end(administrator)
    expect(await outcome(server, token, 'GET', '/roles')).toBe('401 auth.unauthorized')
  })

  test('a change of roles, and of the permissions of a role', async () => {
    const { body: role } = await server.api('POST', '/administrator-roles', {
      ...{ name: 'Reader of roles', permissions: ['read:roles', 'write:roles'] },
    })
    const administrator = await createAdministrator(server, [role.id])
    const token = await consoleToken(server, administrator)
    expect(await outcome(server, token, 'POST', '/roles', { name: 'One' })).toBe('200')
    await server.api('PATCH', `/administrator-roles/${role.id}`, { permissions: ['read:roles', 'read:users'] })
    expect(await outcome(server, token, 'POST', '/roles', { name: 'Two' })).toBe('403 auth.forbidden')
    expect(await outcome(server, token, 'GET', '/roles')).toBe('200')
    // what was gained since needs another token, which the session gives without a page
    expect(await outcome(server, token, 'GET', '/users')).toBe('403 auth.forbidden')
    const renewed = await consoleToken(server, administrator, { prompt: 'none' })
    expect(await outcome(server, renewed, 'GET', '/users')).toBe('200')
    await server.api('PUT', `/administrators/${administrator.id}`, { roleIds: ['support'] })
    expect(await outcome(server, renewed, 'GET', '/roles')).toBe('200')
    expect(await outcome(server, renewed, 'GET', '/hooks')).toBe('403 auth.forbidden')
  })
})

describe('no other token of an administrator is accepted', () => {
  test('of another application, or by a grant other than the code flow', async () => {
    const { resource } = server.credentials
    const app = await createApp(server, 'SPA')
    await consoleToken(server, owner)
    const browser = newBrowser()
    browser.steal('countersign-session', owner.browser)
    const signedIn = { app, user: owner, browser }
    const code = await authorize(signedIn, `openid ${EVERY.join(' ')}`, [resource])
    const { body } = await redeemCode(server, signedIn, code, { resource })
    expect(body.scope).toBe('')
    expect(await outcome(server, body.access_token, 'GET', '/roles')).toBe('401 auth.unauthorized')
    for (const grant_type of [
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:ietf:params:oauth:grant-type:device_code',
      'client_credentials',
    ]) {
      const refused = await post(server, '/token', { grant_type, client_id: 'console', resource })
      expect(refused.body.error).toBe('unauthorized_client')
    }
    expect((await post(server, '/device/auth', { client_id: 'console', scope: 'openid' })).status).toBe(400)
  })

  test('one that was made for the user in the name of the console', async () => {
    const { body } = await server.api('POST', '/subject-tokens', { userId: owner.id })
    const exchanged = await post(server, '/token', {
      ...{ grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', client_id: 'console' },
      ...{ subject_token: body.subjectToken, subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
    })
    expect(exchanged.body.error).toBe('unauthorized_client')
  })
})

test('what is dangerous needs a recent sign-in, as RFC 9470 says; a machine needs none', async () => {
  const administrator = await createAdministrator(server, ['owner'])
  await consoleToken(server, administrator)
  server.clock.advance(660)
  const stale = await consoleToken(server, administrator, { prompt: 'none' })
  const role = { name: 'Night shift', permissions: ['read:logs'] }
  const refused = await call(server, 'POST', '/administrator-roles', { token: stale, body: role })
  expect([refused.status, refused.body.code, refused.body.data]).toEqual([
    401,
    'auth.step_up_required',
    { maxAge: 600 },
  ])
  expect(refused.headers['www-authenticate']).toContain(
    'Bearer error="insufficient_user_authentication", max_age="600", ',
  )
  expect(await outcome(server, stale, 'GET', '/administrator-roles')).toBe('200')
  expect(await outcome(server, stale, 'POST', '/roles', { name: 'Harmless' })).toBe('200')
  expect(await outcome(server, stale, 'POST', '/user-exports', {})).toBe('401 auth.step_up_required')
  // what would outlast the token: permissions for a machine, and the account of an administrator
  const { body: application } = await server.api('POST', '/applications', { name: 'CI', type: 'MachineToMachine' })
  const { body: resources } = await server.api('GET', '/resources?includeScopes=true')
  const own = resources.find(({ indicator }: { indicator: string }) => indicator === server.credentials.resource)
  const scopeIds = [own.scopes.find(({ name }: { name: string }) => name === 'all').id]
  const roleWith = async (more: object) =>
    (await server.api('POST', '/roles', { name: `of ${Object.keys(more)}`, type: 'MachineToMachine', ...more })).body.id
  const [mighty, plain] = [await roleWith({ scopeIds }), await roleWith({})]
  const roles = `/applications/${application.id}/roles`
  expect(await outcome(server, stale, 'POST', roles, { roleIds: [mighty] })).toBe('401 auth.step_up_required')
  expect(await outcome(server, stale, 'POST', roles, { roleIds: [plain] })).toBe('201')
  const mail = (id: string) => ['PATCH', `/users/${id}`, { primaryEmail: `${id}@example.com` }] as const
  expect(await outcome(server, stale, ...mail(owner.id))).toBe('401 auth.step_up_required')
  expect(await outcome(server, stale, ...mail(administrator.id))).toBe('401 auth.step_up_required')
  expect(await outcome(server, stale, ...mail((await createAdministrator(server)).id))).toBe('200')
  const fresh = await consoleToken(server, administrator, { max_age: '600' })
  expect(await outcome(server, fresh, 'POST', roles, { roleIds: [mighty] })).toBe('201')
  expect(await outcome(server, fresh, 'POST', '/administrator-roles', role)).toBe('201')
  expect((await server.api('POST', '/administrator-roles', { ...role, name: 'Day shift' })).status).toBe(201)
})

describe('the console as an application', () => {
  test('is in no list, and no route shows, changes or deletes it', async () => {
    const { body, headers } = await server.api('GET', '/applications?page_size=100')
    expect(body.map(({ id }: { id: string }) => id)).not.toContain('console')
    expect(headers.get('total-number')).toBe(String(body.length))
    const onApplications = API_ROUTES.filter(
      ({ path, upload }) => /^\/applications\/:(id|applicationId)/.test(path) && !upload,
    )
    const changed = async () =>
      (await server.store.database.pool.query(`SELECT * FROM applications WHERE id = 'console'`)).rows
    const before = await changed()
    for (const { method, path } of onApplications) {
      const own = path.replace(/:(id|applicationId)/, 'console').replace(/:\w+/g, '0')
      const { status } = await call(server, method, own, { token: await adminToken(), body: {} })
      expect.soft([method, path, status]).not.toEqual([method, path, 200])
      expect.soft(status).toBeGreaterThanOrEqual(400)
    }
    expect(await changed()).toEqual(before)
  })
  const adminToken = () => consoleToken(server, owner, { prompt: 'none' }).catch(() => consoleToken(server, owner))

  test('returns to this host only', async () => {
    const url = new URL(`${server.issuer}/auth`)
    url.search = String(
      new URLSearchParams({ client_id: 'console', redirect_uri: CALLBACK, response_type: 'code', scope: 'openid' }),
    )
    const { status, headers } = await send(url.href, { method: 'GET' })
    expect([status, headers.location]).toEqual([400, undefined])
  })

  test('is served with a policy that admits no inline script and no frame, or says that it has not been built', async () => {
    for (const path of [
      '/console',
      '/console/',
      '/console/index.html',
      '/console/users/x?tab=roles',
      '/console/callback',
    ]) {
      const { status, headers, text } = await send(`${server.baseUrl}${path}`, { method: 'GET' })
      expect([200, 404]).toContain(status)
      expect(headers['content-type']).toContain(status === 200 ? 'text/html' : 'text/plain')
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'")
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['content-security-policy']).not.toContain('unsafe')
      if (status === 404) expect(text).toContain('npm run build -w packages/console')
    }
    for (const name of ['..%2findex.html', '%2e%2e%2f%2e%2e%2fpackage.json', 'unknown.js'])
      expect((await send(`${server.baseUrl}/console/assets/${name}`, { method: 'GET' })).status).toBe(404)
  })

  test('renews its token from an admin host by a request that no other origin may read', async () => {
    await consoleToken(server, owner)
    const node = await server.startNode({ CONSOLE: 'https://admin.example' })
    const host = new URL(server.baseUrl).host
    const cookie = `countersign-session=${owner.browser.cookie('countersign-session')}`
    const verifier = 'a-verifier-that-is-long-enough-for-the-console'
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const redirect = 'https://admin.example/console/callback'
    const ask = (origin: string, more: Readonly<Record<string, string>> = {}) => {
      const query = new URLSearchParams({
        ...{ client_id: 'console', redirect_uri: redirect, response_type: 'code', scope: 'openid all', prompt: 'none' },
        ...{ resource: server.credentials.resource, code_challenge: challenge, code_challenge_method: 'S256', ...more },
      })
      return send(`${node.url}/oidc/auth?${query}`, { method: 'GET', headers: { host, cookie, origin } })
    }
    try {
      const renewed = await ask('https://admin.example')
      expect([renewed.status, renewed.headers['access-control-allow-origin']]).toEqual([303, 'https://admin.example'])
      expect(renewed.headers['access-control-allow-credentials']).toBe('true')
      for (const refused of [
        await ask('https://other.example'),
        await ask('null'),
        await ask('https://admin.example', { prompt: '' }),
      ])
        expect(refused.headers['access-control-allow-origin']).toBeUndefined()
      const atBaseUrl = { redirect_uri: `${server.baseUrl}/console/callback` }
      expect((await ask('https://admin.example', atBaseUrl)).status).toBe(400)

      const end = new URL(String(renewed.headers.location))
      expect(end.href.startsWith(`${redirect}?code=`)).toBe(true)
      const { headers } = await send(`${node.url}/console/callback`, {
        method: 'GET',
        headers: { host: 'admin.example', origin: 'null' },
      })
      expect([headers['access-control-allow-origin'], headers['access-control-allow-credentials']]).toEqual([
        'null',
        'true',
      ])
      expect(headers['content-security-policy']).toContain(`connect-src 'self' ${server.baseUrl};`)
      const {
        status,
        headers: given,
        body,
      } = await send(`${node.url}/oidc/token`, {
        headers: { host, origin: 'https://admin.example', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          ...{ grant_type: 'authorization_code', client_id: 'console', code: end.searchParams.get('code') ?? '' },
          ...{ redirect_uri: redirect, code_verifier: verifier, resource: server.credentials.resource },
        }).toString(),
      })
      expect([status, given['access-control-allow-origin']]).toEqual([200, 'https://admin.example'])
      const authorization = `Bearer ${body.access_token}`
      const called = { method: 'GET', headers: { host: 'admin.example', authorization } }
      expect((await send(`${node.url}/api/roles`, called)).status).toBe(200)
    } finally {
      await node.close()
    }
  })

  test('can be switched off, and its tokens with it', async () => {
    const token = await consoleToken(server, owner)
    const node = await server.startNode({ CONSOLE: 'off' })
    try {
      const headers = { authorization: `Bearer ${token}` }
      expect((await send(`${node.url}/api/roles`, { method: 'GET', headers })).status).toBe(401)
      expect((await send(`${server.baseUrl}/api/roles`, { method: 'GET', headers })).status).toBe(200)
      expect((await send(`${node.url}/console`, { method: 'GET' })).headers['content-type']).toContain('json')
    } finally {
      await node.close()
    }
  })
})
