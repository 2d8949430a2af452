/**
 * Second factors at sign-in: authenticator apps and backup codes, through the Experience API (DECISIONS O, SECURITY
 *
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import type * as client from 'openid-client'
import { refreshTokenGrant } from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { eventsSince, type OwnPage, openPage } from '../experience/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem } from '../sign-in/arrange.ts'
import { freshName } from '../users/arrange.ts'
import {
  addBackupCodes,
  addTotp,
  codeOf,
  createTotpUser,
  identifyBy,
  importUsers,
  told,
  useFactors,
  verifyCode,
} from './arrange.ts'
import { readQrCode } from './qr-code.ts'

const MFA = 'urn:countersign:acr:mfa'
let server: TestServer
let node: Awaited<ReturnType<TestServer['startNode']>>
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  node = await server.startNode()
  configuration = (await createApp(server)).configuration
})
afterAll(async () => {
  await node.close()
  await server.close()
})
beforeEach(() => useFactors(server, ['Totp', 'BackupCode']))

const submit = (page: OwnPage) => page.call('POST', '/submit')
/** The claims of the ID token that the application receives. */
const claimsOf = async (page: OwnPage, redirectTo: string) => {
  const end = await page.browser.open(redirectTo)
  return decodeJwt((await redeem(configuration, end, page.begun)).id_token ?? '')
}
const factorsOf = async (userId: string) => (await server.api('GET', `/users/${userId}/mfa-verifications`)).body

describe('an authenticator app', () => {
  test('is required after the password, and each code is valid once', async () => {
    const { username, secret, id } = await createTotpUser(server, configuration)
    const { cursor } = await eventsSince(server)
    const page = await openPage(server, configuration)
    const refused = await page.signIn(username)
    expect(told(refused)).toEqual([403, 'session.mfa.require_mfa_verification'])
    expect(refused.body.data).toEqual({ availableFactors: ['Totp', 'BackupCode'], maskedIdentifiers: {} })
    expect(page.browser.cookie('countersign-session')).toBeUndefined()
    const wrong = codeOf(server, secret, 7)
    expect(told(await verifyCode(page, wrong))).toEqual([400, 'session.mfa.invalid_totp_code'])
    expect(told(await submit(page))).toEqual([403, 'session.mfa.require_mfa_verification'])
    const code = codeOf(server, secret)
    expect((await verifyCode(page, code)).status).toBe(200)
    const { status, body } = await submit(page)
    expect(status).toBe(200)
    expect(await claimsOf(page, body.redirectTo)).toMatchObject({ sub: id, amr: ['pwd', 'otp', 'mfa'], acr: MFA })
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['PostSignIn'])
    const replayed = await openPage(server, configuration)
    await identifyBy(replayed, username)
    expect(told(await verifyCode(replayed, code))).toEqual([400, 'session.mfa.invalid_totp_code'])
    const [totp] = await factorsOf(id)
    expect(totp).toMatchObject({ type: 'Totp', lastUsedAt: server.clock.now().toISOString() })
  })

  test('R-6: of fifty concurrent uses of one code over two nodes, one succeeds', async () => {
    const { username, secret } = await createTotpUser(server, configuration)
    const pages = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const page = await openPage(server, configuration, newBrowser())
        await identifyBy(page, username)
        return page.through(index % 2 === 0 ? server.baseUrl : node.url)
      }),
    )
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: { maxAttempts: 100 } })
    const code = codeOf(server, secret)
    const replies = await Promise.all(pages.map((page) => verifyCode(page, code)))
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: {} })
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('ten wrong codes lock the app, and nothing else', async () => {
    const { username, secret, codes } = await createTotpUser(server, configuration)
    const page = await openPage(server, configuration)
    await identifyBy(page, username)
    for (let count = 0; count < 10; count += 1)
      expect(told(await verifyCode(page, '000000'))).toEqual([400, 'session.mfa.invalid_totp_code'])
    const blocked = [400, 'session.verification_blocked_too_many_attempts']
    expect(told(await verifyCode(page, codeOf(server, secret)))).toEqual(blocked)
    expect((await page.call('POST', '/verification/backup-code/verify', { code: codes[0] })).status).toBe(200)
    expect((await submit(page)).status).toBe(200)
    await server.api('POST', '/sentinel-activities/delete', { targetType: 'User', targets: [username] })
    const unlocked = await openPage(server, configuration)
    await identifyBy(unlocked, username)
    expect((await verifyCode(unlocked, codeOf(server, secret))).status).toBe(200)
  })

  test('is set up from an image that holds the address, small enough for a page', async () => {
    const page = await openPage(server, configuration)
    await identifyBy(page, (await createUser(server)).username)
    const { secret, secretQrCode } = (await page.call('POST', '/verification/totp/secret')).body
    const svg = Buffer.from(secretQrCode.split(',')[1], 'base64').toString()
    expect(svg.length).toBeLessThan(8000)
    const address = new URL(readQrCode(svg))
    expect([address.protocol, address.searchParams.get('secret')]).toEqual(['otpauth:', secret])
  })

  test('of another user is refused, and so is one that is still being set up', async () => {
    const { username } = await createTotpUser(server, configuration)
    const other = await createTotpUser(server, configuration)
    const page = await openPage(server, configuration)
    await identifyBy(page, username)
    expect(told(await verifyCode(page, codeOf(server, other.secret)))).toEqual([400, 'session.mfa.invalid_totp_code'])
    // a password alone cannot add a factor to an account that has one
    const refused = [403, 'session.mfa.require_mfa_verification']
    expect(told(await page.call('POST', '/verification/totp/secret'))).toEqual(refused)
    expect(told(await page.call('POST', '/verification/backup-code/generate'))).toEqual(refused)
    expect(told(await page.call('POST', '/profile/mfa/mfa-skipped'))).toEqual(refused)
    expect(told(await submit(page))).toEqual(refused)
  })
})

