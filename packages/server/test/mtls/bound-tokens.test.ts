import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openAccountCenter } from '../account/arrange.ts'
import { boundHeaders, makePair, proofOf } from '../dpop/proofs.ts'
import { arrange, authorization, type BodyOf, type Reply, send } from '../protocol/arrange.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, PASSWORD, signIn } from '../sign-in/arrange.ts'
import { type Api, authorize, createApi, createRole, type SignedIn } from '../sign-in/user-tokens.ts'
import { ACCESS_TOKEN, createExchanger, GRANT } from '../token-exchange/arrange.ts'
import { certify, type Identity } from './certificates.ts'
import { fetchWith, securePost, secureSend, startTlsServer, type TlsServer } from './tls.ts'

type Form = Readonly<Record<string, string>>
type Metadata = NonNullable<BodyOf<'createApplication'>['customClientMetadata']>

const BOUND: Metadata = { tlsClientCertificateBoundAccessTokens: true }

let server: TlsServer
let mine: Identity
let foreign: Identity
let known: SignedIn
let api: Api
beforeAll(async () => {
  server = await startTlsServer(inject('cluster'))
  ;[mine, foreign] = [certify(), certify()]
  const app = await createApp(server, 'SPA', { customClientMetadata: BOUND })
  const user = await createUser(server)
  const browser = newBrowser()
  await signIn(browser, await begin(app.configuration), user.username)
  known = { app, user, browser }
  api = await createApi(server)
  const roleId = await createRole(server, Object.values(api.scopeIds))
  await server.api('POST', `/users/${user.id}/roles`, { roleIds: [roleId] })
})
afterAll(() => server.close())

const ask = (own: Identity | undefined, parameters: Form, headers: Record<string, string> = {}) =>
  securePost(server, '/token', own && { own }, parameters, headers)
const redeem = (own: Identity | undefined, { begun, code }: Awaited<ReturnType<typeof authorize>>, more: Form = {}) =>
  ask(own, {
    ...{ grant_type: 'authorization_code', client_id: known.app.id, code, redirect_uri: CALLBACK },
    ...{ code_verifier: begun.verifier, ...more },
  })
const refresh = (own: Identity | undefined, token: string, more: Form = {}) =>
  ask(own, { grant_type: 'refresh_token', client_id: known.app.id, refresh_token: token, ...more })
const cnfOf = ({ body }: Reply): unknown => decodeJwt(body.access_token).cnf
const outcome = ({ status, body }: Reply) => (status === 200 ? body.token_type : body.error)
const call = (path: string, own: Identity | undefined, token: string, scheme = 'Bearer') =>
  secureSend(server.secureUrl + path, own && { own }, {
    method: 'GET',
    headers: { authorization: `${scheme} ${token}` },
  })

