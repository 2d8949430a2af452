/** Who may call: every route that needs a permission, made from the contract (DECISIONS B4). */
import { API_ROUTES } from '@countersign/contract/api.ts'
import { ALL_PERMISSION } from '@countersign/contract/permissions.ts'
import { permissionsOf } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { signingKeys } from '../../src/domain/tenants/signing-keys.ts'
import { getTenant } from '../../src/domain/tenants/tenants.ts'
import {
  call,
  fresh,
  GUARDED,
  holdFinePermissions,
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
const tokens: Record<'all' | 'none' | 'own' | 'elsewhere' | 'user' | 'deleted', string> = {
  all: '',
  none: '',
  own: '',
  elsewhere: '',
  user: '',
  deleted: '',
}

/** A token signed by the tenant's own key, whatever the token endpoint would say. */
const mint = async (sub: string, aud: string, client_id: string, scope = 'all'): Promise<string> => {
  const { store, issuer: iss } = server
  const [key] = await signingKeys(store, await getTenant(store, 'default'))
  if (!key) throw new Error('the tenant has no key')
  const iat = Math.floor(store.clock.now().getTime() / 1000)
  return new SignJWT({ iss, sub, aud, client_id, scope, iat, exp: iat + 3600, jti: fresh('jti') })
    .setProtectedHeader({ alg: key.algorithm, kid: key.id, typ: 'at+jwt' })
    .sign(key.privateKey)
}

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  worldFor = worldsOf(server)
  const { api, credentials } = server
  await holdFinePermissions(server)
  tokens.all = await managementToken(server, 'all')
  tokens.none = await managementToken(server, 'unknown:scope')
  await api('POST', '/resources', { name: 'Elsewhere', indicator: 'https://elsewhere.example' })
  const { clientId } = credentials
  tokens.own = await mint(clientId, credentials.resource, clientId)
  tokens.elsewhere = await mint(clientId, 'https://elsewhere.example', clientId)
  tokens.user = await mint('abcdefghijkl', credentials.resource, clientId)
  const { body: gone } = await api('POST', '/applications', { name: 'Gone', type: 'MachineToMachine' })
  tokens.deleted = await mint(gone.id, credentials.resource, gone.id)
  await api('DELETE', `/applications/${gone.id}`)
})
afterAll(() => server.close())

test('R-33: every route declares a permission, except readiness, the documents and what sign-in pages read', () => {
  const open = API_ROUTES.filter(({ permission }) => permission === null).map(({ path }) => path)
  expect(open).toEqual([
    '/status',
    '/openapi.json',
    '/swagger.json',
    '/.well-known/management.openapi.json',
    '/.well-known/experience.openapi.json',
    '/.well-known/webhook-events.json',
    '/.well-known/user.openapi.json',
    '/.well-known/sign-in-exp',
    '/.well-known/account-center',
    '/.well-known/phrases',
  ])
})

/** What every challenge names (RFC 9728 section 5.1). */
const document = () => `resource_metadata="${server.baseUrl}/.well-known/oauth-protected-resource/api"`

describe.each(GUARDED.map((route) => [titleOf(route), route] as const))('R-33: %s', (_, route) => {
  const own = permissionsOf(route)
  const asked = (headers: Record<string, string>) =>
    call(server, route.method, unknownPath(route), { headers, body: sampleBody(route, NOWHERE) })

  test('401 without a token', async () => {
    const { status, headers, body } = await asked({})
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe(`Bearer ${document()}`)
    expect(body.code).toBe('auth.authorization_header_missing')
  })

  test.each([
    ['Basic', () => 'Basic YTpi'],
    ['Bearer without a token', () => 'Bearer'],
    ['Bearer with two tokens', () => `Bearer ${tokens.all} ${tokens.all}`],
  ])('401 with %s', async (_title, authorization) => {
    const { status, headers, body } = await asked({ authorization: authorization() })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toMatch(/^Bearer/)
    expect(body.code).toBe('auth.authorization_token_type_not_supported')
  })

  test.each([
    ['a token of another audience', () => tokens.elsewhere],
    ['the token of a user', () => tokens.user],
    ['a token whose application was deleted', () => tokens.deleted],
    ['a token whose signature was changed', () => `${tokens.all.slice(0, -8)}AAAAAAAA`],
    ['an unsigned token', () => `${tokens.all.split('.').slice(0, 2).join('.')}.`],
    ['no token at all', () => 'x.y.z'],
  ])('401 with %s', async (_title, token) => {
    const { status, headers, body } = await asked({ authorization: `Bearer ${token()}` })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe(`Bearer error="invalid_token", ${document()}`)
    expect(body.code).toBe('auth.unauthorized')
  })

  test('401 with a token in the query or the body instead of the header', async () => {
    const path = `${unknownPath(route)}?access_token=${tokens.all}`
    const { status } = await call(server, route.method, path, { body: { access_token: tokens.all } })
    expect(status).toBe(401)
  })

  test('403 with a token without permissions; the response names what it needs', async () => {
    const { status, headers, body } = await asked({ authorization: `Bearer ${tokens.none}` })
    expect(status).toBe(403)
    expect(headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", scope="${own.join(' ')}", ${document()}`,
    )
    expect(body).toMatchObject({ code: 'auth.forbidden', data: { permission: own.join(' ') } })
  })

  test.each(own)('403 with every fine permission but %s', async (permission) => {
    const others = new Set<string>(GUARDED.flatMap(permissionsOf))
    others.delete(permission)
    others.delete(ALL_PERMISSION)
    const token = await managementToken(server, [...others].join(' '))
    expect((await asked({ authorization: `Bearer ${token}` })).status).toBe(403)
  })

  test.skipIf(needsCode(route))(`succeeds with exactly ${own.join(' and ')}`, async () => {
    const world = await worldFor(route)
    const token = await managementToken(server, own.join(' '))
    const body = sampleBody(route, world)
    const { status } = await server.api(route.method, pathIn(world, route), body, { token })
    expect(status).toBe(route.status)
  })
})

test.each(['read', 'read:role', 'read:roles:all', 'READ:roles', 'al', 'all:x', 'ALL', '*', 'read:*'])(
  '403 when the token carries %s: permissions are compared whole',
  async (scope) => {
    const { credentials } = server
    const token = await mint(credentials.clientId, credentials.resource, credentials.clientId, scope)
    expect((await call(server, 'GET', '/roles', { token })).status).toBe(403)
  },
)

test('the tokens signed by these tests are valid except for what each lacks', async () => {
  expect((await call(server, 'GET', '/roles', { token: tokens.own })).status).toBe(200)
})
