/** The secrets of applications: several, named, with an end; sealed, and readable again with permission to write (C1). */
import { requestToken } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { call, holdFinePermissions, managementToken } from './arrange.ts'

let server: TestServer
let path: string
let clientId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const { body } = await server.api('POST', '/applications', { name: 'Worker', type: 'MachineToMachine' })
  clientId = body.id
  path = `/applications/${clientId}/secrets`
  await server.api('POST', '/resources', { name: 'Orders', indicator: 'https://orders.example' })
})
afterAll(() => server.close())

const add = (body: unknown) => server.api('POST', path, body)
const named = (name: string) => `${path}/${encodeURIComponent(name)}`
const works = async (clientSecret: string): Promise<boolean> => {
  const { status } = await requestToken(
    server.baseUrl,
    { clientId, clientSecret },
    { resource: 'https://orders.example' },
  )
  expect([200, 401]).toContain(status)
  return status === 200
}

test('POST answers 201 with the secret; it works immediately, alongside the first, and both are listed oldest first', async () => {
  const { body: before } = await server.api('GET', path)
  server.clock.advance(1)
  const { status, body } = await add({ name: 'second' })
  expect(status).toBe(201)
  expect(body).toEqual({
    tenantId: 'default',
    applicationId: clientId,
    name: 'second',
    value: expect.stringMatching(/^[0-9a-zA-Z]{32}$/),
    createdAt: server.clock.now().getTime(),
    expiresAt: null,
  })
  expect((await server.api('GET', path)).body).toEqual([...before, body])
  expect(await works(body.value)).toBe(true)
  expect(await works(before[0].value)).toBe(true)
})

test('a secret works until it expires', async () => {
  const expiresAt = server.clock.now().getTime() + 60_000
  const { body } = await add({ name: 'ending', expiresAt })
  expect(body.expiresAt).toBe(expiresAt)
  server.clock.advance(59)
  expect(await works(body.value)).toBe(true)
  server.clock.advance(1)
  expect(await works(body.value)).toBe(false)
})

test.each([-1, 1.5, 8_640_000_000_000_001, 1e300, '2030-01-01', true])(
  'expiresAt %j is refused with 400',
  async (expiresAt) => {
    const { status, body } = await add({ name: 'bad', expiresAt })
    expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
  },
)

test.each(['the epoch', 'now'])(
  'expiresAt that is past already, %s, is refused with 400: such a secret never works',
  async (when) => {
    const expiresAt = when === 'now' ? server.clock.now().getTime() : 0
    const { status, body } = await add({ name: 'past', expiresAt })
    expect([status, body.code]).toEqual([400, 'request.invalid_input'])
  },
)

test.each([4_102_444_800_001, 253_402_300_800_000, 8_640_000_000_000_000])(
  'expiresAt %d is kept to the millisecond',
  async (expiresAt) => {
    const { status, body } = await add({ name: `at ${expiresAt}`, expiresAt })
    expect([status, body.expiresAt]).toEqual([201, expiresAt])
    const { body: list } = await server.api('GET', path)
    expect(list.find(({ name }: { name: string }) => name === body.name).expiresAt).toBe(expiresAt)
  },
)

test('names are unique within an application: 422; another application may use the same', async () => {
  await add({ name: 'once' })
  expect(await add({ name: 'once' })).toMatchObject({ status: 422, body: { code: 'application.secret_name_exists' } })
  const { body: other } = await server.api('POST', '/applications', { name: 'Other', type: 'Traditional' })
  expect((await server.api('POST', `/applications/${other.id}/secrets`, { name: 'once' })).status).toBe(201)
})

test.each(['ключ 鍵 🔑', 'a/b?c#d%2F&e', ' ', '__proto__', '.hidden', '🔑'.repeat(256)])(
  'a secret named %s can be renamed and deleted',
  async (name) => {
    const { body } = await add({ name })
    expect(body.name).toBe(name)
    const renamed = await server.api('PATCH', named(name), { name: `${[...name].slice(0, 200).join('')}2` })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toEqual({ ...body, name: renamed.body.name })
    expect((await server.api('DELETE', named(renamed.body.name))).status).toBe(204)
    expect(await works(body.value)).toBe(false)
  },
)

test('renaming keeps the value; a name in use is 422, an unknown one 404, its own is accepted', async () => {
  const { body } = await add({ name: 'rename-a' })
  await add({ name: 'rename-b' })
  const taken = await server.api('PATCH', named('rename-a'), { name: 'rename-b' })
  expect([taken.status, taken.body.code]).toEqual([422, 'application.secret_name_exists'])
  expect((await server.api('PATCH', named('rename-a'), { name: 'rename-a' })).body).toEqual(body)
  expect((await server.api('PATCH', named('no such'), { name: 'x' })).status).toBe(404)
  expect(await works(body.value)).toBe(true)
})

test('a deleted secret stops working immediately; a second deletion is 404; the others still work', async () => {
  const [{ body: one }, { body: two }] = [await add({ name: 'delete-1' }), await add({ name: 'delete-2' })]
  expect(await works(one.value)).toBe(true)
  expect((await server.api('DELETE', named('delete-1'))).status).toBe(204)
  expect(await works(one.value)).toBe(false)
  expect(await works(two.value)).toBe(true)
  expect((await server.api('DELETE', named('delete-1'))).status).toBe(404)
})

test.each(['Native', 'SPA'])('an application of type %s is public and gets no secret: 422', async (type) => {
  const { body } = await server.api('POST', '/applications', { name: 'Public', type })
  const { status, body: error } = await server.api('POST', `/applications/${body.id}/secrets`, { name: 'x' })
  expect([status, error.code]).toEqual([422, 'application.invalid_type'])
})

test('R-34: a caller who may only read applications sees no secret in any response', async () => {
  await holdFinePermissions(server)
  const token = await managementToken(server, 'read:applications read:roles read:logs read:events')
  const { body: secrets } = await server.api('GET', path)
  expect(secrets.length).toBeGreaterThan(3)
  expect((await call(server, 'GET', path, { token })).status).toBe(403)
  const paths = ['/applications', `/applications/${clientId}`, `/applications/${clientId}/roles`, '/logs', '/events']
  for (const each of paths) {
    const { status, text } = await call(server, 'GET', `${each}?page_size=100`, { token })
    expect(status).toBe(200)
    for (const { value } of secrets) expect(text).not.toContain(value)
  }
})

test('the database holds no secret in plain text', async () => {
  const { body: secrets } = await server.api('GET', path)
  const stored = await withClient(server.databaseUrl, async (client) => {
    const { rows } = await client.query(`SELECT s::text, encode(sealed, 'escape') AS sealed FROM application_secrets s`)
    return JSON.stringify(rows)
  })
  for (const { value } of secrets) {
    expect(stored).not.toContain(value)
    expect(stored).not.toContain(Buffer.from(value).toString('hex'))
  }
})
