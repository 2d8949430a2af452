/** Links that sign in (DECISIONS O5): their tokens in the Experience API, and the page with the button. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connectMailServer, type MailServer } from '../management/mail.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'
import { eventsSince, type OwnPage, openPage, type Reply } from './arrange.ts'

const NEW = 'a wholly different phrase'

let server: TestServer
let node: Awaited<ReturnType<TestServer['startNode']>>
let mail: MailServer
let configuration: client.Configuration
let organization: { id: string }
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '0' })
  node = await server.startNode()
  mail = await connectMailServer(server)
  configuration = (await createApp(server)).configuration
  organization = (await server.api('POST', '/organizations', { name: 'Acme' })).body
})
afterAll(async () => {
  await node.close()
  await server.close()
  await mail.close()
})

let people = 0
const address = () => {
  people += 1
  return `link${people}@example.com`
}
const person = async () => {
  const [user, email] = [await createUser(server), address()]
  await server.api('PATCH', `/users/${user.id}`, { primaryEmail: email })
  return { ...user, email }
}
const tokenFor = async (email: string, context: object = {}) =>
  (await server.api('POST', '/one-time-tokens', { email, context })).body as { id: string; token: string }
const statusOf = async (id: string) => (await server.api('GET', `/one-time-tokens/${id}`)).body.status
const members = async () =>
  (await server.api('GET', `/organizations/${organization.id}/users`)).body.map(({ id }: { id: string }) => id)
const told = ({ status, body }: Reply) => [status, body?.code]
const use = (page: OwnPage, value: string, token: string) =>
  page.call('POST', '/verification/one-time-token/verify', { identifier: { type: 'email', value }, token })
const begun = async (event: Parameters<OwnPage['start']>[0] = 'SignIn') => {
  const page = await openPage(server, configuration)
  expect((await page.start(event)).status).toBe(204)
  return page
}

describe('in the Experience API', () => {
  test('a token signs the owner of the address in, who joins the organizations that it names', async () => {
    const { id, email } = await person()
    const context = { jitOrganizationIds: [organization.id] }
    const { token, id: tokenId } = await tokenFor(email, context)
    const { cursor } = await eventsSince(server)
    const page = await begun()
    const { status, body } = await use(page, email.toUpperCase(), token)
    expect([status, body]).toEqual([200, { verificationId: tokenId }])
    expect((await page.call('POST', '/identification', body)).status).toBe(204)
    const shown = (await page.call('GET', '/interaction')).body
    const record = { id: tokenId, type: 'OneTimeToken', verified: true, oneTimeTokenContext: context }
    expect(shown.verificationRecords).toMatchObject([{ ...record, identifier: { type: 'email' } }])
    expect(await members()).not.toContain(id)
    const { redirectTo } = (await page.call('POST', '/submit')).body
    const tokens = await redeem(configuration, await page.browser.open(redirectTo), page.begun)
    expect(tokens.claims()).toMatchObject({ sub: id, amr: ['otp'] })
    expect(await members()).toContain(id)
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['Organization.Membership.Updated', 'PostSignIn'])
    const [session] = (await server.api('GET', `/users/${id}/sessions`)).body.sessions
    expect(session.lastSubmission.verificationRecords).toMatchObject([record])
  })

  test('a token registers only users without an account, even if registration is off', async () => {
    await server.api('PATCH', '/sign-in-exp', { signInMode: 'SignIn' })
    const email = address()
    const { token } = await tokenFor(email, { jitOrganizationIds: [organization.id] })
    const page = await begun()
    const register = { interactionEvent: 'Register' }
    expect(told(await page.call('PUT', '/interaction-event', register))).toEqual([
      403,
      'user.sign_up_method_not_enabled',
    ])
    const { body } = await use(page, email, token)
    expect(told(await page.call('POST', '/identification', body))).toEqual([404, 'user.user_not_exist'])
    expect((await page.call('PUT', '/interaction-event', register)).status).toBe(204)
    await page.call('POST', '/profile', { type: 'username', value: 'invited' })
    await page.call('POST', '/profile', { type: 'password', value: PASSWORD })
    // without the address that the token proves, it would be a registration like any other
    expect(told(await page.call('POST', '/identification', {}))).toEqual([422, 'user.sign_up_method_not_enabled'])
    expect((await page.call('POST', '/identification', body)).status).toBe(201)
    expect((await page.call('POST', '/submit')).status).toBe(200)
    await server.api('PATCH', '/sign-in-exp', { signInMode: 'SignInAndRegister' })
    const [user] = (await server.api('GET', '/users?search.username=invited&mode.username=exact')).body
    expect(user).toMatchObject({ primaryEmail: email })
    expect(await members()).toContain(user.id)
    const { rows } = await server.store.database.pool.query('SELECT email_verified_at FROM users WHERE id = $1', [
      user.id,
    ])
    expect(rows[0].email_verified_at).toEqual(server.clock.now())
  })

  test('R-27 a token is for what it says, and for no forgotten password unless it says so', async () => {
    const { email, username } = await person()
    const [plain, register, reset] = [
      await tokenFor(email),
      await tokenFor(email, { interactionEvent: 'Register' }),
      await tokenFor(email, { interactionEvent: 'ForgotPassword' }),
    ]
    const mismatch = [400, 'one_time_token.interaction_event_mismatch']
    expect(told(await use(await begun(), email, register.token))).toEqual(mismatch)
    expect(told(await use(await begun(), email, reset.token))).toEqual(mismatch)
    const page = await begun('ForgotPassword')
    expect(told(await use(page, email, plain.token))).toEqual(mismatch)
    expect([await statusOf(plain.id), await statusOf(register.id), await statusOf(reset.id)]).toEqual(
      Array.from({ length: 3 }, () => 'active'),
    )
    const { body } = await use(page, email, reset.token)
    await page.call('POST', '/identification', body)
    expect((await page.call('PUT', '/profile/password', { password: NEW })).status).toBe(204)
    expect((await page.call('POST', '/submit')).body).toEqual({})
    expect((await (await openPage(server, configuration)).signIn(username, NEW)).status).toBe(200)
    // one that was verified to sign in does not register after a switch
    const other = await begun()
    const { body: signingIn } = await use(other, email, (await tokenFor(email, { interactionEvent: 'SignIn' })).token)
    await other.call('PUT', '/interaction-event', { interactionEvent: 'Register' })
    expect(told(await other.call('POST', '/identification', signingIn))).toEqual([400, 'session.verification_failed'])
  })

  test('a user who signs in by other means joins none of its organizations', async () => {
    const [owner, other] = [await person(), await person()]
    const { token } = await tokenFor(owner.email, { jitOrganizationIds: [organization.id] })
    const page = await begun()
    await use(page, owner.email, token)
    const { body } = await page.verify(other.username)
    await page.call('POST', '/identification', body)
    expect((await page.call('POST', '/submit')).status).toBe(200)
    expect(await members()).not.toContain(other.id)
  })

  test('R-28 wrong tokens lock the address, whether or not an account has it; the link stays valid', async () => {
    const known = await person()
    const { token, id } = await tokenFor(known.email)
    const { cursor } = await eventsSince(server)
    const answersAt = async (email: string) => {
      const page = await begun()
      const answers: unknown[] = []
      for (let guess = 0; guess < 11; guess += 1) answers.push(told(await use(page, email, 'cs_ot_guessed')))
      return answers
    }
    const answers = await answersAt(known.email)
    expect(answers).toEqual([
      ...Array.from({ length: 10 }, () => [404, 'one_time_token.token_not_found']),
      [400, 'session.verification_blocked_too_many_attempts'],
    ])
    expect(await answersAt(address())).toEqual(answers)
    const blocked = [400, 'session.verification_blocked_too_many_attempts']
    expect(told(await use(await begun(), known.email, token))).toEqual(blocked)
    expect(told(await (await begun()).verify(known.email, PASSWORD, 'username'))).toEqual([
      422,
      'session.invalid_credentials',
    ])
    expect(await statusOf(id)).toBe('active')
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event, userId }) => [event, userId])).toEqual([
      ['Identifier.Lockout', known.id],
      ['Identifier.Lockout', undefined],
    ])
  })

  test('R-28 the lock of an account also applies to links to its address, and does not consume them', async () => {
    const { username, email } = await person()
    const { token, id } = await tokenFor(email)
    const page = await begun()
    for (let guess = 0; guess < 10; guess += 1) await page.verify(username, 'wrong')
    expect(told(await use(page, email, token))).toEqual([400, 'session.verification_blocked_too_many_attempts'])
    expect(await statusOf(id)).toBe('active')
    server.clock.advance(15 * 60)
    const later = await tokenFor(email)
    expect((await use(await begun(), email, later.token)).status).toBe(200)
  })

  test('R-1 of 50 concurrent uses over two nodes and five browsers, one succeeds', async () => {
    const { email } = await person()
    const { token, id } = await tokenFor(email)
    const pages = await Promise.all(Array.from({ length: 5 }, () => begun()))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const page = pages[index % 5] as OwnPage
        return use(index % 2 ? page.through(node.url) : page, email, token)
      }),
    )
    const codes = answers.map(({ status, body }) => body.code ?? status)
    expect(codes.toSorted().slice(0, 2)).toEqual([200, 'one_time_token.token_consumed'])
    expect(new Set(codes).size).toBe(2)
    expect(await statusOf(id)).toBe('consumed')
  })

  test('what the authorization request brought need not be named', async () => {
    const { email } = await person()
    const { token } = await tokenFor(email)
    const own = await openPage(server, configuration, newBrowser(), { one_time_token: token, login_hint: email })
    await own.start('SignIn')
    expect((await own.call('POST', '/verification/one-time-token/verify', {})).status).toBe(200)
    const bare = await begun()
    expect(told(await bare.call('POST', '/verification/one-time-token/verify', {}))).toEqual([
      400,
      'user.invalid_email',
    ])
  })
})

describe('the page of a link', () => {
  const open = async (token: string, more: Record<string, string>, browser: Browser = newBrowser()) => {
    const begun = await begin(configuration, { one_time_token: token, ...more })
    return { browser, begun, page: await browser.open(begun.url) }
  }
  const problemOf = ({ text }: Page) => /id="problem">([^<]*)</.exec(text)?.[1]

  test('uses nothing until the button is pressed, and works in any browser', async () => {
    const { id, email } = await person()
    const { token, id: tokenId } = await tokenFor(email)
    // a program that scans mail
    await open(token, { login_hint: email })
    const { browser, begun, page } = await open(token, { login_hint: email })
    expect([page.status, page.url.pathname]).toEqual([200, expect.stringMatching(/^\/one-time-token\//)])
    expect(page.text).toContain(email)
    expect(page.url.href + page.text).not.toContain(token)
    expect(await statusOf(tokenId)).toBe('active')
    const back = await browser.submit(page, {})
    expect((await redeem(configuration, back, begun)).claims()).toMatchObject({ sub: id, amr: ['otp'] })
    // again in the same browser it leads on; elsewhere it is gone
    expect((await open(token, { login_hint: email }, browser)).page.url.searchParams.get('code')).toMatch(/^cs_ac_/)
    const gone = (await open(token, { login_hint: email })).page
    expect([gone.status, problemOf(gone)]).toEqual([400, expect.stringContaining('has already been used')])
    expect(gone.text).not.toContain('<form')
    const silent = (await open((await tokenFor(email)).token, { login_hint: email, prompt: 'none' }, browser)).page
    expect(silent.url.searchParams.get('code')).toMatch(/^cs_ac_/)
  })

  test('takes the place of the session of another user', async () => {
    const [first, second] = [await person(), await person()]
    const browser = newBrowser()
    await signIn(browser, await begin(configuration), first.username)
    const { token } = await tokenFor(second.email)
    const { begun, page } = await open(token, { login_hint: second.email }, browser)
    expect(page.url.pathname).toMatch(/^\/one-time-token\//)
    expect((await redeem(configuration, await browser.submit(page, {}), begun)).claims()?.sub).toBe(second.id)
  })

  test('asks for what registration requires, once the button was pressed', async () => {
    const email = address()
    const { token } = await tokenFor(email)
    const { browser, begun, page } = await open(token, { login_hint: email })
    const form = await browser.submit(page, {})
    expect([form.status, form.url.pathname]).toEqual([200, page.url.pathname])
    expect(form.text).toContain('Create an account')
    const weak = await browser.submit(form, { identifier: 'by_link', password: 'short' })
    expect([weak.status, problemOf(weak)]).toEqual([422, 'A password needs at least 8 characters.'])
    const back = await browser.submit(weak, { identifier: 'by_link', password: PASSWORD })
    const tokens = await redeem(configuration, back, begun)
    const claims = await client.fetchUserInfo(configuration, tokens.access_token, tokens.claims()?.sub ?? '')
    expect(claims).toMatchObject({ username: 'by_link' })
    const known = await open((await tokenFor(email, { interactionEvent: 'Register' })).token, { login_hint: email })
    const refused = await known.browser.submit(await known.browser.submit(known.page, {}), {
      identifier: 'by_link_too',
      password: PASSWORD,
    })
    expect([refused.status, problemOf(refused)]).toEqual([400, 'An account with this email address already exists.'])
  })

  test('says that no account has the address, where the link only signs in', async () => {
    const email = address()
    const { token } = await tokenFor(email, { interactionEvent: 'SignIn' })
    const { browser, page } = await open(token, { login_hint: email })
    const refused = await browser.submit(page, {})
    expect([refused.status, problemOf(refused)]).toEqual([400, 'No account has this email address.'])
  })

  test('leads to a new password, where the link is for that', async () => {
    const { email, username } = await person()
    const { token } = await tokenFor(email, { interactionEvent: 'ForgotPassword' })
    const { browser, page } = await open(token, { login_hint: email, first_screen: 'reset_password' })
    const form = await browser.submit(page, {})
    expect(form.url.pathname).toMatch(/^\/reset-password\//)
    expect(form.text).not.toContain('name="code"')
    expect((await browser.submit(form, { password: NEW })).text).toContain('Your password was changed')
    const back = await signIn(newBrowser(), await begin(configuration), username, NEW)
    expect(back.url.searchParams.get('code')).toMatch(/^cs_ac_/)
  })

  test('asks for the address that the request lacks; a different one is refused', async () => {
    const { id, email } = await person()
    const { token, id: tokenId } = await tokenFor(email)
    const { browser, begun, page } = await open(token, {})
    const wrong = await browser.submit(page, { identifier: address() })
    expect([wrong.status, problemOf(wrong)]).toEqual([422, 'This link was sent to another email address.'])
    expect(await statusOf(tokenId)).toBe('active')
    const back = await browser.submit(wrong, { identifier: email })
    expect((await redeem(configuration, back, begun)).claims()?.sub).toBe(id)
  })

  test('R-35 the token is stored in plain text neither with the interaction nor with a pushed request', async () => {
    const { email } = await person()
    const { token } = await tokenFor(email)
    const pushed = await client.buildAuthorizationUrlWithPAR(configuration, {
      ...Object.fromEntries((await begin(configuration)).url.searchParams),
      one_time_token: token,
      login_hint: email,
    })
    const kept = async () => {
      const { rows } = await server.store.database.pool.query(
        'SELECT parameters::text AS text FROM pushed_requests UNION ALL SELECT request::text || state::text FROM interactions',
      )
      return rows.map(({ text }) => text).join()
    }
    expect(await kept()).toContain('one_time_token')
    expect(await kept()).not.toContain(token)
    const page = await newBrowser().open(pushed)
    expect(page.text).toContain(email)
    expect(await kept()).toContain('sealedToken')
    expect(await kept()).not.toContain(token)
  })
})
