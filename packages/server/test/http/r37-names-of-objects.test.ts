/** names of properties that every object has are unknown values like any other, wherever a value is looked up. */
import { API_ROUTES } from '@countersign/contract/api.ts'
import type { Route } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { idTokenClaimsOf, userinfoClaimsOf } from '@countersign/server/domain/sign-in/identity.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type OwnPage, openPage } from '../experience/arrange.ts'
import { call, createWorld, managementToken, pathIn, titleOf, type World } from '../management/arrange.ts'
import { form, post, type Reply, send } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from '../sign-in/arrange.ts'
import { createDevice } from '../sign-in/device.ts'

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']

let server: TestServer
let app: Awaited<ReturnType<typeof createApp>>
let device: Awaited<ReturnType<typeof createApp>>
let token: string
let world: World
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  app = await createApp(server, 'SPA')
  device = await createDevice(server)
  token = await managementToken(server, 'all')
  world = await createWorld(server)
})
afterAll(() => server.close())

/** The claims of a user. */
const HOLDER = {
  user: { username: 'ada', name: 'Ada', profile: {}, updated_at: new Date(0), created_at: new Date(0) },
  roles: [],
  organizations: [],
} as unknown as Parameters<typeof userinfoClaimsOf>[0]

/** No server error, and nothing of the built-in properties of a JavaScript object. */
const expectSound = (reply: Pick<Reply, 'status' | 'headers' | 'text'>, what: string): void => {
  expect(reply.status, what).toBeLessThan(500)
  const said = `${JSON.stringify(reply.headers)}${reply.text}`
  // some responses are large: report only the matching part
  expect(/native code|\[object (Object|Function)\]/.test(said), what).toBe(false)
}

