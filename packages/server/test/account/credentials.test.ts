/** The Account API: password, email address and phone number of one's own, and the codes that prove them (DECISIONS T4, T5). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { eventsSince } from '../experience/arrange.ts'
import { useFactors } from '../factors/arrange.ts'
import { connectMessages, type Messages } from '../management/texts.ts'
import { createApp } from '../sign-in/arrange.ts'
import {
  call,
  EVERY_FIELD,
  newHolder,
  openAccountCenter,
  PASSWORD,
  proved,
  refusal,
  type SignedIn,
  signedIn,
} from './arrange.ts'

let server: TestServer
let messages: Messages
let appId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '0', ADDRESS_SENDS: '0' })
  appId = (await createApp(server, 'SPA')).id
  messages = await connectMessages(server)
})
beforeEach(async () => {
  await openAccountCenter(server)
  await server.api('PATCH', '/sign-in-exp', BY_NAME)
})
afterAll(async () => {
  await server.close()
  await messages.close()
})

const method = (identifier: string, password: boolean, verificationCode: boolean) => ({
  ...{ identifier, password, verificationCode, isPasswordPrimary: true },
})
const BY_NAME = {
  signIn: { methods: [method('username', true, false)] },
  signUp: { identifiers: ['username'], password: true, verify: false },
  emailBlocklistPolicy: {},
}
const ask = ({ token }: Pick<SignedIn, 'token'>, verb: string, path: string, body?: unknown, proof?: string) =>
  call(server, token, verb, path, body, proof)
const holder = (fields = {}) => newHolder(server, appId, fields)
const DENIED = [401, 'verification_record.permission_denied']
const NOT_VERIFIED = [400, 'verification_record.not_found']

let count = 0
const fresh = (type: 'email' | 'phone') => {
  count += 1
  return type === 'email' ? `holder${count}@example.com` : `4930231${26000 + count}`
}
const send = (by: SignedIn, type: string, value: string, templateType?: string) =>
  ask(by, 'POST', '/verifications/verification-code', {
    identifier: { type, value },
    ...(templateType === undefined ? {} : { templateType }),
  })
const bring = (by: SignedIn, type: string, value: string, verificationId: string, code: string) =>
  ask(by, 'POST', '/verifications/verification-code/verify', { identifier: { type, value }, verificationId, code })
/** Sends a code and brings it back; returns the verification. */
const verified = async (by: SignedIn, type: string, value: string, sent = 1): Promise<string> => {
  const { body } = await send(by, type, value)
  const answer = await bring(by, type, value, body.verificationRecordId, await messages.codeTo(value, sent))
  expect(answer.body).toEqual({ verificationRecordId: body.verificationRecordId })
  return body.verificationRecordId
}
const CODE_FACTOR = { email: 'EmailVerificationCode', phone: 'PhoneVerificationCode' } as const
const FIELD = { email: 'primaryEmail', phone: 'primaryPhone' } as const
const PATH = { email: '/my-account/primary-email', phone: '/my-account/primary-phone' } as const
const stored = async ({ userId }: SignedIn) => (await server.api('GET', `/users/${userId}`)).body

