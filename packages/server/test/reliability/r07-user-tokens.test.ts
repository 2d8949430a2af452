/**
 * R-7 for tokens of users: what cannot be stored is not issued, revoked or ended; afterwards everything is as before.
 */
import { databaseUrl } from '@countersign/harness/cluster.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { connectClient } from '@countersign/server/storage/client.ts'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { authorization, post, type Reply, registerApplication, send } from '../protocol/arrange.ts'
import {
  type Api,
  authorize,
  createApi,
  redeemCode,
  refresh,
  type SignedIn,
  signedInUser,
} from '../sign-in/user-tokens.ts'
import { lingeringProxy } from './lingering-proxy.ts'
import { expectFailure, faultsOf } from './storage-faults.ts'

let server: TestServer
let known: SignedIn
let api: Api
let auditor: Awaited<ReturnType<typeof registerApplication>>
let database: pg.Client
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  api = await createApi(server)
  auditor = await registerApplication(server, 'Traditional', { dangerouslyIntrospectAllTokens: true })
})
beforeEach(async () => {
  known = await signedInUser(server)
  database = await connectClient(server.databaseUrl)
})
afterEach(() => database.end())
afterAll(() => server.close())

const { withoutTable, refusingWrites, killedInTheMiddle } = faultsOf(
  () => database,
  () => [server.store],
)
type During = (work: () => Promise<Reply>) => Promise<Reply>
/** The ways in which a table fails. */
const failing = (table: string): [string, During][] => [
  [`${table} is gone`, (work) => withoutTable(table, work)],
  [`a write to ${table} is refused`, (work) => refusingWrites(table, 'at once', work)],
  [`a write to ${table} is refused at commit`, (work) => refusingWrites(table, 'at commit', work)],
  [`the connection dies while it waits for ${table}`, (work) => killedInTheMiddle(table, work)],
]

const authorized = (claims = '') => authorize(known, `openid offline_access read${claims}`, [api.indicator])
const introspect = (token: string) => post(server, '/token/introspection', { token }, authorization(auditor))
const isActive = async (token: string): Promise<boolean> => (await introspect(token)).body.active
const userinfo = (token: string) =>
  send(`${server.issuer}/me`, { method: 'GET', headers: { authorization: `Bearer ${token}` } })

const expectNothing = (reply: Reply) => {
  expectFailure(reply)
  expect(reply.text).not.toMatch(/cs_(at|rt)_|eyJ/)
}

describe('R-7 a code whose redemption fails stays valid, and issued nothing', () => {
  test.each(
    ['authorization_codes', 'opaque_access_tokens', 'refresh_families', 'users_roles', 'audit_log']
      .flatMap(failing)
      .filter(([what]) => !/write to users_roles/.test(what)),
  )('R-7 %s', async (_what, during) => {
    // roles are read only for claims that have them
    const made = await authorized(' roles')
    expectNothing(await during(() => redeemCode(server, known, made)))
    const { status, body } = await redeemCode(server, known, made)
    expect(status).toBe(200)
    expect([await isActive(body.access_token), await isActive(body.refresh_token)]).toEqual([true, true])
  })
})

describe('R-7 a refresh token whose use fails is not rotated', () => {
  test.each(
    ['refresh_families', 'opaque_access_tokens', 'grants', 'audit_log']
      .flatMap(failing)
      .filter(([what]) => !/write to grants/.test(what)),
  )('R-7 %s', async (_what, during) => {
    const { body: first } = await redeemCode(server, known, await authorized())
    expectNothing(await during(() => refresh(server, known, first.refresh_token)))
    expect(await isActive(first.refresh_token)).toBe(true)
    // long after the time for retries it is still the current one
    server.clock.advance(60)
    expect((await refresh(server, known, first.refresh_token)).status).toBe(200)
  })
})

describe('R-7 reuse whose revocation fails is refused, and the next reuse revokes', () => {
  test.each(failing('grants'))('R-7 of a refresh token: %s', async (_what, during) => {
    const { body: first } = await redeemCode(server, known, await authorized())
    const { body: second } = await refresh(server, known, first.refresh_token)
    server.clock.advance(11)
    expectNothing(await during(() => refresh(server, known, first.refresh_token)))
    expect((await refresh(server, known, first.refresh_token)).body.error).toBe('invalid_grant')
    expect(await isActive(second.refresh_token)).toBe(false)
  })

  test.each(failing('grants'))('R-7 of a code: %s', async (_what, during) => {
    const made = await authorized()
    const { body } = await redeemCode(server, known, made)
    expectNothing(await during(() => redeemCode(server, known, made)))
    expect((await redeemCode(server, known, made)).body.error).toBe('invalid_grant')
    expect([await isActive(body.access_token), await isActive(body.refresh_token)]).toEqual([false, false])
  })
})

describe.each(['refresh_token', 'access_token'] as const)(
  'R-7 revocation of a %s that fails is not answered 200',
  (which) => {
    test.each(['grants', 'audit_log'].flatMap(failing))('R-7 %s', async (_what, during) => {
      const { body } = await redeemCode(server, known, await authorized())
      const revoke = () => post(server, '/token/revocation', { client_id: known.app.id, token: body[which] })
      expectFailure(await during(revoke))
      expect([await isActive(body.access_token), await isActive(body.refresh_token)]).toEqual([true, true])
      expect((await revoke()).status).toBe(200)
      expect([await isActive(body.access_token), await isActive(body.refresh_token)]).toEqual([false, false])
    })
  },
)

describe('R-7 what cannot be read is not accepted', () => {
  test('R-7 a read is not sent on the connection that the read before it has lost', async () => {
    const { body } = await redeemCode(server, known, await authorized())
    const proxy = await lingeringProxy(inject('cluster'))
    const name = new URL(server.databaseUrl).pathname.slice(1)
    const node = await server.startNode({ DATABASE_URL: databaseUrl(proxy.address, name) })
    const headers = { authorization: `Bearer ${body.access_token}` }
    const ask = () => send(`${node.url}/oidc/me`, { method: 'GET', headers })
    try {
      expect((await killedInTheMiddle('opaque_access_tokens', ask)).status).toBe(500)
      expect((await ask()).status).toBe(200)
    } finally {
      await node.close()
      await proxy.close()
    }
  })

  test.each(['opaque_access_tokens', 'grants', 'users'])('R-7 userinfo and introspection without %s', async (table) => {
    const { body } = await redeemCode(server, known, await authorized())
    for (const ask of [userinfo, introspect]) {
      const reply = await withoutTable(table, () => ask(body.access_token))
      expect(reply.status).toBe(500)
      expect(reply.body).not.toHaveProperty('sub')
      expect(reply.body).not.toHaveProperty('active')
    }
    expect((await userinfo(body.access_token)).status).toBe(200)
  })

  test.each(['sessions', 'grants'])(
    'R-7 a sign-out without %s is reported as failed, and the session lives on',
    async (table) => {
      const page = await known.browser.open(`${server.issuer}/session/end`)
      const broken = async () => {
        const { status, text, headers } = await known.browser.submit(page, { confirm: 'yes' })
        return { status, text, body: undefined, headers: Object.fromEntries(headers) }
      }
      const reply = await withoutTable(table, broken)
      expect(reply.status).toBe(500)
      expect(reply.headers['set-cookie']).toBeUndefined()
      // neither side lost the session: the next authorization asks for no password
      expect((await authorized()).code).toMatch(/^cs_ac_/)
    },
  )
})
