/** One's own second factors in the Account API: added, proved, renamed and removed, each with a proof (DECISIONS T6). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { eventsSince } from '../experience/arrange.ts'
import { codeOf, useFactors } from '../factors/arrange.ts'
import { createApp } from '../sign-in/arrange.ts'
import { call, EVERY_FIELD, newUser, openAccountCenter, proved, refusal, signedIn, type User } from './arrange.ts'
import { Authenticator } from './authenticator.ts'

const FACTORS = ['Totp', 'WebAuthn', 'BackupCode']
const PATH = '/my-account/mfa-verifications'
const NO_PROOF = [401, 'verification_record.permission_denied']
let server: TestServer
let appId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  appId = (await createApp(server, 'SPA')).id
})
beforeEach(async () => {
  await openAccountCenter(server)
  await useFactors(server, FACTORS)
})
afterAll(() => server.close())

const signUp = () => newUser(server, appId)
const factorsOf = async ({ ask }: User) => (await ask('GET', PATH)).body

const addTotp = async ({ ask, change }: User): Promise<string> => {
  const { secret } = (await ask('POST', `${PATH}/totp-secret/generate`)).body
  expect((await change('POST', PATH, { type: 'TOTP', secret, code: codeOf(server, secret) })).status).toBe(204)
  server.clock.advance(60)
  return secret
}

const addCodes = async ({ ask, change }: User): Promise<string[]> => {
  const { codes } = (await ask('POST', `${PATH}/backup-codes/generate`)).body
  expect((await change('POST', PATH, { type: 'BackupCode', codes })).status).toBe(204)
  return codes
}

/** A verification of a passkey that the browser has made. */
const makePasskey = async ({ ask }: User, authenticator: Authenticator): Promise<string> => {
  const { body } = await ask('POST', '/verifications/web-authn/registration')
  const { verificationRecordId, registrationOptions } = body
  const payload = authenticator.create(registrationOptions)
  const made = await ask('POST', '/verifications/web-authn/registration/verify', { verificationRecordId, payload })
  expect([made.status, made.body]).toEqual([200, { verificationRecordId }])
  return verificationRecordId
}

const addPasskey = async (user: User, more: object = {}): Promise<Authenticator> => {
  const authenticator = new Authenticator(server.baseUrl)
  const newIdentifierVerificationRecordId = await makePasskey(user, authenticator)
  const added = await user.change('POST', PATH, { type: 'WebAuthn', newIdentifierVerificationRecordId, ...more })
  expect(added.status).toBe(204)
  return authenticator
}