describe('POST /my-account/password', () => {
  const set = (by: SignedIn, password: string, proof?: string) =>
    ask(by, 'POST', '/my-account/password', { password }, proof)

  test('needs a proof, follows the policy, and ends every session but this one (DECISIONS F6)', async () => {
    const mine = await holder()
    const elsewhere = await signedIn(server, mine.userId, appId)
    expect(refusal(await set(mine, 'a new password'))).toEqual(DENIED)
    const proof = await proved(server, mine.token)
    expect(refusal(await set(mine, 'short', proof))).toEqual([422, 'password.rejected'])
    expect(refusal(await set(mine, PASSWORD, proof))).toEqual([422, 'user.same_password'])
    const { cursor } = await eventsSince(server)
    expect((await set(mine, 'a new password', proof)).status).toBe(204)
    expect((await eventsSince(server, cursor)).events.map(({ event }) => event)).toEqual(['User.Data.Updated'])
    expect((await ask(mine, 'GET', '/my-account')).status).toBe(200)
    expect((await ask(elsewhere, 'GET', '/my-account')).status).toBe(401)
    const { body: sessions } = await server.api('GET', `/users/${mine.userId}/sessions`)
    expect(sessions.sessions).toHaveLength(1)
    const attempt = (password: string) => ask(mine, 'POST', '/verifications/password', { password })
    expect((await attempt(PASSWORD)).status).toBe(422)
    expect((await attempt('a new password')).status).toBe(201)
    expect(refusal(await set(mine, 'yet another one', proof))).toEqual(DENIED)
  })

  test('R-27: takes from a new sign-in what it has proved: it was made with the old one', async () => {
    const mine = await holder()
    const { rowCount } = await server.store.database.pool.query(
      'UPDATE opaque_access_tokens SET step_up_at = $2 WHERE grant_id = $1',
      [mine.grantId, server.clock.now()],
    )
    expect(rowCount).toBe(1)
    expect((await set(mine, 'a new password', await proved(server, mine.token))).status).toBe(204)
    expect(refusal(await set(mine, 'yet another one'))).toEqual(DENIED)
  })

  test('R-13: is refused if the session of the token ends at that moment', async () => {
    const mine = await holder()
    const proof = await proved(server, mine.token)
    await withClient(server.databaseUrl, async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [mine.userId])
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
      const answer = set(mine, 'a new password', proof)
      const waiting = 'SELECT FROM pg_locks WHERE NOT granted AND $1::int = ANY (pg_blocking_pids(pid))'
      const isAwaited = async () => (await client.query(waiting, [rows[0].pid])).rowCount
      await expect.poll(isAwaited, { timeout: 60_000 }).toBeGreaterThan(0)
      // the grant stays, as one with offline_access does
      await client.query('UPDATE grants SET session_id = NULL WHERE id = $1', [mine.grantId])
      await client.query('DELETE FROM sessions WHERE id = $1', [mine.sessionId])
      await client.query('COMMIT')
      expect(refusal(await answer)).toEqual([401, 'auth.unauthorized'])
    })
    const { rows } = await server.store.database.pool.query('SELECT FROM grants WHERE id = $1', [mine.grantId])
    expect(rows).toHaveLength(1)
  })

  test('a grant that has outlived its session continues too', async () => {
    const { userId } = await holder()
    const mine = await signedIn(server, userId, appId, ['openid', 'profile', 'offline_access'])
    const { rows } = await server.store.database.pool.query(
      'UPDATE opaque_access_tokens SET session_id = NULL WHERE grant_id = $1 RETURNING grant_id',
      [mine.grantId],
    )
    expect(rows).toHaveLength(1)
    await server.api('DELETE', `/users/${userId}/sessions/${mine.sessionId}`)
    expect((await set(mine, 'a new password', await proved(server, mine.token))).status).toBe(204)
    expect((await ask(mine, 'GET', '/my-account')).status).toBe(200)
  })

  test('a user without a password needs a proof as well, and is not asked where the settings forbid it', async () => {
    const email = fresh('email')
    const bare = await holder({ password: undefined, primaryEmail: email })
    expect(refusal(await set(bare, 'a new password'))).toEqual(DENIED)
    const proof = await verified(bare, 'email', email)
    await openAccountCenter(server, { fields: { ...EVERY_FIELD, password: 'ReadOnly' } })
    expect(refusal(await set(bare, 'a new password', proof))).toEqual([400, 'account_center.field_not_editable'])
    await openAccountCenter(server)
    expect((await set(bare, 'a new password', proof)).status).toBe(204)
    expect(await stored(bare)).toMatchObject({ hasPassword: true })
  })
})

