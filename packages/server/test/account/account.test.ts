/** The Account API: who may call it, what its token covers, which parts the settings open, and what needs a proof (DECISIONS T). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { eventsSince } from '../experience/arrange.ts'
import { managementToken } from '../management/arrange.ts'
import { begin, createApp, signIn } from '../sign-in/arrange.ts'
import { authorize, redeemCode, refresh, signedInUser } from '../sign-in/user-tokens.ts'
import {
  call,
  EVERY_FIELD,
  EVERY_SCOPE,
  newHolder,
  openAccountCenter,
  PASSWORD,
  proved,
  ROUTES,
  refusal,
  type SignedIn,
  signedIn,
} from './arrange.ts'

let server: TestServer
let appId: string
let thirdPartyId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  appId = (await createApp(server, 'SPA')).id
  thirdPartyId = (await createApp(server, 'SPA', { isThirdParty: true })).id
})
beforeEach(async () => void (await openAccountCenter(server)))
afterAll(() => server.close())

const ask = (token: string | undefined, method: string, path: string, body?: unknown, proof?: string) =>
  call(server, token, method, path, body, proof)
const holder = (fields = {}, scopes?: readonly string[]) => newHolder(server, appId, fields, scopes)
/** With something for each parameter. */
const filled = (path: string) => path.replaceAll(/:\w+/g, 'x')

describe('R-33: every route', () => {
  /** What each answers to a token. */
  const answers = async (token: string | undefined) =>
    Promise.all(
      ROUTES.map(async ([title, { method, path }]) => ({ title, answer: await ask(token, method, filled(path)) })),
    )
  const refusals = async (token: string | undefined) =>
    (await answers(token)).map(({ title, answer }) => [title, ...refusal(answer)])
  const all = (status: number, code: string) => ROUTES.map(([title]) => [title, status, code])

  test('is for opaque tokens of users with openid, and where the settings have it', async () => {
    expect(await refusals(undefined)).toEqual(all(401, 'auth.authorization_header_missing'))
    for (const other of ['cs_at_nothing', await managementToken(server, 'all')])
      expect(await refusals(other)).toEqual(all(401, 'auth.unauthorized'))
    const { token: without } = await holder({}, ['profile', 'email'])
    expect(await refusals(without)).toEqual(all(403, 'auth.forbidden'))
    const [first] = await answers(without)
    expect(first?.answer.headers.get('www-authenticate')).toContain('insufficient_scope')
    const { token } = await holder()
    await openAccountCenter(server, { enabled: false })
    expect(await refusals(token)).toEqual(all(400, 'account_center.not_enabled'))
  })

  test('is for third-party applications if it only reads, and needs no proof', async () => {
    const { token } = await newHolder(server, thirdPartyId)
    const forbidden = (await refusals(token)).filter(([, , code]) => code === 'auth.third_party_application_forbidden')
    const expected = ROUTES.filter(([, { method, proof, isFirstParty }]) => method !== 'GET' || proof || isFirstParty)
    expect(forbidden.map(([title]) => title)).toEqual(expected.map(([title]) => title))
  })
})

