/** SCIM: PATCH of users in the forms that identity providers send, and ETags. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDirectory, type Directory, ENTERPRISE, patch, person, refusal } from './arrange.ts'

let server: TestServer
let directory: Directory
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  directory = await createDirectory(server, { deletesUsers: true })
})
afterAll(() => server.close())

const work = { type: 'work', value: 'w@corp.example' }
const home = { type: 'home', value: 'h@corp.example' }

type Case = readonly [title: string, before: object, operations: readonly object[], after: object]

/** The named attributes after a PATCH; undefined: the attribute is removed. */
const CASES: readonly Case[] = [
  ['Entra: capitalised, a boolean as text', {}, [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
  ['Entra: a dotted path', {}, [{ op: 'Add', path: 'name.givenName', value: 'Eve' }], { name: { givenName: 'Eve' } }],
  [
    'Entra: dotted paths as members of a value',
    {},
    [
      {
        op: 'replace',
        value: { 'name.familyName': 'Doe', displayName: 'Eve Doe', [`${ENTERPRISE}:department`]: 'R&D' },
      },
    ],
    { name: { familyName: 'Doe' }, displayName: 'Eve Doe', [ENTERPRISE]: { department: 'R&D' } },
  ],
  [
    'Entra: a value path with a filter',
    { emails: [work, home] },
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@corp.example' }],
    { emails: [{ ...work, value: 'new@corp.example' }, home] },
  ],
  [
    'Entra: a value path that finds nothing is created from its filter',
    { emails: [home] },
    [{ op: 'Add', path: 'emails[type eq "work"].value', value: 'new@corp.example' }],
    { emails: [home, { type: 'work', value: 'new@corp.example' }] },
  ],
  [
    'Entra: a manager as an id, beneath the URN of the extension',
    {},
    [{ op: 'Add', path: `${ENTERPRISE}:manager`, value: 'abc' }],
    { [ENTERPRISE]: { manager: { value: 'abc' } } },
  ],
  ['Okta: a value without a path', {}, [{ op: 'replace', value: { active: false } }], { active: false }],
  [
    'an attribute with several values: add, without repeating',
    { emails: [work] },
    [{ op: 'add', path: 'emails', value: [home, work] }],
    { emails: [work, home] },
  ],
  [
    'an attribute with several values: replace',
    { emails: [work] },
    [{ op: 'replace', path: 'emails', value: [home] }],
    { emails: [home] },
  ],
  [
    'some of several values: remove',
    { emails: [work, home] },
    [{ op: 'remove', path: 'emails[type eq "home" or value sw "x"]' }],
    { emails: [work] },
  ],
  ['all of several values: remove', { emails: [work] }, [{ op: 'remove', path: 'emails' }], { emails: undefined }],
  [
    'a part of some values: remove',
    { emails: [{ ...work, display: 'W' }] },
    [{ op: 'remove', path: 'emails[not (type eq "home")].display' }],
    { emails: [work] },
  ],
  [
    'a value that becomes primary takes it from the other',
    { emails: [{ ...work, primary: true }, home] },
    [{ op: 'replace', path: 'emails[type eq "home"].primary', value: true }],
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    },
  ],
  [
    'a name: add leaves its other parts',
    { name: { givenName: 'A' } },
    [{ op: 'add', path: 'name', value: { familyName: 'B' } }],
    { name: { givenName: 'A', familyName: 'B' } },
  ],
  [
    'a name: replace does not',
    { name: { givenName: 'A' } },
    [{ op: 'replace', path: 'name', value: { familyName: 'B' } }],
    { name: { familyName: 'B' } },
  ],
  [
    'names in any case, the URN of the core schema',
    { title: 'x' },
    [{ op: 'REPLACE', path: 'urn:IETF:params:scim:schemas:core:2.0:user:TITLE', value: 'Boss' }],
    { title: 'Boss' },
  ],
  [
    'a whole extension: add merges, remove removes',
    { [ENTERPRISE]: { division: 'D' } },
    [
      { op: 'add', path: ENTERPRISE, value: { costCenter: 'C' } },
      { op: 'remove', path: `${ENTERPRISE}:division` },
    ],
    { [ENTERPRISE]: { costCenter: 'C' } },
  ],
  [
    'operations one after another',
    {},
    [
      { op: 'add', path: 'nickName', value: 'a' },
      { op: 'replace', path: 'nickName', value: 'b' },
      { op: 'remove', path: 'externalId' },
    ],
    { nickName: 'b', externalId: undefined },
  ],
  [
    'what no schema has, in a value without a path',
    {},
    [{ op: 'add', value: { color: 'red', title: 'T', schemas: [], id: 'x' } }],
    { title: 'T' },
  ],
]

test.each(CASES)('PATCH %s', async (_, before, operations, after) => {
  const { scim } = directory
  const { body } = await scim('POST', '/Users', person({ name: undefined, emails: undefined, ...before }))
  const patched = await scim('PATCH', `/Users/${body.id}`, patch(...operations))
  expect(patched.status).toBe(200)
  const { body: shown } = await scim('GET', `/Users/${body.id}`)
  expect(shown).toEqual(patched.body)
  expect(Object.fromEntries(Object.keys(after).map((name) => [name, shown[name]]))).toEqual(after)
  // the next case uses the same addresses
  await scim('DELETE', `/Users/${body.id}`)
})

test.each([
  [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
  [{ op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
  [{ op: 'replace', path: 'color', value: 'red' }, 'invalidPath'],
  [{ op: 'replace', path: 'name.color', value: 'red' }, 'invalidPath'],
  [{ op: 'replace', path: 'urn:x:User:title', value: 'red' }, 'invalidPath'],
  [{ op: 'replace', path: 'emails[type eq "work"', value: 'red' }, 'invalidPath'],
  [{ op: 'replace', path: 'name[givenName eq "x"]', value: 'red' }, 'invalidPath'],
  [{ op: 'replace', path: 'emails[type eq]', value: 'red' }, 'invalidFilter'],
  [{ op: 'replace', path: 'emails[color eq "x"].value', value: 'red' }, 'invalidFilter'],
  [{ op: 'replace', path: 'emails[type sw "x"].value', value: 'red' }, 'noTarget'],
  [{ op: 'replace', path: 'emails[type eq "\\u0000"].value', value: 'red' }, 'invalidFilter'],
  [{ op: 'remove', path: 'userName' }, 'invalidValue'],
  [{ op: 'replace', path: 'active', value: 'maybe' }, 'invalidValue'],
  [{ op: 'replace', path: 'active' }, 'invalidValue'],
  [{ op: 'replace', value: 'x' }, 'invalidValue'],
  [{ op: 'replace', path: 1, value: 'x' }, 'invalidPath'],
  ['replace', 'invalidSyntax'],
])('PATCH with %j is refused', async (operation, scimType) => {
  const { scim } = directory
  const { body } = await scim('POST', '/Users', person())
  const operations = [{ op: 'add', path: 'title', value: 'Changed' }, operation] as object[]
  expect(refusal(await scim('PATCH', `/Users/${body.id}`, patch(...operations)))).toEqual([400, scimType])
  expect((await scim('GET', `/Users/${body.id}`)).body).toEqual(body)
})

test('PATCH with too many operations or values, or no operations, is refused', async () => {
  const { scim } = directory
  const { body } = await scim('POST', '/Users', person())
  const path = `/Users/${body.id}`
  const add = (n: number) => ({ op: 'add', path: 'emails', value: [{ value: `${n}@x.example`, type: `${n}` }] })
  const numbers = (length: number) => Array.from({ length }, (_, n) => add(n))
  expect(refusal(await scim('PATCH', path, patch(...numbers(1001))))).toEqual([400, 'invalidSyntax'])
  expect(refusal(await scim('PATCH', path, patch(...numbers(1000))))).toEqual([400, 'invalidValue'])
  // also of values that the user has, and of members of a value without a path
  const held = { op: 'add', path: 'emails', value: Array.from({ length: 201 }, () => body.emails[0]) }
  expect(refusal(await scim('PATCH', path, patch(held)))).toEqual([400, 'invalidValue'])
  const value = Object.fromEntries(numbers(1001).map((_, n) => [`unknown${n}`, n]))
  expect(refusal(await scim('PATCH', path, patch({ op: 'add', value })))).toEqual([400, 'invalidSyntax'])
  const terms = (count: number) => Array.from({ length: count }, (_, n) => `type eq "${n}"`).join(' or ')
  const select = (count: number) => patch({ op: 'remove', path: `emails[${terms(count)}]` })
  expect(refusal(await scim('PATCH', path, select(11)))).toEqual([400, 'invalidFilter'])
  expect((await scim('PATCH', path, select(10))).status).toBe(200)
  expect(refusal(await scim('PATCH', path, patch()))).toEqual([400, 'invalidSyntax'])
  expect(refusal(await scim('PATCH', path, {}))).toEqual([400, 'invalidSyntax'])
  expect(refusal(await scim('PATCH', path, []))).toEqual([400, 'invalidSyntax'])
  expect(refusal(await scim('PATCH', path, '{'))).toEqual([400, 'invalidSyntax'])
  expect(refusal(await scim('PATCH', path, `${'['.repeat(100)}${']'.repeat(100)}`))).toEqual([400, 'invalidSyntax'])
  // a content type without a body, as clients send with GET and DELETE
  const empty = { 'content-type': 'application/scim+json' }
  expect((await scim('GET', path, undefined, empty)).status).toBe(200)
  expect(refusal(await scim('PATCH', path, undefined, empty))).toEqual([400, 'invalidSyntax'])
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await scim('PATCH', path, 'a=b', form)).status).toBe(415)
  expect((await scim('PATCH', path, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413)
})

test('ETags: a write with an old one is 412, a read with the current one 304; of concurrent writes one wins', async () => {
  const { scim } = directory
  const { body, headers } = await scim('POST', '/Users', person())
  const path = `/Users/${body.id}`
  const first = { 'if-match': headers.get('etag') ?? '' }
  expect((await scim('GET', path, undefined, { 'if-none-match': first['if-match'] })).status).toBe(304)
  const title = (value: string) => patch({ op: 'replace', path: 'title', value })
  const answers = await Promise.all(['a', 'b', 'c'].map((value) => scim('PATCH', path, title(value), first)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  const { body: shown } = await scim('GET', path, undefined, { 'if-none-match': first['if-match'] })
  expect(shown.meta.version).toBe('W/"2"')
  // a change without effect creates no new version
  const same = await scim('PATCH', path, title(shown.title), { 'if-match': '*' })
  expect([same.status, same.headers.get('etag')]).toEqual([200, 'W/"2"'])
  expect((await scim('PUT', path, person(), first)).status).toBe(412)
  expect((await scim('DELETE', path, undefined, first)).status).toBe(412)
  expect((await scim('DELETE', path, undefined, { 'if-match': '"2"' })).status).toBe(204)
})
