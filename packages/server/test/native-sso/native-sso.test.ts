/** OpenID Connect Native SSO for Mobile Apps 1.0: a sign-in in one application of a device is one in all of its group. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import type * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, redeem } from '../sign-in/arrange.ts'
import type { Browser } from '../sign-in/browser.ts'
import { type Api, createApi, createRole } from '../sign-in/user-tokens.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'
const DEVICE_SECRET = 'urn:openid:params:token-type:device-secret'
const ID_TOKEN_SECONDS = 300
const SCOPE = 'openid offline_access device_sso'

type App = Awaited<ReturnType<typeof createApp>>
type Tokens = Readonly<Record<'id_token' | 'device_secret', string>> & oauth.TokenEndpointResponse

let server: TestServer
let api: Api
let [mail, calendar, other, alone]: App[] = []
let user: Awaited<ReturnType<typeof createUser>>

const native = (nativeSsoGroup?: string) =>
  createApp(server, 'Native', {
    customClientMetadata: { idTokenTtl: ID_TOKEN_SECONDS, ...(nativeSsoGroup === undefined ? {} : { nativeSsoGroup }) },
  })
const appOf = (app: App | undefined): App => {
  if (!app) throw new Error('not arranged yet')
  return app
}

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  api = await createApi(server)
  ;[mail, calendar, other, alone] = [
    await native('suite'),
    await native('suite'),
    await native('games'),
    await native(),
  ]
  user = await createUser(server)
  const roleId = await createRole(server, Object.values(api.scopeIds))
  await server.api('POST', `/users/${user.id}/roles`, { roleIds: [roleId] })
})
afterAll(() => server.close())

/** The first application of the device: the user signs in with a browser. */
const first = async ({
  app = mail,
  who = user,
  browser = newBrowser(),
  token = {},
}: {
  app?: App | undefined
  who?: typeof user
  browser?: Browser
  token?: Record<string, string>
} = {}): Promise<Tokens> => {
  const { configuration } = appOf(app)
  const begun = await begin(configuration, { scope: SCOPE, prompt: 'consent' })
  const page = await browser.open(begun.url)
  const back = page.url.searchParams.has('code')
    ? page
    : await browser.submit(page, { identifier: who.username, password: 'correct horse battery' })
  return (await redeem(configuration, back, begun, token)) as unknown as Tokens
}

const exchange = (app: App | undefined, { id_token, device_secret }: Tokens, more: Record<string, string> = {}) =>
  client.genericGrantRequest(appOf(app).configuration, EXCHANGE, {
    audience: server.issuer,
    subject_token: id_token,
    subject_token_type: ID_TOKEN,
    actor_token: device_secret,
    actor_token_type: DEVICE_SECRET,
    scope: 'openid offline_access',
    ...more,
  })
const errorOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'accepted',
    ({ error }: client.ResponseBodyError) => error,
  )

test('the second application gets tokens of the same session, of its own grant, without a browser', async () => {
  const tokens = await first()
  expect(tokens.device_secret).toMatch(/^cs_ds_[\w-]{43}$/)
  const { sid, ds_hash, aud } = decodeJwt(tokens.id_token)
  expect([typeof ds_hash, aud]).toEqual(['string', mail?.id])

  const second = (await exchange(calendar, tokens)) as unknown as Tokens
  expect(second).toMatchObject({
    token_type: 'bearer',
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    scope: 'openid offline_access',
    device_secret: tokens.device_secret,
  })
  expect(decodeJwt(second.id_token)).toMatchObject({ sid, ds_hash, aud: calendar?.id, sub: user.id })
  const { sub } = await client.fetchUserInfo(appOf(calendar).configuration, second.access_token, user.id)
  expect(sub).toBe(user.id)
  const refreshed = await client.refreshTokenGrant(appOf(calendar).configuration, second.refresh_token ?? '')
  expect(refreshed.access_token).toMatch(/^cs_at_/)
  // it can pass the sign-in on, and the type of earlier drafts is known too
  const third = await exchange(mail, second, { actor_token_type: 'urn:x-oath:params:oauth:token-type:device-secret' })
  expect(third.id_token).toBeTypeOf('string')
  const entries = await server.client.listLogs({ query: { logKey: 'ExchangeTokenBy.TokenExchange' } })
  expect(entries.at(-1)?.payload ?? entries[0]?.payload).toMatchObject({ nativeSsoGroup: 'suite', userId: user.id })
})

