/** Streams of receivers (DECISIONS K11, K13): who may manage and read them, how events are delivered, kept, and lost by nobody. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { forgetExpired } from '../../src/domain/setup/housekeeping.ts'
import { MOST_WAITING } from '../../src/domain/signals/backlog.ts'
import { authorization, eventually, post, registerApplication, send } from '../protocol/arrange.ts'
import {
  arrive,
  createReceiver,
  createStream,
  poll,
  SSF,
  type TestReceiver,
  takeAll,
  URIS,
  verifySet,
} from './arrange.ts'

let server: TestServer
let receiver: TestReceiver
let streamId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  receiver = await createReceiver(server)
  streamId = (await createStream(receiver, { description: 'Ours' })).stream_id
})
afterAll(() => server.close())

const suspend = (path: string, isSuspended = true) => server.api('PATCH', `${path}/is-suspended`, { isSuspended })
const tokenOf = (own: TestReceiver['own'], parameters: Record<string, string>) =>
  post(server, '/token', { grant_type: 'client_credentials', ...parameters }, authorization(own))

describe('who is a receiver', () => {
  test('the document of the transmitter says where everything is, and all of it answers', async () => {
    const { body } = await send(`${server.baseUrl}/.well-known/ssf-configuration/oidc`, { method: 'GET' })
    expect(body).toMatchObject({
      issuer: server.issuer,
      spec_version: '1_0',
      delivery_methods_supported: ['urn:ietf:rfc:8935', 'urn:ietf:rfc:8936'],
    })
    const places = Object.entries(body).filter(([name]) => name.endsWith('_endpoint')) as [string, string][]
    expect(places).toHaveLength(5)
    for (const [, url] of places) expect((await send(url, { method: 'POST' })).status).toBe(401)
    const { body: resource } = await send(`${server.baseUrl}/.well-known/oauth-protected-resource/oidc/ssf`, {
      method: 'GET',
    })
    expect(resource).toMatchObject({ resource: `${server.issuer}/ssf`, scopes_supported: ['ssf.read', 'ssf.manage'] })
  })

  test('a web application gets tokens by client_credentials for its stream and for nothing else', async () => {
    const { own } = receiver
    const named = await tokenOf(own, { resource: `${server.issuer}/ssf`, scope: 'ssf.read all' })
    expect(named).toMatchObject({ status: 200, body: { scope: 'ssf.read' } })
    for (const parameters of [
      {},
      { scope: 'all' },
      { resource: server.credentials.resource, scope: 'ssf.read' },
    ] as Record<string, string>[])
      expect(await tokenOf(own, parameters)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
    const machine = await registerApplication(server)
    const none = await tokenOf(machine, { resource: `${server.issuer}/ssf`, scope: 'ssf.read' })
    expect(none).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    const publicOne = {
      name: 'Public',
      type: 'SPA',
      customClientMetadata: { sharedSignals: { events: ['account-purged'] } },
    }
    expect((await server.api('POST', '/applications', publicOne)).status).toBe(400)
  })

  test('other tokens, none, and ssf.read where ssf.manage is needed are refused; so is an application that is a receiver no more', async () => {
    const { body: management } = await post(
      server,
      '/token',
      { grant_type: 'client_credentials', resource: server.credentials.resource, scope: 'all' },
      authorization(server.credentials),
    )
    for (const token of ['x', management.access_token, (await arrive(receiver)).tokens.access_token])
      expect(await receiver.ask('GET', '/streams', undefined, token)).toMatchObject({
        status: 401,
        body: { error: 'invalid_token' },
      })
    const reader = await receiver.tokenFor('ssf.read')
    expect(await receiver.ask('GET', '/streams', undefined, reader)).toMatchObject({ status: 200 })
    const refused = await receiver.ask('DELETE', `/streams?stream_id=${streamId}`, undefined, reader)
    expect(refused).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } })
    expect(refused.headers['www-authenticate']).toContain('oauth-protected-resource/oidc/ssf')
    const former = await createReceiver(server)
    await createStream(former)
    await server.api('PATCH', `/applications/${former.id}`, { customClientMetadata: {} })
    expect(await former.ask('GET', '/streams')).toMatchObject({ status: 403, body: { error: 'access_denied' } })
  })

  test('a receiver sees and changes only its own stream', async () => {
    const other = await createReceiver(server)
    const missing = { status: 404 }
    expect(await other.ask('GET', '/streams')).toMatchObject({ status: 200, body: [] })
    for (const id of [streamId, 'z'.repeat(21)]) {
      expect(await other.ask('GET', `/streams?stream_id=${id}`)).toMatchObject(missing)
      expect(await other.ask('GET', `/status?stream_id=${id}`)).toMatchObject(missing)
      expect(await other.ask('POST', `/poll/${id}`, { returnImmediately: true })).toMatchObject(missing)
      expect(await other.ask('DELETE', `/streams?stream_id=${id}`)).toMatchObject(missing)
      expect(await other.ask('PATCH', '/streams', { stream_id: id })).toMatchObject(missing)
      expect(await other.ask('POST', '/status', { stream_id: id, status: 'paused' })).toMatchObject(missing)
      expect(await other.ask('POST', '/verification', { stream_id: id })).toMatchObject(missing)
      const subject = { format: 'opaque', id: 'x' }
      for (const path of ['/subjects/add', '/subjects/remove'])
        expect(await other.ask('POST', path, { stream_id: id, subject })).toMatchObject(missing)
    }
  })
})

describe('a stream', () => {
  test('is read, changed in part, replaced and deleted; there is one', async () => {
    const one = await createReceiver(server)
    const { stream_id, delivery } = await createStream(one, {
      description: 'Mine',
      delivery: { method: 'urn:ietf:rfc:8936' },
    })
    expect(await one.ask('POST', '/streams', {})).toMatchObject({ status: 409 })
    const { body: whole } = await one.ask('GET', `/streams?stream_id=${stream_id}`)
    expect(whole).toEqual({
      ...{ stream_id, iss: server.issuer, aud: one.id, delivery, description: 'Mine' },
      events_supported: Object.values(URIS),
      events_requested: Object.values(URIS),
      events_delivered: Object.values(URIS),
      ...{ min_verification_interval: 60, inactivity_timeout: 604_800 },
    })
    expect((await one.ask('GET', '/streams')).body).toEqual([whole])
    const events_requested = [URIS['account-purged']]
    const { body: changed } = await one.ask('PATCH', '/streams', { ...whole, events_requested })
    expect(changed).toEqual({ ...whole, events_requested, events_delivered: events_requested })
    const { body: replaced } = await one.ask('PUT', '/streams', { stream_id })
    expect(replaced).toMatchObject({ events_requested: [], events_delivered: [] })
    expect(replaced).not.toHaveProperty('description')
    for (const wrong of [{ aud: 'me' }, { delivery: { method: 'urn:ietf:rfc:0' } }, { events_requested: 'x' }])
      expect(await one.ask('PATCH', '/streams', { stream_id, ...wrong })).toMatchObject({ status: 400 })
    expect(await one.ask('DELETE', `/streams?stream_id=${stream_id}`)).toMatchObject({ status: 204 })
    expect((await one.ask('GET', '/streams')).body).toEqual([])
    expect((await createStream(one)).stream_id).not.toBe(stream_id)
    const { body: entries } = await server.api('GET', '/logs?logKey=SharedSignals.deleteStream')
    expect(entries).toMatchObject([{ payload: { result: 'Success' } }])
  })

  test('is verified, not too often, and says what it was given', async () => {
    expect(await receiver.ask('POST', '/verification', { stream_id: streamId, state: 'abc' })).toMatchObject({
      status: 204,
    })
    const again = await receiver.ask('POST', '/verification', { stream_id: streamId })
    expect(again).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
    expect(await takeAll(receiver, streamId)).toMatchObject([
      { type: 'verification', payload: { state: 'abc' }, subject: { format: 'opaque', id: streamId } },
    ])
    server.clock.advance(61)
    expect(await receiver.ask('POST', '/verification', { stream_id: streamId })).toMatchObject({ status: 204 })
    expect((await takeAll(receiver, streamId))[0]).toMatchObject({ payload: {} })
  })

  test('keeps what happens while it is paused, and nothing while it is disabled', async () => {
    const one = await arrive(receiver)
    for (const [status, kept] of [
      ['paused', 1],
      ['disabled', 0],
    ] as const) {
      const set = await receiver.ask('POST', '/status', { stream_id: streamId, status, reason: 'a break' })
      expect(set).toMatchObject({ status: 200, body: { stream_id: streamId, status, reason: 'a break' } })
      await receiver.ask('POST', '/subjects/add', { stream_id: streamId, subject: { format: 'opaque', id: one.id } })
      await suspend(one.path, status === 'paused')
      expect((await poll(receiver, streamId)).told).toEqual([])
      await receiver.ask('POST', '/status', { stream_id: streamId, status: 'enabled' })
      const events = await takeAll(receiver, streamId)
      expect(events.filter(({ type }) => type?.startsWith('account'))).toHaveLength(kept)
    }
    expect((await receiver.ask('GET', `/status?stream_id=${streamId}`)).body).toEqual({
      stream_id: streamId,
      status: 'enabled',
    })
  })
})

describe('polling (RFC 8936)', () => {
  test('gives events in their order, again until they are acknowledged, as many as asked for', async () => {
    const one = await arrive(receiver)
    await receiver.ask('POST', '/subjects/add', { stream_id: streamId, subject: { format: 'opaque', id: one.id } })
    for (const isSuspended of [true, false, true, false]) await suspend(one.path, isSuspended)
    const types = ({ told }: Awaited<ReturnType<typeof poll>>) =>
      told.map(({ events }) => Object.keys(events)[0]?.split('/').at(-1)).filter((type) => type !== 'session-revoked')
    const all = await poll(receiver, streamId)
    expect(types(all)).toEqual(['account-disabled', 'account-enabled', 'account-disabled', 'account-enabled'])
    const first = await poll(receiver, streamId, { maxEvents: 1 })
    expect(first).toMatchObject({ told: [all.told[0]], hasMore: true })
    expect(await poll(receiver, streamId, { maxEvents: 0 })).toEqual({ told: [], hasMore: true })
    const jtis = all.told.map(({ jti }) => jti)
    const rest = await poll(receiver, streamId, { ack: [...jtis.slice(0, 2), 'unknown'] })
    expect(rest.told).toEqual(all.told.slice(2))
    const setErrs = Object.fromEntries(
      jtis.slice(2).map((jti) => [jti, { err: 'invalid_key', description: 'no such key' }]),
    )
    expect(await poll(receiver, streamId, { setErrs })).toEqual({ told: [], hasMore: false })
    const { body } = await server.api('GET', '/logs?logKey=SharedSignals.recordErrors')
    expect(JSON.stringify(body)).toContain('invalid_key')
  })

  test('waits until something happens, on whichever node', async () => {
    const node = await server.startNode()
    const one = await arrive(receiver)
    const request = {
      method: 'POST',
      headers: { authorization: `Bearer ${receiver.token}`, 'content-type': 'application/json' },
    }
    const waiting = send(`${node.url}/oidc/ssf/poll/${streamId}`, { ...request, body: '{"maxEvents":1}' })
    await eventually('the poll waits', 5000, async () =>
      (await node.store.metrics.registry.getSingleMetricAsString('countersign_signal_waits')).includes('waits 1'),
    )
    await suspend(one.path)
    const { body } = await waiting
    const [set = ''] = Object.values(body.sets as Record<string, string>)
    expect(Object.keys((await verifySet(receiver, set)).events)).toEqual([URIS['account-disabled']])
    await takeAll(receiver, streamId)
    await node.close()
  })

  test('answers nonsense with 400 and never with 500', async () => {
    const inPlaces = fc.jsonValue().map((value) =>
      JSON.stringify({
        stream_id: streamId,
        ack: value,
        maxEvents: value,
        status: value,
        subject: value,
        state: [value],
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(inPlaces, fc.json(), fc.string({ minLength: 1 })), async (body) => {
        for (const path of ['/status', '/subjects/add', '/subjects/remove', '/verification'])
          expect((await receiver.ask('POST', path, body)).status).toBe(400)
        const { status } = await receiver.ask('PATCH', '/streams', body.replace(streamId, 'unknown'))
        expect([400, 404]).toContain(status)
        const polled = await receiver.ask(
          'POST',
          `/poll/${streamId}`,
          body.replace(/^\{/, '{"returnImmediately":true,'),
        )
        expect([200, 400]).toContain(polled.status)
      }),
      { numRuns: 40 },
    )
  })
})

describe('nothing is kept for ever', () => {
  const auditOf = async (id: string) => {
    const entries = await server.client.listLogs({ query: { logKey: 'System.pauseSignalStream' } })
    return JSON.stringify(entries).includes(id)
  }

  test('one that is full is paused, and keeps what it has', async () => {
    const slow = await createReceiver(server)
    const { stream_id } = await createStream(slow)
    const one = await arrive(slow)
    const { kysely } = server.store.database
    const { tenant_id: tenantId } = await kysely
      .selectFrom('signal_streams')
      .select('tenant_id')
      .where('id', '=', stream_id)
      .executeTakeFirstOrThrow()
    const full = Array.from({ length: MOST_WAITING }, (_, index) => ({
      tenant_id: tenantId,
      ...{ stream_id, sequence: index + 1, jti: `j${index}`, claims: '{}', created_at: server.clock.now() },
    }))
    for (let at = 0; at < full.length; at += 5000)
      await kysely
        .insertInto('signal_events')
        .values(full.slice(at, at + 5000))
        .execute()
    await kysely
      .updateTable('signal_streams')
      .set({ last_sequence: MOST_WAITING })
      .where('id', '=', stream_id)
      .execute()
    await suspend(one.path)
    expect((await poll(slow, stream_id, { maxEvents: 5 })).told).toHaveLength(1)
    const { body } = await slow.ask('GET', `/status?stream_id=${stream_id}`)
    expect(body).toMatchObject({ status: 'paused', reason: expect.stringContaining('10000') })
    await eventually('it is in the audit log', 5000, () => auditOf(stream_id))
  })

  test('a stream whose receiver asks for nothing is paused, which it finds out when it does', async () => {
    const idle = await createReceiver(server)
    const { stream_id } = await createStream(idle)
    server.clock.advance(8 * 86_400)
    await forgetExpired(server.store)
    const again = { ...idle, token: await idle.tokenFor('ssf.manage') }
    const { body } = await idle.ask('GET', `/status?stream_id=${stream_id}`, undefined, again.token)
    expect(body).toMatchObject({ status: 'paused', reason: expect.stringContaining('seven days') })
    const { body: polled } = await idle.ask('POST', `/poll/${stream_id}`, {}, again.token)
    const [set = ''] = Object.values(polled.sets as Record<string, string>)
    expect((await verifySet(idle, set)).events).toMatchObject({ [`${SSF}stream-updated`]: { status: 'paused' } })
    expect(await auditOf(stream_id)).toBe(true)
    const resumed = await idle.ask('POST', '/status', { stream_id, status: 'enabled' }, again.token)
    expect(resumed).toMatchObject({ status: 200 })
  })
})
