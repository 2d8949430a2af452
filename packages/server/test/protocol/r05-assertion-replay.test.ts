import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { useClientAssertion } from '@countersign/server/domain/applications/client-assertions.ts'
import { forgetExpired } from '@countersign/server/domain/setup/housekeeping.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { post } from './arrange.ts'
import {
  ASSERTION_TYPE,
  askWith,
  assertionOf,
  type KeyClient,
  type KeyPair,
  makeKey,
  nowOf,
  registerKeyClient,
} from './assertions.ts'

let server: TestServer
let key: KeyPair
let client: KeyClient
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  key = await makeKey('ES256')
  client = await registerKeyClient(server, [key])
})
afterAll(() => server.close())

const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status).toSorted()

describe('R-5 a client assertion is accepted once', () => {
  test('R-5 the second use is refused, even with other parameters', async () => {
    const assertion = await assertionOf(server, client, key)
    expect((await askWith(server, client, assertion)).status).toBe(200)
    const again = await askWith(server, client, assertion, { scope: '' })
    expect({ status: again.status, error: again.body.error }).toEqual({ status: 401, error: 'invalid_client' })
    expect(again.body).not.toHaveProperty('access_token')
  })

  test('R-1 R-5 50 concurrent uses over two nodes give exactly one token', async () => {
    const node = await server.startNode()
    try {
      for (let round = 0; round < 3; round += 1) {
        const assertion = await assertionOf(server, client, key)
        const replies = await Promise.all(
          Array.from({ length: 50 }, (_, i) => askWith(i % 2 ? node : server, client, assertion)),
        )
        expect(statuses(replies)).toEqual([200, ...Array(49).fill(401)])
        expect(replies.filter(({ body }) => body.access_token)).toHaveLength(1)
      }
    } finally {
      await node.close()
    }
  })

  test('R-5 a jti is used up even if the rest of the assertion changes', async () => {
    const claims = { jti: 'the same' }
    expect((await askWith(server, client, await assertionOf(server, client, key, { claims }))).status).toBe(200)
    const later = { ...claims, exp: nowOf(server) + 600, aud: `${server.issuer}/token` }
    expect((await askWith(server, client, await assertionOf(server, client, key, { claims: later }))).status).toBe(401)
  })

  test('R-5 a jti used by one client does not affect the same jti of another', async () => {
    const other = await registerKeyClient(server, [key])
    const claims = { jti: 'shared' }
    for (const each of [client, other]) {
      expect((await askWith(server, each, await assertionOf(server, each, key, { claims }))).status).toBe(200)
      expect((await askWith(server, each, await assertionOf(server, each, key, { claims }))).status).toBe(401)
    }
  })

  test('R-5 an assertion used at one endpoint is used up for the others', async () => {
    const client_assertion = await assertionOf(server, client, key)
    const parameters = { token: 'x', client_assertion_type: ASSERTION_TYPE, client_assertion }
    expect((await post(server, '/token/introspection', parameters)).status).toBe(200)
    expect((await post(server, '/token/revocation', parameters)).status).toBe(401)
    expect((await askWith(server, client, client_assertion)).status).toBe(401)
  })

  test('R-5 a refused assertion is not used up: a stranger cannot spend the jti of a client', async () => {
    const stranger = await makeKey('ES256')
    const claims = { jti: 'guessed' }
    expect((await askWith(server, client, await assertionOf(server, client, stranger, { claims }))).status).toBe(401)
    expect((await askWith(server, client, await assertionOf(server, client, key, { claims }))).status).toBe(200)
  })

  test('R-5 housekeeping deletes a used assertion only once it could no longer be accepted', async () => {
    const exp = nowOf(server) + 60
    const claims = { jti: 'to be forgotten', exp }
    const assertion = await assertionOf(server, client, key, { claims })
    expect((await askWith(server, client, assertion)).status).toBe(200)
    server.clock.advance(74)
    await forgetExpired(server.store)
    expect((await askWith(server, client, assertion)).status).toBe(401)
    server.clock.advance(2)
    expect(await forgetExpired(server.store)).toBeGreaterThan(0)
    expect((await askWith(server, client, assertion)).status).toBe(401)
  })

  test('R-2 spending returns the spent row to one caller only', async () => {
    const tenant = await getTenant(server.store, 'default')
    const until = new Date(server.clock.now().getTime() + 60_000)
    const spend = () => useClientAssertion(server.store, tenant, client.id, 'contract', until)
    const spent = await Promise.all(Array.from({ length: 50 }, spend))
    expect(spent.filter(Boolean)).toHaveLength(1)
  })
})