describe('a code', () => {
  test.each(['email', 'phone'] as const)('to the %s of one\u2019s own proves who one is, once', async (type) => {
    const value = fresh(type)
    const mine = await holder({ [FIELD[type]]: value })
    const { status, body } = await send(mine, type, value)
    expect([status, body.expiresAt]).toEqual([201, new Date(server.clock.now().getTime() + 600_000).toISOString()])
    const { verificationRecordId: id } = body
    const code = await messages.codeTo(value)
    const rename = () => ask(mine, 'PATCH', '/my-account', { username: `renamed${count}` }, id)
    expect(refusal(await rename())).toEqual(DENIED)
    const wrong = code === '111111' ? '222222' : '111111'
    expect(refusal(await bring(mine, type, value, id, wrong))).toEqual([400, 'verification_code.code_mismatch'])
    expect(refusal(await bring(mine, type, fresh(type), id, code))[1]).toMatch(/mismatch$/)
    expect((await bring(mine, type, value, id, code)).status).toBe(200)
    expect(refusal(await bring(mine, type, value, id, code))).toEqual(NOT_VERIFIED)
    expect((await rename()).status).toBe(200)
  })

  test('R-27: is brought by the user and in the grant that asked for it, and proves nothing if it was sent elsewhere', async () => {
    const value = fresh('email')
    const mine = await holder({ primaryEmail: value })
    const { verificationRecordId: id } = (await send(mine, 'email', value)).body
    const code = await messages.codeTo(value)
    for (const other of [await holder(), await signedIn(server, mine.userId, appId)])
      expect(refusal(await bring(other, 'email', value, id, code))).toEqual(NOT_VERIFIED)
    const attacker = await verified(mine, 'email', fresh('email'))
    const rename = { username: 'taken_over' }
    expect(refusal(await ask(mine, 'PATCH', '/my-account', rename, attacker))).toEqual(DENIED)
    // what was sent for a second factor is no proof either
    const { body } = await send(mine, 'email', value, 'BindMfa')
    const answer = await bring(mine, 'email', value, body.verificationRecordId, await messages.codeTo(value, 2))
    expect(answer.status).toBe(200)
    expect(refusal(await ask(mine, 'PATCH', '/my-account', rename, body.verificationRecordId))).toEqual(DENIED)
  })

  test('R-27: and a password prove no more once they are no longer those of the account', async () => {
    const value = fresh('email')
    const mine = await holder({ primaryEmail: value })
    const rename = (proof: string) => ask(mine, 'PATCH', '/my-account', { username: `late${count}` }, proof)
    const [byCode, byPassword] = [await verified(mine, 'email', value), await proved(server, mine.token)]
    const asked = (await send(mine, 'email', value)).body.verificationRecordId
    await server.api('PATCH', `/users/${mine.userId}`, { primaryEmail: fresh('email') })
    expect((await bring(mine, 'email', value, asked, await messages.codeTo(value, 2))).status).toBe(200)
    for (const stale of [byCode, asked]) expect(refusal(await rename(stale))).toEqual(DENIED)
    const change = { password: 'a new password' }
    const proof = await proved(server, mine.token)
    expect((await ask(mine, 'POST', '/my-account/password', change, proof)).status).toBe(204)
    expect(refusal(await rename(byPassword))).toEqual(DENIED)
    expect((await rename(await proved(server, mine.token, change.password))).status).toBe(200)
  })

  test('is sent a limited number of times to one recipient, and the event names it', async () => {
    const value = fresh('email')
    const mine = await holder()
    const { cursor } = await eventsSince(server)
    let answer = await send(mine, 'email', value)
    for (let sent = 1; answer.status === 201 && sent < 50; sent += 1) answer = await send(mine, 'email', value)
    expect(refusal(answer)).toEqual([429, 'request.message_rate_limited'])
    const { events } = await eventsSince(server, cursor)
    expect(events.at(-1)).toMatchObject({
      event: 'Message.RateLimited',
      action: 'VerificationCodeSend',
      recipient: value,
      actor: { type: 'user', id: mine.userId },
    })
  })
})

