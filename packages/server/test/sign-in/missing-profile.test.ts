/** Sign-in asks for what sign-up requires (WIRE W6): on the pages, and through the Experience API. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type OwnPage, openPage } from '../experience/arrange.ts'
import { codeIn, connectMailServer, type MailServer } from '../management/mail.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from './arrange.ts'
import type { Browser, Page } from './browser.ts'

let server: TestServer
let mail: MailServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  configuration = (await createApp(server)).configuration
  mail = await connectMailServer(server)
  const methods = ['username', 'email', 'phone'].map((identifier) => ({ identifier, password: true }))
  expect((await server.api('PATCH', '/sign-in-exp', { signIn: { methods } })).status).toBe(200)
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

const requireAtSignUp = async (...identifiers: string[]) => {
  const { status } = await server.api('PATCH', '/sign-in-exp', {
    signUp: { identifiers, verify: false, secondaryIdentifiers: [] },
  })
  expect(status).toBe(200)
}
const requireProof = async () => {
  const signUp = { identifiers: ['email'], password: true, verify: true, secondaryIdentifiers: [] }
  expect((await server.api('PATCH', '/sign-in-exp', { signUp })).status).toBe(200)
}
/** A username, then an address that has to be verified, then a number that has not. */
const requireSecondary = async () => {
  const secondaryIdentifiers = [{ identifier: 'email', verify: true }, { identifier: 'phone' }]
  const signUp = { identifiers: ['username'], password: true, verify: false, secondaryIdentifiers }
  const { status, body } = await server.api('PATCH', '/sign-in-exp', { signUp })
  expect([status, body.signUp]).toEqual([200, signUp])
}
const told = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
const userOf = async (id: string) => (await server.api('GET', `/users/${id}`)).body
const verifiedAt = async (id: string) =>
  (await server.store.database.pool.query('SELECT email_verified_at FROM users WHERE id = $1', [id])).rows[0]
    .email_verified_at
const mailedCode = async (before: number): Promise<string> => {
  await mail.got(before + 1)
  return codeIn(mail)
}
const enter = (page: OwnPage, type: string, value: string) => page.call('POST', '/profile', { type, value })

