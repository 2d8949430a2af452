/** Codes by email and text message as a second factor (DECISIONS O1): for users who have the address, or who add it. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { eventsSince, type OwnPage, openPage } from '../experience/arrange.ts'
import { connectMessages, type Messages } from '../management/texts.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem } from '../sign-in/arrange.ts'
import type { Page } from '../sign-in/browser.ts'
import { addTotp, identifyBy, told, useFactors } from './arrange.ts'

let server: TestServer
let node: Awaited<ReturnType<TestServer['startNode']>>
let messages: Messages
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '0', ADDRESS_SENDS: '0' })
  node = await server.startNode()
  configuration = (await createApp(server)).configuration
  messages = await connectMessages(server)
})
afterAll(async () => {
  await node.close()
  await server.close()
  await messages.close()
})

const FACTORS = ['Totp', 'PhoneVerificationCode', 'EmailVerificationCode'] as const
let count = 0
/** A user with an address and a number. */
const person = async (fields: readonly string[] = ['primaryEmail', 'primaryPhone']) => {
  const user = await createUser(server)
  count += 1
  const all = { primaryEmail: `factor${count}@example.com`, primaryPhone: `4930231${25000 + count}` }
  const has = Object.fromEntries(fields.map((field) => [field, all[field as keyof typeof all]]))
  await server.api('PATCH', `/users/${user.id}`, has)
  return { ...user, ...all }
}
const identified = async (username: string) => {
  const page = await openPage(server, configuration)
  await identifyBy(page, username)
  return page
}
const send = (page: OwnPage, identifierType: string) =>
  page.call('POST', '/verification/mfa-verification-code', { identifierType })
const bring = (page: OwnPage, identifierType: string, verificationId: string, code: string) =>
  page.call('POST', '/verification/mfa-verification-code/verify', { verificationId, code, identifierType })
