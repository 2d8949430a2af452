/**
 * `countersign users import`: what a line may contain, what is refused, and that a killed process loses and duplicates
 * nothing.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hashSync } from '@node-rs/bcrypt'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { type CommandLine, commandLine } from './program.ts'

// each of them starts the program several times, on a shared machine
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let cli: CommandLine
beforeEach(async () => {
  cli = await commandLine(inject('cluster'))
})
afterEach(() => cli.close())

const lines = (users: readonly unknown[]): string => users.map((user) => `${JSON.stringify(user)}\n`).join('')
const refusals = async (name: string): Promise<{ line: number; code: string; message: string }[]> =>
  (await cli.read(name))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const count = async (table: 'users' | 'users_roles', tenant = 'default'): Promise<number> =>
  (await cli.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE tenant_id = $1`, [tenant]))[0]?.n ?? 0
const createdEvents = async (): Promise<string[]> => {
  const rows = await cli.query<{ id: string }>(
    `SELECT payload->'data'->>'id' AS id FROM outbox WHERE type = 'User.Created'
     UNION ALL SELECT payload->'data'->>'id' FROM events WHERE type = 'User.Created'`,
  )
  return rows.map(({ id }) => id)
}

const BCRYPT = hashSync('correct horse', { cost: 4 })

test('everything that a line may hold is stored, and the event describes the user', async () => {
  await cli.query(
    `INSERT INTO roles (tenant_id, id, name, description, type, is_default, created_at)
     VALUES ('default', 'given', 'Given', '', 'User', true, now()), ('default', 'named', 'Named', '', 'User', false, now())`,
  )
  const full = {
    id: 'abcdefghij01',
    username: 'Ann',
    primaryEmail: 'Ann@Example.com',
    emailVerified: true,
    primaryPhone: '+49 170 1234567',
    phoneVerified: true,
    name: 'Ann Example',
    avatar: 'https://example.com/ann.png',
    customData: { plan: 'gold', nested: { deep: [1, null, 'x'] } },
    profile: { givenName: 'Ann', address: { country: 'DE' } },
    passwordDigest: BCRYPT,
    passwordAlgorithm: 'Bcrypt',
    isSuspended: true,
    createdAt: 1_600_000_000_000,
    lastSignInAt: 1_700_000_000_000,
    roleNames: ['Named'],
  }
  const file = await cli.file(
    'users.jsonl',
    lines([full, { username: 'bob', primaryEmail: null }, { password: 'in clear' }]),
  )
  const { status, out } = await cli.run(['users', 'import', file])
  expect(out).toMatch(/^Imported 3 users of 3 lines in /)
  expect(status).toBe(0)
  const [ann] = await cli.query<Record<string, unknown>>(`SELECT * FROM users WHERE id = 'abcdefghij01'`)
  expect(ann).toMatchObject({
    username: 'Ann',
    username_key: 'ann',
    primary_email: 'Ann@Example.com',
    email_key: 'ann@example.com',
    primary_phone: '491701234567',
    name: 'Ann Example',
    custom_data: full.customData,
    profile: full.profile,
    password_hash: BCRYPT,
    password_algorithm: 'Bcrypt',
    is_suspended: true,
    created_at: new Date(1_600_000_000_000),
    last_sign_in_at: new Date(1_700_000_000_000),
  })
  expect(ann?.email_verified_at).toBeInstanceOf(Date)
  const [clear] = await cli.query<{ password_hash: string }>(
    `SELECT password_hash FROM users WHERE username IS NULL AND password_algorithm IS NULL`,
  )
  expect(clear?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  const held = await cli.query(
    `SELECT u.username, ur.role_id FROM users_roles ur JOIN users u ON u.id = ur.user_id ORDER BY u.username NULLS LAST`,
  )
  expect(held).toEqual([
    { username: 'Ann', role_id: 'named' },
    { username: 'bob', role_id: 'given' },
    { username: null, role_id: 'given' },
  ])
  const [event] = await cli.query<{ payload: unknown }>(
    `SELECT payload FROM outbox WHERE payload->'data'->>'id' = 'abcdefghij01'`,
  )
  expect(event?.payload).toMatchObject({
    actor: { type: 'system' },
    data: { username: 'Ann', isSuspended: true, createdAt: '2020-09-13T12:26:40.000Z', customData: full.customData },
  })
  expect(await createdEvents()).toHaveLength(3)
})

test('an invalid line is refused by itself, with its number and the reason', async () => {
  await cli.run(['users', 'import', '-'], {
    input: lines([
      {
        username: 'taken',
        primaryEmail: 'taken@example.com',
        primaryPhone: '4917000000',
        id: 'takentaken01',
        identities: { acme: { userId: 'taken' } },
      },
    ]),
  })
  const bad: [string | Buffer, string, RegExp][] = [
    ['{"username":', 'guard.invalid_input', /^the line is not valid JSON$/],
    ['[]', 'guard.invalid_input', /^the line must be object$/],
    ['"text"', 'guard.invalid_input', /must be object/],
    ['{"username":"x","emial":"a@b.de"}', 'guard.invalid_input', /^emial is not a known key$/],
    ['{"profile":{"givename":"x"}}', 'guard.invalid_input', /^profile\/givename is not a known key$/],
    ['{"username":4}', 'guard.invalid_input', /^username must be string or null$/],
    ['{"__proto__":{"username":"x"}}', 'guard.invalid_input', /__proto__/],
    ['{"name":"a\\u0000b"}', 'guard.invalid_input', /NUL/],
    ['{"name":"\\ud800"}', 'guard.invalid_input', /surrogate/],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'guard.invalid_input', /not valid UTF-8/],
    [`{"customData":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}`, 'guard.invalid_input', /nested deeper/],
    [`{"name":"${'x'.repeat(1024 * 1024)}"}`, 'request.body_too_large', /1048576/],
    ['{"username":"1x"}', 'user.username_starts_with_number', /./],
    ['{"primaryEmail":"nobody"}', 'user.invalid_email', /./],
    ['{"primaryPhone":"12"}', 'user.invalid_phone', /./],
    ['{"avatar":"javascript:alert(1)"}', 'guard.invalid_input', /avatar/],
    ['{"id":"an-application-id-01"}', 'guard.invalid_input', /^id /],
    ['{"emailVerified":true}', 'guard.invalid_input', /primaryEmail/],
    ['{"createdAt":"2020"}', 'guard.invalid_input', /createdAt/],
    ['{"password":"a","passwordDigest":"b","passwordAlgorithm":"MD5"}', 'user.password_and_digest', /./],
    ['{"passwordDigest":"b"}', 'user.password_algorithm_required', /./],
    ['{"passwordDigest":"b","passwordAlgorithm":"MD5"}', 'guard.invalid_input', /32 hex digits/],
    ['{"passwordDigest":"b","passwordAlgorithm":"ROT13"}', 'guard.invalid_input', /passwordAlgorithm must be one of/],
    [`{"passwordDigest":"$2b$10$${'a'.repeat(53)}","passwordAlgorithm":"Bcrypt"}`, 'guard.invalid_input', /bcrypt/],
    ['{"roleNames":["nobody"]}', 'entity.relation_foreign_key_not_found', /./],
    ['{"roleNames":["Management API access"]}', 'user.invalid_role_type', /./],
    ['{"username":"TAKEN"}', 'user.username_already_in_use', /./],
    ['{"primaryEmail":"Taken@example.com"}', 'user.email_already_in_use', /./],
    ['{"primaryPhone":"+49 17000000"}', 'user.phone_already_in_use', /./],
    ['{"id":"takentaken01"}', 'entity.unique_integrity_violation', /./],
    ['{"identities":{"acme":{"userId":"taken"}}}', 'user.identity_already_in_use', /./],
    ['{"identities":{"acme":{"userId":"good"}}}', 'user.identity_already_in_use', /./],
    ['{"identities":{"a b":{"userId":"x"}}}', 'guard.invalid_input', /^identities\/a b is not a known key$/],
    [
      '{"ssoIdentities":[{"connectorName":"None","issuer":"x","identityId":"y"}]}',
      'entity.relation_foreign_key_not_found',
      /./,
    ],
    ['{"username":"Good"}', 'user.username_already_in_use', /./],
    ['{"id":"goodgoodgood"}', 'entity.unique_integrity_violation', /./],
  ]
  const input = Buffer.concat([
    Buffer.from('\ufeff{"username":"good","id":"goodgoodgood","identities":{"acme":{"userId":"good"}}}\r\n\n   \n'),
    ...bad.flatMap(([line]) => [Buffer.from(line), Buffer.from('\n')]),
    Buffer.from('{"username":"last"}'),
  ])
  const { status, out } = await cli.run(['users', 'import', '-', '--report', 'refused.jsonl'], { input })
  expect(out).toContain(`Imported 2 users of ${bad.length + 4} lines`)
  expect(status).toBe(1)
  const reported = await refusals('refused.jsonl')
  // the two that repeat a valid earlier line are listed among the others, in the order of the lines
  expect(reported.map(({ line, code }) => [line, code])).toEqual(bad.map(([, code], index) => [index + 4, code]))
  for (const [index, [, , message]] of bad.entries()) expect(reported[index]?.message).toMatch(message)
  expect(await cli.query('SELECT username FROM users ORDER BY username')).toEqual([
    { username: 'good' },
    { username: 'last' },
    { username: 'taken' },
  ])
  expect(await createdEvents()).toHaveLength(3)
})

test('two lines of one batch with the same identifier: the first one gets it', async () => {
  const file = await cli.file(
    'users.jsonl',
    lines([
      { username: 'twin', name: 'first' },
      { username: 'Twin', name: 'second' },
    ]),
  )
  expect((await cli.run(['users', 'import', file])).status).toBe(1)
  expect(await cli.query('SELECT name FROM users')).toEqual([{ name: 'first' }])
  expect(await refusals('users.jsonl.refused.jsonl')).toEqual([
    expect.objectContaining({ line: 2, code: 'user.username_already_in_use' }),
  ])
})

test('another tenant has its own users, roles and identifiers', async () => {
  await cli.run(['tenants', 'create', 'acme', '--base-url', 'https://acme.example'])
  const input = lines([{ username: 'ann', id: 'sameid000001' }])
  expect((await cli.run(['users', 'import', '-'], { input })).status).toBe(0)
  expect((await cli.run(['users', 'import', '-', '--tenant', 'acme'], { input })).status).toBe(0)
  expect([await count('users'), await count('users', 'acme')]).toEqual([1, 1])
  const exported = await cli.run(['users', 'export', '--tenant', 'acme'])
  expect(exported.out.trim().split('\n')).toHaveLength(1)
  const nowhere = await cli.run(['users', 'import', '-', '--tenant', 'nowhere'], { input })
  expect(nowhere).toMatchObject({ status: 1, err: expect.stringContaining('nowhere') })
  await cli.run(['tenants', 'delete', 'acme', '--yes'])
  await cli.run(['tenants', 'create', 'acme', '--base-url', 'https://acme.example'])
  expect((await cli.run(['users', 'import', '-', '--tenant', 'acme'], { input })).status).toBe(0)
})

describe('the same input twice', () => {
  test('is refused, continues with --resume, and starts over with --again', async () => {
    const file = await cli.file('users.jsonl', lines([{ name: 'nobody in particular' }]))
    expect((await cli.run(['users', 'import', file])).status).toBe(0)
    const twice = await cli.run(['users', 'import', file])
    expect(twice).toMatchObject({ status: 1, err: expect.stringContaining('already imported, 1 lines') })
    expect((await cli.run(['users', 'import', file, '--resume'])).status).toBe(0)
    expect(await count('users')).toBe(1)
    expect((await cli.run(['users', 'import', file, '--again'])).status).toBe(0)
    expect(await count('users')).toBe(2)
    // the planner knows of them at once
    expect(await cli.query("SELECT reltuples::int AS n FROM pg_class WHERE oid = 'users'::regclass")).toEqual([
      { n: 2 },
    ])
    const both = await cli.run(['users', 'import', file, '--again', '--resume'])
    expect(both).toMatchObject({ status: 1, err: '--resume and --again cannot be combined.\n' })
  })

  test('an input that only begins like the interrupted one is not mistaken for it', async () => {
    const users = Array.from({ length: 3000 }, (_, index) => ({ username: `user_${index}`, name: 'x'.repeat(50) }))
    const running = cli.start(['users', 'import', '-', '--report', 'refused.jsonl'])
    running.input.write(lines(users))
    await expect.poll(() => count('users'), { timeout: 60_000 }).toBeGreaterThan(0)
    running.kill('SIGKILL')
    await running.ended
    const other = await cli.run(['users', 'import', '-', '--resume'], { input: lines([...users.slice(0, 900), {}]) })
    expect(other).toMatchObject({
      status: 1,
      err: expect.stringContaining('not the one that the import was started with'),
    })
  })
})

test('kill -9 at any moment: resuming loses and duplicates no line, event or refusal', async () => {
  const TOTAL = 10_000
  const users = Array.from({ length: TOTAL }, (_, index) =>
    index % 20 === 7 ? { username: `${index}_begins_with_a_digit` } : { name: `User ${index}`, customData: { index } },
  )
  const file = await cli.file('users.jsonl', lines(users))
  let kills = 0
  for (const share of [0.02, 0.2, 0.45, 0.7]) {
    const running = cli.start(['users', 'import', file, '--resume'])
    const hasEnded = running.ended.then(() => true)
    // a few thousand users later, in the middle of its work
    while ((await count('users')) < share * TOTAL) if (await Promise.race([hasEnded, delay(5, false)])) break
    running.kill('SIGKILL')
    if ((await running.ended).status === 'SIGKILL') kills += 1
  }
  expect(kills).toBeGreaterThan(1)
  const { status, err } = await cli.spawned(['users', 'import', file, '--resume'])
  expect(err).toMatch(/Continuing after line [\d,]+\./)
  expect(status).toBe(1)
  const imported = await cli.query<{ id: string; index: number }>(
    `SELECT id, (custom_data->>'index')::int AS index FROM users ORDER BY 2`,
  )
  const expected = users.flatMap((_, index) => (index % 20 === 7 ? [] : [index]))
  expect(imported.map(({ index }) => index)).toEqual(expected)
  expect((await createdEvents()).sort()).toEqual(imported.map(({ id }) => id).sort())
  const reported = (await refusals('users.jsonl.refused.jsonl')).map(({ line }) => line)
  expect(reported).toEqual(users.flatMap((_, index) => (index % 20 === 7 ? [index + 1] : [])))
})

test('two processes that import the same input: one of them reports it, and no user exists twice', async () => {
  const users = Array.from({ length: 3000 }, (_, index) => ({ name: `User ${index}` }))
  const file = await cli.file('users.jsonl', lines(users))
  const both = await Promise.all(['a', 'b'].map((report) => cli.spawned(['users', 'import', file, '--report', report])))
  const failed = both.filter(({ status }) => status !== 0)
  expect(failed).toHaveLength(1)
  expect(failed[0]?.err).toMatch(/Another process is importing the same input|already imported|stopped after line/)
  expect(await count('users')).toBe(3000)
})

test('SIGINT ends the import after a batch, and --no-events emits nothing', async () => {
  const running = cli.start(['users', 'import', '-', '--no-events', '--report', 'refused.jsonl'])
  const users = Array.from({ length: 3000 }, (_, index) => ({
    name: `User ${index}`,
    customData: { text: 'x'.repeat(50) },
  }))
  running.input.write(lines(users))
  await expect.poll(() => count('users'), { timeout: 60_000 }).toBeGreaterThan(0)
  running.kill('SIGINT')
  running.input.write(lines(users))
  running.input.end()
  const { status, out } = await running.ended
  expect(out).toContain('Stopped before the end; --resume continues.')
  expect(status).toBe(1)
  expect(await createdEvents()).toEqual([])
})

test('an unreadable input is reported by name', async () => {
  expect(await cli.run(['users', 'import', 'nothing.jsonl'])).toMatchObject({
    status: 1,
    err: expect.stringMatching(/^nothing\.jsonl cannot be read: /),
  })
  expect(await cli.run(['users', 'import', '.'])).toMatchObject({ status: 1, err: '. is a directory.\n' })
  // a socket can be seen but not opened, even by root
  const socket = createServer().listen(join(cli.folder, 'socket'))
  await once(socket, 'listening')
  expect(await cli.run(['users', 'import', 'socket'])).toMatchObject({
    status: 1,
    err: expect.stringMatching(/^socket cannot be read: ENXIO/),
  })
  socket.close()
  const empty = await cli.run(['users', 'import', '-'])
  expect(empty).toMatchObject({ status: 0, out: expect.stringContaining('Imported 0 users of 0 lines') })
})

describe('users export', () => {
  const connect = (tenant: string) =>
    cli.query(
      `INSERT INTO sso_connectors (tenant_id, id, provider_name, connector_name, sealed_config, is_complete, branding, created_at)
       VALUES ($1, 'company-of-' || $1, 'OIDC', 'Company', '', false, '{}', now())`,
      [tenant],
    )

  test('can be imported again; hashes are included only with the flag', async () => {
    await cli.query(
      `INSERT INTO roles (tenant_id, id, name, description, type, is_default, created_at)
       VALUES ('default', 'given', 'Given', '', 'User', true, now())`,
    )
    const input = lines([
      {
        username: 'ann',
        passwordDigest: BCRYPT,
        passwordAlgorithm: 'Bcrypt',
        roleNames: [],
        createdAt: 1_600_000_000_000,
      },
      { primaryEmail: 'bob@example.com', emailVerified: true, password: 'in clear', profile: { locale: 'de' } },
      {
        identities: { github: { userId: '17', details: { id: '17', name: 'Kim' } }, acme: { userId: 'kim' } },
        ssoIdentities: [
          {
            connectorName: 'Company',
            issuer: 'https://company.example',
            identityId: 'k1',
            detail: { email: 'k@x.de' },
          },
        ],
      },
      ...Array.from({ length: 2100 }, (_, index) => ({ name: `User ${index}` })),
    ])
    await connect('default')
    await cli.run(['users', 'import', '-'], { input })
    const plain = await cli.run(['users', 'export'])
    expect(plain.status).toBe(0)
    expect(plain.out).not.toMatch(/password|\$2b\$|argon2/)
    const full = await cli.run(['users', 'export', '--with-password-hashes'])
    expect(full.err).toContain('password hashes')
    const exported = full.out.trim().split('\n')
    expect(exported).toHaveLength(2103)
    expect(exported.find((line) => line.includes('"ann"'))).toContain(BCRYPT)
    await cli.run(['tenants', 'create', 'acme', '--base-url', 'https://acme.example'])
    await cli.query(
      `INSERT INTO roles (tenant_id, id, name, description, type, is_default, created_at)
       VALUES ('acme', 'given', 'Given', '', 'User', true, now())`,
    )
    await connect('acme')
    expect((await cli.run(['users', 'import', '-', '--tenant', 'acme'], { input: full.out })).status).toBe(0)
    const identities = `SELECT target, identity_id FROM user_identities WHERE tenant_id = 'acme' UNION ALL
      SELECT connector_id, identity_id FROM user_sso_identities WHERE tenant_id = 'acme' ORDER BY 2`
    expect(await cli.query(identities)).toEqual([
      { target: 'github', identity_id: '17' },
      { target: 'company-of-acme', identity_id: 'k1' },
      { target: 'acme', identity_id: 'kim' },
    ])
    const again = await cli.run(['users', 'export', '--with-password-hashes', '--tenant', 'acme'])
    expect(again.out).toBe(full.out)
  })

  test('writes a new file that only its owner can read', async () => {
    await cli.run(['users', 'import', '-'], { input: lines([{ username: 'ann' }]) })
    expect((await cli.run(['users', 'export', '--output', 'users.out'])).status).toBe(0)
    expect(JSON.parse(await cli.read('users.out'))).toMatchObject({ username: 'ann', roleNames: [] })
    const twice = await cli.run(['users', 'export', '--output', 'users.out'])
    expect(twice).toMatchObject({ status: 1, err: expect.stringContaining('cannot be written') })
  })
})
