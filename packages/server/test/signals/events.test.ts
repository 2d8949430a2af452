/** What happens to users, and what receivers are told of it (DECISIONS K12): every event, to whom, in which words. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { forgetExpired } from '../../src/domain/setup/housekeeping.ts'
import { fresh } from '../protocol/arrange.ts'
import { createUser } from '../sign-in/arrange.ts'
import { arrive, createReceiver, createStream, type TestReceiver, takeAll } from './arrange.ts'

let server: TestServer
let receiver: TestReceiver
let streamId: string
/** A receiver at which none of the users ever signed in. */
let stranger: TestReceiver
let strangersStream: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  receiver = await createReceiver(server)
  streamId = (await createStream(receiver)).stream_id
  stranger = await createReceiver(server)
  strangersStream = (await createStream(stranger)).stream_id
})
afterAll(() => server.close())

const told = () => takeAll(receiver, streamId)
const iss = () => ({ format: 'iss_sub', iss: server.issuer })
type Arrived = Awaited<ReturnType<typeof arrive>>
const user = ({ sub }: Arrived) => ({ ...iss(), sub })
const inSession = (one: Arrived) => ({
  format: 'complex',
  user: user(one),
  session: { format: 'opaque', id: one.sid },
})
const now = () => Math.floor(server.clock.now().getTime() / 1000)
const signOut = async ({ browser }: Arrived) =>
  browser.submit(await browser.open(`${server.issuer}/session/end`), { confirm: 'yes' })

