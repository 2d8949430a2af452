/** DECISIONS H14: identity assertions (ID-JAG), from one server that signs users in to another that knows them by it. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connectSso } from '../federation/arrange.ts'
import { type KeyPair, makeKey, nowOf } from '../protocol/assertions.ts'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { type Caller, createExchanger, exchange } from './arrange.ts'

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'
const BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const NOTES = 'https://notes.example/api'
const FILES = 'https://files.example/api'

/** The identity provider, and the server whose APIs are called. */
let provider: TestServer
let server: TestServer
let app: Awaited<ReturnType<typeof createApp>> & Caller
let caller: Caller
let connectorId: string
let userId: string
let person: { id: string; username: string }
let idToken: string

/** Another provider, whose claims are whatever a test says. */
let key: KeyPair
let address: string
const site = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const isKeys = request.url === '/keys'
  response.end(JSON.stringify(isKeys ? { keys: [key.jwk] } : { issuer: address, jwks_uri: `${address}/keys` }))
})

const link = (connector_id: string, issuer: string, identity_id: string) => {
  const now = server.clock.now()
  return server.store.database.kysely
    .insertInto('user_sso_identities')
    .values({
      ...{ tenant_id: 'default', id: randomUUID().slice(0, 21), user_id: userId, connector_id, issuer, identity_id },
      ...{ detail: '{}', created_at: now, updated_at: now },
    })
    .execute()
}

beforeAll(async () => {
  ;[provider, server] = await Promise.all([startTestServer(inject('cluster')), startTestServer(inject('cluster'))])
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  key = await makeKey('ES256', { kid: 'one' })
  const config = { clientId: 'notes', clientSecret: 'secret' }
  connectorId = await connectSso(server, { issuer: provider.issuer, ...config })
  const forged = await connectSso(server, { issuer: address, ...config })
  caller = await createExchanger(server, 'Traditional', {
    allowTokenExchange: false,
    identityAssertionConnectors: [forged, connectorId],
  })
  const scopeIds: string[] = []
  for (const indicator of [NOTES, FILES]) {
    const { id: resourceId } = await server.client.createResource({ body: { name: indicator, indicator } })
    for (const name of ['read', 'write']) {
      const { id } = await server.client.createScope({ params: { resourceId }, body: { name } })
      scopeIds.push(id)
    }
  }
  const role = await server.client.createRole({ body: { name: 'Writer', type: 'User', scopeIds } })
  userId = (await createUser(server)).id
  await server.client.addUserRoles({ params: { userId }, body: { roleIds: [role.id] } })

  const made = await createApp(provider, 'Traditional', {
    customClientMetadata: {
      allowTokenExchange: true,
      identityAssertionAudiences: [
        { audience: server.issuer, clientId: caller.id, resources: [NOTES, FILES], scopes: ['read', 'admin'] },
        { audience: 'https://any.example', clientId: 'there' },
      ],
    },
  })
  const [secret] = await provider.client.listApplicationSecrets({ params: { id: made.id } })
  app = { ...made, secret: secret?.value ?? '' }
  person = await createUser(provider)
  idToken = await idTokenOf(person.username)
  await link(connectorId, provider.issuer, person.id)
  await link(forged, address, 'forged')
})
afterAll(async () => {
  await Promise.all([provider.close(), server.close()])
  site.close()
})

const idTokenOf = async (username: string): Promise<string> => {
  const begun = await begin(app.configuration, { scope: 'openid' })
  const tokens = await redeem(app.configuration, await signIn(newBrowser(), begun, username), begun)
  return tokens.id_token ?? ''
}
const assertion = (change: Parameters<typeof exchange>[2] = {}, by: Caller = app) =>
  exchange(provider.baseUrl, by, {
    requested_token_type: ID_JAG,
    subject_token: idToken,
    subject_token_type: ID_TOKEN,
    audience: server.issuer,
    resource: NOTES,
    scope: 'read write',
    ...change,
  })
