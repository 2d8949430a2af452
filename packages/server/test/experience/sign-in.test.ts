/** Signing in through the Experience API, and what cannot be made of it. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { send } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem } from '../sign-in/arrange.ts'
import { eventsSince, OwnPage, openPage } from './arrange.ts'

let server: TestServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '0' })
  configuration = (await createApp(server)).configuration
})
afterAll(() => server.close())

const code = ({ body }: { body: { code: string } }) => body.code

describe('a sign-in, step by step', () => {
  test('ends in tokens, with one session and one PostSignIn', async () => {
    const user = await createUser(server)
    const { cursor } = await eventsSince(server)
    const page = await openPage(server, configuration)
    const { status, body } = await page.signIn(user.username)
    expect([status, body]).toEqual([200, { redirectTo: `${server.issuer}/auth/${page.interactionId}` }])
    const tokens = await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)
    expect(tokens.claims()).toMatchObject({ sub: user.id, amr: ['pwd'] })
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['PostSignIn'])
    expect(events[0]).toMatchObject({ userId: user.id, interactionEvent: 'SignIn', sessionId: page.interactionId })
  })

  test('records the application that signed the user in first', async () => {
    const { id } = await createUser(server, 'first_here')
    const shown = async () => (await server.api('GET', `/users/${id}`)).body
    expect(await shown()).toMatchObject({ applicationId: null, lastSignInAt: null })
    const { cursor } = await eventsSince(server)
    const first = await createApp(server)
    await (await openPage(server, first.configuration)).signIn('first_here')
    const { lastSignInAt } = await shown()
    server.clock.advance(60)
    await (await openPage(server, configuration)).signIn('first_here')
    const times = [lastSignInAt, lastSignInAt + 60_000]
    expect(await shown()).toMatchObject({ applicationId: first.id, lastSignInAt: times[1] })
    const { events } = await eventsSince(server, cursor)
    const users = events.flatMap(({ event, user }) => (event === 'PostSignIn' ? [user] : []))
    expect(users).toMatchObject(
      times.map((time) => ({ applicationId: first.id, lastSignInAt: new Date(time).toISOString() })),
    )
  })

  test('shows its state, never a password or a hash', async () => {
    const user = await createUser(server)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    expect((await page.call('GET', '/interaction')).body).toEqual({
      interactionEvent: 'SignIn',
      profile: {},
      verificationRecords: [],
      mfa: {},
      captcha: { verified: false, skipped: false },
    })
    const { body } = await page.verify(user.username.toUpperCase())
    await page.call('POST', '/identification', body)
    await page.call('POST', '/profile', { type: 'extraProfile', values: { givenName: 'Ann' } })
    const shown = (await page.call('GET', '/interaction')).body
    expect(shown).toMatchObject({ userId: user.id, profile: { profile: { givenName: 'Ann' } } })
    expect(shown.verificationRecords).toEqual([
      {
        id: body.verificationId,
        type: 'Password',
        identifier: { type: 'username', value: user.username.toUpperCase() },
        verified: true,
      },
    ])
    expect(JSON.stringify(shown)).not.toMatch(/argon2|isAdmin|evidence/)
    const { rows } = await server.store.database.pool.query('SELECT state::text FROM interactions')
    expect(rows.map(({ state }) => state).join()).not.toContain(PASSWORD)
  })

  test('changes the user only if something was entered, with one event', async () => {
    const user = await createUser(server)
    const { cursor } = await eventsSince(server)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    const { body } = await page.verify(user.username)
    await page.call('POST', '/identification', body)
    await page.call('POST', '/profile', { type: 'extraProfile', values: { name: 'Ann', familyName: 'Lee' } })
    await page.call('POST', '/profile', { type: 'extraProfile', values: { givenName: 'Ann' } })
    expect((await eventsSince(server, cursor)).events).toEqual([])
    expect((await page.call('POST', '/submit')).status).toBe(200)
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['User.Data.Updated', 'PostSignIn'])
    const [session] = (await server.api('GET', `/users/${user.id}/sessions`)).body.sessions
    const identifier = { type: 'username', value: user.username }
    expect(session.lastSubmission.verificationRecords).toEqual([
      { id: body.verificationId, type: 'Password', identifier, verified: true },
    ])
    expect((await server.api('GET', `/users/${user.id}`)).body).toMatchObject({
      name: 'Ann',
      profile: { familyName: 'Lee', givenName: 'Ann' },
      customData: {},
    })
  })

  test('refuses a second username and a second password', async () => {
    const user = await createUser(server)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    await page.call('POST', '/identification', (await page.verify(user.username)).body)
    const username = await page.call('POST', '/profile', { type: 'username', value: 'another' })
    expect([username.status, code(username)]).toEqual([422, 'user.username_exists_in_profile'])
    const password = await page.call('POST', '/profile', { type: 'password', value: 'another good phrase' })
    expect([password.status, code(password)]).toEqual([422, 'user.password_exists_in_profile'])
  })

  test('an imported password is hashed again and remains valid', async () => {
    const username = 'imported_one'
    const { body: user } = await server.api('POST', '/users', {
      username,
      passwordDigest: '5f4dcc3b5aa765d61d8327deb882cf99',
      passwordAlgorithm: 'MD5',
    })
    const page = await openPage(server, configuration)
    expect((await page.signIn(username, 'password')).status).toBe(200)
    const { rows } = await server.store.database.pool.query('SELECT password_hash FROM users WHERE id = $1', [user.id])
    expect(rows[0].password_hash).toMatch(/^\$argon2id/)
    expect((await (await openPage(server, configuration)).signIn(username, 'password')).status).toBe(200)
  })
})

describe('R-27 a verification is bound', () => {
  test('to its interaction: another interaction of the same browser does not find it', async () => {
    const user = await createUser(server)
    const browser = newBrowser()
    const [first, second] = [
      await openPage(server, configuration, browser),
      await openPage(server, configuration, browser),
    ]
    const inTab = (page: OwnPage) => ({ 'interaction-id': page.interactionId })
    await first.call('PUT', '', { interactionEvent: 'SignIn' }, inTab(first))
    await second.call('PUT', '', { interactionEvent: 'SignIn' }, inTab(second))
    const identifier = { type: 'username', value: user.username }
    const { body } = await first.call(
      'POST',
      '/verification/password',
      { identifier, password: PASSWORD },
      inTab(first),
    )
    const refused = await second.call('POST', '/identification', body, inTab(second))
    expect([refused.status, code(refused)]).toEqual([404, 'session.verification_session_not_found'])
    expect((await first.call('POST', '/identification', body, inTab(first))).status).toBe(204)
  })

  test('to its user: the identified user cannot be replaced', async () => {
    const [ann, bob] = [await createUser(server), await createUser(server)]
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    await page.call('POST', '/identification', (await page.verify(ann.username)).body)
    const conflict = await page.call('POST', '/identification', (await page.verify(bob.username)).body)
    expect([conflict.status, code(conflict)]).toEqual([409, 'session.identity_conflict'])
    const { body } = await page.call('POST', '/submit')
    const tokens = await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)
    expect(tokens.claims()?.sub).toBe(ann.id)
  })

  test('to the password: a later change makes it invalid', async () => {
    const user = await createUser(server)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    const { body } = await page.verify(user.username)
    await server.api('PATCH', `/users/${user.id}/password`, { password: 'a new one entirely' })
    const late = await page.call('POST', '/identification', body)
    expect([late.status, code(late)]).toEqual([422, 'session.invalid_credentials'])

    const other = await openPage(server, configuration)
    await other.start('SignIn')
    await other.call('POST', '/identification', (await other.verify(user.username, 'a new one entirely')).body)
    await server.api('PATCH', `/users/${user.id}/password`, { password: 'and yet another' })
    const later = await other.call('POST', '/submit')
    expect([later.status, code(later)]).toEqual([422, 'session.invalid_credentials'])
    expect(other.browser.cookie('countersign-session')).toBeUndefined()
  })

  test('to an active user, not suspended before or after, nor deleted', async () => {
    const user = await createUser(server)
    const suspend = (isSuspended: boolean) => server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended })
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    await suspend(true)
    const { body } = await page.verify(user.username)
    const before = await page.call('POST', '/identification', body)
    expect([before.status, code(before)]).toEqual([401, 'user.suspended'])
    expect(before.headers.get('www-authenticate')).toBeNull()
    await suspend(false)
    expect((await page.call('POST', '/identification', body)).status).toBe(204)
    await suspend(true)
    const after = await page.call('POST', '/submit')
    expect([after.status, code(after)]).toEqual([401, 'user.suspended'])
    await server.api('DELETE', `/users/${user.id}`)
    expect((await page.call('POST', '/submit')).status).toBe(422)
  })
})

describe('R-1 a submission counts once', () => {
  test('a second one finds nothing', async () => {
    const page = await openPage(server, configuration)
    await page.signIn((await createUser(server)).username)
    const again = await page.call('POST', '/submit')
    expect([again.status, code(again)]).toEqual([404, 'session.interaction_not_found'])
  })

  test('twenty concurrent ones on two nodes create one session and one event', async () => {
    const user = await createUser(server)
    const node = await server.startNode()
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    await page.call('POST', '/identification', (await page.verify(user.username)).body)
    const { cursor } = await eventsSince(server)
    const cookie = ['browser', 'interaction']
      .map((name) => `countersign-${name}=${page.browser.cookie(`countersign-${name}`)}`)
      .join('; ')
    const host = new URL(server.baseUrl).host
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send(`${index % 2 ? node.url : server.baseUrl}/api/experience/submit`, {
          method: 'POST',
          headers: { cookie, host },
        }),
      ),
    )
    await node.close()
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'session.interaction_not_found')).toHaveLength(19)
    const { rows } = await server.store.database.pool.query('SELECT id FROM sessions WHERE user_id = $1', [user.id])
    expect(rows).toHaveLength(1)
    expect((await eventsSince(server, cursor)).events.map(({ event }) => event)).toEqual(['PostSignIn'])
  })
})

describe('R-21 R-26 cookies', () => {
  test("the session is new: the browser's earlier value is worthless", async () => {
    const browser = newBrowser()
    const user = await createUser(server)
    await (await openPage(server, configuration, browser)).signIn(user.username)
    const before = browser.cookie('countersign-session')
    server.clock.advance(1)
    const begun = await begin(configuration, { prompt: 'login' })
    const page = new OwnPage(server, browser, begun, await browser.open(begun.url))
    const { headers } = await page.signIn(user.username)
    const line = headers.getSetCookie().find((each) => each.startsWith('countersign-session='))
    expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/)
    expect(browser.cookie('countersign-session')).not.toBe(before)
    const { rows } = await server.store.database.pool.query('SELECT id FROM sessions WHERE user_id = $1', [user.id])
    expect(rows).toHaveLength(1)
  })

  test('an interaction of another browser is not found by header, query or cookie', async () => {
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    const stranger = await openPage(server, configuration)
    const byHeader = await stranger.call('GET', '/interaction', undefined, { 'interaction-id': page.interactionId })
    expect([byHeader.status, code(byHeader)]).toEqual([400, 'session.not_found'])
    const byQuery = await stranger.call('GET', `/interaction?interaction-id=${page.interactionId}`)
    expect([byQuery.status, code(byQuery)]).toEqual([400, 'session.not_found'])
    stranger.browser.forget()
    const without = await stranger.call('PUT', '', { interactionEvent: 'SignIn' })
    expect([without.status, code(without)]).toEqual([400, 'session.not_found'])
  })

  test('two tabs are independent; without a name the latest is meant', async () => {
    const browser = newBrowser()
    const user = await createUser(server)
    const first = await openPage(server, configuration, browser)
    const second = await openPage(server, configuration, browser)
    const query = `?interaction-id=${first.interactionId}`
    await first.call('PUT', query, { interactionEvent: 'Register' })
    await second.start('SignIn')
    expect((await first.call('GET', `/interaction${query}`)).body.interactionEvent).toBe('Register')
    expect((await second.call('GET', '/interaction')).body.interactionEvent).toBe('SignIn')
    const { body } = await second.signIn(user.username)
    expect(body.redirectTo).toContain(second.interactionId)
    expect((await first.call('GET', `/interaction${query}`)).body.interactionEvent).toBe('Register')
    const both = await second.call('GET', `/interaction${query}`, undefined, { 'interaction-id': second.interactionId })
    expect([both.status, code(both)]).toEqual([400, 'guard.invalid_input'])
  })

  test('a hosted page and a custom page share the interaction', async () => {
    const user = await createUser(server)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    await page.call('POST', '/identification', (await page.verify(user.username)).body)
    const hosted = await page.browser.open(`${server.baseUrl}/sign-in/${page.interactionId}`)
    const back = await page.browser.submit(hosted, { identifier: user.username, password: PASSWORD })
    expect(back.url.searchParams.has('code')).toBe(true)
    expect(code(await page.call('POST', '/submit'))).toBe('session.not_found')
  })

  test('an expired or finished interaction is not found', async () => {
    const user = await createUser(server)
    const page = await openPage(server, configuration)
    const { body } = await page.signIn(user.username)
    await page.browser.open(body.redirectTo)
    expect(code(await page.start('SignIn'))).toBe('session.not_found')
    const slow = await openPage(server, configuration)
    await slow.start('SignIn')
    server.clock.advance(3601)
    expect(code(await slow.call('GET', '/interaction'))).toBe('session.not_found')
  })
})
