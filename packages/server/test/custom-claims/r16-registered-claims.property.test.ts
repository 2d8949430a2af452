/** R-16: whatever a script returns, the registered claims of the token are those that the grant concluded. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ORDERS } from '../token-exchange/arrange.ts'
import { type ClaimsWorld, createClaimsWorld, impersonate, setScript } from './arrange.ts'

/** DECISIONS J3. */
const REGISTERED = [
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'client_id', 'scope', 'act', 'may_act', 'cnf', 'sid'],
  ...['organization_id', 'auth_time', 'acr', 'amr'],
]

let server: TestServer
let world: ClaimsWorld
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createClaimsWorld(server)
})
afterAll(() => server.close())

const registered = (token: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(decodeJwt(token)).filter(([name]) => REGISTERED.includes(name)))

/** What a token of the machine has without a script; `jti` and the times are its own. */
const expectSound = async (token: string) => {
  const keys = createRemoteJWKSet(new URL(`${server.issuer}/jwks`))
  const currentDate = server.clock.now()
  await jwtVerify(token, keys, { issuer: server.issuer, audience: ORDERS, typ: 'at+jwt', currentDate })
  const iat = Math.floor(currentDate.getTime() / 1000)
  expect(registered(token)).toEqual({
    iss: server.issuer,
    sub: world.machine.id,
    aud: ORDERS,
    client_id: world.machine.id,
    scope: 'read:orders',
    iat,
    exp: iat + 900,
    jti: expect.stringMatching(/^[0-9a-z]{21}$/),
  })
  return decodeJwt(token) as Record<string, unknown>
}

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...REGISTERED) },
  fc.constantFrom('__proto__', 'constructor', 'toJSON', 'then', 'toString', 'hasOwnProperty', 'Sub', 'sub ', 'SUB', ''),
  fc.string({ maxLength: 8 }),
)
const value = fc.oneof(
  fc.constantFrom(
    ...[
      'undefined',
      'null',
      'NaN',
      '-Infinity',
      '-0',
      '{}',
      '[]',
      '() => 1',
      "Symbol('x')",
      'new Date(0)',
      '/x/',
      'new Map([[1, 2]])',
    ],
    ...[
      "'\\ud800'",
      "'\\0'",
      '[undefined, NaN]',
      '{ __proto__: { sub: 1 } }',
      'JSON.parse(\'{"__proto__":{"sub":1}}\')',
    ],
    ...[
      '{ get sub() { return 1 } }',
      "{ toJSON() { return { sub: 'x' } } }",
      'new Proxy({}, { ownKeys: () => [] })',
      '1e400',
    ],
  ),
  fc.json({ maxDepth: 3 }),
)
/** How the object is created. */
const shape = fc.constantFrom(
  (pairs: string) => `return Object.fromEntries([${pairs}])`,
  (pairs: string) => `const all = {}; for (const [n, v] of [${pairs}]) all[n] = v; return all`,
  (pairs: string) => `return new Proxy(Object.fromEntries([${pairs}]), {})`,
  (pairs: string) => `return { toJSON: () => Object.fromEntries([${pairs}]) }`,
  (pairs: string) => `const all = {}
    for (const [n, v] of [${pairs}]) Object.defineProperty(all, n, { enumerable: true, configurable: true, get: () => v })
    return all`,
  (pairs: string) => `return Object.assign(Object.create({ sub: 'root' }), Object.fromEntries([${pairs}]))`,
  (pairs: string) => `for (const [n, v] of [${pairs}]) { try { Object.prototype[n] = v } catch {} } return { a: 1 }`,
  (pairs: string) => `token.sub = 'root'; Object.assign(token, Object.fromEntries([${pairs}])); return token`,
  (pairs: string) => `JSON.stringify = () => '{"sub":"root","scope":"all"}'; return Object.fromEntries([${pairs}])`,
  (pairs: string) =>
    `Object.prototype.toJSON = () => ({ sub: 'root', aud: 'x' }); return Object.fromEntries([${pairs}])`,
)

test('R-16 a script never sets or changes a registered claim of a machine token', async () => {
  let issued = 0
  await fc.assert(
    fc.asyncProperty(shape, fc.array(fc.tuple(name, value), { maxLength: 8 }), async (make, pairs) => {
      const list = pairs.map(([key, code]) => `[${JSON.stringify(key)}, (${code})]`).join(', ')
      await setScript(server, 'client-credentials', make(list))
      const { status, body } = await world.machine.ask()
      if (status === 400) {
        expect(body.error).toBe('invalid_request')
        return
      }
      expect(status).toBe(200)
      issued += 1
      const claims = await expectSound(body.access_token)
      expect(body.scope).toBe('read:orders')
      expect(JSON.stringify(claims)).not.toContain('"__proto__"')
    }),
    { numRuns: 150 },
  )
  expect(issued).toBeGreaterThan(50)
})

test('R-16 nor of an exchanged token', async () => {
  await setScript(
    server,
    'access-token',
    `return { ${REGISTERED.map((claim) => `${JSON.stringify(claim)}: { sub: 'root' }`).join(', ')}, mine: true }`,
  )
  const { body } = await impersonate(server, world, { sub: 'root' })
  const claims = decodeJwt(body.access_token) as Record<string, unknown>
  expect(Object.keys(claims).sort()).toEqual(['aud', 'client_id', 'exp', 'iat', 'iss', 'jti', 'mine', 'scope', 'sub'])
  expect(claims).toMatchObject({ sub: world.user.id, client_id: world.exchanger.id })
})

test('other claims are passed through as JSON', async () => {
  await setScript(
    server,
    'client-credentials',
    'return { n: NaN, u: undefined, d: new Date(0), nested: { sub: "x", "": [1] } }',
  )
  const claims = await expectSound((await world.machine.ask()).body.access_token)
  expect(claims).toMatchObject({ n: null, d: '1970-01-01T00:00:00.000Z', nested: { sub: 'x', '': [1] } })
  expect(claims).not.toHaveProperty('u')
})