describe('what a token request issues is bound to the certificate of its connection', () => {
  test('a code, its tokens, and the refresh tokens of a public application', async () => {
    const authorized = await authorize(known, 'openid offline_access read', [api.indicator])
    // refused before the code is looked at
    expect(outcome(await redeem(undefined, authorized))).toBe('invalid_request')
    const tokens = await redeem(mine, authorized)
    expect(outcome(tokens)).toBe('Bearer')
    const { refresh_token: first } = tokens.body
    expect(outcome(await refresh(foreign, first))).toBe('invalid_grant')
    expect(outcome(await refresh(undefined, first))).toBe('invalid_request')
    const next = await refresh(mine, first, { resource: api.indicator })
    expect(cnfOf(next)).toEqual({ 'x5t#S256': mine.thumbprint })
    // renewed, with the same key, it is another certificate
    const renewed = certify({ keys: mine.key })
    expect(outcome(await refresh(renewed, next.body.refresh_token))).toBe('invalid_grant')
    expect(outcome(await refresh(mine, next.body.refresh_token))).toBe('Bearer')
  })

  test('a code whose request was pushed with a certificate is for that certificate', async () => {
    const pushed = async () => {
      const begun = await begin(known.app.configuration, { scope: 'openid' })
      // an application cannot name one itself
      const named = { ...Object.fromEntries(begun.url.searchParams), 'x5t#S256': foreign.thumbprint }
      const { body } = await securePost(server, '/request', { own: mine }, named)
      const url = new URL(`${server.issuer}/auth`)
      url.search = new URLSearchParams({ client_id: known.app.id, request_uri: body.request_uri }).toString()
      const back = await known.browser.open(url)
      return { begun, code: back.url.searchParams.get('code') ?? '' }
    }
    expect(outcome(await redeem(mine, await pushed()))).toBe('Bearer')
    const authorized = await pushed()
    expect(outcome(await redeem(foreign, authorized))).toBe('invalid_grant')
    expect(outcome(await redeem(mine, authorized))).toBe('invalid_grant')
    const begun = await begin(known.app.configuration, { scope: 'openid', 'x5t#S256': foreign.thumbprint })
    const { url } = await known.browser.open(begun.url)
    expect(outcome(await redeem(mine, { begun, code: url.searchParams.get('code') ?? '' }))).toBe('Bearer')
    expect((await securePost(server, '/request', undefined, Object.fromEntries(begun.url.searchParams))).status).toBe(
      400,
    )
  })

  test('an exchange: a bound subject or actor only with its certificate, by an application that is set so too', async () => {
    const exchanger = await createExchanger(server)
    const headers = authorization({ clientId: exchanger.id, clientSecret: exchanger.secret ?? '' })
    const exchange = (own: Identity, parameters: Form) =>
      ask(
        own,
        { grant_type: GRANT, subject_token_type: ACCESS_TOKEN, resource: api.indicator, scope: 'read', ...parameters },
        headers,
      )
    const scope = 'openid offline_access read'
    const { body } = await redeem(mine, await authorize(known, scope, [api.indicator]))
    const jwt = (await refresh(mine, body.refresh_token, { resource: api.indicator })).body.access_token
    const subject = async () =>
      (await server.client.createSubjectToken({ body: { userId: known.user.id } })).subjectToken
    const acting = { actor_token: body.access_token, actor_token_type: ACCESS_TOKEN }
    expect(outcome(await exchange(mine, { subject_token: jwt }))).toBe('invalid_grant')
    const { body: before } = await server.api('GET', `/applications/${exchanger.id}`)
    await server.api('PATCH', `/applications/${exchanger.id}`, {
      customClientMetadata: { ...before.customClientMetadata, ...BOUND },
    })
    for (const subject_token of [jwt, body.access_token]) {
      expect(outcome(await exchange(foreign, { subject_token }))).toBe('invalid_grant')
      expect(cnfOf(await exchange(mine, { subject_token }))).toEqual({ 'x5t#S256': mine.thumbprint })
    }
    expect(outcome(await exchange(foreign, { subject_token: await subject(), ...acting }))).toBe('invalid_grant')
    expect(outcome(await exchange(mine, { subject_token: await subject(), ...acting }))).toBe('Bearer')
  })

  test('with a proof beside it: to both, and each is needed', async () => {
    const pair = await makePair()
    const url = `${server.secureUrl}/oidc/token`
    const authorized = await authorize(known, 'openid', [])
    const parameters = {
      ...{ grant_type: 'authorization_code', client_id: known.app.id, code: authorized.code, redirect_uri: CALLBACK },
      code_verifier: authorized.begun.verifier,
    }
    // a proof may name the address that the request was sent to
    const tokens = await ask(mine, parameters, { dpop: await proofOf(server, pair, { url }) })
    expect(outcome(tokens)).toBe('DPoP')
    const token = tokens.body.access_token
    const me = async (own: Identity) => {
      const headers = await boundHeaders(server, pair, token, { method: 'GET', url: `${server.issuer}/me` })
      return (await secureSend(`${server.secureUrl}/oidc/me`, { own }, { method: 'GET', headers })).status
    }
    expect([await me(mine), await me(foreign), (await call('/oidc/me', mine, token)).status]).toEqual([200, 401, 401])
  })

  test('an API that takes no others: only applications that are set so get tokens for it', async () => {
    const resource = { senderConstraint: 'mtls' } as const
    const plain = await arrange(server, { resource })
    const bound = await arrange(server, { resource, metadata: BOUND })
    const request = (own: Identity | undefined, { client: credentials, resource: { indicator } }: typeof plain) =>
      ask(own, { grant_type: 'client_credentials', resource: indicator }, authorization(credentials))
    expect(outcome(await request(mine, plain))).toBe('invalid_request')
    expect(outcome(await request(undefined, bound))).toBe('invalid_request')
    expect(cnfOf(await request(mine, bound))).toEqual({ 'x5t#S256': mine.thumbprint })
    await server.api('PATCH', `/resources/${plain.resource.id}`, { senderConstraint: 'none' })
    expect(outcome(await request(mine, plain))).toBe('Bearer')
  })
})

