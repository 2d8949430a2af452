/** What operators look at first: the state of keys, queues and the installation, each tenant its own. */

import { SMTP } from '@countersign/contract/connector-configs.ts'
import { OUTSIDE_FINDINGS, OUTSIDE_SUBJECTS } from '@countersign/contract/findings.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { countGuess } from '../../src/domain/credentials/address-failures.ts'
import { queueDispatch } from '../../src/domain/delivery/dispatches.ts'
import { databaseFacts, databaseFindings } from '../../src/domain/setup/findings.ts'
import { forgetExpired } from '../../src/domain/setup/housekeeping.ts'
import { getTenant } from '../../src/domain/tenants/tenants.ts'
import { systemCaller } from '../../src/kernel/caller.ts'
import { VERSION } from '../../src/kernel/version.ts'
import { operation, perform } from '../../src/storage/unit-of-work.ts'
import { withSecondTenant } from '../tenants/second-tenant.ts'
import { holdFinePermissions, managementToken } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  // nothing is sent, so that everything stays queued
  server = await startTestServer(inject('cluster'), { WORKERS: 'off', ADDRESS_FAILURES: '5' })
})
afterAll(() => server.close())

const health = async () => (await server.api('GET', '/health')).body
const now = () => server.clock.now().getTime()
/** As it stands in a file. */
const variable = (name: string) => `$\{${name}}`
const IDLE = { waiting: 0, oldestAt: null }
const NONE = { lockouts: 0, messages: 0, addresses: 0 }

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

test('connections and open transactions of the database are counted; its faults are findings with what to do', async () => {
  const open = await server.store.database.pool.connect()
  await open.query('BEGIN')
  const { installation } = await health()
  await open.query('ROLLBACK')
  open.release()
  expect(installation.longestTransactionSeconds).toBeGreaterThanOrEqual(0)
  expect(installation.connections.used).toBeGreaterThanOrEqual(2)
  expect(installation.connections.most).toBeGreaterThan(installation.connections.used)

  const well = {
    ...(await databaseFacts(server.store)),
    ...{ major: 17, mayMigrate: true, isReplica: false, longestTransactionSeconds: null, skewMs: 5000 },
    connections: { used: 89, most: 100 },
  }
  const codes = (facts: Partial<typeof well>) => databaseFindings({ ...well, ...facts }).map(({ code }) => code)
  expect(codes({})).toEqual([])
  expect(codes({ major: 14 })).toEqual(['database.version'])
  expect(codes({ mayMigrate: false, isReplica: true })).toEqual(['database.privileges', 'database.replica'])
  expect(codes({ connections: { used: 90, most: 100 } })).toEqual(['database.connections'])
  expect(databaseFindings({ ...well, longestTransactionSeconds: 900 })).toMatchObject([
    { level: 'warning', code: 'database.transaction', sentence: expect.stringContaining('15 minutes') },
  ])
  expect(codes({ skewMs: 5001 })).toEqual(['clock.skew'])

  const { id: kiosk } = (await server.api('POST', '/applications', { name: 'Kiosk', type: 'SPA' })).body
  await server.store.database.pool.query(
    `UPDATE applications SET custom_client_metadata = custom_client_metadata || '{"idTokenSignedResponseAlg": "EdDSA"}'
      WHERE tenant_id = 'default' AND id = $1`,
    [kiosk],
  )
  expect((await health()).findings).toContainEqual({
    level: 'error',
    code: 'keys.algorithm',
    sentence: expect.stringContaining('EdDSA'),
    fix: expect.stringContaining('countersign keys rotate'),
  })
  await server.api('DELETE', `/applications/${kiosk}`)
  expect((await health()).findings.map(({ code }: { code: string }) => code)).not.toContain('keys.algorithm')
})

