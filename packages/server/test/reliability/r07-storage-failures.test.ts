import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { connectClient } from '@countersign/server/storage/client.ts'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { askWithProof, makePair, proofOf } from '../dpop/proofs.ts'
import { type Arranged, arrange, authorization, eventually, issue, post, type Reply } from '../protocol/arrange.ts'
import {
  askWith,
  assertionOf,
  type KeyClient,
  type KeyPair,
  makeKey,
  registerKeyClient,
} from '../protocol/assertions.ts'
import { expectFailure, faultsOf } from './storage-faults.ts'

let server: TestServer
let arranged: Arranged
let key: KeyPair
let keyClient: KeyClient
/** The connection that causes the failures. */
let database: pg.Client
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
  key = await makeKey('ES256')
  keyClient = await registerKeyClient(server, [key])
})
beforeEach(async () => {
  database = await connectClient(server.databaseUrl)
})
afterEach(() => database.end())
afterAll(() => server.close())

const revoke = (token: string) => post(server, '/token/revocation', { token }, authorization(arranged.client))
const isActive = async (token: string) =>
  (await post(server, '/token/introspection', { token }, authorization(arranged.client))).body.active

const { withoutTable, refusingWrites, killedInTheMiddle } = faultsOf(
  () => database,
  () => [server.store],
)

describe('R-7 revocation whose storage fails is not answered 200, and revokes nothing partially', () => {
  test('R-7 the table is gone', async () => {
    const { token } = await issue(server, arranged)
    expectFailure(await withoutTable('revoked_access_tokens', () => revoke(token)))
    expect(await isActive(token)).toBe(true)
    expect((await revoke(token)).status).toBe(200)
    expect(await isActive(token)).toBe(false)
  })

  test.each(['at once', 'at commit'] as const)('R-7 the insert is refused %s', async (when) => {
    const { token } = await issue(server, arranged)
    expectFailure(await refusingWrites('revoked_access_tokens', when, () => revoke(token)))
    expect(await isActive(token)).toBe(true)
  })

  test('R-7 the audit entry cannot be written', async () => {
    const { token } = await issue(server, arranged)
    expectFailure(await refusingWrites('audit_log', 'at once', () => revoke(token)))
    expect(await isActive(token)).toBe(true)
  })

  test('R-7 the connection dies in the middle, and the server keeps running', async () => {
    const { token } = await issue(server, arranged)
    expectFailure(await killedInTheMiddle('revoked_access_tokens', () => revoke(token)))
    expect(await isActive(token)).toBe(true)
    expect((await revoke(token)).status).toBe(200)
    expect(await isActive(token)).toBe(false)
  })
})

describe('R-7 a client assertion that cannot be consumed yields no token', () => {
  const ask = (assertion: string) => askWith(server, keyClient, assertion)

  test.each<[string, (work: () => Promise<Reply>) => Promise<Reply>]>([
    ['the table is gone', (work) => withoutTable('used_client_assertions', work)],
    ['the insert is refused', (work) => refusingWrites('used_client_assertions', 'at once', work)],
    ['the insert is refused at commit', (work) => refusingWrites('used_client_assertions', 'at commit', work)],
    ['the connection dies in the middle', (work) => killedInTheMiddle('used_client_assertions', work)],
  ])('R-7 %s; afterwards the same assertion is good for one', async (_what, during) => {
    const assertion = await assertionOf(server, keyClient, key)
    const reply = await during(() => ask(assertion))
    expectFailure(reply)
    expect(reply.body).not.toHaveProperty('access_token')
    expect((await ask(assertion)).status).toBe(200)
    expect((await ask(assertion)).status).toBe(401)
  })
})

test('R-7 a DPoP proof that cannot be recorded yields no token; afterwards it is good for one', async () => {
  const proof = await proofOf(server, await makePair())
  const ask = () => askWithProof(server, arranged, proof)
  for (const during of [
    (work: () => Promise<Reply>) => withoutTable('used_dpop_proofs', work),
    (work: () => Promise<Reply>) => refusingWrites('used_dpop_proofs', 'at once', work),
  ]) {
    const reply = await during(ask)
    expectFailure(reply)
    expect(reply.body).not.toHaveProperty('access_token')
  }
  expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(400)
})

