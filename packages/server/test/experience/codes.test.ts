/** Codes by mail and text message as the first factor (DECISIONS L3): sign-in, registration, another address, reset. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connectMessages, type Messages } from '../management/texts.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem } from '../sign-in/arrange.ts'
import type { Page } from '../sign-in/browser.ts'
import { eventsSince, type OwnPage, openPage } from './arrange.ts'

let server: TestServer
let node: Awaited<ReturnType<TestServer['startNode']>>
let messages: Messages
let configuration: client.Configuration
const way = (identifier: string, verificationCode = true, isPasswordPrimary = false) => ({
  ...{ identifier, password: identifier === 'username' || isPasswordPrimary, verificationCode, isPasswordPrimary },
})
const BY_CODE = {
  signIn: { methods: [way('username', false, true), way('email'), way('phone')] },
  signUp: { identifiers: ['email', 'phone'], password: false, verify: true },
}
const set = async (settings: object) => expect((await server.api('PATCH', '/sign-in-exp', settings)).status).toBe(200)
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '0', ADDRESS_SENDS: '0' })
  node = await server.startNode()
  configuration = (await createApp(server)).configuration
  messages = await connectMessages(server)
  await set(BY_CODE)
})
afterAll(async () => {
  await node.close()
  await server.close()
  await messages.close()
})

const told = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
let count = 0
const fresh = (type: 'email' | 'phone') => {
  count += 1
  return type === 'email' ? `person${count}@example.com` : `4930231${25000 + count}`
}
const FIELD = { email: 'primaryEmail', phone: 'primaryPhone' } as const
const create = async (type: 'email' | 'phone') => {
  const value = fresh(type)
  const { body } = await server.api('POST', '/users', { [FIELD[type]]: value })
  return { id: body.id as string, value }
}
const send = (page: OwnPage, type: string, value: string, interactionEvent = 'SignIn') =>
  page.call('POST', '/verification/verification-code', { identifier: { type, value }, interactionEvent })
const bring = (page: OwnPage, type: string, value: string, verificationId: string, code: string) =>
  page.call('POST', '/verification/verification-code/verify', { identifier: { type, value }, verificationId, code })
/** Sends a code and brings it back; returns the id of the record. */
const verified = async (page: OwnPage, type: string, value: string, event = 'SignIn'): Promise<string> => {
  const before = messages.codesTo(value).length
  const { status, body } = await send(page, type, value, event)
  expect(status).toBe(200)
  const code = await messages.codeTo(value, before + 1)
  expect(await bring(page, type, value, body.verificationId, code)).toMatchObject({ status: 200, body })
  return body.verificationId
}
const begun = async (event: 'SignIn' | 'Register' | 'ForgotPassword' = 'SignIn') => {
  const page = await openPage(server, configuration)
  expect((await page.start(event)).status).toBe(204)
  return page
}
const identify = (page: OwnPage, verificationId: string) => page.call('POST', '/identification', { verificationId })
const claimsOf = async (page: OwnPage, redirectTo: string) =>
  (await redeem(configuration, await page.browser.open(redirectTo), page.begun)).claims()
const problemOf = ({ text }: Page) => /id="problem">([^<]*)</.exec(text)?.[1]
const linkOf = ({ text }: Page, id: string) =>
  new URL(new RegExp(`id="${id}" href="([^"]+)"`).exec(text)?.[1] ?? '', server.baseUrl)

