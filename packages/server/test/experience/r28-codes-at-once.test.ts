/** guesses at the codes of one address, at once, over several interactions: no more are answered than lock it. */
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createApp } from '../sign-in/arrange.ts'
import { eventsSince, openPage } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  // nothing is mailed: no account has the address
  const config = { host: '127.0.0.1', port: 9, fromEmail: 'no-reply@mail.example' }
  await server.api('POST', '/connectors', { connectorId: SMTP, config })
})
afterAll(() => server.close())

test('R-28 of 30 guesses at ten codes of an address, ten are answered and the others get the lockout error', async () => {
  const { configuration } = await createApp(server)
  const identifier = { type: 'email', value: 'guessed@example.com' }
  const sent = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const page = await openPage(server, configuration)
      await page.start('ForgotPassword')
      const request = { identifier, interactionEvent: 'ForgotPassword' }
      const { body } = await page.call('POST', '/verification/verification-code', request)
      return { page, verificationId: body.verificationId as string }
    }),
  )
  const guesses = ['000000', '000001', '000002'].flatMap((code) =>
    sent.map(({ page, verificationId }) =>
      page.call('POST', '/verification/verification-code/verify', { identifier, verificationId, code }),
    ),
  )
  const codes = (await Promise.all(guesses)).map(({ body }) => body.code)
  expect(codes.filter((code) => code === 'verification_code.code_mismatch')).toHaveLength(10)
  expect(codes.filter((code) => code === 'session.verification_blocked_too_many_attempts')).toHaveLength(20)
  const { events } = await eventsSince(server)
  expect(events.filter(({ event }) => event === 'Identifier.Lockout')).toHaveLength(1)
})