describe('a token', () => {
  test('of a real authorization works, and the preflight of its origin allows the header of verifications', async () => {
    const known = await signedInUser(server)
    const { body } = await redeemCode(server, known, await authorize(known, 'openid profile', []))
    const { status, body: account } = await ask(body.access_token, 'GET', '/my-account')
    expect([status, account.id, account.username]).toEqual([200, known.user.id, known.user.username])
    const preflight = await fetch(`${server.baseUrl}/api/my-account`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example' },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('logto-verification-id')
    const stranger = await fetch(`${server.baseUrl}/api/my-account`, { headers: { origin: 'https://evil.example' } })
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('R-13: ends with its grant, its session, and the access of its user', async () => {
    const reads = async ({ token }: SignedIn) => (await ask(token, 'GET', '/my-account')).status
    const byGrant = await holder()
    await server.api('DELETE', `/users/${byGrant.userId}/grants/${byGrant.grantId}`)
    const bySession = await holder()
    await server.api('DELETE', `/users/${bySession.userId}/sessions/${bySession.sessionId}`)
    const suspended = await holder()
    await server.api('PATCH', `/users/${suspended.userId}/is-suspended`, { isSuspended: true })
    const deleted = await holder()
    await server.api('DELETE', `/users/${deleted.userId}`)
    const { id } = await createApp(server, 'SPA')
    const notAdmitted = await newHolder(server, id)
    expect(await reads(notAdmitted)).toBe(200)
    const other = await holder()
    await server.api('PUT', `/applications/${id}/access-control`, {
      userIds: [other.userId],
      userRoleIds: [],
      organizationIds: [],
      organizationRoleRules: [],
    })
    await server.api('PATCH', `/applications/${id}`, { appLevelAccessControlEnabled: true })
    for (const ended of [byGrant, bySession, suspended, deleted, notAdmitted]) expect(await reads(ended)).toBe(401)
  })
})

describe('GET /my-account', () => {
  const PROFILE = ['username', 'name', 'avatar', 'profile', 'hasPassword', 'createdAt', 'updatedAt', 'lastSignInAt']

  test('R-34: shows what each scope covers, and nothing more', async () => {
    const fields = { primaryEmail: `${Date.UTC(2020)}@example.com`, primaryPhone: '12025550123', name: 'Ada' }
    const { userId } = await holder({ ...fields, profile: { nickname: 'A', address: { country: 'UK' } } })
    const shown = async (...scopes: string[]) => {
      const { token } = await signedIn(server, userId, appId, ['openid', ...scopes])
      return (await ask(token, 'GET', '/my-account')).body
    }
    const bare = { id: userId, hasSecurityVerificationMethod: true }
    expect(await shown()).toEqual(bare)
    expect(await shown('email')).toEqual({ ...bare, primaryEmail: fields.primaryEmail })
    expect(await shown('phone')).toEqual({ ...bare, primaryPhone: fields.primaryPhone })
    expect(await shown('custom_data')).toEqual({ ...bare, customData: {} })
    expect(await shown('identities')).toEqual({ ...bare, identities: {}, ssoIdentities: [] })
    expect(await shown('address')).toEqual(bare)
    const withProfile = await shown('profile')
    expect(Object.keys(withProfile)).toEqual(expect.arrayContaining(PROFILE))
    expect(withProfile).not.toHaveProperty('primaryEmail')
    expect(withProfile.profile).toEqual({ nickname: 'A' })
    expect((await shown('profile', 'address')).profile).toEqual({ nickname: 'A', address: { country: 'UK' } })
  })

  test('leaves out the parts that are off', async () => {
    const { token } = await holder()
    const fields = { ...EVERY_FIELD, email: 'ReadOnly', name: 'Off', customData: 'Off', password: 'Off' }
    await openAccountCenter(server, { fields })
    const { body } = await ask(token, 'GET', '/my-account')
    expect(body).toHaveProperty('primaryEmail')
    for (const name of ['name', 'customData', 'hasPassword']) expect(body).not.toHaveProperty(name)
  })
})

describe('PATCH /my-account', () => {
  test('changes name, avatar and custom data, with an event and an entry that name the user', async () => {
    const { token, userId } = await holder()
    const { cursor } = await eventsSince(server)
    const change = { name: 'Ada', avatar: 'https://cdn.example/a.png', customData: { a: 1 } }
    const { status, body } = await ask(token, 'PATCH', '/my-account', change)
    expect([status, body]).toEqual([200, expect.objectContaining(change)])
    expect((await ask(token, 'PATCH', '/my-account', { customData: { b: 2 } })).body.customData).toEqual({ b: 2 })
    const { events } = await eventsSince(server, cursor)
    expect(events[0]).toMatchObject({
      event: 'User.Data.Updated',
      actor: { type: 'user', id: userId },
      application: { id: appId },
      data: { id: userId, ...change },
      matchedRoute: '/my-account',
    })
    const { body: logs } = await server.api('GET', `/logs?userId=${userId}&logKey=AccountApi.updateMyAccount`)
    expect(logs[0]).toMatchObject({ key: 'AccountApi.updateMyAccount', payload: { result: 'Success', userId } })
  })

  test('needs the scope of each member, and a part that users may change', async () => {
    const { token, userId } = await holder()
    const { token: weak } = await signedIn(server, userId, appId, ['openid', 'email'])
    for (const change of [{ name: 'x' }, { customData: {} }, { username: 'x' }])
      expect(refusal(await ask(weak, 'PATCH', '/my-account', change))).toEqual([403, 'auth.forbidden'])
    await openAccountCenter(server, { fields: { ...EVERY_FIELD, name: 'ReadOnly', avatar: 'Off' } })
    const named = await ask(token, 'PATCH', '/my-account', { name: 'x' })
    expect(refusal(named)).toEqual([400, 'account_center.field_not_editable'])
    const pictured = await ask(token, 'PATCH', '/my-account', { avatar: 'https://cdn.example/a.png' })
    expect(refusal(pictured)).toEqual([400, 'account_center.field_not_enabled'])
  })

  test('a username needs a proof, follows the policy, and stays where it is the only way in', async () => {
    const { token } = await holder()
    const rename = (username: string | null, proof?: string) => ask(token, 'PATCH', '/my-account', { username }, proof)
    const { body } = await ask(token, 'GET', '/my-account')
    expect((await rename(body.username)).status).toBe(200)
    const unproved = await rename('renamed')
    expect(refusal(unproved)).toEqual([401, 'verification_record.permission_denied'])
    expect(unproved.headers.get('www-authenticate')).toContain(
      'Bearer error="insufficient_user_authentication", max_age="600", ',
    )
    const proof = await proved(server, token)
    expect(refusal(await rename('9lives', proof))).toEqual([400, 'user.username_starts_with_number'])
    // an account at a provider that is not offered signs no one in
    await server.api('PUT', `/users/${body.id}/identities/gone`, { userId: body.id })
    expect(refusal(await rename(null, proof))).toEqual([422, 'user.last_sign_in_method_required'])
    // a change that was refused has not used the proof up
    expect((await rename('renamed', proof)).status).toBe(200)
    expect(refusal(await rename('again', proof))).toEqual([401, 'verification_record.permission_denied'])
  })
})

describe('PATCH /my-account/profile', () => {
  test('merges, and an address needs its scope', async () => {
    const { token, userId } = await holder({ profile: { nickname: 'A', gender: 'f' } })
    const change = (body: object, by = token) => ask(by, 'PATCH', '/my-account/profile', body)
    const { status, body } = await change({ nickname: 'B', address: { country: 'UK' } })
    expect([status, body]).toEqual([200, { nickname: 'B', gender: 'f', address: { country: 'UK' } }])
    const { token: weak } = await signedIn(server, userId, appId, ['openid', 'profile'])
    expect((await change({ nickname: 'C' }, weak)).body).toEqual({ nickname: 'C', gender: 'f' })
    expect(refusal(await change({ address: {} }, weak))).toEqual([403, 'auth.forbidden'])
    await openAccountCenter(server, { fields: { profile: 'ReadOnly' } })
    expect(refusal(await change({ nickname: 'D' }))).toEqual([400, 'account_center.field_not_editable'])
  })
})

test('the custom profile fields of the tenant bind users and administrators: what they take, and that required values stay', async () => {
  const FIELDS = '/custom-profile-fields'
  const defined = [
    { name: 'nickname', type: 'Text', required: true, config: { minLength: 2 } },
    { name: 'size', type: 'Number', required: true, config: { minValue: 1 } },
  ]
  expect((await server.api('POST', `${FIELDS}/batch`, defined)).status).toBe(201)
  try {
    const { token, userId } = await holder({ profile: { nickname: 'Ada' } })
    const refused = async (path: string, body: object) => {
      const answer = await ask(token, 'PATCH', path, body)
      return [...refusal(answer), answer.body.data?.issues]
    }
    const by = async (method: 'PATCH' | 'POST', path: string, body: object) => {
      const { status, body: answer } = await server.api(method, path, body)
      return status === 200 ? answer : [status, answer.code, answer.data?.issues]
    }
    const because = (...issues: object[]) => [400, 'guard.invalid_input', issues]
    const short = { field: 'nickname', code: 'too_short', limit: 2 }
    expect(await refused('/my-account/profile', { nickname: 'A' })).toEqual(because(short))
    const missing = { field: 'nickname', code: 'missing' }
    expect(await refused('/my-account/profile', { nickname: '' })).toEqual(because(missing))
    const small = { field: 'size', code: 'too_small', limit: 1 }
    expect(await refused('/my-account', { customData: { size: 0 } })).toEqual(because(small))
    // a required value that the account has never had is not asked for here
    const named = await ask(token, 'PATCH', '/my-account/profile', {
      nickname: ' Bea ',
      website: 'https://bea.example',
    })
    expect([named.status, named.body]).toEqual([200, { nickname: 'Bea', website: 'https://bea.example' }])
    const sized = await ask(token, 'PATCH', '/my-account', { customData: { size: '2', other: 'x' } })
    expect([sized.status, sized.body.customData]).toEqual([200, { size: 2, other: 'x' }])
    const noSize = because({ field: 'size', code: 'missing' })
    expect(await refused('/my-account', { customData: { other: 'y' } })).toEqual(noSize)
    const path = `/users/${userId}`
    expect(await by('PATCH', path, { customData: { other: 'y' } })).toEqual(noSize)
    expect(await by('PATCH', path, { profile: { gender: 'f' } })).toEqual(because(missing))
    expect(await by('PATCH', `${path}/profile`, { profile: { nickname: 'A' } })).toEqual(because(short))
    expect(await by('PATCH', `${path}/custom-data`, { customData: { size: 0 } })).toEqual(because(small))
    expect(await by('POST', '/users', { profile: { nickname: 'A' } })).toEqual(because(short))
    expect(await by('POST', '/users', { customData: { size: ' 3' } })).toMatchObject({ customData: { size: 3 } })
    expect(await by('PATCH', `${path}/profile`, { profile: { gender: 'f' } })).toMatchObject({ nickname: 'Bea' })
    expect(await by('PATCH', `${path}/custom-data`, { customData: { other: 'y' } })).toEqual({ size: 2, other: 'y' })
  } finally {
    for (const { name } of defined) await server.api('DELETE', `${FIELDS}/${name}`)
  }
})

describe('R-27: a verification', () => {
  const rename = (token: string, proof: string) =>
    ask(token, 'PATCH', '/my-account', { username: `renamed_${proof.slice(0, 8)}` }, proof)
  const DENIED = [401, 'verification_record.permission_denied']

  test('is of one user and one grant, for ten minutes', async () => {
    const mine = await holder()
    const { body, status } = await ask(mine.token, 'POST', '/verifications/password', { password: PASSWORD })
    expect(status).toBe(201)
    expect(body.expiresAt).toBe(new Date(server.clock.now().getTime() + 600_000).toISOString())
    const proof = body.verificationRecordId
    const other = await holder()
    expect(refusal(await rename(other.token, proof))).toEqual(DENIED)
    const elsewhere = await signedIn(server, mine.userId, appId, EVERY_SCOPE)
    expect(refusal(await rename(elsewhere.token, proof))).toEqual(DENIED)
    server.clock.advance(600)
    expect(refusal(await rename(mine.token, proof))).toEqual(DENIED)
  })

  test('R-1: is used up by one of simultaneous changes; with the setting it is good for all', async () => {
    const mine = await holder()
    const at = { method: 'PATCH', path: '/my-account' }
    const all = async (proof: string, prefix: string) => {
      const names = Array.from({ length: 10 }, (_, index) => `${prefix}_${proof.slice(0, 8)}_${index}`)
      const answers = await Promise.all(
        names.map((username) => ask(mine.token, at.method, at.path, { username }, proof)),
      )
      return answers.filter(({ status }) => status === 200).length
    }
    expect(await all(await proved(server, mine.token), 'once')).toBe(1)
    await openAccountCenter(server, { reuseVerifications: true })
    expect(await all(await proved(server, mine.token), 'often')).toBe(10)
  })

  test('RFC 9470: a token of an authorization that asked for a new sign-in is one itself, once, for ten minutes', async () => {
    const known = await signedInUser(server)
    /** A token for whose authorization the user signed in again, if it asks for that. */
    const tokenAfter = async (parameters: Record<string, string>) => {
      const begun = await begin(known.app.configuration, { scope: 'openid profile offline_access', ...parameters })
      const { url } =
        'max_age' in parameters
          ? await signIn(known.browser, begun, known.user.username)
          : await known.browser.open(begun.url)
      const { body } = await redeemCode(server, known, { begun, code: url.searchParams.get('code') ?? '' })
      return { token: body.access_token as string, refreshToken: body.refresh_token as string }
    }
    const change = async (token: string, username: string) =>
      refusal(await ask(token, 'PATCH', '/my-account', { username }))
    // the sign-in is fresh, but was not asked for
    expect(await change((await tokenAfter({})).token, 'anew')).toEqual(DENIED)
    server.clock.advance(60)
    const { token, refreshToken } = await tokenAfter({ max_age: '10' })
    const { body: refreshed } = await refresh(server, known, refreshToken)
    expect(await change(refreshed.access_token, 'anew')).toEqual(DENIED)
    expect((await change(token, 'anew'))[0]).toBe(200)
    expect(await change(token, 'again')).toEqual(DENIED)
    server.clock.advance(60)
    known.user.username = 'anew'
    const late = await tokenAfter({ max_age: '10' })
    server.clock.advance(600)
    expect(await change(late.token, 'again')).toEqual(DENIED)
  })

  test('R-28: wrong passwords lock as at sign-in, and a user without a password has none to prove', async () => {
    const { token } = await holder()
    const attempt = async (password: string) =>
      refusal(await ask(token, 'POST', '/verifications/password', { password }))
    for (let count = 0; count < 10; count += 1)
      expect(await attempt('wrong')).toEqual([422, 'session.invalid_credentials'])
    expect(await attempt(PASSWORD)).toEqual([400, 'session.verification_blocked_too_many_attempts'])
    const { token: bare } = await holder({ password: undefined })
    const { status } = await ask(bare, 'POST', '/verifications/password', { password: PASSWORD })
    expect(status).toBe(422)
  })
})

test('/account-center: fields are merged, and the anonymous address shows the same', async () => {
  await server.api('PATCH', '/account-center', { enabled: false, fields: { name: 'ReadOnly' } })
  const { body } = await server.api('GET', '/account-center')
  expect(body).toMatchObject({ enabled: false, fields: { ...EVERY_FIELD, name: 'ReadOnly' } })
  const anonymous = await fetch(`${server.baseUrl}/api/.well-known/account-center`)
  expect(await anonymous.json()).toEqual(body)
  const { status } = await server.api('PATCH', '/account-center', { fields: { name: 'Sometimes' } })
  expect(status).toBe(400)
})

test('/account-center: what pages of an account show is kept and public; a deleted profile field leaves it', async () => {
  const set = (body: object) => server.api('PATCH', '/account-center', body)
  const wanted = {
    deleteAccountUrl: 'https://app.example/goodbye',
    customCss: 'main { color: teal }',
    profileFields: [{ name: 'team' }],
  }
  const unknown = await set(wanted)
  expect([unknown.status, unknown.body.code]).toEqual([400, 'custom_profile_fields.entity_not_exists_with_names'])
  await server.api('POST', '/custom-profile-fields', { name: 'team', type: 'Text', required: false })
  for (const wrong of [
    { deleteAccountUrl: 'javascript:alert(1)' },
    { profileFields: [{ name: 'team' }, { name: 'team' }] },
  ])
    expect((await set(wrong)).body.code).toBe('guard.invalid_input')
  const { status, body } = await set(wanted)
  expect([status, body]).toEqual([200, expect.objectContaining(wanted)])
  expect((await set({ enabled: true })).body).toEqual(body)
  const anonymous = await fetch(`${server.baseUrl}/api/.well-known/account-center`)
  expect(await anonymous.json()).toEqual(body)
  await server.api('DELETE', '/custom-profile-fields/team')
  expect((await server.api('GET', '/account-center')).body).toEqual({ ...body, profileFields: [] })
  const none = { deleteAccountUrl: null, customCss: null, profileFields: null }
  expect((await set({ ...none, deleteAccountUrl: '', customCss: '' })).body).toMatchObject(none)
})
