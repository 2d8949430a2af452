/** Introspection of what users' grants give: opaque tokens, refresh tokens, JWTs (RFC 7662, DECISIONS G5). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { type Arranged, arrange, authorization, post, registerApplication } from './arrange.ts'

let server: TestServer
let arranged: Arranged
let app: Awaited<ReturnType<typeof createApp>>
let own: { clientId: string; clientSecret: string }
let user: Awaited<ReturnType<typeof createUser>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
  await server.api('POST', '/roles', {
    name: 'buyers',
    scopeIds: [arranged.scopeIds['read:orders']],
    isDefault: true,
  })
})
beforeEach(async () => {
  app = await createApp(server, 'Traditional', { customClientMetadata: { rotateRefreshToken: true } })
  const { body: secrets } = await server.api('GET', `/applications/${app.id}/secrets`)
  own = { clientId: app.id, clientSecret: secrets[0].value }
  user = await createUser(server)
})
afterAll(() => server.close())

const INACTIVE = { active: false }
const introspect = (by: typeof own, token: string, more: Record<string, string> = {}) =>
  post(server, '/token/introspection', { token, ...more }, authorization(by))
const seconds = () => Math.floor(server.clock.now().getTime() / 1000)

/** One token of each kind, of one grant. */
const issued = async () => {
  const { indicator: resource } = arranged.resource
  const begun = await begin(app.configuration, { scope: 'openid profile offline_access read:orders', resource })
  const tokens = await redeem(app.configuration, await signIn(newBrowser(), begun, user.username), begun)
  const jwt = await client.refreshTokenGrant(app.configuration, tokens.refresh_token ?? '', { resource })
  return {
    sid: tokens.claims()?.sid,
    spent: tokens.refresh_token ?? '',
    opaque: tokens.access_token,
    refresh: jwt.refresh_token ?? '',
    jwt: jwt.access_token,
  }
}
type Kind = 'opaque' | 'refresh' | 'jwt'
const KINDS: Kind[] = ['opaque', 'refresh', 'jwt']

describe("what the token's own client sees", () => {
  test('of an opaque token', async () => {
    const { opaque, sid } = await issued()
    expect((await introspect(own, opaque)).body).toEqual({
      active: true,
      token_type: 'Bearer',
      iss: server.issuer,
      sub: user.id,
      aud: server.issuer,
      iat: seconds(),
      exp: seconds() + 3600,
      client_id: app.id,
      scope: 'openid profile offline_access',
      username: user.username,
      sid,
    })
  })

  test('of a refresh token: no token_type, and nothing any more of one that was spent', async () => {
    const { refresh, spent, sid } = await issued()
    expect((await introspect(own, refresh)).body).toEqual({
      active: true,
      iss: server.issuer,
      sub: user.id,
      aud: server.issuer,
      iat: seconds(),
      exp: seconds() + 14 * 86_400,
      client_id: app.id,
      scope: 'openid profile offline_access read:orders',
      username: user.username,
      auth_time: seconds(),
      sid,
    })
    expect((await introspect(own, spent)).body).toEqual(INACTIVE)
    // asking is not using: the family lives
    expect((await introspect(own, refresh)).body.active).toBe(true)
  })

  test('of a JWT: its claims, and the username', async () => {
    const { jwt } = await issued()
    expect((await introspect(own, jwt)).body).toEqual({
      active: true,
      token_type: 'Bearer',
      ...decodeJwt(jwt),
      username: user.username,
    })
  })

  test('whatever the hint says', async () => {
    const tokens = await issued()
    for (const kind of KINDS) {
      for (const token_type_hint of ['access_token', 'refresh_token', 'nonsense']) {
        expect((await introspect(own, tokens[kind], { token_type_hint })).body.active).toBe(true)
      }
    }
  })
})

test.each<[string, object, Kind[]]>([
  ['another application', {}, []],
  ['a server of the audience', { introspectionAudiences: ['the API'] }, ['jwt']],
  ['a server of the issuer', { introspectionAudiences: ['the issuer'] }, []],
  ['one that the tenant lets see all', { dangerouslyIntrospectAllTokens: true }, KINDS],
])('R-14 %s sees only what concerns it', async (_who, metadata, seen) => {
  const named: Record<string, string> = { 'the API': arranged.resource.indicator, 'the issuer': server.issuer }
  const audiences = 'introspectionAudiences' in metadata ? (metadata.introspectionAudiences as string[]) : undefined
  const caller = await registerApplication(server, 'MachineToMachine', {
    ...metadata,
    ...(audiences ? { introspectionAudiences: audiences.map((name) => named[name]) } : {}),
  })
  const tokens = await issued()
  for (const kind of KINDS) {
    const { status, body } = await introspect(caller, tokens[kind])
    expect(status).toBe(200)
    if (seen.includes(kind)) expect(body).toMatchObject({ active: true, client_id: app.id, sub: user.id })
    else expect(body).toEqual(INACTIVE)
  }
})

describe('R-13 nothing is active of', () => {
  const gone = async (how: (tokens: Awaited<ReturnType<typeof issued>>) => Promise<unknown>, left: Kind[] = []) => {
    const tokens = await issued()
    for (const kind of KINDS) expect((await introspect(own, tokens[kind])).body.active).toBe(true)
    await how(tokens)
    for (const kind of KINDS) {
      const { body } = await introspect(own, tokens[kind])
      expect({ kind, active: body.active }).toEqual({ kind, active: left.includes(kind) })
      if (!body.active) expect(body).toEqual(INACTIVE)
    }
  }

  test('a suspended user', () =>
    gone(() => server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true })))

  test('a deleted user', () => gone(() => server.api('DELETE', `/users/${user.id}`)))

  test('a revoked grant', () =>
    gone(async () => {
      const { body } = await server.api('GET', `/users/${user.id}/grants`)
      await server.api('DELETE', `/users/${user.id}/grants/${body.grants[0].id}`)
    }))

  test('a refresh token that its client revoked', () =>
    gone(({ refresh }) => post(server, '/token/revocation', { token: refresh }, authorization(own))))

  test('a session that ended, with the grants that go on without it revoked', () =>
    gone(({ sid }) => server.api('DELETE', `/users/${user.id}/sessions/${sid}?revokeGrantsTarget=all`)))

  test('but a grant with offline access goes on without its session', () =>
    gone(({ sid }) => server.api('DELETE', `/users/${user.id}/sessions/${sid}`), KINDS))

  test('but a JWT that was revoked is one token, and its grant lives', () =>
    gone(({ jwt }) => post(server, '/token/revocation', { token: jwt }, authorization(own)), ['opaque', 'refresh']))
})

test.each(['cs_at_', 'cs_rt_', `cs_at_${'A'.repeat(43)}`, `cs_rt_${'a'.repeat(21)}.0.${'A'.repeat(43)}`])(
  'what only looks like a token is not active: %s',
  async (token) => {
    expect((await introspect(own, token)).body).toEqual(INACTIVE)
  },
)

// last: the token of the harness expires too
test('what has expired is not active, each kind in its time', async () => {
  const tokens = await issued()
  const active = async () => {
    const answers = await Promise.all(KINDS.map((kind) => introspect(own, tokens[kind])))
    return KINDS.filter((_, i) => answers[i]?.body.active)
  }
  server.clock.advance(3599)
  expect(await active()).toEqual(KINDS)
  server.clock.advance(1)
  expect(await active()).toEqual(['refresh'])
  server.clock.advance(14 * 86_400 - 3600)
  expect(await active()).toEqual([])
})
