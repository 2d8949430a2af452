import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { queueEmpty } from '../events/receiver.ts'
import { connectMailServer, type MailServer } from '../management/mail.ts'
import { begin, createApp, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import { type Asking, answer, ask, createAsking, createReachable, linkIn, open, poll } from './arrange.ts'

let server: TestServer
let mail: MailServer
let app: Asking
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  mail = await connectMailServer(server)
  app = await createAsking(server)
})
afterEach(() => queueEmpty(server.store))
afterAll(async () => {
  await mail.close()
  await server.close()
})

const noted = async (): Promise<Record<string, unknown> | undefined> => {
  const { body } = await server.api('GET', `/logs?logKey=RequestBackchannelAuthentication&applicationId=${app.id}`)
  return body[0]?.payload
}

/** A request for a user who has not answered. */
const pending = async (parameters: Record<string, string> = {}, by = app) => {
  const user = await createReachable(server)
  const before = mail.mails.length
  const { body } = await ask(server, by, { scope: 'openid', login_hint: user.username, ...parameters })
  return { user, requestId: body.auth_req_id ?? '', link: await linkIn(mail, before + 1) }
}

/** Wrong passwords until the account is locked. */
const lockOut = async (username: string): Promise<void> => {
  const { configuration } = await createApp(server)
  const { url } = await begin(configuration)
  const browser = newBrowser()
  for (let guess = 0; guess < 10; guess += 1)
    await browser.submit(await browser.open(url), { identifier: username, password: `wrong ${guess}` })
}

describe('backchannel authentication with a real client', () => {
  test('a user gets a mail, signs in, sees who asks and why, allows it, and the application gets tokens', async () => {
    const user = await createReachable(server)
    const asked = await client.initiateBackchannelAuthentication(app.configuration, {
      scope: 'openid offline_access profile',
      login_hint: user.primaryEmail.toUpperCase(),
      binding_message: 'W4SCT <b>',
    })
    expect(asked).toMatchObject({
      auth_req_id: expect.stringMatching(/^cs_ba_[\w-]{43}$/),
      expires_in: 600,
      interval: 5,
    })
    const browser = newBrowser()
    const link = await linkIn(mail, 1)
    expect(mail.mails.at(-1)).toMatchObject({ recipients: [user.primaryEmail], subject: 'Confirm a sign-in' })
    // programs that scan mail open links: nothing begins without the button
    const entry = await browser.open(link)
    expect(entry.text).toContain('An application asks to sign you in')
    const confirm = await open(browser, link, user.username)
    for (const text of ['Sign in to Notes?', 'W4SCT &lt;b&gt;', user.username, 'See your name and picture'])
      expect(confirm.text).toContain(text)
    const done = await browser.submit(confirm, { answer: 'allow' })
    expect(done.url.pathname).toBe('/backchannel/done')

    const tokens = await client.pollBackchannelAuthenticationGrant(app.configuration, { ...asked, interval: 0.001 })
    const claims = decodeJwt(tokens.id_token ?? '')
    expect(claims).toMatchObject({ iss: server.issuer, aud: app.id, sub: user.id, amr: ['pwd'] })
    // that claim is of push alone (OpenID CIBA section 10.3.1)
    expect(claims).not.toHaveProperty('urn:openid:params:jwt:claim:auth_req_id')
    expect(await client.fetchUserInfo(app.configuration, tokens.access_token, user.id)).toMatchObject({ sub: user.id })
    expect((await client.refreshTokenGrant(app.configuration, tokens.refresh_token ?? '')).access_token).toMatch(
      /^cs_at_/,
    )
    expect((await poll(server, app, asked.auth_req_id)).body.error).toBe('invalid_grant')
    // the link is of no use any more
    const used = await browser.submit(await browser.open(link), {})
    expect([used.status, used.text]).toEqual([410, expect.stringContaining('already been answered')])
    const key = 'ExchangeTokenBy.BackchannelAuthentication'
    const { body: entries } = await server.api('GET', `/logs?logKey=${key}&applicationId=${app.id}`)
    const payload = expect.objectContaining({ applicationId: app.id, userId: user.id, result: 'Success' })
    expect(entries).toContainEqual(expect.objectContaining({ payload }))
  })

  test('an ID token of the application names its user, who is not asked for a password again', async () => {
    const { user, requestId, link } = await pending()
    const browser = newBrowser()
    await answer(browser, link, user.username, 'allow')
    const { body } = await poll(server, app, requestId)
    const before = mail.mails.length
    const again = await ask(server, app, { scope: 'openid', id_token_hint: body.id_token ?? '' })
    const confirm = await browser.submit(await browser.open(await linkIn(mail, before + 1)), {})
    expect(confirm.text).toContain('id="allow"')
    await browser.submit(confirm, { answer: 'allow' })
    expect((await poll(server, app, again.body.auth_req_id ?? '')).status).toBe(200)
  })
})

