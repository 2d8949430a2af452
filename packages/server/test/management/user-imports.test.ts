/** `/user-imports`: lines in batches, each refused by itself, a batch that is sent again imported once. `/user-exports` gives such lines. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { consoleToken, createAdministrator } from '../administrators/arrange.ts'
import { call, holdFinePermissions, managementToken } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const send = async (importId: string, firstLine: number, lines: readonly string[], more: object = {}) => {
  const { status, body } = await server.api('POST', '/user-imports', { importId, firstLine, lines, ...more })
  return status === 200 ? body : [status, body.code, body.message]
}

test('lines that cannot be imported are refused one by one; counts go on from batch to batch, and a batch sent again counts once', async () => {
  const first = [
    '{"username":"ann","password":"a long enough phrase","customData":{"plan":"gold"}}',
    'no JSON',
    '{"username":"ann"}',
    '{"username":"bea","shoeSize":39}',
    '{"username":"cat","roleNames":["None such"]}',
  ]
  const begun = await send('one', 1, first)
  expect(begun).toEqual({
    lines: 5,
    created: 1,
    refusedCount: 4,
    refused: [
      { line: 2, code: 'guard.invalid_input', message: expect.stringContaining('the line') },
      { line: 3, code: 'user.username_already_in_use', message: expect.any(String) },
      { line: 4, code: 'guard.invalid_input', message: expect.stringContaining('shoeSize') },
      {
        ...{ line: 5, code: 'entity.relation_foreign_key_not_found', message: expect.any(String) },
        data: { roleIds: [], roleNames: ['None such'] },
      },
    ],
  })
  expect(await send('one', 1, first)).toEqual(begun)
  const [ann] = await server.client.listUsers({ query: { search: 'ann' } })
  expect(ann).toMatchObject({ username: 'ann', hasPassword: true, customData: { plan: 'gold' } })

  const next = ['{"username":"dot"}']
  const ended = { lines: 6, created: 2, refusedCount: 4, refused: [] }
  expect(await send('one', 6, next, { isLast: true })).toEqual(ended)
  expect(await send('one', 6, next, { isLast: true })).toEqual(ended)
})

test('a batch that does not follow is refused, and tells which line is the next; one that begins at line 1 begins another import', async () => {
  const refusal = (line: number) => [409, 'user_import.not_the_next_batch', expect.stringContaining(`is ${line}.`)]
  expect(await send('two', 1, ['{"username":"eve"}'])).toMatchObject({ lines: 1, created: 1 })
  expect(await send('two', 3, ['{"username":"fay"}'])).toEqual(refusal(2))
  expect(await send('three', 2, ['{"username":"fay"}'])).toEqual(refusal(1))
  const [one, other] = await Promise.all([
    send('two', 2, ['{"username":"gil"}']),
    send('two', 2, ['{"username":"hal"}']),
  ])
  const created = [one, other].filter((answer) => !Array.isArray(answer))
  expect(created).toEqual([{ lines: 2, created: 2, refusedCount: 0, refused: [] }])
})

test('users are exported as lines that the import takes, in batches that go on for the same caller, and the log has it once', async () => {
  const exported = async (body: object) => (await server.api('POST', '/user-exports', body)).body
  const password = '{"username":"exp_first","password":"a long enough phrase","profile":{"givenName":"Ex"}}'
  expect(await send('first-of-all', 1, [password])).toMatchObject({ created: 1 })
  const count = 1100
  for (let first = 0; first < count; first += 500) {
    const lines = Array.from({ length: Math.min(500, count - first) }, (_, at) => `{"username":"exp${first + at}"}`)
    expect(await send('many', first + 1, lines)).toMatchObject({ created: first + lines.length })
  }
  const narrow = { search: 'exp%' }
  const begun = await exported(narrow)
  expect([begun.lines.length, typeof begun.cursor]).toEqual([1000, 'string'])
  const rest = await exported({ cursor: begun.cursor })
  expect([rest.lines.length, rest.cursor]).toEqual([count + 1 - 1000, null])
  const users = [...begun.lines, ...rest.lines].map((line: string) => JSON.parse(line))
  expect(new Set(users.map(({ username }) => username)).size).toBe(count + 1)
  const first = users.find(({ username }) => username === 'exp_first')
  expect(first).toMatchObject({ profile: { givenName: 'Ex' }, roleNames: [] })
  expect(first.passwordDigest).toBeUndefined()
  server.clock.advance(1)
  const { lines: hashed } = await exported({ search: 'exp\\_first', withPasswordHashes: true })
  const line = JSON.parse(hashed[0])
  expect(line).toMatchObject({ passwordAlgorithm: 'Argon2id', passwordDigest: expect.stringContaining('$argon2id$') })
  await server.api('DELETE', `/users/${line.id}`)
  expect(await send('back-again', 1, hashed)).toMatchObject({ created: 1 })
  const { body: entries } = await server.api('GET', '/logs?logKey=ManagementApi.exportUsers')
  expect(entries.map(({ payload }: { payload: object }) => payload)).toMatchObject([
    { withPasswordHashes: true, search: { search: 'exp\\_first' } },
    { withPasswordHashes: false, search: narrow },
  ])

  await holdFinePermissions(server)
  const token = await managementToken(server, 'read:users read:roles')
  const ask = async (body: object) => {
    const answer = await call(server, 'POST', '/user-exports', { token, body })
    return answer.status === 200 ? answer.body : [answer.status, answer.body.code]
  }
  expect((await ask(narrow)).lines).toHaveLength(1000)
  expect(await ask({ ...narrow, withPasswordHashes: true })).toEqual([403, 'auth.forbidden'])
  // begun with a token that admits the hashes; changed; of nothing; of another caller
  const { cursor } = await exported({ ...narrow, withPasswordHashes: true })
  expect(await ask({ cursor })).toEqual([403, 'auth.forbidden'])
  for (const other of [`x${begun.cursor.slice(1)}`, 'x'])
    expect(await ask({ cursor: other })).toEqual([400, 'request.invalid_input'])
  const administrator = await consoleToken(server, await createAdministrator(server, ['auditor']))
  const theirs = await call(server, 'POST', '/user-exports', { token: administrator, body: { cursor: begun.cursor } })
  expect(theirs.body.code).toBe('request.invalid_input')
  expect((await server.api('POST', '/user-exports', { search: '' })).status).toBe(400)
})
