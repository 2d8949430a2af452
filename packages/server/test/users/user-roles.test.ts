/**
 * Which roles a user holds, changed from either side; default roles; and permissions that no user can hold (DECISIONS
 * B4, E1).
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createExchanger, exchange, PAT } from '../token-exchange/arrange.ts'
import { createUser, freshName, idsOf, refusal } from './arrange.ts'

let server: TestServer
let userId: string
let held: string
let free: string
let machine: string
const role = async (fields: Record<string, unknown> = {}): Promise<string> =>
  (await server.api('POST', '/roles', { name: freshName(), ...fields })).body.id
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())
beforeEach(async () => {
  userId = await createUser(server)
  ;[held, free, machine] = [await role(), await role(), await role({ type: 'MachineToMachine' })]
  await server.api('POST', `/users/${userId}/roles`, { roleIds: [held] })
})

const rolesOf = async (id: string) => idsOf(await server.api('GET', `/users/${id}/roles`)).sort()
const holdersOf = async (id: string) => idsOf(await server.api('GET', `/roles/${id}/users`)).sort()

describe('/users/:userId/roles', () => {
  test('GET shows them as roles, and finds them by a part of the name', async () => {
    const { body } = await server.api('GET', `/users/${userId}/roles`)
    expect(body).toEqual([(await server.api('GET', `/roles/${held}`)).body])
    const find = async (search: string) => idsOf(await server.api('GET', `/users/${userId}/roles?search=${search}`))
    expect([await find(body[0].name.slice(1)), await find('nothing')]).toEqual([[held], []])
    expect([await find(`%25${body[0].name.slice(1, -1)}%25`), await find('x%25')]).toEqual([[held], []])
  })

  test('POST answers 201 with the requested and the new roles; held roles and duplicates are accepted', async () => {
    const roleIds = [held, free, free]
    const { status, body } = await server.api('POST', `/users/${userId}/roles`, { roleIds })
    expect([status, body]).toEqual([201, { roleIds, addedRoleIds: [free] }])
    expect(await rolesOf(userId)).toEqual([held, free].sort())
    // what a script written for Logto sends when nothing is missing
    const none = await server.api('POST', `/users/${userId}/roles`, { roleIds: [] })
    expect([none.status, none.body]).toEqual([201, { roleIds: [], addedRoleIds: [] }])
  })

  test('PUT sets exactly these roles, and none with an empty list', async () => {
    const third = await role()
    await server.api('POST', `/users/${userId}/roles`, { roleIds: [free] })
    const roleIds = [held, third, third]
    const { status, body } = await server.api('PUT', `/users/${userId}/roles`, { roleIds })
    expect([status, body]).toEqual([200, { roleIds }])
    expect(await rolesOf(userId)).toEqual([held, third].sort())
    await server.api('PUT', `/users/${userId}/roles`, { roleIds: [] })
    expect(await rolesOf(userId)).toEqual([])
  })

  test('DELETE takes one away with 204; one that is not held is 404', async () => {
    expect((await server.api('DELETE', `/users/${userId}/roles/${held}`)).status).toBe(204)
    expect(await rolesOf(userId)).toEqual([])
    for (const id of [held, free, machine]) {
      const { status, body } = await server.api('DELETE', `/users/${userId}/roles/${id}`)
      expect([status, body.data]).toEqual([404, { entity: 'role', id }])
    }
  })

  test.each(['POST', 'PUT'] as const)(
    '%s refuses roles of machines and unknown ids with 422, and changes nothing',
    async (method) => {
      const put = (id: string) => server.api(method, `/users/${userId}/roles`, { roleIds: [free, id] })
      expect(refusal(await put(machine))).toEqual([422, 'user.invalid_role_type'])
      for (const id of ['x', userId]) {
        const answer = await put(id)
        expect(refusal(answer)).toEqual([422, 'entity.relation_foreign_key_not_found'])
        expect(answer.body.data).toEqual({ roleIds: [id] })
      }
      expect(await rolesOf(userId)).toEqual([held])
    },
  )

  test('of a user who does not exist: 404', async () => {
    const path = '/users/000000000000/roles'
    const answers = [
      await server.api('GET', path),
      await server.api('POST', path, { roleIds: [free] }),
      await server.api('PUT', path, { roleIds: [free] }),
      await server.api('DELETE', `${path}/${free}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })
})

test('GET /users/:userId/role-origins says what gave each role, and what is not known', async () => {
  const [isDefault, imported, before] = [await role({ isDefault: true }), await role(), await role()]
  server.clock.advance(1)
  const someone = await createUser(server)
  server.clock.advance(1)
  await server.api('POST', `/roles/${free}/users`, { userIds: [someone] })
  server.clock.advance(1)
  await server.api('PUT', `/users/${someone}/roles`, { roleIds: [isDefault, free, before] })
  await server.store.database.pool.query('UPDATE users_roles SET origin = NULL, origin_id = NULL WHERE role_id = $1', [
    before,
  ])
  await server.api('DELETE', `/roles/${isDefault}`)
  const originsOf = async (id: string) => (await server.api('GET', `/users/${id}/role-origins`)).body.origins
  const given = server.clock.now().getTime()
  const by = { origin: 'application', originId: server.credentials.clientId, groups: [] }
  expect(await originsOf(someone)).toEqual([
    { roleId: before, givenAt: given, origin: null, originId: null, groups: [] },
    { roleId: free, givenAt: given - 1000, ...by },
  ])
  expect(await originsOf(userId)).toMatchObject([{ roleId: held, ...by }])

  const [again, username] = [await role({ isDefault: true }), freshName()]
  const lines = [JSON.stringify({ username, roleIds: [imported] })]
  const batch = { importId: 'origins', firstLine: 1, lines, isLast: true }
  expect((await server.api('POST', '/user-imports', batch)).body).toMatchObject({ created: 1 })
  const created = await createUser(server)
  const [{ id }] = (await server.api('GET', `/users?search.username=${username}&mode.username=exact`)).body
  expect(await originsOf(id)).toMatchObject([{ roleId: imported, origin: 'import', originId: null }])
  expect(await originsOf(created)).toMatchObject([{ roleId: again, origin: 'default', originId: null }])
  await server.api('DELETE', `/roles/${again}`)
  expect((await server.api('GET', '/users/000000000000/role-origins')).status).toBe(404)
})

describe('/roles/:id/users', () => {
  test('GET lists the users, the latest to receive the role first, in pages of either kind', async () => {
    const ids = [userId]
    for (let index = 0; index < 4; index += 1) {
      server.clock.advance(1)
      ids.unshift(await createUser(server))
      await server.api('POST', `/roles/${held}/users`, { userIds: [ids[0]] })
    }
    const all = await server.api('GET', `/roles/${held}/users`)
    expect(idsOf(all)).toEqual(ids)
    expect(all.body[0]).toEqual((await server.api('GET', `/users/${ids[0]}`)).body)
    const first = await server.api('GET', `/roles/${held}/users?page_size=2`)
    const rest = await server.api('GET', `/roles/${held}/users?after=${first.headers.get('next-cursor')}`)
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids)
    expect(first.headers.get('total-number')).toBe('5')
    expect(idsOf(await server.api('GET', `/roles/${held}/users?search=${all.body[2].username}`))).toEqual([ids[2]])
    expect(refusal(await server.api('GET', `/roles/${held}/users?search.email=x`))).toEqual([
      400,
      'request.invalid_input',
    ])
  })

  test('POST assigns the role with 201, duplicates once; 422 names the users who already hold it, and no other user receives it', async () => {
    const other = await createUser(server)
    expect((await server.api('POST', `/roles/${free}/users`, { userIds: [other, other] })).status).toBe(201)
    const answer = await server.api('POST', `/roles/${free}/users`, { userIds: [userId, other] })
    expect(refusal(answer)).toEqual([422, 'role.user_exists'])
    expect(answer.body.data).toEqual({ userIds: [other] })
    expect(await holdersOf(free)).toEqual([other])
    // sorted, in whatever order they were sent
    const both = [other, await createUser(server)].sort()
    await server.api('PUT', `/users/${both.find((id) => id !== other)}/roles`, { roleIds: [free] })
    const again = await server.api('POST', `/roles/${free}/users`, { userIds: both.toReversed() })
    expect(again.body.data).toEqual({ userIds: both })
  })

  test('POST refuses a role of machines and ids that are not of users', async () => {
    const give = (id: string, userIds: string[]) => server.api('POST', `/roles/${id}/users`, { userIds })
    expect(refusal(await give(machine, [userId]))).toEqual([422, 'user.invalid_role_type'])
    for (const id of ['x', held, server.credentials.clientId]) {
      const answer = await give(free, [userId, id])
      expect(refusal(answer)).toEqual([422, 'entity.relation_foreign_key_not_found'])
      expect(answer.body.data).toEqual({ userIds: [id] })
    }
    expect(await holdersOf(free)).toEqual([])
    expect((await give('000000000000000000000', [userId])).status).toBe(404)
  })

  test('DELETE takes it away with 204, then 404', async () => {
    expect((await server.api('DELETE', `/roles/${held}/users/${userId}`)).status).toBe(204)
    expect(await rolesOf(userId)).toEqual([])
    expect((await server.api('DELETE', `/roles/${held}/users/${userId}`)).status).toBe(404)
  })
})

test('a role is added and removed from both sides concurrently: no 500, and both sides agree afterwards', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => [
      server.api('POST', `/users/${userId}/roles`, { roleIds: [held, free] }),
      server.api('POST', `/roles/${free}/users`, { userIds: [userId] }),
      server.api('PUT', `/users/${userId}/roles`, { roleIds: [free] }),
      server.api('DELETE', `/roles/${free}/users/${userId}`),
      server.api('DELETE', `/users/${userId}/roles/${held}`),
    ]).flat(),
  )
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  const roles = await rolesOf(userId)
  for (const id of [held, free]) expect((await holdersOf(id)).includes(userId)).toBe(roles.includes(id))
})

test('roles are deleted while they are assigned: no 500, and no user holds a deleted role', async () => {
  const roleIds = [held, free]
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => server.api('PUT', `/users/${userId}/roles`, { roleIds })),
    ...roleIds.map((id) => server.api('DELETE', `/roles/${id}`)),
  ])
  expect(answers.filter(({ status }) => ![200, 204, 422].includes(status))).toEqual([])
  expect(await rolesOf(userId)).toEqual([])
})

describe('default roles', () => {
  test('a new user receives every default role, an existing one none', async () => {
    const [first, second] = [await role({ isDefault: true }), await role({ isDefault: true })]
    expect(await rolesOf(await createUser(server))).toEqual([first, second].sort())
    expect(await rolesOf(userId)).toEqual([held])
    await server.api('PATCH', `/roles/${first}`, { isDefault: false })
    expect(await rolesOf(await createUser(server))).toEqual([second])
    await server.api('DELETE', `/roles/${second}`)
    expect(await rolesOf(await createUser(server))).toEqual([])
  })

  test('users are created while a default role is deleted: every creation succeeds', async () => {
    const id = await role({ isDefault: true })
    const create = () => server.api('POST', '/users', { username: freshName() })
    const [answers, deleted] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, create)),
      server.api('DELETE', `/roles/${id}`),
    ])
    expect(deleted.status).toBe(204)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })
})

describe('the list of roles', () => {
  test('says how many users hold a role, and shows the three latest to receive it', async () => {
    const ids = [userId]
    for (const name of ['A', 'B', 'C']) {
      server.clock.advance(1)
      ids.unshift(await createUser(server, { name, avatar: 'https://example.com/a.png' }))
      await server.api('POST', `/roles/${held}/users`, { userIds: [ids[0]] })
    }
    const { body } = await server.api('GET', '/roles?page_size=100')
    const overview = body.find(({ id }: { id: string }) => id === held)
    expect(overview).toMatchObject({ usersCount: 4, applicationsCount: 0, featuredApplications: [] })
    expect(overview.featuredUsers).toEqual(
      ['C', 'B', 'A'].map((name, index) => ({ id: ids[index], name, avatar: 'https://example.com/a.png' })),
    )
  })

  test('can exclude the roles that a user holds', async () => {
    const ids = idsOf(await server.api('GET', `/roles?page_size=100&type=User&excludeUserId=${userId}`))
    expect([ids.includes(held), ids.includes(free)]).toEqual([false, true])
  })
})

describe('B4: permissions of the Management API are never held by a user', () => {
  const managementScope = async (): Promise<string> => {
    const { body } = await server.api('GET', '/resources?includeScopes=true')
    const api = body.find(({ indicator }: { indicator: string }) => indicator === server.credentials.resource)
    return api.scopes.find(({ name }: { name: string }) => name === 'all').id
  }

  test('not through a role of users: 400 at POST /roles and at POST /roles/:id/scopes', async () => {
    const scopeIds = [await managementScope()]
    const refused = [400, 'role.management_api_scopes_not_assignable_to_user_role']
    expect(refusal(await server.api('POST', '/roles', { name: freshName(), scopeIds }))).toEqual(refused)
    expect(refusal(await server.api('POST', `/roles/${held}/scopes`, { scopeIds }))).toEqual(refused)
  })

  test('not through a role of machines, which the database itself refuses to give to a user', async () => {
    const { kysely } = server.store.database
    const row = { tenant_id: 'default', user_id: userId, role_id: machine, created_at: server.clock.now() }
    await expect(kysely.insertInto('users_roles').values(row).execute()).rejects.toThrow('users_roles_role_fkey')
    const machines = { ...row, type: 'MachineToMachine' }
    await expect(kysely.insertInto('users_roles').values(machines).execute()).rejects.toThrow('users_roles_type_check')
  })
})

test('the permissions of a user for a resource are the current ones of their roles, for no other resource', async () => {
  const make = async (indicator: string, name: string) => {
    const { body: resource } = await server.api('POST', '/resources', { name: 'x', indicator })
    const { body: scope } = await server.api('POST', `/resources/${resource.id}/scopes`, { name })
    return { resourceId: resource.id as string, scopeId: scope.id as string }
  }
  const [orders, stock] = [await make('https://orders.example', 'read'), await make('https://stock.example', 'write')]
  for (const id of [held, free]) await server.api('POST', `/roles/${id}/scopes`, { scopeIds: [orders.scopeId] })
  await server.api('POST', `/roles/${free}/scopes`, { scopeIds: [stock.scopeId] })
  const backend = await createExchanger(server)
  const { body: token } = await server.api('POST', `/users/${userId}/personal-access-tokens`, { name: 'test' })
  const of = async (resource: string) => {
    const parameters = { subject_token: token.value, subject_token_type: PAT, resource, scope: 'read write' }
    const { body } = await exchange(server.baseUrl, backend, parameters)
    return body.scope
  }
  expect([await of('https://orders.example'), await of('https://stock.example')]).toEqual(['read', ''])
  await server.api('POST', `/users/${userId}/roles`, { roleIds: [free] })
  expect([await of('https://orders.example'), await of('https://stock.example')]).toEqual(['read', 'write'])
  await server.api('PUT', `/users/${userId}/roles`, { roleIds: [] })
  expect(await of('https://orders.example')).toBe('')
})