describe.each([
  ['email', 'EmailVerificationCode', ['otp'], 'email_verified_at'],
  ['phone', 'PhoneVerificationCode', ['sms'], 'phone_verified_at'],
] as const)('a code by %s', (type, record, amr, column) => {
  const verifiedAt = async (id: string) =>
    (await server.store.database.pool.query(`SELECT ${column} AS at FROM users WHERE id = $1`, [id])).rows[0]?.at

  test('signs in, and verifies the address', async () => {
    const { id, value } = await create(type)
    const page = await begun()
    const verificationId = await verified(page, type, value)
    expect((await page.call('GET', '/interaction')).body.verificationRecords).toEqual([
      { id: verificationId, type: record, identifier: { type, value }, templateType: 'SignIn', verified: true },
    ])
    expect((await identify(page, verificationId)).status).toBe(204)
    const { cursor } = await eventsSince(server)
    const { body } = await page.call('POST', '/submit')
    expect(await claimsOf(page, body.redirectTo)).toMatchObject({ sub: id, amr })
    expect(await verifiedAt(id)).toEqual(server.clock.now())
    expect((await eventsSince(server, cursor)).events.map(({ event }) => event)).toEqual(['PostSignIn'])
  })

  test('registers, and is for no account that has the address', async () => {
    const value = fresh(type)
    const page = await begun('Register')
    const verificationId = await verified(page, type, value, 'Register')
    expect((await identify(page, verificationId)).status).toBe(201)
    const { body } = await page.call('POST', '/submit')
    const claims = await claimsOf(page, body.redirectTo)
    expect(claims).toMatchObject({ amr })
    expect(await verifiedAt(claims?.sub ?? '')).toEqual(server.clock.now())
    const again = await begun('Register')
    const taken = await identify(again, await verified(again, type, value, 'Register'))
    expect(told(taken)).toEqual([422, `user.${type}_already_in_use`])
    // nor does it sign in
    await again.call('PUT', '/interaction-event', { interactionEvent: 'SignIn' })
    const [kept] = (await again.call('GET', '/interaction')).body.verificationRecords
    expect(told(await identify(again, kept.id))).toEqual([400, 'session.verification_failed'])
  })

  test('to sign in to no account registers one', async () => {
    const value = fresh(type)
    const page = await begun()
    const verificationId = await verified(page, type, value)
    expect(told(await identify(page, verificationId))).toEqual([404, 'user.user_not_exist'])
    await page.call('PUT', '/interaction-event', { interactionEvent: 'Register' })
    expect((await identify(page, verificationId)).status).toBe(201)
    const { body } = await page.call('POST', '/submit')
    expect(await claimsOf(page, body.redirectTo)).toMatchObject({ amr })
  })

  test('is added to an account without one', async () => {
    const { id, username } = await createUser(server)
    const page = await begun()
    const { body } = await page.verify(username)
    await page.call('POST', '/identification', body)
    const value = fresh(type)
    const verificationId = await verified(page, type, value)
    expect((await page.call('POST', '/profile', { type, verificationId })).status).toBe(204)
    expect((await page.call('POST', '/submit')).status).toBe(200)
    expect((await server.api('GET', `/users/${id}`)).body[FIELD[type]]).toBe(value)
    expect(await verifiedAt(id)).toEqual(server.clock.now())
    const other = await begun()
    const { body: proved } = await other.verify(username)
    await other.call('POST', '/identification', proved)
    expect(told(await send(other, type, fresh(type)))).toEqual([422, `user.${type}_exists_in_profile`])
  })

  test('replaces a forgotten password', async () => {
    const { value } = await create(type)
    const page = await begun('ForgotPassword')
    expect((await identify(page, await verified(page, type, value, 'ForgotPassword'))).status).toBe(204)
    expect((await page.call('PUT', '/profile/password', { password: 'another fine phrase' })).status).toBe(204)
    expect((await page.call('POST', '/submit')).status).toBe(200)
  })

  test('is for one address, and of one interaction', async () => {
    const [one, other] = [await create(type), await create(type)]
    const page = await begun()
    const { body } = await send(page, type, one.value)
    const code = await messages.codeTo(one.value)
    const mismatch = await bring(page, type, other.value, body.verificationId, code)
    expect(told(mismatch)).toEqual([400, `verification_code.${type}_mismatch`])
    const elsewhere = await bring(await begun(), type, one.value, body.verificationId, code)
    expect(told(elsewhere)).toEqual([400, 'verification_code.not_found'])
    // the proof is void when the account has another address by then
    expect((await bring(page, type, one.value, body.verificationId, code)).status).toBe(200)
    expect((await identify(page, body.verificationId)).status).toBe(204)
    await server.api('PATCH', `/users/${one.id}`, { [FIELD[type]]: fresh(type) })
    expect(told(await page.call('POST', '/submit'))).toEqual([422, 'session.invalid_credentials'])
  })

  test('R-1 of 50 concurrent uses on two nodes, one succeeds', async () => {
    const { value } = await create(type)
    const page = await begun()
    const { body } = await send(page, type, value)
    const code = await messages.codeTo(value)
    const pages = [page, page.through(node.url)]
    const uses = Array.from({ length: 50 }, (_, index) =>
      bring(pages[index % 2] ?? page, type, value, body.verificationId, code),
    )
    const answers = await Promise.all(uses)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body: each }) => each.code))).toEqual(
      new Set(['verification_code.not_found']),
    )
  })

  test.each(['SignIn', 'Register', 'ForgotPassword'] as const)(
    'for %s goes ten times in ten minutes to one address, and the eleventh is told of',
    async (event) => {
      const { value } = await create(type)
      const page = await begun(event)
      for (let sent = 0; sent < 10; sent += 1) expect((await send(page, type, value, event)).status).toBe(200)
      const { cursor } = await eventsSince(server)
      expect(told(await send(page, type, value, event))).toEqual([429, 'request.message_rate_limited'])
      const { events } = await eventsSince(server, cursor)
      expect(events).toMatchObject([{ event: 'Message.RateLimited', action: 'VerificationCodeSend', recipient: value }])
    },
  )
})

