/** What every route does with a body, a query or an address that is not what it should be (DECISIONS B2, M). */
import type { Route } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  call,
  fresh,
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
let token: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  worldFor = worldsOf(server)
  token = await managementToken(server, 'all')
})
afterAll(() => server.close())

const named = (routes: readonly Route[]) => routes.map((route) => [titleOf(route), route] as const)
const WITH_BODY = named(GUARDED.filter(({ body }) => body))
const WITHOUT_BODY = named(GUARDED.filter((route) => !route.body && !needsCode(route)))
const WITH_PARAMS = named(GUARDED.filter(({ params }) => params))

const LIMIT = 1024 * 1024
/** A JSON object of exactly so many bytes. */
const ofSize = (bytes: number): string => `{"name":"${'x'.repeat(bytes - '{"name":""}'.length)}"}`
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const BAD_BODIES: readonly (readonly [string, string | Uint8Array])[] = [
  ['malformed JSON', '{"name":'],
  ['text after the JSON', '{} {}'],
  ['no JSON at all', 'name=x'],
  ['nothing', ''],
  ['null', 'null'],
  ['an array', '[]'],
  ['a string', '"{}"'],
  ['a number', '1'],
  ['a NUL in a value', '{"name":"a\\u0000b"}'],
  ['a NUL in a key', '{"a\\u0000b":1}'],
  ['an unpaired surrogate in a value', '{"name":"\\ud800"}'],
  ['an unpaired surrogate in a key', '{"\\udfff":1}'],
  ['bytes that are not UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')])],
  ['an overlong UTF-8 encoding', Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0x80, ...Buffer.from('"}')])],
  ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
  ['__proto__', '{"__proto__":{"isAdmin":true}}'],
  ['__proto__ further down', '{"customData":{"a":[{"__proto__":1}]}}'],
  ['__proto__ in escapes', '{"\\u005f_proto__":{}}'],
  ['100 levels of nesting', nested(100)],
  ['100,000 levels of nesting', nested(100_000)],
]

/** Its keys are those of the pages; others are refused. */
const knowsEveryKey = ({ id }: Route): boolean => id === 'putCustomPhrases'

/** Whose body is no object that could have a member too many. */
const takesList = ({ id }: Route): boolean => id === 'createCustomProfileFields'

/** What no route reads: once, twice, names that every object has, no names, and pages for what has none. */
const unknownQuery = ({ list }: Route): string =>
  `unexpected=1&unexpected=%F0%9F%98%80&__proto__=x&constructor=1&toString=x&=&unexpected${list ? '' : '&page=0&page_size=x'}`

/** The parser is the same for all: each route gets a part of the bodies, and every body comes to many routes. */
const PARTS = 4
const partOf = (route: Route) => {
  const at = GUARDED.indexOf(route)
  return BAD_BODIES.filter((_, index) => index % PARTS === at % PARTS)
}

describe.each(WITH_BODY)('%s', (_, route) => {
  const sent = (body: string | Uint8Array | undefined, headers: Record<string, string> = {}) =>
    call(server, route.method, unknownPath(route), { token, body, headers })

  test.each(partOf(route))('R-35, R-37: refuses %s with 400 and a sentence', async (_title, bytes) => {
    const { status, body } = await sent(bytes)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'guard.invalid_input', data: { reason: expect.stringMatching(/\w{3}/) } })
    expect(body.message).toContain(body.data.reason)
  })

  test.each([
    ['text/plain', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['multipart', 'multipart/form-data; boundary=x'],
    ['an unknown type', 'application/jsonp'],
    ['an invalid media type', 'json'],
    ['an empty header', ''],
  ])('refuses the content type of %s with 415', async (_title, contentType) => {
    const { status, body } = await sent('{}', { 'content-type': contentType })
    expect(status).toBe(415)
    expect(body.code).toBe('request.unsupported_media_type')
  })

  test('R-35: refuses a body of 1 MiB and one byte with 413', async () => {
    const { status, body } = await sent(ofSize(LIMIT + 1))
    expect(status).toBe(413)
    expect(body).toMatchObject({ code: 'request.body_too_large', data: { limit: String(LIMIT) } })
  })

  test('R-35: reads a body of 1 MiB', async () => {
    const { status } = await sent(ofSize(LIMIT))
    expect(status).not.toBe(413)
    expect(status).toBeLessThan(500)
  })

  test.skipIf(needsCode(route) || takesList(route) || knowsEveryKey(route))(
    'ignores unknown fields and names them, and ignores unknown query parameters',
    async () => {
      const world = await worldFor(route)
      const body = { ...(sampleBody(route, world) as object), unexpected: { deep: [1] }, constructor: 'x', id: 'mine' }
      const answer = await server.api(route.method, `${pathIn(world, route)}?${unknownQuery(route)}`, body)
      expect(answer.status).toBe(route.status)
      // custom data is the caller's own object: there every field is kept
      if (route.id !== 'updateApplicationCustomData') {
        expect(JSON.stringify(answer.body ?? {})).not.toContain('unexpected')
        expect(answer.body?.id).not.toBe('mine')
        // the samples of some routes have members that these do not know
        expect(answer.headers.get('ignored-members')).toMatch(/(^|, )\/unexpected, \/constructor, \/id$/)
      } else expect(answer.headers.get('ignored-members')).toBeNull()
    },
  )
})