test('factors of another system are imported with their users, and work', async () => {
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const username = freshName()
  const user = { username, password: PASSWORD }
  const codes = ['1234-5678', 'ABCD-EFGH']
  const passkey = { type: 'WebAuthn', credentialId: 'aaaa', publicKey: 'aaaa', counter: 0, rpId: 'elsewhere.example' }
  const refused = await importUsers(server, [
    {
      ...user,
      mfaVerifications: [
        { type: 'Totp', secret },
        { type: 'BackupCode', codes },
      ],
    },
    { mfaVerifications: [{ type: 'Totp', secret: 'too short' }] },
    {
      mfaVerifications: [
        { type: 'Totp', secret },
        { type: 'Totp', secret },
      ],
    },
    { mfaVerifications: [{ type: 'BackupCode', codes }] },
    {
      mfaVerifications: [
        { type: 'Totp', secret },
        { type: 'BackupCode', codes: ['1234 5678', '12345678'] },
      ],
    },
    { mfaVerifications: [passkey] },
    { mfaVerifications: [{ ...passkey, rpId: new URL(server.baseUrl).hostname }] },
  ])
  expect(refused).toMatchObject([
    { line: 2, code: 'user.totp_secret_invalid' },
    { line: 3, code: 'user.totp_already_in_use' },
    { line: 4, code: 'session.mfa.backup_code_can_not_be_alone' },
    { line: 5, message: 'backup codes must not repeat one another' },
    { line: 6, message: expect.stringContaining('rpId') },
    { line: 7, message: expect.stringContaining('COSE') },
  ])
  const page = await openPage(server, configuration)
  expect(told(await page.signIn(username))).toEqual([403, 'session.mfa.require_mfa_verification'])
  expect((await verifyCode(page, codeOf(server, secret))).status).toBe(200)
  expect((await submit(page)).status).toBe(200)
  const again = await openPage(server, configuration)
  await identifyBy(again, username)
  expect((await again.call('POST', '/verification/backup-code/verify', { code: 'abcdefgh' })).status).toBe(200)
  expect((await submit(again)).status).toBe(200)
})

test('a factor that is removed after it was verified signs no one in', async () => {
  const { id, username, secret, codes } = await createTotpUser(server, configuration)
  const page = await openPage(server, configuration)
  await identifyBy(page, username)
  await page.call('POST', '/verification/backup-code/verify', { code: codes[0] })
  const backupCodes = (await factorsOf(id)).find(({ type }: { type: string }) => type === 'BackupCode')
  await server.api('DELETE', `/users/${id}/mfa-verifications/${backupCodes.id}`)
  expect(told(await submit(page))).toEqual([403, 'session.mfa.require_mfa_verification'])
  expect((await verifyCode(page, codeOf(server, secret))).status).toBe(200)
  expect((await submit(page)).status).toBe(200)
})