describe('a receiver is told', () => {
  test('that a session has ended, with or without offline_access, however it ended', async () => {
    for (const scope of ['openid', 'openid offline_access']) {
      const [one, other] = [await arrive(receiver, scope), await arrive(receiver, scope)]
      expect(await told()).toEqual([])
      await signOut(one)
      const event = { type: 'session-revoked', payload: { event_timestamp: now() }, txn: expect.any(String) }
      expect(await told()).toEqual([{ ...event, subject: inSession(one) }])
      await server.api('DELETE', `${other.path}/sessions/${other.sid}`)
      expect(await told()).toEqual([{ ...event, subject: inSession(other) }])
    }
  })

  test('that a user was suspended, with the end of their session, and is active again', async () => {
    const one = await arrive(receiver)
    await server.api('PATCH', `${one.path}/is-suspended`, { isSuspended: true })
    const events = await told()
    expect(events.map(({ type, subject }) => ({ type, subject }))).toEqual([
      { type: 'account-disabled', subject: user(one) },
      { type: 'session-revoked', subject: inSession(one) },
    ])
    expect(new Set(events.map(({ txn }) => txn)).size).toBe(1)
    // the grant has ended with the session: the user is none of the receiver's any more
    await server.api('PATCH', `${one.path}/is-suspended`, { isSuspended: false })
    expect(await told()).toEqual([])
    await receiver.ask('POST', '/subjects/add', { stream_id: streamId, subject: user(one) })
    for (const isSuspended of [true, false]) await server.api('PATCH', `${one.path}/is-suspended`, { isSuspended })
    expect((await told()).map(({ type }) => type)).toEqual(['account-disabled', 'account-enabled'])
  })

  test('that credentials have changed', async () => {
    const one = await arrive(receiver)
    server.clock.advance(1)
    await server.api('PATCH', `${one.path}/password`, { password: 'another horse battery' })
    const payload = { credential_type: 'password', change_type: 'update', event_timestamp: now() }
    expect(await told()).toEqual([
      { type: 'credential-change', subject: user(one), payload, txn: expect.any(String) },
      {
        type: 'session-revoked',
        subject: inSession(one),
        payload: { event_timestamp: now() },
        txn: expect.any(String),
      },
    ])
    const two = await arrive(receiver)
    const totp = await server.client.createUserFactor({ params: { userId: two.id }, body: { type: 'Totp' } })
    const subject = user(two)
    expect(await told()).toMatchObject([{ subject, payload: { credential_type: 'app', change_type: 'create' } }])
    await server.api('DELETE', `${two.path}/mfa-verifications/${(await idsOfFactors(two.id))[0]}`)
    expect(await told()).toMatchObject([{ subject, payload: { credential_type: 'app', change_type: 'delete' } }])
    expect(totp).toMatchObject({ type: 'Totp' })
  })

  test('which claims of tokens have changed, as far as its tokens have them', async () => {
    const one = await arrive(receiver, 'openid roles urn:logto:scope:organizations urn:logto:scope:organization_roles')
    const name = fresh('editors')
    const role = await server.client.createRole({ body: { name } })
    await server.api('POST', `${one.path}/roles`, { roleIds: [role.id] })
    const nothing = { organizations: [], organization_roles: [] }
    expect(await told()).toMatchObject([
      { type: 'token-claims-change', subject: user(one), payload: { claims: { roles: [name], ...nothing } } },
    ])
    const organization = await server.client.createOrganization({ body: { name: fresh('Acme') } })
    await server.api('POST', `/organizations/${organization.id}/users`, { userIds: [one.id] })
    expect(await told()).toMatchObject([{ payload: { claims: { organizations: [organization.id] } } }])
    await server.api('DELETE', `/roles/${role.id}`)
    expect(await told()).toMatchObject([{ payload: { claims: { roles: [] } } }])
    const unaware = await arrive(receiver)
    await server.api('POST', `/organizations/${organization.id}/users`, { userIds: [unaware.id] })
    expect(await told()).toEqual([])
  })

  test('that an identifier has changed, if it was granted that', async () => {
    const one = await arrive(receiver, 'openid email')
    const [before, after] = [`${one.username}@a.example`, `${one.username}@b.example`]
    await server.api('PATCH', one.path, { primaryEmail: before })
    await server.api('PATCH', one.path, { primaryEmail: after, primaryPhone: '491700000001' })
    await server.api('PATCH', one.path, { primaryPhone: '491700000002' })
    expect(await told()).toMatchObject([
      {
        type: 'identifier-changed',
        subject: { format: 'email', email: before },
        payload: { 'new-value': after },
      },
    ])
  })

  test('that a user was deleted, with the end of their session, and not of each credential', async () => {
    const one = await arrive(receiver)
    await server.client.createUserFactor({ params: { userId: one.id }, body: { type: 'Totp' } })
    await told()
    await server.api('DELETE', one.path)
    expect((await told()).toSorted((a, b) => (a.type ?? '').localeCompare(b.type ?? ''))).toMatchObject([
      { type: 'account-purged', subject: user(one), payload: {} },
      { type: 'session-revoked', subject: inSession(one) },
    ])
  })
})

test('a receiver is told of nobody who never signed in there, unless it adds them, and of nobody whom it removes', async () => {
  await takeAll(stranger, strangersStream)
  const one = await arrive(receiver)
  await signOut(one)
  expect(await takeAll(stranger, strangersStream)).toEqual([])
  const added = await createUser(server)
  const subject = { ...iss(), sub: added.id }
  await stranger.ask('POST', '/subjects/add', { stream_id: strangersStream, subject })
  await server.api('PATCH', `/users/${added.id}/is-suspended`, { isSuspended: true })
  expect(await takeAll(stranger, strangersStream)).toMatchObject([{ type: 'account-disabled', subject }])
  await stranger.ask('POST', '/subjects/remove', { stream_id: strangersStream, subject })
  await server.api('PATCH', `/users/${added.id}/is-suspended`, { isSuspended: false })
  expect(await takeAll(stranger, strangersStream)).toEqual([])
  await told()
})

