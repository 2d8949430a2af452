/** a stream is its tenant's and its receiver's; a token that is bound to a key is of use with the key alone. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { deleteTenant, getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemCaller } from '../../src/kernel/caller.ts'
import { perform } from '../../src/storage/unit-of-work.ts'
import { boundHeaders, makePair, proofOf } from '../dpop/proofs.ts'
import { authorization, FORM, form, post, send } from '../protocol/arrange.ts'
import { type OnHost, withSecondTenant } from '../tenants/second-tenant.ts'
import { arrive, createReceiver, createStream, takeAll, URIS } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

/** A receiver of another tenant, with a stream that hears of everyone whom it adds. */
const receiverAt = async (place: OnHost) => {
  const { body: management } = await place.token()
  const api = (method: string, path: string, body?: unknown) =>
    place.request(method, `/api${path}`, { token: management.access_token, body })
  const { body: application } = await api('POST', '/applications', {
    name: 'Receiver',
    type: 'Traditional',
    customClientMetadata: { sharedSignals: { events: ['account-disabled'], defaultSubjects: 'NONE' } },
  })
  const { body: secrets } = await api('GET', `/applications/${application.id}/secrets`)
  const { body: issued } = await send(`${server.baseUrl}/oidc/token`, {
    headers: {
      ...{ host: place.host, 'content-type': FORM },
      ...authorization({ clientId: application.id, clientSecret: secrets[0].value }),
    },
    body: form({ grant_type: 'client_credentials', scope: 'ssf.manage' }),
  })
  const ask = (method: string, path: string, body?: unknown, token: string = issued.access_token) =>
    place.request(method, `/oidc/ssf${path}`, { token, body })
  const { body: stream } = await ask('POST', '/streams', { events_requested: [URIS['account-disabled']] })
  return { api, ask, token: issued.access_token as string, streamId: stream.stream_id as string }
}

test('R-33 tokens, streams, users and events of a tenant are those of no other, and go with it', async () => {
  const { b } = await withSecondTenant(server, 'second', 'https://second.example')
  const here = await createReceiver(server, { events: ['account-disabled'] })
  const { stream_id } = await createStream(here)
  const there = await receiverAt(b)
  expect(await there.ask('GET', '/streams', undefined, here.token)).toMatchObject({ status: 401 })
  expect(await here.ask('GET', '/streams', undefined, there.token)).toMatchObject({ status: 401 })
  expect(await there.ask('GET', `/status?stream_id=${stream_id}`)).toMatchObject({ status: 404 })

  const { body: user } = await there.api('POST', '/users', { username: 'theirs' })
  const mine = await arrive(here)
  for (const id of [user.id, mine.id]) {
    const subject = { format: 'opaque', id }
    expect((await there.ask('POST', '/subjects/add', { stream_id: there.streamId, subject })).status).toBe(200)
  }
  await there.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true })
  await server.api('PATCH', `${mine.path}/is-suspended`, { isSuspended: true })
  expect(await takeAll(here, stream_id)).toMatchObject([{ subject: { iss: server.issuer, sub: mine.id } }])
  const { body } = await there.ask('POST', `/poll/${there.streamId}`, { returnImmediately: true })
  expect(Object.keys(body.sets)).toHaveLength(1)

  // with an event that waits and something that is not told yet
  await there.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: false })
  const { store } = server
  const tenant = await getTenant(store, 'default')
  await perform({ store, tenant, caller: systemCaller('test') }, deleteTenant, 'second')
  for (const table of ['signal_streams', 'signal_subjects', 'signal_events', 'user_signals']) {
    const { rows } = await store.database.pool.query(`SELECT FROM ${table} WHERE tenant_id = 'second'`)
    expect([table, rows.length]).toEqual([table, 0])
  }
})

test('a token that is bound to a key (RFC 9449) needs its proof, and is no bearer token', async () => {
  const receiver = await createReceiver(server)
  const pair = await makePair()
  const asked = { grant_type: 'client_credentials', scope: 'ssf.read' }
  const headers = { ...authorization(receiver.own), dpop: await proofOf(server, pair) }
  const { body } = await post(server, '/token', asked, headers)
  expect(body).toMatchObject({ token_type: 'DPoP', scope: 'ssf.read' })
  const url = `${server.issuer}/ssf/streams`
  const read = (given: Record<string, string>) => send(url, { method: 'GET', headers: given })
  expect(await read({ authorization: `Bearer ${body.access_token}` })).toMatchObject({ status: 401 })
  const stolen = await boundHeaders(server, await makePair(), body.access_token, { method: 'GET', url })
  expect(await read(stolen)).toMatchObject({ status: 401 })
  const own = await boundHeaders(server, pair, body.access_token, { method: 'GET', url })
  expect(await read(own)).toMatchObject({ status: 200, body: [] })
  expect(await read(own)).toMatchObject({ status: 401, body: { error: 'invalid_dpop_proof' } })
})
