/** The revocation feed (DECISIONS G17): what it says of a token is what introspection says of it. */
import { createHash } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { forgetExpired } from '../../src/domain/setup/housekeeping.ts'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { arrange, authorization, eventually, issue, post, registerApplication } from './arrange.ts'
import {
  arrival,
  createRevocationWorld,
  ENDS,
  type Kind,
  pathOf,
  type RevocationWorld,
  revoke,
} from './revocation-world.ts'

interface Entry {
  readonly id: string
  readonly exp: number
  readonly iat?: number
}

let server: TestServer
let world: RevocationWorld
/** Introspects every token. */
let seesAll: RevocationWorld['api']
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createRevocationWorld(server)
  seesAll = await registerApplication(server, 'MachineToMachine', { dangerouslyIntrospectAllTokens: true })
})
afterAll(() => server.close())

const ask = (parameters: Record<string, string> = {}, as = world.api) =>
  post(server, '/revocations', parameters, authorization(as))
/** Everything after a cursor. */
const since = async (after?: string): Promise<Entry[]> => {
  const { status, body } = await ask(after === undefined ? {} : { after })
  expect(status).toBe(200)
  return body.has_more ? [...body.revocations, ...(await since(body.cursor))] : body.revocations
}
const now = async (): Promise<string> => {
  const { body } = await ask()
  expect(body.has_more).toBe(false)
  return body.cursor
}

/** What an API does with an entry, written down once more. */
const isRefused = (entries: readonly Entry[], token: string): boolean => {
  const { jti = '', sub = '', sid, client_id, iat = 0 } = decodeJwt<{ sid?: string; client_id: string }>(token)
  const [kind, grant] = jti.split('.')
  const names = [`token:${jti}`, `user:${sub}`, `client:${client_id}`]
  if (kind === 'g' || kind === 's') names.push(`grant:${grant}`)
  if (kind === 's') names.push(`session:${sid}`)
  const digests = names.map((name) => createHash('sha256').update(name).digest().subarray(0, 12).toString('base64url'))
  return entries.some((entry) => digests.includes(entry.id) && iat <= (entry.iat ?? iat))
}

describe('what ends is in the feed at once, and the feed says what introspection says', () => {
  test.each(ENDS)('when %s', async (_how, ended, end) => {
    const [one, other] = [await arrival(world), await arrival(world)]
    const after = await now()
    expect(await since(after)).toEqual([])
    await end(one)
    const entries = await since(after)
    const machineEnds = ended.includes('machine')
    for (const [name, token] of Object.entries(one.tokens)) {
      const { body } = await post(server, '/token/introspection', { token }, authorization(seesAll))
      const said = { name, isRefused: isRefused(entries, token), active: body.active }
      expect(said).toEqual({ name, isRefused: !body.active, active: !ended.includes(name as Kind) })
    }
    for (const [name, token] of Object.entries(other.tokens)) {
      if (name === 'machine' && machineEnds) continue
      expect([name, isRefused(entries, token)]).toEqual([name, false])
    }
  })
})

test('a user who is active again gets tokens that stand; those from before stay refused', async () => {
  const one = await arrival(world)
  const after = await now()
  for (const isSuspended of [true, false]) await server.api('PATCH', `${pathOf(one)}/is-suspended`, { isSuspended })
  server.clock.advance(3)
  const begun = await begin(one.app.configuration, {
    scope: 'openid read:orders',
    resource: world.arranged.resource.indicator,
  })
  const back = await signIn(newBrowser(), begun, one.user.username)
  const { access_token: fresh } = await redeem(one.app.configuration, back, begun, {
    resource: world.arranged.resource.indicator,
  })
  const entries = await since(after)
  expect([fresh, ...Object.values(one.tokens)].map((token) => isRefused(entries, token))).toEqual([
    ...[false, true, true, true, false],
  ])
})

const waitsAt = async ({ metrics }: TestServer['store']): Promise<number> => {
  const text = await metrics.registry.getSingleMetricAsString('countersign_revocation_waits')
  return Number(/^countersign_revocation_waits (\d+)$/m.exec(text)?.[1])
}

