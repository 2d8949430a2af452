/** Pages of lists: by number and on either side of a cursor (DECISIONS B3, RFC 8288). */
import { API_ROUTES } from '@countersign/contract/api.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createWorld, fresh, managementToken, pathIn, titleOf, type World } from './arrange.ts'

const ROWS = 250
let server: TestServer
let world: World
let path: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createWorld(server)
  path = `/resources/${world.resourceId}/scopes`
  // the world has two; ten to each moment, so that the id has to decide
  await withClient(server.databaseUrl, (client) =>
    client.query(
      `INSERT INTO scopes SELECT 'default', lpad(n::text, 21, '0'), $1, false, 'scope' || n, null, to_timestamp(n / 10)
       FROM generate_series(1, $2) n`,
      [world.resourceId, ROWS - 2],
    ),
  )
})
afterAll(() => server.close())

const get = (query: string) => server.api('GET', `${path}?${query}`)
const idsOf = (body: { id: string }[]) => body.map(({ id }) => id)
const links = (header: string | null): Record<string, string> =>
  Object.fromEntries(
    (header ?? '').split(', ').map((link) => {
      const [, url = '', rel = ''] = /^<(.+)>; rel="(\w+)"$/.exec(link) ?? []
      return [rel, url]
    }),
  )

/** Follows cursors to the end; does something between pages. */
const walk = async (pageSize: number, between: () => Promise<unknown> = async () => undefined): Promise<string[]> => {
  const seen: string[] = []
  let after = ''
  for (let page = 0; page < 100; page += 1) {
    const { status, body, headers } = await get(`page_size=${pageSize}&after=${after}`)
    expect(status).toBe(200)
    seen.push(...idsOf(body))
    const next = headers.get('next-cursor')
    if (!next) return seen
    after = next
    await between()
  }
  throw new Error('the walk does not end')
}

test('a page has 20 rows by default, newest first, and the total', async () => {
  const { body, headers } = await get('page=1')
  expect(body).toHaveLength(20)
  expect(headers.get('total-number')).toBe(String(ROWS))
  expect(headers.has('total-number-is-capped')).toBe(false)
  const times = body.map(({ createdAt }: { createdAt: number }) => createdAt)
  expect(times).toEqual([...times].sort((a, b) => b - a))
  expect((await get('page_size=100')).body).toHaveLength(100)
})

test('DECISIONS N3: a list that Logto returns whole is whole if the request names no page, size or cursor', async () => {
  const { body, headers } = await get('')
  expect(body).toHaveLength(ROWS)
  expect(headers.get('total-number')).toBe(String(ROWS))
  expect(headers.has('next-cursor')).toBe(false)
  expect((await get('search=scope1%25')).body.length).toBeGreaterThan(20)
  const pages = API_ROUTES.filter(({ list }) => list === true).map((route) => route.path)
  expect(pages.sort()).toEqual([
    '/administrator-roles',
    '/administrators',
    '/applications/:applicationId/roles',
    '/hooks/:id/deliveries',
    '/hooks/:id/recent-logs',
    '/impersonations',
    '/initial-access-tokens',
    '/logs',
    '/organization-roles',
    '/organizations',
    '/organizations/:id/users',
    '/roles',
    '/roles/:id/applications',
    '/roles/:id/users',
    '/scim-directories',
    '/scim-directories/:id/groups',
    '/signal-streams',
    '/users',
  ])
})

test('pages by number contain each row once; the page after the last is empty', async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => get(`page=${page}&page_size=100`)))
  expect(pages.map(({ body }) => body.length)).toEqual([100, 100, 50, 0])
  const ids = pages.flatMap(({ body }) => idsOf(body))
  expect(new Set(ids).size).toBe(ROWS)
  expect(ids).toEqual(await walk(100))
})

test('Link leads from page to page, at the base URL whatever the Host, and keeps the other parameters', async () => {
  const { headers } = await get('page=2&page_size=100&search=s%20')
  expect(links(headers.get('link'))).toEqual({
    first: `${server.baseUrl}/api${path}?page=1&page_size=100&search=s+`,
    prev: `${server.baseUrl}/api${path}?page=1&page_size=100&search=s+`,
    last: `${server.baseUrl}/api${path}?page=1&page_size=100&search=s+`,
  })
  const second = links((await get('page=2&page_size=100')).headers.get('link'))
  expect(Object.keys(second)).toEqual(['first', 'prev', 'next', 'last'])
  expect([second.prev, second.next, second.last].map((url) => new URL(url ?? '').searchParams.get('page'))).toEqual([
    '1',
    '3',
    '3',
  ])
  expect(Object.keys(links((await get('page=3&page_size=100')).headers.get('link')))).toEqual(['first', 'prev', 'last'])
})

test('Link rel=next after a cursor continues by cursor to the end', async () => {
  const { headers } = await get('page_size=100')
  let url = `${path}?page_size=100&after=${headers.get('next-cursor')}`
  const seen: string[] = []
  for (;;) {
    const answer = await server.api('GET', url)
    seen.push(...idsOf(answer.body))
    const { next } = links(answer.headers.get('link'))
    if (!next) break
    url = next.slice(`${server.baseUrl}/api`.length)
  }
  expect(seen).toHaveLength(ROWS - 100)
})

