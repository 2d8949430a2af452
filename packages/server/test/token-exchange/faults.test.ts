/**
 * R-1 R-7: failures between consuming a subject token and responding. Whatever fails, the token is afterwards either
 * still valid for one exchange, or spent with one token issued for it; the audit log says which.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { connectClient } from '@countersign/server/storage/client.ts'
import { decodeJwt } from 'jose'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { setScript } from '../custom-claims/arrange.ts'
import { post, type Reply } from '../protocol/arrange.ts'
import { type Place, type StatementGate, statementGate } from '../reliability/statement-gate.ts'
import { expectFailure, faultsOf } from '../reliability/storage-faults.ts'
import { ACCESS_TOKEN, BILLING, createExchangeWorld, type ExchangeWorld, GRANT } from './arrange.ts'

const KEY = 'ExchangeTokenBy.TokenExchange'
const MOST = 50

let server: TestServer
let gate: StatementGate
/** Reaches the database through the gate. */
let node: Awaited<ReturnType<TestServer['startNode']>>
let world: ExchangeWorld
let user: Awaited<ReturnType<ExchangeWorld['person']>>
let actor: Readonly<Record<string, string>>
let database: pg.Client
beforeAll(async () => {
  const cluster = inject('cluster')
  server = await startTestServer(cluster)
  gate = await statementGate(cluster)
  const url = new URL(server.databaseUrl.replace('postgres:///', 'postgres://x/'))
  url.searchParams.set('host', gate.address.host)
  url.searchParams.set('port', String(gate.address.port))
  node = await server.startNode({ DATABASE_URL: url.href.replace('postgres://x/', 'postgres:///') })
  world = await createExchangeWorld(server)
  user = await world.person()
  const { opaque } = await world.tokensOf((await world.person()).username)
  actor = { actor_token: opaque, actor_token_type: ACCESS_TOKEN }
  database = await connectClient(server.databaseUrl)
})
afterAll(async () => {
  await database.end()
  await node.close()
  await gate.close()
  await server.close()
})
// entries of the same time have no order
beforeEach(() => server.clock.advance(1))
afterEach(async () => {
  await server.api('DELETE', '/configs/jwt-customizer/access-token')
})

const send = (where: Parameters<typeof post>[0], subject: string, more: Readonly<Record<string, string>> = {}) => {
  const { id, secret } = world.backend
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const parameters = {
    grant_type: GRANT,
    subject_token: subject,
    subject_token_type: ACCESS_TOKEN,
    resource: BILLING,
    scope: 'read:bills',
    ...more,
  }
  return post(where, '/token', parameters, { authorization })
}

/** A new subject token, and the audit entries of its exchanges from every node, newest first. */
const newSubject = async () => {
  const value = await world.subjectToken(user.id, { ticket: 'T-1' })
  const { body: made } = await server.api('GET', `/logs?userId=${user.id}&page_size=1`)
  const { subjectTokenId } = made[0].payload
  const entries = async () => {
    await node.store.audit.flush()
    const { body } = await server.api('GET', `/logs?logKey=${KEY}&userId=${user.id}&page_size=100`)
    const payloads: { subjectTokenId: string; result: string }[] = body.map(
      ({ payload }: { payload: unknown }) => payload,
    )
    return payloads.filter((payload) => payload.subjectTokenId === subjectTokenId)
  }
  const issued = async () => (await entries()).filter(({ result }) => result === 'Success')
  return { value, subjectTokenId, entries, issued }
}
type NewSubject = Awaited<ReturnType<typeof newSubject>>

/** The entries of one request, for any user. */
const entriesOf = async ({ body: { request_id: requestId } }: Reply, where = node) => {
  await where.store.audit.flush()
  const { body } = await server.api('GET', `/logs?logKey=${KEY}&page_size=20`)
  return body
    .map(({ payload }: { payload: { requestId: string } }) => payload)
    .filter((payload: { requestId: string }) => payload.requestId === requestId)
}
const failure = (more = {}) =>
  expect.objectContaining({ result: 'Error', error: 'server_error', applicationId: world.backend.id, ...more })

