/** Grants that applications manage (Grant Management for OAuth 2.0): created, extended, replaced, read and revoked by their id. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { begin, CALLBACK, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import type { Browser } from '../sign-in/browser.ts'
import { type Api, createApi, createRole } from '../sign-in/user-tokens.ts'

const API_SCOPES = 'grant_management_query grant_management_revoke'
const SCOPE = `openid offline_access ${API_SCOPES}`
/** For the server itself: without details, which would be for their API. */
const OPAQUE = { authorization_details: '[]' }
const account = (...actions: string[]) => ({ type: 'account_information', actions })

let server: TestServer
let api: Api
let app: Awaited<ReturnType<typeof createApp>>
let owner: Awaited<ReturnType<typeof createUser>>
let browser: Browser
const settings = { grantManagement: true, authorizationDetailsTypes: ['account_information'] }

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  api = await createApi(server)
  await server.client.createAuthorizationDetailsType({
    params: { resourceId: api.id },
    body: { type: 'account_information', schema: { type: 'object' }, templates: { en: 'See {actions}' } },
  })
  app = await createApp(server, 'Traditional', { customClientMetadata: settings })
  owner = await createUser(server)
  const roleId = await createRole(server, Object.values(api.scopeIds))
  await server.api('POST', `/users/${owner.id}/roles`, { roleIds: [roleId] })
  browser = newBrowser()
  await signIn(browser, await begin(app.configuration), owner.username)
})
afterAll(() => server.close())

type Form = Readonly<Record<string, string>>
type App = typeof app

/** The user of the browser allows what is asked for; gives the page that asked, and the tokens. */
const authorize = async (request: Form, token: Form = {}, using: App = app, where = browser) => {
  const begun = await begin(using.configuration, { scope: SCOPE, ...request })
  const page = await where.open(begun.url)
  const back = page.url.searchParams.has('code') ? page : await where.submit(page, { answer: 'allow' })
  return { page, tokens: await redeem(using.configuration, back, begun, token) }
}
const detailed = (...details: object[]): Form => ({ authorization_details: JSON.stringify(details) })
const create = (request: Form = {}, token: Form = OPAQUE) =>
  authorize({ grant_management_action: 'create', ...request }, token)
const grantIdOf = ({ grant_id: id }: oauth.TokenEndpointResponse): string => String(id)

/** As a client library sends it. */
const manage = (token: string, id: string, method = 'GET') =>
  oauth.protectedResourceRequest(token, method, new URL(`${server.issuer}/grants/${id}`), undefined, undefined, {
    [oauth.allowInsecureRequests]: true,
  })
const statusOf = async (asked: Promise<Response>): Promise<number> => {
  try {
    return (await asked).status
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.status
    throw error
  }
}
const contentOf = async (token: string, id: string) => {
  const response = await manage(token, id)
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  return (await response.json()) as Record<string, unknown>
}
const refresh = (token: string | undefined, more: Form = {}) =>
  client.refreshTokenGrant(app.configuration, token ?? '', more)
const errorAt = async (request: Form, where = browser, using: App = app) => {
  const { url } = await where.open((await begin(using.configuration, request)).url)
  return url.searchParams.get('error')
}
const pushed = async (request: Form, using: App = app) => {
  const parameters = { redirect_uri: CALLBACK, scope: 'openid', code_challenge: 'x'.repeat(43), ...request }
  const asked = client.buildAuthorizationUrlWithPAR(using.configuration, {
    ...parameters,
    code_challenge_method: 'S256',
  })
  return asked.then(
    () => undefined,
    (error: unknown) => (error as client.ResponseBodyError).error,
  )
}