test('tokens are bound to the key of the application that asks, as the refresh token of a public one is', async () => {
  const tokens = await first()
  const { configuration, id } = appOf(calendar)
  const keys = await client.randomDPoPKeyPair()
  const handle = client.getDPoPHandle(configuration, keys)
  const bound = await client.genericGrantRequest(
    configuration,
    EXCHANGE,
    {
      ...{ audience: server.issuer, subject_token: tokens.id_token, subject_token_type: ID_TOKEN, scope: SCOPE },
      ...{ actor_token: tokens.device_secret, actor_token_type: DEVICE_SECRET, client_id: id },
    },
    { DPoP: handle },
  )
  expect(bound.token_type).toBe('dpop')
  await expect(client.refreshTokenGrant(configuration, bound.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

test('permissions are those that the user holds, for the API that is named', async () => {
  const tokens = await first()
  const second = await exchange(calendar, tokens, { scope: 'read nonsense', resource: api.indicator })
  expect(decodeJwt(second.access_token)).toMatchObject({ scope: 'read', aud: api.indicator, client_id: calendar?.id })
  expect(second).not.toHaveProperty('id_token')
  expect(await errorOf(exchange(calendar, tokens, { resource: 'https://unknown.example' }))).toBe('invalid_target')
})

test('an expired ID token will do while the session lives, and nothing does afterwards', async () => {
  const who = await createUser(server)
  const tokens = await first({ who })
  server.clock.advance(ID_TOKEN_SECONDS + 1)
  expect((await exchange(calendar, tokens)).access_token).toBeTypeOf('string')
  const { sessions } = await server.client.listUserSessions({ params: { userId: who.id } })
  for (const { payload } of sessions)
    await server.client.endUserSession({ params: { userId: who.id, sessionId: payload.uid }, query: {} })
  expect(await errorOf(exchange(calendar, tokens))).toBe('invalid_grant')

  const later = await first({ who })
  await server.api('PATCH', `/users/${who.id}/is-suspended`, { isSuspended: true })
  expect(await errorOf(exchange(calendar, later))).toBe('invalid_grant')
})

test('a device that has a secret keeps it at the next sign-in in the same session; otherwise it gets another', async () => {
  const browser = newBrowser()
  const tokens = await first({ browser })
  const held = { token: { device_secret: tokens.device_secret } }
  const again = await first({ app: calendar, browser, ...held })
  expect(again.device_secret).toBe(tokens.device_secret)
  const elsewhere = await first(held)
  expect([elsewhere.device_secret === tokens.device_secret, elsewhere.device_secret.length]).toEqual([false, 49])
  const ofOthers = await first({ app: other, browser, ...held })
  expect(ofOthers.device_secret).not.toBe(tokens.device_secret)
  // both of the session live on
  expect((await exchange(calendar, tokens)).access_token).toBeTypeOf('string')
})

test('a session has a bounded number of secrets; the one that was not used for longest ends', async () => {
  const browser = newBrowser()
  const oldest = await first({ browser })
  const kept: Tokens[] = []
  for (let index = 0; index < 20; index += 1) {
    server.clock.advance(1)
    kept.push(await first({ browser }))
  }
  expect(await errorOf(exchange(calendar, oldest))).toBe('invalid_grant')
  expect(await errorOf(exchange(calendar, kept[0] as Tokens))).toBe('accepted')
})

test('an application without the group, of another group, or of a third party gets nothing, and no secret', async () => {
  const tokens = await first()
  expect(await errorOf(exchange(other, tokens))).toBe('invalid_grant')
  expect(await errorOf(exchange(alone, tokens))).toBe('unauthorized_client')
  const plain = await first({ app: alone })
  expect([plain.device_secret, plain.scope, decodeJwt(plain.id_token).ds_hash]).toEqual([
    undefined,
    'openid offline_access',
    undefined,
  ])
  const third = await createApp(server, 'Native', {
    isThirdParty: true,
    customClientMetadata: { nativeSsoGroup: 'suite' },
  })
  expect(await errorOf(exchange(third, tokens))).toBe('unauthorized_client')
  // the group is no permission for other exchanges
  const token = {
    subject_token: tokens.access_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  }
  expect(
    await errorOf(client.genericGrantRequest(appOf(mail).configuration, EXCHANGE, { ...token, scope: 'read' })),
  ).toBe('unauthorized_client')
  const refused = await server.api('POST', '/applications', {
    ...{ name: 'Web', type: 'SPA', oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] } },
    customClientMetadata: { nativeSsoGroup: 'suite' },
  })
  expect(refused.status).toBe(400)
})

test('every part of the request is needed, and none can be that of another session, user or group', async () => {
  const [mine, theirs] = [await first(), await first({ who: await createUser(server) })]
  const games = await first({ app: other })
  const without = await first({ app: alone })
  const cases: [Record<string, string>, string][] = [
    [{ actor_token: theirs.device_secret }, 'invalid_grant'],
    [{ subject_token: theirs.id_token }, 'invalid_grant'],
    [{ subject_token: games.id_token, actor_token: games.device_secret }, 'invalid_grant'],
    [{ subject_token: without.id_token }, 'invalid_grant'],
    [{ subject_token: mine.access_token }, 'invalid_grant'],
    [{ subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' }, 'invalid_request'],
    [{ requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }, 'invalid_request'],
    [{ audience: 'https://elsewhere.example' }, 'invalid_target'],
    [{ audience: '' }, 'invalid_request'],
    [{ actor_token: '' }, 'invalid_request'],
    [{ subject_token: '' }, 'invalid_request'],
    [{ authorization_details: '[]' }, 'invalid_request'],
    [{ scope: '"read"' }, 'invalid_scope'],
  ]
  for (const [change, error] of cases)
    expect([change, await errorOf(exchange(calendar, mine, change))]).toEqual([change, error])
})

test('R-9 no other secret and no other ID token is accepted, and nothing is an error of the server', async () => {
  const tokens = await first()
  const [head, body, signature] = tokens.id_token.split('.')
  const changed = (text = ''): fc.Arbitrary<string> =>
    fc
      .tuple(fc.nat(text.length - 1), fc.constantFrom(...'ABCDwxyz0189-_'))
      .map(([at, letter]) => text.slice(0, at) + letter + text.slice(at + 1))
      .filter((other) => other !== text)
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        changed(tokens.device_secret).map((device_secret) => ({ ...tokens, device_secret })),
        changed(body).map((other) => ({ ...tokens, id_token: `${head}.${other}.${signature}` })),
        fc.string({ minLength: 1 }).map((device_secret) => ({ ...tokens, device_secret })),
        fc.string({ minLength: 1 }).map((id_token) => ({ ...tokens, id_token })),
      ),
      async (wrong) => {
        expect(await errorOf(exchange(calendar, wrong))).toMatch(/^invalid_(grant|request)$/)
      },
    ),
    { numRuns: 40 },
  )
})
