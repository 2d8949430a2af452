/** Passwords that other systems hashed: verified once, then rehashed; invalid hashes are refused (DECISIONS L4). */
import { createHash, pbkdf2Sync, scryptSync } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { BodyOf } from '../protocol/arrange.ts'
import { createUser, freshName, refusal, rowOf } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')
const legacy = (algorithm: string, args: readonly string[], hash: string) => JSON.stringify([algorithm, args, hash])

const PASSWORD = 'correct horse battery staple'
/** From Firebase's documentation. */
const FIREBASE = legacy(
  'firebase-scrypt',
  [
    '42xEC+ixf3L2lw==',
    'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
    'Bw==',
    '8',
    '14',
    '@',
  ],
  'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
)

const IMPORTS: readonly (readonly [
  title: string,
  algorithm: NonNullable<BodyOf<'createUser'>['passwordAlgorithm']>,
  digest: string,
  password: string,
])[] = [
  // from the test vectors of crypt_blowfish and of argon2's reference program
  ['bcrypt $2a', 'Bcrypt', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U'],
  ['bcrypt $2y', 'Bcrypt', '$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U'],
  [
    'argon2i',
    'Argon2i',
    '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA',
    'password',
  ],
  [
    'argon2id',
    'Argon2id',
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    'password',
  ],
  ['SHA1', 'SHA1', digest('sha1', PASSWORD), PASSWORD],
  ['SHA256 in capitals', 'SHA256', digest('sha256', PASSWORD).toUpperCase(), PASSWORD],
  ['MD5', 'MD5', digest('md5', PASSWORD), PASSWORD],
  [
    'salted SHA512',
    'Legacy',
    legacy('sha512', ['salt', '@', 'more'], digest('sha512', `salt${PASSWORD}more`)),
    PASSWORD,
  ],
  [
    'PBKDF2',
    'Legacy',
    legacy(
      'pbkdf2',
      ['salt', '1000', '32', 'sha256', '@'],
      pbkdf2Sync(PASSWORD, 'salt', 1000, 32, 'sha256').toString('hex'),
    ),
    PASSWORD,
  ],
  [
    'PBKDF2 with a salt of bytes',
    'Legacy',
    legacy(
      'pbkdf2',
      ['hex:80ff00', '1000', '20', 'sha1', '@'],
      pbkdf2Sync(PASSWORD, Buffer.from('80ff00', 'hex'), 1000, 20, 'sha1').toString('hex'),
    ),
    PASSWORD,
  ],
  [
    'scrypt',
    'Legacy',
    legacy(
      'scrypt',
      ['salt', '16384', '8', '1', '64', '@'],
      scryptSync(PASSWORD, 'salt', 64, { N: 16384, r: 8, p: 1 }).toString('hex'),
    ),
    PASSWORD,
  ],
  ['Firebase scrypt', 'Legacy', FIREBASE, 'user1password'],
]

const prove = (id: string, password: string) => server.api('POST', `/users/${id}/password/verify`, { password })

describe.each(IMPORTS)('%s', (_title, passwordAlgorithm, passwordDigest, password) => {
  test('is stored unchanged, verifies, and is then rehashed with argon2id', async () => {
    const id = await createUser(server, { passwordAlgorithm, passwordDigest })
    expect(await rowOf(server, id)).toMatchObject({
      password_hash: passwordDigest,
      password_algorithm: passwordAlgorithm,
    })
    expect((await prove(id, `${password}x`)).status).toBe(422)
    expect((await rowOf(server, id)).password_hash).toBe(passwordDigest)
    expect((await prove(id, password)).status).toBe(204)
    expect(await rowOf(server, id)).toMatchObject({
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      password_algorithm: null,
    })
    expect((await prove(id, password)).status).toBe(204)
    expect((await prove(id, `${password}x`)).status).toBe(422)
  })
})

test('10 concurrent verifications of an imported password succeed', async () => {
  const id = await createUser(server, { passwordAlgorithm: 'MD5', passwordDigest: digest('md5', 'x') })
  const answers = await Promise.all(Array.from({ length: 10 }, () => prove(id, 'x')))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204))
})

test.each([
  [{ password: 'x', passwordDigest: 'x', passwordAlgorithm: 'MD5' }, 'user.password_and_digest'],
  [{ passwordDigest: 'x' }, 'user.password_algorithm_required'],
])('%j is refused with 400 %s', async (fields, code) => {
  expect(refusal(await server.api('POST', '/users', fields))).toEqual([400, code])
})

const FORMAT = 'password.invalid_legacy_password_format'
const HASH = 'password.unsupported_legacy_hash_algorithm'
const INPUT = 'guard.invalid_input'
test.each([
  ['Bcrypt', 'x', INPUT],
  ['Bcrypt', '$2a$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', INPUT],
  ['Bcrypt', '$2a$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', INPUT],
  ['Argon2id', '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA', INPUT],
  ['Argon2id', '$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc', INPUT],
  ['Argon2id', '$argon2id$v=19$m=65536,t=4000,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc', INPUT],
  ['Argon2id', '$argon2id$', INPUT],
  ['MD5', digest('sha1', 'x'), INPUT],
  ['SHA256', 'x'.repeat(64), INPUT],
  ['Legacy', 'x', FORMAT],
  ['Legacy', '{}', FORMAT],
  ['Legacy', legacy('sha256', ['salt'], digest('sha256', 'x')), FORMAT],
  ['Legacy', legacy('sha256', ['@'], digest('sha1', 'x')), FORMAT],
  ['Legacy', legacy('sha256', ['@'], ''), FORMAT],
  ['Legacy', legacy('rot13', ['@'], 'x'), HASH],
  ['Legacy', legacy('__proto__', ['@'], 'x'), HASH],
  ['Legacy', legacy('constructor', ['@'], 'x'), HASH],
  ['Legacy', legacy('pbkdf2', ['salt', '1000', '32', 'rot13', '@'], '00'.repeat(32)), HASH],
  ['Legacy', legacy('pbkdf2', ['salt', '99999999', '32', 'sha256', '@'], '00'.repeat(32)), FORMAT],
  ['Legacy', legacy('pbkdf2', ['salt', '1000', '1', 'sha256', '@'], '00'), FORMAT],
  ['Legacy', legacy('pbkdf2', ['hex:zz', '1000', '32', 'sha256', '@'], '00'.repeat(32)), FORMAT],
  ['Legacy', legacy('scrypt', ['salt', '16385', '8', '1', '64', '@'], '00'.repeat(64)), FORMAT],
  ['Legacy', legacy('scrypt', ['salt', '1048576', '64', '1', '64', '@'], '00'.repeat(64)), FORMAT],
  ['Legacy', legacy('firebase-scrypt', ['', '', '', '8', '14', '@'], ''), FORMAT],
])('%s %s is refused with 400 %s', async (passwordAlgorithm, passwordDigest, code) => {
  const username = freshName()
  const answer = await server.api('POST', '/users', { username, passwordAlgorithm, passwordDigest })
  expect(refusal(answer)).toEqual([400, code])
  expect((await server.api('GET', `/users?search=${username}`)).body).toEqual([])
})
