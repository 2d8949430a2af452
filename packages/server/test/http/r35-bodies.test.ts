/** SECURITY R-35: bodies of anonymous callers are limited in size, time and number. */
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { API_ROUTES } from '@countersign/contract/api.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createSignalFeed } from '@countersign/server/domain/signals/feed.ts'
import { createRevocationFeed } from '@countersign/server/domain/tenants/revocation-feed.ts'
import { BODY_LIMITS, type BodyLimits, createBodyReader } from '@countersign/server/http/body-reader.ts'
import { pageEndpoints } from '@countersign/server/pages/routes.ts'
import { atSignIn } from '@countersign/server/protocol/authorize/at-sign-in.ts'
import { protocolEndpoints } from '@countersign/server/protocol/routes.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call, managementToken } from '../management/arrange.ts'
import { FORM, send } from '../protocol/arrange.ts'

const LIMIT = 16 * 1024
let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const HALF = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: 100\r\n\r\ngrant_type=`
const open = (request: string): Socket => {
  const { hostname, port } = new URL(server.baseUrl)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined).write(request)
  return socket
}
/** What the server sends on a connection before it closes it. */
const said = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.on('close', () => resolve(text))
  })

describe('R-35 a body of more than 16 KiB', () => {
  test('is refused by every anonymous route with 413 and a message that names the limit', async () => {
    const forms = [
      ...protocolEndpoints(
        server.store,
        createRevocationFeed(server.store, () => () => undefined),
        createSignalFeed(server.store, () => () => undefined),
      ),
      ...pageEndpoints(server.store, atSignIn(server.store)),
    ].filter(({ method }) => method === 'POST')
    // a response of SAML is signed XML with all that the identity provider says
    const larger = forms.filter(({ bodyLimit }) => bodyLimit > LIMIT).map(({ path }) => path)
    expect(larger).toEqual(['/api/authn/single-sign-on/saml/:connectorId'])
    // users who are signed in, or about to register, may send a picture there; others get the page that they would get without one
    const ofUsers = forms.filter((form) => form.larger?.refuse !== undefined).map(({ path }) => path)
    expect(ofUsers).toEqual(['/extra-profile/:id', '/account/picture', '/account/change/identity-provider'])
    const anonymous = [
      ...forms.filter(({ path }) => !larger.includes(path) && !ofUsers.includes(path)),
      ...API_ROUTES.filter(({ permission, body }) => permission === null && body).map(({ method, path }) => ({
        method,
        path: `/api${path}`,
      })),
    ]
    expect(anonymous.length).toBeGreaterThan(15)
    const body = `a=${'x'.repeat(LIMIT - 1)}`
    for (const { method, path } of anonymous) {
      const reply = await send(`${server.baseUrl}${path}`, { method, headers: { 'content-type': FORM }, body })
      expect([path, reply.status]).toEqual([path, 413])
      if (reply.body) expect(JSON.stringify(reply.body)).toContain(`larger than ${LIMIT} bytes`)
    }
  })

  test('is refused before its first byte, or when chunks exceed the limit', async () => {
    const head = `POST /oidc/token HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\n`
    const announced = await said(open(`${head}Content-Length: ${LIMIT + 1}\r\n\r\n`))
    // the rest of the body would be parsed as the next request
    expect(announced).toMatch(/^HTTP\/1.1 413 [\s\S]*connection: close\r\n[\s\S]*larger than 16384 bytes/i)
    const chunk = `4000\r\n${'x'.repeat(0x40_00)}\r\n`
    const chunked = await said(open(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}1\r\nx\r\n`))
    expect(chunked).toMatch(/^HTTP\/1.1 413 [\s\S]*larger than 16384 bytes/)
  })

  test('of 16 KiB is accepted', async () => {
    const body = `grant_type=${'x'.repeat(LIMIT - 11)}`
    const reply = await send(`${server.issuer}/token`, { headers: { 'content-type': FORM }, body })
    expect([reply.status, reply.body.error]).toEqual([401, 'invalid_client'])
  })

  test('is accepted by the Management API only from authorized callers', async () => {
    const body = JSON.stringify({ name: 'x', description: 'y'.repeat(2 * LIMIT) })
    const headers = { 'content-type': 'application/json' }
    const token = await managementToken(server, 'all')
    expect((await call(server, 'POST', '/roles', { token, body, headers })).status).toBe(400)
    const reader = await managementToken(server, 'read:roles')
    expect((await call(server, 'POST', '/roles', { token: reader, body, headers })).status).toBe(403)
    expect((await call(server, 'POST', '/roles', { token: 'none', body, headers })).status).toBe(401)
    const unsent = 'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{'
    expect(await said(open(`POST /api/roles HTTP/1.1\r\nHost: x\r\n${unsent}`))).toMatch(/^HTTP\/1.1 401 /)
  })
})