describe('a grant', () => {
  test('is created, extended and replaced under one id, which comes with the tokens; what was issued before follows', async () => {
    const first = (await create(detailed(account('list')))).tokens
    const id = grantIdOf(first)
    expect(id).toMatch(/^[0-9a-z]{21}$/)
    const made = await contentOf(first.access_token, id)
    expect(made).toMatchObject({
      scopes: [{ scope: 'openid offline_access' }],
      authorization_details: [account('list')],
      created_at: made.last_updated_at,
    })

    server.clock.advance(5)
    const merging = { grant_management_action: 'merge', grant_id: id, resource: api.indicator }
    const merged = await authorize(
      { ...merging, scope: 'openid email read', ...detailed(account('balances')) },
      { resource: api.indicator },
    )
    expect(merged.page.text).toContain('added to what you have allowed')
    const both = [account('list'), account('balances')]
    expect([grantIdOf(merged.tokens), decodeJwt(merged.tokens.access_token)]).toMatchObject([
      id,
      { scope: 'read', authorization_details: both },
    ])
    expect(await contentOf(first.access_token, id)).toMatchObject({
      scopes: [{ scope: 'openid offline_access email' }, { scope: 'read', resources: [api.indicator] }],
      authorization_details: both,
      created_at: made.created_at,
      last_updated_at: Number(made.created_at) + 5,
    })
    // the refresh token of the first authorization is one of the same grant
    const followed = await refresh(first.refresh_token, { resource: api.indicator })
    expect([grantIdOf(followed), decodeJwt(followed.access_token)]).toMatchObject([
      id,
      { scope: 'read', authorization_details: both },
    ])

    const replaced = await authorize(
      { grant_management_action: 'replace', grant_id: id, ...detailed(account('rates')) },
      OPAQUE,
    )
    expect(replaced.page.text).toContain('replaces what you have allowed')
    // an opaque token that may allow more than the grant does now has ended
    expect(await statusOf(manage(first.access_token, id))).toBe(401)
    expect(await contentOf(replaced.tokens.access_token, id)).toMatchObject({
      scopes: [{ scope: 'openid offline_access' }],
      authorization_details: [account('rates')],
    })
    const narrowed = await refresh(followed.refresh_token)
    expect(decodeJwt(narrowed.access_token)).toMatchObject({ authorization_details: [account('rates')] })
    expect(decodeJwt(narrowed.access_token)).not.toHaveProperty('scope')
  })

  test('is apart from what the session has granted, and from other grants of the application', async () => {
    const plain = (await authorize({})).tokens
    expect(plain).not.toHaveProperty('grant_id')
    const [one, two] = [(await create()).tokens, (await create()).tokens]
    expect(grantIdOf(one)).not.toBe(grantIdOf(two))
    expect(await statusOf(manage(one.access_token, grantIdOf(one), 'DELETE'))).toBe(204)
    expect(await statusOf(manage(two.access_token, grantIdOf(one)))).toBe(404)
    expect(await statusOf(manage(two.access_token, grantIdOf(two)))).toBe(200)
    expect((await refresh(plain.refresh_token)).access_token).toMatch(/^cs_at_/)
    const entries = await server.client.listLogs({ query: { logKey: 'RevokeGrant' } })
    expect(entries[0]?.payload).toMatchObject({ applicationId: app.id, userId: owner.id, grantId: grantIdOf(one) })
  })

  test('is read and revoked with a token for it; afterwards nothing of it is left', async () => {
    const { tokens } = await create()
    const id = grantIdOf(tokens)
    const bare = await fetch(`${server.issuer}/grants/${id}`)
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')])
    const unscoped = (await authorize({ scope: 'openid', grant_management_action: 'create' })).tokens
    expect(await statusOf(manage(unscoped.access_token, id))).toBe(403)
    const reading = (await authorize({ scope: 'openid grant_management_query', grant_management_action: 'create' }))
      .tokens
    expect(await statusOf(manage(reading.access_token, id))).toBe(200)
    expect(await statusOf(manage(reading.access_token, id, 'DELETE'))).toBe(403)
    const jwt = (await create({ resource: api.indicator, scope: `${SCOPE} read` }, { resource: api.indicator })).tokens
    expect(await statusOf(manage(jwt.access_token, grantIdOf(jwt)))).toBe(401)
    for (const unknown of ['x', '%00', 'a'.repeat(300), '..%2f', '%F0%9F%98%80'])
      expect(await statusOf(manage(tokens.access_token, unknown)), unknown).toBe(404)

    // the user's own hands see it, and another user's token does not
    const grants = await server.client.listUserGrants({ params: { userId: owner.id } })
    expect(JSON.stringify(grants)).toContain(id)
    const stranger = await createUser(server)
    const elsewhere = newBrowser()
    await signIn(elsewhere, await begin(app.configuration), stranger.username)
    const theirs = (await authorize({ grant_management_action: 'create' }, OPAQUE, app, elsewhere)).tokens
    expect(await statusOf(manage(theirs.access_token, id, 'DELETE'))).toBe(404)

    const gone = await manage(tokens.access_token, id, 'DELETE')
    expect([gone.status, await gone.text()]).toEqual([204, ''])
    expect(await statusOf(manage(tokens.access_token, id))).toBe(401)
    expect(await statusOf(manage(reading.access_token, id))).toBe(404)
    await expect(refresh(tokens.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
    for (const action of ['merge', 'replace']) {
      const again = { grant_management_action: action, grant_id: id }
      expect([await errorAt(again), await pushed(again)]).toEqual(['invalid_grant_id', 'invalid_grant_id'])
    }
  })

  test('of several authorizations at the same moment each extends it; one that ended meanwhile is not brought back', async () => {
    const { tokens } = await create(detailed(account('0')))
    const id = grantIdOf(tokens)
    const merging = { grant_management_action: 'merge', grant_id: id }
    const pages = await Promise.all(
      ['1', '2', '3', '4'].map(async (name) =>
        browser.open((await begin(app.configuration, { scope: SCOPE, ...merging, ...detailed(account(name)) })).url),
      ),
    )
    const answers = await Promise.all(pages.map((page) => browser.submit(page, { answer: 'allow' })))
    expect(answers.map(({ url }) => url.searchParams.has('code'))).toEqual([true, true, true, true])
    const { authorization_details: all } = await contentOf(tokens.access_token, id)
    expect((all as { actions: string[] }[]).map(({ actions }) => actions[0]).sort()).toEqual(['0', '1', '2', '3', '4'])

    const waiting = await browser.open(
      (await begin(app.configuration, { scope: SCOPE, ...merging, ...detailed(account('5')) })).url,
    )
    expect(await statusOf(manage(tokens.access_token, id, 'DELETE'))).toBe(204)
    const late = await browser.submit(waiting, { answer: 'allow' })
    expect([late.url.searchParams.get('error'), late.url.searchParams.has('code')]).toEqual(['invalid_grant_id', false])
  })

  test('that is replaced while a code of it is redeemed leaves no refresh token with what was allowed before', async () => {
    const { tokens } = await create(detailed(account('0')))
    const changing = { grant_id: grantIdOf(tokens), scope: SCOPE }
    for (const round of ['a', 'b', 'c', 'd']) {
      const before = await begin(app.configuration, {
        ...{ ...changing, grant_management_action: 'merge', ...detailed(account(`old ${round}`)) },
      })
      const back = await browser.submit(await browser.open(before.url), { answer: 'allow' })
      const after = await begin(app.configuration, {
        ...{ ...changing, grant_management_action: 'replace', ...detailed(account(round)) },
      })
      const page = await browser.open(after.url)
      const [redeemed] = await Promise.all([
        redeem(app.configuration, back, before, OPAQUE),
        browser.submit(page, { answer: 'allow' }),
      ])
      const { access_token } = await refresh(redeemed.refresh_token)
      expect(decodeJwt(access_token).authorization_details).toEqual([account(round)])
    }
  })

  test('ends with the session of its last authorization, unless it was allowed to go on', async () => {
    const { id, username } = await createUser(server)
    const where = newBrowser()
    await signIn(where, await begin(app.configuration), username)
    const short = { grant_management_action: 'create', scope: `openid ${API_SCOPES}` }
    const [ending, staying] = [
      (await authorize(short, OPAQUE, app, where)).tokens,
      (await authorize({ grant_management_action: 'create' }, OPAQUE, app, where)).tokens,
    ]
    const [session] = await server.client.listUserSessions({ params: { userId: id } }).then(({ sessions }) => sessions)
    await server.client.endUserSession({
      params: { userId: id, sessionId: session?.payload.uid ?? '' },
      query: {},
    })
    expect(await statusOf(manage(ending.access_token, grantIdOf(ending)))).toBe(401)
    const again = { grant_management_action: 'merge', grant_id: grantIdOf(ending) }
    expect(await errorAt(again, where)).toBe('invalid_grant_id')
    expect((await refresh(staying.refresh_token)).access_token).toMatch(/^cs_at_/)
  })
})

describe('a request', () => {
  test.each<[string, Form, string]>([
    ['with an unknown action', { grant_management_action: 'update' }, 'invalid_request'],
    ['for a new grant with an id', { grant_management_action: 'create', grant_id: 'x' }, 'invalid_request'],
    ['to extend none', { grant_management_action: 'merge' }, 'invalid_request'],
    ['to replace none', { grant_management_action: 'replace', grant_id: '' }, 'invalid_request'],
    ['with an id alone', { grant_id: 'x' }, 'invalid_request'],
    ['of an id that is not there', { grant_management_action: 'merge', grant_id: 'y'.repeat(21) }, 'invalid_grant_id'],
    ['of a huge id', { grant_management_action: 'merge', grant_id: 'y'.repeat(5000) }, 'invalid_request'],
  ])('%s is refused, pushed or not', async (_, request, error) => {
    expect([await errorAt(request), await pushed(request)]).toEqual([error, error])
  })

  test('by another application, or one that manages no grants, learns nothing of a grant', async () => {
    const id = grantIdOf((await create()).tokens)
    const merging = { grant_management_action: 'merge', grant_id: id }
    const second = await createApp(server, 'Traditional', { customClientMetadata: { grantManagement: true } })
    expect([await errorAt(merging, browser, second), await pushed(merging, second)]).toEqual([
      'invalid_grant_id',
      'invalid_grant_id',
    ])
    const { tokens } = await authorize({ grant_management_action: 'create' }, {}, second)
    expect(await statusOf(manage(tokens.access_token, id))).toBe(404)

    // switched off: as if there were no such thing
    await server.api('PATCH', `/applications/${second.id}`, { customClientMetadata: { grantManagement: false } })
    expect([await errorAt(merging, browser, second), await pushed(merging, second)]).toEqual([
      'invalid_request',
      'invalid_request',
    ])
    expect(await statusOf(manage(tokens.access_token, grantIdOf(tokens)))).toBe(403)
    const plain = (await authorize({}, {}, second)).tokens
    expect([plain.scope, plain.grant_id]).toEqual(['openid offline_access', undefined])
    const body = { customClientMetadata: { grantManagement: true } }
    const { id: publicId } = await createApp(server, 'SPA')
    expect((await server.api('PATCH', `/applications/${publicId}`, body)).status).toBe(400)
  })

  test('about the grant of another user is for that user to answer', async () => {
    const id = grantIdOf((await create()).tokens)
    const merging = { grant_management_action: 'merge', grant_id: id }
    const { username } = await createUser(server)
    const elsewhere = newBrowser()
    await signIn(elsewhere, await begin(app.configuration), username)
    expect(await errorAt({ ...merging, prompt: 'none' }, elsewhere)).toBe('access_denied')
    const page = await elsewhere.open((await begin(app.configuration, merging)).url)
    expect(page.url.pathname).toContain('/sign-in/')
    const denied = await elsewhere.submit(page, { identifier: username, password: 'correct horse battery' })
    expect(denied.url.searchParams.get('error')).toBe('access_denied')
    const own = newBrowser()
    const asked = await begin(app.configuration, merging)
    // of a first-party application too, which asks for nothing new
    const consent = await signIn(own, asked, owner.username)
    expect(consent.text).toContain('added to what you have allowed')
    expect(await errorAt({ ...merging, prompt: 'none' }, own)).toBe('consent_required')
    const back = await own.submit(consent, { answer: 'allow' })
    expect(grantIdOf(await redeem(app.configuration, back, asked))).toBe(id)
  })

  test('that would make the details of a grant too many is refused before anyone is asked', async () => {
    const many = Array.from({ length: 12 }, (_, index) => account(String(index)))
    const id = grantIdOf((await create(detailed(...many))).tokens)
    const merging = { grant_management_action: 'merge', grant_id: id, ...detailed(...many) }
    expect([await errorAt(merging), await pushed(merging)]).toEqual([
      'invalid_authorization_details',
      'invalid_authorization_details',
    ])
  })

  test('R-35: with any action and any id is refused as a request, never an error of the server', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constantFrom('merge', 'replace', 'create'), fc.string()),
        fc.string({ unit: 'binary', minLength: 1 }),
        async (action, id) => {
          expect(await pushed({ grant_management_action: action, grant_id: id })).toMatch(
            /^invalid_(request|grant_id)$/,
          )
        },
      ),
      { numRuns: 40 },
    )
  })
})