describe('waiting', () => {
  test('is over as soon as something ends, on whichever node', async () => {
    const node = await server.startNode()
    const after = await now()
    const there = { baseUrl: node.url }
    const waiting = [server, there].map((at) =>
      post(at, '/revocations', { after, wait: '25' }, authorization(world.api)),
    )
    const { token } = await issue(server, world.arranged)
    await revoke(server, token, world.arranged.client)
    for (const { body } of await Promise.all(waiting)) {
      expect(body.revocations.map(({ id }: Entry) => id)).toHaveLength(1)
      expect(isRefused(body.revocations, token)).toBe(true)
    }
    await node.close()
  })

  test('is over when the time is: nothing ended, and the cursor goes on', async () => {
    const after = await now()
    expect((await ask({ after, wait: '1' })).body).toEqual({ revocations: [], cursor: after, has_more: false })
  })

  test('is over when the server closes', async () => {
    const node = await server.startNode()
    const after = await now()
    const waiting = post({ baseUrl: node.url }, '/revocations', { after, wait: '25' }, authorization(world.api))
    await eventually('the request waits', 5000, async () => (await waitsAt(node.store)) > 0)
    const began = performance.now()
    await node.close()
    expect((await waiting).body).toEqual({ revocations: [], cursor: after, has_more: false })
    expect(performance.now() - began).toBeLessThan(20_000)
  })
})

test('the whole set comes in pages, each entry once, and is numbered in batches', async () => {
  const after = await now()
  const at = server.clock.now().getTime()
  // what ended by time comes first, and fills a batch
  for (const [name, count, endsAt] of [
    ['over', 10_000, at],
    ['live', 10_001, at + 60_000],
  ] as const)
    await server.store.database.pool.query(
      `INSERT INTO revocations (tenant_id, kind, subject, ends_at)
       SELECT 'default', 'token', $1 || n, $2 FROM generate_series(1, $3::integer) n`,
      [name, new Date(endsAt), count],
    )
  const pages: Entry[][] = []
  for (let [cursor, isMore] = [after, true]; isMore; ) {
    const { body } = await ask({ after: cursor })
    pages.push(body.revocations)
    ;[cursor, isMore] = [body.cursor, body.has_more]
  }
  expect(pages.map(({ length }) => length)).toEqual([5000, 5000, 1])
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(10_001)
})

test('entries go when no token can be alive, and what ended by time leaves none', async () => {
  const node = await startTestServer(inject('cluster'))
  const there = await arrange(node, { resource: { accessTokenTtl: 7200 } })
  const reader = await registerApplication(node, 'MachineToMachine', { dangerouslyIntrospectAllTokens: true })
  const read = async () => (await post(node, '/revocations', {}, authorization(reader))).body.revocations
  const app = await createApp(node, 'SPA')
  const user = await createUser(node)
  const at = () => Math.floor(node.clock.now().getTime() / 1000)
  await signIn(newBrowser(), await begin(app.configuration), user.username)
  await node.api('DELETE', `/applications/${there.client.clientId}`)
  expect(await read()).toEqual([{ id: expect.any(String), exp: at() + 7200 + 300, iat: at() + 1 }])
  node.clock.advance(7200 + 300)
  expect(await read()).toEqual([])
  // sessions and their grants end after 14 days
  node.clock.advance(20 * 86_400)
  expect(await forgetExpired(node.store)).toBeGreaterThan(1)
  const { rows } = await node.store.database.pool.query('SELECT count(*)::int AS left FROM revocations')
  expect([await read(), rows]).toEqual([[], [{ left: 0 }]])
  await node.close()
})

test('a cursor from before the database was restored begins again', async () => {
  const { body } = await ask({ after: Buffer.from('r999999999999').toString('base64url') })
  const { body: whole } = await ask()
  expect([body.revocations, body.cursor]).toEqual([whole.revocations, whole.cursor])
})

describe('R-14 the feed is refused to', () => {
  test.each([
    ['an application without an API', 'MachineToMachine', {}],
    ['a public application', 'SPA', {}],
  ] as const)('%s', async (_who, type, metadata) => {
    const { clientId, clientSecret } = await registerApplication(server, type, metadata)
    const by = clientSecret ? authorization({ clientId, clientSecret }) : {}
    const { status, body } = await post(server, '/revocations', clientSecret ? {} : { client_id: clientId }, by)
    expect([status, body.error]).toEqual([400, 'unauthorized_client'])
  })

  test.each([
    [{ after: 'x' }, 'after is not a cursor of this feed'],
    [{ after: `${Buffer.from('r1').toString('base64url')}=` }, 'after is not a cursor of this feed'],
    [{ after: Buffer.from('e1').toString('base64url') }, 'after is not a cursor of this feed'],
    [{ after: 'A'.repeat(10_000) }, 'after is not a cursor of this feed'],
    [{ wait: '26' }, 'wait must be a whole number of seconds from 0 to 25'],
    [{ wait: '-1' }, 'wait must be a whole number of seconds from 0 to 25'],
    [{ wait: '1e1' }, 'wait must be a whole number of seconds from 0 to 25'],
  ])('%j', async (parameters, description) => {
    const { status, body } = await ask(parameters as Record<string, string>)
    expect([status, body.error, body.error_description]).toEqual([400, 'invalid_request', description])
  })
})
