/** `GET /users`: searches of WIRE W10, pages, and that a lookup reads no more than necessary. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createUser, idsOf, refusal } from './arrange.ts'

const PEOPLE = {
  ann: { username: 'Ann_One', primaryEmail: 'Ann@Example.com', primaryPhone: '4915100000001', name: 'Ann Müller' },
  bob: { username: 'bob', primaryEmail: 'bob@other.example', primaryPhone: '12025550123', name: '100% Bob' },
  eve: { username: 'eve.example', name: 'Éve 読者' },
  nobody: {},
} as const
type Person = keyof typeof PEOPLE

let server: TestServer
const ids = {} as Record<Person, string>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  for (const [person, fields] of Object.entries(PEOPLE)) {
    ids[person as Person] = await createUser(server, { username: undefined, ...fields })
    server.clock.advance(1)
  }
})
afterAll(() => server.close())

const NEWEST_FIRST = ['nobody', 'eve', 'bob', 'ann'] as const
const get = (query: Record<string, string> | [string, string][]) =>
  server.api('GET', `/users?${new URLSearchParams(query)}`)
const found = async (query: Record<string, string> | [string, string][]) =>
  idsOf(await get(query)).map((id) => NEWEST_FIRST.find((person) => ids[person] === id))

test('an address is found by every spelling of its domain', async () => {
  const primaryEmail = 'Zoe@Bücher.example'
  const id = await createUser(server, { username: undefined, primaryEmail })
  for (const search of ['zoe@xn--bcher-kva.example', 'zoe@BÜCHER.example', '%@XN--bcher-kva.example', 'zoe@büch%']) {
    expect(idsOf(await get({ search }))).toEqual([id])
  }
  const exactly = { 'search.primaryEmail': 'ZOE@xn--bcher-kva.example', 'mode.primaryEmail': 'exact' }
  expect(idsOf(await get(exactly))).toEqual([id])
  expect(idsOf(await get({ ...exactly, isCaseSensitive: 'true' }))).toEqual([])
  expect(idsOf(await get({ ...exactly, 'search.primaryEmail': primaryEmail, isCaseSensitive: 'true' }))).toEqual([id])
  await server.api('DELETE', `/users/${id}`)
})

test('without a search every user is listed, newest first', async () => {
  expect(await found({})).toEqual(NEWEST_FIRST)
})

test.each<[Record<string, string>, readonly Person[]]>([
  // anywhere, in any case
  [{ search: '%ann%' }, ['ann']],
  [{ search: '%EXAMPLE%' }, ['eve', 'bob', 'ann']],
  [{ search: '%読%' }, ['eve']],
  [{ search: '%müller' }, ['ann']],
  // without wildcards, the whole value
  [{ search: 'ann' }, []],
  [{ search: 'ANN_one' }, ['ann']],
  [{ search: 'annXone' }, []],
  [{ search: 'ann@EXAMPLE.com' }, ['ann']],
  // a wildcard and an escaped wildcard
  [{ search: 'a__\\_one' }, ['ann']],
  [{ search: 'bo_' }, ['bob']],
  [{ search: '100\\%%' }, ['bob']],
  [{ search: '%\\%\\%%' }, []],
  // phone numbers as people write them
  [{ search: '+49 151 00000001' }, ['ann']],
  [{ search: '+1 (202)%' }, ['bob']],
  [{ search: '%-%' }, []],
  // one field
  [{ 'search.name': '%ann%' }, ['ann']],
  [{ 'search.username': '%ann%', 'search.name': '%bob%' }, ['bob', 'ann']],
  [{ 'search.username': '%ann%', 'search.name': '%bob%', joint: 'and' }, []],
  [{ 'search.username': 'ann%', 'search.primaryEmail': '%example.com', joint: 'and' }, ['ann']],
  // whole values
  [{ search: 'bob', mode: 'exact' }, ['bob']],
  [{ search: 'BOB', mode: 'exact' }, ['bob']],
  [{ search: '%bob%', mode: 'exact' }, []],
  [{ 'search.name': '100% bob', 'mode.name': 'exact' }, ['bob']],
  [{ 'search.name': '%e%', 'search.username': 'bob', 'mode.username': 'exact', joint: 'and' }, []],
  // case
  [{ search: 'Ann%', isCaseSensitive: 'true' }, ['ann']],
  [{ search: 'aNN%', isCaseSensitive: 'true' }, []],
  [{ search: 'ann_one', mode: 'exact', isCaseSensitive: '1' }, []],
  [{ search: 'Ann_One', mode: 'exact', isCaseSensitive: '1' }, ['ann']],
  [{ search: 'aNN%', isCaseSensitive: 'false' }, ['ann']],
  // its content is plain text
  [{ search: "'; DROP TABLE users; --" }, []],
])('%j', async (query, people) => {
  expect(await found(query)).toEqual(people)
})

test('ids are found by the whole id or its beginning', async () => {
  expect(await found({ search: ids.bob })).toEqual(['bob'])
  expect(await found({ 'search.id': `${ids.eve.slice(0, 8)}%` })).toEqual(['eve'])
})

test('several whole values find several users', async () => {
  expect(
    await found([
      ['search.id', ids.ann],
      ['search.id', ids.eve],
      ['search.id', 'x'],
      ['mode.id', 'exact'],
    ]),
  ).toEqual(['eve', 'ann'])
})

test('users who hold a role can be excluded', async () => {
  const { body: role } = await server.api('POST', '/roles', { name: 'held' })
  await server.api('POST', `/roles/${role.id}/users`, { userIds: [ids.bob] })
  expect(await found({ excludeRoleId: role.id })).toEqual(['nobody', 'eve', 'ann'])
  expect(await found({ excludeRoleId: role.id, search: '%example%' })).toEqual(['eve', 'ann'])
})

test('the members of an organization can be excluded, but not together with the holders of a role', async () => {
  const { body: organization } = await server.api('POST', '/organizations', { name: 'left out' })
  await server.api('POST', `/organizations/${organization.id}/users`, { userIds: [ids.bob] })
  const excludeOrganizationId = organization.id
  expect(await found({ excludeOrganizationId })).toEqual(['nobody', 'eve', 'ann'])
  expect(await found({ excludeOrganizationId, search: '%example%' })).toEqual(['eve', 'ann'])
  expect(await found({ excludeOrganizationId: 'x' })).toContain('bob')
  const both = await server.api('GET', `/users?excludeOrganizationId=${excludeOrganizationId}&excludeRoleId=x`)
  expect([both.status, both.body.code]).toEqual([400, 'request.invalid_input'])
  expect(both.body.message).toContain('excludeOrganizationId')
})

test.each<[string, [string, string][]]>([
  ['an unknown field', [['search.email', 'x']]],
  ['a field within a field', [['search.profile.givenName', 'x']]],
  ['a mode of an unknown field', [['mode.email', 'exact']]],
  [
    'a regular expression',
    [
      ['search', '(a+)+$'],
      ['mode', 'posix'],
    ],
  ],
  [
    'similar_to',
    [
      ['search', 'x'],
      ['mode.name', 'similar_to'],
    ],
  ],
  ['an empty value', [['search', '']]],
  ['an empty value of a field', [['search.name', '']]],
  [
    'two patterns',
    [
      ['search', 'a'],
      ['search', 'b'],
    ],
  ],
  ['a pattern that ends in an escape', [['search', 'a\\']]],
  ['a pattern that ends in an escape after an escaped one', [['search.name', '\\\\\\']]],
])('%s is refused with 400', async (_title, query) => {
  expect(refusal(await get(query))).toEqual([400, 'request.invalid_input'])
})

test.each<[string, [string, string][]]>([
  [
    'joint',
    [
      ['search', 'a'],
      ['joint', 'xor'],
    ],
  ],
  [
    'isCaseSensitive',
    [
      ['search', 'a'],
      ['isCaseSensitive', 'maybe'],
    ],
  ],
  ['a value of 257 characters', [['search', 'x'.repeat(257)]]],
  ['101 values', Array.from({ length: 101 }, (): [string, string] => ['search.id', 'x'])],
])('%s out of bounds is refused with 400', async (_title, query) => {
  expect(refusal(await get(query))).toEqual([400, 'guard.invalid_input'])
})

test('a pattern of many wildcards is answered quickly', async () => {
  expect(await found({ search: '%_'.repeat(128) })).toEqual([])
  expect(await found({ search: '%a'.repeat(128) })).toEqual([])
})

test('pages by number and after a cursor hold the same users in the same order', async () => {
  const byNumber = await Promise.all([1, 2, 3].map((page) => found({ page: String(page), page_size: '2' })))
  expect(byNumber).toEqual([['nobody', 'eve'], ['bob', 'ann'], []])
  const first = await get({ page_size: '3' })
  const after = first.headers.get('next-cursor') ?? ''
  expect(await found({ page_size: '3', after })).toEqual(['ann'])
  expect([first.headers.get('total-number'), first.headers.get('total-number-is-capped')]).toEqual(['4', null])
})

describe('filters', () => {
  const NOON = Date.UTC(2026, 0, 15, 12)

  beforeAll(async () => {
    await server.api('PATCH', `/users/${ids.bob}/is-suspended`, { isSuspended: true })
    await server.api('POST', `/users/${ids.ann}/mfa-verifications`, { type: 'Totp' })
    const codes = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(10))
    await server.api('POST', `/users/${ids.ann}/mfa-verifications`, { type: 'BackupCode', codes })
    for (const [person, at] of [
      ['ann', NOON],
      ['eve', NOON + 1000],
    ] as const)
      await server.store.database.pool.query('UPDATE users SET last_sign_in_at = $1 WHERE id = $2', [
        new Date(at),
        ids[person],
      ])
  })
  afterAll(async () => {
    await server.api('PATCH', `/users/${ids.bob}/is-suspended`, { isSuspended: false })
  })

  test.each<[Record<string, string | number>, readonly Person[]]>([
    [{ isSuspended: 'true' }, ['bob']],
    [{ isSuspended: 'false' }, ['nobody', 'eve', 'ann']],
    [{ hasSecondFactor: 'true' }, ['ann']],
    [{ hasSecondFactor: 'false' }, ['nobody', 'eve', 'bob']],
    [{ secondFactor: 'BackupCode' }, ['ann']],
    [{ secondFactor: 'WebAuthn' }, []],
    [{ hasSignedIn: 'true' }, ['eve', 'ann']],
    [{ hasSignedIn: 'false' }, ['nobody', 'bob']],
    // on the same day, to the millisecond: after includes the moment, before does not
    [{ lastSignInAfter: NOON }, ['eve', 'ann']],
    [{ lastSignInAfter: NOON + 1 }, ['eve']],
    [{ lastSignInBefore: NOON + 1000 }, ['ann']],
    [{ lastSignInBefore: NOON + 86_400_000 }, ['eve', 'ann']],
    [{ lastSignInAfter: NOON + 86_400_000 }, []],
    // all that are given, with a search or without
    [{ lastSignInAfter: NOON, hasSecondFactor: 'false' }, ['eve']],
    [{ search: 'bo%', isSuspended: 'true' }, ['bob']],
    [{ search: 'ann%', isSuspended: 'true' }, []],
    [{ search: '%example%', isSuspended: 'false' }, ['eve', 'ann']],
  ])('%j', async (query, people) => {
    const answer = await get(Object.entries(query).map(([name, value]) => [name, String(value)]))
    expect(idsOf(answer)).toEqual(people.map((person) => ids[person]))
    expect(answer.headers.get('total-number')).toBe(String(people.length))
  })

  test('by the moment of their creation', async () => {
    const { body } = await get({})
    const [, second, third] = body.map(({ createdAt }: { createdAt: number }) => createdAt)
    expect(await found({ createdAfter: third, createdBefore: second })).toEqual(['bob'])
    expect(await found({ createdAfter: second })).toEqual(['nobody', 'eve'])
  })

  test.each<Record<string, string>>([{ isSuspended: 'yes' }, { secondFactor: 'Sms' }, { createdAfter: 'yesterday' }])(
    '%j is refused',
    async (query) => {
      expect(refusal(await get(query))).toEqual([400, 'guard.invalid_input'])
    },
  )
})

describe('among many users', () => {
  const MANY = 20_000

  beforeAll(async () => {
    const { kysely } = server.store.database
    await sql`
      INSERT INTO users (tenant_id, id, username, username_key, primary_email, email_key, primary_phone, name, created_at, updated_at)
      SELECT 'default', 'm' || lpad(n::text, 11, '0'), 'Many' || n, 'many' || n, 'Many' || n || '@m.example',
        'many' || n || '@m.example', (40000000000 + n)::text, 'Person ' || n, now() - n * interval '1 second', now()
      FROM generate_series(1, ${MANY}) AS n`.execute(kysely)
    await sql`ANALYZE users`.execute(kysely)
  })

  test('the count stops at its limit and says so', async () => {
    const { headers } = await get({ page_size: '1' })
    expect([headers.get('total-number'), headers.get('total-number-is-capped')]).toEqual(['10000', 'true'])
  })

  test.each([
    ['many%', '10000', 'true'],
    ['many1234%', '11', null],
    ['Person 7%', '1111', null],
  ])('%s finds %s', async (search, total, isCapped) => {
    const { headers } = await get({ search })
    expect([headers.get('total-number'), headers.get('total-number-is-capped')]).toEqual([total, isCapped])
  })

  test('pages of a search with more results than are counted follow one another, by number, by cursor and at the end', async () => {
    const page = (query: Record<string, string>) => get({ search: 'many%', page_size: '50', ...query })
    const whole = idsOf(await page({ page_size: '100' }))
    const [first, second] = await Promise.all([page({}), page({ page: '2' })])
    expect([...idsOf(first), ...idsOf(second)]).toEqual(whole)
    expect(whole).toEqual(whole.toSorted())
    const next = (answer: typeof first) => answer.headers.get('next-cursor') ?? ''
    expect(idsOf(await page({ after: next(first) }))).toEqual(idsOf(second))
    const last = await page({ after: next(await page({ page: '399' })) })
    expect([idsOf(last).length, idsOf(last).at(-1), last.headers.get('next-cursor')]).toEqual([
      50,
      'm00000020000',
      null,
    ])
  })

  test.each([
    ['username', 'many777'],
    ['a beginning', 'many1234%'],
    ['an address', 'MANY777@m.example'],
    ['a number', '+400 0000 0777'],
    ['a name', 'person 777'],
    ['a beginning of a name', 'Person 777%'],
    ['an id', 'm00000000777'],
  ])('%s is looked up in indexes', async (_title, search) => {
    const { pool } = server.store.database
    const read = async () => {
      // each connection flushes its own statistics: every connection of the pool is asked
      const flush = () => pool.query('SELECT pg_stat_force_next_flush(), pg_sleep(0.01)')
      await Promise.all(Array.from({ length: 20 }, flush))
      const { rows } = await pool.query(`SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'users'`)
      return Number(rows[0].seq_tup_read)
    }
    const before = await read()
    expect((await get({ search })).body.length).toBeGreaterThan(0)
    expect((await read()) - before).toBeLessThan(MANY)
  })
})
