import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { calculateJwkThumbprint, decodeJwt, exportJWK } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openAccountCenter } from '../account/arrange.ts'
import { arrange, askToken, authorization, post, type Reply, send } from '../protocol/arrange.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import { ask as askAsDevice, createDevice, enter } from '../sign-in/device.ts'
import {
  type Api,
  authorize,
  createApi,
  createRole,
  refresh,
  type SignedIn,
  signedInUser,
} from '../sign-in/user-tokens.ts'
import { ACCESS_TOKEN, createExchanger, GRANT, PAT } from '../token-exchange/arrange.ts'
import { askWithProof, boundHeaders, makePair, type Parts, type ProofPair, proofOf } from './proofs.ts'

let server: TestServer
let pair: ProofPair
let other: ProofPair
let known: SignedIn
let api: Api
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  ;[pair, other] = await Promise.all([makePair(), makePair('Ed25519')])
  known = await signedInUser(server)
  api = await createApi(server)
  const roleId = await createRole(server, Object.values(api.scopeIds))
  await server.api('POST', `/users/${known.user.id}/roles`, { roleIds: [roleId] })
})
afterAll(() => server.close())

type Form = Readonly<Record<string, string>>
/** A token request with a proof of this key. */
const bound = async (key: ProofPair, parameters: Form, headers: Form = {}) =>
  post(server, '/token', parameters, { ...headers, dpop: await proofOf(server, key) })
const redeemBound = async (
  key: ProofPair | undefined,
  { begun, code }: Awaited<ReturnType<typeof authorize>>,
  more: Form = {},
) => {
  const parameters = {
    ...{ grant_type: 'authorization_code', client_id: known.app.id, code, redirect_uri: CALLBACK },
    ...{ code_verifier: begun.verifier, ...more },
  }
  return key ? bound(key, parameters) : post(server, '/token', parameters)
}
const refreshBound = (key: ProofPair, token: string, more: Form = {}) =>
  bound(key, { grant_type: 'refresh_token', client_id: known.app.id, refresh_token: token, ...more })
const jktOf = ({ body }: Reply): unknown => (decodeJwt(body.access_token).cnf as { jkt?: string } | undefined)?.jkt
const outcome = ({ status, body }: Reply) => (status === 200 ? body.token_type : body.error)
/** A request of an endpoint that takes access tokens. */
const call = (path: string, headers: Form, method = 'GET', body?: string) =>
  send(server.baseUrl + path, { method, headers, body })
const withProof = async (path: string, key: ProofPair, token: string, parts: Parts = {}) =>
  call(path, await boundHeaders(server, key, token, { method: 'GET', url: server.baseUrl + path, ...parts }))