describe('responses do not reveal whether an account has an address', () => {
  const SIGN_IN_ONLY = { signInMode: 'SignIn' }
  test.each([
    ['SignIn', SIGN_IN_ONLY, 0],
    ['SignIn', {}, 1],
    ['ForgotPassword', {}, 0],
    ['Register', {}, 1],
  ] as const)('%s with %o: the same answer, and the same to a wrong code', async (event, settings, sent) => {
    await set(settings)
    const known = await create('email')
    const suspended = await create('email')
    await server.api('PATCH', `/users/${suspended.id}/is-suspended`, { isSuspended: true })
    const unknown = fresh('email')
    const answers = []
    for (const value of [known.value, unknown, suspended.value]) {
      const page = await begun(event)
      const { status, headers, body } = await send(page, 'email', value, event)
      const wrong = await bring(page, 'email', value, body.verificationId, 'abcdef')
      answers.push([status, Object.keys(body), [...headers.keys()].sort(), told(wrong)])
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(await messages.codeTo(known.value)).toMatch(/^\d{6}$/)
    // messages leave in turn: this one would have left before
    await expect.poll(() => messages.codesTo(unknown).length).toBe(sent)
    await set({ signInMode: 'SignInAndRegister' })
  })
})

describe('on the pages', () => {
  const arrive = async (parameters: Record<string, string> = {}) => {
    const [browser, at] = [newBrowser(), await begin(configuration, { scope: 'openid email phone', ...parameters })]
    return { browser, at, page: await browser.open(at.url) }
  }

  test('a name is enough for a code, which signs in; another is sent after a minute', async () => {
    const { id, value } = await create('email')
    const { browser, at, page } = await arrive()
    expect(page.text).not.toContain('id="password"')
    const sent = await browser.submit(page, { identifier: value })
    expect(sent.url.pathname).toMatch(/^\/sign-in-code\//)
    expect(sent.text).toMatch(/id="code"[^>]*autocomplete="one-time-code" inputmode="numeric"/)
    const first = await messages.codeTo(value)
    const early = await browser.submit(sent, { again: 'again' })
    expect([early.status, problemOf(early)]).toEqual([429, 'You can request another code in 60 seconds.'])
    server.clock.advance(61)
    const again = await browser.submit(sent, { again: 'again' })
    expect(again.text).toContain('Another code is on its way.')
    const code = await messages.codeTo(value, 2)
    if (first !== code) expect((await browser.submit(again, { code: first })).status).toBe(422)
    const empty = await browser.submit(again, { code: '' })
    expect([empty.status, problemOf(empty)]).toEqual([422, 'Fill in every field.'])
    const tokens = await redeem(configuration, await browser.submit(again, { code }), at)
    expect(tokens.claims()).toMatchObject({ sub: id, amr: ['otp'], email_verified: true })
  })

  test('an address that no account has can be registered with the same code', async () => {
    const value = fresh('phone')
    const { browser, at, page } = await arrive()
    const sent = await browser.submit(page, { identifier: `+${value}` })
    expect(sent.text).toContain(`+${value}`)
    const unknown = await browser.submit(sent, { code: await messages.codeTo(value) })
    expect(unknown.text).toContain(`no account has +${value}`)
    const tokens = await redeem(configuration, await browser.submit(unknown, { register: 'register' }), at)
    expect(tokens.claims()).toMatchObject({ phone_number: `+${value}`, phone_number_verified: true, amr: ['sms'] })
  })

  test('sign-up asks for no password', async () => {
    const value = fresh('phone')
    const { browser, at, page } = await arrive()
    const form = await browser.open(linkOf(page, 'register'))
    expect(form.text).not.toContain('id="password"')
    const sent = await browser.submit(form, { identifier: value })
    expect(sent.text).toContain('Confirm your phone number')
    const tokens = await redeem(configuration, await browser.submit(sent, { code: await messages.codeTo(value) }), at)
    expect(tokens.claims()).toMatchObject({ phone_number_verified: true })
  })

  test('a name with only a password is asked for it', async () => {
    const { username } = await createUser(server)
    const { browser, at, page } = await arrive()
    const asked = await browser.submit(page, { identifier: username })
    expect([asked.status, problemOf(asked)]).toEqual([200, undefined])
    expect(asked.text).toMatch(new RegExp(`value="${username}"[^]*id="password"[^]*id="use-code"`))
    const none = await browser.submit(asked, { identifier: username, password: '', action: 'code' })
    expect([none.status, problemOf(none)]).toEqual([422, 'No code can be sent to that name. Enter your password.'])
    const form = await browser.open(linkOf(page, 'use-password'))
    const back = await browser.submit(form, { identifier: username, password: PASSWORD })
    // sign-up wants an address, which is verified here too
    expect(back.url.pathname).toMatch(/^\/complete-profile\//)
    const value = fresh('phone')
    const sent = await browser.submit(back, { identifier: value })
    const tokens = await redeem(configuration, await browser.submit(sent, { code: await messages.codeTo(value) }), at)
    expect(tokens.claims()).toMatchObject({ phone_number_verified: true, amr: ['pwd'] })
  })

  test('where the password comes first, a button sends a code', async () => {
    await set({ signIn: { methods: [way('email', true, true)] }, signUp: { identifiers: ['email'], password: true } })
    const { id, value } = await create('email')
    await server.api('PATCH', `/users/${id}/password`, { password: PASSWORD })
    const { browser, at, page } = await arrive()
    expect(page.text).toContain('id="password"')
    const missing = await browser.submit(page, { identifier: value, password: '' })
    expect([missing.status, problemOf(missing)]).toEqual([422, 'Fill in every field.'])
    const sent = await browser.submit(page, { identifier: value, password: '', action: 'code' })
    const tokens = await redeem(configuration, await browser.submit(sent, { code: await messages.codeTo(value) }), at)
    expect(tokens.claims()).toMatchObject({ sub: id, amr: ['otp'] })
    // sign-up wants a password, which an account that was created without one lacks
    const other = await create('email')
    const without = await arrive()
    const mailed = await without.browser.submit(without.page, { identifier: other.value, password: '', action: 'code' })
    const asked = await without.browser.submit(mailed, { code: await messages.codeTo(other.value) })
    expect(asked.url.pathname).toMatch(/^\/complete-profile\//)
    const weak = await without.browser.submit(asked, { password: '12345678' })
    expect([weak.status, weak.url.pathname]).toEqual([422, asked.url.pathname])
    const empty = await without.browser.submit(asked, { password: '' })
    expect([empty.status, problemOf(empty)]).toEqual([422, 'Fill in every field.'])
    const done = await without.browser.submit(weak, { password: PASSWORD })
    expect((await redeem(configuration, done, without.at)).claims()).toMatchObject({ sub: other.id })
    expect((await server.api('GET', `/users/${other.id}/has-password`)).body).toEqual({ hasPassword: true })
    await set(BY_CODE)
  })

  test('a forgotten password is replaced by a code to a number', async () => {
    const { value } = await create('phone')
    const { browser, page } = await arrive()
    const form = await browser.open(new URL(page.url.href.replace('/sign-in/', '/forgot-password/')))
    expect(form.text).toContain('Email address or phone number')
    const sent = await browser.submit(form, { identifier: value })
    const code = await messages.codeTo(value)
    const done = await browser.submit(sent, { code, password: 'another fine phrase' })
    expect(done.text).toContain('Your password was changed.')
  })
})
