/** What an operator monitors in addition to requests: passwords, scripts of custom claims, and outgoing messages. */
import { readFile } from 'node:fs/promises'
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createClaimsWorld, setScript } from '../custom-claims/arrange.ts'
import { failedOnce, queueEmpty, wakeWorkers } from '../events/receiver.ts'
import { configOf, startMailServer } from '../management/mail.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, signIn } from '../sign-in/arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

/** The value of one line of the metrics; undefined if there is no such line. */
const figure = async (line: string): Promise<number | undefined> => {
  const text = await server.store.metrics.registry.metrics()
  const found = text.split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

test('password checks are counted by outcome', async () => {
  const { configuration } = await createApp(server)
  const { username } = await createUser(server)
  for (const password of [...Array<string>(10).fill('wrong'), PASSWORD])
    await signIn(newBrowser(), await begin(configuration), username, password)
  const other = await createUser(server)
  await signIn(newBrowser(), await begin(configuration), other.username, PASSWORD)
  expect(await figure('countersign_password_checks_total{result="wrong"}')).toBe(10)
  expect(await figure('countersign_password_checks_total{result="locked"}')).toBe(1)
  expect(await figure('countersign_password_checks_total{result="right"}')).toBe(1)
})

test('the duration of scripts is counted by outcome', async () => {
  const { machine } = await createClaimsWorld(server)
  await machine.ask()
  await setScript(server, 'client-credentials', 'return { level: 1 }')
  await machine.ask()
  await setScript(server, 'client-credentials', "api.denyAccess('no')")
  await machine.ask()
  const count = (result: string) =>
    figure(`countersign_claims_script_duration_seconds_count{token="client-credentials",result="${result}"}`)
  expect([await count('claims'), await count('denied'), await count('failed')]).toEqual([1, 1, undefined])
})

test('mail is counted, and the age of the oldest waiting mail is reported', async () => {
  const OLDEST = 'countersign_dispatch_oldest_pending_seconds'
  const attempts = (result: string) => figure(`countersign_dispatch_attempts_total{kind="mail",result="${result}"}`)
  const port = await freePort()
  let mailServer = await startMailServer({}, port)
  await server.api('POST', '/connectors', { connectorId: SMTP, config: configOf(mailServer) })
  expect(await figure(OLDEST)).toBe(0)
  await mailServer.close()
  const { body: organization } = await server.api('POST', '/organizations', { name: 'Acme' })
  const invited = await server.api('POST', '/organization-invitations', {
    organizationId: organization.id,
    invitee: 'ada@example.com',
    expiresAt: server.clock.now().getTime() + 3_600_000,
    messagePayload: { link: `${server.baseUrl}/join` },
  })
  expect(invited.status).toBe(201)
  await failedOnce(server.store)
  server.clock.advance(7)
  expect(await figure(OLDEST)).toBe(7)
  mailServer = await startMailServer({}, port)
  await wakeWorkers(server.store)
  await queueEmpty(server.store)
  expect([await attempts('postponed'), await attempts('sent'), await figure(OLDEST)]).toEqual([1, 1, 0])
  await mailServer.close()
})

test('every metric that the guide names exists', async () => {
  const guide = await readFile(new URL('../../../../docs/guides/operations.md', import.meta.url), 'utf8')
  const named = [...new Set(guide.match(/countersign_[a-z_]+/g))]
  expect(named.length).toBeGreaterThan(8)
  const text = await server.store.metrics.registry.metrics()
  for (const name of named) expect(text).toContain(`# HELP ${name} `)
})
