import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { failedOnce, queueEmpty, type Receiver, startReceiver, wakeWorkers } from '../events/receiver.ts'
import { connectMailServer, type MailServer } from '../management/mail.ts'
import { newBrowser } from '../sign-in/arrange.ts'
import { type Asking, answer, ask, createAsking, createReachable, linkIn, poll } from './arrange.ts'

const TOKEN = 'mF_9.B5f-4.1JqM'

let server: TestServer
let mail: MailServer
let receiver: Receiver
let app: Asking
let status = 204
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  mail = await connectMailServer(server)
  receiver = await startReceiver((response) => void response.writeHead(status).end())
  app = await createAsking(server)
  await server.client.updateApplication({
    params: { id: app.id },
    body: {
      oidcClientMetadata: { backchannelClientNotificationEndpoint: `${receiver.url}/ping` },
      customClientMetadata: { backchannelTokenDeliveryMode: 'ping' },
    },
  })
})
afterAll(async () => {
  await receiver.close()
  await mail.close()
  await server.close()
})

/** A request that its user has answered. */
const answered = async (word: 'allow' | 'deny') => {
  const user = await createReachable(server)
  const before = mail.mails.length
  const asked = { scope: 'openid', login_hint: user.username, client_notification_token: TOKEN }
  const requestId = (await ask(server, app, asked)).body.auth_req_id ?? ''
  const link = await linkIn(mail, before + 1)
  // the mail is gone, and nothing but the ping can be in the queue
  await queueEmpty(server.store)
  await answer(newBrowser(), link, user.username, word)
  return requestId
}

test.each([
  ['allow', 200, undefined],
  ['deny', 400, 'access_denied'],
] as const)('an application is told when its user says %s, and then asks', async (word, code, error) => {
  const before = receiver.received.length
  const requestId = await answered(word)
  await receiver.got(before + 1)
  const { method, path, headers, body } = receiver.received.at(-1) ?? {}
  expect([method, path, headers?.authorization, headers?.['content-type'], JSON.parse(body ?? '')]).toEqual([
    'POST',
    '/ping',
    `Bearer ${TOKEN}`,
    'application/json',
    { auth_req_id: requestId },
  ])
  const reply = await poll(server, app, requestId)
  expect([reply.status, reply.body.error]).toEqual([code, error])
})

test('is told again until it answers, and the database has neither the secret of the request nor the token in clear', async () => {
  status = 500
  const before = receiver.received.length
  const requestId = await answered('allow')
  await failedOnce(server.store)
  const { rows } = await server.store.database.pool.query(
    `SELECT (SELECT count(*)::int FROM backchannel_requests b WHERE b::text ~ $1 OR position($2::bytea IN sealed_ping) > 0) AS requests,
      (SELECT count(*)::int FROM dispatches d WHERE position($2::bytea IN sealed_payload) > 0) AS dispatches`,
    [requestId, Buffer.from(TOKEN)],
  )
  expect(rows).toEqual([{ requests: 0, dispatches: 0 }])
  status = 204
  server.clock.advance(3)
  await wakeWorkers(server.store)
  await receiver.got(before + 2)
  await queueEmpty(server.store)
})

test.each([undefined, '', 'a b', 'a'.repeat(1025), 'ä'])('the token %j is refused', async (token) => {
  const parameters = {
    scope: 'openid',
    login_hint: 'a',
    ...(token === undefined ? {} : { client_notification_token: token }),
  }
  const { status: code, body } = await ask(server, app, parameters)
  expect([code, body.error, body.error_description]).toEqual([
    400,
    'invalid_request',
    expect.stringContaining('client_notification_token'),
  ])
})

test.each([undefined, 'ftp://app.example/', 'javascript:alert(1)'])('ping to %j is refused', async (endpoint) => {
  const { status: code, body } = await server.api('POST', '/applications', {
    name: 'Ping',
    type: 'Traditional',
    ...(endpoint === undefined
      ? {}
      : {
          oidcClientMetadata: {
            redirectUris: [],
            postLogoutRedirectUris: [],
            backchannelClientNotificationEndpoint: endpoint,
          },
        }),
    customClientMetadata: { backchannelTokenDeliveryMode: 'ping' },
  })
  expect([code, body.code]).toEqual([400, 'guard.invalid_input'])
})