const expectNothing = (reply: Reply) => {
  expectFailure(reply)
  expect(reply.text).not.toMatch(/sub_|cs_|eyJ/)
}
const expectSpent = async ({ value, issued }: NewSubject, more = {}) => {
  const { status, body } = await send(server, value, more)
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
  expect(await issued()).toHaveLength(1)
}
/** Nothing was issued for it, and it is valid for one exchange. */
const expectGood = async (subject: NewSubject, more = {}) => {
  expect(await subject.issued()).toEqual([])
  const { status, body } = await send(server, subject.value, more)
  expect(status).toBe(200)
  expect(decodeJwt(body.access_token)).toMatchObject({ sub: user.id, aud: BILLING, scope: 'read:bills' })
  server.clock.advance(1)
  await expectSpent(subject, more)
}

describe('R-1 R-7 the connection is cut', () => {
  const cases = [
    ['a subject token', 'UPDATE subject_tokens', () => ({}), undefined],
    ['a subject token by an actor', 'FROM opaque_access_tokens', () => actor, undefined],
    ['a subject token with a script', 'UPDATE subject_tokens', () => ({}), 'return { user: context.user.id }'],
  ] as const

  test.each(cases)('before any statement of the exchange of %s', async (_what, marker, more, script) => {
    if (script !== undefined) {
      await setScript(server, 'access-token', script)
      const claimThere = async () => {
        const { body } = await send(node, (await newSubject()).value, more())
        return decodeJwt(body.access_token).user
      }
      // the node learns of it a moment later
      await expect.poll(claimThere).toBe(user.id)
    }
    const cutAt = async (place: Place): Promise<boolean> => {
      server.clock.advance(1)
      const subject = await newSubject()
      gate.set(marker, place, (cut) => cut())
      const reply = await send(node, subject.value, more())
      if (!gate.clear()) {
        expect(reply.status).toBe(200)
        await expectSpent(subject, more())
        return false
      }
      expectNothing(reply)
      expect(await entriesOf(reply)).toContainEqual(failure())
      // if the commit preceded the lost response, the token is spent, and the log has the issued token
      if (place === 'committed') await expectSpent(subject, more())
      else await expectGood(subject, more())
      return true
    }
    let statement = 1
    for (; await cutAt({ statement }); statement += 1) expect(statement).toBeLessThan(MOST)
    // BEGIN, the consumption, the user, the audit entry, COMMIT, and what the case adds
    expect(statement - 1).toBeGreaterThanOrEqual(marker.startsWith('UPDATE') && script === undefined ? 5 : 6)
    expect(await cutAt('committed')).toBe(true)
  })
})

describe('R-7 the database refuses', () => {
  const { withoutTable, refusingWrites, killedInTheMiddle } = faultsOf(
    () => database,
    () => [server.store, node.store],
  )
  type During = (work: () => Promise<Reply>) => Promise<Reply>
  const ways = ['subject_tokens', 'users_roles', 'audit_log']
    .flatMap((table): [string, During][] => [
      [`${table} is gone`, (work) => withoutTable(table, work)],
      [`a write to ${table} is refused`, (work) => refusingWrites(table, 'at once', work)],
      [`a write to ${table} is refused at commit`, (work) => refusingWrites(table, 'at commit', work)],
      [`the connection dies while it waits for ${table}`, (work) => killedInTheMiddle(table, work)],
    ])
    .filter(([what]) => !what.startsWith('a write to users_roles'))

  test.each(ways)('%s', async (_what, during) => {
    const subject = await newSubject()
    expectNothing(await during(() => send(server, subject.value)))
    await expectGood(subject)
  })
})