describe('backup codes', () => {
  test('are ten; of fifty concurrent uses of one over two nodes, one succeeds', async () => {
    const { username, codes, id } = await createTotpUser(server, configuration)
    expect(new Set(codes).size).toBe(10)
    const pages = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const page = await openPage(server, configuration, newBrowser())
        await identifyBy(page, username)
        return page.through(index % 2 === 0 ? server.baseUrl : node.url)
      }),
    )
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: { maxAttempts: 100 } })
    const use = (page: OwnPage) => page.call('POST', '/verification/backup-code/verify', { code: codes[3] })
    const uses = Array.from({ length: 50 }, (_, index) => pages[index % pages.length] as OwnPage)
    const replies = await Promise.all(uses.map(use))
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: {} })
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const winner = uses[replies.findIndex(({ status }) => status === 200)]
    expect((await winner?.call('POST', '/submit'))?.status).toBe(200)
    expect(await factorsOf(id)).toMatchObject([{ type: 'Totp' }, { type: 'BackupCode', remainCodes: 9 }])
  })

  test('require another factor in addition', async () => {
    const { username } = await createUser(server)
    const page = await openPage(server, configuration)
    await identifyBy(page, username)
    const { body } = await page.call('POST', '/verification/backup-code/generate')
    const { verificationId } = body
    const alone = await page.call('POST', '/profile/mfa', { type: 'BackupCode', verificationId })
    expect(told(alone)).toEqual([422, 'session.mfa.backup_code_can_not_be_alone'])
  })
})

describe('the policy', () => {
  test('a mandatory policy admits no user without a factor, nor without backup codes', async () => {
    await useFactors(server, ['Totp', 'BackupCode'], 'Mandatory')
    const { id, username } = await createUser(server)
    const page = await openPage(server, configuration)
    const refused = await page.signIn(username)
    expect(told(refused)).toEqual([422, 'user.missing_mfa'])
    expect(refused.body.data).toEqual({ availableFactors: ['Totp'], skippable: false })
    const skipped = await page.call('POST', '/profile/mfa/mfa-skipped')
    expect(told(skipped)).toEqual([422, 'session.mfa.mfa_policy_not_user_controlled'])
    await addTotp(page)
    expect(told(await submit(page))).toEqual([422, 'session.mfa.backup_code_required'])
    await addBackupCodes(page)
    const { cursor } = await eventsSince(server)
    const { body } = await submit(page)
    expect(await claimsOf(page, body.redirectTo)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: MFA })
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['User.Data.Updated', 'PostSignIn'])
    expect(JSON.stringify(events)).not.toMatch(/secret|mac|codes/)
    expect(await factorsOf(id)).toHaveLength(2)
  })

  test('a policy that prompts can be declined permanently', async () => {
    await useFactors(server, ['Totp'], 'PromptOnlyAtSignIn')
    const { username } = await createUser(server)
    const page = await openPage(server, configuration)
    expect(told(await page.signIn(username))).toEqual([422, 'user.suggest_mfa'])
    expect((await page.call('POST', '/profile/mfa/mfa-enabled')).status).toBe(204)
    expect(told(await submit(page))).toEqual([422, 'user.missing_mfa'])
    expect((await page.call('POST', '/profile/mfa/mfa-skipped')).status).toBe(204)
    expect((await submit(page)).status).toBe(200)
    expect((await (await openPage(server, configuration)).signIn(username)).status).toBe(200)
  })

  test('sign-up creates the account together with its factor', async () => {
    await useFactors(server, ['Totp'], 'PromptAtSignInAndSignUpMandatory')
    const page = await openPage(server, configuration)
    const username = `new_${server.clock.now().getTime()}`
    expect(told(await page.register(username))).toEqual([422, 'user.missing_mfa'])
    await addTotp(page)
    const { body } = await submit(page)
    const { sub, acr } = await claimsOf(page, body.redirectTo)
    expect(acr).toBe(MFA)
    expect(await factorsOf(`${sub}`)).toHaveLength(1)
    await useFactors(server, ['Totp'], 'PromptOnlyAtSignInMandatory')
    const other = await openPage(server, configuration)
    expect((await other.register(`${username}_2`)).status).toBe(200)
  })

  test('a user who opted out is not asked, unless the policy is mandatory', async () => {
    const { id, username } = await createTotpUser(server, configuration)
    const configs = await server.api('PATCH', `/users/${id}/logto-configs`, { mfa: { skipMfaOnSignIn: true } })
    expect(configs.body.mfa).toMatchObject({ enabled: true, skipMfaOnSignIn: true })
    expect((await (await openPage(server, configuration)).signIn(username)).status).toBe(200)
    await useFactors(server, ['Totp', 'BackupCode'], 'Mandatory')
    const page = await openPage(server, configuration)
    expect(told(await page.signIn(username))).toEqual([403, 'session.mfa.require_mfa_verification'])
  })

  test('members of an organization that requires factors need one at sign-in, if the tenant is set so', async () => {
    const { id, username } = await createUser(server)
    const { body: organization } = await server.api('POST', '/organizations', { name: 'Strict', isMfaRequired: true })
    await server.api('POST', `/organizations/${organization.id}/users`, { userIds: [id] })
    expect((await (await openPage(server, configuration)).signIn(username)).status).toBe(200)
    await useFactors(server, ['Totp'], 'NoPrompt', { organizationRequiredMfaPolicy: 'Mandatory' })
    const page = await openPage(server, configuration)
    expect(told(await page.signIn(username))).toEqual([422, 'user.missing_mfa'])
  })
})