const present = (value: string, change: Parameters<typeof exchange>[2] = {}, by = caller) =>
  exchange(server.baseUrl, by, { grant_type: BEARER, assertion: value, ...change })
const forge = (claims: JWTPayload = {}, header: Record<string, unknown> = {}) => {
  const now = nowOf(server)
  const whole = { iss: address, sub: 'forged', aud: server.issuer, client_id: caller.id, jti: randomUUID() }
  return new SignJWT({ ...whole, iat: now, exp: now + 300, resource: NOTES, scope: 'read write', ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'oauth-id-jag+jwt', ...header })
    .sign(key.privateKey)
}
const suspend = async (where: TestServer, id: string, isSuspended: boolean) =>
  expect((await where.api('PATCH', `/users/${id}/is-suspended`, { isSuspended })).status).toBe(200)
const audited = async (where: TestServer, logKey: string) => {
  const { body } = await where.api('GET', `/logs?logKey=${logKey}&page_size=1`)
  return body[0].payload
}

describe('from one server to the other', () => {
  test('an ID token becomes an assertion, and that a token of the linked user, with what both sides allow', async () => {
    provider.clock.advance(1)
    const { status, body } = await assertion()
    expect([status, body.issued_token_type, body.token_type, body.expires_in]).toEqual([200, ID_JAG, 'N_A', 300])
    expect(body).not.toHaveProperty('refresh_token')
    expect(decodeProtectedHeader(body.access_token).typ).toBe('oauth-id-jag+jwt')
    const claims = decodeJwt(body.access_token)
    expect(claims).toMatchObject({
      ...{ iss: provider.issuer, sub: person.id, aud: server.issuer, client_id: caller.id },
      ...{ resource: NOTES, scope: 'read', auth_time: expect.any(Number), acr: expect.any(String) },
    })
    expect(await audited(provider, 'ExchangeTokenBy.TokenExchange')).toMatchObject({
      ...{ result: 'Success', userId: person.id, assertionAudience: server.issuer, jti: claims.jti },
      dropped: [{ scope: 'write', why: expect.stringContaining('identityAssertionAudiences') }],
    })
    server.clock.advance(1)
    const answer = await present(body.access_token, { scope: 'read write' })
    expect([answer.status, answer.body.scope, answer.body.token_type]).toEqual([200, 'read', 'Bearer'])
    expect(answer.body).not.toHaveProperty('refresh_token')
    expect(answer.body).not.toHaveProperty('issued_token_type')
    expect(decodeJwt(answer.body.access_token)).toMatchObject({ sub: userId, aud: NOTES, client_id: caller.id })
    expect(await audited(server, 'ExchangeTokenBy.JwtBearer')).toMatchObject({
      ...{ result: 'Success', userId, ssoConnectorId: connectorId, assertionSubject: person.id },
      assertionJti: claims.jti,
    })
    // once, on whatever node
    const again = (await assertion()).body.access_token
    const node = await server.startNode()
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        exchange(i % 2 ? node.url : server.baseUrl, caller, { grant_type: BEARER, assertion: again }),
      ),
    ).finally(() => node.close())
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400])
  })

  test('as oauth4webapi does it', async () => {
    const as = { issuer: server.issuer, token_endpoint: `${server.issuer}/token` }
    const client = { client_id: caller.id }
    const response = await oauth.genericTokenEndpointRequest(
      as,
      client,
      oauth.ClientSecretBasic(caller.secret ?? ''),
      BEARER,
      { assertion: (await assertion()).body.access_token },
      { [oauth.allowInsecureRequests]: true },
    )
    expect(await oauth.processGenericTokenEndpointResponse(as, client, response)).toMatchObject({ scope: 'read' })
  })

  test('a user who is suspended on either side, or has signed out, gets neither', async () => {
    const other = await createUser(provider)
    const token = await idTokenOf(other.username)
    expect((await assertion({ subject_token: token })).status).toBe(200)
    // nobody here is linked to them
    server.clock.advance(1)
    const stranger = (await assertion({ subject_token: token })).body.access_token
    expect((await present(stranger)).body.error).toBe('invalid_grant')
    expect((await audited(server, 'ExchangeTokenBy.JwtBearer')).reason).toContain('no user has this account')
    await suspend(provider, other.id, true)
    expect((await assertion({ subject_token: token })).body.error).toBe('invalid_grant')
    const late = await createUser(provider)
    const ended = await idTokenOf(late.username)
    const { body: sessions } = await provider.api('GET', `/users/${late.id}/sessions`)
    await provider.api('DELETE', `/users/${late.id}/sessions/${decodeJwt(ended).sid}`)
    expect([
      sessions.sessions?.length ?? sessions.length,
      (await assertion({ subject_token: ended })).body.error,
    ]).toEqual([1, 'invalid_grant'])
    const ready = (await assertion()).body.access_token
    await suspend(server, userId, true)
    expect((await present(ready)).body.error).toBe('invalid_grant')
    await suspend(server, userId, false)
    // what was refused was not used up
    expect((await present(ready)).status).toBe(200)
  })
})

