/** One's own tokens, organizations, log and data in the Account API (DECISIONS T7). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { eventsSince } from '../experience/arrange.ts'
import { createApp } from '../sign-in/arrange.ts'
import {
  call,
  EVERY_FIELD,
  newHolder,
  newUser,
  openAccountCenter,
  PASSWORD,
  proved,
  refusal,
  signedIn,
} from './arrange.ts'

const NO_PROOF = [401, 'verification_record.permission_denied']
let server: TestServer
let appId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  appId = (await createApp(server, 'SPA')).id
})
beforeEach(async () => void (await openAccountCenter(server)))
afterAll(() => server.close())

const signUp = (fields = {}) => newUser(server, appId, fields)
let addresses = 0
const newAddress = () => {
  addresses += 1
  return `someone${addresses}@example.com`
}
/** The address counts as verified, as after a code. */
const verifyAddress = (userId: string) =>
  server.store.database.kysely
    .updateTable('users')
    .set({ email_verified_at: server.clock.now() })
    .where('id', '=', userId)
    .execute()

test('personal access tokens are created, renamed and deleted with a proof, at most a hundred', async () => {
  const path = '/my-account/personal-access-tokens'
  const user = await signUp()
  expect(refusal(await user.ask('POST', path, { name: 'ci' }))).toEqual(NO_PROOF)
  const { cursor } = await eventsSince(server)
  const created = await user.change('POST', path, { name: 'ci' })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ name: 'ci', expiresAt: null, value: expect.stringMatching(/^pat_/) })
  const { events } = await eventsSince(server, cursor)
  expect(events).toMatchObject([{ event: 'User.Data.Updated', data: { id: user.userId } }])
  expect(refusal(await user.change('POST', path, { name: 'ci' }))).toEqual([
    422,
    'user.personal_access_token_name_exists',
  ])
  const past = await user.change('POST', path, { name: 'old', expiresAt: 1 })
  expect(refusal(past)).toEqual([400, 'request.invalid_input'])
  const renaming = { currentName: 'ci', name: '..' }
  expect(refusal(await user.ask('PATCH', path, renaming))).toEqual(NO_PROOF)
  expect((await user.change('PATCH', path, renaming)).body).toMatchObject({ name: '..' })
  const list = await user.ask('GET', path)
  expect(list.body).toEqual([{ name: '..', createdAt: expect.any(Number), expiresAt: null, lastUsedAt: null }])
  const other = await signUp()
  expect((await other.change('POST', `${path}/delete`, { name: '..' })).status).toBe(404)
  await sql`
    INSERT INTO personal_access_tokens (tenant_id, user_id, name, hash, created_at)
    SELECT 'default', ${user.userId}, 'n' || n, decode(lpad(to_hex(n), 64, 'a'), 'hex'), ${server.clock.now()}
    FROM generate_series(1, 99) n`.execute(server.store.database.kysely)
  const beyond = await user.change('POST', path, { name: 'one more' })
  expect(refusal(beyond)).toEqual([422, 'user.too_many_personal_access_tokens'])
  expect(refusal(await user.ask('POST', `${path}/delete`, { name: '..' }))).toEqual(NO_PROOF)
  expect((await user.change('POST', `${path}/delete`, { name: '..' })).status).toBe(204)
  expect((await user.change('POST', path, { name: 'one more' })).status).toBe(201)
})

test('organizations are listed, and invitations to the verified address are accepted or declined', async () => {
  const primaryEmail = newAddress()
  const user = await signUp({ primaryEmail })
  const role = (await server.api('POST', '/organization-roles', { name: 'Editor', type: 'User' })).body
  const invite = async (name: string, invitee = primaryEmail) => {
    const organization = (await server.api('POST', '/organizations', { name })).body
    const expiresAt = server.clock.now().getTime() + 60_000
    const body = { organizationId: organization.id, invitee, expiresAt, organizationRoleIds: [role.id] }
    const { id } = (await server.api('POST', '/organization-invitations', body)).body
    return { id, organizationId: organization.id }
  }
  const [wanted, unwanted, late] = [await invite('Wanted'), await invite('Unwanted'), await invite('Late')]
  const foreign = await invite('Foreign', newAddress())
  const list = async () => (await user.ask('GET', '/my-account/organization-invitations')).body
  const answer = (id: string, status: string) =>
    user.ask('PUT', `/my-account/organization-invitations/${id}/status`, { status })
  // while the address is not verified it may be another person's
  expect(await list()).toEqual([])
  expect((await answer(wanted.id, 'Accepted')).status).toBe(404)
  await verifyAddress(user.userId)
  expect(await list()).toHaveLength(3)
  expect(await list()).toContainEqual({
    ...{ id: wanted.id, organizationId: wanted.organizationId, organizationName: 'Wanted' },
    organizationRoles: [{ id: role.id, name: 'Editor' }],
    ...{ createdAt: expect.any(Number), expiresAt: expect.any(Number) },
  })
  expect((await answer(foreign.id, 'Accepted')).status).toBe(404)
  const { cursor } = await eventsSince(server)
  expect((await answer(wanted.id, 'Accepted')).status).toBe(204)
  const { events } = await eventsSince(server, cursor)
  expect(events).toMatchObject([{ event: 'Organization.Membership.Updated', addedUserIds: [user.userId] }])
  expect((await answer(wanted.id, 'Declined')).status).toBe(404)
  expect((await answer(unwanted.id, 'Declined')).status).toBe(204)
  const { body: declined } = await server.api('GET', `/organization-invitations/${unwanted.id}`)
  expect(declined.status).toBe('Revoked')
  server.clock.advance(120)
  expect((await answer(late.id, 'Accepted')).status).toBe(404)
  expect(await list()).toEqual([])
  const { body: organizations } = await user.ask('GET', '/my-account/organizations')
  expect(organizations).toEqual([
    {
      ...{ id: wanted.organizationId, name: 'Wanted', description: null },
      organizationRoles: [{ id: role.id, name: 'Editor' }],
      joinedAt: expect.any(Number),
    },
  ])
})