describe.each(WITH_PARAMS)('%s', (_, route) => {
  // what is put where nothing was is made; a script that was never there has no versions
  const isAnswered =
    (route.method === 'PUT' && /:(tokenTypePath|languageTag)$/.test(route.path)) ||
    route.id === 'listJwtCustomizerVersions'
  test.skipIf(isAnswered)('answers 404 for ids that name nothing', async () => {
    const { status, body } = await server.api(route.method, unknownPath(route), sampleBody(route, NOWHERE))
    expect(status).toBe(404)
    expect(body.code).toMatch(/^(entity\.not_exists_with_id|oidc\.key_not_found|oidc\.session_not_found)$/)
  })

  test.each([
    ['of 200 characters', 'x'.repeat(200)],
    ['of 5000 characters', 'x'.repeat(5000)],
    ['with a quote', "'%20OR%201=1--"],
    ['in Unicode', encodeURIComponent('é😀')],
    ['with an encoded slash', 'a%2Fb'],
    ['that is __proto__', '__proto__'],
  ])('answers 404 for an id %s', async (_title, id) => {
    const path = route.path.replace(/:\w+/g, id)
    const { status, body } = await call(server, route.method, path, { token, body: sampleBody(route, NOWHERE) })
    expect(status).toBe(404)
    expect(body.code).toMatch(/^(entity|oidc|request)\./)
  })

  test.each([
    ['a NUL', '%00'],
    ['bytes that are not UTF-8', '%ff'],
    ['an incomplete percent-encoding', '%e'],
    ['an encoded surrogate', '%ed%a0%80'],
  ])('R-37: answers 400 or 404 for %s in the address', async (_title, id) => {
    const path = route.path.replace(/:\w+/g, id)
    const { status, body } = await call(server, route.method, path, { token, body: sampleBody(route, NOWHERE) })
    expect([400, 404]).toContain(status)
    expect(body.requestId).toMatch(/^[0-9a-z]{21}$/)
  })
})

describe.each(named(GUARDED))('%s', (_, route) => {
  test.each([
    ['a NUL', 'search=%00'],
    ['bytes that are not UTF-8', 'search=%ff'],
    ['an incomplete percent-encoding', 'search=%'],
    ['more than 1000 parameters', 'a=1&'.repeat(1001)],
  ])('R-37: refuses %s in the query with 400', async (_title, query) => {
    const path = `${unknownPath(route)}?${query}`
    const { status, body } = await call(server, route.method, path, { token, body: sampleBody(route, NOWHERE) })
    expect(status).toBe(400)
    expect(body.code).toBe('guard.invalid_input')
  })
})

describe.each(WITHOUT_BODY)('%s', (_, route) => {
  test.skipIf(needsCode(route))('ignores unknown query parameters', async () => {
    const world = await worldFor(route)
    const path = pathIn(world, route)
    const asked = `${path}${path.includes('?') ? '&' : '?'}${unknownQuery(route)}`
    const { status } = await server.api(route.method, asked, sampleBody(route, world))
    expect(status).toBe(route.status)
  })
})

describe('Ignored-Members', () => {
  const ignored = async (body: Record<string, unknown>) => {
    const answer = await server.api('POST', '/applications', { name: fresh('ignored'), type: 'Traditional', ...body })
    expect(answer.status).toBe(200)
    return answer.headers.get('ignored-members')
  }

  test('is absent if every member is known, also within free-form objects', async () => {
    expect(await ignored({ customData: { anything: [{ goes: 1 }] } })).toBeNull()
  })

  test('names nested members by their path', async () => {
    const oidcClientMetadata = {
      redirectUris: ['https://app.example/back'],
      postLogoutRedirectUris: [],
      redirectUri: 'x',
    }
    expect(await ignored({ oidcClientMetadata, descripton: 'x' })).toBe('/oidcClientMetadata/redirectUri, /descripton')
  })

  test('percent-encodes characters that a header cannot hold, and separators', async () => {
    const hostile = { 'a\r\nSet-Cookie: b=c': 1, 'd, "e"': 1, 'é😀': 1, 'f/g~h': 1, '': 1 }
    expect(await ignored(hostile)).toBe(
      '/a%0D%0ASet-Cookie%3A%20b%3Dc, /d%2C%20%22e%22, /%C3%A9%F0%9F%98%80, /f~1g~0h, /',
    )
  })

  test('ends with ... after 20 names or 1,024 characters', async () => {
    const named = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`)
    const members = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'secret']))
    const listed = (names: readonly string[]) => names.map((name) => `/${name}`).join(', ')
    expect(await ignored(members(named(20)))).toBe(listed(named(20)))
    expect(await ignored(members(named(21)))).toBe(`${listed(named(20))}, ...`)
    expect(await ignored(members(['short', 'l'.repeat(100_000), 'other']))).toBe('/short, ...')
  })
})