describe('an authenticator app', () => {
  test('is added with a proof and a code of it, replaced, and announced', async () => {
    const user = await signUp()
    const { secret, secretQrCode } = (await user.ask('POST', `${PATH}/totp-secret/generate`)).body
    expect(secretQrCode).toMatch(/^data:image\/svg/)
    const body = { type: 'Totp', secret, code: codeOf(server, secret) }
    expect(refusal(await user.ask('POST', PATH, body))).toEqual(NO_PROOF)
    const wrong = await user.change('POST', PATH, { ...body, code: 'wrong' })
    expect(refusal(wrong)).toEqual([400, 'session.mfa.invalid_totp_code'])
    const short = await user.change('POST', PATH, { ...body, secret: 'short' })
    expect(refusal(short)).toEqual([422, 'user.totp_secret_invalid'])
    expect(await factorsOf(user)).toEqual([])
    const { cursor } = await eventsSince(server)
    expect((await user.change('POST', PATH, body)).status).toBe(204)
    const { events } = await eventsSince(server, cursor)
    expect(events).toMatchObject([{ event: 'User.Data.Updated', data: { id: user.userId } }])
    const [first] = await factorsOf(user)
    expect(first).toMatchObject({ type: 'Totp' })
    expect(refusal(await user.change('POST', PATH, body))).toEqual([422, 'user.totp_already_in_use'])
    // the code that proved the app is used up
    const spent = await user.ask('POST', '/verifications/totp', { code: body.code })
    expect(refusal(spent)).toEqual([400, 'session.mfa.invalid_totp_code'])
    const next = (await user.ask('POST', `${PATH}/totp-secret/generate`)).body.secret
    const replaced = await user.change('PUT', `${PATH}/totp`, { secret: next, code: codeOf(server, next) })
    expect(replaced.status).toBe(204)
    const [second, ...others] = await factorsOf(user)
    expect([second.type, second.id === first.id, others]).toEqual(['Totp', false, []])
    const { body: logs } = await server.api('GET', `/logs?userId=${user.userId}`)
    expect(JSON.stringify(logs)).not.toContain(next)
  })

  test('proves who the user is for one change, and locks after wrong codes', async () => {
    const user = await signUp()
    const secret = await addTotp(user)
    const { status, body } = await user.ask('POST', '/verifications/totp', { code: codeOf(server, secret) })
    expect([status, Object.keys(body).sort()]).toEqual([201, ['expiresAt', 'verificationRecordId']])
    const proof = body.verificationRecordId
    const [{ id }] = await factorsOf(user)
    expect((await user.ask('DELETE', `${PATH}/${id}`, undefined, proof)).status).toBe(204)
    const again = await addTotp(user)
    const [{ id: added }] = await factorsOf(user)
    expect(refusal(await user.ask('DELETE', `${PATH}/${added}`, undefined, proof))).toEqual(NO_PROOF)
    const early = await user.ask('POST', '/verifications/totp', { code: codeOf(server, again) })
    expect((await user.change('DELETE', `${PATH}/${added}`)).status).toBe(204)
    const last = await addTotp(user)
    const [{ id: lastId }] = await factorsOf(user)
    // of an app that the account no longer has
    const stale = await user.ask('DELETE', `${PATH}/${lastId}`, undefined, early.body.verificationRecordId)
    expect(refusal(stale)).toEqual(NO_PROOF)
    const { maxAttempts } = (await server.client.getSignInExperience({})).sentinelPolicy
    for (let left = maxAttempts ?? 0; left > 0; left -= 1)
      await user.ask('POST', '/verifications/totp', { code: 'wrong' })
    const locked = await user.ask('POST', '/verifications/totp', { code: codeOf(server, last) })
    expect(refusal(locked)).toEqual([400, 'session.verification_blocked_too_many_attempts'])
  })
})

test('backup codes need another factor, replace earlier ones, and go with the last of the others', async () => {
  const user = await signUp()
  const { codes } = (await user.ask('POST', `${PATH}/backup-codes/generate`)).body
  expect(codes).toHaveLength(10)
  const alone = await user.change('POST', PATH, { type: 'BackupCode', codes })
  expect(refusal(alone)).toEqual([422, 'session.mfa.backup_code_can_not_be_alone'])
  expect(refusal(await user.ask('GET', `${PATH}/backup-codes`))).toEqual([404, 'entity.not_found'])
  await addTotp(user)
  const few = await user.change('POST', PATH, { type: 'BackupCode', codes: codes.slice(1) })
  expect(refusal(few)).toEqual([422, 'user.wrong_backup_code_format'])
  await addCodes(user)
  const [, first] = await factorsOf(user)
  const kept = await addCodes(user)
  const [totp, second] = await factorsOf(user)
  expect([second.type, second.remainCodes, second.id === first.id]).toEqual(['BackupCode', 10, false])
  const shown = await user.ask('GET', `${PATH}/backup-codes`)
  expect([shown.status, shown.body]).toEqual([200, { codes: kept.map(() => ({})) }])
  expect((await user.change('DELETE', `${PATH}/${totp.id}`)).status).toBe(204)
  expect(await factorsOf(user)).toEqual([])
})