describe('step-up', () => {
  const stepUp = async (browser: OwnPage['browser'], acr = MFA, more = {}) => {
    const begun = await begin(configuration, { acr_values: acr, ...more })
    return { begun, at: await browser.open(begun.url) }
  }

  test('acr_values requests a second factor that the session lacks', async () => {
    const { id, username, secret } = await createTotpUser(server, configuration)
    await server.api('PATCH', `/users/${id}/logto-configs`, { mfa: { skipMfaOnSignIn: true } })
    const page = await openPage(server, configuration)
    const { body } = await page.signIn(username)
    expect(await claimsOf(page, body.redirectTo)).toMatchObject({ amr: ['pwd'], acr: 'urn:countersign:acr:1fa' })
    const silent = await stepUp(page.browser, MFA, { prompt: 'none' })
    expect(silent.at.url.searchParams.get('error')).toBe('login_required')
    const { begun, at } = await stepUp(page.browser)
    expect(at.url.pathname).toMatch(/^\/sign-in\//)
    const factor = await page.browser.submit(at, { identifier: username, password: PASSWORD })
    expect(factor.url.pathname).toMatch(/^\/second-factor\//)
    const end = await page.browser.submit(factor, { code: codeOf(server, secret) })
    const claims = decodeJwt((await redeem(configuration, end, begun)).id_token ?? '')
    expect(claims).toMatchObject({ acr: MFA })
    // the session has it now
    const again = await stepUp(page.browser, MFA, { prompt: 'none' })
    expect(again.at.url.searchParams.get('code')).not.toBeNull()
    // an essential acr is met by what is listed, of which the sign-in may be stronger
    for (const [values, acr] of [
      [['urn:countersign:acr:phr', MFA], MFA],
      [['urn:countersign:acr:1fa'], 'urn:countersign:acr:1fa'],
    ] as const) {
      const claims = JSON.stringify({ id_token: { acr: { essential: true, values } } })
      const listed = await begin(configuration, { claims, prompt: 'none', scope: 'openid' })
      const back = await page.browser.open(listed.url)
      expect((await redeem(configuration, back, listed)).claims()).toMatchObject({ acr })
    }
  })

  test('a requirement that cannot be met is an error, and no sign-in', async () => {
    await useFactors(server, [])
    const { username } = await createUser(server)
    const browser = newBrowser()
    const { at } = await stepUp(browser)
    const end = await browser.submit(at, { identifier: username, password: PASSWORD })
    expect(end.url.searchParams.get('error')).toBe('unmet_authentication_requirements')
    // an unknown class demands nothing
    const unknown = await stepUp(browser, 'urn:example:gold')
    expect(unknown.at.url.searchParams.get('code')).not.toBeNull()
  })
})

describe('the pages', () => {
  test('set up an app and backup codes, then ask for them', async () => {
    await useFactors(server, ['Totp', 'BackupCode'], 'Mandatory')
    const { username } = await createUser(server)
    const browser = newBrowser()
    const begun = await begin(configuration)
    const setUp = await browser.submit(await browser.open(begun.url), { identifier: username, password: PASSWORD })
    expect(setUp.url.pathname).toMatch(/^\/set-up-factor\//)
    const secret = /id="key">([^<]+)</.exec(setUp.text)?.[1]?.replaceAll(' ', '') ?? ''
    const wrong = await browser.submit(setUp, { code: '123', action: 'totp' })
    expect([wrong.status, wrong.text.includes(secret.slice(0, 4))]).toEqual([422, true])
    const codesPage = await browser.submit(wrong, { code: codeOf(server, secret), action: 'totp' })
    const codes = [...codesPage.text.matchAll(/<code>([0-9a-f]{10})<\/code>/g)].map(([, code]) => code ?? '')
    expect(codes).toHaveLength(10)
    const end = await browser.submit(codesPage, { action: 'backup-codes' })
    expect((await redeem(configuration, end, begun)).claims()).toMatchObject({ acr: MFA })
    const other = newBrowser()
    const next = await begin(configuration)
    const asked = await other.submit(await other.open(next.url), { identifier: username, password: PASSWORD })
    expect(asked.url.pathname).toMatch(/^\/second-factor\//)
    expect((await other.submit(asked, { code: '000000' })).status).toBe(422)
    const another = await other.open(new URL(`${asked.url.href}?factor=BackupCode`))
    const done = await other.submit(another, { code: ` ${codes[0]?.toUpperCase()} ` })
    expect((await redeem(configuration, done, next)).claims()).toMatchObject({ acr: MFA })
  })

  test('a suggestion can be declined', async () => {
    await useFactors(server, ['Totp'], 'PromptAtSignInAndSignUp')
    const { username } = await createUser(server)
    const browser = newBrowser()
    const begun = await begin(configuration)
    const page = await browser.submit(await browser.open(begun.url), { identifier: username, password: PASSWORD })
    expect(page.text).toContain('value="skip"')
    const end = await browser.submit(page, { action: 'skip', code: '' })
    expect((await redeem(configuration, end, begun)).claims()?.amr).toEqual(['pwd'])
  })
})

test('an organization that requires factors issues tokens only to members who used one (isMfaRequired)', async () => {
  const strict = { name: 'Strict', isMfaRequired: true, isTrustedDeviceAllowed: false }
  const { body: organization } = await server.api('POST', '/organizations', strict)
  const { id, username, secret } = await createTotpUser(server, configuration)
  await server.api('POST', `/organizations/${organization.id}/users`, { userIds: [id] })
  await server.api('PATCH', `/users/${id}/logto-configs`, { mfa: { skipMfaOnSignIn: true } })
  const scope = 'openid offline_access urn:logto:scope:organizations'
  const signedIn = async (parameters: Record<string, string>, code?: string) => {
    const browser = newBrowser()
    const begun = await begin(configuration, { scope, prompt: 'consent', ...parameters })
    const page = await browser.submit(await browser.open(begun.url), { identifier: username, password: PASSWORD })
    const end = code === undefined ? page : await browser.submit(page, { code })
    const { refresh_token } = await redeem(configuration, end, begun)
    return refreshTokenGrant(configuration, refresh_token ?? '', { organization_id: organization.id })
  }
  await expect(signedIn({})).rejects.toMatchObject({ error: 'access_denied', status: 403 })
  const tokens = await signedIn({ acr_values: MFA }, codeOf(server, secret))
  expect(decodeJwt(tokens.access_token)).toMatchObject({ organization_id: organization.id })
  await server.api('PATCH', `/organizations/${organization.id}`, { isTrustedDeviceAllowed: true })
  expect((await signedIn({})).access_token).toBeTruthy()
})
