/** Sessions and grants of users through the Management API: what ends with them and what does not. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { managementToken } from '../management/arrange.ts'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'

let server: TestServer
type App = Awaited<ReturnType<typeof createApp>>
let app: App
let thirdParty: App
let user: Awaited<ReturnType<typeof createUser>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  app = await createApp(server)
  thirdParty = await createApp(server, 'Traditional', { isThirdParty: true })
})
beforeEach(async () => {
  user = await createUser(server)
})
afterAll(() => server.close())

const OFFLINE = 'openid offline_access'
type Browser = ReturnType<typeof newBrowser>

/** Signs the user in to an application in a browser, without prompts if the browser has a session. */
const tokensAt = async (of: App, scope: string, browser: Browser) => {
  const begun = await begin(of.configuration, { scope, ...(scope.includes('offline') ? { prompt: 'consent' } : {}) })
  let page = await browser.open(begun.url)
  if (page.text.includes('name="identifier"')) page = await signIn(browser, begun, user.username)
  if (page.text.includes('id="allow"')) page = await browser.submit(page, { answer: 'allow' })
  return redeem(of.configuration, page, begun)
}
const isAlive = (token: string) =>
  client.fetchUserInfo(app.configuration, token, client.skipSubjectCheck).then(
    () => true,
    () => false,
  )
const refreshes = (of: App, token: string | undefined) =>
  client.refreshTokenGrant(of.configuration, token ?? '').then(
    () => true,
    () => false,
  )
const sessions = async (id = user.id) => (await server.api('GET', `/users/${id}/sessions`)).body.sessions
const grants = async (query = '') => (await server.api('GET', `/users/${user.id}/grants${query}`)).body.grants

describe('sessions', () => {
  test('are listed, newest first, with how they began and what was granted in them', async () => {
    const { claims } = await tokensAt(app, 'openid', newBrowser())
    server.clock.advance(60)
    const later = await tokensAt(app, OFFLINE, newBrowser())
    const [second, first] = await sessions()
    const now = Math.floor(server.clock.now().getTime() / 1000)
    expect(second).toEqual({
      payload: {
        exp: now + 14 * 86_400,
        iat: now,
        jti: later.claims()?.sid,
        uid: later.claims()?.sid,
        kind: 'Session',
        loginTs: now,
        accountId: user.id,
        authorizations: {
          [app.id]: { sid: later.claims()?.sid, grantId: expect.any(String), persistsLogout: true },
        },
      },
      lastSubmission: {
        interactionEvent: 'SignIn',
        userId: user.id,
        verificationRecords: [
          {
            id: expect.any(String),
            type: 'Password',
            identifier: { type: 'username', value: user.username },
            verified: true,
          },
        ],
        signInContext: expect.objectContaining({ ip: '127.0.0.1' }),
      },
      clientId: app.id,
      accountId: user.id,
      expiresAt: server.clock.now().getTime() + 14 * 86_400_000,
    })
    expect(first).toMatchObject({ payload: { uid: claims()?.sid, iat: now - 60, loginTs: now - 60 } })
    expect(first.payload.authorizations[app.id].persistsLogout).toBe(false)
    expect((await server.api('GET', `/users/${user.id}/sessions/${first.payload.uid}`)).body).toEqual(first)
  })

  test('end with their tokens; other sessions of the user live on', async () => {
    const [here, there] = [newBrowser(), newBrowser()]
    const ended = await tokensAt(app, 'openid', here)
    const other = await tokensAt(app, 'openid', there)
    const path = `/users/${user.id}/sessions/${ended.claims()?.sid}`
    expect((await server.api('DELETE', path)).status).toBe(204)
    expect([await isAlive(ended.access_token), await isAlive(other.access_token)]).toEqual([false, true])
    expect((await sessions()).map(({ payload }: { payload: { uid: string } }) => payload.uid)).toEqual([
      other.claims()?.sid,
    ])
    const silent = await begin(app.configuration, { prompt: 'none' })
    expect((await here.open(silent.url)).url.searchParams.get('error')).toBe('login_required')
    expect((await there.open(silent.url)).url.searchParams.get('code')).not.toBeNull()
    for (const method of ['GET', 'DELETE'] as const) expect((await server.api(method, path)).status).toBe(404)
  })

  test.each<[string, boolean, boolean]>([
    ['', true, true],
    ['?revokeGrantsTarget=firstParty', false, true],
    ['?revokeGrantsTarget=all', false, false],
  ])('ended with %j leave offline access of first parties: %s, of third parties: %s', async (query, first, third) => {
    const browser = newBrowser()
    const mine = await tokensAt(app, OFFLINE, browser)
    const theirs = await tokensAt(thirdParty, OFFLINE, browser)
    const elsewhere = await tokensAt(app, OFFLINE, newBrowser())
    await server.api('DELETE', `/users/${user.id}/sessions/${mine.claims()?.sid}${query}`)
    expect(await refreshes(app, mine.refresh_token)).toBe(first)
    expect(await refreshes(thirdParty, theirs.refresh_token)).toBe(third)
    expect(await refreshes(app, elsewhere.refresh_token)).toBe(true)
  })

  test('an unknown target is 400, and ends nothing', async () => {
    const { claims } = await tokensAt(app, 'openid', newBrowser())
    const path = `/users/${user.id}/sessions/${claims()?.sid}`
    expect((await server.api('DELETE', `${path}?revokeGrantsTarget=some`)).status).toBe(400)
    expect(await sessions()).toHaveLength(1)
  })

  test('of another user are 404, and live on', async () => {
    const { claims, access_token } = await tokensAt(app, 'openid', newBrowser())
    const stranger = await createUser(server)
    expect(await sessions(stranger.id)).toEqual([])
    for (const method of ['GET', 'DELETE'] as const) {
      const answer = await server.api(method, `/users/${stranger.id}/sessions/${claims()?.sid}`)
      expect([answer.status, answer.body.code]).toEqual([404, 'oidc.invalid_session_account_id'])
      const unknown = await server.api(method, `/users/${user.id}/sessions/${'x'.repeat(21)}`)
      expect([unknown.status, unknown.body.code]).toEqual([404, 'oidc.session_not_found'])
    }
    expect(await isAlive(access_token)).toBe(true)
  })
})