describe('a passkey', () => {
  test('is made in the browser, named, and proves who the user is', async () => {
    const user = await signUp()
    const authenticator = await addPasskey(user, { name: 'Phone' })
    const [passkey] = await factorsOf(user)
    expect(passkey).toMatchObject({ type: 'WebAuthn', name: 'Phone' })
    const rename = (name: string, proof?: string) => user.ask('PATCH', `${PATH}/${passkey.id}/name`, { name }, proof)
    expect(refusal(await rename('x'))).toEqual(NO_PROOF)
    const begun = (await user.ask('POST', '/verifications/web-authn/authentication')).body
    const { verificationRecordId, authenticationOptions } = begun
    const verify = (payload: object) =>
      user.ask('POST', '/verifications/web-authn/authentication/verify', { verificationRecordId, payload })
    // one that is not passed proves nothing
    expect(refusal(await rename('x', verificationRecordId))).toEqual(NO_PROOF)
    const stranger = new Authenticator(server.baseUrl).get(authenticationOptions)
    expect(refusal(await verify(stranger))).toEqual([400, 'session.mfa.webauthn_verification_failed'])
    const answer = authenticator.get(authenticationOptions)
    expect((await verify(answer)).status).toBe(200)
    expect(refusal(await verify(answer))).toEqual([404, 'verification_record.not_found'])
    expect((await rename('Laptop', verificationRecordId)).status).toBe(200)
    expect((await factorsOf(user))[0].name).toBe('Laptop')
  })

  test('is taken once, by its user in the same grant, and not as a proof', async () => {
    const [user, other] = [await signUp(), await signUp()]
    const id = await makePasskey(user, new Authenticator(server.baseUrl))
    const body = { type: 'WebAuthn', newIdentifierVerificationRecordId: id }
    expect(refusal(await user.ask('POST', PATH, body, id))).toEqual(NO_PROOF)
    const unknown = [400, 'verification_record.not_found']
    expect(refusal(await other.change('POST', PATH, body))).toEqual(unknown)
    const { token } = await signedIn(server, user.userId, appId)
    expect(refusal(await call(server, token, 'POST', PATH, body, await proved(server, token)))).toEqual(unknown)
    expect((await user.change('POST', PATH, body)).status).toBe(204)
    expect(refusal(await user.change('POST', PATH, body))).toEqual(unknown)
    const without = await other.ask('POST', '/verifications/web-authn/authentication')
    expect(refusal(without)).toEqual([400, 'session.mfa.webauthn_verification_not_found'])
  })

  test('stays where it is the only way to sign in', async () => {
    const user = await signUp()
    const passkeySignIn = { enabled: true, showPasskeyButton: true, allowAutofill: false }
    await server.api('PATCH', '/sign-in-exp', { passkeySignIn })
    const authenticator = await addPasskey(user)
    const [{ id }] = await factorsOf(user)
    const begun = (await user.ask('POST', '/verifications/web-authn/authentication')).body
    const { verificationRecordId: proof, authenticationOptions } = begun
    const payload = authenticator.get(authenticationOptions)
    const path = '/verifications/web-authn/authentication/verify'
    expect((await user.ask('POST', path, { verificationRecordId: proof, payload })).status).toBe(200)
    await server.store.database.kysely
      .updateTable('users')
      .set({ password_hash: null, password_algorithm: null })
      .where('id', '=', user.userId)
      .execute()
    const refused = await user.ask('DELETE', `${PATH}/${id}`, undefined, proof)
    expect(refusal(refused)).toEqual([422, 'user.last_sign_in_method_required'])
    await server.api('PATCH', '/sign-in-exp', { passkeySignIn: { ...passkeySignIn, enabled: false } })
  })
})

test('the last factor stays where the policy requires one; factors that the tenant does not use are refused', async () => {
  const user = await signUp()
  await addTotp(user)
  await addPasskey(user)
  await addCodes(user)
  const [totp, passkey] = await factorsOf(user)
  await useFactors(server, FACTORS, 'Mandatory')
  expect((await user.change('DELETE', `${PATH}/${totp.id}`)).status).toBe(204)
  expect(refusal(await user.change('DELETE', `${PATH}/${passkey.id}`))).toEqual([422, 'user.missing_mfa'])
  await useFactors(server, ['WebAuthn'])
  const { secret } = (await user.ask('POST', `${PATH}/totp-secret/generate`)).body
  const unused = await user.change('POST', PATH, { type: 'Totp', secret })
  expect(refusal(unused)).toEqual([400, 'session.mfa.mfa_factor_not_enabled'])
  expect((await user.change('DELETE', `${PATH}/${passkey.id}`)).status).toBe(204)
})

