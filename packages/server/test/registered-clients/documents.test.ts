import { managementClient } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { removeUnusedDocumentClients } from '@countersign/server/domain/registered-clients/document-clients.ts'
import fc from 'fast-check'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { form, fresh, post, send } from '../protocol/arrange.ts'
import { begin, CALLBACK, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { type Content, type DocumentServer, startDocumentServer } from './document-server.ts'

let server: TestServer
let documents: DocumentServer
const API = 'https://tools.example/mcp'
beforeAll(async () => {
  documents = await startDocumentServer()
  server = await startTestServer(inject('cluster'))
  const { body: resource } = await server.api('POST', '/resources', { name: 'Tools', indicator: API })
  const { body: scope } = await server.api('POST', `/resources/${resource.id}/scopes`, { name: 'tools:run' })
  await server.api('POST', `/resources/${resource.id}/scopes`, { name: 'tools:drop' })
  const { body: role } = await server.api('POST', '/roles', { name: 'tools', type: 'User', isDefault: true })
  await server.api('POST', `/roles/${role.id}/scopes`, { scopeIds: [scope.id] })
  await switchTo(true)
  const ceilings = { userScopes: ['profile'], resourceScopes: [scope.id] }
  expect((await server.api('POST', '/cimd/user-consent-scopes', ceilings)).status).toBe(201)
})
afterAll(async () => {
  await server.close()
  await documents.close()
})
/** Later by the clock of the server, with a token of the Management API that is valid then. */
const pass = (seconds: number) => {
  server.clock.advance(seconds)
  server = { ...server, api: managementClient(server.baseUrl, server.credentials) }
}
// no window of a limit would end by itself
afterEach(() => pass(700))

const switchTo = async (enabled: boolean) => {
  const { status, body } = await server.api('PATCH', '/configs/cimd', { enabled })
  expect([status, body]).toEqual([200, { enabled }])
}

const GOOD = {
  client_name: 'Inspector',
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}
/** A document of its own, at an address of its own. */
const publish = (content: Content = {}) =>
  documents.put(
    `/${fresh('client').replaceAll(' ', '-')}`,
    typeof content === 'function' ? content : { ...GOOD, ...content },
  )

const configurationOf = (id: string, authentication: client.ClientAuth = client.None()) =>
  client.discovery(new URL(server.issuer), id, undefined, authentication, { execute: [client.allowInsecureRequests] })

const ask = async (id: string, parameters: Record<string, string> = {}) => {
  const configuration = await configurationOf(id)
  const begun = await begin(configuration, { scope: 'openid', ...parameters })
  return { configuration, begun, answer: await send(begun.url.href, { method: 'GET' }) }
}

/** Assertions by the clock of the server. */
const signedBy = (key: client.CryptoKey) =>
  client.PrivateKeyJwt(
    { key, kid: 'one' },
    {
      [client.modifyAssertion](_header, claims) {
        const now = Math.floor(server.clock.now().getTime() / 1000)
        Object.assign(claims, { iat: now, nbf: now, exp: now + 60 })
      },
    },
  )

/** Signs a new user in and allows what is asked. */
const authorized = async (id: string, parameters: Record<string, string> = {}, authentication?: client.ClientAuth) => {
  const configuration = await configurationOf(id, authentication)
  const user = await createUser(server)
  const browser = newBrowser()
  const scope = 'openid profile offline_access tools:run tools:drop'
  const begun = await begin(configuration, { scope, resource: API, prompt: 'consent', ...parameters })
  const consent = await signIn(browser, begun, user.username)
  const back = await browser.submit(consent, { answer: 'allow' })
  return { configuration, user, browser, begun, consent, back }
}

describe('a client whose id is the address of its document', () => {
  test('signs a user in without being registered, within what the tenant lets all of them ask for', async () => {
    const id = publish()
    const { configuration, user, begun, consent, back } = await authorized(id)
    const tokens = await redeem(configuration, back, begun, { resource: API })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ client_id: id, aud: API, scope: 'tools:run', sub: user.id })
    expect(tokens.claims()).toMatchObject({ aud: id, sub: user.id })
    expect(consent.text).toContain(`Allow ${documents.host}?`)
    expect(consent.text).toMatch(/id="stranger">Nobody registered this application here.*localhost/)
    expect(consent.text).toMatch(/id="stated-name">It calls itself “Inspector”/)
    expect(consent.text).toMatch(/id="returns-to">You will be sent to app\.example\./)
    expect(consent.text).not.toContain('id="loopback"')
    expect(consent.text).not.toContain('tools:drop')
    const renewed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', { resource: API })
    expect(decodeJwt(renewed.access_token).client_id).toBe(id)
    await expect(client.clientCredentialsGrant(configuration, { resource: API })).rejects.toMatchObject({
      error: 'unauthorized_client',
    })
    // one request for the document served all of it
    expect(documents.asked.filter((path) => id.endsWith(path))).toHaveLength(1)
  })

  test('is named by its address wherever it leaves a trace, and is no application', async () => {
    const id = publish()
    const { user, browser } = await authorized(id)
    await server.api('PATCH', '/account-center', { enabled: true, fields: { session: 'Edit' } })
    expect((await browser.open(`${server.baseUrl}/account/sessions`)).text).toContain(documents.host)
    const { body: logs } = await server.api('GET', `/logs?applicationId=${encodeURIComponent(id)}&page_size=100`)
    expect(logs.map(({ key }: { key: string }) => key)).toContain('Interaction.Authorize')
    for (const { payload } of logs) expect([payload.cimdClientId, payload.applicationId]).toEqual([id, undefined])
    const { body: grants } = await server.api('GET', `/users/${user.id}/grants`)
    expect(grants.grants).toMatchObject([{ payload: { clientId: id }, application: { id, name: documents.host } }])
    const { body: account } = await server.api('GET', `/users/${user.id}`)
    expect([account.applicationId, account.cimdClientId]).toEqual([null, id])
    const { body: events } = await server.api('GET', '/events?after=0&limit=200')
    const ofClient = JSON.stringify(events).split(id).length - 1
    expect(ofClient).toBe(JSON.stringify(events).split(`"cimdClientId":"${id}"`).length - 1)
    const { body: applications } = await server.api('GET', '/applications?page_size=100')
    expect(JSON.stringify(applications)).not.toContain('https:"')
    expect(JSON.stringify(applications)).not.toContain(id)
    for (const hidden of ['https%3A', encodeURIComponent(id)])
      expect((await server.api('GET', `/applications/${hidden}`)).status).toBe(404)
    expect((await server.api('DELETE', `/users/${user.id}/grants/${grants.grants[0].id}`)).status).toBe(204)
    expect((await server.api('GET', `/users/${user.id}/grants`)).body.grants).toEqual([])
  })

  test('asks each time, and never silently: consent is not remembered', async () => {
    const id = publish()
    const { configuration, browser, begun, back } = await authorized(id)
    await redeem(configuration, back, begun)
    const again = await browser.open((await begin(configuration)).url)
    expect(again.text).toContain('id="allow"')
    const silent = await browser.open((await begin(configuration, { prompt: 'none' })).url)
    expect(silent.status).toBe(400)
    expect(silent.text).toMatch(/id="leave" href="[^"]*error=consent_required/)
  })

  test('that listens on this computer is one that the page warns of; a deceptive name is refused', async () => {
    const redirect = 'http://127.0.0.1:33418/callback'
    const id = publish({ redirect_uris: [redirect, 'com.example.app:/cb'] })
    const browser = newBrowser('http://127.0.0.1')
    const begun = await begin(await configurationOf(id), { redirect_uri: 'http://127.0.0.1:50001/callback' })
    const consent = await signIn(browser, begun, (await createUser(server)).username)
    expect(consent.text).toMatch(/id="loopback">The answer goes to a program on this computer/)
    expect(consent.text).not.toContain('id="returns-to"')
    const { answer } = await ask(publish({ client_name: 'Bank\u202egro.elpmaxe' }))
    expect([answer.status, /client_name/.test(answer.text)]).toEqual([400, true])
    const { answer: shown } = await ask(publish({ client_name: '<script>alert(1)</script>' }))
    expect(shown.status).toBe(303)
  })

  test('with keys authenticates with them and pushes its request; another one cannot in its name', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
    const id = publish({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } })
    const own = await configurationOf(id, signedBy(privateKey))
    const code_verifier = client.randomPKCECodeVerifier()
    const parameters = {
      ...{ redirect_uri: CALLBACK, scope: 'openid', code_challenge_method: 'S256' },
      code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
    }
    expect((await client.buildAuthorizationUrlWithPAR(own, parameters)).searchParams.get('request_uri')).toMatch(
      /^urn:/,
    )
    const other = await generateKeyPair('ES256')
    const stranger = await configurationOf(id, signedBy(other.privateKey))
    await expect(client.buildAuthorizationUrlWithPAR(stranger, parameters)).rejects.toMatchObject({
      error: 'invalid_client',
    })
    const bare = await post(server, '/request', { client_id: id, response_type: 'code', ...parameters })
    expect([bare.status, bare.body.error]).toEqual([401, 'invalid_client'])
    // or with those at an address of its own
    const keysAt = documents.put(`/${fresh('keys').replaceAll(' ', '-')}`, { keys: [jwk] })
    const publishing = publish({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: keysAt })
    const byAddress = await authorized(publishing, {}, signedBy(privateKey))
    const { configuration: byAddressOf, begun: begunThere, back: backThere } = byAddress
    expect((await redeem(byAddressOf, backThere, begunThere, { resource: API })).access_token).toBeDefined()
    const { configuration, begun, back } = await authorized(id, {}, signedBy(privateKey))
    expect((await redeem(configuration, back, begun, { resource: API })).access_token).toBeDefined()
  })

  test('SECURITY 74 a refused request leads to it only by a link that says where', async () => {
    const { answer } = await ask(publish(), { response_type: 'token' })
    expect([answer.status, answer.headers.location]).toEqual([400, undefined])
    expect(answer.text).toMatch(/<a id="leave" href="https:\/\/app\.example\/callback\?error=/)
    const { answer: wrong } = await ask(publish(), { redirect_uri: 'https://evil.example/' })
    expect([wrong.status, wrong.text.includes('id="leave"')]).toEqual([400, false])
  })
})