describe('through the Experience API', () => {
  test('an address that must be verified is asked for once', async () => {
    await requireProof()
    const { id, username } = await createUser(server)
    const page = await openPage(server, configuration)
    const refused = await page.signIn(username)
    expect(told(refused)).toEqual([422, 'user.missing_profile'])
    expect(refused.body.data).toEqual({ missingProfile: ['email'] })
    expect(page.browser.cookie('countersign-session')).toBeUndefined()
    const value = `${username}@example.com`
    expect(told(await enter(page, 'email', value))).toEqual([400, 'session.verification_failed'])
    const before = mail.mails.length
    const identifier = { type: 'email', value }
    const sent = await page.call('POST', '/verification/verification-code', { identifier, interactionEvent: 'SignIn' })
    const { verificationId } = sent.body
    const code = await mailedCode(before)
    await page.call('POST', '/verification/verification-code/verify', { identifier, verificationId, code })
    expect((await page.call('POST', '/profile', { type: 'email', verificationId })).status).toBe(204)
    expect((await page.call('POST', '/submit')).status).toBe(200)
    expect((await userOf(id)).primaryEmail).toBe(value)
    expect(await verifiedAt(id)).not.toBeNull()
    expect((await (await openPage(server, configuration)).signIn(username)).status).toBe(200)
  })

  test('without verification an address is accepted and remains unverified', async () => {
    await requireAtSignUp('email')
    const { id, username } = await createUser(server)
    const other = await createUser(server)
    await server.api('PATCH', `/users/${other.id}`, { primaryEmail: `${other.username}@example.com` })
    const page = await openPage(server, configuration)
    expect(told(await page.signIn(username))).toEqual([422, 'user.missing_profile'])
    expect(told(await enter(page, 'phone', '+4930123456'))).toEqual([422, 'user.sign_up_method_not_enabled'])
    expect(told(await enter(page, 'email', 'no address'))).toEqual([400, 'user.invalid_email'])
    expect(told(await enter(page, 'email', `${other.username}@EXAMPLE.com`))).toEqual([
      422,
      'user.email_already_in_use',
    ])
    expect((await enter(page, 'email', `${username}@example.com`)).status).toBe(204)
    expect((await page.call('POST', '/submit')).status).toBe(200)
    expect((await userOf(id)).primaryEmail).toBe(`${username}@example.com`)
    expect(await verifiedAt(id)).toBeNull()
    const again = await openPage(server, configuration)
    await again.start('SignIn')
    await again.call('POST', '/identification', (await again.verify(username)).body)
    expect(told(await enter(again, 'email', 'another@example.com'))).toEqual([422, 'user.email_exists_in_profile'])
  })

  test.each([
    [['username'], ['username'], 'username', 'the_missing_name'],
    [['email', 'phone'], ['emailOrPhone'], 'phone', '+493012345678'],
  ])('of an account that has none of %j it is %j', async (required, missing, type, value) => {
    await requireAtSignUp('username', 'email', 'phone')
    const own = type === 'phone' ? { username: 'has_only_a_name' } : { primaryEmail: 'has.only@example.com' }
    const { body: user } = await server.api('POST', '/users', { ...own, password: PASSWORD })
    const [[ownType, ownValue] = ['', '']] = Object.entries(own)
    await requireAtSignUp(...required)
    const page = await openPage(server, configuration)
    const refused = await page.signIn(ownValue, PASSWORD, ownType === 'username' ? 'username' : 'email')
    expect(told(refused)).toEqual([422, 'user.missing_profile'])
    expect(refused.body.data).toEqual({ missingProfile: missing })
    expect((await enter(page, type, value)).status).toBe(204)
    expect((await page.call('POST', '/submit')).status).toBe(200)
    const { username, primaryPhone } = await userOf(user.id)
    expect(type === 'phone' ? primaryPhone : username).toBe(value.replace('+', ''))
  })

  test('an unverified address also registers, if the tenant requires no verification', async () => {
    await requireAtSignUp('email')
    const choose = async (page: OwnPage, type: string, value: string) =>
      page.call('POST', '/verification/new-password-identity', { identifier: { type, value }, password: PASSWORD })
    const page = await openPage(server, configuration)
    await page.start('Register')
    expect(told(await choose(page, 'username', 'not_by_name'))).toEqual([422, 'user.sign_up_method_not_enabled'])
    const { body } = await choose(page, 'email', 'Without.Proof@example.com')
    expect((await page.call('POST', '/identification', body)).status).toBe(201)
    const { redirectTo } = (await page.call('POST', '/submit')).body
    const tokens = await redeem(configuration, await page.browser.open(redirectTo), page.begun)
    expect((await userOf(tokens.claims()?.sub ?? '')).primaryEmail).toBe('Without.Proof@example.com')
    expect(await verifiedAt(tokens.claims()?.sub ?? '')).toBeNull()
    const taken = await openPage(server, configuration)
    await taken.start('Register')
    expect(told(await choose(taken, 'email', 'without.proof@EXAMPLE.com'))).toEqual([422, 'user.email_already_in_use'])
    await requireProof()
    const proving = await openPage(server, configuration)
    await proving.start('Register')
    expect(told(await choose(proving, 'email', 'to.prove@example.com'))).toEqual([400, 'session.verification_failed'])
  })

  test('secondary identifiers are asked for before the account is created, each verified if required', async () => {
    await requireSecondary()
    const page = await openPage(server, configuration)
    await page.start('Register')
    const choose = (type: string, value: string) =>
      page.call('POST', '/verification/new-password-identity', { identifier: { type, value }, password: PASSWORD })
    expect(told(await choose('email', 'not.first@example.com'))).toEqual([422, 'user.sign_up_method_not_enabled'])
    expect((await page.call('POST', '/identification', (await choose('username', 'has_all')).body)).status).toBe(201)
    const missing = async () => {
      const { status, body } = await page.call('POST', '/submit')
      return [status, body.code, body.data?.missingProfile]
    }
    expect(await missing()).toEqual([422, 'user.missing_profile', ['email', 'phone']])
    const value = 'has.all@example.com'
    expect(told(await enter(page, 'email', value))).toEqual([400, 'session.verification_failed'])
    const before = mail.mails.length
    const identifier = { type: 'email', value }
    const code = { identifier, interactionEvent: 'Register' }
    const { verificationId } = (await page.call('POST', '/verification/verification-code', code)).body
    const verified = { identifier, verificationId, code: await mailedCode(before) }
    expect((await page.call('POST', '/verification/verification-code/verify', verified)).status).toBe(200)
    expect((await page.call('POST', '/profile', { type: 'email', verificationId })).status).toBe(204)
    expect(await missing()).toEqual([422, 'user.missing_profile', ['phone']])
    expect((await enter(page, 'phone', '+4930555666')).status).toBe(204)
    const { redirectTo } = (await page.call('POST', '/submit')).body
    const id = (await redeem(configuration, await page.browser.open(redirectTo), page.begun)).claims()?.sub ?? ''
    expect(await userOf(id)).toMatchObject({ username: 'has_all', primaryEmail: value, primaryPhone: '4930555666' })
    expect(await verifiedAt(id)).not.toBeNull()
    const { username } = await createUser(server)
    const later = await (await openPage(server, configuration)).signIn(username)
    expect(later.body.data).toEqual({ missingProfile: ['email', 'phone'] })
  })

  test('profile data is stored or refused, never dropped', async () => {
    await requireAtSignUp('username')
    const page = await openPage(server, configuration)
    await page.start('Register')
    const extra = (values: object) => page.call('POST', '/profile', { type: 'extraProfile', values })
    const refused = await extra({ name: 'Ada', favouriteColour: 'blue' })
    expect(told(refused)).toEqual([400, 'guard.invalid_input'])
    expect((await extra({ address: { planet: 'Mars' } })).status).toBe(400)
    expect((await page.call('GET', '/interaction')).body.profile).toEqual({})
    expect((await extra({ name: 'Ada', nickname: 'A', address: { country: 'UK' } })).status).toBe(204)
    const { profile } = (await page.call('GET', '/interaction')).body
    const more = { nickname: 'A', address: { country: 'UK' } }
    expect(profile).toEqual({ name: 'Ada', profile: more, submitted: true })
  })
})