describe('what a token request issues is bound to the key of its proof', () => {
  test('a code: opaque token, refresh token and JWT; the key cannot be replaced, and a wrong one ends nothing', async () => {
    const authorized = await authorize(known, 'openid offline_access read', [api.indicator])
    const tokens = await redeemBound(pair, authorized)
    expect(outcome(tokens)).toBe('DPoP')
    const { access_token: opaque, refresh_token: first } = tokens.body
    expect(outcome(await refreshBound(other, first))).toBe('invalid_grant')
    expect(outcome(await refresh(server, known, first))).toBe('invalid_grant')
    const next = await refreshBound(pair, first, { resource: api.indicator })
    expect([outcome(next), jktOf(next)]).toEqual(['DPoP', pair.jkt])
    const second = await refreshBound(pair, next.body.refresh_token)
    // used long ago by who has not the key: refused, and the family goes on
    server.clock.advance(11)
    expect(outcome(await refreshBound(other, first))).toBe('invalid_grant')
    expect(outcome(await refreshBound(pair, second.body.refresh_token))).toBe('DPoP')
    // used long ago by who has it: stolen
    server.clock.advance(11)
    expect(outcome(await refreshBound(pair, first))).toBe('invalid_grant')
    expect((await withProof('/oidc/me', pair, opaque)).status).toBe(401)
  })

  test('a code that names a key is for that key; with another it is refused and consumed', async () => {
    const named = async () => {
      const begun = await begin(known.app.configuration, { scope: 'openid', dpop_jkt: pair.jkt })
      const { url } = await known.browser.open(begun.url)
      return { begun, code: url.searchParams.get('code') ?? '' }
    }
    expect(outcome(await redeemBound(pair, await named()))).toBe('DPoP')
    for (const wrong of [other, undefined]) {
      const authorized = await named()
      expect(outcome(await redeemBound(wrong, authorized))).toBe('invalid_grant')
      expect(outcome(await redeemBound(pair, authorized))).toBe('invalid_grant')
    }
    const { url } = await begin(known.app.configuration, { scope: 'openid', dpop_jkt: 'short' })
    expect((await known.browser.open(url)).url.searchParams.get('error')).toBe('invalid_request')
  })

  test('a pushed request binds the code to the key of its proof, which dpop_jkt cannot contradict', async () => {
    const push = async (key: ProofPair, more: Form = {}, parts: Parts = {}) => {
      const begun = await begin(known.app.configuration, { scope: 'openid', ...more })
      const headers = { dpop: await proofOf(server, key, { url: `${server.issuer}/request`, ...parts }) }
      return { begun, reply: await post(server, '/request', Object.fromEntries(begun.url.searchParams), headers) }
    }
    expect(outcome((await push(pair, { dpop_jkt: other.jkt })).reply)).toBe('invalid_dpop_proof')
    expect(outcome((await push(pair, {}, { url: `${server.issuer}/token` })).reply)).toBe('invalid_dpop_proof')
    const { begun, reply } = await push(pair, { dpop_jkt: pair.jkt })
    expect(reply.status).toBe(201)
    const url = new URL(`${server.issuer}/auth`)
    url.search = new URLSearchParams({ client_id: known.app.id, request_uri: reply.body.request_uri }).toString()
    const code = (await known.browser.open(url)).url.searchParams.get('code') ?? ''
    expect(outcome(await redeemBound(other, { begun, code }))).toBe('invalid_grant')
  })

  test('a public client that began without a key may go on without one; a confidential one may change its key', async () => {
    const tokens = await redeemBound(undefined, await authorize(known, 'openid offline_access read', [api.indicator]))
    expect(outcome(tokens)).toBe('Bearer')
    const some = await refreshBound(pair, tokens.body.refresh_token, { resource: api.indicator })
    expect([outcome(some), jktOf(some)]).toEqual(['DPoP', pair.jkt])
    expect(outcome(await refresh(server, known, some.body.refresh_token))).toBe('Bearer')

    const { id } = await createApp(server, 'Traditional')
    const [secret] = await server.client.listApplicationSecrets({ params: { id } })
    const headers = authorization({ clientId: id, clientSecret: secret?.value ?? '' })
    const confidential = { ...known, app: { id, configuration: known.app.configuration } }
    const begun = await begin(known.app.configuration, { scope: 'openid offline_access', client_id: id })
    const code = (await known.browser.open(begun.url)).url.searchParams.get('code') ?? ''
    const parameters = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: begun.verifier }
    const first = await bound(pair, parameters, headers)
    expect([outcome(first), confidential.app.id]).toEqual(['DPoP', id])
    const refreshing = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token }
    expect(outcome(await bound(other, refreshing, headers))).toBe('DPoP')
  })

  test('a device code', async () => {
    const app = await createDevice(server)
    const { body: codes } = await askAsDevice(server, app.id, { scope: 'openid offline_access' })
    const fields = { identifier: known.user.username, password: PASSWORD }
    const browser = newBrowser()
    const page = await browser.submit(await enter(server, browser, codes.user_code), fields)
    await browser.submit(page, { answer: 'allow' })
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const tokens = await bound(pair, { grant_type, client_id: app.id, device_code: codes.device_code })
    expect(outcome(tokens)).toBe('DPoP')
    const again = { grant_type: 'refresh_token', client_id: app.id, refresh_token: tokens.body.refresh_token }
    expect(outcome(await bound(other, again))).toBe('invalid_grant')
    expect(outcome(await bound(pair, again))).toBe('DPoP')
  })

  test('an exchange: to the key of the caller, and a bound subject or actor only with its own key', async () => {
    const exchanger = await createExchanger(server)
    const headers = authorization({ clientId: exchanger.id, clientSecret: exchanger.secret ?? '' })
    const ask = async (key: ProofPair | undefined, parameters: Form) => {
      const whole = { grant_type: GRANT, subject_token_type: ACCESS_TOKEN, resource: api.indicator, scope: 'read' }
      return key
        ? bound(key, { ...whole, ...parameters }, headers)
        : post(server, '/token', { ...whole, ...parameters }, headers)
    }
    const scope = 'openid offline_access read'
    const { body } = await redeemBound(pair, await authorize(known, scope, [api.indicator]))
    const jwt = (await refreshBound(pair, body.refresh_token, { resource: api.indicator })).body.access_token
    for (const subject_token of [jwt, body.access_token]) {
      expect(outcome(await ask(undefined, { subject_token }))).toBe('invalid_grant')
      expect(outcome(await ask(other, { subject_token }))).toBe('invalid_grant')
      const exchanged = await ask(pair, { subject_token })
      expect([outcome(exchanged), jktOf(exchanged)]).toEqual(['DPoP', pair.jkt])
    }
    const subjectToken = async () =>
      (await server.client.createSubjectToken({ body: { userId: known.user.id } })).subjectToken
    const unbound = await ask(other, { subject_token: await subjectToken() })
    expect([outcome(unbound), jktOf(unbound)]).toEqual(['DPoP', other.jkt])
    const acting = { actor_token: body.access_token, actor_token_type: ACCESS_TOKEN }
    expect(outcome(await ask(other, { subject_token: await subjectToken(), ...acting }))).toBe('invalid_grant')
    expect(outcome(await ask(pair, { subject_token: await subjectToken(), ...acting }))).toBe('DPoP')
    const { value } = await server.client.createPersonalAccessToken({
      params: { userId: known.user.id },
      body: { name: 'A script' },
    })
    const personal = await ask(other, { subject_token: value, subject_token_type: PAT, resource: '', scope: 'openid' })
    expect(outcome(personal)).toBe('DPoP')
    expect((await withProof('/oidc/me', other, personal.body.access_token)).status).toBe(200)
    expect((await withProof('/oidc/me', pair, personal.body.access_token)).body.error).toBe('invalid_token')
  })
})