describe('polling', () => {
  test('is pending, told to slow down, refused to others, and ends with a denial', async () => {
    const { user, requestId, link } = await pending()
    const other = await createAsking(server)
    const errorOf = async (by = app) => (await poll(server, by, requestId)).body.error
    expect(await errorOf()).toBe('authorization_pending')
    expect(await errorOf()).toBe('slow_down')
    server.clock.advance(9)
    expect(await errorOf()).toBe('slow_down')
    server.clock.advance(15)
    expect(await errorOf()).toBe('authorization_pending')
    expect(await errorOf(other)).toBe('invalid_grant')
    const denied = await answer(newBrowser(), link, user.username, 'deny')
    expect(denied.url.pathname).toBe('/backchannel/denied')
    expect(await errorOf()).toBe('access_denied')
    for (const value of ['', 'x', requestId.replace('cs_ba_', 'cs_bl_'), `${requestId}x`])
      expect(['invalid_request', 'invalid_grant']).toContain((await poll(server, app, value)).body.error)
  })

  test('of any number of simultaneous redemptions one gets tokens, on any node', async () => {
    const node = await server.startNode()
    try {
      const { user, requestId, link } = await pending()
      await answer(newBrowser(), link, user.username, 'allow')
      const bases = Array.from({ length: 8 }, (_, i) => (i % 2 ? node.url : server.baseUrl))
      const polls = await Promise.all(bases.map((base) => poll(server, app, requestId, base)))
      expect(polls.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(new Set(polls.flatMap(({ body }) => body.error ?? []))).toEqual(new Set(['invalid_grant']))
    } finally {
      await node.close()
    }
  })

  test('a request ends when it asked to, and its link with it', async () => {
    const { requestId, link } = await pending({ requested_expiry: '30' })
    server.clock.advance(31)
    expect((await poll(server, app, requestId)).body.error).toBe('expired_token')
    const browser = newBrowser()
    const gone = await browser.submit(await browser.open(link), {})
    expect([gone.status, gone.text]).toEqual([410, expect.stringContaining('has expired')])
  })

  test('R-28 a user who was suspended or locked out after the answer gets no tokens to the application', async () => {
    const suspended = await pending()
    await answer(newBrowser(), suspended.link, suspended.user.username, 'allow')
    await server.api('PATCH', `/users/${suspended.user.id}/is-suspended`, { isSuspended: true })
    expect((await poll(server, app, suspended.requestId)).body.error).toBe('invalid_grant')
    const locked = await pending()
    await answer(newBrowser(), locked.link, locked.user.username, 'allow')
    await lockOut(locked.user.username)
    expect((await poll(server, app, locked.requestId)).body.error).toBe('invalid_grant')
  })
})

describe('the user who is asked', () => {
  test('is the only one who can answer: another one who signs in changes nothing', async () => {
    const { user, requestId, link } = await pending()
    const other = await createReachable(server)
    const foreign = await open(newBrowser(), link, other.username)
    expect(foreign.text).not.toContain('id="allow"')
    expect((await poll(server, app, requestId)).body.error).toBe('authorization_pending')
    expect((await answer(newBrowser(), link, user.username, 'allow')).url.pathname).toBe('/backchannel/done')
  })

  test('cannot answer twice in two windows', async () => {
    const { user, link } = await pending()
    const [one, two] = [newBrowser(), newBrowser()]
    const pages = [await open(one, link, user.username), await open(two, link, user.username)] as const
    await one.submit(pages[0], { answer: 'deny' })
    const late = await two.submit(pages[1], { answer: 'allow' })
    expect([late.url.pathname, late.status]).toEqual(['/backchannel/gone', 410])
  })

  test('is not asked when unknown, suspended, without an address, or locked out: the application cannot tell', async () => {
    const usual = await pending()
    const suspended = await createReachable(server)
    await server.api('PATCH', `/users/${suspended.id}/is-suspended`, { isSuspended: true })
    const { username: mute } = (await server.api('POST', '/users', { username: 'mute', password: PASSWORD })).body
    const locked = await createReachable(server)
    await lockOut(locked.username)
    const before = mail.mails.length
    for (const [hint, why] of [
      ['nobody', 'the hint names no user'],
      ['no.one@example.com', 'the hint names no user'],
      [suspended.username, 'the user is suspended'],
      [mute, 'the user has no address'],
      [locked.primaryEmail, 'the user is locked out'],
    ] as const) {
      server.clock.advance(1)
      const { status, body } = await ask(server, app, { scope: 'openid', login_hint: hint })
      expect([status, Object.keys(body), body.expires_in]).toEqual([
        200,
        ['auth_req_id', 'expires_in', 'interval'],
        600,
      ])
      expect(body.auth_req_id).toHaveLength(usual.requestId.length)
      expect((await poll(server, app, body.auth_req_id ?? '')).body.error).toBe('authorization_pending')
      expect(await noted()).toMatchObject({ notAsked: why })
    }
    await queueEmpty(server.store)
    expect(mail.mails).toHaveLength(before)
  })

  test('is asked by one application five times at most while nothing is answered, however many ask at once', async () => {
    const user = await createReachable(server)
    const other = await createAsking(server)
    const before = mail.mails.length
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => ask(server, app, { scope: 'openid', login_hint: user.username })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await queueEmpty(server.store)
    expect(mail.mails).toHaveLength(before + 5)
    await ask(server, other, { scope: 'openid', login_hint: user.username })
    await queueEmpty(server.store)
    expect(mail.mails).toHaveLength(before + 6)
  })
})

describe('a request', () => {
  test.each([
    [{ scope: 'openid' }, 'invalid_request', 'exactly one'],
    [{ scope: 'openid', login_hint: 'a', id_token_hint: 'b' }, 'invalid_request', 'exactly one'],
    [{ scope: 'openid', login_hint_token: 'a' }, 'invalid_request', 'login_hint_token is not supported'],
    [{ scope: 'openid', id_token_hint: 'x.y.z' }, 'invalid_request', 'id_token_hint'],
    [{ scope: 'openid', login_hint: 'a'.repeat(257) }, 'invalid_request', 'login_hint'],
    [{ scope: 'profile', login_hint: 'a' }, 'invalid_scope', 'openid'],
    [{ login_hint: 'a' }, 'invalid_scope', 'openid'],
    [{ scope: 'openid', login_hint: 'a', request: 'x' }, 'invalid_request', 'signed'],
    [{ scope: 'openid', login_hint: 'a', request_uri: 'x' }, 'invalid_request', 'request_uri'],
    [{ scope: 'openid', login_hint: 'a', requested_expiry: '0' }, 'invalid_request', 'requested_expiry'],
    [{ scope: 'openid', login_hint: 'a', requested_expiry: '1e9' }, 'invalid_request', 'requested_expiry'],
    [{ scope: 'openid', login_hint: 'a', resource: 'https://no.example' }, 'invalid_target', 'resource'],
    [{ scope: 'openid', login_hint: 'a', binding_message: 'a\nb' }, 'invalid_binding_message', 'one line'],
    [{ scope: 'openid', login_hint: 'a', binding_message: 'a\u202eb' }, 'invalid_binding_message', 'plain'],
    [{ scope: 'openid', login_hint: 'a', binding_message: 'a'.repeat(101) }, 'invalid_binding_message', '100'],
  ] as [Record<string, string>, string, string][])('%j is %s', async (parameters, error, names) => {
    const { status, body } = await ask(server, app, parameters)
    expect([status, body.error, body.error_description]).toEqual([400, error, expect.stringContaining(names)])
  })

  test('may say nothing twice', async () => {
    const twice = [...['openid', 'profile'].map((scope) => ['scope', scope]), ['login_hint', 'a']]
    expect((await ask(server, app, twice)).body).toMatchObject({ error: 'invalid_request' })
  })

  test('is of applications that may ask, whatever discovery says of the others', async () => {
    const metadata = app.configuration.serverMetadata()
    expect(metadata).toMatchObject({
      backchannel_authentication_endpoint: `${server.issuer}/bc-authorize`,
      backchannel_token_delivery_modes_supported: ['poll', 'ping'],
      backchannel_user_code_parameter_supported: false,
    })
    const asking = await createAsking(server)
    await server.client.updateApplication({ params: { id: asking.id }, body: { customClientMetadata: {} } })
    const refused = await ask(server, asking, { scope: 'openid', login_hint: 'a' })
    expect([refused.status, refused.body.error]).toEqual([400, 'unauthorized_client'])
    expect((await poll(server, asking, 'x')).body.error).toBe('unauthorized_client')
    const native = { name: 'N', type: 'Native', customClientMetadata: { backchannelTokenDeliveryMode: 'poll' } }
    expect((await server.api('POST', '/applications', native)).body.code).toBe('guard.invalid_input')
  })

  test('of any content is answered, and never with 500', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom('login_hint', 'id_token_hint', 'binding_message', 'requested_expiry', 'acr_values', 'scope'),
          fc.string({ unit: 'binary', maxLength: 300 }),
        ),
        async (parameters) => {
          const { status } = await ask(server, app, { scope: 'openid', ...parameters })
          expect([200, 400, 429]).toContain(status)
        },
      ),
      { numRuns: 20 },
    )
  })
})

test('a tenant that sends neither mail nor text messages asks nobody, and says so', async () => {
  const { body: connectors } = await server.api('GET', '/connectors')
  for (const { id } of connectors) await server.api('DELETE', `/connectors/${id}`)
  const { status, body } = await ask(server, app, { scope: 'openid', login_hint: 'a' })
  expect([status, body.error]).toEqual([503, 'temporarily_unavailable'])
})
