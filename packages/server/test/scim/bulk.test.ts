/** SCIM: Bulk, the search over users and groups, and hostile requests. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fresh } from '../management/arrange.ts'
import { createDirectory, type Directory, patch, person, refusal } from './arrange.ts'

let server: TestServer
let directory: Directory
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { SCIM_REQUESTS: '200' })
  directory = await createDirectory(server)
})
afterAll(() => server.close())

const bulk = (Operations: readonly unknown[], more: object = {}) =>
  directory.scim('POST', '/Bulk', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations,
    ...more,
  })
const statuses = ({ body }: { body: { Operations: { status: string }[] } }) =>
  body.Operations.map(({ status }) => status)

test('Bulk creates resources that refer to one another in any order, changes and deletes them; each operation has an audit entry', async () => {
  const { scim, url } = directory
  const displayName = fresh('Bulk')
  const done = await bulk([
    { method: 'POST', path: '/Groups', bulkId: 'g', data: { displayName, members: [{ value: 'bulkId:u' }] } },
    { method: 'post', path: '/Users', bulkId: 'u', data: person() },
    { method: 'PATCH', path: '/Users/bulkId:u', data: patch({ op: 'add', path: 'title', value: 'T' }) },
  ])
  expect([done.status, statuses(done)]).toEqual([200, ['201', '201', '200']])
  const [group, user, patched] = done.body.Operations
  expect(group).toEqual({
    ...{ method: 'POST', bulkId: 'g', status: '201', version: 'W/"1"' },
    location: expect.stringContaining(`${url}/Groups/`),
  })
  const id = user.location.slice(`${url}/Users/`.length)
  expect(patched.location).toBe(user.location)
  const { body: shown } = await scim('GET', `/Users/${id}`)
  expect(shown).toMatchObject({ title: 'T', groups: [{ display: displayName }] })
  const { body: entries } = await server.api('GET', `/logs?entity=${id}`)
  const keys = entries.map(({ key }: { key: string }) => key).sort()
  expect(keys).toEqual(['Scim.createGroup', 'Scim.createUser', 'Scim.patchUser'])
  const ended = await bulk([
    { method: 'DELETE', path: `/Users/${id}`, version: 'W/"1"' },
    { method: 'PUT', path: `/Users/${id}`, data: { userName: shown.userName }, version: shown.meta.version },
    { method: 'DELETE', path: group.location.slice(url.length) },
    { method: 'DELETE', path: `/Users/${id}` },
    { method: 'DELETE', path: `/Users/${id}` },
  ])
  expect(statuses(ended)).toEqual(['412', '200', '204', '204', '404'])
  expect(ended.body.Operations[0].response).toMatchObject({ status: '412', detail: expect.any(String) })
})

test('Bulk continues after errors up to failOnErrors, and refuses circular and dangling references', async () => {
  const sent = person()
  const broken = { method: 'POST', path: '/Users', bulkId: 'x', data: {} }
  const whole = { method: 'POST', path: '/Users', bulkId: 'y', data: sent }
  expect(statuses(await bulk([broken, whole, { ...whole, bulkId: 'z' }]))).toEqual(['400', '201', '409'])
  expect(statuses(await bulk([broken, broken, whole], { failOnErrors: 2 }))).toEqual(['400', '400'])
  const group = (bulkId: string, other: string) => ({
    ...{ method: 'POST', path: '/Groups', bulkId },
    data: { displayName: fresh('Circle'), members: [{ value: `bulkId:${other}` }] },
  })
  expect(statuses(await bulk([group('a', 'b'), group('b', 'a'), group('c', 'nothing')]))).toEqual(['409', '409', '409'])
  const wrong = [
    'x',
    { method: 'GET', path: '/Users' },
    { method: 'POST', path: '/Users', data: {} },
    { method: 'POST', path: '/Bulk', bulkId: 'b', data: {} },
    { method: 'PUT', path: '/Users', data: {} },
    { method: 'PATCH', path: '/Users/x' },
    { method: 'DELETE', path: '/Users/../Groups/x' },
  ]
  expect(statuses(await bulk(wrong))).toEqual(wrong.map(() => '400'))
})

test('an invalid or too large Bulk request is refused as a whole', async () => {
  expect(refusal(await directory.scim('POST', '/Bulk', {}))).toEqual([400, 'invalidSyntax'])
  expect(refusal(await bulk([], { failOnErrors: 0 }))).toEqual([400, 'invalidValue'])
  expect((await bulk(Array.from({ length: 501 }, () => 'x'))).status).toBe(413)
  expect((await bulk(['x'.repeat(1024 * 1024)])).status).toBe(413)
  const { body } = await directory.scim('GET', '/ServiceProviderConfig')
  expect(body.bulk).toEqual({ supported: true, maxOperations: 500, maxPayloadSize: 1024 * 1024 })
})

test('a directory that sends too much is refused with 429 until later, others are not; each operation of Bulk counts', async () => {
  const { scim } = await createDirectory(server)
  const many = await scim('POST', '/Bulk', { Operations: Array.from({ length: 202 }, () => 'x') })
  expect(statuses(many)).toEqual([...Array(200).fill('400'), '429', '429'])
  const refused = await scim('GET', '/Users')
  expect([refused.status, refused.body.status, refused.body.scimType]).toEqual([429, '429', undefined])
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect((await directory.scim('GET', '/Users')).status).toBe(200)
  server.clock.advance(seconds)
  expect((await scim('GET', '/Users')).status).toBe(200)
})

test('a search over all resources finds users and groups, and refuses attributes that neither has', async () => {
  const own = await createDirectory(server)
  const { body: user } = await own.scim('POST', '/Users', person({ displayName: 'Same' }))
  const { body: group } = await own.scim('POST', '/Groups', { displayName: 'Same', members: [{ value: user.id }] })
  const search = async (request: object) => own.scim('POST', '/.search', request)
  const ids = async (request: object) => (await search(request)).body.Resources.map(({ id }: { id: string }) => id)
  expect(await ids({ filter: 'displayName eq "same"' })).toEqual([user.id, group.id])
  expect(await ids({ filter: 'userName pr' })).toEqual([user.id])
  expect(await ids({ filter: 'meta.resourceType eq "Group"' })).toEqual([group.id])
  expect(await ids({ startIndex: 2, count: 1 })).toEqual([group.id])
  expect(refusal(await search({ filter: 'color pr' }))).toEqual([400, 'invalidFilter'])
  const { body } = await search({ attributes: ['members'], filter: 'displayName pr' })
  expect(body.Resources[1].members).toMatchObject([{ value: user.id }])
})

test('unknown members, prototypes and impossible ids have no effect', async () => {
  const { scim } = directory
  expect((await scim('POST', '/Users', '{"__proto__":{"userName":"x"}}')).status).toBe(400)
  const odd = { ...person(), constructor: { name: 'x' }, toString: 'x', 'urn:evil:User': { active: false } }
  const { status, body } = await scim('POST', '/Users', odd)
  expect([status, Object.keys(body)]).toEqual([201, expect.not.arrayContaining(['constructor', 'urn:evil:User'])])
  for (const id of ['%00', '%ff', '..', 'x'.repeat(2000), "'; DROP TABLE users; --", 'constructor'])
    expect([400, 404]).toContain(
      (await scim('GET', `/Users/${id.startsWith('%') ? id : encodeURIComponent(id)}`)).status,
    )
  for (const query of ['filter=%ff', 'attributes=%00', 'startIndex=1&startIndex=2'])
    expect((await scim('GET', `/Users?${query}`)).status).toBe(400)
})

test('concurrent creations of the same user create one', async () => {
  const sent = person()
  const answers = await Promise.all([1, 2, 3, 4].map(() => directory.scim('POST', '/Users', sent)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
})

test('concurrent changes of members are all applied', async () => {
  const { scim } = directory
  const { body: group } = await scim('POST', '/Groups', { displayName: fresh('Crowd') })
  const users = await Promise.all(
    Array.from({ length: 8 }, async () => (await scim('POST', '/Users', person())).body.id),
  )
  const add = (id: string) => ({ op: 'add', path: 'members', value: [{ value: id }] })
  const answers = await Promise.all([
    ...users.slice(0, 6).map((id) => scim('PATCH', `/Groups/${group.id}`, patch(add(id)))),
    ...users.slice(6).map((id) => scim('DELETE', `/Users/${id}`)),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204))
  const { body } = await scim('GET', `/Groups/${group.id}`)
  expect(body.members.map(({ value }: { value: string }) => value).sort()).toEqual(users.slice(0, 6).sort())
})
