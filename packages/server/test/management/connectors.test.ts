import { SMTP } from '@countersign/contract/connector-configs.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { hasMailConnector } from '@countersign/server/domain/delivery/connectors.ts'
import { signInExperience } from '@countersign/server/domain/sign-in/experience.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from '../outbound/receiver-certificate.ts'
import { call, holdFinePermissions, managementToken } from './arrange.ts'
import { configOf, type MailServer, startMailServer } from './mail.ts'

let server: TestServer
let mailServer: MailServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  mailServer = await startMailServer()
})
afterAll(async () => {
  await mailServer.close()
  await server.close()
})

const CONFIG = {
  host: 'smtp.example.com',
  port: 587,
  auth: { user: 'someone', pass: 'opensesame' },
  fromEmail: 'no-reply@example.com',
  templates: [{ usageType: 'SignIn', contentType: 'text/plain', subject: 'Hello', content: '{{code}}' }],
}
const create = (config: object = CONFIG) => server.api('POST', '/connectors', { connectorId: SMTP, config })
let count = 0
/** To an address of its own: one gets ten messages in ten minutes. */
const tryOut = (config: object, email = `somebody${++count}@example.com`) =>
  server.api('POST', `/connectors/${SMTP}/test`, { email, config })

describe('connectors', () => {
  test('are created, read, changed and deleted, with their configuration', async () => {
    const { status, body: made } = await create()
    expect(status).toBe(200)
    expect(made).toMatchObject({ connectorId: SMTP, type: 'Email', config: CONFIG, metadata: {}, tenantId: 'default' })
    expect((await server.api('GET', '/connectors')).body).toEqual([made])
    expect((await server.api('GET', `/connectors?target=${SMTP}`)).body).toEqual([made])
    expect((await server.api('GET', '/connectors?target=github')).body).toEqual([])
    expect((await server.api('GET', `/connectors/${made.id}`)).body).toEqual(made)
    const config = { ...CONFIG, port: 465, secure: true, templates: [] }
    const changed = await server.api('PATCH', `/connectors/${made.id}`, { config, metadata: { name: { en: 'Ours' } } })
    expect(changed.body).toEqual({ ...made, config, metadata: { name: { en: 'Ours' } } })
    const untouched = await server.api('PATCH', `/connectors/${made.id}`, {})
    expect(untouched.body).toEqual(changed.body)
    expect((await server.api('DELETE', `/connectors/${made.id}`)).status).toBe(204)
    expect((await server.api('GET', `/connectors/${made.id}`)).status).toBe(404)
    expect((await server.api('DELETE', `/connectors/${made.id}`)).status).toBe(404)
    expect((await server.api('PATCH', `/connectors/${made.id}`, {})).status).toBe(404)
  })

  test('there is one for mail: another replaces it, also concurrently', async () => {
    const all = await Promise.all([1, 2, 3, 4].map((port) => create({ ...CONFIG, port })))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await server.api('GET', '/connectors')).body).toHaveLength(1)
  })

  test('the configuration is sealed in the database', async () => {
    await create()
    const [row] = await server.store.database.kysely.selectFrom('connectors').selectAll().execute()
    expect(JSON.stringify({ ...row, sealed_config: row?.sealed_config.toString('latin1') })).not.toContain('opensesame')
  })

  test('every node knows immediately whether there is one', async () => {
    const node = await server.startNode()
    try {
      const tenant = await getTenant(server.store, 'default')
      const { body } = await create()
      expect(await hasMailConnector(server.store, tenant)).toBe(true)
      await expect.poll(() => hasMailConnector(node.store, tenant)).toBe(true)
      await server.api('DELETE', `/connectors/${body.id}`)
      expect(await hasMailConnector(server.store, tenant)).toBe(false)
      await expect.poll(() => hasMailConnector(node.store, tenant)).toBe(false)
    } finally {
      await node.close()
    }
  })

  test('one for text messages exists alongside the one for mail', async () => {
    await create()
    const config = { endpoint: 'https://messages.example.com/send', authorization: 'Bearer opensesame' }
    const sms = await server.api('POST', '/connectors', { connectorId: 'http-sms', config: { ...config, host: 'x' } })
    // what its kind does not know is not kept
    expect(sms.body).toMatchObject({ type: 'Sms', config })
    expect(sms.body.config).toEqual(config)
    const { body } = await server.api('GET', '/connectors')
    expect(body.map(({ type }: { type: string }) => type).sort()).toEqual(['Email', 'Sms'])
    const tenant = await getTenant(server.store, 'default')
    expect(await signInExperience(server.store, tenant)).toMatchObject({ canMail: true, canText: true })
    const refused = await server.api('PATCH', `/connectors/${sms.body.id}`, { config: CONFIG })
    expect(refused.status).toBe(400)
    expect(refused.body.data.issues).toContainEqual({
      path: '/config/endpoint',
      reason: 'is required',
      code: 'missing',
    })
    await server.api('DELETE', `/connectors/${sms.body.id}`)
    expect(await signInExperience(server.store, tenant)).toMatchObject({ canMail: true, canText: false })
  })

  test('an unknown kind: 422', async () => {
    const { status, body } = await server.api('POST', '/connectors', { connectorId: 'pigeon', config: CONFIG })
    expect(status).toBe(422)
    expect(body.code).toBe('connector.not_found_with_connector_id')
  })

  test.each([
    ['no host', { host: undefined }, '/config/host'],
    ['an empty host', { host: '' }, '/config/host'],
    ['a host of two lines', { host: 'a\r\nb' }, '/config/host'],
    ['port 0', { port: 0 }, '/config/port'],
    ['port 65536', { port: 65_536 }, '/config/port'],
    ['a port as text', { port: '25' }, '/config/port'],
    ['a sender that is not an address', { fromEmail: 'nobody' }, '/config/fromEmail'],
    ['a sender of two lines', { fromEmail: 'a@example.com\r\nBcc: b@example.com' }, '/config/fromEmail'],
    ['two senders', { fromEmail: 'a@example.com, b@example.com' }, '/config/fromEmail'],
    ['a sender whose name has two lines', { fromEmail: 'A\nB <a@example.com>' }, '/config/fromEmail'],
    ['answers to two', { replyTo: 'a@example.com,b@example.com' }, '/config/replyTo'],
    ['auth without a password', { auth: { user: 'x' } }, '/config/auth/pass'],
    ['another auth', { auth: { type: 'oauth2', user: 'x', pass: 'x' } }, '/config/auth/type'],
    [
      'a subject of two lines',
      { templates: [{ ...CONFIG.templates[0], subject: 'a\nb' }] },
      '/config/templates/0/subject',
    ],
    [
      'another content type',
      { templates: [{ ...CONFIG.templates[0], contentType: 'image/png' }] },
      '/config/templates/0',
    ],
    ['51 templates', { templates: Array(51).fill(CONFIG.templates[0]) }, '/config/templates'],
  ])('400 for %s', async (_what, change, path) => {
    const { status, body } = await create({ ...CONFIG, ...change })
    expect(status).toBe(400)
    expect(body.data.issues[0].path).toContain(path)
  })

  test('the kinds are listed', async () => {
    const { body } = await server.api('GET', '/connector-factories')
    expect(body[0]).toMatchObject({ id: SMTP, type: 'Email', name: { en: 'SMTP' } })
    for (const factory of body) {
      expect((await server.api('GET', `/connector-factories/${factory.id}`)).body).toEqual(factory)
      const config = JSON.parse(factory.configTemplate)
      expect(new Ajv({ strict: false }).validate(factory.configSchema, config)).toBe(true)
      const metadata = factory.isStandard ? { target: `of-${factory.id}` } : {}
      const { status, body: made } = await server.api('POST', '/connectors', {
        connectorId: factory.id,
        config,
        metadata,
      })
      expect(status).toBe(200)
      expect(made).toMatchObject({ config, type: factory.type })
    }
    expect((await server.api('GET', '/connector-factories/pigeon')).status).toBe(404)
  })

  test('a test message needs the permission to write', async () => {
    await holdFinePermissions(server)
    const token = await managementToken(server, 'read:connectors')
    const body = { email: 'somebody@example.com', config: configOf(mailServer) }
    expect((await call(server, 'POST', `/connectors/${SMTP}/test`, { token, body })).status).toBe(403)
  })
})