describe.each(['email', 'phone'] as const)('the %s of one\u2019s own', (type) => {
  const set = (by: SignedIn, value: string, verification: string, proof?: string) =>
    ask(by, 'POST', PATH[type], { [type]: value, newIdentifierVerificationRecordId: verification }, proof)

  test('is set once it is verified, with a proof; no verification counts twice or for another address', async () => {
    const mine = await holder()
    const value = fresh(type)
    const unverified = (await send(mine, type, value)).body.verificationRecordId
    const proof = await proved(server, mine.token)
    expect(refusal(await set(mine, value, unverified, proof))).toEqual(NOT_VERIFIED)
    const verification = await verified(mine, type, value, 2)
    expect(refusal(await set(mine, value, verification))).toEqual(DENIED)
    expect(refusal(await set(mine, value, verification, verification))).toEqual(DENIED)
    expect(refusal(await set(mine, fresh(type), verification, proof))).toEqual(NOT_VERIFIED)
    const other = await holder()
    expect(refusal(await set(other, value, verification, await proved(server, other.token)))).toEqual(NOT_VERIFIED)
    expect((await set(mine, value, verification, proof)).status).toBe(204)
    expect(await stored(mine)).toMatchObject({ [FIELD[type]]: value })
    const again = await proved(server, mine.token)
    expect(refusal(await set(mine, value, verification, again))).toEqual(NOT_VERIFIED)
  })

  test('of another user is refused, but only to who receives its messages', async () => {
    const value = fresh(type)
    await holder({ [FIELD[type]]: value })
    const mine = await holder()
    const verification = await verified(mine, type, value)
    const answer = await set(mine, value, verification, await proved(server, mine.token))
    expect(refusal(answer)).toEqual([422, `user.${type}_already_in_use`])
  })

  test.runIf(type === 'email')(
    'is none that belongs to the identity provider of a company (DECISIONS P2)',
    async () => {
      const mine = await holder()
      const verification = await verified(mine, type, 'ann@company.example')
      const employee = await holder({ primaryEmail: 'eve@company.example' })
      const proof = await proved(server, employee.token)
      const config = { issuer: 'https://idp.example', clientId: 'a', clientSecret: 'b' }
      const sso = { providerName: 'OIDC', connectorName: 'Company', domains: ['company.example'], config }
      const { body: connector } = await server.api('POST', '/sso-connectors', sso)
      await server.api('PATCH', '/sign-in-exp', { singleSignOnEnabled: true })
      const answer = await set(mine, 'ann@company.example', verification, await proved(server, mine.token))
      expect(refusal(answer)).toEqual([422, 'session.sso_enabled'])
      expect(refusal(await send(mine, type, 'bob@company.example'))).toEqual([422, 'session.sso_enabled'])
      const password = await ask(employee, 'POST', '/my-account/password', { password: 'a new password' }, proof)
      expect(refusal(password)).toEqual([422, 'session.sso_enabled'])
      await server.api('PATCH', '/sign-in-exp', { singleSignOnEnabled: false })
      await server.api('DELETE', `/sso-connectors/${connector.id}`)
    },
  )

  test('is removed with a proof, unless it is the last way in or required', async () => {
    const value = fresh(type)
    const mine = await holder({ [FIELD[type]]: value })
    const remove = async () => ask(mine, 'DELETE', PATH[type], undefined, await proved(server, mine.token))
    expect(refusal(await ask(mine, 'DELETE', PATH[type]))).toEqual(DENIED)
    const set = (settings: object) => server.api('PATCH', '/sign-in-exp', settings)
    await set({
      signIn: { methods: [method(type, true, true)] },
      signUp: { identifiers: [type], password: true, verify: true },
    })
    expect(refusal(await remove())).toEqual([422, 'user.last_sign_in_method_required'])
    await set({ signIn: { methods: [method('username', true, false), method(type, true, true)] } })
    expect(refusal(await remove())).toEqual([422, `user.${type}_required`])
    await set(BY_NAME)
    await useFactors(server, [CODE_FACTOR[type]], 'Mandatory')
    expect(refusal(await remove())).toEqual([422, 'user.missing_mfa'])
    await useFactors(server, [])
    expect((await remove()).status).toBe(204)
    expect(await stored(mine)).toMatchObject({ [FIELD[type]]: null })
  })
})

test('a new address follows the blocklist, and brings the user into the organizations of its domain', async () => {
  const mine = await holder()
  await server.api('PATCH', '/sign-in-exp', { emailBlocklistPolicy: { customBlocklist: ['@evil.example'] } })
  const refused = await send(mine, 'email', 'a@evil.example')
  expect(refusal(refused)).toEqual([422, 'session.email_blocklist.email_not_allowed'])
  const { body: organization } = await server.api('POST', '/organizations', { name: 'Members' })
  await server.api('POST', `/organizations/${organization.id}/jit/email-domains`, { emailDomain: 'members.example' })
  const value = 'holder@members.example'
  const body = { email: value, newIdentifierVerificationRecordId: await verified(mine, 'email', value) }
  const { cursor } = await eventsSince(server)
  expect((await ask(mine, 'POST', PATH.email, body, await proved(server, mine.token))).status).toBe(204)
  const { events } = await eventsSince(server, cursor)
  expect(events.map(({ event }) => event)).toEqual(['User.Data.Updated', 'Organization.Membership.Updated'])
  const { body: members } = await server.api('GET', `/organizations/${organization.id}/users`)
  expect(members.map(({ id }: { id: string }) => id)).toEqual([mine.userId])
})