describe('who must send a proof', () => {
  test('an application that is set so; any client for an API that is set so, also one that acts as a user', async () => {
    const strict = await arrange(server, { metadata: { dpopBoundAccessTokens: true } })
    const named = { resource: strict.resource.indicator }
    expect(outcome(await askToken(server, strict.client, named))).toBe('invalid_request')
    expect(outcome(await askWithProof(server, strict, await proofOf(server, pair)))).toBe('DPoP')

    const machine = await arrange(server, { resource: { senderConstraint: 'dpop' } })
    const audience = { resource: machine.resource.indicator }
    expect(outcome(await askToken(server, machine.client, audience))).toBe('invalid_request')
    const tokens = await askWithProof(server, machine, await proofOf(server, pair))
    expect([outcome(tokens), jktOf(tokens)]).toEqual(['DPoP', pair.jkt])
    const { id: applicationId } = await createExchanger(server)
    const asked = { userId: known.user.id, reason: 'Ticket 1', applicationId, resourceId: machine.resource.id }
    const refused = await server.api('POST', '/impersonations', asked)
    expect([refused.status, refused.body.code]).toEqual([422, 'impersonation.refused'])
    await server.api('PATCH', `/resources/${machine.resource.id}`, { senderConstraint: 'none' })
    expect(outcome(await askToken(server, machine.client, audience))).toBe('Bearer')
  })

  test('a refusal for want of a proof uses up neither the code nor the refresh token', async () => {
    const strict = await createApi(server, ['read'])
    await server.api('PATCH', `/resources/${strict.id}`, { senderConstraint: 'dpop' })
    const authorized = await authorize(known, 'openid offline_access read', [strict.indicator])
    const resource = strict.indicator
    expect(outcome(await redeemBound(undefined, authorized, { resource }))).toBe('invalid_request')
    expect(outcome(await redeemBound(pair, authorized, { resource }))).toBe('DPoP')
  })
})