describe('R-7 what cannot be checked is not accepted', () => {
  test('R-7 introspection does not call a token active when revocations cannot be read', async () => {
    const { token } = await issue(server, arranged)
    const reply = await withoutTable('revoked_access_tokens', () =>
      post(server, '/token/introspection', { token }, authorization(arranged.client)),
    )
    expectFailure(reply)
    expect(reply.body).not.toHaveProperty('active')
  })

  test('R-7 the Management API does nothing when revocations cannot be read', async () => {
    const name = 'must not be created'
    const { status } = await withoutTable('revoked_access_tokens', () =>
      server.api('POST', '/roles', { name, type: 'MachineToMachine' }),
    )
    expect(status).toBe(500)
    const { body } = await server.api('GET', `/roles?search=${encodeURIComponent(name)}`)
    expect(body).toEqual([])
  })

  test('R-7 a client that cannot be looked up is refused until it can be', async () => {
    const unread = await arrange(server)
    const ask = () =>
      post(
        server,
        '/token',
        { grant_type: 'client_credentials', resource: unread.resource.indicator },
        authorization(unread.client),
      )
    expectFailure(await withoutTable('application_secrets', ask))
    expect((await ask()).status).toBe(200)
  })

  test('R-7 permissions that cannot be read are not assumed', async () => {
    const unread = await arrange(server)
    const ask = () =>
      post(
        server,
        '/token',
        { grant_type: 'client_credentials', resource: unread.resource.indicator, scope: 'read:orders' },
        authorization(unread.client),
      )
    const reply = await withoutTable('applications_roles', ask)
    expectFailure(reply)
    expect((await ask()).body.scope).toBe('read:orders')
  })
})

describe('R-7 every connection dies at the same time', () => {
  test('R-7 under 40 concurrent requests every response is a token or an error, and the server recovers', async () => {
    const assertions = await Promise.all(Array.from({ length: 40 }, () => assertionOf(server, keyClient, key)))
    const answered = Promise.all(assertions.map((assertion) => askWith(server, keyClient, assertion)))
    // a failure is met when its turn comes
    answered.catch(() => undefined)
    for (let i = 0; i < 5; i += 1) {
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )
    }
    for (const { status, body } of await answered) {
      expect([200, 500]).toContain(status)
      expect('access_token' in body).toBe(status === 200)
    }
    // a connection may be found dead only now; what was answered 200 is consumed in any case
    const first = await answered
    const again = await Promise.all(assertions.map((assertion) => askWith(server, keyClient, assertion)))
    const twice = again.filter(({ status }, i) => status === 200 && first[i]?.status === 200)
    expect(twice).toEqual([])
    await eventually('the server has recovered', 60_000, async () => {
      const { status } = await askWith(server, keyClient, await assertionOf(server, keyClient, key))
      return status === 200
    })
  })

  test('R-7 a connection that dies while its transaction waits for the server does not end the server', async () => {
    // creating an RSA key takes long enough to be interrupted
    const rotate = () =>
      server.api('POST', '/configs/oidc/private-keys/rotate', { algorithm: 'RS256', rotationGracePeriod: 60 })
    const idle = `SELECT pg_terminate_backend(pid) AS killed FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE 'delete from "signing_keys"%'`
    let killed = 0
    await eventually('a rotation is met in the middle', 60_000, async () => {
      let done = false
      const answered = rotate().finally(() => {
        done = true
      })
      answered.catch(() => undefined)
      while (!done && killed === 0) killed = (await database.query(idle)).rowCount ?? 0
      const { status } = await answered
      if (killed > 0) expect(status).toBe(500)
      return killed > 0
    })
    const { body } = await server.api('GET', '/configs/oidc/private-keys')
    expect(body.filter((one: { status: string }) => one.status === 'Current')).toHaveLength(1)
    expect((await rotate()).status).toBe(200)
  })
})
