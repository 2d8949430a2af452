/** The default API: at most one of a tenant, whatever happens at once (SPEC 2.1, DECISIONS D2). */
import { managementClient } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createWorld, fresh, managementToken } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const create = async (isDefault?: boolean): Promise<string> => {
  const indicator = `https://${fresh('api')}.example`
  const { body } = await server.api('POST', '/resources', { name: 'X', indicator, ...(isDefault ? { isDefault } : {}) })
  return body.id
}
const defaults = async (): Promise<string[]> => {
  const { body } = await server.api('GET', '/resources?page_size=100')
  return body.filter(({ isDefault }: { isDefault: boolean }) => isDefault).map(({ id }: { id: string }) => id)
}
const set = (id: string, isDefault: boolean) => server.api('PATCH', `/resources/${id}/is-default`, { isDefault })

test('a resource becomes the default, another replaces it, and it can be unset', async () => {
  const [first, second] = [await create(), await create()]
  expect(await set(first, true)).toMatchObject({ status: 200, body: { id: first, isDefault: true } })
  expect(await defaults()).toEqual([first])
  expect((await set(second, true)).status).toBe(200)
  expect(await defaults()).toEqual([second])
  expect((await set(first, false)).status).toBe(200)
  expect(await defaults()).toEqual([second])
  expect(await set(second, false)).toMatchObject({ status: 200, body: { isDefault: false } })
  expect(await defaults()).toEqual([])
})

test('a resource that is created as the default replaces the one before', async () => {
  const [first, second] = [await create(true), await create(true)]
  expect(first).not.toBe(second)
  expect(await defaults()).toEqual([second])
})

test('60 concurrent changes of the default on two nodes: none fails, and one default remains', async () => {
  const node = await server.startNode()
  try {
    const other = managementClient(node.url, server.credentials)
    const token = await managementToken(server, 'all')
    const ids = await Promise.all(Array.from({ length: 6 }, () => create()))
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const path = `/resources/${ids[i % ids.length]}/is-default`
        return (i % 2 ? server.api : other)('PATCH', path, { isDefault: true }, { token })
      }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const found = await defaults()
    expect(found).toHaveLength(1)
    expect(ids).toContain(found[0])
  } finally {
    await node.close()
  }
})

test('concurrent creation, setting, unsetting and deletion of the default never answers 500 and never leaves two', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => create()))
  const answers = await Promise.all(
    ids.flatMap((id) => [
      set(id, true),
      set(id, false),
      server.api('POST', '/resources', { name: 'X', indicator: `https://${fresh('api')}.example`, isDefault: true }),
      server.api('PATCH', `/resources/${id}`, { name: 'Y' }),
      server.api('DELETE', `/resources/${id}`),
    ]),
  )
  expect(answers.filter(({ status }) => ![200, 201, 204, 404].includes(status))).toEqual([])
  expect((await defaults()).length).toBeLessThanOrEqual(1)
})

test('the database itself refuses a second default', async () => {
  await create(true)
  await withClient(server.databaseUrl, async (client) => {
    const second = client.query('UPDATE resources SET is_default = true WHERE NOT is_management')
    await expect(second).rejects.toMatchObject({ constraint: 'resources_one_default' })
  })
})

test('only true and false are accepted, and only for resources that exist', async () => {
  const id = await create()
  for (const isDefault of ['true', 1, null, undefined]) {
    const { status } = await server.api('PATCH', `/resources/${id}/is-default`, { isDefault })
    expect(status).toBe(400)
  }
  const { roleId } = await createWorld(server)
  expect((await set(roleId, true)).status).toBe(404)
})