test('a third party gets what the user agreed to for this grant, all of it after it was extended', async () => {
  const third = await createApp(server, 'Traditional', {
    isThirdParty: true,
    customClientMetadata: { grantManagement: true },
  })
  await server.client.addUserConsentScopes({
    params: { applicationId: third.id },
    body: { userScopes: ['email', 'profile'], resourceScopes: [api.scopeIds.read ?? '', api.scopeIds.write ?? ''] },
  })
  const ask = (request: Form) => ({ resource: api.indicator, ...request })
  const first = await authorize(
    ask({ grant_management_action: 'create', scope: `${SCOPE} read` }),
    { resource: api.indicator },
    third,
  )
  expect(first.page.text).not.toContain('grant_management')
  const id = grantIdOf(first.tokens)
  expect(decodeJwt(first.tokens.access_token).scope).toBe('read')
  const more = await authorize(
    ask({ grant_management_action: 'merge', grant_id: id, scope: 'openid write' }),
    { resource: api.indicator },
    third,
  )
  expect(String(decodeJwt(more.tokens.access_token).scope).split(' ').sort()).toEqual(['read', 'write'])
  const own = await client.refreshTokenGrant(third.configuration, more.tokens.refresh_token ?? '')
  expect(await contentOf(own.access_token, id)).toMatchObject({
    scopes: [{ scope: 'openid offline_access' }, { scope: 'read write', resources: [api.indicator] }],
  })
})

