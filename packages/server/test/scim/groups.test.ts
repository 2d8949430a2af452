/** SCIM: groups, their members, and the roles of groups. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fresh } from '../management/arrange.ts'
import { createOrganization, createRole as createOrganizationRole } from '../organizations/api-arrange.ts'
import { createRole } from '../sign-in/user-tokens.ts'
import { createUser, idsOf, rowOf } from '../users/arrange.ts'
import { CORE, createDirectory, type Directory, filtered, patch, person, refusal } from './arrange.ts'

let server: TestServer
/** Of the tenant. */
let directory: Directory
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  directory = await createDirectory(server)
})
afterAll(() => server.close())

const newUser = async ({ scim }: Directory): Promise<string> => (await scim('POST', '/Users', person())).body.id

const newGroup = async ({ scim }: Directory, members: readonly string[] = []): Promise<string> => {
  const sent = { displayName: fresh('Group'), members: members.map((value) => ({ value })) }
  return (await scim('POST', '/Groups', sent)).body.id
}

const membersOf = async ({ scim }: Directory, id: string): Promise<string[]> =>
  ((await scim('GET', `/Groups/${id}`)).body.members ?? []).map(({ value }: { value: string }) => value)

describe('a group', () => {
  test('is created with members, listed with the group and its users, found, replaced and deleted', async () => {
    const { scim, url } = directory
    const [a, b] = [await newUser(directory), await newUser(directory)]
    const before = (await scim('GET', `/Users/${a}`)).headers.get('etag')
    const displayName = fresh('Engineers')
    const created = await scim('POST', '/Groups', {
      ...{ schemas: [`${CORE}:Group`], displayName, externalId: 'g-1', members: [{ value: a }, { value: a }] },
    })
    const { id } = created.body
    expect([created.status, created.body]).toEqual([
      201,
      {
        ...{ schemas: [`${CORE}:Group`], id, externalId: 'g-1', displayName },
        members: [{ value: a, $ref: `${url}/Users/${a}`, type: 'User' }],
        meta: expect.objectContaining({ resourceType: 'Group', location: `${url}/Groups/${id}`, version: 'W/"1"' }),
      },
    ])
    const shown = await scim('GET', `/Users/${a}`)
    expect(shown.body.groups).toEqual([
      { value: id, $ref: `${url}/Groups/${id}`, display: displayName, type: 'direct' },
    ])
    expect(shown.headers.get('etag')).not.toBe(before)
    for (const filter of [
      `displayName eq "${displayName.toUpperCase()}"`,
      `members.value eq "${a}" and displayName sw "Eng"`,
      `members[value eq "${a}"]`,
    ])
      expect((await scim('GET', filtered('/Groups', filter))).body.Resources).toMatchObject([
        { id, members: [{ value: a }] },
      ])
    const without = await scim('GET', filtered('/Groups', `externalId eq "g-1"`, '&excludedAttributes=members'))
    expect(without.body.Resources[0]).not.toHaveProperty('members')
    expect(refusal(await scim('GET', filtered('/Groups', 'members.value co "a"')))).toEqual([400, 'invalidFilter'])
    expect(refusal(await scim('POST', '/Groups', { displayName }))).toEqual([409, 'uniqueness'])
    const kept = await scim('PUT', `/Groups/${id}`, { displayName: `${displayName} 2` })
    expect([kept.body.displayName, kept.body.externalId, kept.body.members.length]).toEqual([
      `${displayName} 2`,
      undefined,
      1,
    ])
    await scim('PUT', `/Groups/${id}`, { displayName, members: [{ value: b }] })
    expect(await membersOf(directory, id)).toEqual([b])
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect((await scim('GET', `/Groups/${id}`)).status).toBe(404)
    expect((await scim('GET', `/Users/${b}`)).body).not.toHaveProperty('groups')
  })

  test('with more than 5,000 members is shown without them, found by one, and changed; a page ends before it has as many', async () => {
    const own = await createDirectory(server)
    const { scim } = own
    const member = await newUser(own)
    const crowd = Array.from({ length: 5000 }, (_, index) => `crowd${index + 1}`)
    const [large, a, b] = [await newGroup(own, [member]), await newGroup(own, [member]), await newGroup(own, [member])]
    const { pool } = server.store.database
    await pool.query(
      `WITH ids AS (SELECT 'crowd' || n AS id FROM generate_series(1, 5000) AS n), accounts AS (
         INSERT INTO users (tenant_id, id, profile, custom_data, identities, created_at, updated_at)
         SELECT d.tenant_id, ids.id, '{}', '{}', '{}', now(), now() FROM ids, scim_directories d WHERE d.id = $1 RETURNING id)
       INSERT INTO scim_users (tenant_id, directory_id, user_id, user_name, user_name_key, email_keys, is_active, is_owner,
         attributes, created_at, updated_at)
       SELECT d.tenant_id, d.id, a.id, a.id, a.id, '{}', true, true, '{}', date_trunc('second', now()), now()
       FROM accounts a, scim_directories d WHERE d.id = $1`,
      [own.id],
    )
    const fill = (group: string, from: number) =>
      pool.query(
        `INSERT INTO scim_group_members (tenant_id, directory_id, group_id, user_id)
         SELECT tenant_id, directory_id, $2, user_id FROM scim_users
         WHERE directory_id = $1 AND user_id LIKE 'crowd%' AND substr(user_id, 6)::integer > $3`,
        [own.id, group, from],
      )
    await fill(a, 2500)
    await fill(b, 2501)
    await fill(large, 0)
    const page = async (query: string) => (await scim('GET', `/Groups?${query}`)).body
    const idsOn = ({ Resources }: { Resources: { id: string }[] }) => Resources.map(({ id }) => id)
    const [g1 = '', g2 = '', g3 = ''] = idsOn(await page('excludedAttributes=members'))
    expect([g1, g2, g3].sort()).toEqual([large, a, b].sort())
    expect(refusal(await scim('GET', `/Groups/${large}`))).toEqual([400, 'tooMany'])
    expect((await scim('GET', `/Groups/${large}?excludedAttributes=members`)).body).not.toHaveProperty('members')
    const find = (value: string) =>
      scim('GET', filtered('/Groups', `id eq "${large}" and members.value eq "${value}"`, '&attributes=id'))
    expect([(await find('crowd77')).body.totalResults, (await find('nobody')).body.totalResults]).toEqual([1, 0])
    expect(refusal(await scim('GET', filtered('/Groups', `id eq "${large}"`)))).toEqual([400, 'tooMany'])
    // its members are read as users, page by page, however many they are
    const read = async (filter: string, cursor = ''): Promise<string[]> => {
      const { body } = await scim('GET', filtered('/Users', filter, `&attributes=id&count=200&cursor=${cursor}`))
      expect(body.totalResults).toBe(5001)
      const shown = body.Resources.map(({ id }: { id: string }) => id)
      return body.nextCursor === undefined ? shown : [...shown, ...(await read(filter, body.nextCursor))]
    }
    const all = await read(`groups.value eq "${large}"`)
    expect(all.toSorted()).toEqual([member, ...crowd].sort())
    expect(all).toHaveLength(new Set(all).size)
    const ofLarge = async (filter: string, more = '') =>
      (await scim('GET', filtered('/Users', filter, `&attributes=id${more}`))).body
    expect((await ofLarge(`groups[value eq "${large}"]`, '&startIndex=5001')).Resources).toHaveLength(1)
    expect((await ofLarge(`groups.value eq "${large}" and userName sw "crowd77"`)).totalResults).toBe(11)
    expect((await ofLarge(`groups[value eq "${large}" and type eq "nested"]`)).totalResults).toBe(0)
    expect((await ofLarge('groups.value eq "unknown"')).totalResults).toBe(0)
    const renamed = await scim('PUT', `/Groups/${large}`, { displayName: fresh('Large') })
    expect([renamed.status, renamed.body.members]).toEqual([200, undefined])
    const leaving = patch(
      { op: 'remove', path: 'members[value eq "crowd77"]' },
      { op: 'remove', path: `members[value eq "${member}"]` },
    )
    expect((await scim('PATCH', `/Groups/${large}`, leaving)).status).toBe(204)
    expect((await scim('GET', `/Groups/${large}`)).body.members).toHaveLength(4999)
    // 2,501 and 2,500 members
    const filter = encodeURIComponent(`id ne "${large}"`)
    const first = await page(`cursor=&filter=${filter}`)
    expect([first.totalResults, first.itemsPerPage]).toEqual([2, 1])
    const second = await page(`filter=${filter}&cursor=${first.nextCursor}`)
    expect([...idsOn(first), ...idsOn(second)].sort()).toEqual([a, b].sort())
    expect(second).not.toHaveProperty('nextCursor')
    const back = await page(`filter=${filter}&cursor=${second.previousCursor}`)
    expect([idsOn(back), back.previousCursor]).toEqual([idsOn(first), undefined])
  })

  test('changes its members in the ways of Entra and Okta', async () => {
    const { scim } = directory
    const [a = '', b = '', c = ''] = [await newUser(directory), await newUser(directory), await newUser(directory)]
    const id = await newGroup(directory, [a])
    const after = async (...operations: object[]) => {
      const { status } = await scim('PATCH', `/Groups/${id}`, patch(...operations))
      return [status, ...(await membersOf(directory, id)).sort()]
    }
    const sorted = (...ids: string[]) => [204, ...ids.sort()]
    expect(await after({ op: 'Add', path: 'members', value: [{ value: b }, { value: c }] })).toEqual(sorted(a, b, c))
    expect(await after({ op: 'Remove', path: 'members', value: [{ value: a }] })).toEqual(sorted(b, c))
    expect(await after({ op: 'remove', path: `members[value eq "${b}"]` })).toEqual(sorted(c))
    expect(await after({ op: 'add', value: { members: [{ value: a }] } })).toEqual(sorted(a, c))
    const both = `members[value eq "${a}" or value eq "${c}"]`
    expect(await after({ op: 'remove', path: both }, { op: 'add', path: 'members', value: { value: b } })).toEqual(
      sorted(b),
    )
    expect(await after({ op: 'replace', path: 'members', value: [{ value: a }] })).toEqual(sorted(a))
    expect(await after({ op: 'remove', path: 'members' })).toEqual([204])
    const renamed = patch({ op: 'replace', value: { id, displayName: fresh('Renamed') } })
    const shown = await scim('PATCH', `/Groups/${id}?attributes=displayName`, renamed)
    expect([shown.status, shown.body]).toEqual([
      200,
      { schemas: [`${CORE}:Group`], id, displayName: expect.stringMatching(/^Renamed/) },
    ])
  })

  test.each([
    [
      'a user of another directory',
      async () => ({ value: await newUser(await createDirectory(server)) }),
      'invalidValue',
    ],
    ['a user whom no directory has', async () => ({ value: await createUser(server) }), 'invalidValue'],
    ['a group', async () => ({ value: await newGroup(directory), type: 'Group' }), 'invalidValue'],
    ['nothing', async () => ({ display: 'x' }), 'invalidValue'],
  ])('does not take %s as a member', async (_, member, scimType) => {
    const id = await newGroup(directory)
    const value = [{ value: await newUser(directory) }, await member()]
    const refused = await directory.scim('PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'members', value }))
    expect(refusal(refused)).toEqual([400, scimType])
    expect(await membersOf(directory, id)).toEqual([])
  })

  test.each([
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
    [{ op: 'replace', path: 'members[value eq "x"].type', value: 'x' }, 'mutability'],
    [{ op: 'remove', path: 'members[type eq "User"]' }, 'invalidFilter'],
    [{ op: 'replace', path: 'color', value: 'red' }, 'invalidPath'],
    [{ op: 'move', path: 'members' }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
  ])('refuses %j', async (operation, scimType) => {
    const id = await newGroup(directory)
    expect(refusal(await directory.scim('PATCH', `/Groups/${id}`, patch(operation)))).toEqual([400, scimType])
  })
})

describe('roles', () => {
  test('are assigned by a group that an administrator has mapped, and removed with the last one', async () => {
    const { api } = server
    const { id: directoryId, scim } = directory
    const [one, two] = [await createRole(server, []), await createRole(server, [])]
    const userId = await newUser(directory)
    const [a, b] = [await newGroup(directory, [userId]), await newGroup(directory)]
    const roles = async () => idsOf(await api('GET', `/users/${userId}/roles`)).sort()
    const map = (group: string, roleIds: string[]) =>
      api('PUT', `/scim-directories/${directoryId}/groups/${group}/roles`, { roleIds })
    expect(await roles()).toEqual([])
    expect((await map(a, [one, two])).body).toMatchObject({ id: a, memberCount: 1, roleIds: [one, two].sort() })
    expect(await roles()).toEqual([one, two].sort())
    await map(b, [two])
    await scim('PATCH', `/Groups/${b}`, patch({ op: 'add', path: 'members', value: [{ value: userId }] }))
    await scim('PATCH', `/Groups/${a}`, patch({ op: 'remove', path: `members[value eq "${userId}"]` }))
    expect(await roles()).toEqual([two])
    await map(b, [one])
    expect(await roles()).toEqual([one])
    await scim('DELETE', `/Groups/${b}`)
    expect(await roles()).toEqual([])
    await scim('PUT', `/Groups/${a}`, { displayName: fresh('Group'), members: [{ value: userId }] })
    expect(await roles()).toEqual([one, two].sort())
    const { body: listed } = await api('GET', `/scim-directories/${directoryId}/groups`)
    expect(listed.find(({ id }: { id: string }) => id === a)).toMatchObject({ roleIds: [one, two].sort() })
    const { origins } = (await api('GET', `/users/${userId}/role-origins`)).body
    const groups = [{ directoryId, groupId: a, displayName: expect.stringMatching(/^Group/) }]
    const given = { origin: 'group', originId: directoryId, groups }
    expect(origins).toMatchObject([given, given])
    await scim('DELETE', `/Users/${userId}`)
    expect(await roles()).toEqual([])
    expect(await membersOf(directory, a)).toEqual([])
  })

  test('must be roles of users, of the kind of the directory', async () => {
    const { api, client } = server
    const group = await newGroup(directory)
    const path = `/scim-directories/${directory.id}/groups/${group}/roles`
    const machine = (await client.createRole({ body: { name: fresh('m'), type: 'MachineToMachine' } })).id
    const organizationRole = await createOrganizationRole(server)
    const wrong = [{ roleIds: [machine] }, { roleIds: ['0'] }, { roleIds: [organizationRole] }, {}]
    const answers = []
    for (const body of wrong) answers.push((await api('PUT', path, body)).status)
    expect(answers).toEqual([422, 422, 422, 400])
  })

  test('of an organization end with the membership and return with it', async () => {
    const { api, store } = server
    const organizationId = await createOrganization(server)
    const own = await createDirectory(server, { organizationId, emailDomains: ['corp.example'], linksUsers: true })
    const role = await createOrganizationRole(server)
    const sent = person()
    const userId = await createUser(server, { primaryEmail: sent.userName })
    await store.database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [userId])
    expect((await own.scim('POST', '/Users', sent)).body.id).toBe(userId)
    const group = await newGroup(own, [userId])
    const path = `/scim-directories/${own.id}/groups/${group}/roles`
    expect((await api('PUT', path, { roleIds: [await createRole(server, [])] })).status).toBe(422)
    expect((await api('PUT', path, { roleIds: [role] })).body.roleIds).toEqual([role])
    const roles = async () => {
      const { status, body } = await api('GET', `/organizations/${organizationId}/users/${userId}/roles`)
      return status === 200 ? body.map(({ id }: { id: string }) => id) : status
    }
    expect(await roles()).toEqual([role])
    // whatever gave it first, the group gives it now
    await store.database.pool.query('UPDATE organization_user_roles SET origin = NULL WHERE user_id = $1', [userId])
    expect((await api('GET', `/users/${userId}/organization-role-origins`)).body.origins).toMatchObject([
      { organizationId, organizationRoleId: role, origin: null, groups: [{ directoryId: own.id, groupId: group }] },
    ])
    await own.scim('PATCH', `/Users/${userId}`, patch({ op: 'replace', path: 'active', value: false }))
    expect(await roles()).not.toEqual([role])
    await own.scim('PATCH', `/Users/${userId}`, patch({ op: 'replace', path: 'active', value: true }))
    expect(await roles()).toEqual([role])
    expect((await rowOf(server, userId)).is_suspended).toBe(false)
  })
})