describe('a bound token', () => {
  const tokenOf = async (key: ProofPair): Promise<string> =>
    (await redeemBound(key, await authorize(known, 'openid profile', []))).body.access_token

  test.each(['/oidc/me', '/api/my-account'])(
    '%s takes it with a proof of its key, once, and not as Bearer',
    async (path) => {
      await openAccountCenter(server)
      const token = await tokenOf(pair)
      const url = server.baseUrl + path
      const headers = await boundHeaders(server, pair, token, { method: 'GET', url })
      expect((await call(path, headers)).status).toBe(200)
      const codeOf = ({ headers: { 'www-authenticate': challenge } }: Reply) => {
        const [, error] = /^DPoP algs="ES256 [\w ]+", error="(\w+)"/.exec(String(challenge)) ?? []
        return error
      }
      const refused = async (sent: Form) => {
        const reply = await call(path, sent)
        expect(reply.status).toBe(401)
        return codeOf(reply)
      }
      const made = (parts: Parts, key = pair) => boundHeaders(server, key, token, { method: 'GET', url, ...parts })
      expect(await refused(headers)).toBe('invalid_dpop_proof')
      expect(await refused({ authorization: `Bearer ${token}` })).toBe('invalid_token')
      expect(await refused({ ...(await made({})), authorization: `Bearer ${token}` })).toBe('invalid_token')
      expect(await refused({ authorization: `DPoP ${token}` })).toBe('invalid_dpop_proof')
      expect(await refused(await made({}, other))).toBe('invalid_token')
      expect(await refused(await made({ claims: { ath: undefined } }))).toBe('invalid_dpop_proof')
      expect(await refused(await made({ claims: { ath: 'x' } }))).toBe('invalid_dpop_proof')
      expect(await refused(await made({ method: 'POST' }))).toBe('invalid_dpop_proof')
      expect(await refused(await made({ url: `${server.issuer}/token` }))).toBe('invalid_dpop_proof')
      expect((await call(path, await made({ method: 'HEAD' }), 'HEAD')).status).toBe(200)
      const bearer = (await redeemBound(undefined, await authorize(known, 'openid profile', []))).body.access_token
      expect(await refused(await boundHeaders(server, pair, bearer, { method: 'GET', url }))).toBe('invalid_token')
      expect((await call(path, { authorization: `Bearer ${bearer}` })).status).toBe(200)
    },
  )

  test('the Management API takes it, also where the body is large and the caller is asked for twice', async () => {
    const { clientId, clientSecret, resource } = server.credentials
    const tokens = await bound(
      pair,
      { grant_type: 'client_credentials', resource, scope: 'all' },
      authorization({ clientId, clientSecret }),
    )
    const token = tokens.body.access_token
    const url = `${server.baseUrl}/api/applications/${clientId}/custom-data`
    const patch = async (key: ProofPair) =>
      send(url, {
        method: 'PATCH',
        headers: {
          ...(await boundHeaders(server, key, token, { method: 'PATCH', url })),
          'content-type': 'application/json',
        },
        body: JSON.stringify({ large: 'x'.repeat(50_000) }),
      })
    expect((await patch(pair)).status).toBe(200)
    expect((await patch(other)).body.code).toBe('auth.token_not_held')
    expect((await call('/api/roles', { authorization: `Bearer ${token}` })).body.code).toBe('auth.token_not_held')
  })

  test('introspection says so of every kind', async () => {
    const confidential = await arrange(server, { metadata: { dangerouslyIntrospectAllTokens: true } })
    const introspect = async (token: string) => {
      const { body } = await post(server, '/token/introspection', { token }, authorization(confidential.client))
      return [body.active, body.token_type, body.cnf]
    }
    const scope = 'openid offline_access read'
    const { body } = await redeemBound(pair, await authorize(known, scope, [api.indicator]))
    const next = await refreshBound(pair, body.refresh_token, { resource: api.indicator })
    const cnf = { jkt: pair.jkt }
    expect(await introspect(body.access_token)).toEqual([true, 'DPoP', cnf])
    expect(await introspect(next.body.access_token)).toEqual([true, 'DPoP', cnf])
    expect(await introspect(next.body.refresh_token)).toEqual([true, undefined, cnf])
    const bearer = await redeemBound(undefined, await authorize(known, 'openid', []))
    expect(await introspect(bearer.body.access_token)).toEqual([true, 'Bearer', undefined])
  })
})

