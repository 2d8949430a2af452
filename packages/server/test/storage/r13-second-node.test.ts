import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, askToken, eventually } from '../protocol/arrange.ts'

/** Audit entries of tokens are batched for this long. */
const HEARTBEAT_MS = 500

let server: TestServer
let node: Awaited<ReturnType<TestServer['startNode']>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  // it sends only the statements that requests cause
  node = await server.startNode({ WORKERS: 'off' })
})
afterAll(async () => {
  await node.close()
  await server.close()
})

/** What the second node grants: the scopes, or the error. */
const askThere = async ({ client, resource }: Arranged): Promise<string> => {
  const { status, body } = await askToken(node, client, { resource: resource.indicator, scope: 'read:orders' })
  return status === 200 ? body.scope : body.error
}
const takeRole = ({ client, roleId }: Arranged) =>
  server.api('DELETE', `/applications/${client.clientId}/roles/${roleId}`)

const CHANGES: readonly (readonly [string, (arranged: Arranged) => Promise<unknown>, string])[] = [
  ['the role is removed from the application', takeRole, ''],
  [
    'the application is deleted',
    ({ client }) => server.api('DELETE', `/applications/${client.clientId}`),
    'invalid_client',
  ],
  [
    'the secret is deleted',
    ({ client }) =>
      server.api('DELETE', `/applications/${client.clientId}/secrets/${encodeURIComponent('Default secret')}`),
    'invalid_client',
  ],
  ['the API is deleted', ({ resource }) => server.api('DELETE', `/resources/${resource.id}`), 'invalid_target'],
]

/** Whether the node receives change notices, according to its metrics. */
const hears = async (): Promise<boolean> => {
  const text = await node.store.metrics.registry.getSingleMetricAsString('countersign_change_notices_heard')
  return /^countersign_change_notices_heard 1$/m.test(text)
}

describe('R-13 a change on one node reaches another', () => {
  test.each(CHANGES)('R-13 within 100 ms: %s', async (_what, change, after) => {
    const arrives = async () => {
      const arranged = await arrange(server)
      await eventually('the second node knows it', 60_000, async () => (await askThere(arranged)) === 'read:orders')
      await change(arranged)
      await eventually('the change has arrived', 100, async () => (await askThere(arranged)) === after)
      expect(await askThere(arranged)).toBe(after)
    }
    // a busy machine may be late once or twice, a node that receives nothing is late each time
    await arrives().catch(arrives).catch(arrives)
  })

  test('R-13 a node that answers from memory sends nothing to the database', async () => {
    const [arranged, last] = [await arrange(server), await arrange(server)]
    // notices arrive in the order of the changes: after the last one none is outstanding
    await eventually('the second node knows it', 60_000, async () => (await askThere(last)) === 'read:orders')
    await takeRole(last)
    await eventually('the last change has arrived', 60_000, async () => (await askThere(last)) === '')
    await askThere(arranged)
    await askThere(arranged)
    const before = node.store.database.statements()
    const begunAt = performance.now()
    for (let i = 0; i < 20; i += 1) expect(await askThere(arranged)).toBe('read:orders')
    // except its own heartbeat of audit entries
    const beats = 1 + Math.floor((performance.now() - begunAt) / HEARTBEAT_MS)
    expect(node.store.database.statements() - before).toBeLessThanOrEqual(beats)
  })
})

describe('R-13 a node that receives no change notices', () => {
  test('R-13 reads from the database immediately, until notices resume and everything is read again', async () => {
    const arranged = [await arrange(server), await arrange(server), await arrange(server)] as const
    const [first, second, third] = arranged
    // connections that stay while no new one can be made
    for (const { database } of [server.store, node.store]) {
      const clients = await Promise.all(Array.from({ length: 8 }, () => database.pool.connect()))
      for (const client of clients) client.release()
    }
    for (const each of arranged) expect(await askThere(each)).toBe('read:orders')
    const database = new URL(server.databaseUrl).pathname.slice(1)
    await withClient(server.databaseUrl.replace(database, 'postgres'), async (admin) => {
      const connections = (allowed: boolean) => admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS ${allowed}`)
      await connections(false)
      try {
        const { rowCount } = await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = $1 AND application_name = 'countersign notices'`,
          [database],
        )
        expect(rowCount).toBe(2)
        await eventually('the node has noticed', 60_000, async () => !(await hears()))
        expect(await askThere(first)).toBe('read:orders')
        await takeRole(first)
        expect(await askThere(first)).toBe('')
        await takeRole(second)
        expect(await askThere(second)).toBe('')
        expect(await hears()).toBe(false)
      } finally {
        await connections(true)
      }
    })
    await eventually('the node hears again', 60_000, hears)
    expect(await askThere(third)).toBe('read:orders')
    await takeRole(third)
    await eventually('the change has arrived', 60_000, async () => (await askThere(third)) === '')
  })
})
