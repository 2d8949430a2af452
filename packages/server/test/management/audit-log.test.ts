/** The audit log: every change through /api, also the refused ones, with who, whence, how and what came of it (B6). */
import type { Route } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  call,
  createWorld,
  GUARDED,
  managementToken,
  NOWHERE,
  needsCode,
  pathIn,
  sampleBody,
  titleOf,
  unknownPath,
} from './arrange.ts'
import { worldsOf } from './worlds.ts'

let server: TestServer
let worldFor: ReturnType<typeof worldsOf>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  worldFor = worldsOf(server)
})
afterAll(() => server.close())
// the entries of a test are the newest
beforeEach(() => server.clock.advance(1))

interface Entry {
  readonly id: string
  readonly key: string
  readonly payload: Record<string, unknown>
}
/** The entries of one request, which was among the last. */
const entriesOf = async (requestId: unknown): Promise<Entry[]> => {
  const { body } = await server.api('GET', '/logs?page_size=10')
  return body.filter(({ payload }: Entry) => payload.requestId === requestId)
}

interface Entity {
  readonly type: string
  readonly id: string
  readonly before?: Record<string, unknown>
  readonly after?: Record<string, unknown>
}
interface Request {
  readonly params: Readonly<Record<string, string>>
}
/** The ids in the path, and that of what was made. */
const concernedBy = (route: Route, { params }: Request, body: unknown): string[] => {
  const named = Object.entries(params).filter(([name]) => /^id$|Id$/.test(name))
  const made = route.method === 'POST' && !route.params && typeof body === 'object' ? (body as Partial<Entity>) : {}
  return [...named.map(([, id]) => id), ...(made?.id === undefined ? [] : [made.id])]
}

/** They read, and what they are asked with has no room in an address; a console asks at every letter that is typed. */
const READING = new Set(['previewPage'])
const WRITING = GUARDED.filter(({ id, method }) => method !== 'GET' && !READING.has(id)).map(
  (route) => [titleOf(route), route] as const,
)

describe.each(WRITING)('%s', (_, route) => {
  test.skipIf(needsCode(route))(
    'leaves one entry that says who did what, from where, by which route, and that it succeeded',
    async () => {
      const world = await worldFor(route)
      const { headers, body } = await server.api(route.method, pathIn(world, route), sampleBody(route, world))
      const entries = await entriesOf(headers.get('x-request-id'))
      expect(entries).toHaveLength(1)
      expect(entries[0]).toMatchObject({
        key: `ManagementApi.${route.id}`,
        payload: {
          key: `ManagementApi.${route.id}`,
          result: 'Success',
          ip: '127.0.0.1',
          userAgent: expect.any(String),
          applicationId: server.credentials.clientId,
          actor: { type: 'application', id: server.credentials.clientId },
          request: {
            method: route.method,
            path: pathIn(world, route).split('?')[0],
            matchedRoute: route.path,
            status: route.status,
          },
        },
      })
      const ids = concernedBy(route, entries[0]?.payload.request as Request, body)
      const entities = (entries[0]?.payload.entities ?? []) as Entity[]
      expect(entities.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
      for (const id of ids.slice(-1)) {
        const { body: found } = await server.api('GET', `/logs?page_size=100&entity=${id}`)
        expect(found.map((entry: Entry) => entry.id)).toContain(entries[0]?.id)
      }
    },
  )

  test('leaves one entry if the permission is missing', async () => {
    const token = await managementToken(server, 'none')
    const { headers, status } = await call(server, route.method, unknownPath(route), { token, body: {} })
    expect(status).toBe(403)
    const entries = await entriesOf(headers['x-request-id'])
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      key: `ManagementApi.${route.id}`,
      payload: {
        result: 'Error',
        error: 'auth.forbidden',
        actor: { id: server.credentials.clientId },
        request: { status: 403 },
      },
    })
  })
})

