/** Properties over all input: no route fails, whatever it is sent, and afterwards the server is as it was. */
import type { Route } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { call, createWorld, GUARDED, managementToken, pathIn, titleOf, type World } from './arrange.ts'

let server: TestServer
let token: string
let world: World
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  token = await managementToken(server, 'all')
  world = await createWorld(server)
})
afterAll(() => server.close())

const NASTY = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  '%',
  "'; DROP TABLE roles; --",
  '\\',
  '\u202e',
  'a\u0301'.repeat(200),
  '😀'.repeat(256),
  'x'.repeat(257),
  'x'.repeat(3000),
  'https://a.example/#x',
  'javascript:alert(1)',
  '9'.repeat(40),
)
const text = fc.oneof(NASTY, fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ maxLength: 30 }))
const numbers = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -1, 1.5, 1e300, -1e300, 2 ** 53, 2 ** 31, -(2 ** 31), 2 ** 63, 8.64e15, 8.64e15 + 1),
)
const leaf = fc.oneof(text, numbers, fc.boolean(), fc.constant(null))

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
}

/** Values that mostly fit the schema, so that they get further than its check, and now and then do not. */
const near = (schema: Schema): fc.Arbitrary<unknown> => {
  const fitting = (): fc.Arbitrary<unknown> => {
    if (schema.enum) return fc.constantFrom(...schema.enum)
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map(near))
    switch (schema.type) {
      case 'object':
        if (!schema.properties) return fc.dictionary(text, leaf, { maxKeys: 5 })
        return fc.record(
          Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, near(inner)])),
          { requiredKeys: [] },
        )
      case 'array':
        return fc.array(near(schema.items ?? {}), { maxLength: 4 })
      case 'string':
        return fc.oneof(text, fc.constantFrom(...Object.values(world)))
      case 'integer':
        return fc.oneof(numbers, fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 2 ** 53))
      case 'boolean':
        return fc.boolean()
      default:
        return fc.jsonValue()
    }
  }
  return fc.oneof({ weight: 12, arbitrary: fitting() }, { weight: 1, arbitrary: fc.jsonValue() })
}

/** JSON text with everything in it that JavaScript can hold, half surrogates too. */
const asJson = (value: unknown): string => JSON.stringify(value) ?? 'null'

const query = (route: Route): fc.Arbitrary<string> => {
  const names = [...Object.keys((route.query as Schema | undefined)?.properties ?? {}), 'page', 'page_size', 'after']
  const cursor = text.map((value) => Buffer.from(value).toString('base64url'))
  const dated = numbers.map((value) => Buffer.from(`${value} ${world.roleId}`).toString('base64url'))
  const value = fc.oneof(text, numbers.map(String), cursor, dated, fc.constantFrom(...Object.values(world)))
  return fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...names), text), value), { maxLength: 4 })
    .map((pairs) => pairs.map(([name, entry]) => `${encode(name)}=${encode(entry)}`).join('&'))
}

/** Percent-encodes the UTF-8 of the text; half surrogates as they would be in it. */
const encode = (value: string): string =>
  [...Buffer.from(value, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

const SAFE_ROUTES = GUARDED.filter(({ method }) => method !== 'DELETE')

test.each(SAFE_ROUTES.map((route) => [titleOf(route), route] as const))(
  'R-35, R-37: %s never answers 500, whatever the address, the query and the body',
  async (_, route) => {
    const path = fc.oneof(
      { weight: 3, arbitrary: fc.constant(pathIn(world, route)) },
      { weight: 1, arbitrary: text.map((id) => route.path.replace(/:\w+/g, encode(id))) },
    )
    const body = route.body ? near(route.body as Schema).map(asJson) : fc.constant(undefined)
    const input = fc.record({ path, queryText: query(route), body })
    await fc.assert(
      fc.asyncProperty(input, async (sent) => {
        // a head of more than 16 KiB is answered by the HTTP parser itself, with 431 and the end of the connection
        fc.pre(sent.path.length + sent.queryText.length < 12_000)
        const options = { token, ...(sent.body === undefined ? {} : { body: sent.body }) }
        const answer = await call(server, route.method, `${sent.path}?${sent.queryText}`, options)
        if (answer.status >= 500) throw new Error(`answered ${answer.status}: ${answer.text}`)
        // an answer that says no is not an error
        const isError = answer.status >= 400 && (answer.status !== route.otherStatus || answer.body.code)
        if (isError) expect(answer.body.requestId).toBe(answer.headers['x-request-id'])
      }),
      { numRuns: 25 },
    )
  },
)

test('R-37: any bytes as a body get a 4xx or the success of the route', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SAFE_ROUTES.filter(({ body }) => body)), bytes, async (route, body) => {
      const { status } = await call(server, route.method, pathIn(world, route), { token, body })
      expect(status === route.status || (status >= 400 && status < 500)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('R-37: any text as Authorization header gets 401', async () => {
  // what a header can hold: visible characters, space and tab
  const header = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        header,
        header.map((rest) => `Bearer ${rest}`),
      ),
      async (authorization) => {
        const { status } = await call(server, 'GET', '/roles', { headers: { authorization } })
        expect(status).toBe(401)
      },
    ),
    { numRuns: 200 },
  )
})

test('afterwards every entry is in the audit log, and no list fails', async () => {
  const { api, clock, store } = server
  clock.advance(1)
  const { status } = await api('POST', '/roles', { name: 'the last one' })
  expect(status).toBe(200)
  const { body } = await api('GET', '/logs?logKey=ManagementApi.createRole&page_size=1')
  expect(body[0].payload.result).toBe('Success')
  const { body: refused } = await api('GET', '/logs?logKey=ManagementApi.updateRole&page_size=100')
  expect(refused.length).toBeGreaterThan(0)
  expect(store.audit.dropped()).toBe(0)
  for (const route of GUARDED.filter(({ list }) => list)) {
    const path = `${pathIn(world, route)}?page_size=100`
    // what was in the world may be gone by now, or have changed
    const { status: answered } = await api('GET', path)
    expect({ path, is: answered === 200 || answered === 404 || answered === 422 }).toEqual({ path, is: true })
  }
})
