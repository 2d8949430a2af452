/**
 * R-31 also holds for the mail server of a tenant: it is resolved and checked for each mail, and its replies stay
 * inside.
 */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { sendTestMessage } from '@countersign/server/events/messages.ts'
import { createOutbound, type OutboundOptions } from '@countersign/server/events/outbound.ts'
import { sendBySmtp } from '@countersign/server/events/smtp.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { configOf, type MailServer, startMailServer } from '../management/mail.ts'
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from './receiver-certificate.ts'

const SECRET = 'hunter2'

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

/** A server that answers with these lines, one for each line it receives, and counts connections. */
const speaking = async (lines: readonly string[]) => {
  const came: Socket[] = []
  const listener = createServer((socket) => {
    came.push(socket)
    const left = [...lines]
    const say = () => {
      const line = left.shift()
      if (line !== undefined) socket.write(`${line}\r\n`)
    }
    say()
    socket.on('data', say).on('error', () => undefined)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  const close = async () => {
    for (const socket of came) socket.destroy()
    await new Promise((resolve) => listener.close(resolve))
  }
  return { port, came, close }
}

const tryOut = async (config: object) => {
  server.clock.advance(1)
  const answer = await server.api('POST', `/connectors/${SMTP}/test`, { email: 'somebody@example.com', config })
  const { body: logs } = await server.api('GET', '/logs?logKey=ManagementApi.testConnector&page_size=1')
  return { ...answer, logged: logs[0].payload }
}

describe('R-31 a mail server', () => {
  const auth = { user: 'someone', pass: 'x' }
  test.each([
    ['that does not speak SMTP', 'protocol', [`SSH-2.0 secret=${SECRET}`], {}],
    ['that refuses to greet', 'protocol', [`554 secret=${SECRET}`], {}],
    ['that refuses the log-in', 'login', ['220 hi', '250-hi\r\n250 AUTH PLAIN', `535 secret=${SECRET}`], { auth }],
    ['that refuses the sender', 'sender', ['220 hi', '250 hi', `550 secret=${SECRET}`], {}],
    ['that refuses the recipient', 'recipient', ['220 hi', '250 hi', '250 ok', `550 secret=${SECRET}`], {}],
    ['that refuses the message', 'message', ['220 hi', '250 hi', '250 ok', '250 ok', '354 go', `554 ${SECRET}`], {}],
    ['that offers no TLS', 'tls', ['220 hi', '250 hi', `502 secret=${SECRET}`], { requireTLS: true }],
  ] as const)(
    '%s: its reply is not returned, only the kind of the failure with a fixed sentence',
    async (_what, kind, lines, more) => {
      const speaker = await speaking(lines)
      const { status, body, logged } = await tryOut({ ...configOf(speaker), ...more })
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'connector.general', data: { kind } })
      expect(JSON.stringify(body)).not.toContain(SECRET)
      expect(logged).toMatchObject({ result: 'Error', kind, error: body.data.reason })
      expect(JSON.stringify(logged)).not.toContain(SECRET)
      await speaker.close()
    },
  )

  test('that is unreachable: neither an address nor a system error code is returned', async () => {
    const { status, body } = await tryOut(configOf({ port: await freePort() }))
    expect([status, body.data.kind]).toEqual([400, 'connect'])
    expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1/)
  })

  test('that is silent: the attempt times out', async () => {
    const silent = await speaking([])
    const mail = { to: 'a@example.com', id: 'x', host: 'id.example', subject: 'Hello', text: 'Hello' }
    const outbound = createOutbound({ allow: { hosts: [], ranges: [] }, allowLoopback: true })
    const sent = sendBySmtp(outbound, configOf(silent), mail, AbortSignal.timeout(200))
    await expect(sent).rejects.toMatchObject({ kind: 'timeout' })
    await silent.close()
  })
})