test('a choice needs a proof only if factors are then asked for less often', async () => {
  const user = await signUp()
  await addTotp(user)
  const choose = (body: object, proof?: string) => user.ask('PATCH', '/my-account/logto-configs', body, proof)
  const chosen = { mfa: { enabled: true, skipped: true, skipMfaOnSignIn: false }, passkeySignIn: { skipped: true } }
  const free = await choose({ mfa: { skipped: true }, passkeySignIn: { skipped: true } })
  expect([free.status, free.body]).toEqual([200, chosen])
  const skipping = { skipMfaOnSignIn: true }
  for (const weaker of [{ mfa: skipping }, { mfa: { enabled: false } }])
    expect(refusal(await choose(weaker))).toEqual(NO_PROOF)
  const settings = '/my-account/mfa-settings'
  expect(refusal(await user.ask('PATCH', settings, skipping))).toEqual(NO_PROOF)
  expect((await user.change('PATCH', settings, skipping)).body).toEqual(skipping)
  expect((await user.ask('GET', settings)).body).toEqual(skipping)
  expect((await user.ask('PATCH', settings, { skipMfaOnSignIn: false })).status).toBe(200)
  expect((await user.ask('GET', '/my-account/logto-configs')).body).toEqual(chosen)
})

test('no route acts on the factors of another user, or where the settings do not open them', async () => {
  const [user, other] = [await signUp(), await signUp()]
  await addPasskey(other)
  const [{ id }] = await factorsOf(other)
  expect((await user.change('DELETE', `${PATH}/${id}`)).status).toBe(404)
  expect((await user.change('PATCH', `${PATH}/${id}/name`, { name: 'mine' })).status).toBe(404)
  expect(await factorsOf(other)).toHaveLength(1)
  await openAccountCenter(server, { fields: { ...EVERY_FIELD, mfa: 'Off', passkey: 'Off' } })
  expect(refusal(await other.ask('GET', PATH))).toEqual([400, 'account_center.field_not_enabled'])
})

test('passkeys are a part of their own where the settings name it, and otherwise one of the factors', async () => {
  const user = await signUp()
  await addTotp(user)
  await addPasskey(user)
  const [totp, passkey] = await factorsOf(user)
  const typesWith = async (fields: object) => {
    await openAccountCenter(server, { fields: { ...EVERY_FIELD, ...fields } })
    return (await factorsOf(user)).map(({ type }: { type: string }) => type)
  }
  const readOnly = [400, 'account_center.field_not_editable']
  expect(await typesWith({ mfa: 'Edit', passkey: 'Off' })).toEqual(['Totp'])
  const begin = '/verifications/web-authn/registration'
  expect(refusal(await user.ask('POST', begin))).toEqual([400, 'account_center.field_not_enabled'])
  expect(await typesWith({ mfa: 'Off', passkey: 'ReadOnly' })).toEqual(['WebAuthn'])
  const named = await user.change('PATCH', `${PATH}/${passkey.id}/name`, { name: 'x' })
  expect([refusal(named), refusal(await user.ask('POST', begin))]).toEqual([readOnly, readOnly])
  expect(await typesWith({ mfa: 'ReadOnly', passkey: 'Edit' })).toEqual(['Totp', 'WebAuthn'])
  expect(refusal(await user.change('DELETE', `${PATH}/${totp.id}`))).toEqual(readOnly)
  await server.store.database.pool.query("UPDATE account_centers SET fields = fields - 'passkey'")
  await server.api('PATCH', '/account-center', { enabled: true })
  expect(refusal(await user.change('DELETE', `${PATH}/${passkey.id}`))).toEqual(readOnly)
  await server.api('PATCH', '/account-center', { fields: { passkey: 'Edit' } })
  expect((await user.change('DELETE', `${PATH}/${passkey.id}`)).status).toBe(204)
})