describe('the switch', () => {
  test('off, such a client is unknown and discovery does not speak of it; its settings are the tenant’s', async () => {
    const id = publish()
    const { configuration, begun, back } = await authorized(id)
    const tokens = await redeem(configuration, back, begun, { resource: API })
    const member = async () =>
      (await send(`${server.issuer}/.well-known/openid-configuration`, { method: 'GET' })).body
        .client_id_metadata_document_supported
    expect(await member()).toBe(true)
    await switchTo(false)
    try {
      expect(await member()).toBeUndefined()
      const asked = documents.asked.length
      const { answer } = await ask(id)
      expect([answer.status, answer.text.includes('is not known to this server')]).toEqual([400, true])
      const refused = client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', {})
      await expect(refused).rejects.toMatchObject({ error: 'invalid_client', status: 401 })
      expect((await ask(publish())).answer.status).toBe(400)
      expect(documents.asked).toHaveLength(asked)
    } finally {
      await switchTo(true)
    }
    const renewed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', {})
    expect(renewed.access_token).toBeDefined()
  })

  test('what all of them may ask for is shown, extended, and taken away again, also from what was allowed', async () => {
    const { body: before } = await server.api('GET', '/cimd/user-consent-scopes')
    expect(before).toMatchObject({
      userScopes: ['profile'],
      resourceScopes: [{ resource: { indicator: API }, scopes: [{ name: 'tools:run' }] }],
    })
    const { configuration, begun, back } = await authorized(publish())
    const tokens = await redeem(configuration, back, begun, { resource: API })
    const [{ scopes }] = before.resourceScopes
    const path = `/cimd/user-consent-scopes/resource-scopes/${scopes[0].id}`
    expect((await server.api('DELETE', path)).status).toBe(204)
    expect((await server.api('DELETE', path)).status).toBe(404)
    const renewed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', { resource: API })
    expect(renewed.scope).not.toContain('tools:run')
    await server.api('POST', '/cimd/user-consent-scopes', { resourceScopes: [scopes[0].id] })
    const { body: resources } = await server.api('GET', '/resources?includeScopes=true&page_size=100')
    const own = resources.find(({ indicator }: { indicator: string }) => indicator === server.credentials.resource)
    const attempt = { resourceScopes: [own.scopes[0].id] }
    expect((await server.api('POST', '/cimd/user-consent-scopes', attempt)).status).toBe(422)
    expect((await server.api('POST', '/cimd/user-consent-scopes', { resourceScopes: ['nothing'] })).status).toBe(422)
  })
})

