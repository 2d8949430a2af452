/** Requests as large as they may be: 10,000 ids in one body (DECISIONS M). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createWorld, fresh, type World } from './arrange.ts'

const MOST = 10_000
let server: TestServer
let world: World
const idsOf = (prefix: string) => Array.from({ length: MOST }, (_, i) => `${prefix}${String(i + 1).padStart(20, '0')}`)
const [SCOPES, ROLES, APPLICATIONS] = [idsOf('s'), idsOf('r'), idsOf('a')]

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createWorld(server)
  await withClient(server.databaseUrl, async (client) => {
    const from = `FROM generate_series(1, ${MOST}) n`
    const id = (prefix: string) => `'${prefix}' || lpad(n::text, 20, '0')`
    await client.query(
      `INSERT INTO scopes SELECT 'default', ${id('s')}, $1, false, 'scope' || n, null, now() ${from}`,
      [world.resourceId],
    )
    await client.query(
      `INSERT INTO roles SELECT 'default', ${id('r')}, 'role' || n, '', 'MachineToMachine', false, now() ${from}`,
    )
    await client.query(
      `INSERT INTO applications (tenant_id, id, name, description, type, is_third_party, oidc_client_metadata,
           custom_client_metadata, custom_data, created_at)
         SELECT 'default', ${id('a')}, 'a', null, 'MachineToMachine', false,
         '{"redirectUris":[],"postLogoutRedirectUris":[]}', '{}', '{}', now() ${from}`,
    )
  })
})
afterAll(() => server.close())

const total = async (path: string) => (await server.api('GET', path)).headers.get('total-number')

test('a role is created with 10,000 permissions', async () => {
  const { status, body } = await server.api('POST', '/roles', { name: fresh('large'), scopeIds: SCOPES })
  expect(status).toBe(200)
  expect(await total(`/roles/${body.id}/scopes`)).toBe(String(MOST))
})

test('10,000 permissions are added to a role, and the event names them all', async () => {
  const { status, body } = await server.api('POST', `/roles/${world.freeRoleId}/scopes`, { scopeIds: SCOPES })
  expect([status, body.length]).toEqual([201, MOST])
  const { body: feed } = await server.api('GET', '/events?event=Role.Scopes.Updated')
  const parts = feed.events.filter(({ roleId }: { roleId: string }) => roleId === world.freeRoleId)
  const named = new Set(parts.flatMap(({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)))
  expect([parts.length, named.size]).toEqual([2, MOST])
})

test('an application gets 10,000 roles, loses them, and gets them again', async () => {
  const path = `/applications/${world.applicationId}/roles`
  expect((await server.api('POST', path, { roleIds: ROLES })).body.addedRoleIds).toHaveLength(MOST)
  expect((await server.api('PUT', path, { roleIds: [] })).status).toBe(200)
  expect(await total(path)).toBe('0')
  expect((await server.api('PUT', path, { roleIds: ROLES })).status).toBe(200)
  expect(await total(path)).toBe(String(MOST))
})

test('a role is given to 10,000 applications', async () => {
  const path = `/roles/${world.freeRoleId}/applications`
  expect((await server.api('POST', path, { applicationIds: APPLICATIONS })).status).toBe(201)
  expect(await total(path)).toBe(String(MOST))
})

test('10,000 times the same id counts once', async () => {
  const scopeIds = Array.from({ length: MOST }, () => world.freeScopeId)
  const { status, body } = await server.api('POST', `/roles/${world.roleId}/scopes`, { scopeIds })
  expect([status, body.length]).toEqual([201, 1])
})

test('10,001 ids are refused with 400', async () => {
  const ids = [...SCOPES, world.scopeId]
  const answers = [
    await server.api('POST', '/roles', { name: fresh('x'), scopeIds: ids }),
    await server.api('POST', `/roles/${world.roleId}/scopes`, { scopeIds: ids }),
    await server.api('POST', `/roles/${world.roleId}/applications`, { applicationIds: ids }),
    await server.api('POST', `/applications/${world.applicationId}/roles`, { roleIds: ids }),
    await server.api('PUT', `/applications/${world.applicationId}/roles`, { roleIds: ids }),
  ]
  for (const { status, body } of answers) expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
})

test('10,000 unknown ids are refused with 422', async () => {
  const { status } = await server.api('POST', `/roles/${world.roleId}/scopes`, { scopeIds: ROLES })
  expect(status).toBe(422)
})
