import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { forgetExpired } from '@countersign/server/domain/setup/housekeeping.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, authorization, issue, post, registerApplication } from './arrange.ts'

let server: TestServer
let arranged: Arranged
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
})
afterAll(() => server.close())

type Client = Arranged['client']
const revoke = (client: Client, token: string, more: Record<string, string> = {}) =>
  post(server, '/token/revocation', { token, ...more }, authorization(client))
const isActive = async (token: string, client = arranged.client) =>
  (await post(server, '/token/introspection', { token }, authorization(client))).body.active

describe('revocation (RFC 7009, DECISIONS G5)', () => {
  test('a revoked token is no longer active; others of the same client are', async () => {
    const [revoked, other] = [await issue(server, arranged), await issue(server, arranged)]
    const reply = await revoke(arranged.client, revoked.token)
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: '' })
    expect(await isActive(revoked.token)).toBe(false)
    expect(await isActive(other.token)).toBe(true)
  })

  test('a revoked token is refused by the Management API', async () => {
    const { credentials, api } = server
    const management = { client: credentials, resource: { id: '', indicator: credentials.resource } }
    const { token } = await issue(server, management, 'all')
    expect((await api('GET', '/resources', undefined, { token })).status).toBe(200)
    expect((await revoke(credentials, token)).status).toBe(200)
    expect((await api('GET', '/resources', undefined, { token })).status).toBe(401)
    expect((await api('GET', '/resources')).status).toBe(200)
  })

  test('it takes effect on every node immediately', async () => {
    const node = await server.startNode()
    try {
      const { token } = await issue(server, arranged)
      const seenThere = async () =>
        (await post(node, '/token/introspection', { token }, authorization(arranged.client))).body.active
      expect(await seenThere()).toBe(true)
      await revoke(arranged.client, token)
      expect(await seenThere()).toBe(false)
    } finally {
      await node.close()
    }
  })

  test('a second revocation, and 20 concurrent ones, are answered like the first', async () => {
    const { token } = await issue(server, arranged)
    const replies = await Promise.all(Array.from({ length: 20 }, () => revoke(arranged.client, token)))
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect((await revoke(arranged.client, token)).status).toBe(200)
    expect(await isActive(token)).toBe(false)
  })

  test('revocation by another client has no effect, and the response does not reveal it', async () => {
    const { token } = await issue(server, arranged)
    const seesAll = { dangerouslyIntrospectAllTokens: true, introspectionAudiences: [arranged.resource.indicator] }
    const own = await revoke(arranged.client, (await issue(server, arranged)).token)
    for (const stranger of [
      await registerApplication(server),
      await registerApplication(server, 'Traditional', seesAll),
      server.credentials,
    ]) {
      const reply = await revoke(stranger, token)
      expect({ status: reply.status, text: reply.text }).toEqual({ status: own.status, text: own.text })
    }
    const spa = await registerApplication(server, 'SPA')
    expect((await post(server, '/token/revocation', { token, client_id: spa.clientId })).status).toBe(200)
    expect(await isActive(token)).toBe(true)
  })

  test.each(['x', 'a.b.c', '....', 'cs_rt_unknown', 'ey'.repeat(7_000)])(
    'what is no token is answered 200 (RFC 7009 section 2.2): %.20s',
    async (token) => {
      expect((await revoke(arranged.client, token)).status).toBe(200)
    },
  )

  test('a hint that is wrong changes nothing', async () => {
    for (const token_type_hint of ['refresh_token', 'nonsense']) {
      const { token } = await issue(server, arranged)
      expect((await revoke(arranged.client, token, { token_type_hint })).status).toBe(200)
      expect(await isActive(token)).toBe(false)
    }
  })

  test('without a token, with two, or without authentication, nothing is revoked', async () => {
    const { token } = await issue(server, arranged)
    expect((await revoke(arranged.client, '')).body.error).toBe('invalid_request')
    const twice = await post(server, '/token/revocation', { token: [token, token] }, authorization(arranged.client))
    expect({ status: twice.status, error: twice.body.error }).toEqual({ status: 400, error: 'invalid_request' })
    expect((await post(server, '/token/revocation', { token })).status).toBe(401)
    expect((await revoke({ ...arranged.client, clientSecret: 'x' }, token)).status).toBe(401)
    expect(await isActive(token)).toBe(true)
  })

  test('is in the audit log', async () => {
    const { token } = await issue(server, arranged)
    server.clock.advance(1)
    const { headers } = await revoke(arranged.client, token)
    const { body } = await server.api('GET', `/logs?logKey=RevokeToken&applicationId=${arranged.client.clientId}`)
    expect(body[0].payload).toMatchObject({
      result: 'Success',
      applicationId: arranged.client.clientId,
      requestId: headers['x-request-id'],
    })
  })

  test('is stored for as long as the token could be used, and then deleted', async () => {
    const short = await arrange(server, { resource: { accessTokenTtl: 60 } })
    const { token } = await issue(server, short)
    await revoke(short.client, token)
    server.clock.advance(58)
    await forgetExpired(server.store)
    expect(await isActive(token, short.client)).toBe(false)
    server.clock.advance(3)
    expect(await forgetExpired(server.store)).toBeGreaterThan(0)
    expect(await isActive(token, short.client)).toBe(false)
  })
})
