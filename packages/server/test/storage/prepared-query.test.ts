/**
 * Prepared statements whose columns are asked for once (docs/decisions/0024) give what the driver's own give, and fail as these do:
 * the tests call the database module directly, because over HTTP no failure can be placed in the middle of a pipeline.
 */
import { createDatabase } from '@countersign/harness/cluster.ts'
import { createLog } from '@countersign/server/kernel/log.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { type Database, openDatabase } from '@countersign/server/storage/database.ts'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let made: Awaited<ReturnType<typeof createDatabase>>
let database: Database
let client: pg.PoolClient
beforeAll(async () => {
  made = await createDatabase(inject('cluster'), { empty: true })
  database = openDatabase({ url: made.url }, 2, createLog('silent'))
  client = await database.pool.connect()
})
afterAll(async () => {
  client.release()
  await database.close()
  await made.drop()
})

let names = 0
/** A statement with a name of its own, to be executed any number of times on a connection. */
const prepared = (text: string, on = client) => {
  names += 1
  const name = `test-${names}`
  return (...values: unknown[]): Promise<pg.QueryResult> => on.query({ name, text, values })
}
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code
const settled = async (sent: readonly Promise<pg.QueryResult>[]): Promise<unknown[]> =>
  (await Promise.allSettled(sent)).map((each) =>
    each.status === 'fulfilled' ? each.value.rows : { refused: codeOf(each.reason) },
  )

test('values and rows are those of a statement that is not prepared, with and without known columns', async () => {
  await client.query('CREATE TABLE kept (id integer, at timestamptz, name text)')
  const values = [
    new Date('2026-11-23T01:02:03.004Z'),
    Buffer.from([0, 1, 255]),
    ['a', 'b "c"', 'd\\e', ''],
    { deep: [1, null] },
    '\u{1f600} é',
    null,
    12.5,
    true,
  ]
  for (const [text, given] of [
    [
      `SELECT $1::timestamptz AS at, $2::bytea AS bytes, $3::text[] AS list, $4::jsonb AS json, $5::text AS text, $6::text AS nothing,
        $7::float8 AS number, $8::boolean AS flag, 9007199254740991::bigint AS count, 1 AS twice, NULL AS twice`,
      values,
    ],
    ['SELECT 1 AS one WHERE $1', [false]],
    ['SELECT n, repeat(n::text, $1) AS text FROM generate_series(1, 3000) n', [40]],
    ['SELECT repeat($1, 3000000) AS large', ['é']],
    ['INSERT INTO kept VALUES ($1, now(), NULL)', [1]],
    ['UPDATE kept SET name = $1 WHERE false', ['x']],
    ['UPDATE kept SET name = $1 RETURNING name', ['y']],
  ] as const) {
    const plain = await client.query(text, [...given])
    const send = prepared(text)
    for (const known of [false, true]) {
      const { command, rowCount, rows, fields } = await send(...given)
      expect({ text, known, command, rowCount, rows }).toEqual({ ...{ text, known }, ...pick(plain) })
      expect(fields.map(({ name }) => name)).toEqual(plain.fields.map(({ name }) => name))
    }
  }
})
const pick = ({ command, rowCount, rows }: pg.QueryResult) => ({ command, rowCount, rows })

test('columns are asked for once on each connection', async () => {
  const described = async (on: pg.PoolClient, send: () => Promise<unknown>): Promise<number> => {
    let count = 0
    const { connection } = on as unknown as { connection: NodeJS.EventEmitter }
    const hear = () => {
      count += 1
    }
    connection.on('rowDescription', hear)
    await send()
    connection.off('rowDescription', hear)
    return count
  }
  const send = prepared('SELECT $1::text AS once')
  expect([await described(client, () => send('a')), await described(client, () => send('b'))]).toEqual([1, 0])
})

