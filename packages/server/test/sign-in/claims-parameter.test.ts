/** The `claims` parameter (OpenID Connect Core section 5.5, DECISIONS F24) and `prompt=create` (F25), in whole flows. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fresh } from '../protocol/arrange.ts'
import { freshName } from '../users/arrange.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from './arrange.ts'
import { type SignedIn, signedInUser } from './user-tokens.ts'

let server: TestServer
let known: SignedIn
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  known = await signedInUser(server)
})
afterAll(() => server.close())

/** A user who has what the requests below ask for. */
const createPerson = async () => {
  const username = freshName()
  const { id } = await server.client.createUser({
    body: {
      ...{ username, password: PASSWORD, name: 'Ada', primaryEmail: `${username}@example.com` },
      ...{ profile: { nickname: 'Countess', givenName: 'Ada' }, customData: { seat: 7 } },
    },
  })
  const role = await server.client.createRole({ body: { name: fresh('role') } })
  await server.api('POST', `/users/${id}/roles`, { roleIds: [role.id] })
  return { id, username, role: role.name }
}

const claims = (idToken: object, userinfo: object = {}) => JSON.stringify({ id_token: idToken, userinfo })
const OWN = ['iss', 'sub', 'aud', 'exp', 'iat', 'at_hash', 'auth_time', 'amr', 'acr', 'sid', 'nonce']
const ofUser = (idToken: string | undefined) =>
  Object.fromEntries(Object.entries(decodeJwt(idToken ?? '')).filter(([name]) => !OWN.includes(name)))

test('claims named one by one are in the place that is named, pushed or not, and after each refresh', async () => {
  const { configuration } = await createApp(server)
  const person = await createPerson()
  const asked = claims(
    { nickname: null, email: { essential: true }, roles: null, custom_data: null, phone_number: { essential: true } },
    { given_name: null, roles: null, nickname: { value: 'Nobody' } },
  )
  const wanted = {
    idToken: {
      nickname: 'Countess',
      email: `${person.username}@example.com`,
      roles: [person.role],
      custom_data: { seat: 7 },
    },
    userinfo: { sub: person.id, given_name: 'Ada', roles: [person.role], nickname: 'Countess' },
  }
  const scope = 'openid offline_access'
  for (const isPushed of [false, true]) {
    const begun = await begin(configuration, { scope, claims: asked, prompt: 'consent' })
    const url = isPushed ? await client.buildAuthorizationUrlWithPAR(configuration, begun.url.searchParams) : begun.url
    const page = await signIn(newBrowser(), { ...begun, url }, person.username)
    const first = await redeem(configuration, page, begun)
    const second = await client.refreshTokenGrant(configuration, first.refresh_token ?? '')
    for (const tokens of [first, second]) {
      expect(ofUser(tokens.id_token)).toEqual(wanted.idToken)
      expect(tokens.scope).toBe(scope)
      expect(await client.fetchUserInfo(configuration, tokens.access_token, person.id)).toEqual(wanted.userinfo)
    }
  }
})

test('ID tokens of an application with idTokenClaims=requested have no claims of scopes, and userinfo has them all', async () => {
  const customClientMetadata = { idTokenClaims: 'requested' as const }
  const { configuration } = await createApp(server, 'Traditional', { customClientMetadata })
  const person = await createPerson()
  const begun = await begin(configuration, {
    ...{ scope: 'openid profile email roles offline_access', prompt: 'consent' },
    claims: claims({ nickname: null }),
  })
  const first = await redeem(configuration, await signIn(newBrowser(), begun, person.username), begun)
  const second = await client.refreshTokenGrant(configuration, first.refresh_token ?? '')
  for (const tokens of [first, second]) {
    expect(ofUser(tokens.id_token)).toEqual({ nickname: 'Countess' })
    const userinfo = await client.fetchUserInfo(configuration, tokens.access_token, person.id)
    expect(userinfo).toMatchObject({ name: 'Ada', given_name: 'Ada', email: expect.any(String), roles: [person.role] })
  }
})

