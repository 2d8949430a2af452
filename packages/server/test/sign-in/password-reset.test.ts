/** A forgotten password on the pages: a code by mail, a new password, and everything that the old one opened ends. */
import { managementToken } from '@countersign/contract/client-token.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readAll } from '../events/feed.ts'
import { openPage } from '../experience/arrange.ts'
import { codeIn, connectMailServer, type MailServer } from '../management/mail.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from './arrange.ts'
import type { Browser, Page } from './browser.ts'

const NEW = 'a wholly different phrase'

let server: TestServer
let mail: MailServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '1000' })
  mail = await connectMailServer(server)
  configuration = (await createApp(server)).configuration
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

let people = 0
const person = async () => {
  const user = await createUser(server)
  people += 1
  const email = `person${people}@example.com`
  await server.api('PATCH', `/users/${user.id}`, { primaryEmail: email })
  return { ...user, email }
}

const eventsAfter = async (cursor: string) => readAll(server.api, cursor)

/** Goes from sign-in to where the address is entered, and asks for a code. */
const askForCode = async (browser: Browser, email: string, parameters = {}): Promise<Page> => {
  const page = await browser.open((await begin(configuration, parameters)).url)
  const [, link = ''] = /id="forgot-password" href="([^"]+)"/.exec(page.text) ?? []
  return browser.submit(await browser.open(new URL(link, server.baseUrl)), { identifier: email })
}

/** The code of the newest mail; there were so many before it. */
const mailedCode = async (before: number): Promise<string> => {
  await mail.got(before + 1)
  return codeIn(mail)
}

