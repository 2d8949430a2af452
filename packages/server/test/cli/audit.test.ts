/** `countersign audit export`: the audit log as lines of JSON, whole or filtered. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CommandLine, commandLine } from './program.ts'

/** More than two pages of the export. */
const COUNT = 2500
/** One entry per second from here on. */
const BEGIN = Date.UTC(2026, 0)
let cli: CommandLine
beforeAll(async () => {
  cli = await commandLine(inject('cluster'))
  await cli.query(
    `INSERT INTO audit_log (tenant_id, id, key, payload, created_at, entities)
     SELECT 'default', 'entry' || lpad(n::text, 4, '0'), CASE n % 2 WHEN 0 THEN 'Even' ELSE 'Odd' END, '{"result": "Success"}',
       to_timestamp($2::double precision / 1000 + n / 10), CASE WHEN n % 100 = 0 THEN ARRAY['ada', 'role'] END
     FROM generate_series(0, $1::int - 1) AS n`,
    [COUNT, BEGIN],
  )
})
afterAll(() => cli.close())

const exported = async (...args: string[]): Promise<{ id: string; key: string; createdAt: number }[]> => {
  const { status, out, err } = await cli.run(['audit', 'export', ...args])
  expect([status, err]).toEqual([0, expect.stringMatching(/^Exported [\d,]+ entr(y|ies)\.\n$/)])
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
const numbers = (entries: readonly { id: string }[]) =>
  entries.filter(({ id }) => id.startsWith('entry')).map(({ id }) => Number(id.slice(5)))

test('every entry is exported once, oldest first, in the shape of GET /api/logs', async () => {
  const entries = await exported()
  expect(numbers(entries)).toEqual(Array.from({ length: COUNT }, (_, number) => number))
  expect(entries[0]).toEqual({
    tenantId: 'default',
    id: 'entry0000',
    key: 'Even',
    // and what the columns say
    payload: { key: 'Even', actor: { type: 'system' }, result: 'Success' },
    createdAt: BEGIN,
  })
  // and the entries of the set-up of the tenant, which came later
  expect(entries.at(-1)?.key).toMatch(/^System\./)
})

test('filters: a time window, the kind of event, and the affected entity', async () => {
  const since = new Date(BEGIN + 10_000).toISOString()
  expect(numbers(await exported('--since', since, '--until', String(BEGIN + 11_000), '--key', 'Odd'))).toEqual([
    101, 103, 105, 107, 109,
  ])
  expect(numbers(await exported('--entity', 'ada', '--until', String(BEGIN + 31_000)))).toEqual([0, 100, 200, 300])
})

test('the file is new and readable only by its owner; an invalid time is refused', async () => {
  const { err } = await cli.run(['audit', 'export', '--entity', 'ada', '--output', 'audit.jsonl'])
  expect(err).toBe('Exported 25 entries.\n')
  expect((await cli.read('audit.jsonl')).split('\n').length).toBe(26)
  const again = await cli.run(['audit', 'export', '--output', 'audit.jsonl'])
  expect(again).toMatchObject({ status: 1, err: expect.stringContaining('nothing is overwritten') })
  expect(await cli.run(['audit', 'export', '--since', 'yesterday'])).toMatchObject({ status: 1, out: '' })
})

test('a key created from the command line is found by its id', async () => {
  await cli.run(['keys', 'rotate'])
  const [{ id } = { id: '' }] = await cli.query<{ id: string }>(
    "SELECT id FROM signing_keys WHERE tenant_id = 'default' ORDER BY effective_at DESC LIMIT 1",
  )
  expect(await exported('--entity', id)).toMatchObject([{ key: 'System.rotateSigningKeys' }])
})