const answering =
  (status: number, body: string, headers: Record<string, string> = {}): Content =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

describe('a document that cannot be used is no client, and says why to its developer', () => {
  test.each<[string, Content, RegExp]>([
    ['is about another client', { client_id: 'https://app.example/client.json' }, /client_id is not the address/],
    ['is not there', answering(404, '{}'), /it answered 404/],
    ['is gone', answering(410, '{}'), /it answered 410/],
    ['redirects', answering(302, '', { location: 'https://app.example/' }), /it answered 302/],
    ['is broken', answering(500, '{}'), /it answered 500/],
    ['is a page', answering(200, '<!doctype html>', { 'content-type': 'text/html' }), /application\/json/],
    ['is no JSON', answering(200, '{"client_id":'), /did not answer with JSON/],
    ['is a list', answering(200, '[]'), /JSON object/],
    ['is too large', answering(200, JSON.stringify({ x: 'y'.repeat(10_000_000) })), /larger than 5120 bytes/],
    ['says no address', { redirect_uris: [] }, /redirect_uris/],
    [
      'says addresses that nobody can have',
      { redirect_uris: ['javascript:alert(1)', 'http://app.example/'] },
      /redirect_uris/,
    ],
    ['has a shared secret', { client_secret: 'x' }, /client_secret/],
    ['wants one', { token_endpoint_auth_method: 'client_secret_post' }, /token_endpoint_auth_method/],
    ['has no code', { grant_types: ['client_credentials'] }, /grant_types/],
    ['has keys and none', { token_endpoint_auth_method: 'private_key_jwt' }, /private_key_jwt/],
    ['is of wrong types', { redirect_uris: 'https://app.example/' }, /redirect_uris must be a list/],
  ])('one that %s', async (_title, content, reason) => {
    const { answer } = await ask(publish(content))
    expect([answer.status, answer.headers.location]).toEqual([400, undefined])
    expect(answer.text).toContain('could not be identified')
    expect(answer.text).toMatch(reason)
  })

  test('nor one with a private key, one that hangs, or one whose name is at no public address', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const keys = [{ ...(await exportJWK(privateKey)), alg: 'ES256' }]
    const { answer } = await ask(publish({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys } }))
    expect(answer.status).toBe(400)
    const id = publish((request) => void request.socket.destroy())
    expect((await ask(id)).answer.text).toMatch(/could not be identified/)
    for (const address of ['https://10.0.0.1/client', 'https://169.254.169.254/latest', 'https://[fd00::1]/client']) {
      const { answer: internal } = await ask(address)
      expect(internal.status).toBe(400)
      expect(internal.text).toContain('is at an address that is not public')
    }
  })

  test.each([
    'http://localhost/client',
    'https://app.example',
    'https://app.example/client?x=1',
    'https://app.example/client#x',
    'https://user@app.example/client',
    'https://app.example/a/../client',
    'https://app.example/./client',
    'https://app.example/%2e%2E/client',
    'https://APP.example/client',
    'https://app.example:443/client',
    'https:app.example/client',
    'https:/app.example/client',
    'https:///app.example/client',
    'https://app.example\\client',
    'https://ex%61mple.com/client',
    'https:',
    `https://app.example/${'x'.repeat(2040)}`,
  ])('and %s is no address of one: nobody is asked', async (id) => {
    const asked = documents.asked.length
    const { answer } = await ask(id)
    expect([answer.status, answer.text.includes('is not known to this server')]).toEqual([400, true])
    const token = await post(server, '/token', { grant_type: 'authorization_code', code: 'x', client_id: id })
    expect([token.status, token.body.error]).toEqual([401, 'invalid_client'])
    expect(documents.asked).toHaveLength(asked)
  })

  test('whatever a document is, the answer is a page or a way to sign in, and never an error of the server', async () => {
    const members = fc.record(
      {
        client_name: fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
        redirect_uris: fc.oneof(fc.array(fc.webUrl()), fc.array(fc.string()), fc.jsonValue()),
        grant_types: fc.oneof(fc.constant(['authorization_code']), fc.jsonValue()),
        response_types: fc.jsonValue(),
        application_type: fc.oneof(fc.constant('native'), fc.jsonValue()),
        token_endpoint_auth_method: fc.oneof(fc.constant('private_key_jwt'), fc.constant('none'), fc.jsonValue()),
        jwks: fc.jsonValue(),
        jwks_uri: fc.oneof(fc.webUrl(), fc.jsonValue()),
        client_uri: fc.jsonValue(),
        dpop_bound_access_tokens: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(members, async (document) => {
        pass(700)
        const { answer } = await ask(documents.put(`/${fresh('any').replaceAll(' ', '-')}`, document))
        expect([303, 400]).toContain(answer.status)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a document is asked for', () => {
  const path = () => `/${fresh('doc').replaceAll(' ', '-')}`
  const times = (at: string) => documents.asked.filter((each) => each === at).length

  test('again when it is old, with the tag that it had; what it says then holds', async () => {
    const at = path()
    let version = 1
    const tags: unknown[] = []
    const id = documents.put(at, (request, response) => {
      tags.push(request.headers['if-none-match'])
      const etag = `"v${version}"`
      const isSame = request.headers['if-none-match'] === etag
      const uri = version === 1 ? CALLBACK : 'https://new.example/callback'
      response.writeHead(isSame ? 304 : 200, {
        'content-type': 'application/json',
        etag,
        'cache-control': 'max-age=600',
      })
      response.end(isSame ? undefined : JSON.stringify({ ...GOOD, client_id: id, redirect_uris: [uri] }))
    })
    expect((await ask(id)).answer.status).toBe(303)
    pass(599)
    expect((await ask(id)).answer.status).toBe(303)
    expect(times(at)).toBe(1)
    pass(2)
    expect((await ask(id)).answer.status).toBe(303)
    version = 2
    pass(601)
    expect((await ask(id)).answer.status).toBe(400)
    expect((await ask(id, { redirect_uri: 'https://new.example/callback' })).answer.status).toBe(303)
    expect(tags).toEqual([undefined, '"v1"', '"v1"'])
  })

  test.each([
    ['max-age=0', 300],
    ['no-store', 300],
    ['max-age=999999999', 86_400],
    ['private', 3600],
  ])('at the earliest and the latest as the server likes: %s', async (cacheControl, seconds) => {
    const at = path()
    const id = documents.put(at, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': cacheControl })
      response.end(JSON.stringify({ ...GOOD, client_id: id }))
    })
    await ask(id)
    pass(seconds - 1)
    await ask(id)
    expect(times(at)).toBe(1)
    pass(2)
    await ask(id)
    expect(times(at)).toBe(2)
  })

  test('by one request, however many come at once, and not again at once if it failed', async () => {
    const at = path()
    const waiting: (() => void)[] = []
    const id = documents.put(at, (_, response) => {
      waiting.push(() => void response.writeHead(503).end())
    })
    const all = Array.from({ length: 10 }, () => ask(id))
    await expect.poll(() => waiting.length).toBe(1)
    // the others have come, and wait for the same answer
    await send(`${server.issuer}/jwks`, { method: 'GET' })
    for (const end of waiting) end()
    for (const { answer } of await Promise.all(all)) expect(answer.status).toBe(400)
    expect(times(at)).toBe(1)
    documents.put(at, GOOD)
    expect((await ask(id)).answer.status).toBe(400)
    pass(31)
    expect((await ask(id)).answer.status).toBe(303)
    expect(times(at)).toBe(2)
  })

  test('so often at most: whoever asks for too many different ones waits', async () => {
    const statuses: number[] = []
    const known = publish()
    expect((await ask(known)).answer.status).toBe(303)
    pass(3700)
    for (let i = 0; i < 31; i += 1) statuses.push((await ask(publish())).answer.status)
    expect(statuses.slice(0, 30).every((status) => status === 303)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
    // one that is known does not wait for strangers
    expect((await ask(known)).answer.status).toBe(303)
    expect(documents.asked.filter((path) => known.endsWith(path))).toHaveLength(2)
  })

  test('when tokens are renewed too: gone, its client ends; out of reach, it goes on for a day', async () => {
    const at = path()
    const id = documents.put(at, GOOD)
    const { configuration, begun, back } = await authorized(id)
    // what it says may change on the way to the token: the code stays for its address
    documents.put(at, { ...GOOD, redirect_uris: ['https://new.example/'] })
    const tokens = await redeem(configuration, back, begun)
    documents.put(at, answering(503, '{}'))
    pass(3700)
    let token = tokens.refresh_token ?? ''
    const renew = async () => {
      const renewed = await client.refreshTokenGrant(configuration, token)
      token = renewed.refresh_token ?? token
    }
    await renew()
    expect((await ask(id)).answer.status).toBe(400)
    pass(80_000)
    await renew()
    documents.remove(at)
    pass(60)
    await expect(renew()).rejects.toMatchObject({ error: 'invalid_client' })
    documents.put(at, GOOD)
    pass(60)
    await renew()
    documents.put(at, answering(503, '{}'))
    pass(86_500)
    await expect(renew()).rejects.toMatchObject({ error: 'invalid_client' })
  })

  test('never for a token of a client that nobody began with', async () => {
    const id = publish()
    const asked = documents.asked.length
    const reply = await post(server, '/token', { grant_type: 'authorization_code', code: 'x', client_id: id })
    expect([reply.status, reply.body.error]).toEqual([401, 'invalid_client'])
    expect(documents.asked).toHaveLength(asked)
  })

  test('for nothing, and is forgotten after two days; what was used stays', async () => {
    const used = publish()
    const { configuration, begun, back } = await authorized(used)
    const tokens = await redeem(configuration, back, begun)
    const unused = publish()
    await ask(unused)
    pass(172_801)
    expect(await removeUnusedDocumentClients(server.store)).toBeGreaterThan(0)
    expect(await removeUnusedDocumentClients(server.store)).toBe(0)
    const { rows } = await server.store.database.pool.query('SELECT id FROM applications WHERE id = ANY($1)', [
      [used, unused],
    ])
    expect(rows).toEqual([{ id: used }])
    expect((await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')).access_token).toBeDefined()
  })
})

test('a client of one tenant is none of another, and an assertion of its key is for one server', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }
  const id = publish({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } })
  await ask(id)
  const assertion = await new SignJWT({ jti: fresh('jti') })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer(id)
    .setSubject(id)
    .setAudience('https://another.example/oidc')
    .setIssuedAt(server.clock.now())
    .setExpirationTime(new Date(server.clock.now().getTime() + 60_000))
    .sign(privateKey)
  const body = form({
    grant_type: 'authorization_code',
    code: 'x',
    client_assertion: assertion,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await send(`${server.issuer}/token`, { headers, body })
  expect([reply.status, reply.body.error]).toEqual([401, 'invalid_client'])
})