test('a third-party application gets the claims of its scopes, if the user agrees to them', async () => {
  const { id, configuration } = await createApp(server, 'SPA', { isThirdParty: true })
  const scopes = `/applications/${id}/user-consent-scopes`
  await server.api('POST', scopes, { userScopes: ['profile', 'email'] })
  const person = await createPerson()
  const browser = newBrowser()
  const ask = async (idToken: object, more: Record<string, string> = {}) => {
    const begun = await begin(configuration, { scope: 'openid offline_access', claims: claims(idToken), ...more })
    return { begun, page: await browser.open(begun.url) }
  }
  const asked = { nickname: null, phone_number: { essential: true } }
  const begun = await begin(configuration, { scope: 'openid offline_access', claims: claims(asked) })
  const consent = await signIn(browser, begun, person.username)
  const sentences = (text: string) => [...text.matchAll(/<li>(.*?)<\/li>/g)].map(([, sentence]) => sentence)
  expect(sentences(consent.text)).toHaveLength(3)
  expect(consent.text).not.toContain('phone')
  const tokens = await redeem(configuration, await browser.submit(consent, { answer: 'allow' }), begun)
  expect(ofUser(tokens.id_token)).toEqual({ nickname: 'Countess' })
  // what was agreed to needs no question, what was not does
  const again = await ask(asked, { prompt: 'none' })
  expect(ofUser((await redeem(configuration, again.page, again.begun)).id_token)).toEqual({ nickname: 'Countess' })
  const more = await ask({ email: null }, { prompt: 'none' })
  expect(more.page.url.searchParams.get('error')).toBe('consent_required')
  // what it may ask for is looked up at each token
  await server.api('DELETE', `${scopes}/user-scopes/profile`)
  const refreshed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
  expect(ofUser(refreshed.id_token)).toEqual({})
})

test('sub names the user who must be signed in, and no other is accepted', async () => {
  const { configuration } = known.app
  const other = await createUser(server)
  const ask = async (sub: string, more: Record<string, string> = {}) => {
    const begun = await begin(configuration, { claims: claims({ sub: { value: sub } }), ...more })
    return { begun, page: await known.browser.open(begun.url) }
  }
  const own = await ask(known.user.id, { prompt: 'none' })
  const { id_token: hint = '' } = await redeem(configuration, own.page, own.begun)
  expect(decodeJwt(hint).sub).toBe(known.user.id)
  const silent = await ask(other.id, { prompt: 'none' })
  expect(silent.page.url.searchParams.get('error')).toBe('login_required')
  const contradicting = await ask(other.id, { id_token_hint: hint })
  expect(contradicting.page.url.searchParams.get('error')).toBe('invalid_request')
  const browser = newBrowser()
  const begun = await begin(configuration, { claims: claims({ sub: { value: other.id } }) })
  const wrong = await browser.submit(await browser.open(begun.url), {
    identifier: known.user.username,
    password: PASSWORD,
  })
  expect(wrong.url.searchParams.get('error')).toBe('login_required')
})

test('prompt=create leads to registration, whoever is signed in, and to sign-in where no one can register', async () => {
  const { app, browser, user } = known
  const begun = await begin(app.configuration, { prompt: 'create', first_screen: 'signIn' })
  const page = await browser.open(begun.url)
  expect(page.url.pathname).toMatch(/^\/register\//)
  const done = await browser.submit(page, { identifier: freshName(), password: PASSWORD })
  const { sub } = decodeJwt((await redeem(app.configuration, done, begun)).id_token ?? '')
  expect(sub).not.toBe(user.id)
  await server.api('PATCH', '/sign-in-exp', { signInMode: 'SignIn' })
  const { url } = await browser.open((await begin(app.configuration, { prompt: 'create' })).url)
  expect(url.pathname).toMatch(/^\/sign-in\//)
  await server.api('PATCH', '/sign-in-exp', { signInMode: 'SignInAndRegister' })
})

test('R-37 no value of the parameter is answered with 500', async () => {
  const name = fc.oneof(fc.constantFrom('sub', 'acr', 'email', 'auth_time', 'roles', '__proto__'), fc.string())
  const request = fc.oneof(
    fc.constant(null),
    fc.record(
      { essential: fc.anything(), value: fc.anything(), values: fc.array(fc.anything()) },
      { requiredKeys: [] },
    ),
    fc.anything(),
  )
  const place = fc.oneof(
    { weight: 4, arbitrary: fc.dictionary(name, request, { maxKeys: 4 }) },
    { weight: 1, arbitrary: fc.anything() },
  )
  const text = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .record({ id_token: place, userinfo: place, x: fc.anything() }, { requiredKeys: [] })
        .map((value) => {
          try {
            return JSON.stringify(value)
          } catch {
            return '{'
          }
        }),
    },
    { weight: 1, arbitrary: fc.oneof(fc.string(), fc.json()) },
  )
  const { url } = await begin(known.app.configuration, { prompt: 'none' })
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      url.searchParams.set('claims', value)
      const answer = await fetch(url, { redirect: 'manual' })
      const location = new URL(answer.headers.get('location') ?? 'none:')
      expect(answer.status).toBe(303)
      expect(location.href.startsWith(CALLBACK)).toBe(true)
      expect(['invalid_request', 'login_required', 'unmet_authentication_requirements']).toContain(
        location.searchParams.get('error'),
      )
    }),
    { numRuns: 100 },
  )
})