const problemOf = ({ text }: Page) => /id="problem">([^<]*)</.exec(text)?.[1]
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('a forgotten password', () => {
  test('sends mail in the language of the page, with the lifetime of the code', async () => {
    const { email } = await person()
    await server.api('PATCH', '/sign-in-exp', { verificationCodePolicy: { expirationDuration: 300 } })
    const before = mail.mails.length
    const sent = await askForCode(newBrowser(), email, { ui_locales: 'de' })
    expect(sent.text).toContain('Er gilt 5 Minuten.')
    await mail.got(before + 1)
    expect(mail.mails.at(-1)).toMatchObject({
      subject: 'Ihr Code für ein neues Passwort',
      text: expect.stringContaining('Er gilt 5 Minuten.'),
      html: expect.stringContaining('<html lang="de"'),
    })
    await server.api('PATCH', '/sign-in-exp', { verificationCodePolicy: { expirationDuration: 600 } })
  })

  test('is replaced by the code that was mailed; the old one, and what it opened, ends', async () => {
    const { id, username, email } = await person()
    const elsewhere = await begin(configuration, { scope: 'openid offline_access' })
    const tokens = await redeem(configuration, await signIn(newBrowser(), elsewhere, username), elsewhere)
    const { cursor } = await eventsAfter('')
    const before = mail.mails.length

    const browser = newBrowser()
    const sent = await askForCode(browser, email.toUpperCase())
    expect(sent.url.pathname).toMatch(/^\/reset-password\//)
    expect(sent.text).toContain('belongs to an account')
    const code = await mailedCode(before)
    expect(mail.mails.at(-1)?.recipients).toEqual([email])
    // as people copy it
    const done = await browser.submit(sent, { code: ` ${code.slice(0, 3)} ${code.slice(3)} `, password: NEW })
    expect(done.url.pathname).toMatch(/^\/sign-in\//)
    expect(done.text).toContain('Your password was changed')

    const { events } = await eventsAfter(cursor)
    expect(events.map(({ event }) => event)).toEqual(['User.Data.Updated', 'PostResetPassword'])
    expect(events[1]).toMatchObject({ userId: id, interactionEvent: 'ForgotPassword' })
    await expect(client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await browser.submit(done, { identifier: username, password: PASSWORD })).status).toBe(422)
    const back = await browser.submit(done, { identifier: username, password: NEW })
    expect(back.url.searchParams.get('code')).toMatch(/^cs_ac_/)
    // the interaction, and the code with it, is over
    expect((await browser.submit(sent, { code, password: 'yet another phrase' })).status).toBe(400)
  })

  test('goes to the address of the account, not to another spelling that compares equal', async () => {
    const { id } = await person()
    await server.api('PATCH', `/users/${id}`, { primaryEmail: 'İlker@example.com' })
    const before = mail.mails.length
    await askForCode(newBrowser(), 'i\u0307lker@EXAMPLE.com')
    await mail.got(before + 1)
    expect(mail.mails.at(-1)?.recipients).toEqual(['İlker@example.com'])
  })

  test('the page does not reveal whether an address has an account', async () => {
    const { email } = await person()
    const before = mail.mails.length
    const [known, unknown] = [
      await askForCode(newBrowser(), email),
      await askForCode(newBrowser(), 'nobody@example.com'),
    ]
    const plain = ({ text }: Page, address: string) =>
      text
        .replaceAll(address, 'ADDRESS')
        .replace(/value="[^"]*"/g, '')
        .replace(/\/(forgot-password|sign-in)\/\w+/g, '')
    expect(plain(unknown, 'nobody@example.com')).toBe(plain(known, email))
    expect(unknown.status).toBe(known.status)
    const guess = await newBrowser().open(unknown.url)
    expect(guess.status).toBe(400)
    await mail.got(before + 1)
  })

  test('a password that is refused does not cost the code', async () => {
    const { email, username } = await person()
    const before = mail.mails.length
    const browser = newBrowser()
    const sent = await askForCode(browser, email)
    const code = await mailedCode(before)
    const weak = await browser.submit(sent, { code, password: 'short' })
    expect([weak.status, problemOf(weak)]).toEqual([422, 'A password needs at least 8 characters.'])
    expect(weak.text).not.toContain('name="code"')
    const same = await browser.submit(weak, { password: PASSWORD })
    expect(problemOf(same)).toBe('That is your current password. Choose another one.')
    const done = await browser.submit(same, { password: NEW })
    expect(done.text).toContain('Your password was changed')
    expect((await signIn(newBrowser(), await begin(configuration), username, NEW)).url.searchParams.has('code')).toBe(
      true,
    )
  })

  test('a code ends after ten minutes, with a new one, and belongs to its interaction', async () => {
    const { email } = await person()
    const before = mail.mails.length
    const [browser, other] = [newBrowser(), newBrowser()]
    const sent = await askForCode(browser, email)
    const first = await mailedCode(before)
    const elsewhere = await askForCode(other, email)
    const second = await mailedCode(before + 1)
    expect(
      problemOf(await other.submit(elsewhere, { code: first === second ? wrong(first) : first, password: NEW })),
    ).toBe('That code is incorrect.')
    const renewed = await browser.submit(
      await browser.open(sent.url.href.replace('reset-password', 'forgot-password')),
      { identifier: email },
    )
    const third = await mailedCode(before + 2)
    expect(
      problemOf(await browser.submit(renewed, { code: first === third ? wrong(first) : first, password: NEW })),
    ).toBe('That code is incorrect.')
    server.clock.advance(600)
    expect(problemOf(await browser.submit(renewed, { code: third, password: NEW }))).toBe(
      'That code is no longer valid. Request another one.',
    )
  })

  test('ten wrong codes, in parallel too, lock the address and void the code', async () => {
    const { id, email, username } = await person()
    const { cursor } = await eventsAfter('')
    const before = mail.mails.length
    const browser = newBrowser()
    const sent = await askForCode(browser, email)
    const code = await mailedCode(before)
    await Promise.all(Array.from({ length: 12 }, () => browser.submit(sent, { code: wrong(code), password: NEW })))
    expect((await browser.submit(sent, { code, password: NEW })).status).toBe(429)
    const { events } = await eventsAfter(cursor)
    expect(events.map(({ event, value, userId }) => [event, value, userId])).toEqual([
      ['Identifier.Lockout', email, id],
    ])
    // the lock is of the account, which has a username too
    expect((await signIn(newBrowser(), await begin(configuration), username)).status).toBe(422)
    server.clock.advance(15 * 60 + 1)
    expect((await signIn(newBrowser(), await begin(configuration), username)).url.searchParams.has('code')).toBe(true)
    expect((await askForCode(newBrowser(), email)).url.pathname).toMatch(/^\/reset-password\//)
    // it must not arrive in the middle of the next test
    await mail.got(before + 2)
  })

  test('R-28 a code is of no use while the account is locked under its username, and void afterwards', async () => {
    const { email, username } = await person()
    const before = mail.mails.length
    const browser = newBrowser()
    const sent = await askForCode(browser, email)
    const code = await mailedCode(before)
    for (let count = 0; count < 10; count += 1)
      await signIn(newBrowser(), await begin(configuration), username, 'wrong')
    expect((await browser.submit(sent, { code: wrong(code), password: NEW })).status).toBe(422)
    expect((await browser.submit(sent, { code, password: NEW })).status).toBe(429)
    await server.api('POST', '/sentinel-activities/delete', { targetType: 'User', targets: [email] })
    expect((await browser.submit(sent, { code, password: NEW })).status).toBe(422)
    expect((await signIn(newBrowser(), await begin(configuration), username)).url.searchParams.has('code')).toBe(true)
  })

  test('a recipient gets ten messages in ten minutes, and the event says that there were more', async () => {
    const { email } = await person()
    const { cursor } = await eventsAfter('')
    const pages = await Promise.all(Array.from({ length: 12 }, () => askForCode(newBrowser(), email)))
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(pages.filter(({ status }) => status === 429).map(problemOf)).toEqual(
      Array(2).fill('Too many messages were sent to this address. Try again in ten minutes.'),
    )
    const { events } = await eventsAfter(cursor)
    expect(events.map(({ event, action, recipient }) => [event, action, recipient])).toEqual(
      Array(2).fill(['Message.RateLimited', 'VerificationCodeSend', email]),
    )
    // the same for an address that no account has
    const nobody = await Promise.all(Array.from({ length: 11 }, () => askForCode(newBrowser(), 'no.one@example.com')))
    expect(nobody.filter(({ status }) => status === 429)).toHaveLength(1)
    server.clock.advance(601)
    expect((await askForCode(newBrowser(), email)).status).toBe(200)
  })

  test('a proof ends when the address is no longer the user’s', async () => {
    const { id, email } = await person()
    const before = mail.mails.length
    const browser = newBrowser()
    const sent = await askForCode(browser, email)
    const code = await mailedCode(before)
    const weak = await browser.submit(sent, { code, password: 'short' })
    await server.api('PATCH', `/users/${id}`, { primaryEmail: `moved.${email}` })
    const refused = await browser.submit(weak, { password: NEW })
    expect(refused.status).toBe(422)
    expect(refused.text).not.toContain('Your password was changed')
  })

  test('is not offered without a connector, or where the tenant says so', async () => {
    await server.api('PATCH', '/sign-in-exp', { forgotPasswordMethods: [] })
    const browser = newBrowser()
    const page = await browser.open((await begin(configuration)).url)
    expect(page.text).not.toContain('forgot-password')
    const forced = await browser.open(page.url.href.replace('/sign-in/', '/forgot-password/'))
    expect(forced.url.pathname).toMatch(/^\/sign-in\//)
    await server.api('PATCH', '/sign-in-exp', { forgotPasswordMethods: null })
    const first = await browser.open((await begin(configuration, { first_screen: 'reset_password' })).url)
    expect(first.url.pathname).toMatch(/^\/forgot-password\//)
  })
})

describe('a password that has expired', () => {
  const DAY = 86_400
  /** With a token of its own: the clock goes on by days. */
  const api = async (method: 'PATCH', path: string, body: object) => {
    const token = await managementToken({ baseUrl: server.baseUrl, ...server.credentials })()
    return server.api(method, path, body, { token })
  }
  const set = (passwordExpiration: object) => api('PATCH', '/sign-in-exp', { passwordExpiration })
  const enter = async (username: string, password = PASSWORD) =>
    signIn(newBrowser(), await begin(configuration), username, password)
  const isIn = (page: Page) => page.url.searchParams.has('code')
  afterAll(() => set({ enabled: false }))

  test('by age: signs no one in until a new one is set, which only those who know it learn', async () => {
    const { username, email } = await person()
    server.clock.advance(40 * DAY)
    const enabledAt = server.clock.now().getTime()
    const { body } = await set({ enabled: true, validPeriodDays: 30, enabledAt: 1 })
    expect(body.passwordExpiration).toEqual({ enabled: true, validPeriodDays: 30, enabledAt })
    // what was older has its whole period from then on, and changing the period begins none
    server.clock.advance(29 * DAY)
    expect((await set(body.passwordExpiration)).body.passwordExpiration.enabledAt).toBe(enabledAt)
    expect(isIn(await enter(username))).toBe(true)
    server.clock.advance(DAY)
    expect(problemOf(await enter(username, 'a wrong phrase'))).toBe('The name or the password is incorrect.')
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    const { body: proof } = await page.verify(username)
    const refused = await page.call('POST', '/identification', proof)
    expect([refused.status, refused.body.code]).toEqual([422, 'password.expired'])
    expect((await page.call('POST', '/submit')).status).toBe(404)

    const browser = newBrowser()
    const sent = await signIn(browser, await begin(configuration), username)
    expect(sent.url.pathname).toMatch(/^\/forgot-password\//)
    expect(sent.text).toContain('Your password has expired. Choose a new one.')
    const before = mail.mails.length
    const form = await browser.submit(sent, { identifier: email })
    const reset = await browser.submit(form, { code: await mailedCode(before), password: NEW })
    expect(reset.text).toContain('Your password was changed.')
    expect(isIn(await enter(username, NEW))).toBe(true)
  })

  test('by an operator, who can undo it', async () => {
    const { id, username } = await person()
    const expire = (isExpired: boolean) => api('PATCH', `/users/${id}/password/expiration`, { isExpired })
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    await page.call('POST', '/identification', (await page.verify(username)).body)
    expect((await expire(true)).body).toMatchObject({ id, username })
    const submitted = await page.call('POST', '/submit')
    expect([submitted.status, submitted.body.code]).toEqual([422, 'password.expired'])
    expect((await enter(username)).url.pathname).toMatch(/^\/forgot-password\//)
    expect((await expire(false)).status).toBe(200)
    expect(isIn(await enter(username))).toBe(true)
    await expire(true)
    await api('PATCH', `/users/${id}/password`, { password: NEW })
    expect(isIn(await enter(username, NEW))).toBe(true)
    await set({ enabled: false })
    const off = await expire(true)
    expect([off.status, off.body.code]).toEqual([400, 'sign_in_experiences.password_expiration_not_enabled'])
    expect((await api('PATCH', '/users/nobody/password/expiration', { isExpired: true })).status).toBe(404)
  })
})