test.each([7, 100])('a traversal with pages of %d returns every row once', async (pageSize) => {
  const seen = await walk(pageSize)
  expect(seen).toHaveLength(ROWS)
  expect(new Set(seen).size).toBe(ROWS)
})

test('a traversal returns every row once while rows are added and deleted', async () => {
  const before = await walk(100)
  const doomed = before.at(-1) ?? ''
  let round = 0
  const seen = await walk(20, async () => {
    round += 1
    await server.api('POST', path, { name: fresh('added') })
    if (round === 3) await server.api('DELETE', `${path}/${doomed}`)
  })
  expect(new Set(seen).size).toBe(seen.length)
  const kept = before.filter((id) => id !== doomed)
  expect(kept.filter((id) => !seen.includes(id))).toEqual([])
  expect(seen).not.toContain(doomed)
})

test('Link leads from the last page back to the first, and forward again, each row once', async () => {
  const { headers } = await get('page_size=7')
  const follow = async (from: string | undefined, rel: string): Promise<string[][]> => {
    const pages: string[][] = []
    for (let url = from; url; ) {
      const answer = await server.api('GET', url.slice(`${server.baseUrl}/api`.length))
      expect(answer.status).toBe(200)
      pages.push(idsOf(answer.body))
      url = links(answer.headers.get('link'))[rel]
    }
    return pages
  }
  const whole = await walk(100)
  const end = links((await get(`page_size=7&after=${headers.get('next-cursor')}`)).headers.get('link')).last
  const back = await follow(end, 'prev')
  expect(back.toReversed().flat()).toEqual(whole)
  expect(back[0]).toEqual(whole.slice(-7))
  // the row of the cursor need not be there
  const { body, headers: besideIt } = await get(`page_size=7&before=${encoded('9999 z')}`)
  const older = body.at(-1)
  expect(older.createdAt).toBeGreaterThanOrEqual(10_000)
  expect(whole.slice(0, whole.indexOf(older.id) + 1).slice(-7)).toEqual(idsOf(body))
  const forward = await follow(links(besideIt.get('link')).next, 'next')
  expect([...idsOf(body), ...forward.flat()]).toEqual(whole.slice(whole.indexOf(body[0].id)))
})

test('a page before a cursor links to both sides', async () => {
  const last = await get('page_size=10&before=ZW5k')
  expect(last.body).toHaveLength(10)
  expect(last.headers.has('next-cursor')).toBe(false)
  expect(last.headers.get('total-number')).toBe((await get('')).headers.get('total-number'))
  expect(Object.keys(links(last.headers.get('link')))).toEqual(['first', 'prev', 'last'])
  const { prev = '', first } = links(last.headers.get('link'))
  expect(first).toBe(`${server.baseUrl}/api${path}?page_size=10&page=1`)
  const before = await server.api('GET', prev.slice(`${server.baseUrl}/api`.length))
  expect(Object.keys(links(before.headers.get('link')))).toEqual(['first', 'prev', 'next', 'last'])
  expect((await get(`page_size=10&after=${before.headers.get('next-cursor')}`)).body).toEqual(last.body)
  const top = await get(`page_size=10&before=${encoded('99999999999999 z')}`)
  expect([top.body, Object.keys(links(top.headers.get('link')))]).toEqual([[], ['first', 'last']])
})

test('after wins over page', async () => {
  const { headers } = await get('page_size=10')
  const after = `page_size=10&after=${headers.get('next-cursor')}`
  expect((await get(`${after}&page=5`)).body).toEqual((await get(after)).body)
})

const LISTS = API_ROUTES.filter(({ list }) => list).map((route) => [titleOf(route), route] as const)
const encoded = (text: string) => Buffer.from(text).toString('base64url')

describe.each(LISTS)('%s', (_, route) => {
  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e3',
    'page=%2B1',
    'page= 1',
    'page=x',
    'page=',
    'page=01',
    'page=9007199254740993',
    'page=1&page=2',
    'page_size=0',
    'page_size=101',
    'page_size=-1',
    'page_size=1.5',
    'page_size=x',
    'page_size=10&page_size=10',
    'after=x',
    'after=%20',
    `after=${encoded('x y')}`,
    `after=${encoded('1')}`,
    `after=${encoded(`${'9'.repeat(30)} x`)}`,
    `after=${encoded("1 x'--")}`,
    `after=${encoded('1 x')}&after=${encoded('1 x')}`,
    'before=x',
    `before=${encoded('1')}`,
    `before=${encoded('1 x')}&before=${encoded('1 x')}`,
    `before=${encoded('1 x')}&after=${encoded('1 x')}`,
  ])('refuses %s with 400', async (query) => {
    const { status, body } = await server.api('GET', `${pathIn(world, route)}?${query}`)
    expect([status, body.code]).toEqual([400, 'guard.invalid_pagination'])
  })

  test('has Total-Number and Link, and an empty page beyond the end', async () => {
    const { status, body, headers } = await server.api('GET', `${pathIn(world, route)}?page=1000000&page_size=100`)
    expect([status, route.listIn ? body[route.listIn] : body]).toEqual([200, []])
    expect(headers.get('total-number')).toMatch(/^\d+$/)
    expect(headers.get('link')).toMatch(/^<http.+>; rel="first"/)
    expect(headers.has('next-cursor')).toBe(false)
  })
})

