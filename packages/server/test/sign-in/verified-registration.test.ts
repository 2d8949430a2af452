/** Registration with an address that has to be proved (DECISIONS L1, L3, R-27): on the pages, and through the Experience API. */
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { readAll } from '../events/feed.ts'
import { type OwnPage, openPage } from '../experience/arrange.ts'
import { configOf, type MailServer, startMailServer } from '../management/mail.ts'
import { type Begun, begin, createApp, newBrowser, PASSWORD, redeem, signIn } from './arrange.ts'
import type { Browser, Page } from './browser.ts'

let server: TestServer
let mail: MailServer
let configuration: client.Configuration
let connectorId: string
const BY_EMAIL = {
  signIn: { methods: [{ identifier: 'email', password: true, verificationCode: false, isPasswordPrimary: true }] },
  signUp: { identifiers: ['email'], password: true, verify: true },
}
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '1000' })
  mail = await startMailServer()
  const { body } = await server.api('POST', '/connectors', { connectorId: SMTP, config: configOf(mail) })
  connectorId = body.id
  configuration = (await createApp(server)).configuration
  expect((await server.api('PATCH', '/sign-in-exp', BY_EMAIL)).status).toBe(200)
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

let people = 0
let email = ''
beforeEach(() => {
  people += 1
  email = `newcomer${people}@example.com`
})

/** The code in the newest of so many mails to an address. */
const mailedCode = async (count = 1, to = email): Promise<string> => {
  const received = () => mail.mails.filter(({ recipients }) => recipients.includes(to))
  await vi.waitFor(() => expect(received()).toHaveLength(count), { timeout: 60_000, interval: 10 })
  return /\b\d{6}\b/.exec(received().at(-1)?.text ?? '')?.[0] ?? ''
}
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const problemOf = ({ text }: Page) => /id="problem">([^<]*)</.exec(text)?.[1]
const verifiedAt = async (address: string) => {
  const text = 'SELECT email_verified_at FROM users WHERE primary_email = $1'
  const { rows } = await server.store.database.pool.query(text, [address])
  return rows.map(({ email_verified_at }) => email_verified_at)
}
const eventsSince = async (cursor: string) => (await readAll(server.api, cursor)).events

/** Fills in the registration form; returns the page with the code. */
const register = async (browser: Browser, begun: Begun, address = email): Promise<Page> => {
  const page = await browser.open(begun.url)
  const [, link = ''] = /id="register" href="([^"]+)"/.exec(page.text) ?? []
  const form = await browser.open(new URL(link, server.baseUrl))
  return browser.submit(form, { identifier: address, password: PASSWORD })
}
const arrive = async (address = email) => {
  const [browser, begun] = [newBrowser(), await begin(configuration, { scope: 'openid email' })]
  return { browser, begun, page: await register(browser, begun, address) }
}