/** A server whose BASE_URL is not on this machine sends a message; returns the kind of the failure and the log. */
const sent = async (config: { host: string; port: number }, options: Partial<OutboundOptions> = {}) => {
  const logged: string[] = []
  const warn = (what: { err: Error }) => void logged.push(what.err.message)
  const store = { ...server.store, log: { ...server.store.log, warn } as typeof server.store.log }
  const outbound = createOutbound({ allow: { hosts: [], ranges: [] }, allowLoopback: false, ...options })
  const tenant = await getTenant(server.store, 'default')
  const failure = await sendTestMessage(store, outbound)(
    tenant,
    'Email',
    { kind: SMTP, config: { ...configOf({ port: 0 }), ...config } },
    'a@example.com',
  )
  return { kind: failure?.kind, told: failure?.message ?? '', logged: logged.join() }
}

describe('R-31 the address of a mail server', () => {
  test.each([
    '127.0.0.1',
    'localhost',
    '127.1',
    '2130706433',
    '0177.0.0.1',
    '0.0.0.0',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    'fe80::1',
    '64:ff9b::7f00:1',
  ])('that is not public is not connected to: %s', async (host) => {
    const speaker = await speaking(['220 hi'])
    const { kind, told, logged } = await sent({ host, port: speaker.port })
    expect(kind).toBe('address')
    expect(told).toContain('OUTBOUND_ALLOW')
    expect(told).not.toContain(host)
    expect(logged).toContain('is not public')
    expect(speaker.came).toHaveLength(0)
    await speaker.close()
  })

  test('is resolved for each mail: a name that resolves elsewhere the next time is refused', async () => {
    let leadsTo = ['127.0.0.1']
    const resolver = async () => leadsTo
    const options = { resolver, allow: { hosts: [], ranges: ['127.0.0.1'] } }
    const { port } = mailServer
    const before = mailServer.mails.length
    expect((await sent({ host: 'relay.example', port }, options)).kind).toBeUndefined()
    leadsTo = ['127.0.0.1', '169.254.169.254']
    expect((await sent({ host: 'relay.example', port }, options)).kind).toBe('address')
    leadsTo = []
    expect((await sent({ host: 'relay.example', port }, options)).kind).toBe('connect')
    expect(mailServer.mails).toHaveLength(before + 1)
  })

  test('may be an internal one that OUTBOUND_ALLOW lists, also by name', async () => {
    const resolver = async () => ['127.0.0.1']
    const allow = { hosts: ['relay.internal'], ranges: [] }
    const { port } = mailServer
    expect((await sent({ host: 'relay.internal', port }, { resolver, allow })).kind).toBeUndefined()
    expect((await sent({ host: 'Relay.Internal', port }, { resolver, allow })).kind).toBeUndefined()
    expect((await sent({ host: 'other.internal', port }, { resolver, allow })).kind).toBe('address')
  })

  test.each([
    ['from the first byte', true],
    ['by STARTTLS', false],
  ])('does not stand in for the name in TLS %s', async (_how, secure) => {
    const tlsServer = await startMailServer({
      secure,
      key: RECEIVER_KEY,
      cert: RECEIVER_CERTIFICATE,
      disabledCommands: ['AUTH'],
    })
    const options = { resolver: async () => ['127.0.0.1'], allow: { hosts: [], ranges: ['127.0.0.1'] } }
    const config = { port: tlsServer.port, secure, requireTLS: true, tls: { ca: RECEIVER_CERTIFICATE } }
    expect((await sent({ ...config, host: 'receiver.example' }, options)).kind).toBeUndefined()
    expect((await sent({ ...config, host: 'other.example' }, options)).kind).toBe('tls')
    expect(tlsServer.mails).toHaveLength(1)
    await tlsServer.close()
  })

  test('the log has all of it', async () => {
    const speaker = await speaking([`554 secret=${SECRET}`])
    const { told, logged } = await sent(configOf(speaker), { allowLoopback: true })
    expect(told).not.toContain(SECRET)
    expect(logged).toContain(SECRET)
    await speaker.close()
  })
})
