/** Custom claims in tokens: DECISIONS J1, J3, J4 and SPEC 4.4, row by row. */
import { requestToken } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { forgetExpired } from '@countersign/server/domain/setup/housekeeping.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  authorized,
  createOrganization,
  join,
  ORGANIZATIONS,
  ORGANIZATIONS_RESOURCE,
  refresh,
} from '../organizations/token-arrange.ts'
import { begin, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { ACCESS_TOKEN, type Answer, BILLING, exchange, GRANT, ORDERS, PAT } from '../token-exchange/arrange.ts'
import {
  type ClaimsWorld,
  claimsOf,
  createClaimsWorld,
  functionOf,
  impersonate,
  lastEntry,
  setScript,
  type TokenType,
} from './arrange.ts'

let server: TestServer
let world: ClaimsWorld
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createClaimsWorld(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  // entries of the audit log are distinguished by their time
  server.clock.advance(1)
  for (const type of ['access-token', 'client-credentials'])
    await server.api('DELETE', `/configs/jwt-customizer/${type}`)
})

const set = (type: TokenType, body: string, more?: object) => setScript(server, type, body, more)

describe('J1: the input of the function', () => {
  test('the token that is issued, the environment and an api', async () => {
    await set('client-credentials', 'return { saw: { token, environmentVariables, api: Object.keys(api) } }', {
      environmentVariables: { REGION: 'eu' },
    })
    const claims = claimsOf(await world.machine.ask())
    expect(claims.saw).toEqual({
      token: {
        kind: 'ClientCredentials',
        jti: claims.jti,
        aud: ORDERS,
        scope: 'read:orders',
        clientId: world.machine.id,
        iat: claims.iat,
      },
      environmentVariables: { REGION: 'eu' },
      api: ['denyAccess'],
    })
  })

  test('for a machine, the application with its data and nothing secret', async () => {
    await server.api('PATCH', `/applications/${world.machine.id}/custom-data`, { team: 'billing' })
    await set('client-credentials', 'return { context }')
    const { context } = claimsOf(await world.machine.ask()) as { context: { application: object } }
    expect(Object.keys(context)).toEqual(['application'])
    expect(context.application).toMatchObject({
      id: world.machine.id,
      name: 'Machine',
      type: 'MachineToMachine',
      customData: { team: 'billing' },
      appLevelAccessControlEnabled: false,
    })
    expect(JSON.stringify(context)).not.toContain(world.machine.secret)
    await server.api('PATCH', `/applications/${world.machine.id}/custom-data`, { team: 'support' })
    expect(claimsOf(await world.machine.ask())).toMatchObject({
      context: { application: { customData: { team: 'support' } } },
    })
  })

  test('a scope and an environment that there are not are not there', async () => {
    await set('client-credentials', "return { has: ['scope' in token, typeof environmentVariables] }")
    expect(claimsOf(await world.machine.ask({ scope: 'write:orders' })).has).toEqual([false, 'undefined'])
    expect(claimsOf(await world.machine.ask()).has).toEqual([true, 'undefined'])
  })

  test('for a user who signed in, the permissions held and the interaction', async () => {
    await set(
      'access-token',
      'return { keys: Object.keys(context), user: context.user, via: context.interaction, token }',
    )
    const { jwt } = await world.tokensOf(world.user.username)
    const claims = decodeJwt(jwt) as Record<string, unknown>
    expect(claims.keys).toEqual(['user', 'interaction', 'application'])
    expect(claims.user).toMatchObject({
      id: world.user.id,
      username: world.user.username,
      hasPassword: true,
      isSuspended: false,
      customData: {},
      cimdClientId: null,
      organizations: [],
      organizationRoles: [],
      mfaVerificationFactors: [],
      ssoIdentities: [],
      roles: [{ id: world.role.id, name: 'Clerk' }],
    })
    const [role] = (claims.user as { roles: { scopes: { name: string; resource: object }[] }[] }).roles
    expect(role?.scopes.map(({ name }) => name)).toEqual(['pay:bills', 'read:bills', 'read:orders'])
    expect(role?.scopes[2]?.resource).toEqual({
      id: expect.any(String),
      name: 'Orders',
      indicator: ORDERS,
      isDefault: false,
      accessTokenTtl: expect.any(Number),
    })
    expect(JSON.stringify(claims.user)).not.toContain('argon2')
    const identifier = { type: 'username', value: world.user.username }
    expect(claims.via).toEqual({
      interactionEvent: 'SignIn',
      userId: world.user.id,
      verificationRecords: [{ id: expect.any(String), type: 'Password', identifier, verified: true }],
    })
    const { jti, iat, sid } = claims
    expect(claims.token).toEqual({
      ...{ kind: 'AccessToken', jti, iat, sid, sessionUid: sid, aud: ORDERS, scope: 'read:orders' },
      ...{ clientId: world.app.id, accountId: world.user.id, grantId: String(jti).split('.')[1] },
    })
  })

  test('for a user, the organizations of the user', async () => {
    const { body: organization } = await server.api('POST', '/organizations', { name: 'Acme' })
    const { body: role } = await server.api('POST', '/organization-roles', { name: 'Owner' })
    await server.api('POST', `/organizations/${organization.id}/users`, { userIds: [world.user.id] })
    await server.api('POST', `/organizations/${organization.id}/users/${world.user.id}/roles`, {
      organizationRoleIds: [role.id],
    })
    // nothing is shown of another member
    const other = await world.person()
    await server.api('POST', `/organizations/${organization.id}/users`, { userIds: [other.id] })
    await server.api('POST', `/organizations/${organization.id}/users/${other.id}/roles`, {
      organizationRoleIds: [role.id, (await server.api('POST', '/organization-roles', { name: 'Guest' })).body.id],
    })
    await join(server, await createOrganization(server, 'Initech'), other.id)
    await set('access-token', 'return { in: context.user.organizations, as: context.user.organizationRoles }')
    const claims = claimsOf(await impersonate(server, world))
    expect(claims.in).toEqual([{ id: organization.id, name: 'Acme', description: null }])
    expect(claims.as).toEqual([{ organizationId: organization.id, roleId: role.id, roleName: 'Owner' }])
    await server.api('DELETE', `/organizations/${organization.id}`)
  })

  test('for a user, their own second factors and roles', async () => {
    const holder = await world.person()
    await server.api('POST', `/users/${holder.id}/mfa-verifications`, { type: 'Totp' })
    const { body: role } = await server.api('POST', '/roles', { name: 'Second' })
    await server.api('POST', `/users/${holder.id}/roles`, { roleIds: [role.id] })
    await set(
      'access-token',
      'const { user } = context; return { has: [user.mfaVerificationFactors, user.roles.map(({ name }) => name)] }',
    )
    expect(claimsOf(await impersonate(server, { ...world, user: holder })).has).toEqual([['Totp'], ['Clerk', 'Second']])
    expect(claimsOf(await impersonate(server, world)).has).toEqual([[], ['Clerk']])
  })

  test('for a token in an organization, that organization', async () => {
    const organizationId = await createOrganization(server, 'Umbrella')
    await join(server, organizationId, world.user.id)
    const begun = await begin(world.app.configuration, { scope: `openid offline_access ${ORGANIZATIONS}` })
    begun.url.searchParams.append('resource', ORGANIZATIONS_RESOURCE)
    const { refresh_token } = await authorized(world.app, begun, world.user.username)
    await set('access-token', 'return { within: context.organization, organization_id: "elsewhere" }')
    const { tokens } = await refresh(world.app, refresh_token, { organization_id: organizationId })
    expect(decodeJwt(tokens?.access_token ?? '')).toMatchObject({
      within: { id: organizationId, name: 'Umbrella', description: null, customData: {} },
      organization_id: organizationId,
    })
  })

  test('SPEC 4.4 N5: the grant of every exchange, with the context of the original subject token', async () => {
    const body = 'return { grant: context.grant, ticket: context.grant?.subjectTokenContext.ticketId, token }'
    await set('access-token', body)
    const claims = claimsOf(await impersonate(server, world, { ticketId: 'T-17' }))
    const { jti, iat } = claims
    expect(claims.token).toEqual({
      ...{ kind: 'AccessToken', jti, iat, aud: BILLING, scope: 'read:bills' },
      ...{ clientId: world.exchanger.id, accountId: world.user.id },
    })
    expect(claims).toMatchObject({
      grant: { type: GRANT, subjectTokenContext: { ticketId: 'T-17' } },
      ticket: 'T-17',
      sub: world.user.id,
    })
    expect(claimsOf(await impersonate(server, world)).grant).toEqual({ type: GRANT, subjectTokenContext: {} })
    const { jwt } = await world.tokensOf(world.user.username)
    expect(decodeJwt(jwt)).not.toHaveProperty('grant')
    const ask = { resource: BILLING, scope: 'read:bills' }
    server.clock.advance(1)
    const delegated = await exchange(server.baseUrl, world.exchanger, {
      ...ask,
      subject_token: jwt,
      subject_token_type: ACCESS_TOKEN,
    })
    expect(claimsOf(delegated).grant).toEqual({ type: GRANT, subjectTokenContext: {} })
    const { body: pat } = await server.api('POST', `/users/${world.user.id}/personal-access-tokens`, { name: 'mine' })
    const byPat = await exchange(server.baseUrl, world.exchanger, {
      ...ask,
      subject_token: pat.value,
      subject_token_type: PAT,
    })
    expect(claimsOf(byPat).grant).toEqual({ type: GRANT, subjectTokenContext: {} })
    await server.api('DELETE', `/users/${world.user.id}/personal-access-tokens/mine`)
  })

  test('N5: the context of a subject token is passed on through every further exchange, even after housekeeping', async () => {
    await set('access-token', 'return { grant: context.grant }')
    const context = { ticketId: 'T-18', engineer: { name: 'Ada' } }
    const { body: resources } = await server.api('GET', '/resources')
    const { id } = resources.find(({ indicator }: { indicator: string }) => indicator === BILLING)
    await server.api('PATCH', `/resources/${id}`, { accessTokenTtl: 1200 })
    let token = (await impersonate(server, world, context)).body.access_token
    await server.api('PATCH', `/resources/${id}`, { accessTokenTtl: 900 })
    for (let link = 0; link < 3; link += 1) {
      // a subject token lives for 600 s
      server.clock.advance(300)
      await forgetExpired(server.store)
      const next = await exchange(server.baseUrl, world.exchanger, {
        subject_token: token,
        subject_token_type: ACCESS_TOKEN,
        resource: link % 2 ? BILLING : ORDERS,
        scope: 'read:bills read:orders',
      })
      expect(claimsOf(next).grant).toEqual({ type: GRANT, subjectTokenContext: context })
      expect((await lastEntry(server, 'ExchangeTokenBy.TokenExchange')).subjectTokenContext).toEqual(context)
      token = next.body.access_token
    }
    server.clock.advance(301)
    await forgetExpired(server.store)
    const { rows } = await server.store.database.pool.query('SELECT context FROM subject_tokens')
    expect(JSON.stringify(rows)).not.toContain('T-18')
  })

  test('both a function expression and a function declaration are accepted', async () => {
    const scripts = ['function getCustomJwtClaims() { return { a: 1 } }', 'var getCustomJwtClaims = () => ({ a: 1 })']
    for (const script of scripts) {
      await server.api('PUT', '/configs/jwt-customizer/client-credentials', { script })
      expect(claimsOf(await world.machine.ask()).a).toBe(1)
    }
  })

  test('denyAccess ends the request with access_denied and its message, caught or not', async () => {
    for (const body of [
      'api.denyAccess(\'not "here" – no\')',
      'try { api.denyAccess(\'not "here" – no\') } catch {} return {}',
    ]) {
      await set('client-credentials', body)
      const { status, body: answer } = await world.machine.ask()
      expect(status).toBe(400)
      expect(answer).toMatchObject({ error: 'access_denied', error_description: "not 'here' ? no" })
    }
    expect((await lastEntry(server, 'ExchangeTokenBy.ClientCredentials')).reason).toContain('denied: not "here"')
    await set('client-credentials', "api.denyAccess('x'.repeat(5000))")
    expect((await world.machine.ask()).body.error_description).toBe('x'.repeat(256))
    server.clock.advance(1)
    await set('client-credentials', "api.denyAccess('a\\\\b\\nc' + 'x'.repeat(5000))")
    expect((await world.machine.ask()).body.error_description).toBe(`a?b?c${'x'.repeat(251)}`)
    expect((await lastEntry(server, 'ExchangeTokenBy.ClientCredentials')).reason).toBe(
      `custom claims: denied: a\\b\nc${'x'.repeat(251)}`,
    )
    await set('client-credentials', 'api.denyAccess()')
    expect((await world.machine.ask()).body.error_description).toBe('access denied')
  })
})