const submit = (page: OwnPage) => page.call('POST', '/submit')
const claimsOf = async (page: OwnPage, redirectTo: string) =>
  (await redeem(configuration, await page.browser.open(redirectTo), page.begun)).claims()
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('a user who has the address', () => {
  test.each([
    ['email', 'MfaEmailVerificationCode', ['pwd', 'otp', 'mfa']],
    ['phone', 'MfaPhoneVerificationCode', ['pwd', 'sms', 'mfa']],
  ] as const)('is asked for a code by %s, which is sent there alone', async (type, record, amr) => {
    await useFactors(server, FACTORS)
    const user = await person()
    const page = await identified(user.username)
    const asked = await submit(page)
    expect(asked).toMatchObject({
      status: 403,
      body: {
        code: 'session.mfa.require_mfa_verification',
        data: {
          availableFactors: ['PhoneVerificationCode', 'EmailVerificationCode'],
          maskedIdentifiers: {
            EmailVerificationCode: expect.stringMatching(/^fa\*{4}@example\.com$/),
            PhoneVerificationCode: `****${user.primaryPhone.slice(-4)}`,
          },
        },
      },
    })
    const { body } = await send(page, type === 'email' ? 'Email' : type)
    const code = await messages.codeTo(type === 'email' ? user.primaryEmail : user.primaryPhone)
    expect(told(await bring(page, type, body.verificationId, wrong(code)))).toEqual([
      400,
      'verification_code.code_mismatch',
    ])
    expect(await bring(page, type, body.verificationId, code)).toMatchObject({ status: 200, body })
    expect((await page.call('GET', '/interaction')).body.verificationRecords).toContainEqual(
      expect.objectContaining({
        id: body.verificationId,
        type: record,
        templateType: 'MfaVerification',
        verified: true,
      }),
    )
    const done = await submit(page)
    expect(await claimsOf(page, done.body.redirectTo)).toMatchObject({ sub: user.id, amr })
  })

  test('cannot use a code sent to the address that they signed in with, nor a code for another purpose', async () => {
    const user = await person(['primaryEmail'])
    await useFactors(server, ['PhoneVerificationCode', 'Totp'], 'Mandatory')
    const method = { identifier: 'email', password: false, verificationCode: true, isPasswordPrimary: false }
    const { body: before } = await server.api('GET', '/sign-in-exp')
    await server.api('PATCH', '/sign-in-exp', { signIn: { methods: [...before.signIn.methods, method] } })
    const refused = await server.api('PATCH', '/sign-in-exp', {
      mfa: { factors: ['EmailVerificationCode'], policy: 'NoPrompt' },
    })
    expect(told(refused)).toEqual([400, 'sign_in_experiences.email_verification_code_cannot_be_used_for_mfa'])
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    const { body } = await page.sendCode(user.primaryEmail)
    await page.bringCode(user.primaryEmail, body.verificationId, await messages.codeTo(user.primaryEmail))
    expect((await page.call('POST', '/identification', body)).status).toBe(204)
    expect(told(await send(page, 'email'))).toEqual([400, 'session.mfa.mfa_factor_not_enabled'])
    expect(told(await bring(page, 'email', body.verificationId, '000000'))).toEqual([
      400,
      'verification_code.not_found',
    ])
    expect(told(await submit(page))).toEqual([422, 'user.missing_mfa'])
    await server.api('PATCH', '/sign-in-exp', { signIn: before.signIn })
  })

  test('has its own count of failures, which the right password does not reset', async () => {
    await useFactors(server, FACTORS)
    const user = await person()
    for (let failed = 0; failed < 10; failed += 1) {
      // a new interaction each time, with the right password
      const page = await identified(user.username)
      const { body } = await send(page, 'email')
      const code = await messages.codeTo(user.primaryEmail, failed + 1)
      expect(told(await bring(page, 'email', body.verificationId, wrong(code)))).toEqual([
        400,
        'verification_code.code_mismatch',
      ])
      server.clock.advance(61)
    }
    const page = await identified(user.username)
    const locked = [400, 'session.verification_blocked_too_many_attempts']
    expect(told(await send(page, 'email'))).toEqual(locked)
    expect(told(await send(page, 'phone'))).toEqual(locked)
    // this factor only
    expect(told(await submit(page))).toEqual([403, 'session.mfa.require_mfa_verification'])
    server.clock.advance(15 * 60)
    expect((await send(await identified(user.username), 'email')).status).toBe(200)
  })

  test('R-1 of 50 concurrent uses of a code on two nodes, one succeeds', async () => {
    await useFactors(server, FACTORS)
    const user = await person()
    const page = await identified(user.username)
    const { body } = await send(page, 'phone')
    const code = await messages.codeTo(user.primaryPhone)
    const pages = [page, page.through(node.url)]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => bring(pages[index % 2] ?? page, 'phone', body.verificationId, code)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('R-27 whose address has changed cannot use a code sent to the old one', async () => {
    await useFactors(server, FACTORS)
    const user = await person()
    const page = await identified(user.username)
    const { body } = await send(page, 'email')
    expect((await bring(page, 'email', body.verificationId, await messages.codeTo(user.primaryEmail))).status).toBe(200)
    await server.api('PATCH', `/users/${user.id}`, { primaryEmail: `new.${user.primaryEmail}` })
    expect(told(await submit(page))).toEqual([403, 'session.mfa.require_mfa_verification'])
  })

  test('gets ten messages in ten minutes; the eleventh is refused and reported', async () => {
    await useFactors(server, FACTORS)
    const user = await person()
    const page = await identified(user.username)
    for (let sent = 0; sent < 10; sent += 1) expect((await send(page, 'email')).status).toBe(200)
    const { cursor } = await eventsSince(server)
    expect(told(await send(page, 'email'))).toEqual([429, 'request.message_rate_limited'])
    const { events } = await eventsSince(server, cursor)
    expect(events).toMatchObject([{ event: 'Message.RateLimited', recipient: user.primaryEmail }])
  })

  test('verifies one before another factor is added', async () => {
    await useFactors(server, FACTORS)
    const user = await person(['primaryEmail'])
    const page = await identified(user.username)
    expect(told(await page.call('POST', '/verification/totp/secret'))).toEqual([
      403,
      'session.mfa.require_mfa_verification',
    ])
    const { body } = await send(page, 'email')
    await bring(page, 'email', body.verificationId, await messages.codeTo(user.primaryEmail))
    await addTotp(page)
    expect((await submit(page)).status).toBe(200)
  })
})

describe('a user without an address', () => {
  test.each(['email', 'phone'] as const)('adds one by %s where a factor is required, and is told', async (type) => {
    const factor = type === 'email' ? 'EmailVerificationCode' : 'PhoneVerificationCode'
    await useFactors(server, [factor], 'Mandatory')
    const user = await person(type === 'email' ? [] : ['primaryEmail'])
    const tellOwners = (enabled: boolean) => server.api('PATCH', '/sign-in-exp', { ownerNotices: { enabled } })
    await tellOwners(true)
    const { pool } = server.store.database
    await pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1 AND primary_email IS NOT NULL', [
      user.id,
    ])
    const value = type === 'email' ? user.primaryEmail : user.primaryPhone
    const page = await identified(user.username)
    expect(await submit(page)).toMatchObject({
      status: 422,
      body: { code: 'user.missing_mfa', data: { availableFactors: [factor] } },
    })
    const asked = { identifier: { type, value }, interactionEvent: 'SignIn' }
    const { body } = await page.call('POST', '/verification/verification-code', asked)
    const code = await messages.codeTo(value)
    const verification = { identifier: { type, value }, verificationId: body.verificationId, code }
    await page.call('POST', '/verification/verification-code/verify', verification)
    expect((await page.call('POST', '/profile/mfa', { type: factor, ...body })).status).toBe(204)
    const done = await submit(page)
    const means = type === 'email' ? 'otp' : 'sms'
    expect(await claimsOf(page, done.body.redirectTo)).toMatchObject({ amr: ['pwd', means, 'mfa'] })
    const { body: kept } = await server.api('GET', `/users/${user.id}`)
    expect(kept[type === 'email' ? 'primaryEmail' : 'primaryPhone']).toBe(value)
    // at the address before: the new one, which only gets the code, has no say in it
    const mails = () => messages.mails.filter(({ recipients }) => recipients.includes(user.primaryEmail))
    const expected = type === 'email' ? code : 'The phone number of your account'
    await expect.poll(() => mails().map(({ text }) => text), { timeout: 60_000 }).toHaveLength(1)
    expect(mails()[0]?.text).toContain(expected)
    await tellOwners(false)
  })

  test('is also offered stronger factors once the address is a factor', async () => {
    await useFactors(server, ['Totp', 'EmailVerificationCode'], 'PromptOnlyAtSignIn')
    const user = await person(['primaryEmail'])
    const page = await identified(user.username)
    const { body } = await send(page, 'email')
    await bring(page, 'email', body.verificationId, await messages.codeTo(user.primaryEmail))
    expect(await submit(page)).toMatchObject({
      status: 422,
      body: { code: 'session.mfa.suggest_additional_mfa', data: { availableFactors: ['Totp'], skippable: true } },
    })
    expect((await page.call('POST', '/profile/mfa/mfa-suggestion-skipped')).status).toBe(204)
    expect((await submit(page)).status).toBe(200)
  })
})