describe('on the pages', () => {
  const problemOf = ({ text }: Page) => /id="problem">([^<]*)</.exec(text)?.[1]
  const arrive = async () => {
    const user = await createUser(server)
    const [browser, begun] = [newBrowser(), await begin(configuration, { scope: 'openid email' })]
    return { ...user, browser, begun, page: await signIn(browser, begun, user.username) }
  }

  test('an address without verification', async () => {
    await requireAtSignUp('email')
    const { username, browser, begun, page } = await arrive()
    expect(page.url.pathname).toMatch(/^\/complete-profile\//)
    expect(browser.cookie('countersign-session')).toBeUndefined()
    const wrong = await browser.submit(page, { identifier: 'no address' })
    expect([wrong.status, problemOf(wrong)]).toEqual([422, 'That is not an email address.'])
    expect((await browser.submit(page, { identifier: ' ' })).status).toBe(422)
    expect((await browser.submit(page, { identifier: 'x'.repeat(257) })).status).toBe(422)
    const back = await browser.submit(page, { identifier: `${username}@example.com` })
    const claims = (await redeem(configuration, back, begun)).claims()
    expect(claims).toMatchObject({ email: `${username}@example.com`, email_verified: false })
    const again = await signIn(newBrowser(), await begin(configuration), username)
    expect(again.url.searchParams.has('code')).toBe(true)
  })

  test('an address verified by a code, after a typing mistake', async () => {
    await requireProof()
    const { username, browser, begun, page } = await arrive()
    const mistyped = await browser.submit(page, { identifier: `${username}@exampel.com` })
    await mail.got(mail.mails.length)
    expect(mistyped.text).toContain(`${username}@exampel.com`)
    const another = await browser.open(new URL(`${mistyped.url.pathname}?another`, server.baseUrl))
    const before = mail.mails.length
    const sent = await browser.submit(another, { identifier: `${username}@example.com` })
    const received = () => mail.mails.filter(({ recipients }) => recipients.includes(`${username}@example.com`))
    await expect.poll(() => received().length, { timeout: 60_000 }).toBe(1)
    expect(before).toBeLessThanOrEqual(mail.mails.length)
    const code = /\b\d{6}\b/.exec(received()[0]?.text ?? '')?.[0] ?? ''
    const wrong = await browser.submit(sent, { code: String((Number(code) + 1) % 1_000_000).padStart(6, '0') })
    expect([wrong.status, problemOf(wrong)]).toEqual([422, 'That code is incorrect.'])
    const claims = (await redeem(configuration, await browser.submit(wrong, { code }), begun)).claims()
    expect(claims).toMatchObject({ email: `${username}@example.com`, email_verified: true })
  })

  test('secondary identifiers, one after the other, of a user who registers and of one who signs in', async () => {
    await requireSecondary()
    const fill = async (browser: Browser, page: Page, address: string, number: string) => {
      expect(page.url.pathname).toMatch(/^\/complete-profile\//)
      expect(page.text).toContain('>Email address</label>')
      const sent = await browser.submit(page, { identifier: address })
      const received = () => mail.mails.filter(({ recipients }) => recipients.includes(address))
      await expect.poll(() => received().length, { timeout: 60_000 }).toBe(1)
      const code = /\b\d{6}\b/.exec(received()[0]?.text ?? '')?.[0] ?? ''
      const next = await browser.submit(sent, { code })
      expect(next.url.pathname).toMatch(/^\/complete-profile\//)
      expect(next.text).toContain('>Phone number</label>')
      const wrong = await browser.submit(next, { identifier: '12' })
      expect([wrong.status, problemOf(wrong)]).toEqual([
        422,
        'That is not a phone number. Begin with the country code.',
      ])
      return browser.submit(wrong, { identifier: number })
    }
    const [browser, begun] = [newBrowser(), await begin(configuration, { scope: 'openid email phone' })]
    const [, link = ''] = /id="register" href="([^"]+)"/.exec((await browser.open(begun.url)).text) ?? []
    const register = await browser.open(new URL(link, server.baseUrl))
    const page = await browser.submit(register, { identifier: 'on_the_page', password: PASSWORD })
    const back = await fill(browser, page, 'on.the.page@example.com', '+4930777888')
    expect((await redeem(configuration, back, begun)).claims()).toMatchObject({
      ...{ email: 'on.the.page@example.com', email_verified: true },
      ...{ phone_number: '+4930777888', phone_number_verified: false },
    })
    const known = await arrive()
    const end = await fill(known.browser, known.page, `${known.username}@example.com`, '+4930777889')
    expect((await redeem(configuration, end, known.begun)).claims()?.sub).toBe(known.id)
  })

  test('R-33 R-27 the page works only in this browser, for the user whose password was verified', async () => {
    await requireAtSignUp('email')
    const { browser, page } = await arrive()
    const forged = { method: 'POST', body: new URLSearchParams({ identifier: 'mallory@example.com' }) }
    expect((await browser.open(page.url, forged)).status).toBe(400)
    expect((await newBrowser().open(page.url)).status).toBe(400)
    const fresh = newBrowser()
    const at = await fresh.open((await begin(configuration)).url)
    const early = await fresh.open(at.url.href.replace('/sign-in/', '/complete-profile/'))
    expect(early.url.pathname).toMatch(/^\/sign-in\//)
  })
})
