/** SCIM: lists of users by filter, order and page. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDirectory, type Directory, ENTERPRISE, filtered, person, refusal } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

describe('a list', () => {
  let own: Directory
  const ids = { ann: '', bob: '', cat: '' }
  beforeAll(async () => {
    own = await createDirectory(server)
    const people = {
      ann: {
        userName: 'Ann@list.example',
        externalId: 'E1',
        title: 'Boss',
        emails: [{ value: 'ann@list.example', type: 'work' }],
      },
      bob: { userName: 'bob@list.example', active: false, name: { familyName: 'Builder' }, emails: [] },
      cat: { userName: 'cat@list.example', [ENTERPRISE]: { department: 'Sales' }, title: 'quo"te \\ ü' },
    }
    for (const name of ['ann', 'bob', 'cat'] as const) {
      server.clock.advance(60)
      const sent = {
        ...person(),
        name: undefined,
        externalId: undefined,
        emails: [{ value: `${name}@home.example`, type: 'home' }],
      }
      ids[name] = (await own.scim('POST', '/Users', { ...sent, ...people[name] })).body.id
    }
  })
  const namesOf = (resources: readonly { id: string }[]) =>
    resources.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)?.[0])
  const found = async (filter: string): Promise<unknown> => {
    const answer = await own.scim('GET', filtered('/Users', filter))
    if (answer.status !== 200) return refusal(answer)
    expect(answer.body.totalResults).toBe(answer.body.Resources.length)
    return namesOf(answer.body.Resources)
  }

  test.each([
    ['userName eq "ANN@list.example"', ['ann']],
    ['USERNAME Eq "ann@list.example"', ['ann']],
    ['externalId eq "E1"', ['ann']],
    ['externalId eq "e1"', []],
    ['emails.value eq "ANN@LIST.example"', ['ann']],
    ['emails[type eq "work"]', ['ann']],
    ['emails[type eq "work" and value eq "ann@list.example"]', ['ann']],
    ['emails[type eq "work"].value eq "ann@list.example"', ['ann']],
    ['emails[type eq "work"].value eq "cat@home.example"', []],
    ['emails eq "cat@home.example"', ['cat']],
    ['userName sw "b" or userName sw "C"', ['bob', 'cat']],
    ['userName ew "@list.example" and not (title pr)', ['bob']],
    ['userName co "AT@" ', ['cat']],
    ['title eq "quo\\"te \\\\ \\u00fc"', ['cat']],
    ['title pr and (active eq true)', ['ann', 'cat']],
    ['active eq "False"', ['bob']],
    ['name.familyName eq "builder"', ['bob']],
    ['title ne "Boss"', ['bob', 'cat']],
    ['title eq null', ['bob']],
    ['title gt "c"', ['cat']],
    ['title le "boss"', ['ann']],
    [`${ENTERPRISE}:department eq "sales"`, ['cat']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ann"', ['ann']],
    ['meta.resourceType eq "User"', ['ann', 'bob', 'cat']],
    ['title pr or title pr and userName sw "b"', ['ann', 'cat']],
    ['groups pr', []],
    ['not (userName sw "a" or userName sw "b")', ['cat']],
  ])('finds by %s', async (filter, expected) => {
    expect(await found(filter)).toEqual(expected)
  })

  test('finds by time and by id', async () => {
    const { body } = await own.scim('GET', `/Users/${ids.bob}`)
    expect(await found(`meta.lastModified gt "${body.meta.lastModified}"`)).toEqual(['cat'])
    expect(await found(`meta.created le "${body.meta.created}"`)).toEqual(['ann', 'bob'])
    expect(await found(`id eq "${ids.cat}"`)).toEqual(['cat'])
  })

  test.each([
    ...[
      'userName',
      'userName eq',
      'eq "x"',
      'userName eq "x',
      'userName eq "x" and',
      '(userName eq "x"',
      'userName eq x',
    ],
    ...[
      'userName eq "x")',
      'userName is "x"',
      'color eq "x"',
      'name.color eq "x"',
      'userName.x eq "y"',
      'active gt true',
    ],
    ...[
      'userName eq 5',
      'emails[type eq "work"',
      'emails[color pr]',
      'name[givenName pr]x',
      'not userName pr',
      'name eq "x"',
    ],
    ...[
      'meta.created gt "yesterday"',
      'externalId eq "\\u0000"',
      'userName eq "\\ud800"',
      'userName gt null',
      "userName eq 'x'",
      'userName eq "x";',
      '"x" eq "x"',
      'urn:x:y pr',
    ],
    `${'('.repeat(30)}userName pr${')'.repeat(30)}`,
    Array.from({ length: 101 }, () => 'userName pr').join(' or '),
    `userName eq "${'x'.repeat(9000)}"`,
  ])('refuses %j', async (filter) => {
    expect(await found(filter)).toEqual([400, 'invalidFilter'])
  })

  test('has pages by index and by cursor, of all users and of the results of a filter', async () => {
    const page = async (query: string) => {
      const { status, body } = await own.scim('GET', `/Users?${query}`)
      expect(status).toBe(200)
      return body
    }
    expect(await page('startIndex=2&count=1')).toMatchObject({
      ...{ totalResults: 3, itemsPerPage: 1, startIndex: 2, Resources: [{ id: ids.bob }] },
    })
    const filter = encodeURIComponent('userName pr')
    expect(await page(`filter=${filter}&startIndex=2&count=1`)).toMatchObject({
      ...{ totalResults: 3, itemsPerPage: 1, startIndex: 2, Resources: [{ id: ids.bob }] },
    })
    expect((await page('count=0')).totalResults).toBe(3)
    expect(await page('startIndex=-1&count=-1')).toMatchObject({ startIndex: 1, itemsPerPage: 0, totalResults: 3 })
    expect((await page('count=1000')).itemsPerPage).toBe(3)
    const inOrder = { '': ['ann', 'bob', 'cat'], [`filter=${filter}&`]: ['ann', 'bob', 'cat'] } as const
    const sorted = {
      'sortBy=title&': ['ann', 'cat', 'bob'],
      'sortBy=title&sortOrder=descending&': ['bob', 'cat', 'ann'],
    }
    for (const [query, names] of Object.entries({ ...inOrder, ...sorted })) {
      const pages: { previousCursor?: string; Resources: { id: string }[] }[] = []
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const body = await page(`${query}cursor=${cursor}&count=2`)
        expect(body).not.toHaveProperty('startIndex')
        pages.push(body)
        cursor = body.nextCursor
      }
      expect(pages.map(({ Resources }) => namesOf(Resources))).toEqual([names.slice(0, 2), names.slice(2)])
      const [first, last] = pages
      expect(first).not.toHaveProperty('previousCursor')
      const back = await page(`${query}cursor=${last?.previousCursor}&count=1`)
      expect(namesOf(back.Resources)).toEqual([names[1]])
      expect(namesOf((await page(`${query}cursor=${back.nextCursor}`)).Resources)).toEqual([names[2]])
      const start = await page(`${query}cursor=${back.previousCursor}&count=5`)
      expect([namesOf(start.Resources), start.previousCursor]).toEqual([[names[0]], undefined])
    }
    for (const query of ['cursor=x', 'cursor=eA', 'cursor=%00'])
      expect((await own.scim('GET', `/Users?${query}`)).status).toBe(400)
    expect(refusal(await own.scim('GET', '/Users?cursor=x'))).toEqual([400, 'invalidCursor'])
    expect(refusal(await own.scim('GET', '/Users?count=many'))).toEqual([400, 'invalidCount'])
  })

  test.each([
    ['userName', ['ann', 'bob', 'cat']],
    ['USERNAME&sortOrder=Descending', ['cat', 'bob', 'ann']],
    ['active', ['bob', 'ann', 'cat']],
    // those without a value come last, and first in descending order
    ['name.familyName', ['bob', 'ann', 'cat']],
    ['name.familyName&sortOrder=descending', ['cat', 'ann', 'bob']],
    [`${ENTERPRISE}:department`, ['cat', 'ann', 'bob']],
    ['emails', ['ann', 'cat', 'bob']],
    ['emails.value&sortOrder=descending', ['bob', 'cat', 'ann']],
    ['meta.created&sortOrder=descending', ['cat', 'bob', 'ann']],
    ['title&filter=title%20pr&sortOrder=descending', ['cat', 'ann']],
    ['userName&startIndex=2&count=1', ['bob']],
  ])('is sorted by %s', async (query, expected) => {
    const { body } = await own.scim('GET', `/Users?sortBy=${query}`)
    expect(namesOf(body.Resources)).toEqual(expected)
  })

  test('is sorted in a search over users and groups too; what has no order is refused', async () => {
    const { body: group } = await own.scim('POST', '/Groups', { displayName: 'B', externalId: 'E0' })
    const search = { sortBy: 'externalId', count: 2 }
    const { body } = await own.scim('POST', '/.search', search)
    expect([body.totalResults, body.Resources.map(({ id }: { id: string }) => id)]).toEqual([4, [group.id, ids.ann]])
    for (const query of ['name', 'color', 'x509Certificates.', 'userName&sortOrder=up'])
      expect(refusal(await own.scim('GET', `/Users?sortBy=${query}`))).toEqual([400, 'invalidValue'])
    expect(refusal(await own.scim('GET', '/Groups?sortBy=members.value'))).toEqual([400, 'invalidValue'])
    await own.scim('DELETE', `/Groups/${group.id}`)
  })

  test('returns the requested attributes, by query or by search', async () => {
    const { scim } = own
    const one = async (query: string) => (await scim('GET', `/Users/${ids.cat}?${query}`)).body
    const schemas = expect.any(Array)
    expect(await one(`attributes=USERNAME,${ENTERPRISE}:department,meta.version,color`)).toEqual({
      ...{
        schemas,
        id: ids.cat,
        userName: 'cat@list.example',
        [ENTERPRISE]: { department: 'Sales' },
        meta: { version: 'W/"1"' },
      },
    })
    expect(await one('attributes=emails.value')).toEqual({
      schemas,
      id: ids.cat,
      emails: [{ value: 'cat@home.example' }],
    })
    const rest = await one(`excludedAttributes=id,schemas,meta,emails.type,${ENTERPRISE}`)
    expect(rest).toEqual({
      ...{ schemas, id: ids.cat, userName: 'cat@list.example', active: true, title: 'quo"te \\ ü' },
      emails: [{ value: 'cat@home.example' }],
    })
    expect((await scim('GET', '/Users?attributes=id&excludedAttributes=meta')).status).toBe(400)
    const sent = { filter: 'userName sw "a"', attributes: ['userName'], startIndex: 1, count: 10 }
    expect((await scim('POST', '/Users/.search', sent)).body).toMatchObject({
      ...{ totalResults: 1, Resources: [{ schemas, id: ids.ann, userName: 'Ann@list.example' }] },
    })
    for (const wrong of [{ filter: 1.5 }, { attributes: [1] }, { count: 'x' }, [], { filter: {} }])
      expect((await scim('POST', '/Users/.search', wrong)).status).toBe(400)
  })
})
