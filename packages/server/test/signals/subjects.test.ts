/** Subject identifiers of RFC 9493 that receivers add: whom they name, and what is refused (DECISIONS K12). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createReceiver, createStream, type TestReceiver, takeAll } from './arrange.ts'

let server: TestServer
let receiver: TestReceiver
let streamId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  receiver = await createReceiver(server, { defaultSubjects: 'NONE', subjectFormat: 'opaque' })
  streamId = (await createStream(receiver)).stream_id
})
afterAll(() => server.close())

const add = (subject: unknown) => receiver.ask('POST', '/subjects/add', { stream_id: streamId, subject })
const remove = (subject: unknown) => receiver.ask('POST', '/subjects/remove', { stream_id: streamId, subject })

test('each format finds its user, however the address is written, and no one else', async () => {
  const { id } = await server.client.createUser({
    body: { username: 'holder', primaryEmail: 'user@example.com', primaryPhone: '12065550100' },
  })
  const phone = { format: 'phone_number', phone_number: '+12065550100' }
  const subjects = [
    { format: 'iss_sub', iss: server.issuer, sub: id },
    { format: 'opaque', id },
    { format: 'email', email: 'User@EXAMPLE.com' },
    phone,
    { format: 'complex', user: phone, session: { format: 'opaque', id: 'dMTlD|1600802906337.16|16008.16' } },
  ]
  for (const subject of subjects) {
    expect(await add(subject)).toMatchObject({ status: 200, body: {} })
    await server.client.suspendUser({ params: { userId: id }, body: { isSuspended: true } })
    expect(await takeAll(receiver, streamId)).toMatchObject([{ type: 'account-disabled', subject: { id } }])
    expect(await remove(subject)).toMatchObject({ status: 204 })
    await server.client.suspendUser({ params: { userId: id }, body: { isSuspended: false } })
    expect(await takeAll(receiver, streamId)).toEqual([])
  }
})

test('nobody is nobody: the answer does not say so', async () => {
  for (const subject of [
    { format: 'email', email: 'nobody@example.com' },
    { format: 'email', email: 'no address' },
    { format: 'phone_number', phone_number: '+15555550199' },
    { format: 'phone_number', phone_number: 'x' },
    { format: 'opaque', id: '11112222333344445555' },
    { format: 'iss_sub', iss: 'https://issuer.example.com/', sub: '145234573' },
  ]) {
    expect(await add(subject)).toMatchObject({ status: 200, body: {} })
    expect(await remove(subject)).toMatchObject({ status: 204 })
  }
})

test.each([
  { format: 'account', uri: 'acct:example.user@service.example.com' },
  { format: 'did', url: 'did:example:123456' },
  { format: 'uri', uri: 'https://user.example.com/' },
  { format: 'aliases', identifiers: [{ format: 'email', email: 'user@example.com' }] },
  { format: 'complex', session: { format: 'opaque', id: 'x' } },
  { format: 'complex', user: { format: 'complex', user: { format: 'opaque', id: 'x' } } },
  { format: 'iss_sub', iss: 'https://issuer.example.com/' },
  { format: 'email' },
  { format: 'opaque', id: '' },
  { email: 'user@example.com' },
  'user@example.com',
  null,
])('%j is refused with 400', async (subject) => {
  expect(await add(subject)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
})