describe('grants', () => {
  test('are listed, those of first-party and of third-party applications', async () => {
    const browser = newBrowser()
    await tokensAt(app, OFFLINE, browser)
    server.clock.advance(1)
    await tokensAt(thirdParty, OFFLINE, browser)
    const [newer, older] = await grants()
    expect(newer).toEqual({
      id: expect.any(String),
      payload: {
        exp: newer.payload.iat + 180 * 86_400,
        iat: Math.floor(server.clock.now().getTime() / 1000),
        jti: newer.id,
        kind: 'Grant',
        clientId: thirdParty.id,
        accountId: user.id,
      },
      expiresAt: server.clock.now().getTime() + 180 * 86_400_000,
      application: { id: thirdParty.id, name: 'Notes' },
    })
    expect(await grants('?appType=thirdParty')).toEqual([newer])
    expect(await grants('?appType=firstParty')).toEqual([older])
    expect((await server.api('GET', `/users/${user.id}/grants?appType=x`)).status).toBe(400)
  })

  test('are revoked together with their tokens; the session and other grants live on', async () => {
    const browser = newBrowser()
    const mine = await tokensAt(app, OFFLINE, browser)
    const theirs = await tokensAt(thirdParty, OFFLINE, browser)
    const [grant] = await grants('?appType=firstParty')
    const stranger = await createUser(server)
    expect((await server.api('DELETE', `/users/${stranger.id}/grants/${grant.id}`)).status).toBe(404)
    expect(await isAlive(mine.access_token)).toBe(true)
    expect((await server.api('DELETE', `/users/${user.id}/grants/${grant.id}`)).status).toBe(204)
    expect([await isAlive(mine.access_token), await isAlive(theirs.access_token)]).toEqual([false, true])
    expect(await refreshes(app, mine.refresh_token)).toBe(false)
    expect(await refreshes(thirdParty, theirs.refresh_token)).toBe(true)
    expect(await sessions()).toHaveLength(1)
    expect((await server.api('DELETE', `/users/${user.id}/grants/${grant.id}`)).status).toBe(404)
  })

  test('of 10 concurrent revocations one finds the grant', async () => {
    await tokensAt(app, 'openid', newBrowser())
    const [grant] = await grants()
    const revoke = () => server.api('DELETE', `/users/${user.id}/grants/${grant.id}`)
    const answers = await Promise.all(Array.from({ length: 10 }, revoke))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)])
  })
})

// this comes last: the token of the harness expires with the sessions
test('expired sessions and grants are not listed', async () => {
  const { claims } = await tokensAt(app, 'openid', newBrowser())
  // outlives its session
  await tokensAt(app, OFFLINE, newBrowser())
  for (const [days, left] of [
    [14, 1],
    [166, 0],
  ] as const) {
    server.clock.advance(days * 86_400)
    const token = await managementToken(server, 'all')
    const read = async (what: string) =>
      (await server.api('GET', `/users/${user.id}/${what}`, undefined, { token })).body[what]
    expect([await read('sessions'), (await read('grants')).length]).toEqual([[], left])
    const path = `/users/${user.id}/sessions/${claims()?.sid}`
    const ended = await server.api('DELETE', path, undefined, { token })
    expect([ended.status, ended.body.code]).toEqual([404, 'oidc.session_not_found'])
  }
})