describe('on the pages', () => {
  test('the emailed code creates the account, with a verified address', async () => {
    const { cursor } = await readAll(server.api, '')
    const { browser, begun, page } = await arrive()
    expect(page.url.pathname).toMatch(/^\/verify-email\//)
    expect(page.text).toContain(email)
    expect(await verifiedAt(email)).toEqual([])
    const code = await mailedCode()
    expect(mail.mails.at(-1)).toMatchObject({ recipients: [email], subject: 'Your registration code' })
    // as people copy it
    const back = await browser.submit(page, { code: ` ${code.slice(0, 3)}-${code.slice(3)} ` })
    const tokens = await redeem(configuration, back, begun)
    expect(tokens.claims()).toMatchObject({ email, email_verified: true, amr: ['pwd'] })
    expect(await verifiedAt(email)).toEqual([server.clock.now()])
    const events = await eventsSince(cursor)
    expect(events.map(({ event }) => event)).toEqual(['User.Created', 'PostRegister'])
    expect(events[1]).toMatchObject({ interactionEvent: 'Register', user: { primaryEmail: email } })
    const again = await begin(configuration)
    expect((await signIn(newBrowser(), again, email)).url.searchParams.get('code')).toMatch(/^cs_ac_/)
  })

  test('a wrong code creates nothing, and the right one still works', async () => {
    const { browser, page } = await arrive()
    const code = await mailedCode()
    const refused = await browser.submit(page, { code: wrong(code) })
    expect([refused.status, problemOf(refused)]).toEqual([422, 'That code is incorrect.'])
    const empty = await browser.submit(refused, { code: ' ' })
    expect([empty.status, problemOf(empty)]).toEqual([422, 'Fill in every field.'])
    expect(await verifiedAt(email)).toEqual([])
    expect((await browser.submit(refused, { code })).url.searchParams.has('code')).toBe(true)
  })

  test('another code can be sent, and voids the one before', async () => {
    const { browser, page } = await arrive()
    const first = await mailedCode()
    const early = await browser.submit(page, { again: 'again' })
    expect([early.status, problemOf(early)]).toEqual([429, 'You can request another code in 60 seconds.'])
    server.clock.advance(60)
    const sent = await browser.submit(page, { again: 'again' })
    expect(sent.status).toBe(200)
    expect(sent.text).toContain('Another code is on its way.')
    const second = await mailedCode(2)
    const refused = await browser.submit(sent, { code: first })
    expect(first === second ? 422 : refused.status).toBe(422)
    expect((await browser.submit(sent, { code: second })).url.searchParams.has('code')).toBe(true)
  })

  test('an address can be corrected: only the verified one is stored', async () => {
    const { browser, begun, page } = await arrive(`typo.${email}`)
    const [, link = ''] = /id="register" href="([^"]+)"/.exec(page.text) ?? []
    const form = await browser.open(new URL(link, server.baseUrl))
    const next = await browser.submit(form, { identifier: email, password: PASSWORD })
    const code = await mailedCode()
    const tokens = await redeem(configuration, await browser.submit(next, { code }), begun)
    expect(tokens.claims()?.email).toBe(email)
    expect(await verifiedAt(`typo.${email}`)).toEqual([])
  })

  test('the limit of an address counts every way of writing its domain, and no domain only looks like it', async () => {
    const before = mail.mails.length
    const spoofed = await arrive(`victim${people}@co\ufe01rp.example`)
    expect([spoofed.page.status, problemOf(spoofed.page)]).toEqual([422, 'That is not an email address.'])
    const ways = ['bücher.example', 'BÜCHER.example', 'xn--bcher-kva.example']
    for (let count = 0; count < 10; count += 1) {
      const { page } = await arrive(`victim${people}@${ways[count % 3]}`)
      expect(page.url.pathname).toMatch(/^\/verify-email\//)
    }
    for (const way of ways) expect((await arrive(`victim${people}@${way}`)).page.status).toBe(429)
    await mail.got(before + 10)
  })

  test('only the owner of an address learns whether it has an account', async () => {
    await server.api('POST', '/users', { primaryEmail: email, password: PASSWORD })
    const plain = ({ text }: Page, address: string) =>
      text
        .replaceAll(address, 'ADDRESS')
        .replace(/value="[^"]*"/g, '')
        .replace(/\/(register|verify-email)\/\w+/g, '')
    const known = await arrive()
    const code = await mailedCode()
    const unknown = await arrive(`other.${email}`)
    expect(plain(known.page, email)).toBe(plain(unknown.page, `other.${email}`))
    expect(known.page.status).toBe(unknown.page.status)
    const taken = await known.browser.submit(known.page, { code })
    expect([taken.status, problemOf(taken)]).toEqual([422, 'That name is taken. Choose another one.'])
    // and once more, now that the code is spent
    expect(problemOf(await known.browser.submit(taken, {}))).toBe('That name is taken. Choose another one.')
    expect(await verifiedAt(email)).toEqual([null])
  })

  test.each([
    ['no address', 422, 'That is not an email address.'],
    ['', 422, 'Fill in every field.'],
  ])('%j is refused before anything is sent', async (address, status, problem) => {
    const { page } = await arrive(address)
    expect([page.status, problemOf(page)]).toEqual([status, problem])
    expect(mail.mails.filter(({ recipients }) => recipients.includes(address))).toEqual([])
  })

  test('R-27 the code is worth nothing in another interaction, and after its time', async () => {
    const { browser, page } = await arrive()
    const code = await mailedCode()
    const other = await arrive(email)
    const second = await mailedCode(2)
    const refused = await other.browser.submit(other.page, { code })
    expect(code === second ? 422 : refused.status).toBe(422)
    server.clock.advance(601)
    const late = await browser.submit(page, { code })
    expect([late.status, problemOf(late)]).toEqual([422, 'That code is no longer valid. Request another one.'])
    expect(await verifiedAt(email)).toEqual([])
  })

  test('of concurrent submissions one creates the account', async () => {
    const { browser, page } = await arrive()
    const code = await mailedCode()
    const ends = await Promise.all(Array.from({ length: 5 }, () => browser.submit(page, { code })))
    expect(ends.filter(({ url }) => url.searchParams.has('code'))).not.toEqual([])
    expect(ends.filter(({ status }) => status >= 500)).toEqual([])
    expect(await verifiedAt(email)).toHaveLength(1)
  })

  test('the page without a registration leads to one, and a form without its token is refused', async () => {
    const browser = newBrowser()
    const page = await browser.open((await begin(configuration)).url)
    const id = page.url.pathname.split('/').at(-1)
    const empty = await browser.open(`${server.baseUrl}/verify-email/${id}`)
    expect(empty.url.pathname).toBe(`/register/${id}`)
    const { browser: own, page: sent } = await arrive()
    const forged = await own.open(sent.url, { method: 'POST', body: new URLSearchParams({ code: '000000' }) })
    expect([forged.status, problemOf(forged)]).toEqual([400, 'The form has expired. Try again.'])
  })

  test('a code that was mailed for a new password registers no user', async () => {
    await server.api('POST', '/users', { primaryEmail: email, password: PASSWORD })
    const browser = newBrowser()
    const page = await browser.open((await begin(configuration)).url)
    const id = page.url.pathname.split('/').at(-1)
    await browser.submit(await browser.open(`${server.baseUrl}/forgot-password/${id}`), { identifier: email })
    expect((await browser.open(`${server.baseUrl}/verify-email/${id}`)).url.pathname).toBe(`/register/${id}`)
  })
})