test('subjects are in the words of the receiver: by address, opaque, and pairwise', async () => {
  const redirectUris = { subjectType: 'pairwise' } as const
  const byAddress = await createReceiver(server, { subjectFormat: 'email', defaultSubjects: 'NONE' })
  const opaque = await createReceiver(server, { subjectFormat: 'opaque' }, redirectUris)
  const streams = [await createStream(byAddress), await createStream(opaque)].map(({ stream_id }) => stream_id)
  const one = await arrive(opaque)
  expect(one.sub).not.toBe(one.id)
  const email = `${one.username}@a.example`
  await server.api('PATCH', one.path, { primaryEmail: email })
  const add = await byAddress.ask('POST', '/subjects/add', {
    stream_id: streams[0],
    subject: { format: 'email', email: email.toUpperCase() },
  })
  expect(add.status).toBe(200)
  await server.api('PATCH', `${one.path}/is-suspended`, { isSuspended: true })
  expect(await takeAll(byAddress, streams[0] ?? '')).toMatchObject([
    { type: 'account-disabled', subject: { format: 'email', email } },
  ])
  expect((await takeAll(opaque, streams[1] ?? ''))[0]).toMatchObject({ subject: { format: 'opaque', id: one.sub } })
  // by the sub that it knows, and not by the id
  for (const [id, isIncluded] of [
    [one.id, false],
    [one.sub, true],
  ] as const) {
    await opaque.ask('POST', '/subjects/add', { stream_id: streams[1], subject: { format: 'opaque', id } })
    await server.api('PATCH', `${one.path}/is-suspended`, { isSuspended: false })
    const events = await takeAll(opaque, streams[1] ?? '')
    expect(events.map(({ type }) => type)).toEqual(isIncluded ? ['account-enabled'] : [])
    await server.api('PATCH', `${one.path}/is-suspended`, { isSuspended: true })
    await takeAll(opaque, streams[1] ?? '')
  }
})

test('only the events that it asks for and may have', async () => {
  const modest = await createReceiver(server, { events: ['account-disabled', 'account-purged'] })
  const { stream_id } = await createStream(modest, {
    events_requested: ['https://unknown.example', ...DISABLED_AND_SESSIONS],
  })
  const { body } = await modest.ask('GET', `/streams?stream_id=${stream_id}`)
  expect(body).toMatchObject({ events_delivered: [DISABLED_AND_SESSIONS[0]] })
  const one = await arrive(modest)
  await server.api('PATCH', `${one.path}/is-suspended`, { isSuspended: true })
  await server.api('DELETE', one.path)
  expect((await takeAll(modest, stream_id)).map(({ type }) => type)).toEqual(['account-disabled'])
})
const DISABLED_AND_SESSIONS = [
  'https://schemas.openid.net/secevent/risc/event-type/account-disabled',
  'https://schemas.openid.net/secevent/caep/event-type/session-revoked',
]

const idsOfFactors = async (userId: string): Promise<string[]> => {
  const factors = (await server.api('GET', `/users/${userId}/mfa-verifications`)) as unknown as {
    body: { id: string }[]
  }
  return factors.body.map(({ id }) => id)
}

test('of sessions and grants that end by time nothing is told, and rows that nobody is told of do not stay', async () => {
  const [one, other] = [await arrive(receiver), await arrive(receiver, 'openid offline_access')]
  server.clock.advance(400 * 86_400)
  const later = { ...receiver, token: await receiver.tokenFor('ssf.manage') }
  const ask: TestReceiver['ask'] = (method, path, body) => receiver.ask(method, path, body, later.token)
  expect(await takeAll({ ...later, ask }, streamId)).toEqual([])
  await forgetExpired(server.store)
  const sessions = await server.client.listUserSessions({ params: { userId: one.id } })
  expect(sessions.sessions).toEqual([])
  expect(await takeAll({ ...later, ask }, streamId)).toEqual([])
  expect((await ask('GET', `/status?stream_id=${streamId}`)).body.status).toBe('enabled')
  expect(await server.store.database.kysely.selectFrom('user_signals').selectAll().execute()).toEqual([])
  await ask('POST', '/subjects/add', { stream_id: streamId, subject: user(other) })
  await server.client.suspendUser({ params: { userId: other.id }, body: { isSuspended: true } })
  expect(await takeAll({ ...later, ask }, streamId)).toMatchObject([{ type: 'account-disabled', subject: user(other) }])
})