describe('a test message', () => {
  test('is sent with the configuration of the request', async () => {
    const before = mailServer.mails.length
    expect((await tryOut(configOf(mailServer))).status).toBe(204)
    expect(mailServer.mails[before]).toMatchObject({
      from: { address: 'no-reply@mail.example', name: 'Example' },
      to: [{ address: 'somebody1@example.com' }],
      recipients: ['somebody1@example.com'],
      subject: 'Your verification code',
    })
  })

  test('R-25 names the base URL, whatever the Host of the request', async () => {
    const before = mailServer.mails.length
    const evil = 'evil.example'
    const headers = {
      host: evil,
      'x-forwarded-host': evil,
      'x-forwarded-proto': 'https',
      forwarded: `host=${evil}`,
      'x-original-host': evil,
      origin: `https://${evil}`,
      referer: `https://${evil}/`,
    }
    const token = await managementToken(server, 'all')
    const body = { email: 'somebody@example.com', config: configOf(mailServer) }
    expect((await call(server, 'POST', `/connectors/${SMTP}/test`, { token, body, headers })).status).toBe(204)
    const mail = mailServer.mails[before]
    expect(mail?.raw).not.toContain(evil)
    expect(mail?.text).toContain(new URL(server.baseUrl).host)
  })

  test('says why it could not be sent, and so does the audit log', async () => {
    server.clock.advance(1)
    const { status, body } = await tryOut(configOf({ port: await freePort() }))
    expect(status).toBe(400)
    const reason = 'the mail server cannot be reached'
    expect(body).toMatchObject({ code: 'connector.general', data: { kind: 'connect', reason } })
    expect(body.message).toContain(reason)
    const { body: logs } = await server.api('GET', '/logs?logKey=ManagementApi.testConnector&page_size=1')
    expect(logs[0].payload).toMatchObject({ result: 'Error', kind: 'connect', error: reason })
  })

  test.each(['nobody', 'a@example.com\r\nBcc: b@example.com', 'a@example.com,b@example.com', '<a@example.com>'])(
    'goes to one sound address only: %j is refused',
    async (email) => {
      const { status, body } = await tryOut(configOf(mailServer), email)
      expect(status).toBe(400)
      expect(body.code).toBe('user.invalid_email')
    },
  )

  test('signs in to the mail server', async () => {
    const signedIn: unknown[] = []
    const guarded = await startMailServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        signedIn.push([username, password])
        if (password === 'opensesame') done(null, { user: username })
        else done(new Error('no'))
      },
    })
    const config = (pass: string) => ({ ...configOf(guarded), auth: { user: 'someone', pass } })
    expect((await tryOut(config('opensesame'))).status).toBe(204)
    expect((await tryOut(config('wrong'))).body.data.kind).toBe('login')
    expect((await tryOut(configOf(guarded))).body.data.kind).toBe('sender')
    expect(signedIn).toEqual([
      ['someone', 'opensesame'],
      ['someone', 'wrong'],
    ])
    await guarded.close()
  })

  test('is not sent without TLS if TLS is required', async () => {
    const before = mailServer.mails.length
    const { status, body } = await tryOut({ ...configOf(mailServer), requireTLS: true })
    expect(status).toBe(400)
    expect(body.data.kind).toBe('tls')
    expect(mailServer.mails).toHaveLength(before)
  })

  test.each([
    ['from the first byte', true],
    ['by STARTTLS', false],
  ])('goes by TLS %s, and only to the server that its certificate names', async (_how, secure) => {
    const tlsServer = await startMailServer({
      secure,
      key: RECEIVER_KEY,
      cert: RECEIVER_CERTIFICATE,
      disabledCommands: ['AUTH'],
    })
    const config = { ...configOf(tlsServer), secure, requireTLS: true }
    const tls = { servername: 'receiver.example', ca: RECEIVER_CERTIFICATE }
    expect((await tryOut({ ...config, tls })).status).toBe(204)
    expect((await tryOut({ ...config, tls: { ...tls, servername: 'other.example' } })).body.data.kind).toBe('tls')
    expect((await tryOut(config)).body.data.kind).toBe('tls')
    expect(tlsServer.mails).toHaveLength(1)
    await tlsServer.close()
  })

  test('with an unknown kind: 404', async () => {
    const { status } = await server.api('POST', '/connectors/pigeon/test', { email: 'a@example.com', config: CONFIG })
    expect(status).toBe(404)
  })
})