// there are two types of token, and what is put where nothing was is made
const NAMING = WRITING.filter(([, { params, path }]) => params && !/:(tokenTypePath|languageTag)$/.test(path))

describe.each(NAMING)('%s', (_, route) => {
  test('leaves one entry if the entity does not exist', async () => {
    const { headers } = await server.api(route.method, unknownPath(route), sampleBody(route, NOWHERE))
    const entries = await entriesOf(headers.get('x-request-id'))
    expect(entries).toHaveLength(1)
    expect(entries[0]?.payload).toMatchObject({
      result: 'Error',
      error: expect.stringMatching(/not_(exists|found)/),
      request: { status: 404 },
    })
  })
})

test('an entry is written for an address with a NUL, and for later requests', async () => {
  const token = await managementToken(server, 'all')
  const { headers, status } = await call(server, 'DELETE', '/roles/a%00b', { token })
  expect(status).toBe(400)
  expect(await entriesOf(headers['x-request-id'])).toMatchObject([{ payload: { error: 'guard.invalid_input' } }])
  const { headers: next } = await server.api('DELETE', '/roles/000000000000000000000')
  expect(await entriesOf(next.get('x-request-id'))).toHaveLength(1)
})

test('an entry names the same error as the response, also for a malformed query', async () => {
  const token = await managementToken(server, 'all')
  const { headers, body } = await call(server, 'POST', '/roles?x=%ff', { token, body: {} })
  expect(body.code).toBe('guard.invalid_input')
  expect(await entriesOf(headers['x-request-id'])).toMatchObject([
    { payload: { error: 'guard.invalid_input', request: { status: 400 } } },
  ])
})

test('reading leaves no entry', async () => {
  const { roleId } = await createWorld(server)
  const { headers } = await server.api('GET', `/roles/${roleId}`)
  expect(await entriesOf(headers.get('x-request-id'))).toEqual([])
})

test('R-33: no entry and no event contains a secret', async () => {
  const { api, credentials, databaseUrl } = server
  const { applicationId } = await createWorld(server)
  const created = await api('POST', `/applications/${applicationId}/secrets`, { name: 'second' })
  await api('PATCH', `/applications/${applicationId}/secrets/second`, { name: 'renamed' })
  const { body: secrets } = await api('GET', `/applications/${applicationId}/secrets`)
  const token = await managementToken(server, 'all')
  await call(server, 'POST', `/roles?access_token=${token}`, { token, body: '{' })
  await call(server, 'POST', '/roles', { headers: { authorization: `Bearer ${credentials.clientSecret}` }, body: {} })
  await server.store.audit.flush()
  await api('GET', '/events')

  const known = [
    credentials.clientSecret,
    created.body.value,
    token,
    ...secrets.map(({ value }: Entry & { value: string }) => value),
  ]
  expect(known.length).toBe(5)
  const rows = await withClient(databaseUrl, async (client) => {
    const tables = ['audit_log', 'events', 'outbox']
    const texts = await Promise.all(
      tables.map(async (table) => (await client.query(`SELECT t::text AS text FROM ${table} t`)).rows),
    )
    return texts.flat().map(({ text }: { text: string }) => text)
  })
  expect(rows.length).toBeGreaterThan(20)
  for (const secret of known) expect(rows.filter((row) => row.includes(secret))).toEqual([])
  expect(rows.filter((row) => /PRIVATE KEY|sealed|"hash"/.test(row))).toEqual([])
})

