/** What operators look at first: the state of keys, queues and the installation, each tenant its own. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { queueDispatch } from '../../src/domain/delivery/dispatches.ts'
import { forgetExpired } from '../../src/domain/setup/housekeeping.ts'
import { getTenant } from '../../src/domain/tenants/tenants.ts'
import { systemCaller } from '../../src/kernel/caller.ts'
import { VERSION } from '../../src/kernel/version.ts'
import { operation, perform } from '../../src/storage/unit-of-work.ts'
import { withSecondTenant } from '../tenants/second-tenant.ts'

let server: TestServer
beforeAll(async () => {
  // nothing is sent, so that everything stays queued
  server = await startTestServer(inject('cluster'), { WORKERS: 'off' })
})
afterAll(() => server.close())

const health = async () => (await server.api('GET', '/health')).body
const now = () => server.clock.now().getTime()
/** As it stands in a file. */
const variable = (name: string) => `$\{${name}}`
const IDLE = { waiting: 0, oldestAt: null }

test('keys are shown with their state and the moment of the next rotation, without what they are made of', async () => {
  const { body: keys } = await server.api('POST', '/configs/oidc/private-keys/rotate', { rotationGracePeriod: 600 })
  const shown = keys.map(({ id, chain, algorithm, status, effectiveAt }: Record<string, unknown>) => {
    return { id, chain, algorithm, status, effectiveAt }
  })
  const { signingKeys, unsignedAlgorithms } = await health()
  expect(signingKeys).toEqual(shown)
  expect(signingKeys[0]).toMatchObject({ status: 'Next', effectiveAt: now() + 600_000 })
  expect(unsignedAlgorithms).toEqual([])
})

test('what waits is counted: events, deliveries of enabled hooks, messages', async () => {
  const config = { url: 'https://receiver.example/hook' }
  const hook = { name: 'Receiver', events: ['Role.Created'], config }
  const { body: made } = await server.api('POST', '/hooks', hook)
  const { events: before } = await health()
  const since = now()
  await server.api('POST', '/roles', { name: 'Buyer' })
  expect((await health()).events).toEqual({ waiting: 1, oldestAt: since, lastSequence: before.lastSequence })
  server.clock.advance(60)
  await server.api('GET', '/events')
  const queue = operation([], async (unit) => queueDispatch(unit, 'mail', {}, 600))
  const tenant = await getTenant(server.store, 'default')
  await perform({ store: server.store, tenant, caller: systemCaller('test') }, queue)
  const { version, retention, events, deliveries, messages } = await health()
  expect({ version, retention }).toEqual({ version: VERSION, retention: { auditDays: 400, eventDays: 30 } })
  expect(events).toEqual({ ...IDLE, lastSequence: before.lastSequence + 1 })
  expect(deliveries).toEqual({ waiting: 1, oldestAt: since })
  expect(messages).toEqual({ waiting: 1, oldestAt: now() })
  await server.api('PATCH', `/hooks/${made.id}`, { enabled: false })
  expect((await health()).deliveries).toEqual(IDLE)
})

test('the installation has its database, its migrations and when expired rows were last deleted', async () => {
  const { installation } = await health()
  expect(installation).toMatchObject({ pendingMigrations: 0, expiredDeletedAt: null })
  expect(installation.databaseVersion).toMatch(/^\d+/)
  expect(installation.databaseBytes).toBeGreaterThan(1_000_000)
  expect(installation.migration).toBeGreaterThanOrEqual(57)
  for (const _again of [1, 2]) {
    server.clock.advance(60)
    await forgetExpired(server.store)
    expect((await health()).installation.expiredDeletedAt).toBe(now())
  }
})

test('another tenant sees its own keys and queues, and nothing of the installation', async () => {
  const { b } = await withSecondTenant(server, 'second', 'http://second.example:8080')
  const { body } = await b.token()
  const { body: seen } = await b.request('GET', '/api/health', { token: body.access_token })
  const others = (await health()).signingKeys.map(({ id }: { id: string }) => id)
  expect(seen).toMatchObject({ installation: null, messages: IDLE, deliveries: IDLE, version: VERSION })
  expect(seen.signingKeys.map(({ status }: { status: string }) => status)).toEqual(['Current'])
  expect(others).not.toContain(seen.signingKeys[0].id)
})

test('the tenant is written as a file, compared with one, and brought to the state that it describes', async () => {
  const { text } = (await server.api('GET', '/configs/declaration')).body
  expect(text).toContain('name: Buyer')
  const compare = async (body: object) => (await server.api('POST', '/configs/declaration/compare', body)).body
  expect(await compare({ text })).toEqual({ changes: [] })
  const config = { url: `https://receiver.example/${variable('NAME')}` }
  const wanted = JSON.stringify({
    hooks: [{ name: 'Receiver', events: ['Role.Created'], enabled: false, config }],
    applications: [{ name: 'Till', type: 'MachineToMachine', oidcClientMetadata: { redirectUris: [] } }],
  })
  const asked = { text: wanted, variables: { NAME: 'here' } }
  const { changes } = await compare(asked)
  expect(changes).toMatchObject([{ verb: 'create', what: expect.stringContaining('Till') }, { verb: 'change' }])
  const named = async () => (await server.api('GET', '/applications?search=Till')).body
  expect(await named()).toEqual([])

  const { body: applied } = await server.api('POST', '/configs/declaration/apply', asked)
  const [till] = await named()
  expect(applied).toMatchObject({ changes, applications: [{ name: 'Till', clientId: till.id }] })
  const secrets = (await server.api('GET', `/applications/${till.id}/secrets`)).body
  expect(secrets[0].value).toBe(applied.applications[0].clientSecret)
  const [hook] = (await server.api('GET', '/hooks')).body
  expect(hook.config.url).toBe('https://receiver.example/here')
  const [entry] = (await server.api('GET', '/logs?logKey=ManagementApi.applyTenant')).body
  expect(entry.payload).toMatchObject({ changes: [expect.stringMatching(/^create/), expect.stringMatching(/^change/)] })
  expect(JSON.stringify(entry)).not.toContain(secrets[0].value)
})

test('a file is refused with the place of each fault; variables are the caller’s and not of the environment', async () => {
  const apply = (text: string) => server.api('POST', '/configs/declaration/apply', { text })
  const { status, body } = await apply('roles:\n  - name: A\n    colour: red\nunknown: 1\n')
  expect([status, body.code]).toEqual([422, 'declaration.invalid'])
  expect(body.data.problems).toEqual(
    expect.arrayContaining([
      { line: 3, column: 5, reason: expect.any(String) },
      { line: 4, column: 1, reason: expect.any(String) },
    ]),
  )
  const hook = `  - name: A\n    events: [Role.Created]\n    config: {url: "${variable('PATH')}"}\n`
  const { body: unset } = await apply(`hooks:\n${hook}`)
  expect(unset.data.problems).toMatchObject([{ line: 4, reason: 'the variable PATH is not set' }])
  expect((await apply('{')).body.code).toBe('declaration.invalid')
})
