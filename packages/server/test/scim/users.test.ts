/** SCIM: directories, their tokens, and the life cycle of a provisioned user. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readAll } from '../events/feed.ts'
import { createOrganization } from '../organizations/api-arrange.ts'
import { authorize, redeemCode, refresh, signedInUser } from '../sign-in/user-tokens.ts'
import { createUser, rowOf } from '../users/arrange.ts'
import {
  CORE,
  clientOf,
  createDirectory,
  type Directory,
  ENTERPRISE,
  filtered,
  patch,
  person,
  refusal,
} from './arrange.ts'

let server: TestServer
/** Of the tenant. */
let directory: Directory
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  directory = await createDirectory(server, { emailDomains: ['Corp.Example'] })
})
afterAll(() => server.close())

describe('a directory', () => {
  test('is authenticated by its tokens, several of which are valid at a time; deleted and expired ones are refused', async () => {
    const { api, clock } = server
    const { id, url, token, scim } = await createDirectory(server)
    const path = `/scim-directories/${id}`
    clock.advance(1)
    const expiresAt = clock.now().getTime() + 60_000
    const { body: second } = await api('POST', `${path}/tokens`, { name: 'second', expiresAt })
    const other = clientOf(url, second.value)
    expect([(await scim('GET', '/Users')).status, (await other('GET', '/Users')).status]).toEqual([200, 200])
    const { body: tokens } = await api('GET', `${path}/tokens`)
    const lastUsedAt = clock.now().getTime()
    expect(tokens).toEqual([
      expect.objectContaining({ name: 'first', lastUsedAt }),
      { ...second, value: undefined, lastUsedAt },
    ])
    expect(JSON.stringify(tokens)).not.toContain(token)
    clock.advance(60)
    expect(refusal(await other('GET', '/Users'))).toEqual([401, undefined])
    await api('DELETE', `${path}/tokens/${tokens[0].id}`)
    const refused = await scim('GET', '/Users')
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(refused.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '401',
      detail: expect.any(String),
    })
  })

  test('refuses tokens of other directories, missing tokens and access tokens; a disabled one refuses all', async () => {
    const other = await createDirectory(server)
    const { api } = server
    for (const [url, token] of [
      [other.url, directory.token],
      [other.url, ''],
      [other.url, other.token.toUpperCase()],
      [`${server.baseUrl}/scim/v2/000000000000000000000`, other.token],
    ] as const)
      expect((await clientOf(url, token)('GET', '/Users')).status).toBe(401)
    await api('PATCH', `/scim-directories/${other.id}`, { isEnabled: false })
    expect((await other.scim('GET', '/Users')).status).toBe(403)
    await api('DELETE', `/scim-directories/${other.id}`)
    expect((await other.scim('GET', '/Users')).status).toBe(401)
  })

  test('of an organization requires write:organizations; a directory has at most ten tokens', async () => {
    const { api } = server
    const { id } = await createDirectory(server)
    const answers = []
    for (let i = 0; i < 10; i += 1)
      answers.push((await api('POST', `/scim-directories/${id}/tokens`, { name: 'x' })).status)
    expect(answers).toEqual([...Array(9).fill(201), 400])
    const refused = await api('POST', '/scim-directories', { name: 'x', emailDomains: ['not a domain'] })
    expect([refused.status, refused.body.code]).toEqual([400, 'guard.invalid_input'])
  })

  test('publishes its capabilities, and has no /Me', async () => {
    const { scim, url } = directory
    expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      etag: { supported: true },
      filter: { supported: true, maxResults: 200 },
      pagination: { cursor: true, index: true },
      sort: { supported: true },
    })
    const { body: types } = await scim('GET', '/ResourceTypes')
    expect(types.Resources.map(({ name }: { name: string }) => name)).toContain('User')
    expect((await scim('GET', '/ResourceTypes/User')).body).toMatchObject({
      endpoint: '/Users',
      schema: `${CORE}:User`,
    })
    const { body: schemas, headers } = await scim('GET', '/Schemas')
    expect(headers.get('content-type')).toContain('application/scim+json')
    for (const { id } of schemas.Resources)
      expect((await scim('GET', `/Schemas/${id}`)).body).toMatchObject({
        id,
        meta: { location: `${url}/Schemas/${id}` },
      })
    expect((await scim('GET', '/Schemas/urn:x')).status).toBe(404)
    expect((await scim('GET', filtered('/Schemas', 'id pr'))).status).toBe(403)
    expect((await scim('GET', '/Me')).status).toBe(501)
    expect((await scim('GET', '/Nothing')).body).toMatchObject({ status: '404', detail: expect.any(String) })
    const refused = await scim('PUT', '/Users')
    expect([refused.headers.get('allow'), refused.body.status]).toEqual(['GET, POST', '405'])
    expect((await clientOf(url, '')('GET', '/Nothing')).status).toBe(401)
  })
})

