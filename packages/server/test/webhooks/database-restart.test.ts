/**
 * K4, K5: PostgreSQL ends under load and is started again, by `kill -9` and by both of its own ways to be quick. Servers and
 * workers go on by themselves, and what has been promised holds: what was taken or settled a moment before may have been
 * forgotten (decision 0022), what was committed or numbered may not.
 */
import { startCluster, withAdmin } from '@countersign/harness/cluster.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fleet, startFleet } from './fleet.ts'
import { inTheEnd, type Load, startLoad } from './under-load.ts'

const WORKERS = 2
const ROUNDS = Number(process.env.RESTARTS ?? 1)
/** Events that everyone must have got in between. */
const BETWEEN = 15
const AHEAD_SECONDS = 2 * 86_400
const SECRET_KEY = Buffer.alloc(32, 8).toString('base64')

let own: Awaited<ReturnType<typeof startCluster>>
let server: TestServer
let load: Load
let fleet: Fleet

const admin = (sql: string) => withAdmin(own.address, async (client) => (await client.query(sql)).rows)
const postmaster = async (): Promise<number> =>
  Number((await admin(`SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`))[0].pid)

/** Each ends what was begun, also when the next could not be begun. */
const closers: (() => unknown)[] = []
beforeAll(async () => {
  own = await startCluster()
  closers.push(() => own.stop())
  // a commit must outlive the process as it does outside of tests
  await admin(`ALTER ROLE ${own.address.user} SET synchronous_commit = on`)
  server = await startTestServer(own.address, { SECRET_KEY, WORKERS: 'off' })
  closers.push(() => server.close())
  fleet = startFleet(server, SECRET_KEY, WORKERS)
  closers.push(() => fleet.close())
  load = await startLoad(server)
  closers.push(() => load.close())
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const progress = async () => {
  const before = load.arrived()
  await inTheEnd(() => expect(load.arrived()).toBeGreaterThan(before + BETWEEN))
}

test('PostgreSQL killed, shut down immediately and shut down fast under load: nothing is lost', {
  timeout: 120_000 + ROUNDS * 120_000,
}, async ({ annotate }) => {
  const signals = Array.from({ length: ROUNDS }, () => ['SIGKILL', 'SIGQUIT', 'SIGINT'] as const).flat()
  for (const signal of signals) {
    await progress()
    const pid = await postmaster()
    // what was numbered, taken and settled last is on the disk or not
    await load.next()
    process.kill(pid, signal)
    await inTheEnd(async () => expect(await postmaster().catch(() => pid)).not.toBe(pid))
  }
  await progress()
  await load.stop()
  // what waits for a retry is not waited for
  await fleet.kill(0)
  fleet.start(0, AHEAD_SECONDS)
  await annotate(`${signals.length} restarts of PostgreSQL: ${await load.check()}`)
})