describe('social connectors', () => {
  const client = { clientId: 'countersign', clientSecret: 'opensesame' }
  const oidc = (target?: string, more: object = {}) => ({
    connectorId: 'oidc',
    config: { issuer: 'https://id.example.com', ...client },
    ...(target ? { metadata: { target } } : {}),
    ...more,
  })
  const told = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

  test('a tenant has one of each target; a standard says its own, which stays', async () => {
    const first = await server.api('POST', '/connectors', oidc('acme', { syncProfile: true }))
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ type: 'Social', target: 'acme', syncProfile: true, isStandard: true })
    expect((await server.api('POST', '/connectors', oidc('globex'))).body).toMatchObject({ syncProfile: false })
    expect((await server.api('GET', '/connectors?target=acme')).body).toEqual([first.body])
    expect(told(await server.api('POST', '/connectors', oidc()))).toEqual([400, 'connector.should_specify_target'])
    expect(told(await server.api('POST', '/connectors', oidc('acme')))).toEqual([
      422,
      'connector.multiple_target_with_same_platform',
    ])
    const path = `/connectors/${first.body.id}`
    expect(told(await server.api('PATCH', path, { metadata: { target: 'other' } }))).toEqual([
      400,
      'connector.can_not_modify_target',
    ])
    const changed = await server.api('PATCH', path, { syncProfile: false, metadata: { name: { en: 'Acme' } } })
    expect(changed.body).toMatchObject({ target: 'acme', syncProfile: false, metadata: { name: { en: 'Acme' } } })
  })

  test('mail is sent whatever social connectors there are, which know no profile of it', async () => {
    const mail = { connectorId: SMTP, config: CONFIG }
    expect(told(await server.api('POST', '/connectors', { ...mail, syncProfile: true }))).toEqual([
      422,
      'connector.invalid_type_for_syncing_profile',
    ])
    const { body } = await server.api('POST', '/connectors', mail)
    expect(told(await server.api('PATCH', `/connectors/${body.id}`, { syncProfile: true }))).toEqual([
      422,
      'connector.invalid_type_for_syncing_profile',
    ])
    expect((await server.api('POST', '/connectors', mail)).status).toBe(200)
    expect(told(await server.api('POST', '/connectors/oidc/test', { email: 'a@example.com', config: {} }))).toEqual([
      400,
      'connector.unexpected_type',
    ])
  })

  test('of two concurrent calls for one target one succeeds', async () => {
    const all = await Promise.all([1, 2, 3].map(() => server.api('POST', '/connectors', oidc('initech'))))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  })
})

test('a text message is shown with sample values, and with how many messages carry it', async () => {
  const show = async (query: Readonly<Record<string, string>>) =>
    (await server.api('GET', `/text-messages/preview?${new URLSearchParams({ usageType: 'SignIn', ...query })}`)).body
  const own = await show({ languageTag: 'de' })
  expect(own).toMatchObject({ text: expect.stringContaining('123456'), parts: 1, unknownVariables: [] })
  expect(await show({ content: '{{code}} {{nothing}}', languageTag: 'ko' })).toEqual({
    ...{ text: '123456 ', parts: 1, isUnicode: false, unknownVariables: ['nothing'] },
  })
  const parts = async (content: string) => {
    const { parts: count, isUnicode } = await show({ content })
    return [count, isUnicode]
  }
  expect([await parts('a'.repeat(160)), await parts('a'.repeat(161))]).toEqual([
    [1, false],
    [2, false],
  ])
  expect([await parts('€'.repeat(80)), await parts('€'.repeat(81))]).toEqual([
    [1, false],
    [2, false],
  ])
  expect([await parts('ж'.repeat(70)), await parts('ж'.repeat(135))]).toEqual([
    [1, true],
    [3, true],
  ])
})