test('the log shows what happened to the account, not who administers it, and nothing of others', async () => {
  const [user, other] = [await signUp(), await signUp()]
  await user.ask('POST', '/verifications/password', { password: 'wrong' })
  await user.change('POST', '/my-account/personal-access-tokens', { name: 'ci' })
  await other.change('POST', '/my-account/personal-access-tokens', { name: 'ci' })
  await server.api('PATCH', `/users/${user.userId}`, { name: 'Renamed' })
  const { body, headers } = await user.ask('GET', '/my-account/logs')
  const keys = body.map(({ key }: { key: string }) => key)
  expect(keys.filter((key: string) => key === 'AccountApi.createMyToken')).toHaveLength(1)
  expect(keys.filter((key: string) => key.startsWith('ExchangeTokenBy'))).toEqual([])
  expect(body).toContainEqual(
    expect.objectContaining({
      ...{ key: 'AccountApi.verifyMyPassword', result: 'Error', error: 'session.invalid_credentials', isByUser: true },
      ...{ ip: '127.0.0.1', applicationId: null },
    }),
  )
  const byOperator = body.find(({ key }: { key: string }) => key === 'ManagementApi.updateUser')
  expect(byOperator).toMatchObject({ isByUser: false, ip: null, userAgent: null, applicationId: null })
  expect(headers.get('total-number')).toBe(String(body.length))
  const page = await user.ask('GET', '/my-account/logs?page_size=1')
  expect(page.body).toEqual([body[0]])
  const text = JSON.stringify(body)
  for (const secret of [PASSWORD, 'pat_', other.userId]) expect(text).not.toContain(secret)
})

test('the data contain a section of every table that names users, for a proof, and no secrets', async () => {
  const user = await signUp({ primaryEmail: newAddress(), customData: { colour: 'green' } })
  expect(refusal(await user.ask('GET', '/my-account/data'))).toEqual(NO_PROOF)
  const created = await user.change('POST', '/my-account/personal-access-tokens', { name: 'ci' })
  const { status, body } = await user.change('GET', '/my-account/data')
  expect(status).toBe(200)
  expect(body.user).toMatchObject({ id: user.userId, customData: { colour: 'green' }, hasPassword: true })
  expect(body.sessions).toMatchObject([{ id: user.sessionId, applicationId: appId }])
  expect(body.personalAccessTokens).toMatchObject([{ name: 'ci' }])
  expect(body.log).toContainEqual(expect.objectContaining({ key: 'AccountApi.getMyData' }))
  const { rows } = await sql<{ name: string }>`
    SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
    WHERE contype = 'f' AND confrelid = 'users'::regclass`.execute(server.store.database.kysely)
  const SECTION_OF: Readonly<Record<string, string>> = {
    ...{
      account_deletions: 'deletion',
      account_verifications: 'verifications',
      administrators: 'administrator',
      applications_access_users: 'admittedBy',
      backchannel_requests: 'backchannelRequests',
      factors: 'factors',
    },
    ...{
      grants: 'grants',
      impersonations: 'impersonations',
      known_devices: 'knownBrowsers',
      opaque_access_tokens: 'accessTokens',
    },
    ...{ organization_invitations: 'acceptedInvitations', organization_users: 'organizations' },
    ...{ owner_notices: 'notices' },
    ...{ personal_access_tokens: 'personalAccessTokens', scim_users: 'directories', sessions: 'sessions' },
    ...{ sign_in_countries: 'signInCountries', subject_tokens: 'subjectTokens', trusted_devices: 'trustedDevices' },
    token_sets: 'providerTokens',
    ...{ user_identities: 'identities', user_sso_identities: 'ssoIdentities', users_roles: 'roles' },
  }
  // a table that is not here has rows about users that the download lacks
  for (const { name } of rows) expect(body, name).toHaveProperty(SECTION_OF[name] ?? `a section of ${name}`)
  const text = JSON.stringify(body)
  for (const secret of [created.body.value, user.token, 'argon2', 'hash', 'sealed']) expect(text).not.toContain(secret)
  const { body: logs } = await server.api('GET', `/logs?userId=${user.userId}&logKey=AccountApi.getMyData`)
  expect(logs).toMatchObject([{ payload: { result: 'Success' } }])
})

test('the settings close each of these parts, and a third-party application downloads nothing', async () => {
  const user = await signUp()
  const closed = ['personalAccessToken', 'organization', 'securityLog', 'data'].map((field) => [field, 'Off'])
  const proof = await proved(server, user.token)
  await openAccountCenter(server, { fields: { ...EVERY_FIELD, ...Object.fromEntries(closed) } })
  const paths = ['personal-access-tokens', 'organizations', 'organization-invitations', 'logs', 'data']
  for (const path of paths) {
    const refused = await user.ask('GET', `/my-account/${path}`, undefined, proof)
    expect(refusal(refused)).toEqual([400, 'account_center.field_not_enabled'])
  }
  await openAccountCenter(server)
  const { id } = await createApp(server, 'SPA', { isThirdParty: true })
  const { token } = await newHolder(server, id)
  const refused = await call(server, token, 'GET', '/my-account/data')
  expect(refusal(refused)).toEqual([403, 'auth.third_party_application_forbidden'])
  const narrow = await signedIn(server, user.userId, appId, ['openid'])
  for (const path of paths.slice(0, -1))
    expect(refusal(await call(server, narrow.token, 'GET', `/my-account/${path}`))).toEqual([403, 'auth.forbidden'])
})