test('a statement that fails, when it is parsed, bound or run, fails alone among those that were sent with it', async () => {
  const [divide, number, missing] = [
    prepared('SELECT 10 / $1::integer AS tenth'),
    prepared('SELECT $1::integer AS number'),
    prepared('SELECT $1::text FROM nowhere'),
  ]
  // the rows before the failure belong to nothing
  const halfway = prepared('SELECT 1 / (3 - n) AS part FROM generate_series(1, $1::integer) n')
  for (const _ of ['unknown columns', 'known columns']) {
    const sent = [
      divide(5),
      divide(0),
      number(1),
      number('x'),
      missing('a'),
      halfway(2),
      halfway(3),
      number(2),
      divide(2),
    ]
    expect(await settled(sent)).toEqual([
      [{ tenth: 2 }],
      { refused: '22012' },
      [{ number: 1 }],
      { refused: '22P02' },
      { refused: '42P01' },
      [{ part: 0 }, { part: 1 }],
      { refused: '22012' },
      [{ number: 2 }],
      [{ tenth: 5 }],
    ])
  }
  await client.query('BEGIN')
  const sent = [number(1), divide(0), number(2)]
  expect(await settled(sent)).toEqual([[{ number: 1 }], { refused: '22012' }, { refused: '25P02' }])
  await client.query('ROLLBACK')
})

test('a notice between the rows is no part of the result', async () => {
  await client.query(`CREATE FUNCTION telling(n integer) RETURNS integer LANGUAGE plpgsql AS
    $$ BEGIN RAISE WARNING 'told %', n; RETURN n; END $$`)
  const send = prepared('SELECT telling($1) AS told')
  expect(await settled([send(1), send(2)])).toEqual([[{ told: 1 }], [{ told: 2 }]])
  expect(await settled([send(3)])).toEqual([[{ told: 3 }]])
})

test('a statement whose columns have changed is refused, and never read as it was', async () => {
  await client.query('CREATE TABLE grown (a text)')
  await client.query(`INSERT INTO grown VALUES ('x')`)
  const text = 'SELECT * FROM grown WHERE a = $1'
  const send = prepared(text)
  expect((await send('x')).rows).toEqual([{ a: 'x' }])
  await client.query(`ALTER TABLE grown ADD COLUMN b text DEFAULT 'y'`)
  expect(await settled([send('x'), prepared(text)('x'), send('x')])).toEqual([
    { refused: '0A000' },
    [{ a: 'x', b: 'y' }],
    { refused: '0A000' },
  ])
})

test('what is cancelled or loses its connection fails; what was sent after a cancelled one does not', async () => {
  const other = await database.pool.connect()
  const [sleep, number] = [prepared('SELECT pg_sleep($1)', other), prepared('SELECT $1::integer AS number', other)]
  const pid = (await other.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
  const sleeping = () =>
    withClient(made.url, async (admin) => {
      const text = `SELECT count(*)::integer AS asleep FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'`
      return (await admin.query(text, [pid])).rows[0].asleep
    })
  const end = (how: string) => withClient(made.url, (admin) => admin.query(`SELECT ${how}($1)`, [pid]))
  // twice, so that the second one has known columns
  for (const _ of ['unknown columns', 'known columns']) {
    await Promise.all([sleep(0), number(0)])
    const results = settled([sleep(3600), number(1)])
    await expect.poll(sleeping).toBe(1)
    await end('pg_cancel_backend')
    expect(await results).toEqual([{ refused: '57014' }, [{ number: 1 }]])
  }
  const lost = settled([sleep(3600), number(2)])
  await expect.poll(sleeping).toBe(1)
  await end('pg_terminate_backend')
  expect(await lost).toEqual([{ refused: '57P01' }, { refused: undefined }])
  expect(await settled([number(3)])).toEqual([{ refused: undefined }])
  other.release(true)
  expect(
    (await database.pool.query({ name: 'after', text: 'SELECT $1::integer AS number', values: [4] })).rows,
  ).toEqual([{ number: 4 }])
})