const AUTHORIZATION = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce', 'prompt', 'max_age'],
  ...['login_hint', 'id_token_hint', 'ui_locales', 'acr_values', 'claims', 'request', 'request_uri', 'resource'],
  ...['code_challenge', 'code_challenge_method', 'first_screen', 'interaction_mode', 'direct_sign_in'],
]
const TOKEN = [
  ...['client_id', 'client_secret', 'client_assertion', 'client_assertion_type', 'scope', 'resource', 'audience'],
  ...['code', 'redirect_uri', 'code_verifier', 'refresh_token', 'device_code', 'organization_id', 'auth_req_id'],
  ...['subject_token', 'subject_token_type', 'actor_token', 'actor_token_type', 'requested_token_type', 'assertion'],
]
const GRANTS = [
  ...['authorization_code', 'refresh_token', 'client_credentials'],
  ...['urn:ietf:params:oauth:grant-type:device_code', 'urn:ietf:params:oauth:grant-type:token-exchange'],
  ...['urn:openid:params:grant-type:ciba', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
]

describe.each(NAMES)('R-37 %s', (name) => {
  test('R-37 as a scope: no claim, whichever client requests it', () => {
    expect(userinfoClaimsOf(HOLDER, [name])).toEqual({})
    expect(idTokenClaimsOf(HOLDER, { metadata: {} }, [name], [])).toEqual({})
  })

  test.each(AUTHORIZATION)(
    'R-37 as %s of an authorization request, pushed or not, and on the page after it',
    async (parameter) => {
      const { url } = await begin(app.configuration)
      const parameters = { ...Object.fromEntries(url.searchParams), [parameter]: name, [name]: name }
      const begun = await send(`${server.issuer}/auth?${form(parameters)}`, { method: 'GET' })
      expectSound(begun, 'the request')
      expectSound(await post(server, '/request', parameters), 'pushed')
      const location = String(begun.headers.location ?? '')
      if (!location.startsWith(server.baseUrl)) return
      const cookie = [begun.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
      const visit = (address: string) => send(address, { method: 'GET', headers: { cookie: cookie.join('; ') } })
      let page = await visit(`${location}?${name}=${name}`)
      expectSound(page, 'the page')
      // to a provider that does not exist: the dispatcher again, and the first page
      if (parameter === 'direct_sign_in')
        for (let more = 2; more > 0; more--) page = await visit(String(page.headers.location))
      expectSound(page, 'the page that it leads to')
      expect(page.status).toBe(200)
    },
  )

  test('R-37 as any parameter of a token request', async () => {
    for (const grant of [...GRANTS, name])
      for (const parameter of [...TOKEN, name]) {
        const request = { grant_type: grant, client_id: app.id, [parameter]: name }
        expectSound(await post(server, '/token', request), `${parameter} of ${grant}`)
      }
  })

  test('R-37 as any parameter of device authorization, backchannel authentication, sign-out, introspection and revocation', async () => {
    for (const parameter of ['client_id', 'scope', 'resource', name])
      expectSound(await post(server, '/device/auth', { client_id: device.id, [parameter]: name }), parameter)
    for (const parameter of ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'request_uri', name])
      expectSound(await send(`${server.issuer}/session/end?${parameter}=${name}`, { method: 'GET' }), parameter)
    for (const parameter of ['client_id', 'login_hint', 'id_token_hint', 'binding_message', name])
      expectSound(await post(server, '/bc-authorize', { client_id: app.id, [parameter]: name }), parameter)
    for (const path of ['/token/introspection', '/token/revocation'])
      expectSound(await post(server, path, { client_id: app.id, token: name, token_type_hint: name }), path)
    expectSound(await send(`${server.baseUrl}/device?user_code=${name}`, { method: 'GET' }), 'the page of devices')
  })

  test('R-37 as a granted scope: it yields no claim', async () => {
    const { username, id } = await createUser(server)
    const begun = await begin(app.configuration, { scope: `openid ${name}` })
    const tokens = await redeem(app.configuration, await signIn(newBrowser(), begun, username), begun)
    expect(Object.keys(tokens.claims() ?? {})).not.toContain('password_hash')
    expect(tokens.claims()).not.toHaveProperty('username')
    expect(await client.fetchUserInfo(app.configuration, tokens.access_token, id)).toEqual({ sub: id })
  })

  test('R-37 as any query parameter of the Management API', async () => {
    const queries = API_ROUTES.filter(({ method, query }: Route) => method === 'GET' && query)
    for (const route of queries) {
      const known = Object.keys(route.query?.properties ?? {})
      for (const parameter of [...known, name, `search.${name}`, `mode.${name}`]) {
        const path = `${pathIn(world, route)}?${parameter}=${name}`
        expectSound(await call(server, 'GET', path, { token }), `${titleOf(route)} ${parameter}`)
      }
    }
  })

  test('R-37 as any value of the Experience API, and of the forms of the pages', async () => {
    const own: OwnPage = await openPage(server, app.configuration)
    const identifier = { type: name, value: name }
    const calls = [
      ['PUT', '', { interactionEvent: name }],
      ['PUT', '/interaction-event', { interactionEvent: name }],
      ['POST', '/verification/password', { identifier, password: name }],
      ['POST', '/verification/password', { identifier: { type: 'username', value: name }, password: PASSWORD }],
      ['POST', '/verification/verification-code', { identifier, interactionEvent: name }],
      ['POST', '/verification/verification-code/verify', { identifier, verificationId: name, code: name }],
      ['POST', '/verification/new-password-identity', { identifier, password: name }],
      ['POST', '/identification', { verificationId: name }],
      ['POST', '/profile', { type: name, value: name }],
      ['POST', '/profile', { type: 'extraProfile', values: { [name]: name } }],
      ['PUT', '/profile/password', { password: name }],
      ['POST', '/submit', { [name]: name }],
    ] as const
    for (const started of [false, true]) {
      if (started) expect((await own.start('SignIn')).status).toBe(204)
      for (const [method, path, body] of calls) {
        const { status, body: answer } = await own.call(method, path, JSON.stringify(body))
        expect(status, path).toBeLessThan(500)
        expect(JSON.stringify(answer ?? ''), path).not.toContain('native code')
      }
    }
    const browser = newBrowser()
    const page = await browser.open((await begin(app.configuration)).url)
    const answered = await browser.submit(page, { identifier: name, password: name, answer: name, [name]: name })
    expect([answered.status, answered.text.includes('native code')]).toEqual([422, false])
  })
})
