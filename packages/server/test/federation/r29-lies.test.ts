/** R-29 A provider that lies, or that cannot answer: nobody is signed in, the answer says so, and so does the audit log. */
import type { IdentityProvider, Lie } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type OwnPage, openPage } from '../experience/arrange.ts'
import { createApp } from '../sign-in/arrange.ts'
import { beginAt, comeBack, connect, heldTimes, newPerson, startProvider, told, visit } from './arrange.ts'

let server: TestServer
let provider: IdentityProvider
let configuration: client.Configuration
let oidc: string
let plain: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  provider = await startProvider(server)
  configuration = (await createApp(server)).configuration
  oidc = await connect(server, 'oidc', provider.config)
  const profileMap = { id: 'sub', name: 'name' }
  plain = await connect(server, 'oauth2', { ...provider.plainConfig, profileMap }, { target: 'plain' })
})
beforeEach(() => {
  provider.lie = undefined
})
afterAll(async () => {
  await provider.close()
  await server.close()
})

const begunPage = async () => {
  const page = await openPage(server, configuration)
  await page.start('SignIn')
  return page
}

/** How many entries the audit log has of failures of a kind. */
const recorded = async (kind: string): Promise<number> => {
  const { rows } = await server.store.database.pool.query(
    'SELECT count(*)::int AS entries FROM audit_log WHERE payload @> $1',
    [{ result: 'Error', connectorId: oidc, kind }],
  )
  return rows[0].entries
}

const LIES: readonly (readonly [Lie, 'token' | 'code' | 'response' | 'provider'])[] = [
  ['iss of another issuer in the ID token', 'token'],
  ['iss of another issuer in the response', 'response'],
  ['aud of another client', 'token'],
  ['azp of another client', 'token'],
  ['another nonce', 'token'],
  ['no nonce', 'token'],
  ['alg none', 'token'],
  ['HMAC with the client secret', 'token'],
  ['a key that is not its own', 'token'],
  ['an expired ID token', 'token'],
  ['an ID token from the future', 'token'],
  ['no ID token', 'token'],
  ['no sub', 'token'],
  ['userinfo of another user', 'provider'],
  ['an error at the token endpoint', 'code'],
  ['500 at the token endpoint', 'provider'],
  ['10 MB at the token endpoint', 'provider'],
  ['HTML at the token endpoint', 'provider'],
  ['a redirect at the token endpoint', 'provider'],
]

const ANSWERS = {
  token: [401, 'connector.social_invalid_id_token'],
  code: [401, 'connector.social_auth_code_invalid'],
  response: [401, 'connector.authorization_failed'],
  provider: [502, 'connector.invalid_response'],
} as const

