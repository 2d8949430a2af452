/**
 * Usernames, email addresses and phone numbers: which are valid, which are equal, and that no two accounts share one.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { findUserByIdentifier } from '@countersign/server/domain/users/rows.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createUser, freshName, refusal } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const post = (fields: Record<string, unknown>) => server.api('POST', '/users', fields)
const find = async (type: 'username' | 'email' | 'phone', value: string) =>
  (await findUserByIdentifier(server.store.database.kysely, 'default', { type, value }))?.id

describe('usernames', () => {
  test.each(['ann', '_ann', 'Ann-Marie.O_Neil', 'a1', 'x'.repeat(128)])('%s is sound', async (username) => {
    expect(await post({ username })).toMatchObject({ status: 200, body: { username } })
  })

  test.each([
    ['1ann', 'user.username_starts_with_number'],
    ['-ann', 'user.username_invalid_charset_hard'],
    ['.ann', 'user.username_invalid_charset_hard'],
    ['ann@example.com', 'user.username_invalid_charset_hard'],
    ['ann marie', 'user.username_invalid_charset_hard'],
    [' ann', 'user.username_invalid_charset_hard'],
    ['jürgen', 'user.username_invalid_charset_hard'],
    ['аnn', 'user.username_invalid_charset_hard'],
    ['ann\u200b', 'user.username_invalid_charset_hard'],
    ['ann\n', 'user.username_invalid_charset_hard'],
    ['ａｎｎ', 'user.username_invalid_charset_hard'],
    ["ann'--", 'user.username_invalid_charset_hard'],
    ['x'.repeat(129), 'user.username_too_long'],
    ['x'.repeat(257), 'guard.invalid_input'],
  ])('%j is refused with 400 %s', async (username, code) => {
    expect(refusal(await post({ username }))).toEqual([400, code])
  })

  test('usernames that differ only in case are the same: 422 at POST and at PATCH; users may change the case of their own', async () => {
    const username = `Case_${freshName()}`
    const id = await createUser(server, { username })
    const other = await createUser(server)
    const taken = [422, 'user.username_already_in_use']
    expect(refusal(await post({ username: username.toUpperCase() }))).toEqual(taken)
    expect(refusal(await server.api('PATCH', `/users/${other}`, { username: username.toLowerCase() }))).toEqual(taken)
    const changed = await server.api('PATCH', `/users/${id}`, { username: username.toUpperCase() })
    expect(changed).toMatchObject({ status: 200, body: { username: username.toUpperCase() } })
    expect(await find('username', username.toLowerCase())).toBe(id)
  })
})

describe('email addresses', () => {
  test.each([
    ['Ann.O’Neil+tag@Example.COM', 'ann.o’neil+tag@example.com'],
    ['ユーザー@例え.テスト', 'ユーザー@例え.テスト'],
    ['  padded@example.com ', 'PADDED@EXAMPLE.COM'],
    ['cafe\u0301@example.com', 'CAFÉ@example.com'],
    ["o'brien@a-b.example", "O'BRIEN@A-B.example"],
    ['ann@bücher.example', 'ann@XN--BCHER-kva.example'],
    ['ann@xn--strae-oqa.xn--bcher-kva.example', 'Ann@STRAßE.xn--bcher-kva.example'],
    ['ann@xn--mxa0b.example', 'ann@ΑΣ.example'],
  ])('%s is sound and found as %s', async (primaryEmail, written) => {
    const { status, body } = await post({ primaryEmail })
    expect([status, body.primaryEmail]).toEqual([200, primaryEmail.trim().normalize('NFC')])
    expect(await find('email', written)).toBe(body.id)
    expect(refusal(await post({ primaryEmail: written }))).toEqual([422, 'user.email_already_in_use'])
  })

  test.each([
    'ann',
    '@example.com',
    'ann@',
    'ann@localhost',
    'ann@example..com',
    'ann@.example.com',
    'ann@-example.com',
    'ann@example.com.',
    'a b@example.com',
    'a\u0007b@example.com',
    'a\u202eb@example.com',
    'ann@evil.example@example.com',
    '"ann"@example.com',
    '<ann@example.com>',
    'ann@exam_ple.com',
    'ann@[127.0.0.1]',
    'ann@example.com, bob@example.com',
    'ann@example.com\nBcc: x@example.com',
    `${'x'.repeat(65)}@example.com`,
    `ann@${'x'.repeat(120)}.example`,
    'ann@192.0.2.1',
    // domains that a mail server would read as another one
    'ann@co\ufe01rp.example',
    'ann@co\u034frp.example',
    'ann@ｃｏｒｐ.example',
    'ann@cor\u1d56.example',
    'ann@corp.ſample',
    'ann@corp。example',
    `ann@${'ü'.repeat(60)}.example`,
  ])('%j is refused with 400', async (primaryEmail) => {
    expect(refusal(await post({ primaryEmail }))).toEqual([400, 'user.invalid_email'])
    expect(await find('email', primaryEmail)).toBeUndefined()
  })
})

test('an address of more than 128 characters is refused, and the message names the limit', async () => {
  const longest = `${'x'.repeat(64)}@${'y'.repeat(55)}.example`
  expect((await post({ primaryEmail: longest })).status).toBe(200)
  const { status, body } = await post({ primaryEmail: `${'x'.repeat(64)}@${'y'.repeat(56)}.example` })
  expect([status, body.code, body.data]).toEqual([400, 'user.invalid_email', { max: 128 }])
  expect(body.message).toContain('128 characters')
})

test('a domain that would be read as another one is refused by name, also at a change', async () => {
  const id = await createUser(server)
  const refused = [
    await post({ primaryEmail: 'ann@ｃｏｒｐ.example' }),
    await server.api('PATCH', `/users/${id}`, { primaryEmail: 'ann@ｃｏｒｐ.example' }),
  ]
  for (const { status, body } of refused) {
    expect([status, body.code, body.data]).toEqual([400, 'user.invalid_email', { domain: 'ｃｏｒｐ.example' }])
  }
})

test('another spelling of the domain is not a new address: it stays verified', async () => {
  const { body } = await post({ primaryEmail: 'kept@xn--bcher-kva.example' })
  const verified = 'UPDATE users SET email_verified_at = now() WHERE id = $1'
  await server.store.database.pool.query(verified, [body.id])
  await server.api('PATCH', `/users/${body.id}`, { primaryEmail: 'Kept@Bücher.example' })
  const user = await findUserByIdentifier(server.store.database.kysely, 'default', {
    type: 'email',
    value: 'kept@bücher.example',
  })
  expect(user).toMatchObject({ id: body.id, primary_email: 'Kept@Bücher.example' })
  expect(user?.email_verified_at).not.toBeNull()
})

describe('phone numbers', () => {
  test.each([
    ['+49 (151) 111-111.11', '4915111111111'],
    ['0049 151 22222222', '4915122222222'],
    ['12025550123', '12025550123'],
    ['+49 (0)151 44444444', '4915144444444'],
    ['+39 06 1234 5678', '390612345678'],
  ])('%s is kept as %s and found as it was written', async (primaryPhone, kept) => {
    const { status, body } = await post({ primaryPhone })
    expect([status, body.primaryPhone]).toEqual([200, kept])
    for (const written of [primaryPhone, kept, `+${kept}`]) expect(await find('phone', written)).toBe(body.id)
    expect(refusal(await post({ primaryPhone: `+${kept}` }))).toEqual([422, 'user.phone_already_in_use'])
  })

  test.each([
    '1234',
    '1234567890123456',
    '+',
    'x',
    '0151 1234567',
    '٤٩١٥١١١١',
    '+49 151 ext 5',
    '++4915111111',
    '+999 1234567',
    '+1 202 555 012',
    '+1 202 555 01234',
  ])('%j is refused with 422', async (primaryPhone) => {
    expect(refusal(await post({ primaryPhone }))).toEqual([422, 'user.invalid_phone'])
  })
})

describe('phone numbers that were stored before they were validated', () => {
  test.each([
    ['4901515555555', '+49 (0)151 5555555'],
    ['15550100', '+1 555-0100'],
  ])(
    '%s is found as it was written, by itself and in a search, and stays when something else changes',
    async (old, written) => {
      const username = freshName()
      const { body } = await post({ username, password: 'a long enough phrase' })
      const { pool } = server.store.database
      await pool.query('UPDATE users SET primary_phone = $2 WHERE id = $1', [body.id, old])
      expect([await find('phone', old), await find('phone', written)]).toEqual([body.id, body.id])
      const search = await server.api('GET', `/users?search.primaryPhone=${encodeURIComponent(written)}`)
      expect(search.body.map(({ id }: { id: string }) => id)).toEqual([body.id])
      const changed = await server.api('PATCH', `/users/${body.id}`, { name: 'Ann' })
      expect([changed.status, changed.body.primaryPhone]).toEqual([200, old])
    },
  )

  test('the account whose number has the new form comes first', async () => {
    const old = (await post({ username: freshName() })).body.id
    await server.store.database.pool.query('UPDATE users SET primary_phone = $2 WHERE id = $1', [old, '4901516666666'])
    const { body } = await post({ primaryPhone: '+49 151 6666666' })
    expect(await find('phone', '+49 (0)151 6666666')).toBe(body.id)
    expect(await find('phone', '+49 151 6666666')).toBe(body.id)
  })
})

describe('at once', () => {
  test.each([
    ['username', (index: number) => (index % 2 ? 'Racer' : 'racer'), 'user.username_already_in_use'],
    ['primaryEmail', (index: number) => (index % 2 ? 'Race@x.example' : 'race@X.example'), 'user.email_already_in_use'],
    ['primaryPhone', (index: number) => (index % 2 ? '+4915133333333' : '4915133333333'), 'user.phone_already_in_use'],
  ] as const)('50 creations with one %s: one 200, 49 times 422', async (field, value, code) => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => post({ [field]: value(index) })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 422)])
    expect(new Set(answers.filter(({ status }) => status === 422).map(({ body }) => body.code))).toEqual(
      new Set([code]),
    )
  })

  test('users who swap their names concurrently: no 500, and each name is held once', async () => {
    const [a, b] = [freshName(), freshName()]
    const [first, second] = [await createUser(server, { username: a }), await createUser(server, { username: b })]
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => [
        server.api('PATCH', `/users/${first}`, { username: b }),
        server.api('PATCH', `/users/${second}`, { username: a }),
      ]).flat(),
    )
    expect(answers.filter(({ status }) => ![200, 422].includes(status))).toEqual([])
    expect([await find('username', a), await find('username', b)].sort()).toEqual([first, second].sort())
  })
})
