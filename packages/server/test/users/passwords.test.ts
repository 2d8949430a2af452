/** Passwords of users through the Management API: set, verified, hashed according to DECISIONS L4. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { verifyPassword } from '@countersign/server/domain/credentials/passwords.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createUser, refusal, rowOf } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const prove = (id: string, password: string) => server.api('POST', `/users/${id}/password/verify`, { password })
const WRONG = [422, 'session.invalid_credentials']

test('a password is stored as argon2id with 19 MiB, two passes and one lane, each time with a new salt', async () => {
  const ids = [await createUser(server, { password: 'same' }), await createUser(server, { password: 'same' })]
  const [a, b] = await Promise.all(ids.map((id) => rowOf(server, id)))
  for (const row of [a, b]) {
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(row).toMatchObject({ password_algorithm: null, password_updated_at: server.clock.now() })
  }
  expect(a?.password_hash).not.toBe(b?.password_hash)
})

test('verify answers 204 for the password, 422 for another, 422 for a user without one, 404 for an unknown user', async () => {
  const id = await createUser(server, { password: 'right' })
  expect((await prove(id, 'right')).status).toBe(204)
  for (const wrong of ['wrong', 'Right', 'right ', 'righ']) expect(refusal(await prove(id, wrong))).toEqual(WRONG)
  expect(refusal(await prove(await createUser(server), 'x'))).toEqual(WRONG)
  expect((await prove('000000000000', 'x')).status).toBe(404)
})

test('verify does not rewrite a hash of this server', async () => {
  const id = await createUser(server, { password: 'right' })
  const before = await rowOf(server, id)
  await prove(id, 'right')
  expect(await rowOf(server, id)).toEqual(before)
})

test('PATCH password replaces the password regardless of the policy, and returns the user', async () => {
  const id = await createUser(server, { password: 'old' })
  const { status, body } = await server.api('PATCH', `/users/${id}/password`, { password: 'a' })
  expect([status, body.id, body.hasPassword]).toEqual([200, id, true])
  expect(refusal(await prove(id, 'old'))).toEqual(WRONG)
  expect((await prove(id, 'a')).status).toBe(204)
  expect((await server.api('PATCH', '/users/000000000000/password', { password: 'a' })).status).toBe(404)
})

test('has-password says whether the user has a password', async () => {
  const id = await createUser(server)
  expect((await server.api('GET', `/users/${id}/has-password`)).body).toEqual({ hasPassword: false })
  await server.api('PATCH', `/users/${id}/password`, { password: 'a' })
  expect((await server.api('GET', `/users/${id}/has-password`)).body).toEqual({ hasPassword: true })
})

test('a password is the same in every Unicode normalization form, and every character counts', async () => {
  const id = await createUser(server, { password: 'Cafe\u0301 密码 🔑' })
  expect((await prove(id, 'Caf\u00e9 密码 🔑')).status).toBe(204)
  expect(refusal(await prove(id, 'Café 密码 🗝'))).toEqual(WRONG)
})

test('256 characters are accepted, and each of them counts; 257 are refused', async () => {
  const longest = '🔑'.repeat(256)
  const id = await createUser(server, { password: longest })
  expect((await prove(id, longest)).status).toBe(204)
  expect(refusal(await prove(id, `${'🔑'.repeat(255)}🗝`))).toEqual(WRONG)
  expect(refusal(await prove(id, 'x'.repeat(257)))).toEqual([400, 'guard.invalid_input'])
  expect(refusal(await server.api('PATCH', `/users/${id}/password`, { password: 'x'.repeat(257) }))).toEqual([
    400,
    'guard.invalid_input',
  ])
})

test('R-35: more characters than a password may have match nothing, not even the imported hash of an empty password', async () => {
  const empty = { hash: 'd41d8cd98f00b204e9800998ecf8427e', algorithm: 'MD5' }
  expect(await verifyPassword(empty, '')).toMatchObject({ isCorrect: true })
  expect(await verifyPassword(empty, 'x'.repeat(1_000_000))).toEqual({ isCorrect: false, took: expect.any(Number) })
  expect(await verifyPassword(undefined, 'x')).toEqual({ isCorrect: false, took: expect.any(Number) })
})

test('20 concurrent changes of the password: every response is 200, and the last one written is the password', async () => {
  const id = await createUser(server)
  const passwords = Array.from({ length: 20 }, (_, index) => `password ${index}`)
  const answers = await Promise.all(
    passwords.map((password) => server.api('PATCH', `/users/${id}/password`, { password })),
  )
  expect(answers.map(({ status }) => status)).toEqual(passwords.map(() => 200))
  const proved = await Promise.all(passwords.map((password) => prove(id, password)))
  expect(proved.filter(({ status }) => status === 204)).toHaveLength(1)
})
