/** Streams in the hands of an operator (DECISIONS K15), and the setting that makes an application a receiver. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { arrive, createReceiver, createStream, takeAll } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const streamOf = async (applicationId: string) => {
  const streams = await server.client.listSignalStreams({})
  return streams.find(({ application }) => application.id === applicationId)
}

test('an operator sees each stream, pauses it so that the receiver cannot start it, and lets it continue', async () => {
  const receiver = await createReceiver(server, { events: ['account-disabled'] })
  const { stream_id: id } = await createStream(receiver, { description: 'Ours' })
  const one = await arrive(receiver)
  await server.client.setSignalStreamStatus({ params: { id }, body: { status: 'paused', reason: 'an audit' } })
  expect(await receiver.ask('POST', '/status', { stream_id: id, status: 'enabled' })).toMatchObject({ status: 403 })
  await server.api('PATCH', `${one.path}/is-suspended`, { isSuspended: true })
  expect(await takeAll(receiver, id)).toMatchObject([
    { type: 'stream-updated', payload: { status: 'paused', reason: 'an audit' } },
  ])
  expect(await streamOf(receiver.id)).toMatchObject({
    ...{ id, description: 'Ours', delivery: 'poll', endpointUrl: null, events: ['account-disabled'], waitingCount: 1 },
    ...{ status: 'paused', statusReason: 'an audit', statusSetBy: 'operator', oldestWaitingAt: expect.any(Number) },
  })
  await server.client.setSignalStreamStatus({ params: { id }, body: { status: 'enabled' } })
  expect((await takeAll(receiver, id)).map(({ type }) => type)).toEqual(['account-disabled', 'stream-updated'])
  expect(await receiver.ask('POST', '/status', { stream_id: id, status: 'paused' })).toMatchObject({ status: 200 })
  const { body } = await server.api('GET', `/logs?entity=${id}`)
  expect(JSON.stringify(body)).toContain('an audit')
  await server.client.deleteSignalStream({ params: { id } })
  expect(await streamOf(receiver.id)).toBeUndefined()
  expect((await receiver.ask('GET', '/streams')).body).toEqual([])
})

test('the setting is in the file of a tenant; taken away, the receiver hears nothing', async () => {
  const receiver = await createReceiver(server, { events: ['account-disabled', 'account-enabled'] })
  const { stream_id } = await createStream(receiver)
  const { text } = await server.client.exportTenant({})
  expect(text).toMatch(/sharedSignals:\s+events:\s+- account-disabled\s+- account-enabled/)
  const one = await arrive(receiver)
  await server.api('PATCH', `/applications/${receiver.id}`, { customClientMetadata: {} })
  await server.api('PATCH', `${one.path}/is-suspended`, { isSuspended: true })
  expect(await streamOf(receiver.id)).toMatchObject({ id: stream_id, events: [], waitingCount: 0 })
})