describe('through the Experience API', () => {
  const identifier = () => ({ type: 'email', value: email })
  const send = (page: OwnPage, interactionEvent = 'Register') =>
    page.call('POST', '/verification/verification-code', { identifier: identifier(), interactionEvent })
  const verify = (page: OwnPage, verificationId: string, code: string) =>
    page.call('POST', '/verification/verification-code/verify', { identifier: identifier(), verificationId, code })
  const proved = async () => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    const { status, body } = await send(page)
    expect(status).toBe(200)
    const { verificationId } = body
    expect((await verify(page, verificationId, await mailedCode())).status).toBe(200)
    return { page, verificationId: verificationId as string }
  }
  const told = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

  test('code, address, password, identification, submission', async () => {
    const { page, verificationId } = await proved()
    const profile = (body: object) => page.call('POST', '/profile', body)
    expect((await profile({ type: 'email', verificationId })).status).toBe(204)
    expect((await profile({ type: 'password', value: PASSWORD })).status).toBe(204)
    expect((await page.call('GET', '/interaction')).body.profile).toEqual({ primaryEmail: email })
    expect((await page.call('POST', '/identification', {})).status).toBe(201)
    const { status, body } = await page.call('POST', '/submit')
    expect(status).toBe(200)
    const tokens = await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)
    expect(tokens.claims()?.sub).toEqual(expect.any(String))
    expect(await verifiedAt(email)).toEqual([server.clock.now()])
  })

  test('identification by the code brings the address too', async () => {
    const { page, verificationId } = await proved()
    expect((await page.call('POST', '/profile', { type: 'password', value: PASSWORD })).status).toBe(204)
    expect((await page.call('POST', '/identification', { verificationId })).status).toBe(201)
    expect((await page.call('POST', '/submit')).status).toBe(200)
    expect(await verifiedAt(email)).toEqual([server.clock.now()])
  })

  test('R-27 an unverified address creates no account', async () => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    const { verificationId } = (await send(page)).body
    await page.call('POST', '/profile', { type: 'password', value: PASSWORD })
    const profile = await page.call('POST', '/profile', { type: 'email', verificationId })
    expect(told(profile)).toEqual([400, 'session.verification_failed'])
    const identification = await page.call('POST', '/identification', { verificationId })
    expect(told(identification)).toEqual([400, 'session.verification_failed'])
    expect(told(await page.call('POST', '/identification', {}))).toEqual([422, 'user.missing_profile'])
  })

  test('R-27 a proof of another address than the one that was entered does not verify it', async () => {
    const { page, verificationId } = await proved()
    await page.call('POST', '/profile', { type: 'email', verificationId })
    await page.call('POST', '/profile', { type: 'password', value: PASSWORD })
    const first = email
    email = `second.${email}`
    expect((await send(page)).status).toBe(200)
    await mailedCode()
    expect((await page.call('POST', '/identification', {})).status).toBe(201)
    expect(told(await page.call('POST', '/submit'))).toEqual([400, 'session.verification_failed'])
    expect(await verifiedAt(first)).toEqual([])
  })

  test('R-27 a code to register signs no user in', async () => {
    await server.api('POST', '/users', { primaryEmail: email, password: PASSWORD })
    const { page, verificationId } = await proved()
    expect((await page.call('PUT', '/interaction-event', { interactionEvent: 'SignIn' })).status).toBe(204)
    const identification = await page.call('POST', '/identification', { verificationId })
    expect(told(identification)).toEqual([400, 'session.verification_failed'])
  })

  test('an address that an account has is reported only after verification', async () => {
    await server.api('POST', '/users', { primaryEmail: email.toUpperCase(), password: PASSWORD })
    const { page, verificationId } = await proved()
    const profile = await page.call('POST', '/profile', { type: 'email', verificationId })
    expect(told(profile)).toEqual([422, 'user.email_already_in_use'])
  })

  test('codes are for the event that was begun, and for events that they can be for', async () => {
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    expect(told(await send(page, 'SignIn'))).toEqual([422, 'user.sign_in_method_not_enabled'])
    expect(told(await send(page, 'Register'))).toEqual([400, 'session.invalid_interaction_type'])
    expect(mail.mails.filter(({ recipients }) => recipients.includes(email))).toEqual([])
  })
})