describe('R-29 a lie', () => {
  test.each(LIES)('%s', async (lie, kind) => {
    const before = await recorded(kind)
    const page = await begunPage()
    provider.lie = lie
    const { authorizationUri, verificationId } = await beginAt(page, oidc)
    const data = provider.signIn(authorizationUri, newPerson())
    expect(told(await comeBack(page, oidc, data))).toEqual(ANSWERS[kind])
    // what was proved is nothing, and the answer is used up, even if the provider tells the truth by now
    provider.lie = undefined
    expect(told(await comeBack(page, oidc, data))).toEqual([400, 'session.connector_session_not_found'])
    expect(told(await page.call('POST', '/identification', { verificationId }))).toEqual([
      400,
      'session.verification_failed',
    ])
    const { body: logs } = await server.api('GET', '/logs?page_size=100')
    expect(await recorded(kind)).toBe(before + 1)
    expect(JSON.stringify(logs)).not.toContain(provider.clientSecret)
  })

  test.each<[Lie]>([['500 at discovery'], ['discovery of another issuer']])(
    '%s: the user is not even sent there',
    async (lie) => {
      const unknown = await startProvider(server)
      unknown.lie = lie
      const id = await connect(server, 'oidc', unknown.config, { target: lie.replaceAll(' ', '-') })
      const page = await begunPage()
      const path = `/verification/social/${id}/authorization-uri` as const
      const body = { state: 'a-state-of-its-own', redirectUri: `${server.baseUrl}/callback/${id}` }
      expect(told(await page.call('POST', path, body))).toEqual([502, 'connector.invalid_response'])
      await unknown.close()
    },
  )

  test('metadata that cannot be had is asked for once by all who come meanwhile, and again after five seconds', async () => {
    const unknown = await startProvider(server)
    unknown.lie = '500 at discovery'
    const id = await connect(server, 'oidc', unknown.config, { target: 'flapping' })
    const pages = [await begunPage(), await begunPage(), await begunPage()]
    const body = { state: 'a-state-of-its-own', redirectUri: `${server.baseUrl}/callback/${id}` }
    const at = (page: OwnPage) => page.call('POST', `/verification/social/${id}/authorization-uri`, body)
    const answers = await Promise.all(pages.map(at))
    expect(answers.map(({ status }) => status)).toEqual([502, 502, 502])
    unknown.lie = undefined
    for (const page of pages) expect((await at(page)).status).toBe(502)
    expect(unknown.asked).toEqual(['GET /.well-known/openid-configuration'])
    server.clock.advance(6)
    const found = await Promise.all(pages.map(at))
    expect(found.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(unknown.asked.length).toBe(2)
    await unknown.close()
  })

  test('an answer that never ends: the user waits for ten seconds at most', async () => {
    const times = heldTimes()
    const page = await begunPage()
    const { authorizationUri } = await beginAt(page, oidc)
    provider.lie = 'an open connection at the token endpoint'
    provider.asked.length = 0
    const before = await recorded('provider')
    const waiting = comeBack(page, oidc, provider.signIn(authorizationUri, newPerson()))
    await expect.poll(() => provider.asked, { timeout: 60_000, interval: 10 }).toContain('POST /token')
    times.end()
    expect(told(await waiting)).toEqual(ANSWERS.provider)
    expect(await recorded('provider')).toBe(before + 1)
    times.restore()
  })

  test('an address that is not public: the audit log does not say what is there', async () => {
    const config = { ...provider.config, issuer: 'https://10.99.0.1' }
    const id = await connect(server, 'oidc', config, { target: 'internal' })
    const body = { state: 'a-state-of-its-own', redirectUri: `${server.baseUrl}/callback/${id}` }
    const path = `/verification/social/${id}/authorization-uri` as const
    expect(told(await (await begunPage()).call('POST', path, body))).toEqual([502, 'connector.invalid_response'])
    const { rows } = await server.store.database.pool.query(
      "SELECT payload->>'reason' AS reason FROM audit_log WHERE payload @> $1",
      [{ connectorId: id }],
    )
    expect(rows).toEqual([{ reason: 'the host is at an address that is not public' }])
  })

  test('text that PostgreSQL cannot store: the user signs in nevertheless', async () => {
    const page = await begunPage()
    const person = newPerson({ name: `${'a'.repeat(127)}\u{1f600}`, more: '\ud800' })
    expect((await visit(page, provider, oidc, person)).status).toBe(200)
    const { body } = await page.call('GET', '/interaction')
    expect(body.verificationRecords).toMatchObject([{ socialUserInfo: { name: `${'a'.repeat(127)}\ufffd` } }])
  })

  test('the user refused', async () => {
    const page = await begunPage()
    const { authorizationUri } = await beginAt(page, oidc)
    const { state, iss } = provider.signIn(authorizationUri, newPerson())
    const data = { error: 'access_denied', state, iss }
    expect(told(await comeBack(page, oidc, data))).toEqual([401, 'connector.authorization_failed'])
  })

  test('keys that were rotated are asked for again', async () => {
    expect((await visit(await begunPage(), provider, oidc, newPerson())).status).toBe(200)
    provider.rotateKeys()
    expect((await visit(await begunPage(), provider, oidc, newPerson())).status).toBe(200)
  })

  test('metadata is asked for once an hour', async () => {
    await visit(await begunPage(), provider, oidc, newPerson())
    provider.asked.length = 0
    for (let count = 0; count < 3; count += 1) await visit(await begunPage(), provider, oidc, newPerson())
    expect(provider.asked.filter((path) => path.endsWith('openid-configuration'))).toEqual([])
  })
})

describe('R-29 whose answer it is', () => {
  test('of another interaction, of another browser, of another connector, twice: refused', async () => {
    const page = await begunPage()
    const { authorizationUri } = await beginAt(page, oidc)
    const data = provider.signIn(authorizationUri, newPerson())
    const other = await begunPage()
    await beginAt(other, oidc)
    const refused = [400, 'session.connector_session_not_found']
    expect(told(await comeBack(other, oidc, data))).toEqual(refused)
    expect(told(await comeBack(page, plain, data))).toEqual(refused)
    expect(told(await comeBack(page, oidc, { ...data, state: 'another-state' }))).toEqual(refused)
    const { state: _left, ...stateless } = data
    expect(told(await comeBack(page, oidc, stateless))).toEqual(refused)
    expect((await comeBack(page, oidc, data)).status).toBe(200)
    expect(told(await comeBack(page, oidc, data))).toEqual(refused)
  })

  test('of several answers at once one is accepted', async () => {
    const page = await begunPage()
    const { authorizationUri } = await beginAt(page, oidc)
    const data = provider.signIn(authorizationUri, newPerson())
    const all = await Promise.all([1, 2, 3].map(() => comeBack(page, oidc, data)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
  })

  test.each<[string, (id: string) => string]>([
    ['of another connector', () => `${server.baseUrl}/callback/another`],
    ['with a fragment', (id) => `${server.baseUrl}/callback/${id}#here`],
    ['of a scheme of its own', (id) => `app://callback/${id}`],
    ['that is none', () => 'callback'],
  ])('a redirect URI %s is refused', async (_what, redirectUri) => {
    const page = await begunPage()
    const path = `/verification/social/${oidc}/authorization-uri` as const
    const body = { state: 'a-state-of-its-own', redirectUri: redirectUri(oidc) }
    expect(told(await page.call('POST', path, body))).toEqual([400, 'guard.invalid_input'])
  })

  test('the request is protected by PKCE and a nonce, which nothing in the configuration can replace', async () => {
    const customConfig = { prompt: 'login', nonce: 'mine', state: 'mine', code_challenge_method: 'plain' }
    const id = await connect(server, 'oidc', { ...provider.config, customConfig }, { target: 'custom' })
    const { authorizationUri } = await beginAt(await begunPage(), id, 'the-state-of-the-page')
    const query = Object.fromEntries(new URL(authorizationUri).searchParams)
    expect(query).toMatchObject({
      prompt: 'login',
      state: 'the-state-of-the-page',
      code_challenge_method: 'S256',
      response_type: 'code',
      client_id: 'countersign',
      redirect_uri: `${server.baseUrl}/callback/${id}`,
    })
    expect(query.nonce).toMatch(/^[\w-]{43}$/)
    expect(query.code_challenge).toMatch(/^[\w-]{43}$/)
  })

  test('a connector that is not offered, and one that is not there', async () => {
    const hidden = await connect(server, 'oidc', provider.config, { target: 'hidden', isOffered: false })
    const page = await begunPage()
    const body = { state: 'a-state-of-its-own', redirectUri: `${server.baseUrl}/callback/${hidden}` }
    const at = (id: string) => page.call('POST', `/verification/social/${id}/authorization-uri`, body)
    expect(told(await at(hidden))).toEqual([400, 'connector.not_enabled'])
    expect(told(await at('000000000000000000000'))).toEqual([404, 'entity.not_exists_with_id'])
  })
})

describe('plain OAuth 2.0', () => {
  test('the endpoint for it says who the user is', async () => {
    const page = await begunPage()
    const person = newPerson()
    expect((await visit(page, provider, plain, person)).status).toBe(200)
    const { body } = await page.call('GET', '/interaction')
    expect(body.verificationRecords).toMatchObject([
      { type: 'Social', connectorId: plain, socialUserInfo: { id: person.sub, name: person.name } },
    ])
    expect(body.captcha).toEqual({ verified: false, skipped: true })
  })

  test.each<[Lie, readonly unknown[]]>([
    ['an error at the token endpoint', ANSWERS.code],
    ['HTML at the token endpoint', ANSWERS.provider],
    ['10 MB at the token endpoint', ANSWERS.provider],
  ])('%s', async (lie, answer) => {
    const page = await begunPage()
    provider.lie = lie
    expect(told(await visit(page, provider, plain, newPerson()))).toEqual(answer)
  })
})

describe('requests that are over', () => {
  test('an older request of the same interaction, and one that has expired: refused', async () => {
    const page = await begunPage()
    const { authorizationUri: older } = await beginAt(page, oidc)
    const { authorizationUri: newer } = await beginAt(page, oidc)
    const refused = [400, 'session.connector_session_not_found']
    expect(told(await comeBack(page, oidc, provider.signIn(older, newPerson())))).toEqual(refused)
    server.clock.advance(901)
    expect(told(await comeBack(page, oidc, provider.signIn(newer, newPerson())))).toEqual(refused)
  })
})
