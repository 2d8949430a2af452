/** One's own sessions, grants and trusted devices in the Account API (DECISIONS T5). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { trustDevice } from '@countersign/server/domain/factors/trusted-devices.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { operation, perform } from '@countersign/server/storage/unit-of-work.ts'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { eventsSince } from '../experience/arrange.ts'
import { createApp } from '../sign-in/arrange.ts'
import { call, EVERY_FIELD, newUser, openAccountCenter, proved, refusal, signedIn } from './arrange.ts'

const NO_PROOF = [401, 'verification_record.permission_denied']
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

const status = async (token: string) => (await call(server, token, 'GET', '/my-account')).status

test('sessions are listed with what is known of them, and ended one by one with a proof', async () => {
  const user = await newUser(server, appId)
  const first = server.clock.now().getTime()
  server.clock.advance(60)
  const later = await signedIn(server, user.userId, thirdPartyId)
  const { body } = await user.ask('GET', '/my-account/sessions')
  expect(body.sessions).toMatchObject([
    {
      payload: { jti: later.sessionId, accountId: user.userId },
      ...{ isCurrent: false, clientId: thirdPartyId, applicationName: 'Notes', lastUsedAt: first + 60_000 },
      ...{ userAgent: null, ip: null, country: null, city: null },
    },
    { payload: { jti: user.sessionId }, isCurrent: true, clientId: appId, lastUsedAt: first },
  ])
  const at = `/my-account/sessions/${later.sessionId}`
  expect(refusal(await user.ask('DELETE', at))).toEqual(NO_PROOF)
  const { cursor } = await eventsSince(server)
  expect((await user.change('DELETE', at)).status).toBe(204)
  const { events } = await eventsSince(server, cursor)
  expect(events).toMatchObject([{ event: 'User.Data.Updated', data: { id: user.userId } }])
  expect(await status(later.token)).toBe(401)
  expect(await status(user.token)).toBe(200)
})

test('a session of another user is one that does not exist', async () => {
  const [user, other] = [await newUser(server, appId), await newUser(server, appId)]
  const unknown = await user.change('DELETE', '/my-account/sessions/nothing')
  expect(refusal(unknown)).toEqual([404, 'oidc.session_not_found'])
  const theirs = await user.change('DELETE', `/my-account/sessions/${other.sessionId}`)
  expect([refusal(theirs), theirs.body.message]).toEqual([refusal(unknown), unknown.body.message])
  const grant = await user.change('DELETE', `/my-account/grants/${other.grantId}`)
  expect(refusal(grant)).toEqual([404, 'entity.not_exists_with_id'])
  expect(await status(other.token)).toBe(200)
})

test('signing out everywhere else leaves the session of the token, and ends grants that outlive theirs', async () => {
  const user = await newUser(server, appId)
  const online = await signedIn(server, user.userId, appId)
  const offline = await signedIn(server, user.userId, appId, ['openid', 'offline_access'])
  const outliving = await signedIn(server, user.userId, appId, ['openid', 'offline_access'])
  expect((await user.change('DELETE', `/my-account/sessions/${outliving.sessionId}`)).status).toBe(204)
  const grants = async () => (await user.ask('GET', '/my-account/grants')).body.grants
  expect(await grants()).toContainEqual(expect.objectContaining({ id: outliving.grantId }))
  expect(refusal(await user.ask('DELETE', '/my-account/sessions'))).toEqual(NO_PROOF)
  expect((await user.change('DELETE', '/my-account/sessions')).status).toBe(204)
  for (const { token } of [online, offline]) expect(await status(token)).toBe(401)
  expect(await grants()).toMatchObject([{ id: user.grantId }])
  expect((await user.ask('GET', '/my-account/sessions')).body.sessions).toHaveLength(1)
})

test('grants are listed with what they allow, by kind of application, and revoked with a proof', async () => {
  const user = await newUser(server, appId)
  const given = await signedIn(server, user.userId, thirdPartyId, ['openid', 'email'])
  const grants = async (query = '') => (await user.ask('GET', `/my-account/grants${query}`)).body.grants
  expect(await grants('?appType=thirdParty')).toMatchObject([
    { id: given.grantId, application: { id: thirdPartyId, name: 'Notes' }, scopes: ['openid', 'email'] },
  ])
  expect(await grants('?appType=firstParty')).toMatchObject([
    { id: user.grantId, isCurrent: true, isThirdParty: false },
  ])
  expect(await grants()).toHaveLength(2)
  const at = `/my-account/grants/${given.grantId}`
  expect(refusal(await user.ask('DELETE', at))).toEqual(NO_PROOF)
  expect((await user.change('DELETE', at)).status).toBe(204)
  expect(await status(given.token)).toBe(401)
  expect(await grants('?appType=thirdParty')).toEqual([])
})

/** Trusts a device of the user; returns its secret. */
const trust = async (userId: string): Promise<string> => {
  const work = { store: server.store, tenant: await getTenant(server.store, 'default'), caller: systemCaller('test') }
  const trusting = operation(['TrustedDevice.Created'], (unit) => trustDevice(unit, userId, 30, undefined))
  return perform(work, trusting)
}

test('trusted devices are listed in pages, and removed by their user with an event', async () => {
  const user = await newUser(server, appId)
  const secret = await trust(user.userId)
  server.clock.advance(60)
  await trust(user.userId)
  const path = '/my-account/trusted-devices'
  const list = (await user.ask('GET', path)).body
  expect(list).toMatchObject([{ isCurrent: false }, { isCurrent: false }])
  const [, device] = list
  expect((await user.ask('GET', `${path}?page=2&page_size=1`)).body).toEqual([device])
  const cookie = `countersign-device=${secret}`
  const headers = { authorization: `Bearer ${user.token}`, cookie }
  const here = await fetch(`${server.baseUrl}/api${path}`, { headers })
  expect(await here.json()).toMatchObject([{ isCurrent: false }, { id: device.id, isCurrent: true }])
  const other = await newUser(server, appId)
  expect((await other.change('DELETE', `${path}/${device.id}`)).status).toBe(404)
  expect(refusal(await user.ask('DELETE', `${path}/${device.id}`))).toEqual(NO_PROOF)
  const { cursor } = await eventsSince(server)
  expect((await user.change('DELETE', `${path}/${device.id}`)).status).toBe(204)
  const { events } = await eventsSince(server, cursor)
  expect(events).toMatchObject([
    { event: 'TrustedDevice.Deleted', data: { id: device.id, userId: user.userId }, actor: { type: 'user' } },
  ])
  expect((await user.ask('GET', path)).body).toHaveLength(1)
})

test('the settings close each of these parts, and the token needs their scopes', async () => {
  const user = await newUser(server, appId)
  const { token } = await signedIn(server, user.userId, appId, ['openid', 'profile'])
  for (const path of ['sessions', 'grants', 'trusted-devices'])
    expect(refusal(await call(server, token, 'GET', `/my-account/${path}`))).toEqual([403, 'auth.forbidden'])
  const proof = await proved(server, user.token)
  await openAccountCenter(server, { fields: { ...EVERY_FIELD, session: 'ReadOnly', trustedDevice: 'Off' } })
  expect((await user.ask('GET', '/my-account/sessions')).status).toBe(200)
  const ended = await user.ask('DELETE', `/my-account/sessions/${user.sessionId}`, undefined, proof)
  expect(refusal(ended)).toEqual([400, 'account_center.field_not_editable'])
  const devices = await user.ask('GET', '/my-account/trusted-devices')
  expect(refusal(devices)).toEqual([400, 'account_center.field_not_enabled'])
})