describe('addresses that the tenant does not want', () => {
  const NOT_ALLOWED = 'session.email_blocklist.email_not_allowed'
  const SUBADDRESS = 'session.email_blocklist.email_subaddressing_not_allowed'
  const policy = {
    blockDisposableAddresses: true,
    blockSubaddressing: true,
    customAllowlist: ['wanted+tag@mailinator.com', '@bücher.example'],
    customBlocklist: ['Mallory@Example.com', '@blocked.example', '@xn--bcher-kva.example'],
  }
  const set = (emailBlocklistPolicy: object) => server.api('PATCH', '/sign-in-exp', { emailBlocklistPolicy })
  beforeAll(async () => {
    expect((await set(policy)).body.emailBlocklistPolicy).toEqual(policy)
  })
  afterAll(() => set({}))

  test.each([
    ['someone@mailinator.com', NOT_ALLOWED],
    ['someone@below.MAILINATOR.com', NOT_ALLOWED],
    ['mallory@example.com', NOT_ALLOWED],
    ['someone@Blocked.example', NOT_ALLOWED],
    ['someone+tag@example.com', SUBADDRESS],
    ['someone@below.blocked.example', undefined],
    ['wanted+tag@mailinator.com', undefined],
    ['someone@BÜCHER.example', undefined],
  ])('%s', async (value, code) => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    const body = { identifier: { type: 'email', value }, interactionEvent: 'Register' }
    const sent = await page.call('POST', '/verification/verification-code', body)
    expect([sent.status, sent.body.code]).toEqual(code ? [422, code] : [200, undefined])
    if (code) expect(mail.mails.filter(({ recipients }) => recipients.includes(value))).toEqual([])
  })

  test('are refused on the page, and where no proof is wanted', async () => {
    const { page } = await arrive('someone@mailinator.com')
    expect([page.status, problemOf(page)]).toEqual([422, 'That email address cannot be used here. Use another one.'])
    await server.api('PATCH', '/sign-in-exp', { signUp: { ...BY_EMAIL.signUp, verify: false } })
    const own = await openPage(server, configuration)
    await own.start('Register')
    const identifier = { type: 'email', value: 'someone+tag@example.com' }
    const chosen = await own.call('POST', '/verification/new-password-identity', { identifier, password: PASSWORD })
    expect([chosen.status, chosen.body.code]).toEqual([422, SUBADDRESS])
    await server.api('PATCH', '/sign-in-exp', BY_EMAIL)
  })

  test('a code that was sent before the list was changed brings none', async () => {
    await set({})
    const page = await openPage(server, configuration)
    await page.start('Register')
    const identifier = { type: 'email', value: email }
    const sent = await page.call('POST', '/verification/verification-code', {
      identifier,
      interactionEvent: 'Register',
    })
    const { verificationId } = sent.body
    const code = await mailedCode()
    await page.call('POST', '/verification/verification-code/verify', { identifier, verificationId, code })
    await set({ customBlocklist: [email] })
    const entered = await page.call('POST', '/profile', { type: 'email', verificationId })
    expect([entered.status, entered.body.code]).toEqual([422, NOT_ALLOWED])
    await page.call('POST', '/profile', { type: 'password', value: PASSWORD })
    const identified = await page.call('POST', '/identification', { verificationId })
    expect([identified.status, identified.body.code]).toEqual([422, NOT_ALLOWED])
    await set(policy)
  })

  test('bind neither the Management API nor who has one already', async () => {
    const user = { primaryEmail: 'old@mailinator.com', password: PASSWORD }
    expect((await server.api('POST', '/users', user)).status).toBe(200)
    const back = await signIn(newBrowser(), await begin(configuration), user.primaryEmail)
    expect(back.url.searchParams.has('code')).toBe(true)
  })
})