describe('the script of custom claims refuses', () => {
  const LONG = "return { text: 'x'.repeat(8000) }"
  test.each([
    ['throws', "throw new Error('not today')", 'invalid_request', /threw: Error: not today/],
    ['does not end', 'for (;;);', 'invalid_request', /time/],
    ['waits forever', 'await new Promise(() => {})', 'invalid_request', /pending/],
    [
      'takes all memory',
      'const all = []; for (;;) all.push(new Array(100_000).fill(1))',
      'invalid_request',
      /memory|time/,
    ],
    ['returns no object', 'return 1', 'invalid_request', /result/],
    ['denies', "api.denyAccess('ask your manager')", 'access_denied', /denied: ask your manager/],
    ['makes the token too long', LONG, 'invalid_request', /8192/],
  ])(
    'it %s: nothing is issued, nothing spent, and the log has the reason and the people',
    async (_what, body, error, reason) => {
      const subject = await newSubject()
      await setScript(server, 'access-token', body, { cpuLimit: 50 })
      for (let count = 0; count < 2; count += 1) {
        const reply = await send(server, subject.value, actor)
        expect([reply.status, reply.body.error]).toEqual([400, error])
        expect(reply.text).not.toMatch(/eyJ/)
      }
      expect(await subject.entries()).toEqual(
        Array.from({ length: 2 }, () =>
          expect.objectContaining({
            result: 'Error',
            error,
            reason: expect.stringMatching(reason),
            applicationId: world.backend.id,
            userId: user.id,
            actorUserId: expect.any(String),
            resource: BILLING,
            subjectTokenContext: { ticket: 'T-1' },
          }),
        ),
      )
      await server.api('DELETE', '/configs/jwt-customizer/access-token')
      await expectGood(subject)
    },
  )

  test('R-1 intermittent failures during concurrent exchanges: at most one token', async () => {
    await setScript(server, 'access-token', "if (token.jti < 'i') throw new Error('not you')")
    const subject = await newSubject()
    const asked = Array.from({ length: 30 }, (_, index) => send(index % 2 ? node : server, subject.value))
    const answers = await Promise.all(asked)
    const outcomes = answers.map(({ status, body }) => (status === 200 ? 'issued' : body.error))
    expect(outcomes.filter((outcome) => outcome === 'issued').length).toBeLessThanOrEqual(1)
    expect(outcomes.filter((outcome) => !['issued', 'invalid_request', 'invalid_grant'].includes(outcome))).toEqual([])
    await server.api('DELETE', '/configs/jwt-customizer/access-token')
    const last = await send(server, subject.value)
    expect([...outcomes, last.status === 200 ? 'issued' : ''].filter((outcome) => outcome === 'issued')).toHaveLength(1)
    expect(await subject.issued()).toHaveLength(1)
  })
})

describe('R-7 signing fails', () => {
  /** Damages the keys during the work, which receives a node that has never read them. */
  const damaged = async (damage: string, mend: string, work: (fresh: typeof node) => Promise<void>) => {
    const { rows } = await database.query('SELECT id, sealed_private_key, effective_at FROM signing_keys')
    await database.query(damage)
    const fresh = await server.startNode()
    try {
      await work(fresh)
    } finally {
      for (const { id, sealed_private_key, effective_at } of rows)
        await database.query(mend, [id, mend.includes('sealed') ? sealed_private_key : effective_at])
      await fresh.close()
    }
  }
  test.each([
    [
      'the key cannot be unsealed',
      `UPDATE signing_keys SET sealed_private_key = set_byte(sealed_private_key, 20, get_byte(sealed_private_key, 20) # 1)`,
      'UPDATE signing_keys SET sealed_private_key = $2 WHERE id = $1',
    ],
    [
      'no key is in use yet',
      `UPDATE signing_keys SET effective_at = effective_at + interval '1 year'`,
      'UPDATE signing_keys SET effective_at = $2 WHERE id = $1',
    ],
  ])('%s', async (_what, damage, mend) => {
    const subject = await newSubject()
    await damaged(damage, mend, async (fresh) => {
      const reply = await send(fresh, subject.value)
      expectNothing(reply)
      expect(await entriesOf(reply, fresh)).toEqual([failure({ userId: user.id })])
    })
    await expectGood(subject)
  })
})

test('a refusal after the token was consumed leaves it consumed, and the log names its user', async () => {
  const subject = await newSubject()
  await server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true })
  const refused = await send(server, subject.value)
  expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant'])
  expect((await subject.entries())[0]).toMatchObject({
    result: 'Error',
    error: 'invalid_grant',
    reason: 'the user is deleted or suspended',
    applicationId: world.backend.id,
    subjectTokenContext: { ticket: 'T-1' },
  })
  await server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: false })
  expect((await send(server, subject.value)).body.error).toBe('invalid_grant')
  expect(await subject.issued()).toEqual([])
})