describe('an assertion is not issued', () => {
  test.each<[string, string, Parameters<typeof exchange>[2]]>([
    ['for another audience', 'invalid_target', { audience: 'https://elsewhere.example' }],
    ['for itself', 'invalid_target', { audience: 'https://other.example/' }],
    ['without an audience', 'invalid_request', { audience: undefined }],
    ['for two audiences', 'invalid_request', { audience: ['https://any.example', 'https://any.example'] }],
    ['for another API', 'invalid_target', { resource: [NOTES, 'https://payroll.example'] }],
    ['for no API, where they are listed', 'invalid_target', { resource: undefined }],
    ['for an access token', 'invalid_request', { subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' }],
    ['for no token', 'invalid_request', { subject_token: undefined }],
    ['for something else', 'invalid_grant', { subject_token: 'x.y.z' }],
    ['with an actor', 'invalid_request', { actor_token: 'x', actor_token_type: ID_TOKEN }],
    ['in an organization', 'invalid_request', { organization_id: 'x' }],
  ])('%s', async (_what, error, change) => {
    expect((await assertion(change)).body.error).toBe(error)
  })

  test('to other applications, public and pairwise ones, or for an ID token of another', async () => {
    const setting = { identityAssertionAudiences: [{ audience: server.issuer, clientId: 'x' }] }
    const other = await createExchanger(provider, 'Traditional', setting)
    expect((await assertion({}, other)).body.error).toBe('invalid_grant')
    expect((await assertion({}, await createExchanger(provider, 'SPA', setting))).body.error).toBe(
      'unauthorized_client',
    )
    expect((await assertion({}, await createExchanger(provider))).body.error).toBe('invalid_target')
    const off = await createExchanger(provider, 'Traditional', { ...setting, allowTokenExchange: false })
    expect((await assertion({}, off)).body.error).toBe('unauthorized_client')
    const customClientMetadata = { ...setting, allowTokenExchange: true, subjectType: 'pairwise' as const }
    const pairwise = await createApp(provider, 'Traditional', { customClientMetadata })
    const [secret] = await provider.client.listApplicationSecrets({ params: { id: pairwise.id } })
    expect((await assertion({}, { id: pairwise.id, secret: secret?.value ?? '' })).body.error).toBe(
      'unauthorized_client',
    )
  })

  test('without scopes and APIs where the setting has none, it is for any', async () => {
    const { body } = await assertion({ audience: 'https://any.example', resource: [NOTES, FILES], scope: undefined })
    const claims = decodeJwt(body.access_token)
    expect([claims.resource, claims.scope, claims.client_id]).toEqual([[NOTES, FILES], undefined, 'there'])
  })
})

describe('an assertion is refused', () => {
  test.each<[string, (now: number) => JWTPayload, Record<string, unknown>?]>([
    ['it is not an identity assertion', () => ({}), { typ: 'JWT' }],
    ['it is not an identity assertion', () => ({}), { typ: undefined }],
    ['no connector', () => ({ iss: 'https://stranger.example' })],
    ['the signature fits no key', () => ({ iss: '' }), { kid: 'x' }],
    ['aud is', () => ({ aud: 'https://elsewhere.example' })],
    ['aud is', () => ({ aud: [server.issuer, 'https://elsewhere.example'] })],
    ['client_id is "x"', () => ({ client_id: 'x' })],
    ['client_id is missing', () => ({ client_id: undefined })],
    ['sub is missing', () => ({ sub: undefined })],
    ['no user has this account', () => ({ sub: 'someone else', email: 'user@example.com', email_verified: true })],
    ['jti is missing', () => ({ jti: undefined })],
    ['iat is missing', () => ({ iat: undefined })],
    ['iat is', (now) => ({ iat: now + 60 })],
    ['exp is', (now) => ({ exp: now - 15 })],
    ['more than 3600 seconds', (now) => ({ exp: now + 3700 })],
    ['exp is missing', () => ({ exp: undefined })],
    ['act is', () => ({ act: { sub: 'x' } })],
    ['resource is 7', () => ({ resource: 7 })],
    ['scope is ["read"]', () => ({ scope: ['read'] })],
  ])('%s', async (reason, replaced, header) => {
    server.clock.advance(1)
    const claims = replaced(nowOf(server))
    const own = claims.iss === '' ? {} : claims
    const { status, body } = await present(await forge(own, header))
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
    expect((await audited(server, 'ExchangeTokenBy.JwtBearer')).reason).toContain(reason)
  })

  test('for an API that it is not for, the Management API, and applications without the setting', async () => {
    const targets = { resource: FILES }
    expect((await present(await forge(), targets)).body.error).toBe('invalid_target')
    const management = `${server.baseUrl}/api`
    const all = await forge({ resource: [NOTES, FILES, management] })
    expect((await present(all, { resource: management })).body.error).toBe('invalid_target')
    expect((await present(all, { resource: 'https://nowhere.example' })).body.error).toBe('invalid_target')
    expect((await present(all, { resource: FILES, scope: 'write' })).body.scope).toBe('write')
    expect((await present(await forge(), {}, await createExchanger(server))).body.error).toBe('unauthorized_client')
    expect((await present('')).body.error).toBe('invalid_request')
    const saml = await createExchanger(server, 'Traditional', { identityAssertionConnectors: ['gone'] })
    expect((await present(await forge({ client_id: saml.id }), {}, saml)).body.error).toBe('invalid_grant')
    // what is right about them would have been accepted
    expect((await present(await forge())).body.scope).toBe('read write')
  })

  test('R-37 whatever is in it, without a 500, and never for anyone else', async () => {
    const claim = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(fc.string()),
      fc.object(),
      fc.double(),
    )
    const names = fc.constantFrom(
      'iss',
      'sub',
      'aud',
      'exp',
      'nbf',
      'iat',
      'jti',
      'client_id',
      'act',
      'resource',
      'scope',
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, claim, { minKeys: 1, maxKeys: 3 }), async (claims) => {
        const { status, body } = await present(await forge(claims as JWTPayload))
        expect(status).toBeLessThan(500)
        if (status !== 200) return
        expect(Object.keys(claims).every((name) => ['nbf', 'iat', 'jti', 'scope', 'exp'].includes(name))).toBe(true)
        expect(decodeJwt(body.access_token).sub).toBe(userId)
      }),
      { numRuns: 60 },
    )
  })
})

test('discovery names the grant, the profile and the kind of token', async () => {
  const response = await fetch(`${server.issuer}/.well-known/openid-configuration`)
  expect(await response.json()).toMatchObject({
    grant_types_supported: expect.arrayContaining([BEARER]),
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    identity_chaining_requested_token_types_supported: [ID_JAG],
  })
})

test('an ID token that has expired is exchanged no more', async () => {
  provider.clock.advance(3600)
  expect((await assertion()).body.error).toBe('invalid_grant')
})