describe('R-35 incomplete bodies', () => {
  test('of one address are dropped for newer ones, and the server keeps working', async () => {
    const most = BODY_LIMITS.mostSlowOfAddress
    const sockets = Array.from({ length: most + 20 }, () => open(HALF('/oidc/token')))
    const answers: string[] = []
    await new Promise<void>((resolve) => {
      for (const socket of sockets)
        void said(socket).then((answer) => {
          answers.push(answer)
          if (answers.length === 20) resolve()
        })
    })
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 503 [\s\S]*sending their bodies slowly/)
    expect((await send(`${server.issuer}/token`, { headers: { 'content-type': FORM }, body: 'a=b' })).status).toBe(401)
    for (const socket of sockets) socket.destroy()
  })
})

describe('the body reader', () => {
  const world = (limits: Partial<BodyLimits> = {}) => {
    const clock = { now: 0 }
    const reader = createBodyReader({ ...BODY_LIMITS, ...limits }, () => clock.now)
    const begin = (ip = '192.0.2.1', length?: number) => {
      const stream = Object.assign(new PassThrough(), {
        headers: length === undefined ? {} : { 'content-length': String(length) },
      })
      const outcome = reader.read(stream, 100, ip).then(String, (error: Error) => error.message)
      return { stream, outcome }
    }
    return { clock, reader, begin }
  }
  /** Which of several have settled so far. */
  const ended = async (outcomes: readonly Promise<string>[]) =>
    Promise.all(outcomes.map((outcome) => Promise.race([outcome, turn('pending')])))
  const SLOW = 'unavailable: too many requests are sending their bodies slowly'

  test('returns complete bodies, also those sent in parts, and then holds nothing', async () => {
    const { reader, begin } = world()
    const { stream, outcome } = begin()
    stream.write('ab')
    stream.end('cd')
    expect(await outcome).toBe('abcd')
    expect(reader.size).toBe(0)
  })

  test('refuses a body that does not arrive in time', async () => {
    const { clock, reader, begin } = world({ seconds: 10 })
    const { outcome } = begin()
    clock.now = 9.9
    reader.sweep()
    expect(await ended([outcome])).toEqual(['pending'])
    clock.now = 10
    reader.sweep()
    expect(await outcome).toBe('too-slow: 10')
    expect(reader.size).toBe(0)
  })

  test('drops the oldest slow bodies of an address, and of all addresses, but none that has just begun', async () => {
    const { clock, reader, begin } = world({ mostSlow: 3, mostSlowOfAddress: 2 })
    const outcomes = ['a', 'b', 'b', 'b'].map((ip) => begin(ip).outcome)
    reader.sweep()
    expect(await ended(outcomes)).toEqual(['pending', 'pending', 'pending', 'pending'])
    clock.now = 1
    outcomes.push(begin('c').outcome)
    reader.sweep()
    expect(await ended(outcomes)).toEqual(['pending', SLOW, 'pending', 'pending', 'pending'])
    clock.now = 2
    reader.sweep()
    expect(await ended(outcomes)).toEqual([SLOW, SLOW, 'pending', 'pending', 'pending'])
  })

  test('holds no more bytes and bodies than its limits', async () => {
    const { reader, begin } = world({ mostBytes: 150, most: 3 })
    const [first, second] = [begin(), begin()]
    first.stream.write('x'.repeat(90))
    second.stream.write('x'.repeat(90))
    expect(await first.outcome).toBe(SLOW)
    const others = [begin(), begin()]
    expect(await begin().outcome).toBe(SLOW)
    second.stream.end()
    expect(await second.outcome).toHaveLength(90)
    expect(reader.size).toBe(others.length)
  })

  test('distinguishes an aborted body from one that is too large', async () => {
    const { reader, begin } = world()
    const [cut, large, announced] = [begin(), begin(), begin('192.0.2.1', 101)]
    cut.stream.destroy(new Error('aborted'))
    large.stream.write('x'.repeat(101))
    expect(await cut.outcome).toBe('aborted: the connection ended before the body did')
    expect([await large.outcome, await announced.outcome]).toEqual(['body-too-large: 100', 'body-too-large: 100'])
    expect(reader.size).toBe(0)
  })
})