describe('a bound token', () => {
  test.each(['/oidc/me', '/api/my-account'])('%s takes it with its certificate alone', async (path) => {
    await openAccountCenter(server)
    const { body } = await redeem(mine, await authorize(known, 'openid profile', []))
    expect((await call(path, mine, body.access_token)).status).toBe(200)
    for (const other of [foreign, undefined, certify({ keys: mine.key })]) {
      const refused = await call(path, other, body.access_token)
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([
        401,
        expect.stringMatching(/^Bearer error="invalid_token"/),
      ])
    }
    expect((await call(path, mine, body.access_token, 'DPoP')).status).toBe(401)
  })

  test('the Management API takes it, and introspection says so of every kind', async () => {
    const { body: manager } = await server.api('POST', '/applications', {
      name: 'Manager',
      type: 'MachineToMachine',
      customClientMetadata: { ...BOUND, dangerouslyIntrospectAllTokens: true },
    })
    const { body: roles } = await server.api('GET', '/roles?type=MachineToMachine&page_size=100')
    const roleIds = roles
      .filter(({ isDefault, name }: { isDefault: boolean; name: string }) => isDefault || /management/i.test(name))
      .map(({ id }: { id: string }) => id)
    await server.api('POST', `/applications/${manager.id}/roles`, { roleIds })
    const { body: secrets } = await server.api('GET', `/applications/${manager.id}/secrets`)
    const headers = authorization({ clientId: manager.id, clientSecret: secrets[0].value })
    const { resource } = server.credentials
    const tokens = await ask(mine, { grant_type: 'client_credentials', resource, scope: 'all' }, headers)
    const token = tokens.body.access_token
    expect((await call('/api/roles', mine, token)).status).toBe(200)
    const refused = await call('/api/roles', foreign, token)
    expect([refused.status, refused.body.code]).toEqual([401, 'auth.token_not_held'])
    // the plain port knows of no certificate
    const plain = await send(`${server.baseUrl}/api/roles`, {
      method: 'GET',
      headers: { authorization: `Bearer ${token}`, 'client-cert': `:${mine.der.toString('base64')}:` },
    })
    expect([plain.status, plain.body.code]).toEqual([401, 'auth.token_not_held'])
    const { body } = await redeem(mine, await authorize(known, 'openid offline_access read', [api.indicator]))
    const jwt = await refresh(mine, body.refresh_token, { resource: api.indicator })
    for (const each of [body.access_token, jwt.body.access_token, jwt.body.refresh_token]) {
      const { body: facts } = await securePost(server, '/token/introspection', { own: mine }, { token: each }, headers)
      expect([facts.active, facts.cnf]).toEqual([true, { 'x5t#S256': mine.thumbprint }])
    }
  })
})

describe('real clients', () => {
  const behind = () => Math.floor(server.clock.now().getTime() / 1000) - Math.floor(Date.now() / 1000)

  test('openid-client: a pushed request, a code, refresh and userinfo, each at the address for certificates', async () => {
    const configuration = await client.discovery(
      new URL(server.issuer),
      known.app.id,
      { use_mtls_endpoint_aliases: true, [client.clockSkew]: behind() } as client.ClientMetadata,
      client.None(),
      { execute: [client.allowInsecureRequests], [client.customFetch]: fetchWith({ own: mine }) },
    )
    const begun = await begin(configuration, { scope: 'openid profile offline_access' })
    const url = await client.buildAuthorizationUrlWithPAR(configuration, Object.fromEntries(begun.url.searchParams))
    const browser = newBrowser()
    const { url: back } = await browser.submit(await browser.open(url), {
      identifier: known.user.username,
      password: PASSWORD,
    })
    const checks = { pkceCodeVerifier: begun.verifier, expectedState: begun.state, expectedNonce: begun.nonce }
    const tokens = await client.authorizationCodeGrant(configuration, back, checks)
    const claims = await client.fetchUserInfo(configuration, tokens.access_token, known.user.id)
    expect([tokens.token_type, claims.username]).toEqual(['bearer', known.user.username])
    const next = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(next.token_type).toBe('bearer')
  })

  test('oauth4webapi: the certificate of the resource request is checked', async () => {
    const { body } = await redeem(mine, await authorize(known, 'openid', []))
    const url = new URL(`${server.secureUrl}/oidc/me`)
    const request = (own: Identity) =>
      oauth.protectedResourceRequest(body.access_token, 'GET', url, undefined, undefined, {
        [oauth.customFetch]: fetchWith({ own }),
      })
    expect((await request(mine)).status).toBe(200)
    await expect(request(foreign)).rejects.toMatchObject({ status: 401 })
  })
})