describe('which tokens', () => {
  test('only JWT access tokens of that kind are changed; opaque tokens and ID tokens are not', async () => {
    await set('access-token', 'return { extra: true }')
    const begun = await begin(world.app.configuration, { scope: 'openid profile', resource: ORDERS })
    const tokens = await redeem(world.app.configuration, await signIn(newBrowser(), begun, world.user.username), begun)
    expect(tokens.access_token).toMatch(/^cs_at_/)
    expect(decodeJwt(tokens.id_token ?? '')).not.toHaveProperty('extra')
    const { jwt, refreshToken } = await world.tokensOf(world.user.username)
    expect(decodeJwt(jwt).extra).toBe(true)
    const refreshed = await fetch(`${server.baseUrl}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: world.app.id,
        refresh_token: refreshToken,
        resource: ORDERS,
      }),
    })
    expect(decodeJwt((await refreshed.json()).access_token).extra).toBe(true)
    expect(claimsOf(await world.machine.ask())).not.toHaveProperty('extra')
  })

  test('a change or deletion of the script takes effect with the next token', async () => {
    await set('client-credentials', 'return { version: 1 }')
    expect(claimsOf(await world.machine.ask()).version).toBe(1)
    await set('client-credentials', 'return { version: 2 }')
    expect(claimsOf(await world.machine.ask()).version).toBe(2)
    await server.api('DELETE', '/configs/jwt-customizer/client-credentials')
    expect(claimsOf(await world.machine.ask())).not.toHaveProperty('version')
  })

  test('a machine with a script costs the database nothing once it is cached', async () => {
    await set('client-credentials', 'return { name: context.application.name }')
    await world.machine.ask()
    const before = server.store.database.roundTrips()
    const begunAt = performance.now()
    for (let count = 0; count < 20; count += 1) expect(claimsOf(await world.machine.ask()).name).toBe('Machine')
    // background work of the server may intervene: a batch of audit rows each half second, and polls of its queues
    const own = 4 + (3 * (performance.now() - begunAt)) / 1000
    expect(server.store.database.roundTrips() - before).toBeLessThanOrEqual(own)
  })

  test('tokens for the Management API are issued without a script, so that a failing script can be fixed', async () => {
    await set('client-credentials', "api.denyAccess('nobody')")
    const { baseUrl, credentials } = server
    const answer = await requestToken(baseUrl, credentials, { resource: credentials.resource, scope: 'all' })
    expect(answer.status).toBe(200)
  })

  test('nothing of one run is left in the next', async () => {
    await set('client-credentials', 'globalThis.count = (globalThis.count ?? 0) + 1; return { count }')
    const counts = [await world.machine.ask(), await world.machine.ask()].map((answer) => claimsOf(answer).count)
    expect(counts).toEqual([1, 1])
  })
})

describe('J3: registered claims', () => {
  test('are dropped, and the audit entry names them', async () => {
    await set('client-credentials', "return { sub: 'root', scope: 'all', aud: 'x', act: { sub: 'y' }, plan: 'gold' }")
    const claims = claimsOf(await world.machine.ask())
    expect(claims).toMatchObject({ sub: world.machine.id, aud: ORDERS, scope: 'read:orders', plan: 'gold' })
    expect(claims).not.toHaveProperty('act')
    const entry = await lastEntry(server, 'ExchangeTokenBy.ClientCredentials')
    expect(entry.customClaims).toEqual({ dropped: ['act', 'aud', 'scope', 'sub'] })
  })

  test('a script cannot add a scope that was not granted', async () => {
    await set('client-credentials', "return { scope: 'read:orders' }")
    expect(claimsOf(await world.machine.ask({ scope: 'write:orders' }))).not.toHaveProperty('scope')
  })

  test('introspection treats the token like any other', async () => {
    await set('client-credentials', "return { active: false, token_type: 'mac', username: 'root' }")
    const { body } = await world.machine.ask()
    const response = await fetch(`${server.baseUrl}/oidc/token/introspection`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${world.machine.id}:${world.machine.secret}`).toString('base64')}`,
      },
      body: new URLSearchParams({ token: body.access_token }),
    })
    expect(await response.json()).toMatchObject({ active: true, token_type: 'Bearer', sub: world.machine.id })
  })
})

/** DECISIONS J4, with what the audit log says of it. */
const FAILURES: readonly (readonly [what: string, body: string, why: RegExp])[] = [
  ['throws', "throw new TypeError('secret words')", /threw: TypeError: secret words/],
  ['throws nothing', 'throw undefined', /threw/],
  ['takes too long', 'for (;;);', /time/],
  ['takes too long in its promises', 'for (;;) await 0', /time/],
  ['needs too much memory', 'const all = []; for (;;) all.push(new Array(100_000).fill(1))', /memory|time/],
  ['waits for a promise that never settles', 'await new Promise(() => {})', /pending/],
  ['returns nothing', '', /result: it is undefined/],
  ['returns null', 'return null', /result: it is null/],
  ['returns a list', 'return [{ a: 1 }]', /result: it is an array/],
  ['returns a string', "return 'claims'", /result: it is string/],
  ['returns a value that serializes to a list', 'return { toJSON: () => [] }', /result/],
  ['returns a value without a JSON form', 'return { toJSON: () => undefined }', /result/],
  ['returns a circular object', 'const all = {}; all.all = all; return all', /threw/],
  ['returns a number that JSON cannot represent', 'return { big: 1n }', /threw/],
  ['returns more than 16 KiB', "return { text: 'x'.repeat(16_400) }", /size/],
  ['returns more than 16 KiB of UTF-8', "return { text: '\\u20ac'.repeat(6000) }", /size/],
]

describe('J4: a script that fails', () => {
  test.each(FAILURES)('%s: the token is refused, and the log says why', async (_what, body, why) => {
    await set('client-credentials', body)
    const { status, body: answer } = await world.machine.ask()
    expect({ status, error: answer.error, description: answer.error_description }).toEqual({
      status: 400,
      error: 'invalid_request',
      description: 'the custom claims of the access token could not be made',
    })
    const entry = await lastEntry(server, 'ExchangeTokenBy.ClientCredentials')
    expect(entry).toMatchObject({ result: 'Error', error: 'invalid_request' })
    expect(entry.reason).toMatch(why)
  })

  test.each(FAILURES)(
    '%s: the token is issued without its claims, if the tenant is set so',
    async (_what, body, why) => {
      await set('client-credentials', body, { blockIssuanceOnError: false })
      const answer = await world.machine.ask()
      expect(answer.status).toBe(200)
      expect(Object.keys(claimsOf(answer)).sort()).toEqual([
        'aud',
        'client_id',
        'exp',
        'iat',
        'iss',
        'jti',
        'scope',
        'sub',
      ])
      const entry = await lastEntry(server, 'ExchangeTokenBy.ClientCredentials')
      expect(entry.result).toBe('Success')
      expect(entry.customClaims.error).toMatch(why)
    },
  )

  test('the log keeps the beginning of a long reason', async () => {
    await set('client-credentials', "throw 'x'.repeat(5000)")
    await world.machine.ask()
    const entry = await lastEntry(server, 'ExchangeTokenBy.ClientCredentials')
    expect(entry.reason).toBe(`custom claims: threw: ${'x'.repeat(256)}`)
  })

  test('a denial is still a denial', async () => {
    await set('client-credentials', "try { api.denyAccess('no') } catch {} for (;;);", { blockIssuanceOnError: false })
    expect((await world.machine.ask()).body.error).toBe('access_denied')
  })

  test('M: a token is never longer than 8 KiB', async () => {
    let length = 4000
    const issued = async (): Promise<Answer> => {
      await set('client-credentials', `return { text: 'x'.repeat(${length}) }`)
      return world.machine.ask()
    }
    // three characters more are four more in base64url
    length += Math.floor(((8192 - (await issued()).body.access_token.length) * 3) / 4) - 2
    let longest = 0
    for (let answer = await issued(); answer.status === 200; answer = await issued()) {
      longest = answer.body.access_token.length
      length += 1
    }
    expect(longest).toBe(8192)
    const { status, body } = await issued()
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: 'invalid_request',
      error_description: 'the access token would be longer than 8192 bytes with its custom claims',
    })
  })

  test('the limit of CPU is a setting', async () => {
    const body = 'let sum = 0; for (let i = 0; i < 2_000_000; i += 1) sum += i; return { done: true }'
    await set('client-credentials', body, { cpuLimit: 1 })
    expect((await world.machine.ask()).status).toBe(400)
    await set('client-credentials', body, { cpuLimit: 1000 })
    expect(claimsOf(await world.machine.ask()).done).toBe(true)
  })

  test('what the grant would have consumed is not consumed', async () => {
    await set('access-token', "throw new Error('not today')")
    const subject = {
      subject_token: await world.subjectToken(world.user.id, { ticketId: 'T-1' }),
      subject_token_type: ACCESS_TOKEN,
      resource: BILLING,
      scope: 'read:bills',
    }
    expect((await exchange(server.baseUrl, world.exchanger, subject)).body.error).toBe('invalid_request')
    await set('access-token', 'return { ticket: context.grant.subjectTokenContext.ticketId }')
    expect(claimsOf(await exchange(server.baseUrl, world.exchanger, subject)).ticket).toBe('T-1')
    expect((await exchange(server.baseUrl, world.exchanger, subject)).body.error).toBe('invalid_grant')
  })

  test('the script for tokens of users is not run for those of machines', async () => {
    await server.api('PUT', '/configs/jwt-customizer/access-token', { script: functionOf('throw 1') })
    expect((await world.machine.ask()).status).toBe(200)
  })
})

test('the statement that reads the user is planned once per connection', async () => {
  await setScript(server, 'access-token', 'return { user: context.user.id }')
  for (let count = 0; count < 3; count += 1) expect(claimsOf(await impersonate(server, world)).user).toBe(world.user.id)
  const { pool } = server.store.database
  const prepared = `SELECT name, pg_sleep(0.01) FROM pg_prepared_statements
    WHERE statement LIKE '/* prepared */%json_build_object%'`
  // every connection of the pool is used
  const answers = await Promise.all(Array.from({ length: 20 }, () => pool.query(prepared)))
  expect(answers.flatMap(({ rows }) => rows)).toContainEqual(
    expect.objectContaining({ name: expect.stringMatching(/^prepared-\d+$/) }),
  )
})