describe('what an operation concerned', () => {
  /** The entries about something, newest first. */
  const about = async (entity: string): Promise<Entry[]> => (await server.api('GET', `/logs?entity=${entity}`)).body
  const entityOf = ({ payload }: Entry, id: string): Entity | undefined =>
    (payload.entities as Entity[]).find((entity) => entity.id === id)

  test('who gave Ada this role, and who took it from her, is found by her id and by that of the role', async () => {
    const { api } = server
    const { freeUserId: ada, freeUserRoleId: roleId, userRoleId } = await createWorld(server)
    server.clock.advance(1)
    await api('POST', `/users/${ada}/roles`, { roleIds: [roleId] })
    server.clock.advance(1)
    await api('PUT', `/users/${ada}/roles`, { roleIds: [userRoleId] })
    server.clock.advance(1)
    await api('POST', `/roles/${roleId}/users`, { userIds: [ada] })
    const both = [
      { type: 'user', id: ada },
      { type: 'role', id: roleId },
    ]
    for (const [index, key] of ['addRoleUsers', 'replaceUserRoles', 'addUserRoles'].entries()) {
      for (const id of [ada, roleId]) {
        const entry = (await about(id))[index]
        expect(entry?.payload.actor).toEqual({ type: 'application', id: server.credentials.clientId })
        expect([id, entry?.payload.entities]).toEqual([id, expect.arrayContaining(both)])
        expect(entry?.key).toBe(`ManagementApi.${key}`)
      }
    }
    expect((await about(roleId))[1]?.payload.removed).toEqual([roleId])
    expect(await about('000000000000')).toEqual([])
  })

  test('a change records its fields before and after, and no others', async () => {
    const { api } = server
    const { roleId, userId, organizationId } = await createWorld(server)
    server.clock.advance(1)
    await api('PATCH', `/roles/${roleId}`, { description: 'another' })
    await api('PATCH', `/users/${userId}`, { name: 'Ada', customData: { text: 'x'.repeat(5000) } })
    await api('PATCH', `/organizations/${organizationId}`, { isMfaRequired: true })
    const [role, user, organization] = await Promise.all([roleId, userId, organizationId].map((id) => about(id)))
    expect(entityOf(role?.[0] as Entry, roleId)).toMatchObject({
      before: { description: '' },
      after: { description: 'another' },
    })
    const changed = entityOf(user?.[0] as Entry, userId)
    expect(changed).toMatchObject({ before: { name: null, customData: {} }, after: { name: 'Ada' } })
    expect(Object.keys(changed?.after ?? {})).toEqual(['name', 'customData'])
    // a long value is cut
    expect(String(changed?.after?.customData).length).toBeLessThan(1100)
    expect(entityOf(organization?.[0] as Entry, organizationId)).toMatchObject({
      before: { isMfaRequired: false },
      after: { isMfaRequired: true },
    })
  })

  test('for a secret the entry records that it changed, without values', async () => {
    const { api } = server
    const { hookId, connectorId, userId } = await createWorld(server)
    server.clock.advance(1)
    const config = { url: 'https://receiver.example/secret-path', headers: { 'x-key': 'secret-header' } }
    await api('PATCH', `/hooks/${hookId}`, { config })
    await api('PATCH', `/users/${userId}/password`, { password: 'secret-password' })
    const smtp = (await api('GET', `/connectors/${connectorId}`)).body.config
    await api('PATCH', `/connectors/${connectorId}`, { config: { ...smtp, fromEmail: 'secret@example.com' } })
    for (const [id, field] of [
      [hookId, 'headers'],
      [userId, 'password'],
      [connectorId, 'config'],
    ] as const) {
      const entry = (await about(id))[0] as Entry
      expect(entityOf(entry, id)).toMatchObject({ before: { [field]: '(withheld)' }, after: { [field]: '(withheld)' } })
      expect(JSON.stringify(entry)).not.toMatch(/secret-(path|header|password)|secret@/)
    }
  })

  test('each of thousands of entities in a request finds the entry, which lists some of them', async () => {
    const { api } = server
    const organizationId = (await api('POST', '/organizations', { name: 'many' })).body.id
    const ids = Array.from({ length: 1000 }, (_, index) => `unknown${index}`)
    const { status } = await api('POST', `/organizations/${organizationId}/users`, { userIds: ids })
    expect(status).toBe(422)
    const [entry] = await about('unknown999')
    expect(entry).toMatchObject({ key: 'ManagementApi.addOrganizationUsers', payload: { furtherEntities: 801 } })
  })
})