describe('a user', () => {
  test('is created with an account, read and replaced; events and audit entries name the directory', async () => {
    const { scim, url, id: directoryId } = directory
    const { api } = server
    const { cursor } = await readAll(api)
    const sent = person({
      EMAILS: undefined,
      nickName: 'Annie',
      displayName: 'Ann O.',
      photos: [{ value: 'https://pictures.example/ann.png', type: 'photo' }],
      password: 'never kept 8231',
      phoneNumbers: [{ value: '+1 201 555 0123', type: 'work' }],
      unknown: 1,
      [ENTERPRISE]: { department: 'Sales', manager: '26118915' },
    })
    const created = await scim('POST', '/Users', sent)
    expect(created.status).toBe(201)
    const { id } = created.body
    expect(created.body).toEqual({
      schemas: [`${CORE}:User`, ENTERPRISE],
      id,
      userName: sent.userName,
      externalId: sent.externalId,
      name: sent.name,
      nickName: 'Annie',
      displayName: 'Ann O.',
      photos: [{ value: 'https://pictures.example/ann.png', type: 'photo' }],
      emails: sent.emails,
      phoneNumbers: [{ value: '+1 201 555 0123', type: 'work' }],
      active: true,
      [ENTERPRISE]: { department: 'Sales', manager: { value: '26118915' } },
      meta: {
        resourceType: 'User',
        created: server.clock.now().toISOString(),
        lastModified: server.clock.now().toISOString(),
        location: `${url}/Users/${id}`,
        version: 'W/"1"',
      },
    })
    expect([created.headers.get('location'), created.headers.get('etag')]).toEqual([`${url}/Users/${id}`, 'W/"1"'])
    expect((await api('GET', `/users/${id}`)).body).toMatchObject({
      username: null,
      primaryEmail: sent.userName,
      primaryPhone: null,
      name: 'Ann O.',
      avatar: 'https://pictures.example/ann.png',
      hasPassword: false,
      profile: { givenName: 'Ann', familyName: sent.name.familyName, nickname: 'Annie' },
    })
    // the directory vouches for its domain
    expect((await rowOf(server, id)).email_verified_at).toEqual(server.clock.now())
    server.clock.advance(1)
    const replaced = await scim('PUT', `/Users/${id}`, {
      ...{ USERNAME: sent.userName, emails: { value: sent.userName }, active: 'True', schemas: sent.schemas },
      displayName: 'Ann P.',
    })
    expect(replaced.body).toMatchObject({ displayName: 'Ann P.', active: true, meta: { version: 'W/"2"' } })
    for (const gone of ['externalId', 'nickName', 'name', ENTERPRISE]) expect(replaced.body).not.toHaveProperty(gone)
    expect((await api('GET', `/users/${id}`)).body).toMatchObject({ name: 'Ann P.', profile: {} })
    expect((await scim('GET', `/Users/${id}`)).body).toEqual(replaced.body)
    const { events } = await readAll(api, cursor)
    expect(events.map(({ event }) => event)).toEqual(['User.Created', 'User.Data.Updated'])
    expect(events[0]).toMatchObject({ actor: { type: 'directory', id: directoryId } })
    const { body: entries } = await api('GET', `/logs?entity=${id}`)
    expect(entries.map(({ key, payload }: { key: string; payload: object }) => [key, payload])).toEqual([
      ['Scim.replaceUser', expect.objectContaining({ actor: { type: 'directory', id: directoryId } })],
      ['Scim.createUser', expect.objectContaining({ actor: { type: 'directory', id: directoryId } })],
    ])
  })

  test('with a name or an address in use is 409 uniqueness, and repeated creation changes nothing', async () => {
    const { scim } = directory
    const { api } = server
    const sent = person()
    await scim('POST', '/Users', sent)
    const taken = person()
    await createUser(server, { primaryEmail: taken.userName })
    const username = (await rowOf(server, await createUser(server))).username
    const { cursor } = await readAll(api)
    for (const body of [
      sent,
      { ...sent, userName: sent.userName.toUpperCase() },
      { ...person(), emails: sent.emails },
      taken,
      { schemas: sent.schemas, userName: username },
    ])
      expect(refusal(await scim('POST', '/Users', body))).toEqual([409, 'uniqueness'])
    expect((await readAll(api, cursor)).events).toEqual([])
  })

  test.each([
    ['no userName', { userName: undefined }, 'invalidValue'],
    ['an empty userName', { userName: '' }, 'invalidValue'],
    ['a schema of another resource', { schemas: [`${CORE}:Group`] }, 'invalidSyntax'],
    ['an active that is no boolean', { active: 'yes' }, 'invalidValue'],
    ['an address that is none', { emails: [{ value: 'no address', primary: true }] }, 'invalidValue'],
    [
      'two primary addresses',
      { emails: [1, 2].map((n) => ({ value: `${n}@x.example`, primary: true })) },
      'invalidValue',
    ],
    ['a name that is a list', { name: [] }, 'invalidValue'],
    ['a long name', { displayName: 'x'.repeat(257) }, 'invalidValue'],
    [
      'more than 64 KB of data',
      { x509Certificates: Array.from({ length: 5 }, () => ({ value: 'x'.repeat(16_000) })) },
      'invalidValue',
    ],
    ['101 addresses', { emails: Array.from({ length: 101 }, (_, n) => ({ value: `${n}@x.example` })) }, 'invalidValue'],
    ['an attribute twice', { displayName: 'a', DISPLAYNAME: 'b' }, 'invalidSyntax'],
    ['a NUL', { displayName: 'a\0b' }, 'invalidSyntax'],
  ])('with %s is refused with 400', async (_, more, scimType) => {
    expect(refusal(await directory.scim('POST', '/Users', person(more)))).toEqual([400, scimType])
  })

  test('who is deactivated is suspended immediately, and refresh tokens end; reactivation allows sign-in', async () => {
    const { api, store } = server
    const known = await signedInUser(server)
    const { scim } = await createDirectory(server, { emailDomains: ['corp.example'], linksUsers: true })
    const sent = person()
    await api('PATCH', `/users/${known.user.id}`, { primaryEmail: sent.userName })
    const authorized = await authorize(known, 'openid offline_access', [])
    const { body: tokens } = await redeemCode(server, known, authorized)
    expect(tokens).toHaveProperty('refresh_token')
    // an unverified address may belong to another person
    expect(refusal(await scim('POST', '/Users', sent))).toEqual([409, 'uniqueness'])
    await store.database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [known.user.id])
    expect((await scim('POST', '/Users', sent)).body.id).toBe(known.user.id)
    const { cursor } = await readAll(api)
    const off = await scim('PATCH', `/Users/${known.user.id}`, patch({ op: 'Replace', path: 'active', value: 'False' }))
    expect(off.body).toMatchObject({ active: false })
    expect((await refresh(server, known, tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await readAll(api, cursor)).events.map(({ event }) => event)).toEqual(['User.SuspensionStatus.Updated'])
    await scim('PATCH', `/Users/${known.user.id}`, patch({ op: 'replace', value: { active: true } }))
    expect((await rowOf(server, known.user.id)).is_suspended).toBe(false)
  })

  test('whom an administrator suspended stays suspended, whatever the directory repeats', async () => {
    const { scim } = directory
    const sent = person()
    const { body } = await scim('POST', '/Users', sent)
    await server.api('PATCH', `/users/${body.id}/is-suspended`, { isSuspended: true })
    const again = await scim('PUT', `/Users/${body.id}`, { ...sent, title: 'Boss' })
    expect(again.body).toMatchObject({ active: false, title: 'Boss' })
    expect((await rowOf(server, body.id)).is_suspended).toBe(true)
    for (const value of [false, true])
      await scim('PATCH', `/Users/${body.id}`, patch({ op: 'replace', path: 'active', value }))
    expect((await rowOf(server, body.id)).is_suspended).toBe(true)
    await scim('DELETE', `/Users/${body.id}`)
    expect((await scim('POST', '/Users', sent)).body).toMatchObject({ id: body.id, active: false })
    expect((await rowOf(server, body.id)).is_suspended).toBe(true)
  })

  test('whom an administrator suspended after the directory stays suspended', async () => {
    const { scim } = directory
    const { body } = await scim('POST', '/Users', person({ active: false }))
    await server.api('PATCH', `/users/${body.id}/is-suspended`, { isSuspended: true })
    const on = await scim('PATCH', `/Users/${body.id}`, patch({ op: 'replace', path: 'active', value: true }))
    expect([on.status, on.body.active]).toEqual([200, false])
    expect((await rowOf(server, body.id)).is_suspended).toBe(true)
  })

  test('who is removed is suspended and missing from the directory, and is the same user when created again', async () => {
    const { scim } = directory
    const sent = person()
    const { body } = await scim('POST', '/Users', sent)
    expect((await scim('DELETE', `/Users/${body.id}`)).status).toBe(204)
    expect((await scim('DELETE', `/Users/${body.id}`)).status).toBe(404)
    expect((await scim('GET', `/Users/${body.id}`)).status).toBe(404)
    expect((await scim('GET', filtered('/Users', `userName eq "${sent.userName}"`))).body.totalResults).toBe(0)
    expect((await rowOf(server, body.id)).is_suspended).toBe(true)
    const again = await scim('POST', '/Users', { ...sent, displayName: 'Back' })
    expect([again.status, again.body.id, again.body.active]).toEqual([201, body.id, true])
    expect(await rowOf(server, body.id)).toMatchObject({ is_suspended: false, name: 'Back' })
  })

  test('with the name of a removed one and another external id is refused; without one nobody signs in as the former', async () => {
    const { scim } = directory
    const { api, store } = server
    const sent = person()
    const { body } = await scim('POST', '/Users', sent)
    const id: string = body.id
    const path = `/users/${id}`
    await api('PATCH', `${path}/password`, { password: 'former person 8231' })
    await api('POST', `${path}/mfa-verifications`, { type: 'Totp' })
    await api('POST', `${path}/personal-access-tokens`, { name: 'former' })
    await api('PUT', `${path}/identities/github`, { userId: 'former' })
    await api('PATCH', path, { primaryPhone: '12025550171' })
    await scim('DELETE', `/Users/${id}`)
    expect(refusal(await scim('POST', '/Users', { ...sent, externalId: 'another person' }))).toEqual([
      409,
      'uniqueness',
    ])
    expect((await rowOf(server, id)).is_suspended).toBe(true)
    const held = async () => [
      (await api('GET', path)).body.hasPassword,
      (await api('GET', path)).body.primaryPhone,
      Object.keys((await api('GET', path)).body.identities),
      (await api('GET', `${path}/mfa-verifications`)).body.length,
      (await api('GET', `${path}/personal-access-tokens`)).body.length,
    ]
    // the same person under another name
    const renamed = { ...person(), externalId: sent.externalId }
    expect((await scim('POST', '/Users', renamed)).body.id).toBe(id)
    expect(await held()).toEqual([true, '12025550171', ['github'], 1, 1])
    await store.database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [id])
    await scim('DELETE', `/Users/${id}`)
    expect((await scim('POST', '/Users', { ...renamed, externalId: undefined })).body).toMatchObject({
      id,
      active: true,
    })
    expect(await held()).toEqual([false, null, [], 0, 0])
  })

  test('of a directory that is restricted to its domains has an address at one of them', async () => {
    const { scim, id } = await createDirectory(server, { emailDomains: ['own.example'], restrictsDomains: true })
    const at = (address: string) => person({ userName: address, emails: [{ value: address, primary: true }] })
    for (const wrong of [at('ann@other.example'), at('ann@sub.own.example'), person({ userName: 'ann', emails: [] })])
      expect(refusal(await scim('POST', '/Users', wrong))).toEqual([400, 'invalidValue'])
    const { body } = await scim('POST', '/Users', at('ann@OWN.example'))
    const change = patch({ op: 'replace', path: 'emails[primary eq true].value', value: 'ann@other.example' })
    expect(refusal(await scim('PATCH', `/Users/${body.id}`, change))).toEqual([400, 'invalidValue'])
    expect((await server.api('GET', `/scim-directories/${id}`)).body.restrictsDomains).toBe(true)
    await server.api('PATCH', `/scim-directories/${id}`, { restrictsDomains: false })
    expect((await scim('PATCH', `/Users/${body.id}`, change)).status).toBe(200)
    // what has an address elsewhere already can still be deactivated
    await server.api('PATCH', `/scim-directories/${id}`, { restrictsDomains: true })
    const off = await scim('PATCH', `/Users/${body.id}`, patch({ op: 'replace', path: 'active', value: false }))
    expect([off.status, off.body.active]).toEqual([200, false])
  })

  test('is deleted together with the account if the directory is set so', async () => {
    const { scim } = await createDirectory(server, { deletesUsers: true })
    const { body } = await scim('POST', '/Users', person())
    expect((await scim('DELETE', `/Users/${body.id}`)).status).toBe(204)
    expect((await server.api('GET', `/users/${body.id}`)).status).toBe(404)
    const { body: other } = await scim('POST', '/Users', person())
    await server.api('DELETE', `/users/${other.id}`)
    expect((await scim('GET', `/Users/${other.id}`)).status).toBe(404)
  })

  test('of another directory is unknown', async () => {
    const other = await createDirectory(server)
    const { body } = await directory.scim('POST', '/Users', person())
    const answers = [
      await other.scim('GET', `/Users/${body.id}`),
      await other.scim('PUT', `/Users/${body.id}`, person()),
      await other.scim('PATCH', `/Users/${body.id}`, patch({ op: 'replace', path: 'active', value: false })),
      await other.scim('DELETE', `/Users/${body.id}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect((await other.scim('GET', filtered('/Users', `id eq "${body.id}"`))).body.totalResults).toBe(0)
    expect((await directory.scim('GET', `/Users/${body.id}`)).body.active).toBe(true)
  })
})

describe('a directory of an organization', () => {
  test('makes its users members; removed ones are no longer members', async () => {
    const { api } = server
    const organizationId = await createOrganization(server)
    const { scim } = await createDirectory(server, { organizationId })
    const members = async () =>
      (await api('GET', `/organizations/${organizationId}/users`)).body.map(({ id }: { id: string }) => id)
    const { body } = await scim('POST', '/Users', person())
    expect(await members()).toEqual([body.id])
    await api('DELETE', `/organizations/${organizationId}/users/${body.id}`)
    // the user is not a member, and so cannot act in it
    expect((await scim('GET', `/Users/${body.id}`)).body.active).toBe(false)
    await scim('DELETE', `/Users/${body.id}`)
    const { userName, externalId, emails } = body
    const back = await scim('POST', '/Users', person({ userName, externalId, emails }))
    expect([back.body.id, await members()]).toEqual([body.id, [body.id]])
  })

  test('manages only the membership of an existing user', async () => {
    const { api, store } = server
    const organizationId = await createOrganization(server)
    const { scim } = await createDirectory(server, { organizationId, emailDomains: ['corp.example'], linksUsers: true })
    const sent = person({ displayName: 'Not your name' })
    const id = await createUser(server, { primaryEmail: sent.userName, name: 'Own Name' })
    await store.database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [id])
    expect((await scim('POST', '/Users', sent)).body.id).toBe(id)
    const members = async () => (await api('GET', `/organizations/${organizationId}/users`)).body.length
    expect(await members()).toBe(1)
    const { body: off } = await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }))
    expect([off.active, await members()]).toEqual([false, 0])
    const { body: on } = await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true }))
    expect([on.active, await members()]).toEqual([true, 1])
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect(await members()).toBe(0)
    expect(await rowOf(server, id)).toMatchObject({ name: 'Own Name', is_suspended: false })
  })
})
