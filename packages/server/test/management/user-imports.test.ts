/** `/user-imports`: lines in batches, each refused by itself, a batch that is sent again imported once. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

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
      { line: 5, code: 'entity.relation_foreign_key_not_found', message: expect.any(String) },
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
