/** A forgotten password through the Experience API: everything but the code that says whose it is. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { codeIn, connectMailServer, type MailServer } from '../management/mail.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, signIn } from '../sign-in/arrange.ts'
import { eventsSince, type OwnPage, openPage } from './arrange.ts'

let server: TestServer
let mail: MailServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  configuration = (await createApp(server)).configuration
  mail = await connectMailServer(server)
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

const told = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
const choose = (page: OwnPage, password: string) => page.call('PUT', '/profile/password', { password })

const owner = async () => {
  const user = await createUser(server)
  const primaryEmail = `${user.username}@example.com`
  await server.api('PATCH', `/users/${user.id}`, { primaryEmail })
  return { ...user, email: primaryEmail }
}
const emailed = (value: string) => ({ type: 'email', value })
const sendTo = (page: OwnPage, value: string, interactionEvent = 'ForgotPassword') =>
  page.sendCode(value, interactionEvent)

/** Proves by a mailed code that this interaction is the user's. */
const identified = async (page: OwnPage, email: string) => {
  const before = mail.mails.length
  const { body } = await sendTo(page, email)
  await mail.got(before + 1)
  const code = codeIn(mail)
  expect((await page.bringCode(email, body.verificationId, code)).body).toEqual(body)
  expect((await page.call('POST', '/identification', body)).status).toBe(204)
  return { ...body, code } as { verificationId: string; code: string }
}

describe('a forgotten password', () => {
  test('is offered as soon as a connector can send codes', async () => {
    const answer = await fetch(`${server.baseUrl}/api/.well-known/sign-in-exp`)
    expect(await answer.json()).toMatchObject({ forgotPassword: { email: true, phone: false } })
    const phone = await server.api('PATCH', '/sign-in-exp', { forgotPasswordMethods: ['PhoneVerificationCode'] })
    expect(told(phone)).toEqual([400, 'sign_in_experiences.forgot_password_method_requires_connector'])
  })

  test('sends mail in the language of the caller', async () => {
    const { email } = await owner()
    const page = await openPage(server, configuration)
    await page.start('ForgotPassword')
    const before = mail.mails.length
    const request = { identifier: emailed(email), interactionEvent: 'ForgotPassword' }
    await page.call('POST', '/verification/verification-code', request, {
      'accept-language': 'sv, de-CH;q=0.8, en;q=0.5',
    })
    await mail.got(before + 1)
    expect(mail.mails.at(-1)?.subject).toBe('Ihr Code für ein neues Passwort')
  })

  test('cannot be replaced without identification', async () => {
    const user = await createUser(server)
    const page = await openPage(server, configuration)
    expect((await page.start('ForgotPassword')).status).toBe(204)
    expect(told(await choose(page, 'a wholly new phrase'))).toEqual([404, 'session.identifier_not_found'])
    expect(told(await page.call('POST', '/submit'))).toEqual([404, 'session.identifier_not_found'])
    expect(told(await page.verify(user.username))).toEqual([400, 'session.invalid_interaction_type'])
    expect(told(await page.call('POST', '/profile', { type: 'password', value: 'a wholly new phrase' }))).toEqual([
      400,
      'session.not_supported_for_forgot_password',
    ])
    expect(told(await page.call('PUT', '/interaction-event', { interactionEvent: 'SignIn' }))).toEqual([
      400,
      'session.not_supported_for_forgot_password',
    ])
  })

  test('is replaced by a new one that the policy allows; sessions and tokens end, and no user is signed in', async () => {
    const user = await owner()
    const elsewhere = newBrowser()
    await signIn(elsewhere, await begin(configuration), user.username)
    const { cursor } = await eventsSince(server)
    const page = await openPage(server, configuration)
    await page.start('ForgotPassword')
    await identified(page, user.email)
    expect(told(await page.call('POST', '/submit'))).toEqual([422, 'user.new_password_required_in_profile'])
    expect(told(await choose(page, 'short'))).toEqual([422, 'password.rejected'])
    expect(told(await choose(page, user.username))).toEqual([422, 'password.rejected'])
    expect(told(await choose(page, PASSWORD))).toEqual([422, 'user.same_password'])
    expect((await choose(page, 'a wholly new phrase')).status).toBe(204)
    const { rows } = await server.store.database.pool.query('SELECT state::text FROM interactions')
    expect(rows.map(({ state }) => state).join()).not.toContain('wholly new')
    const submitted = await page.call('POST', '/submit')
    expect([submitted.status, submitted.body, submitted.headers.getSetCookie()]).toEqual([200, {}, []])
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['User.Data.Updated', 'PostResetPassword'])
    expect(events[1]).toMatchObject({ userId: user.id, interactionEvent: 'ForgotPassword' })
    const silent = await elsewhere.open((await begin(configuration, { prompt: 'none' })).url)
    expect(silent.url.searchParams.get('error')).toBe('login_required')
    expect(told(await page.call('POST', '/submit'))).toEqual([404, 'session.interaction_not_found'])
    // the same interaction goes on with a sign-in
    expect((await page.signIn(user.username, 'a wholly new phrase')).status).toBe(200)
    expect((await signIn(newBrowser(), await begin(configuration), user.username)).status).toBe(422)
  })

  test('a code is for one address, purpose and interaction, and single use', async () => {
    const [user, another] = [await owner(), await owner()]
    const page = await openPage(server, configuration)
    expect(told(await sendTo(page, user.email))).toEqual([404, 'session.interaction_not_found'])
    await page.start('ForgotPassword')
    expect(told(await sendTo(page, user.email, 'SignIn'))).toEqual([422, 'user.sign_in_method_not_enabled'])
    expect(told(await sendTo(page, user.email, 'Register'))).toEqual([422, 'user.sign_up_method_not_enabled'])
    expect(told(await sendTo(page, 'no address'))).toEqual([400, 'user.invalid_email'])
    const phone = { identifier: { type: 'phone', value: '15551234567' }, interactionEvent: 'ForgotPassword' }
    expect(told(await page.call('POST', '/verification/verification-code', phone))).toEqual([
      501,
      'connector.not_found',
    ])
    const before = mail.mails.length
    const { body } = await sendTo(page, user.email)
    await mail.got(before + 1)
    const code = codeIn(mail)
    const shown = await page.call('GET', '/interaction')
    expect(shown.body.verificationRecords).toEqual([
      {
        id: body.verificationId,
        type: 'EmailVerificationCode',
        identifier: emailed(user.email),
        verified: false,
        templateType: 'ForgotPassword',
      },
    ])
    expect(JSON.stringify(shown.body)).not.toContain(code)
    expect(told(await page.call('POST', '/identification', body))).toEqual([400, 'session.verification_failed'])
    expect(told(await page.bringCode(another.email, body.verificationId, code))).toEqual([
      400,
      'verification_code.email_mismatch',
    ])
    const other = await openPage(server, configuration)
    await other.start('ForgotPassword')
    expect(told(await other.bringCode(user.email, body.verificationId, code))).toEqual([
      400,
      'verification_code.not_found',
    ])
    const together = await Promise.all(
      Array.from({ length: 10 }, () => page.bringCode(user.email, body.verificationId, code)),
    )
    expect(together.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(told(await page.bringCode(user.email, body.verificationId, code))).toEqual([
      400,
      'verification_code.not_found',
    ])
  })
})
