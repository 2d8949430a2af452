/** Introspection of tokens of users' grants: opaque tokens, refresh tokens, JWTs (RFC 7662, DECISIONS G5). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { signingKeys } from '../../src/domain/tenants/signing-keys.ts'
import { getTenant } from '../../src/domain/tenants/tenants.ts'
import { signJws } from '../../src/tokens/jws.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import type { Browser } from '../sign-in/browser.ts'
import { ACCESS_TOKEN, createExchanger, exchange } from '../token-exchange/arrange.ts'
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

  test('of a refresh token: no token_type, and a spent one is not active', async () => {
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
      acr: 'urn:countersign:acr:1fa',
      sid,
    })
    expect((await introspect(own, spent)).body).toEqual(INACTIVE)
    // introspection is not use: the family stays alive
    expect((await introspect(own, refresh)).body.active).toBe(true)
  })

  test('of a JWT: its claims and the username', async () => {
    const { jwt } = await issued()
    expect((await introspect(own, jwt)).body).toEqual({
      active: true,
      token_type: 'Bearer',
      ...decodeJwt(jwt),
      username: user.username,
    })
  })

  test('of a user without a username: none', async () => {
    const tokens = await issued()
    await server.api('PATCH', `/users/${user.id}`, { username: null, primaryEmail: `${user.id}@person.example` })
    for (const kind of KINDS) {
      const { body } = await introspect(own, tokens[kind])
      expect(body).toMatchObject({ active: true, sub: user.id })
      expect(body).not.toHaveProperty('username')
    }
  })

  test('of tokens without a scope: none', async () => {
    await server.api('PATCH', `/applications/${app.id}`, { customClientMetadata: { alwaysIssueRefreshToken: true } })
    const begun = await begin(app.configuration, { scope: '' })
    const { url } = await signIn(newBrowser(), begun, user.username)
    const parameters = {
      grant_type: 'authorization_code',
      code: url.searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
      code_verifier: begun.verifier,
    }
    const { body } = await post(server, '/token', parameters, authorization(own))
    for (const token of [body.access_token, body.refresh_token]) {
      const { body: shown } = await introspect(own, token)
      expect(shown).toMatchObject({ active: true, sub: user.id })
      expect(shown).not.toHaveProperty('scope')
    }
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
  ['a resource server of the audience', { introspectionAudiences: ['the API'] }, ['jwt']],
  ['a resource server of the issuer', { introspectionAudiences: ['the issuer'] }, []],
  ['one that the tenant allows to see all', { dangerouslyIntrospectAllTokens: true }, KINDS],
])('R-14 %s sees only what concerns it', async (_who, metadata, seen) => {
  const named: Record<string, string> = { 'the API': arranged.resource.indicator, 'the issuer': server.issuer }
  const audiences = 'introspectionAudiences' in metadata ? (metadata.introspectionAudiences as string[]) : undefined
  const caller = await registerApplication(server, 'MachineToMachine', {
    ...metadata,
    ...(audiences ? { introspectionAudiences: audiences.map((name) => named[name] ?? '') } : {}),
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

  test('a session that ended, after the grants that outlive it were revoked', () =>
    gone(({ sid }) => server.api('DELETE', `/users/${user.id}/sessions/${sid}?revokeGrantsTarget=all`)))

  test('but a grant with offline access outlives its session', () =>
    gone(({ sid }) => server.api('DELETE', `/users/${user.id}/sessions/${sid}`), KINDS))

  test('but revoking a JWT revokes only that token, and its grant lives on', () =>
    gone(({ jwt }) => post(server, '/token/revocation', { token: jwt }, authorization(own)), ['opaque', 'refresh']))
})

describe('a JWT ends with the grant that it came from', () => {
  let backend: Awaited<ReturnType<typeof createExchanger>>
  beforeAll(async () => {
    backend = await createExchanger(server)
  })

  /** How the server itself treats the token: introspection and exchange. */
  const standing = async (token: string) => {
    const { body } = await introspect(own, token)
    const { status } = await exchange(server.baseUrl, backend, {
      subject_token: token,
      subject_token_type: ACCESS_TOKEN,
      resource: arranged.resource.indicator,
      scope: 'read:orders',
    })
    return [body.active, status]
  }
  const STANDS = [true, 200]
  const ENDED = [false, 400]

  /** A code and the tokens that it is redeemed for: a JWT, and a refresh token with offline_access. */
  const authorized = async (browser: Browser, scope = 'openid offline_access read:orders') => {
    const { indicator: resource } = arranged.resource
    const begun = await begin(app.configuration, { scope, resource })
    let back = await browser.open(begun.url)
    if (back.text.includes('name="identifier"')) back = await signIn(browser, begun, user.username)
    const tokens = await redeem(app.configuration, back, begun, { resource })
    const again = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: begun.verifier }
    return {
      jwt: tokens.access_token,
      refresh: tokens.refresh_token ?? '',
      replay: () =>
        post(server, '/token', { ...again, code: back.url.searchParams.get('code') ?? '' }, authorization(own)),
    }
  }
  const signOut = async (browser: Browser) =>
    browser.submit(await browser.open(`${server.issuer}/session/end`), { confirm: 'yes' })

  /** The same token as issued by an earlier version, which did not name the grant. */
  const asMadeBefore = async (token: string) => {
    const keys = await signingKeys(server.store, await getTenant(server.store, 'default'))
    const { kid } = decodeProtectedHeader(token)
    const key = keys.find(({ id }) => id === kid)
    if (!key) throw new Error('the key is gone')
    return signJws(key, 'at+jwt', { ...decodeJwt(token), jti: 'a'.repeat(21) })
  }

  test.each<[string, (tokens: Awaited<ReturnType<typeof authorized>>) => Promise<unknown>]>([
    ['its code is used again', ({ replay }) => replay()],
    [
      'its refresh token is used again',
      async ({ refresh }) => {
        const rotated = await client.refreshTokenGrant(app.configuration, refresh)
        await client.refreshTokenGrant(app.configuration, rotated.refresh_token ?? '')
        await expect(client.refreshTokenGrant(app.configuration, refresh)).rejects.toThrow()
      },
    ],
    [
      'its client revokes it',
      ({ refresh }) => post(server, '/token/revocation', { token: refresh }, authorization(own)),
    ],
  ])('R-13 when %s, and stays so when the user authorizes again in the same moment', async (_how, end) => {
    const browser = newBrowser()
    const tokens = await authorized(browser)
    expect(await standing(tokens.jwt)).toEqual(STANDS)
    await end(tokens)
    expect(await standing(tokens.jwt)).toEqual(ENDED)
    expect(await standing((await authorized(browser)).jwt)).toEqual(STANDS)
    expect(await standing(tokens.jwt)).toEqual(ENDED)
  })

  test('R-13 when the user signs out, even if another grant outlives the session', async () => {
    const [here, there] = [newBrowser(), newBrowser()]
    const other = await authorized(there)
    const { jwt } = await authorized(here, 'openid read:orders')
    await signOut(there)
    expect([await standing(jwt), await standing(other.jwt)]).toEqual([STANDS, STANDS])
    await signOut(here)
    expect([await standing(jwt), await standing(other.jwt)]).toEqual([ENDED, STANDS])
  })

  test('a token of an earlier version lives with any grant of its session that is not younger', async () => {
    const browser = newBrowser()
    const { jwt, replay } = await authorized(browser)
    const before = await asMadeBefore(jwt)
    await authorized(newBrowser())
    expect(await standing(before)).toEqual(STANDS)
    await replay()
    expect(await standing(before)).toEqual(ENDED)
    server.clock.advance(1)
    await authorized(browser)
    expect(await standing(before)).toEqual(ENDED)
    // its grant outlives the session, and is recognized as the grant of the token
    const offline = await authorized(newBrowser())
    const kept = await asMadeBefore(offline.jwt)
    expect(await standing(kept)).toEqual(STANDS)
    await server.api('DELETE', `/users/${user.id}/sessions/${decodeJwt(kept).sid}`)
    expect(await standing(kept)).toEqual(STANDS)
    expect(await standing(before)).toEqual(ENDED)
  })

  test('or with its session, if it was authorized without offline_access and the grant has gained it since', async () => {
    const browser = newBrowser()
    const { jwt } = await authorized(browser, 'openid read:orders')
    const begun = await begin(app.configuration, { scope: 'openid' })
    const opaque = await redeem(app.configuration, await browser.open(begun.url), begun)
    const unused = await begin(app.configuration, { scope: 'openid' })
    const code = await browser.open(unused.url)
    const offline = await authorized(browser)
    const isAlive = () =>
      client.fetchUserInfo(app.configuration, opaque.access_token, client.skipSubjectCheck).then(
        () => true,
        () => false,
      )
    /** Whether it is accepted as an actor token. */
    const actor = async () => {
      const { body } = await server.api('POST', '/subject-tokens', { userId: user.id })
      const { status } = await exchange(server.baseUrl, backend, {
        subject_token: body.subjectToken,
        subject_token_type: ACCESS_TOKEN,
        actor_token: opaque.access_token,
        actor_token_type: ACCESS_TOKEN,
        resource: arranged.resource.indicator,
        scope: 'read:orders',
      })
      return status
    }
    expect([await standing(jwt), await isAlive(), await actor()]).toEqual([STANDS, true, 200])
    await signOut(browser)
    expect([await standing(jwt), await isAlive(), await actor()]).toEqual([ENDED, false, 400])
    expect((await introspect(own, opaque.access_token)).body).toEqual(INACTIVE)
    await expect(redeem(app.configuration, code, unused)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect(await standing(offline.jwt)).toEqual(STANDS)
    const refreshed = await client.refreshTokenGrant(app.configuration, offline.refresh, { scope: 'openid' })
    await client.fetchUserInfo(app.configuration, refreshed.access_token, client.skipSubjectCheck)
  })

  test('so does a refresh token of an application that always receives one', async () => {
    await server.api('PATCH', `/applications/${app.id}`, { customClientMetadata: { alwaysIssueRefreshToken: true } })
    const browser = newBrowser()
    const { refresh } = await authorized(browser, 'openid read:orders')
    const offline = await authorized(browser)
    expect((await introspect(own, refresh)).body.active).toBe(true)
    await signOut(browser)
    expect((await introspect(own, refresh)).body).toEqual(INACTIVE)
    for (const rotateRefreshToken of [true, false]) {
      await server.api('PATCH', `/applications/${app.id}`, {
        customClientMetadata: { alwaysIssueRefreshToken: true, rotateRefreshToken },
      })
      await expect(client.refreshTokenGrant(app.configuration, refresh)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    }
    expect((await client.refreshTokenGrant(app.configuration, offline.refresh)).access_token).toBeDefined()
  })
})

test.each(['cs_at_', 'cs_rt_', `cs_at_${'A'.repeat(43)}`, `cs_rt_${'a'.repeat(21)}.0.${'A'.repeat(43)}`])(
  'what only looks like a token is not active: %s',
  async (token) => {
    expect((await introspect(own, token)).body).toEqual(INACTIVE)
  },
)

// this comes last: the token of the harness expires too
test('expired tokens are not active, each kind after its own lifetime', async () => {
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