test('limits that were reached in the last day are counted: lock-outs, messages to one recipient, requests of one address', async () => {
  expect((await health()).limits).toEqual(NONE)
  const tenant = await getTenant(server.store, 'default')
  const work = { store: server.store, tenant, caller: { ...systemCaller('test'), ip: '192.0.2.7' } }
  const reached = operation(['Identifier.Lockout', 'Message.RateLimited'], async (unit) => {
    unit.emit('Identifier.Lockout', { type: 'username', value: 'ada' })
    for (const recipient of ['a@example.com', 'b@example.com'])
      unit.emit('Message.RateLimited', { action: 'VerificationCodeSend', recipient })
  })
  await perform(work, reached)
  for (let guess = 0; guess < 5; guess += 1) countGuess(work)
  for (const _again of [1, 2, 3]) expect(() => countGuess(work)).toThrow()
  await server.api('GET', '/events')
  expect((await health()).limits).toEqual({ lockouts: 1, messages: 2, addresses: 3 })
})

test('what is outside is asked on request: the base URL, the proxy, the mail server and the providers, a few times a minute', async () => {
  const mail = { host: '127.0.0.1', port: await freePort(), fromEmail: 'no-reply@example.com' }
  const connector = await server.api('POST', '/connectors', { connectorId: SMTP, config: mail })
  const { status, body } = await server.api('GET', '/health/outside')
  expect(status).toBe(200)
  const seen = body.findings.map((each: Record<string, string>) => [each.subject, each.verdict, each.text])
  expect(seen).toEqual([
    [`base URL ${server.baseUrl}`, 'ok', expect.stringContaining('the same base URL')],
    ['token', 'ok', expect.any(String)],
    ['proxy', 'ok', expect.stringMatching(/127\.0\.0\.1$|::1$/)],
    ['mail of default', 'problem', expect.stringContaining('cannot be reached')],
  ])
  // the same by code and values, from which the English text follows
  for (const { code, values, text, subject, about } of body.findings) {
    const filled = (sentence: string, by: Record<string, unknown>) =>
      sentence.replace(/\{(\w+)\}/g, (place, name) => String(by[name] ?? place))
    expect(text).toBe(filled(OUTSIDE_FINDINGS[code as keyof typeof OUTSIDE_FINDINGS][1], values))
    expect(subject).toBe(filled(OUTSIDE_SUBJECTS[about.code as keyof typeof OUTSIDE_SUBJECTS], about.values))
  }
  const ofMail = body.findings.find(({ about }: { about: { code: string } }) => about.code === 'mail')
  expect(ofMail).toMatchObject({ code: 'mail.failed', values: { server: `127.0.0.1:${mail.port}`, kind: 'connect' } })
  for (let more = 0; more < 2; more += 1) expect((await server.api('GET', '/health/outside')).status).toBe(200)
  const refused = await server.api('GET', '/health/outside')
  expect([refused.status, refused.body.code]).toEqual([429, 'request.rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  await server.api('DELETE', `/connectors/${connector.body.id}`)
})

test('another tenant sees its own keys and queues, and nothing of the installation, whose tenants are shown to who may do everything', async () => {
  const { a, b } = await withSecondTenant(server, 'second', 'http://second.example:8080')
  const { body } = await b.token()
  const { body: seen } = await b.request('GET', '/api/health', { token: body.access_token })
  const others = (await health()).signingKeys.map(({ id }: { id: string }) => id)
  expect(seen).toMatchObject({ installation: null, messages: IDLE, deliveries: IDLE, version: VERSION })
  expect(seen).toMatchObject({ limits: NONE, findings: [] })
  expect(seen.signingKeys.map(({ status }: { status: string }) => status)).toEqual(['Current'])
  expect(others).not.toContain(seen.signingKeys[0].id)

  const { installation } = await health()
  expect(installation.tenants).toEqual([
    { id: 'default', name: expect.any(String), issuer: `${server.baseUrl}/oidc`, console: `${server.baseUrl}/console` },
    {
      ...{ id: 'second', name: 'second', issuer: 'http://second.example:8080/oidc' },
      console: 'http://second.example:8080/console',
    },
  ])
  await holdFinePermissions(server)
  const token = await managementToken(server, 'read:configs')
  const { body: less } = await a.request('GET', '/api/health', { token })
  expect(less.installation).toMatchObject({ databaseVersion: installation.databaseVersion, tenants: null })
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

test('limits that were reached more than a day ago are not counted', async () => {
  server.clock.advance(86_399)
  expect((await server.client.getHealth()).limits).toMatchObject({ lockouts: 1, messages: 2 })
  server.clock.advance(1)
  expect((await server.client.getHealth()).limits).toEqual(NONE)
})