test('a token that is bound to a key needs its proof here as well; discovery names the endpoint and what it can do', async () => {
  const issuer = new URL(server.issuer)
  const options = { [oauth.allowInsecureRequests]: true }
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
  expect(as).toMatchObject({
    grant_management_endpoint: `${server.issuer}/grants`,
    grant_management_actions_supported: ['create', 'merge', 'replace', 'query', 'revoke'],
    grant_management_action_required: false,
  })
  expect(as.scopes_supported).toEqual(expect.arrayContaining(API_SCOPES.split(' ')))
  const keys = await oauth.generateKeyPair('ES256')
  const { tokens } = await create()
  const own: oauth.Client = {
    client_id: app.id,
    [oauth.clockSkew]: Math.round((server.clock.now().getTime() - Date.now()) / 1000),
  }
  const dpop = oauth.DPoP(own, keys)
  const [secret] = await server.client.listApplicationSecrets({ params: { id: app.id } })
  const response = await oauth.refreshTokenGrantRequest(
    as,
    own,
    oauth.ClientSecretBasic(secret?.value ?? ''),
    tokens.refresh_token ?? '',
    { ...options, DPoP: dpop },
  )
  const bound = await oauth.processRefreshTokenResponse(as, own, response)
  expect(bound.token_type).toBe('dpop')
  const url = new URL(`${as.grant_management_endpoint}/${grantIdOf(bound)}`)
  const asked = await oauth.protectedResourceRequest(bound.access_token, 'GET', url, undefined, undefined, {
    ...options,
    DPoP: dpop,
  })
  expect(asked.status).toBe(200)
  expect(await statusOf(manage(bound.access_token, grantIdOf(bound)))).toBe(401)
})
