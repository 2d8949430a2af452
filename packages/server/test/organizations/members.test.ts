/** Organizations, their members and the roles of the members. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { readAll } from '../events/feed.ts'
import { fresh } from '../management/arrange.ts'
import { createUser, idsOf, refusal } from '../users/arrange.ts'
import { createMachine, createMember, createOrganization, createRole, createScope, named } from './api-arrange.ts'

let server: TestServer
let organizationId: string
let path: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())
beforeEach(async () => {
  organizationId = await createOrganization(server)
  path = `/organizations/${organizationId}`
})

describe('/organizations', () => {
  test('are created with 201 and an id of 12 characters, read and changed; omitted fields stay', async () => {
    const { api } = server
    const given = {
      name: 'Ácme \u{1f600}',
      description: 'd',
      customData: { plan: 'pro' },
      isMfaRequired: true,
      isTrustedDeviceAllowed: false,
      color: { primaryColor: '#112233' },
      branding: { logoUrl: 'https://acme.example/logo.png' },
      customCss: 'body {}',
    }
    const { status, body } = await api('POST', '/organizations', given)
    expect([status, body]).toEqual([
      201,
      { tenantId: 'default', id: expect.stringMatching(/^[0-9a-z]{12}$/), createdAt: expect.any(Number), ...given },
    ])
    expect((await api('GET', `/organizations/${body.id}`)).body).toEqual(body)
    const changed = await api('PATCH', `/organizations/${body.id}`, { description: null, customData: { a: 1 } })
    expect(changed.body).toEqual({ ...body, description: null, customData: { a: 1 } })
    expect((await api('GET', path)).body).toMatchObject({
      ...{ description: null, customData: {}, isMfaRequired: false, isTrustedDeviceAllowed: true },
      ...{ color: {}, branding: {}, customCss: null },
    })
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', '//x.example', 'https://a:b@x.example/'])(
    'a logo at %s is refused with 400',
    async (logoUrl) => {
      const answer = await server.api('POST', '/organizations', { name: 'x', branding: { logoUrl } })
      expect(refusal(answer)).toEqual([400, 'guard.invalid_input'])
    },
  )

  test('are found by a part of the name or the whole id, and shown with their users when asked', async () => {
    const { api } = server
    const name = `100%_${fresh('x')}`
    const id = await createOrganization(server, { name })
    const users = [await createUser(server, { name: 'Ann' }), await createUser(server), await createUser(server)]
    for (const userId of users) {
      server.clock.advance(1)
      await api('POST', `/organizations/${id}/users`, { userIds: [userId] })
    }
    server.clock.advance(1)
    const last = await createUser(server, { name: 'Zoe', avatar: 'https://zoe.example/me.png' })
    await api('POST', `/organizations/${id}/users`, { userIds: [last] })
    const found = await api('GET', `/organizations?q=${encodeURIComponent('100%_X')}&showFeatured=true`)
    expect(idsOf(found)).toEqual([id])
    expect(found.body[0]).toMatchObject({
      usersCount: 4,
      featuredUsers: [
        { id: last, name: 'Zoe', avatar: 'https://zoe.example/me.png' },
        { id: users[2] },
        { id: users[1] },
      ],
    })
    const plain = await api('GET', `/organizations?q=${id}`)
    expect(idsOf(plain)).toEqual([id])
    expect(plain.body[0]).not.toHaveProperty('usersCount')
  })

  test('deleting one takes its memberships and invitations along, and says nothing of them', async () => {
    const { api } = server
    const { organizationId: doomed, userId } = await createMember(server)
    const invitation = { organizationId: doomed, invitee: 'ann@example.com', expiresAt: Date.UTC(2100, 0) }
    const { body } = await api('POST', '/organization-invitations', invitation)
    const { cursor } = await readAll(api)
    expect((await api('DELETE', `/organizations/${doomed}`)).status).toBe(204)
    expect((await readAll(api, cursor)).events.map(({ event }) => event)).toEqual(['Organization.Deleted'])
    expect((await api('GET', `/users/${userId}/organizations`)).body).toEqual([])
    expect((await api('GET', `/organization-invitations/${body.id}`)).status).toBe(404)
    expect((await api('GET', `/organizations/${doomed}/users`)).status).toBe(404)
  })
})

const KINDS = [
  ['users', 'userIds', () => createUser(server), 'User', 'user.invalid_role_type'],
  ['applications', 'applicationIds', () => createMachine(server), 'MachineToMachine', 'application.invalid_role_type'],
] as const

describe.each(KINDS)('/organizations/:id/%s', (kind, field, make, type, wrongType) => {
  const members = async () => idsOf(await server.api('GET', `${path}/${kind}`)).sort()

  test('POST adds, PUT replaces, DELETE removes one, and a stranger is 404', async () => {
    const { api } = server
    const [a, b, c] = [await make(), await make(), await make()]
    expect((await api('POST', `${path}/${kind}`, { [field]: [a, a] })).status).toBe(201)
    expect((await api('POST', `${path}/${kind}`, { [field]: [a, b] })).status).toBe(201)
    expect(await members()).toEqual([a, b].sort())
    expect((await api('PUT', `${path}/${kind}`, { [field]: [b, c, c] })).status).toBe(204)
    expect(await members()).toEqual([b, c].sort())
    expect((await api('DELETE', `${path}/${kind}/${b}`)).status).toBe(204)
    expect((await api('DELETE', `${path}/${kind}/${b}`)).status).toBe(404)
    expect((await api('PUT', `${path}/${kind}`, { [field]: [] })).status).toBe(204)
    expect(await members()).toEqual([])
    expect((await api('POST', `${path}/${kind}`, { [field]: [] })).status).toBe(400)
  })

  test('ids of another kind are 422, are named, and change nothing and emit nothing', async () => {
    const { api } = server
    const [known, role] = [await make(), await createRole(server)]
    const { cursor } = await readAll(api)
    for (const method of ['POST', 'PUT'] as const) {
      const answer = await api(method, `${path}/${kind}`, { [field]: [known, organizationId, role] })
      const unknown = [organizationId, role].sort()
      expect(named(answer)).toEqual([422, 'entity.relation_foreign_key_not_found', { [field]: unknown }])
    }
    expect(await members()).toEqual([])
    expect((await readAll(api, cursor)).events).toEqual([])
  })

  test('roles are added, replaced and removed; only members hold them, and only those of their type', async () => {
    const { api } = server
    const [member, stranger] = [await make(), await make()]
    await api('POST', `${path}/${kind}`, { [field]: [member] })
    const [a, b] = [await createRole(server, { type }), await createRole(server, { type })]
    const wrong = await createRole(server, { type: type === 'User' ? 'MachineToMachine' : 'User' })
    const roles = `${path}/${kind}/${member}/roles`
    const held = async () => idsOf(await api('GET', roles)).sort()
    expect((await api('POST', roles, { organizationRoleIds: [a, a] })).status).toBe(201)
    expect((await api('POST', roles, { organizationRoleIds: [a, b] })).status).toBe(201)
    expect(await held()).toEqual([a, b].sort())
    expect((await api('PUT', roles, { organizationRoleIds: [b] })).status).toBe(204)
    expect(await held()).toEqual([b])
    for (const method of ['POST', 'PUT'] as const) {
      expect(refusal(await api(method, roles, { organizationRoleIds: [a, wrong] }))).toEqual([422, wrongType])
      const unknown = await api(method, roles, { organizationRoleIds: [a, 'x'] })
      expect(named(unknown)).toEqual([422, 'entity.relation_foreign_key_not_found', { organizationRoleIds: ['x'] }])
      const other = await api(method, `${path}/${kind}/${stranger}/roles`, { organizationRoleIds: [a] })
      expect(refusal(other)).toEqual([422, 'organization.require_membership'])
    }
    expect(await held()).toEqual([b])
    const shown = (await api('GET', `${path}/${kind}`)).body
    expect(shown[0].organizationRoles).toEqual([{ id: b, name: expect.any(String) }])
    expect((await api('DELETE', `${roles}/${b}`)).status).toBe(204)
    expect((await api('DELETE', `${roles}/${b}`)).status).toBe(404)
    const none = await api('GET', `${path}/${kind}/${stranger}/roles`)
    expect(refusal(none)).toEqual([422, 'organization.require_membership'])
    expect((await api('GET', `/organizations/000000000000/${kind}/${member}/roles`)).status).toBe(404)
  })

  test('roles are assigned to several members in one request; a single user who is not a member refuses all', async () => {
    const { api } = server
    const ids = [await make(), await make()]
    const stranger = await make()
    await api('POST', `${path}/${kind}`, { [field]: ids })
    const organizationRoleIds = [await createRole(server, { type }), await createRole(server, { type })]
    const body = { [field]: [...ids, stranger], organizationRoleIds }
    const refused = await api('POST', `${path}/${kind}/roles`, body)
    expect(named(refused)).toEqual([422, 'entity.relation_foreign_key_not_found', { [field]: [stranger] }])
    expect((await api('POST', `${path}/${kind}/roles`, { [field]: ids, organizationRoleIds })).status).toBe(201)
    for (const id of ids) {
      const roles = idsOf(await api('GET', `${path}/${kind}/${id}/roles`)).sort()
      expect(roles).toEqual([...organizationRoleIds].sort())
    }
  })

  test('no roles are given to a member when none are named', async () => {
    const { api } = server
    const member = await make()
    await api('POST', `${path}/${kind}`, { [field]: [member] })
    for (const method of ['POST', 'PUT'] as const) {
      const { status } = await api(method, `${path}/${kind}/${member}/roles`, { organizationRoleIds: [] })
      expect(status).toBe(method === 'POST' ? 201 : 204)
    }
    expect((await api('GET', `${path}/${kind}/${member}/roles`)).body).toEqual([])
    for (const method of ['POST', 'PUT'] as const)
      expect((await api(method, `${path}/${kind}/${member}/roles`, {})).status).toBe(400)
  })

  test('just-in-time roles may be none', async () => {
    const { api } = server
    for (const [method, status] of [
      ['POST', 201],
      ['PUT', 204],
    ] as const)
      expect((await api(method, `${path}/jit/roles`, { organizationRoleIds: [] })).status).toBe(status)
  })

  test('roles end with the membership, and do not come back with it', async () => {
    const { api } = server
    const member = await make()
    const body = { [field]: [member] }
    await api('POST', `${path}/${kind}`, body)
    const organizationRoleIds = [await createRole(server, { type })]
    await api('POST', `${path}/${kind}/${member}/roles`, { organizationRoleIds })
    await api('DELETE', `${path}/${kind}/${member}`)
    await api('POST', `${path}/${kind}`, body)
    expect((await api('GET', `${path}/${kind}/${member}/roles`)).body).toEqual([])
  })

  test('the organizations of one are listed with the roles there, the last joined first', async () => {
    const { api } = server
    const member = await make()
    const role = await createRole(server, { type })
    const second = await createOrganization(server)
    await api('POST', `${path}/${kind}`, { [field]: [member] })
    await api('POST', `${path}/${kind}/${member}/roles`, { organizationRoleIds: [role] })
    server.clock.advance(1)
    await api('POST', `/organizations/${second}/${kind}`, { [field]: [member] })
    const { body } = await api('GET', `/${kind}/${member}/organizations`)
    expect(body).toEqual([
      { ...(await api('GET', `/organizations/${second}`)).body, organizationRoles: [] },
      { ...(await api('GET', path)).body, organizationRoles: [{ id: role, name: expect.any(String) }] },
    ])
    expect((await api('GET', `/${kind}/000000000000/organizations`)).status).toBe(404)
  })

  test('GET follows the cursor over all of them', async () => {
    const { api } = server
    const ids = [await make(), await make(), await make()]
    await api('POST', `${path}/${kind}`, { [field]: ids })
    const seen: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const answer = await api('GET', `${path}/${kind}?page_size=2&after=${after}`)
      seen.push(...idsOf(answer))
      after = answer.headers.get('next-cursor')
    }
    expect(seen).toEqual([...ids].sort().reverse())
  })
})

describe('users of an organization', () => {
  test('are found by parts of their identifiers and by a role; others are not', async () => {
    const { api } = server
    const name = fresh('Grace%Hopper')
    const [grace, other] = [await createUser(server, { name }), await createUser(server)]
    const stranger = await createUser(server, { name })
    await api('POST', `${path}/users`, { userIds: [grace, other] })
    const find = async (query: string) => idsOf(await api('GET', `${path}/users?${query}`))
    expect(await find(`q=${encodeURIComponent('%hopper')}`)).toEqual([grace])
    expect(await find(`q=${stranger}`)).toEqual([])
    expect(await find('q=%25')).toEqual([grace])
    const role = await createRole(server)
    await api('POST', `${path}/users/${other}/roles`, { organizationRoleIds: [role] })
    expect(await find(`organizationRoleId=${role}`)).toEqual([other])
    expect(await find(`organizationRoleId=${role}&q=${encodeURIComponent('%hopper')}`)).toEqual([])
  })

  test('roles can be named by their names, by ids, or both; the answer has all ids', async () => {
    const { api } = server
    const userId = await createUser(server)
    await api('POST', `${path}/users`, { userIds: [userId] })
    const [a, b] = [await createRole(server), await createRole(server)]
    const { name } = (await api('GET', `/organization-roles/${b}`)).body
    const roles = `${path}/users/${userId}/roles`
    const both = await api('POST', roles, { organizationRoleIds: [a], organizationRoleNames: [name, name] })
    expect([both.status, both.body.organizationRoleIds.toSorted()]).toEqual([201, [a, b].sort()])
    expect((await api('PUT', roles, { organizationRoleNames: [name] })).status).toBe(204)
    expect(idsOf(await api('GET', roles))).toEqual([b])
    const unknown = await api('POST', roles, { organizationRoleNames: [name, 'nobody'] })
    const code = 'organization.role_names_not_found'
    expect(named(unknown)).toEqual([422, code, { organizationRoleNames: ['nobody'] }])
    for (const method of ['POST', 'PUT'] as const) expect((await api(method, roles, {})).status).toBe(400)
    expect(idsOf(await api('GET', roles))).toEqual([b])
  })

  test('hold each organization permission once, by whichever roles', async () => {
    const { api } = server
    const userId = await createUser(server)
    await api('POST', `${path}/users`, { userIds: [userId] })
    const [a, b] = [await createScope(server), await createScope(server)]
    const organizationRoleIds = [
      await createRole(server, { organizationScopeIds: [a, b] }),
      await createRole(server, { organizationScopeIds: [b] }),
    ]
    await api('POST', `${path}/users/${userId}/roles`, { organizationRoleIds })
    expect(idsOf(await api('GET', `${path}/users/${userId}/scopes`)).sort()).toEqual([a, b].sort())
    const stranger = await api('GET', `${path}/users/${await createUser(server)}/scopes`)
    expect(refusal(stranger)).toEqual([422, 'organization.require_membership'])
  })

  test('10,000 in one request, and their removal, are complete in the events, in parts of 5,000', async () => {
    const { api } = server
    const ids = Array.from({ length: 10_000 }, (_, i) => `m${String(i).padStart(11, '0')}`)
    await withClient(server.databaseUrl, (client) =>
      client.query(
        `INSERT INTO users (tenant_id, id, created_at, updated_at)
         SELECT 'default', id, now(), now() FROM unnest($1::text[]) AS u (id)`,
        [ids],
      ),
    )
    const { cursor } = await readAll(api)
    expect((await api('POST', `${path}/users`, { userIds: ids })).status).toBe(201)
    expect((await api('PUT', `${path}/users`, { userIds: [] })).status).toBe(204)
    const { events } = await readAll(api, cursor)
    expect(events.map(({ part, parts }) => [part, parts])).toEqual([
      [1, 2],
      [2, 2],
      [1, 2],
      [2, 2],
    ])
    expect(
      events
        .slice(0, 2)
        .flatMap(({ addedUserIds }) => addedUserIds as string[])
        .sort(),
    ).toEqual(ids)
    expect(
      events
        .slice(2)
        .flatMap(({ removedUserIds }) => removedUserIds as string[])
        .sort(),
    ).toEqual(ids)
    const one = [...ids, 'm']
    expect((await api('POST', `${path}/users`, { userIds: one })).status).toBe(400)
    const pairs = { userIds: ids, organizationRoleIds: Array.from({ length: 11 }, (_, i) => `r${i}`) }
    expect((await api('POST', `${path}/users/roles`, pairs)).status).toBe(422)
  })
})

test('only machine-to-machine applications are members: 422', async () => {
  const { api } = server
  const { body: spa } = await api('POST', '/applications', { name: 'SPA', type: 'SPA' })
  for (const method of ['POST', 'PUT'] as const) {
    const answer = await api(method, `${path}/applications`, { applicationIds: [await createMachine(server), spa.id] })
    expect(refusal(answer)).toEqual([422, 'application.invalid_type'])
  }
  expect((await api('GET', `${path}/applications`)).body).toEqual([])
  const [a] = [await createMachine(server)]
  await api('POST', `${path}/applications`, { applicationIds: [a] })
  expect(idsOf(await api('GET', `${path}/applications?q=work`))).toEqual([a])
  expect(idsOf(await api('GET', `${path}/applications?q=idle`))).toEqual([])
})