describe('the settings', () => {
  const patch = (body: object) => server.api('PATCH', '/sign-in-exp', body)

  const refusal = (code: string) => [400, `sign_in_experiences.${code}`]
  test.each<[string, object, unknown[]]>([
    ['a username', { identifiers: ['username'], password: true }, [422, 'request.feature_not_supported']],
    [
      'a number without a connector',
      { identifiers: ['phone'], password: true },
      refusal('enabled_connector_not_found'),
    ],
    [
      'an address that is not a sign-in method',
      { identifiers: ['email'], password: false },
      refusal('code_sign_in_must_be_enabled'),
    ],
  ])('refuse to have %s verified', async (_what, signUp, refused) => {
    const { status, body } = await patch({ signUp: { ...signUp, verify: true } })
    expect([status, body.code]).toEqual(refused)
  })

  test('R-27 an account begun without verification is not created once verification is required', async () => {
    await patch({ signUp: { ...BY_EMAIL.signUp, verify: false } })
    const browser = newBrowser()
    const page = await register(browser, await begin(configuration, {}), email)
    expect(page.url.searchParams.has('code')).toBe(true)
    expect(await verifiedAt(email)).toEqual([null])
    await patch(BY_EMAIL)
  })

  test('require a connector, and without one registration is refused', async () => {
    await server.api('DELETE', `/connectors/${connectorId}`)
    const { status, body } = await patch(BY_EMAIL)
    expect([status, body.code, body.data]).toEqual([
      400,
      'sign_in_experiences.enabled_connector_not_found',
      { type: 'Email' },
    ])
    const { page } = await arrive()
    expect(problemOf(page)).toBe('That is not available here.')
    expect(await verifiedAt(email)).toEqual([])
  })
})