/** A resource with permissions scope1 (the oldest) to scope<count>; gives the path of their list. */
const manyScopes = async (name: string, count: number): Promise<string> => {
  const { body: resource } = await server.api('POST', '/resources', { name, indicator: `https://${name}.example` })
  await withClient(server.databaseUrl, (client) =>
    client.query(
      `INSERT INTO scopes SELECT 'default', $3 || lpad(n::text, 20, '0'), $1, false, 'scope' || n, null,
         to_timestamp(1000000 + n) FROM generate_series(1, $2::integer) n`,
      [resource.id, count, name.slice(0, 1)],
    ),
  )
  return `/resources/${resource.id}/scopes`
}
/** So many of them, from the one with this number down. */
const scopesFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `scope${first - index}`)
const namesOf = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name)

test('a page far down the list is the same read from either end', async () => {
  const list = await manyScopes('far', 3050)
  for (const page of [10, 11, 12, 15, 16, 17, 29, 30, 31, 32]) {
    const answer = await server.api('GET', `${list}?page=${page}&page_size=100`)
    const first = 3050 - (page - 1) * 100
    expect(namesOf(answer)).toEqual(scopesFrom(first, Math.max(0, Math.min(100, first))))
    const next = links(answer.headers.get('link')).next
    expect(next && new URL(next).searchParams.get('page')).toBe(page <= 30 ? String(page + 1) : undefined)
    expect(answer.headers.has('next-cursor')).toBe(page <= 30)
  }
})

test('beyond 10,000 rows the total is capped and says so, and the cursor still leads to the end', async () => {
  const list = `${await manyScopes('many', 10_001)}?page_size=100`
  const { headers } = await server.api('GET', list)
  expect(headers.get('total-number')).toBe('10000')
  expect(headers.get('total-number-is-capped')).toBe('true')
  const { last: end = '', ...others } = links(headers.get('link'))
  expect(Object.keys(others)).toEqual(['first', 'next'])
  const ending = await server.api('GET', end.slice(`${server.baseUrl}/api`.length))
  expect(namesOf(ending)).toEqual(scopesFrom(100, 100))
  for (const [page, count] of [
    [100, 100],
    [101, 1],
    [102, 0],
  ] as const)
    expect(namesOf(await server.api('GET', `${list}&page=${page}`))).toEqual(
      scopesFrom(10_001 - (page - 1) * 100, count),
    )
  const nearTheEnd = encoded('1000003000 m00000000000000000003')
  const last = await server.api('GET', `${list}&after=${nearTheEnd}`)
  expect(namesOf(last)).toEqual(['scope2', 'scope1'])
  expect(last.headers.has('next-cursor')).toBe(false)
})

describe('the cached total of a list', () => {
  const KEPT = ['/roles', '/organizations', '/applications'] as const
  const bodyOf = { '/applications': { type: 'MachineToMachine' } } as Readonly<Record<string, object>>

  test.each(KEPT)('%s: follows what is created and deleted, on every node', async (list) => {
    const node = await server.startNode()
    try {
      const token = await managementToken(server, 'all')
      const totalAt = async (url: string) => {
        const headers = { authorization: `Bearer ${token}` }
        const response = await fetch(`${url}/api${list}?page_size=1`, { headers })
        expect(response.status).toBe(200)
        return Number(response.headers.get('total-number'))
      }
      const before = await totalAt(server.baseUrl)
      expect(await totalAt(node.url)).toBe(before)
      const { body } = await server.api('POST', list, { name: fresh('counted'), ...bodyOf[list] })
      expect(await totalAt(server.baseUrl)).toBe(before + 1)
      await expect.poll(() => totalAt(node.url)).toBe(before + 1)
      expect((await server.api('POST', list, { name: '' })).status).toBe(400)
      expect(await totalAt(server.baseUrl)).toBe(before + 1)
      await server.api('DELETE', `${list}/${body.id}`)
      expect(await totalAt(server.baseUrl)).toBe(before)
      await expect.poll(() => totalAt(node.url)).toBe(before)
    } finally {
      await node.close()
    }
  })
})

test('a query too long for links is answered without them', async () => {
  const filler = 'x'.repeat(6000)
  const { status, headers } = await server.api('GET', `/roles?page=1&page_size=1&filler=${filler}`)
  expect([status, headers.get('link')]).toEqual([200, null])
  const short = await server.api('GET', '/roles?page=1&page_size=1&filler=x')
  expect(short.headers.get('link')).toContain('filler=x')
})