describe('on the pages', () => {
  const arrive = async (username: string) => {
    const [browser, at] = [newBrowser(), await begin(configuration)]
    const page = await browser.submit(await browser.open(at.url), { identifier: username, password: PASSWORD })
    return { browser, at, page }
  }
  const linkOf = ({ text }: Page, id: string) =>
    new URL((new RegExp(`id="${id}" href="([^"]+)"`).exec(text)?.[1] ?? '').replaceAll('&amp;', '&'), server.baseUrl)

  test('the code of the first factor is sent; the user chooses another method, which shows the address masked', async () => {
    await useFactors(server, ['PhoneVerificationCode', 'EmailVerificationCode'])
    const user = await person()
    const { browser, at, page } = await arrive(user.username)
    expect(page.url.pathname).toMatch(/^\/second-factor\//)
    expect(page.text).toContain(`****${user.primaryPhone.slice(-4)}`)
    expect(page.text).not.toContain(user.primaryPhone)
    await messages.codeTo(user.primaryPhone)
    const other = await browser.open(linkOf(page, 'factor-EmailVerificationCode'))
    expect(other.text).toContain('We will send a code to fa****@example.com.')
    expect(messages.codesTo(user.primaryEmail)).toEqual([])
    const sent = await browser.submit(other, { send: 'send' })
    const code = await messages.codeTo(user.primaryEmail)
    const refused = await browser.submit(sent, { code: wrong(code) })
    expect([refused.status, refused.text.includes('That code is incorrect.')]).toEqual([422, true])
    expect((await browser.submit(sent, { again: 'again' })).status).toBe(429)
    const tokens = await redeem(configuration, await browser.submit(sent, { code }), at)
    expect(tokens.claims()).toMatchObject({ sub: user.id, amr: ['pwd', 'otp', 'mfa'] })
  })

  test('a required address is added', async () => {
    await useFactors(server, ['PhoneVerificationCode', 'EmailVerificationCode'], 'Mandatory')
    const user = await person([])
    const { browser, at, page } = await arrive(user.username)
    const form = await browser.submit(page, { factor: 'EmailVerificationCode' })
    expect(form.url.pathname).toMatch(/^\/set-up-address\//)
    const none = await browser.submit(form, { identifier: 'nothing' })
    expect(none.status).toBe(422)
    const sent = await browser.submit(form, { identifier: user.primaryEmail })
    const code = await messages.codeTo(user.primaryEmail)
    expect((await browser.submit(sent, { code: wrong(code) })).status).toBe(422)
    const tokens = await redeem(configuration, await browser.submit(sent, { code }), at)
    expect(tokens.claims()).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] })
  })
})