describe('real clients', () => {
  const behind = () => Math.floor(server.clock.now().getTime() / 1000) - Math.floor(Date.now() / 1000)

  test('openid-client: pushed request, code, refresh and userinfo, with nonces of the server', async () => {
    const { id } = await createApp(server, 'SPA', {
      customClientMetadata: { dpopBoundAccessTokens: true, dpopNonceRequired: true },
    })
    const user = await createUser(server)
    const configuration = await client.discovery(
      new URL(server.issuer),
      id,
      { [client.clockSkew]: behind() },
      client.None(),
      { execute: [client.allowInsecureRequests] },
    )
    const DPoP = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair('ES256'))
    const begun = await begin(configuration, { scope: 'openid profile offline_access' })
    const url = await client.buildAuthorizationUrlWithPAR(configuration, Object.fromEntries(begun.url.searchParams), {
      DPoP,
    })
    const browser = newBrowser()
    const fields = { identifier: user.username, password: PASSWORD }
    const { url: back } = await browser.submit(await browser.open(url), fields)
    const checks = { pkceCodeVerifier: begun.verifier, expectedState: begun.state, expectedNonce: begun.nonce }
    const tokens = await client.authorizationCodeGrant(configuration, back, checks, {}, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    expect(await client.fetchUserInfo(configuration, tokens.access_token, user.id, { DPoP })).toMatchObject({
      username: user.username,
    })
    const next = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', {}, { DPoP })
    server.clock.advance(1)
    expect(next.token_type).toBe('dpop')
    await expect(client.refreshTokenGrant(configuration, next.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_request',
    })
  })

  test('oauth4webapi: a machine, the strictest verifier of its token, and the Management API', async () => {
    const { clientId, clientSecret, resource } = server.credentials
    const insecure = { [oauth.allowInsecureRequests]: true }
    const issuer = new URL(server.issuer)
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
    const machine = { client_id: clientId, [oauth.clockSkew]: behind() }
    const keys = await oauth.generateKeyPair('ES256')
    const DPoP = oauth.DPoP(machine, keys)
    const parameters = new URLSearchParams({ resource, scope: 'all' })
    const asked = await oauth.clientCredentialsGrantRequest(
      as,
      machine,
      oauth.ClientSecretBasic(clientSecret),
      parameters,
      {
        DPoP,
        ...insecure,
      },
    )
    const { access_token, token_type } = await oauth.processClientCredentialsResponse(as, machine, asked)
    expect(token_type).toBe('dpop')
    expect(decodeJwt(access_token).cnf).toEqual({ jkt: await calculateJwkThumbprint(await exportJWK(keys.publicKey)) })
    const url = new URL(`${server.baseUrl}/api/roles`)
    const list = () =>
      oauth.protectedResourceRequest(access_token, 'GET', url, undefined, undefined, { DPoP, ...insecure })
    expect((await list()).status).toBe(200)
    expect((await list()).status).toBe(200)
  })
})
