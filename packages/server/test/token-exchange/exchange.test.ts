/** Token exchange: SPEC 4.3, 4.4, 4.5 and DECISIONS H, row by row. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fresh } from '../protocol/arrange.ts'
import { begin, createApp, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import {
  ACCESS_TOKEN,
  BILLING,
  type Caller,
  createExchanger,
  createExchangeWorld,
  type ExchangeWorld,
  exchange,
  GRANT,
  ORDERS,
  PAT,
} from './arrange.ts'

let server: TestServer
let world: ExchangeWorld
let user: { id: string; username: string }
let support: { id: string; username: string }
let tokens: Awaited<ReturnType<ExchangeWorld['tokensOf']>>
let supportTokens: typeof tokens
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createExchangeWorld(server)
  user = await world.person()
  support = await world.person()
  tokens = await world.tokensOf(user.username)
  supportTokens = await world.tokensOf(support.username)
})
afterAll(() => server.close())

const ask = (caller: Caller, change: Parameters<typeof exchange>[2]) =>
  exchange(server.baseUrl, caller, {
    subject_token_type: ACCESS_TOKEN,
    resource: BILLING,
    scope: 'read:bills pay:bills',
    ...change,
  })
const verified = async (token: string, audience = BILLING) => {
  const keys = createRemoteJWKSet(new URL(`${server.issuer}/jwks`))
  return (await jwtVerify(token, keys, { issuer: server.issuer, audience, typ: 'at+jwt' })).payload
}
const audited = async () => {
  const { body } = await server.api('GET', '/logs?logKey=ExchangeTokenBy.TokenExchange&page_size=1')
  return body[0].payload
}

describe('SPEC 4.4: delegation', () => {
  test('a backend gets a token for another API on behalf of the user', async () => {
    server.clock.advance(1)
    const { status, body } = await ask(world.backend, { subject_token: tokens.jwt })
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'issued_token_type', 'scope', 'token_type'])
    expect(body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'read:bills pay:bills',
      issued_token_type: ACCESS_TOKEN,
    })
    const claims = await verified(body.access_token)
    expect(claims).toMatchObject({ sub: user.id, aud: BILLING, client_id: world.backend.id, iss: server.issuer })
    expect(claims).not.toHaveProperty('act')
    expect(claims).not.toHaveProperty('sid')
    expect(decodeProtectedHeader(body.access_token).typ).toBe('at+jwt')
    expect(await audited()).toMatchObject({
      result: 'Success',
      applicationId: world.backend.id,
      userId: user.id,
      resource: BILLING,
      scope: 'read:bills pay:bills',
      subjectTokenAudience: ORDERS,
    })
  })

  test('an application that the user may not use is refused, whatever permissions the user holds', async () => {
    const { id: backend } = world.backend
    await server.api('PUT', `/applications/${backend}/access-control`, {
      userIds: [(await world.person()).id],
      userRoleIds: [],
      organizationIds: [],
      organizationRoleRules: [],
    })
    const path = `/applications/${backend}`
    await server.api('PATCH', path, { appLevelAccessControlEnabled: true })
    const { status, body } = await ask(world.backend, { subject_token: tokens.jwt })
    expect([status, body.error]).toEqual([400, 'access_denied'])
    const once = { subject_token: await world.subjectToken(user.id) }
    expect((await ask(world.backend, once)).body.error).toBe('access_denied')
    await server.api('PATCH', path, { appLevelAccessControlEnabled: false })
    expect((await ask(world.backend, { subject_token: tokens.jwt })).status).toBe(200)
    // it was used up
    expect((await ask(world.backend, once)).body.error).toBe('invalid_grant')
  })

  test('the token has only requested permissions that the user holds for the API, by exact name', async () => {
    server.clock.advance(1)
    const { body } = await ask(world.backend, {
      subject_token: tokens.jwt,
      scope: 'read:bills read delete:bills read:orders openid offline_access',
    })
    expect(body.scope).toBe('read:bills')
    const { dropped } = await audited()
    expect(dropped.map(({ scope }: { scope: string }) => scope)).toEqual([
      'openid',
      'offline_access',
      'read',
      'delete:bills',
      'read:orders',
    ])
    const none = await ask(world.backend, { subject_token: tokens.jwt, scope: 'delete:bills' })
    expect(none.status).toBe(200)
    expect(none.body.scope).toBe('')
    expect(decodeJwt(none.body.access_token)).not.toHaveProperty('scope')
  })

  test('a removed role is missing from the next token', async () => {
    const other = await world.person()
    const { jwt } = await world.tokensOf(other.username)
    await server.api('DELETE', `/users/${other.id}/roles/${world.role.id}`)
    expect((await ask(world.backend, { subject_token: jwt })).body.scope).toBe('')
  })

  test('an exchanged token can be exchanged in turn, and a token can be exchanged more than once', async () => {
    const first = await ask(world.backend, { subject_token: tokens.jwt })
    const next = await ask(await createExchanger(server, 'MachineToMachine'), {
      subject_token: first.body.access_token,
      resource: ORDERS,
      scope: 'read:orders',
    })
    expect(decodeJwt(next.body.access_token)).toMatchObject({ sub: user.id, aud: ORDERS, scope: 'read:orders' })
    expect((await ask(world.backend, { subject_token: tokens.jwt })).status).toBe(200)
  })
})

describe('SPEC 4.3: impersonation', () => {
  test('a subject token is exchanged once for a token of its user; context, user and actor are in the audit log', async () => {
    const context = { ticket: 'T-1', reason: 'billing question' }
    const subjectToken = await world.subjectToken(user.id, context)
    expect(subjectToken).toMatch(/^sub_/)
    // audit entries are ordered by time
    server.clock.advance(1)
    const { status, body } = await ask(world.backend, {
      subject_token: subjectToken,
      actor_token: supportTokens.opaque,
      actor_token_type: ACCESS_TOKEN,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ issued_token_type: ACCESS_TOKEN, token_type: 'Bearer' })
    expect(body).not.toHaveProperty('refresh_token')
    expect(body).not.toHaveProperty('id_token')
    expect(await verified(body.access_token)).toMatchObject({ sub: user.id, act: { sub: support.id } })
    expect(await audited()).toMatchObject({
      userId: user.id,
      actorUserId: support.id,
      act: { sub: support.id },
      subjectTokenContext: context,
    })
    const again = await ask(world.backend, { subject_token: subjectToken })
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
  })

  test('R-17 introspection shows who acts', async () => {
    const { body } = await ask(world.backend, {
      subject_token: await world.subjectToken(user.id),
      actor_token: supportTokens.opaque,
      actor_token_type: ACCESS_TOKEN,
    })
    const { id, secret } = world.backend
    const answer = await fetch(`${server.issuer}/token/introspection`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ token: body.access_token }),
    })
    expect(await answer.json()).toMatchObject({ active: true, sub: user.id, act: { sub: support.id }, client_id: id })
  })

  test('without an actor there is no act; a public application may exchange with only its client_id', async () => {
    const spa = await createExchanger(server, 'SPA')
    const { status, body } = await ask(spa, { subject_token: await world.subjectToken(user.id) })
    expect(status).toBe(200)
    expect(decodeJwt(body.access_token)).toMatchObject({ sub: user.id, client_id: spa.id })
    expect(decodeJwt(body.access_token)).not.toHaveProperty('act')
  })

  test('H5 the chain of actors is kept, and ends at five', async () => {
    let { body } = await ask(world.backend, {
      subject_token: await world.subjectToken(user.id),
      actor_token: supportTokens.opaque,
      actor_token_type: ACCESS_TOKEN,
    })
    // exchanged again without another actor, the chain is kept
    const passed = await ask(world.backend, { subject_token: body.access_token })
    expect(decodeJwt(passed.body.access_token).act).toEqual({ sub: support.id })
    for (let depth = 2; depth <= 5; depth += 1) {
      const next = await ask(world.backend, {
        subject_token: body.access_token,
        actor_token: supportTokens.opaque,
        actor_token_type: ACCESS_TOKEN,
      })
      expect(next.status).toBe(200)
      expect(JSON.stringify(decodeJwt(next.body.access_token).act).match(/sub/g)).toHaveLength(depth)
      body = next.body
    }
    const sixth = await ask(world.backend, {
      subject_token: body.access_token,
      actor_token: supportTokens.opaque,
      actor_token_type: ACCESS_TOKEN,
    })
    expect([sixth.status, sixth.body.error]).toEqual([400, 'invalid_grant'])
  })
})

describe('R-1 R-2 a subject token is used once', () => {
  test('of 50 concurrent exchanges on two nodes, one succeeds', async () => {
    const node = await server.startNode()
    const subject = await world.subjectToken(user.id)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        exchange(index % 2 ? node.url : server.baseUrl, world.backend, {
          subject_token: subject,
          subject_token_type: ACCESS_TOKEN,
          resource: BILLING,
          scope: 'read:bills',
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(49)
    await node.close()
  })

  test('concurrent exchanges of different tokens each return a token of their own user', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => world.person()))
    const subjectTokens = await Promise.all(people.map(({ id }, number) => world.subjectToken(id, { number })))
    const known = [...subjectTokens, 'sub_unknown', subjectTokens[0] ?? '']
    const answers = await Promise.all(known.map((subject_token) => ask(world.backend, { subject_token })))
    for (const [index, { id }] of people.entries().drop(1))
      expect(decodeJwt(answers[index]?.body.access_token).sub).toBe(id)
    expect(answers[6]).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    // the token that was sent twice
    const [spent, used] = [answers[0], answers[7]].toSorted((one, other) => (other?.status ?? 0) - (one?.status ?? 0))
    expect(spent).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(decodeJwt(used?.body.access_token).sub).toBe(people[0]?.id)
  })

  test('it expires after ten minutes, and ends with its user', async () => {
    const late = await world.subjectToken(user.id)
    const other = await world.person()
    const gone = await world.subjectToken(other.id)
    await server.api('PATCH', `/users/${other.id}/is-suspended`, { isSuspended: true })
    expect((await ask(world.backend, { subject_token: gone })).body.error).toBe('invalid_grant')
    server.clock.advance(600)
    expect((await ask(world.backend, { subject_token: late })).body.error).toBe('invalid_grant')
    tokens = await world.tokensOf(user.username)
    supportTokens = await world.tokensOf(support.username)
  })

  test('a request that is refused for another reason does not consume it', async () => {
    const subject = await world.subjectToken(user.id)
    for (const wrong of [
      { resource: undefined },
      { resource: 'https://unknown.example' },
      { scope: undefined },
      { actor_token: supportTokens.opaque },
      { actor_token: 'cs_at_x', actor_token_type: ACCESS_TOKEN },
    ]) {
      expect((await ask(world.backend, { subject_token: subject, ...wrong })).status).toBe(400)
    }
    expect((await ask(world.backend, { subject_token: subject })).status).toBe(200)
  })
})

describe('R-10 H1 parameters', () => {
  test.each(['subject_token', 'subject_token_type', 'resource', 'scope'])(
    '%s missing, empty or repeated is invalid_request and named',
    async (name) => {
      const whole: Record<string, string> = {
        subject_token: tokens.jwt,
        subject_token_type: ACCESS_TOKEN,
        resource: BILLING,
        scope: 'read:bills',
      }
      for (const value of [undefined, '', [whole[name] ?? '', whole[name] ?? ''], ['', '']]) {
        const { status, body } = await ask(world.backend, { ...whole, [name]: value })
        expect([status, body.error]).toEqual([400, 'invalid_request'])
        expect(body.error_description).toContain(name)
      }
    },
  )

  test.each([
    [{ actor_token_type: ACCESS_TOKEN }, 'invalid_request', 'actor_token'],
    [{ actor_token: 'x' }, 'invalid_request', 'actor_token_type'],
    [
      { actor_token: 'x', actor_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
      'invalid_request',
      'actor_token_type',
    ],
    [{ subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' }, 'invalid_request', 'subject_token_type'],
    [{ subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' }, 'invalid_request', 'subject_token_type'],
    [
      { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
      'invalid_request',
      'requested_token_type',
    ],
    [{ audience: BILLING }, 'invalid_request', 'audience'],
    [{ resource: 'https://unknown.example' }, 'invalid_target', 'resource'],
    [{ resource: 'nonsense' }, 'invalid_target', 'resource'],
  ])('%j is %s', async (change, error, named) => {
    const { status, body } = await ask(world.backend, { subject_token: tokens.jwt, ...change })
    expect([status, body.error]).toEqual([400, error])
    expect(body.error_description).toContain(named)
  })

  test('H6 never for the Management API', async () => {
    const { resource } = server.credentials
    const { status, body } = await ask(world.backend, { subject_token: tokens.jwt, resource, scope: 'all' })
    expect([status, body.error]).toEqual([400, 'invalid_target'])
  })

  test('parameters of other grants are ignored, and never turn the request into one of them', async () => {
    const others = { code: 'x', refresh_token: tokens.refreshToken, username: 'x', device_code: 'x' }
    expect((await ask(world.backend, { subject_token: tokens.jwt, ...others })).status).toBe(200)
    const { body } = await ask(world.backend, { subject_token: undefined, ...others })
    expect(body.error).toBe('invalid_request')
  })
})

describe('R-9 who may', () => {
  const subjects = {
    impersonation: () => world.subjectToken(user.id),
    delegation: async () => tokens.jwt,
  }
  const matrix = (['Traditional', 'MachineToMachine', 'SPA', 'Native'] as const).flatMap((type) =>
    ([true, false, undefined] as const).flatMap((flag) =>
      (['impersonation', 'delegation'] as const).map((use) => [type, flag, use] as const),
    ),
  )
  test.each(matrix)('%s with allowTokenExchange %s, %s', async (type, flag, use) => {
    const caller = await createExchanger(server, type, { allowTokenExchange: flag ?? false })
    const { status, body } = await ask(caller, { subject_token: await subjects[use]() })
    if (!flag) {
      expect([status, body.error, body.error_description]).toEqual([
        400,
        'unauthorized_client',
        'token exchange is not allowed for this application',
      ])
    } else if (use === 'delegation' && (type === 'SPA' || type === 'Native')) {
      expect([status, body.error]).toEqual([400, 'unauthorized_client'])
    } else expect(status).toBe(200)
  })

  test('a wrong secret is refused, and so is a confidential application with only its id', async () => {
    const wrong = await ask({ ...world.backend, secret: 'x' }, { subject_token: tokens.jwt })
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client'])
    const bare = await ask({ id: world.backend.id }, { subject_token: tokens.jwt })
    expect([bare.status, bare.body.error]).toEqual([401, 'invalid_client'])
  })

  test('a third-party application can neither enable it nor use it', async () => {
    const refused = await server.api('POST', '/applications', {
      name: 'Guest',
      type: 'Traditional',
      isThirdParty: true,
      customClientMetadata: { allowTokenExchange: true },
    })
    expect(refused.status).toBe(422)
  })

  test('exchangeSubjectAudiences and exchangeTargetResources narrow it', async () => {
    const narrow = await createExchanger(server, 'Traditional', {
      exchangeSubjectAudiences: [BILLING],
      exchangeTargetResources: [BILLING],
    })
    expect((await ask(narrow, { subject_token: tokens.jwt })).body.error).toBe('invalid_grant')
    const target = await createExchanger(server, 'Traditional', {
      exchangeSubjectAudiences: [ORDERS],
      exchangeTargetResources: [ORDERS],
    })
    expect((await ask(target, { subject_token: tokens.jwt })).body.error).toBe('invalid_target')
    expect((await ask(target, { subject_token: tokens.jwt, resource: ORDERS, scope: 'read:orders' })).status).toBe(200)
  })
})

describe('R-11 H3 invalid subjects', () => {
  const refused = async (subject: string) => {
    const { status, body } = await ask(world.backend, { subject_token: subject })
    expect([status, body.error, body.error_description]).toEqual([
      400,
      'invalid_grant',
      'the subject token is not valid for this request',
    ])
  }
  test('ID tokens, refresh tokens, machine tokens, other strings', async () => {
    const machine = await exchange(server.baseUrl, await createExchanger(server, 'MachineToMachine'), {
      grant_type: 'client_credentials',
      resource: BILLING,
    })
    expect(machine.status).toBe(200)
    for (const each of [
      tokens.idToken,
      tokens.refreshToken,
      machine.body.access_token,
      'sub_',
      `sub_${'a'.repeat(43)}`,
      'x',
      'a.b.c',
      'x'.repeat(15_000),
    ])
      await refused(each)
  })

  test('every flipped character of a token', async () => {
    for (let at = 0; at < tokens.jwt.length; at += 7) {
      const flipped = tokens.jwt[at] === 'A' ? 'B' : 'A'
      const changed = tokens.jwt.slice(0, at) + flipped + tokens.jwt.slice(at + 1)
      const { status, body } = await ask(world.backend, { subject_token: changed })
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
    }
  })

  test('tokens that are revoked or expired, or whose grant, user or application is deleted', async () => {
    const other = await world.person()
    const revoked = await world.tokensOf(other.username)
    const { id: appId } = world.app
    await fetch(`${server.issuer}/token/revocation`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: appId, token: revoked.jwt }),
    })
    await refused(revoked.jwt)
    const gone = await createApp(server, 'SPA')
    const orphans = await world.tokensOf(other.username, gone)
    await server.api('DELETE', `/applications/${gone.id}`)
    for (const each of [orphans.jwt, orphans.opaque]) await refused(each)
    const ended = await world.tokensOf(other.username)
    await server.api('PATCH', `/users/${other.id}/password`, { password: 'another long phrase' })
    await refused(ended.jwt)
    const lost = await world.person()
    const suspended = await world.tokensOf(lost.username)
    await server.api('PATCH', `/users/${lost.id}/is-suspended`, { isSuspended: true })
    await refused(suspended.jwt)
    await server.api('DELETE', `/users/${lost.id}`)
    await refused(suspended.jwt)
    const before = tokens.jwt
    server.clock.advance(900)
    await refused(before)
    tokens = await world.tokensOf(user.username)
    supportTokens = await world.tokensOf(support.username)
  })

  test('tokens of a third-party application, whatever the user consented to', async () => {
    const thirdParty = await createApp(server, 'SPA', { isThirdParty: true })
    const tokenOf = async (parameters: Record<string, string>) => {
      const begun = await begin(thirdParty.configuration, { scope: 'openid', resource: ORDERS })
      const browser = newBrowser()
      const allowed = await browser.submit(await signIn(browser, begun, user.username), { answer: 'allow' })
      return (await redeem(thirdParty.configuration, allowed, begun, parameters)).access_token
    }
    const jwt = await tokenOf({ resource: ORDERS })
    expect(decodeJwt(jwt)).toMatchObject({ aud: ORDERS, client_id: thirdParty.id })
    for (const each of [jwt, await tokenOf({})]) await refused(each)
  })

  test('actors: JWTs, ID tokens, machine tokens, suspended people, third-party applications, a scope that only contains openid', async () => {
    const acts = async (actor: string) => {
      const { status, body } = await ask(world.backend, {
        subject_token: tokens.jwt,
        actor_token: actor,
        actor_token_type: ACCESS_TOKEN,
      })
      return [status, body.error, body.error_description]
    }
    const no = [400, 'invalid_grant', 'the actor token is not valid for this request']
    for (const each of [supportTokens.jwt, supportTokens.idToken, supportTokens.refreshToken, 'x', 'cs_at_x'])
      expect(await acts(each)).toEqual(no)
    const other = await world.person()
    const thirdParty = await createApp(server, 'SPA', { isThirdParty: true })
    await server.api('POST', `/applications/${thirdParty.id}/user-consent-scopes`, { userScopes: ['profile'] })
    const begun = await begin(thirdParty.configuration, { scope: 'openid profile' })
    const browser = newBrowser()
    const consent = await signIn(browser, begun, support.username)
    const allowed = await browser.submit(consent, { answer: 'allow' })
    const stranger = await redeem(thirdParty.configuration, allowed, begun)
    expect(stranger.access_token).toMatch(/^cs_at_/)
    expect(await acts(stranger.access_token)).toEqual(no)
    const theirs = await world.tokensOf(other.username)
    await server.api('PATCH', `/users/${other.id}/is-suspended`, { isSuspended: true })
    expect(await acts(theirs.opaque)).toEqual(no)
    await server.store.database.pool.query(
      `UPDATE opaque_access_tokens SET scopes = '{myopenid}' WHERE hash = sha256($1)`,
      [Buffer.from(supportTokens.opaque)],
    )
    expect(await acts(supportTokens.opaque)).toEqual(no)
    supportTokens = await world.tokensOf(support.username)
  })
})

describe('SPEC 4.5 POST /subject-tokens', () => {
  test('returns the token and its lifetime; only the hash is stored', async () => {
    const { status, body } = await server.api('POST', '/subject-tokens', { userId: user.id })
    expect([status, body.expiresIn]).toEqual([201, 600])
    const { rows } = await server.store.database.pool.query('SELECT t::text AS text FROM subject_tokens t')
    expect(rows.map(({ text }) => text).join()).not.toContain(body.subjectToken.slice(4))
  })

  test('only for users who exist and are active, and with a context of at most 16 KiB', async () => {
    expect((await server.api('POST', '/subject-tokens', { userId: 'nobody' })).status).toBe(404)
    const other = await world.person()
    await server.api('PATCH', `/users/${other.id}/is-suspended`, { isSuspended: true })
    expect((await server.api('POST', '/subject-tokens', { userId: other.id })).status).toBe(422)
    const context = { text: 'x'.repeat(16 * 1024) }
    expect((await server.api('POST', '/subject-tokens', { userId: user.id, context })).status).toBe(413)
    for (const wrong of [null, [], 'x', 1])
      expect((await server.api('POST', '/subject-tokens', { userId: user.id, context: wrong })).status).toBe(400)
  })
})

describe('DECISIONS I1 personal access tokens', () => {
  test('are exchanged for tokens of their user; they are shown once, and their last use is recorded', async () => {
    const path = `/users/${user.id}/personal-access-tokens`
    const { status, body } = await server.api('POST', path, { name: 'laptop' })
    expect(status).toBe(201)
    expect(body.value).toMatch(/^pat_[0-9A-Za-z]{32}$/)
    const { body: logs } = await server.api('GET', '/logs?logKey=ManagementApi.createPersonalAccessToken&page_size=1')
    expect(logs[0].payload).toMatchObject({ userId: user.id, personalAccessToken: 'laptop' })
    const use = (type = PAT) => ask(world.backend, { subject_token: body.value, subject_token_type: type })
    expect(decodeJwt((await use()).body.access_token)).toMatchObject({ sub: user.id, scope: 'read:bills pay:bills' })
    expect((await use(PAT.replace('logto', 'countersign'))).status).toBe(200)
    expect((await use(ACCESS_TOKEN)).body.error).toBe('invalid_grant')
    const { body: listed } = await server.api('GET', path)
    expect(listed).toEqual([
      expect.objectContaining({ name: 'laptop', lastUsedAt: server.clock.now().getTime(), expiresAt: null }),
    ])
    expect(listed[0]).not.toHaveProperty('value')
    expect((await server.api('POST', path, { name: 'laptop' })).status).toBe(422)
    expect((await server.api('PATCH', `${path}/laptop`, { name: 'desktop' })).body.name).toBe('desktop')
    expect((await server.api('PATCH', path, { currentName: 'desktop', name: 'a/b' })).status).toBe(200)
    expect((await use()).status).toBe(200)
    expect((await server.api('POST', `${path}/delete`, { name: 'a/b' })).status).toBe(204)
    expect((await use()).body.error).toBe('invalid_grant')
    expect((await server.api('DELETE', `${path}/a%2Fb`)).status).toBe(404)
  })

  test('have names that are unique per user, and are listed in the order of their creation', async () => {
    const { id } = await world.person()
    const path = `/users/${id}/personal-access-tokens`
    for (const name of ['first', 'second', 'a third']) {
      expect((await server.api('POST', path, { name })).status).toBe(201)
      server.clock.advance(1)
    }
    const taken = await server.api('PATCH', `${path}/second`, { name: 'first' })
    expect([taken.status, taken.body.code]).toEqual([422, 'user.personal_access_token_name_exists'])
    expect((await server.api('PATCH', `${path}/second`, { name: 'second' })).status).toBe(200)
    expect((await server.api('PATCH', `${path}/fourth`, { name: 'fifth' })).status).toBe(404)
    const { body } = await server.api('GET', path)
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['first', 'second', 'a third'])
    const unknown = await server.api('POST', '/users/000000000000/personal-access-tokens', { name: 'first' })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'entity.not_exists_with_id'])
  })

  test('end at their expiry, and with their user', async () => {
    const other = await world.person()
    const path = `/users/${other.id}/personal-access-tokens`
    const past = await server.api('POST', path, { name: 'past', expiresAt: server.clock.now().getTime() })
    expect(past.status).toBe(400)
    const soon = server.clock.now().getTime() + 1000
    const { body } = await server.api('POST', path, { name: 'short', expiresAt: soon })
    const { body: lasting } = await server.api('POST', path, { name: 'lasting', expiresAt: null })
    const use = (value: string) => ask(world.backend, { subject_token: value, subject_token_type: PAT })
    expect((await use(body.value)).status).toBe(200)
    server.clock.advance(1)
    expect((await use(body.value)).body.error).toBe('invalid_grant')
    await server.api('PATCH', `/users/${other.id}/is-suspended`, { isSuspended: true })
    expect((await use(lasting.value)).body.error).toBe('invalid_grant')
    await server.api('PATCH', `/users/${other.id}/is-suspended`, { isSuspended: false })
    expect((await use(lasting.value)).status).toBe(200)
    await server.api('DELETE', `/users/${other.id}`)
    expect((await use(lasting.value)).body.error).toBe('invalid_grant')
  })
})

describe('N5 a personal access token that names no resource or no scope', () => {
  const create = async (userId: string) => {
    const { body } = await server.api('POST', `/users/${userId}/personal-access-tokens`, {
      name: `at ${fresh('desk')}`,
    })
    return body.value as string
  }
  const use = (value: string, change: Parameters<typeof exchange>[2] = {}, by = world.backend) =>
    exchange(server.baseUrl, by, { subject_token: value, subject_token_type: PAT, ...change })
  const basic = ({ id, secret }: Caller) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  })
  const userinfo = async (token: string) => {
    const answer = await fetch(`${server.issuer}/me`, { headers: { authorization: `Bearer ${token}` } })
    return { status: answer.status, body: await answer.json() }
  }
  const introspected = async (token: string, by = world.backend) => {
    const body = new URLSearchParams({ token })
    const answer = await fetch(`${server.issuer}/token/introspection`, { method: 'POST', headers: basic(by), body })
    return answer.json()
  }

  test('gets a token without permissions for the resource', async () => {
    const { status, body } = await use(await create(user.id), { resource: BILLING })
    expect([status, body.scope]).toEqual([200, ''])
    expect(decodeJwt(body.access_token)).toMatchObject({ sub: user.id, aud: BILLING })
  })

  test('gets an opaque token, with openid one for userinfo; it creates no grant and ends with its user', async () => {
    const other = await world.person()
    const value = await create(other.id)
    const plain = await use(value)
    expect(Object.keys(plain.body).sort()).toEqual([
      'access_token',
      'expires_in',
      'issued_token_type',
      'scope',
      'token_type',
    ])
    expect([plain.status, plain.body.scope, plain.body.access_token]).toEqual([
      200,
      '',
      expect.stringMatching(/^cs_at_/),
    ])
    expect((await userinfo(plain.body.access_token)).status).toBe(403)
    server.clock.advance(1)
    const { body } = await use(value, { scope: 'openid profile offline_access read:orders' })
    expect(body.scope).toBe('openid profile')
    const { dropped } = await audited()
    expect(dropped.map(({ scope }: { scope: string }) => scope)).toEqual(['read:orders', 'offline_access'])
    expect(await userinfo(body.access_token)).toMatchObject({
      status: 200,
      body: { sub: other.id, username: other.username },
    })
    expect(await introspected(body.access_token)).toMatchObject({
      active: true,
      sub: other.id,
      client_id: world.backend.id,
      username: other.username,
    })
    expect((await server.api('GET', `/users/${other.id}/grants`)).body.grants).toEqual([])
    await server.api('PATCH', `/users/${other.id}/is-suspended`, { isSuspended: true })
    expect((await userinfo(body.access_token)).status).toBe(401)
    await server.api('PATCH', `/users/${other.id}/is-suspended`, { isSuspended: false })
    expect((await userinfo(body.access_token)).status).toBe(200)
    await server.api('DELETE', `/users/${other.id}`)
    expect((await userinfo(body.access_token)).status).toBe(401)
  })

  test('gets an opaque token that only its own application can revoke; tokens exchanged for it live no longer than it does', async () => {
    const caller = await createExchanger(server)
    const { body } = await use(await create(user.id), { scope: 'openid' }, caller)
    const revoke = (by: Caller) =>
      fetch(`${server.issuer}/token/revocation`, {
        method: 'POST',
        headers: basic(by),
        body: new URLSearchParams({ token: body.access_token }),
      })
    expect((await revoke(world.backend)).status).toBe(200)
    const { body: resources } = await server.api('GET', '/resources')
    const { id } = resources.find(({ indicator }: { indicator: string }) => indicator === BILLING)
    await server.api('PATCH', `/resources/${id}`, { accessTokenTtl: 7200 })
    const on = await ask(caller, { subject_token: body.access_token })
    expect([on.status, on.body.expires_in]).toEqual([200, 3600])
    await server.api('PATCH', `/resources/${id}`, { accessTokenTtl: 900 })
    expect((await revoke(caller)).status).toBe(200)
    expect(await introspected(body.access_token, caller)).toEqual({ active: false })
    expect((await ask(caller, { subject_token: body.access_token })).body.error).toBe('invalid_grant')
  })

  test('gets the default API, if there is one and openid is not requested', async () => {
    const { body: resources } = await server.api('GET', '/resources')
    const { id } = resources.find(({ indicator }: { indicator: string }) => indicator === BILLING)
    await server.api('PATCH', `/resources/${id}/is-default`, { isDefault: true })
    const value = await create(user.id)
    const { body } = await use(value, { scope: 'read:bills' })
    expect(decodeJwt(body.access_token)).toMatchObject({ aud: BILLING, scope: 'read:bills' })
    expect((await use(value, { scope: 'openid' })).body.access_token).toMatch(/^cs_at_/)
    const elsewhere = await createExchanger(server, 'Traditional', { exchangeTargetResources: [ORDERS] })
    for (const scope of ['openid', 'read:bills'])
      expect((await use(value, { scope }, elsewhere)).body.error).toBe('invalid_target')
    await server.api('PATCH', `/resources/${id}/is-default`, { isDefault: false })
  })

  test('is not accepted as an actor: that requires a JWT', async () => {
    const actor = { actor_token: supportTokens.opaque, actor_token_type: ACCESS_TOKEN }
    const { status, body } = await use(await create(user.id), actor)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
    expect(body.error_description).toContain('resource')
  })
})

describe('N5 other subjects', () => {
  test('a subject token by its own type, which no other token has', async () => {
    for (const subject_token_type of [
      'urn:logto:token-type:impersonation_token',
      'urn:countersign:token-type:impersonation_token',
    ]) {
      const { status, body } = await ask(world.backend, {
        subject_token: await world.subjectToken(user.id),
        subject_token_type,
      })
      expect(status).toBe(200)
      expect(decodeJwt(body.access_token).sub).toBe(user.id)
      for (const subject_token of [tokens.jwt, tokens.opaque, 'x'])
        expect((await ask(world.backend, { subject_token, subject_token_type })).body.error).toBe('invalid_grant')
    }
  })

  test('an opaque access token of the user, under the checks of a JWT', async () => {
    server.clock.advance(1)
    const { status, body } = await ask(world.backend, { subject_token: tokens.opaque })
    expect(status).toBe(200)
    expect(decodeJwt(body.access_token)).toMatchObject({
      sub: user.id,
      aud: BILLING,
      client_id: world.backend.id,
      scope: 'read:bills pay:bills',
    })
    expect(await audited()).toMatchObject({ subjectTokenClientId: world.app.id, subjectTokenAudience: server.issuer })
    const spa = await createExchanger(server, 'SPA')
    expect((await ask(spa, { subject_token: tokens.opaque })).body.error).toBe('unauthorized_client')
    const narrow = await createExchanger(server, 'Traditional', { exchangeSubjectAudiences: [ORDERS] })
    expect((await ask(narrow, { subject_token: tokens.opaque })).body.error).toBe('invalid_grant')
    const named = await createExchanger(server, 'Traditional', { exchangeSubjectAudiences: [server.issuer] })
    expect((await ask(named, { subject_token: tokens.opaque })).status).toBe(200)
    const other = await world.person()
    const { opaque } = await world.tokensOf(other.username)
    await server.api('PATCH', `/users/${other.id}/is-suspended`, { isSuspended: true })
    expect((await ask(world.backend, { subject_token: opaque })).body.error).toBe('invalid_grant')
  })
})

describe('restrictExchangeToSubjectScope', () => {
  const restrict = (restrictExchangeToSubjectScope: boolean) =>
    server.api('PATCH', '/sign-in-exp', { restrictExchangeToSubjectScope })
  afterAll(() => restrict(false))

  test('an exchanged token has no scope that its subject lacks, nor one that the subject has in another organization', async () => {
    const { body: organization } = await server.api('POST', '/organizations', { name: 'Restricted' })
    await server.api('POST', `/organizations/${organization.id}/users`, { userIds: [user.id] })
    const scopeOf = async (subject_token: string, change: object = {}) =>
      (await ask(world.backend, { subject_token, resource: ORDERS, scope: 'read:orders', ...change })).body.scope
    const bills = { resource: BILLING, scope: 'read:bills pay:bills' }
    const there = { organization_id: organization.id }
    const all = [tokens.jwt, tokens.opaque]
    expect(await Promise.all(all.map((each) => scopeOf(each)))).toEqual(['read:orders', 'read:orders'])
    expect(await scopeOf(tokens.jwt, bills)).toBe('read:bills pay:bills')
    expect(await scopeOf(tokens.jwt, there)).toBe('read:orders')
    expect((await restrict(true)).body.restrictExchangeToSubjectScope).toBe(true)
    expect(await Promise.all(all.map((each) => scopeOf(each)))).toEqual(['read:orders', ''])
    expect(await scopeOf(tokens.jwt, bills)).toBe('')
    expect(await scopeOf(tokens.jwt, there)).toBe('')
    // the impersonated user limits an impersonation, and its token limits the next exchange
    const { body } = await ask(world.backend, { subject_token: await world.subjectToken(user.id), scope: 'read:bills' })
    expect(body.scope).toBe('read:bills')
    expect(await scopeOf(body.access_token, bills)).toBe('read:bills')
  })
})

describe('E2 H6 in an organization', () => {
  test('a member gets the permissions held there in addition to those held anyway; a user who is no member is refused', async () => {
    const { api } = server
    const { body: organization } = await api('POST', '/organizations', { name: 'Shop' })
    const { body: permission } = await api('POST', '/organization-scopes', { name: 'close:shop' })
    const { body: resources } = await api('GET', '/resources?includeScopes=true')
    const orders = resources.find(({ indicator }: { indicator: string }) => indicator === ORDERS)
    const write = orders.scopes.find(({ name }: { name: string }) => name === 'write:orders')
    const { body: role } = await api('POST', '/organization-roles', {
      name: 'Keeper',
      organizationScopeIds: [permission.id],
      resourceScopeIds: [write.id],
    })
    await api('POST', `/organizations/${organization.id}/users`, { userIds: [user.id] })
    await api('POST', `/organizations/${organization.id}/users/${user.id}/roles`, { organizationRoleIds: [role.id] })
    const scope = 'read:orders write:orders close:shop'
    const asked = { resource: ORDERS, scope, organization_id: organization.id }
    const member = await ask(world.backend, { subject_token: tokens.jwt, ...asked })
    expect(decodeJwt(member.body.access_token)).toMatchObject({
      aud: ORDERS,
      organization_id: organization.id,
      scope: 'read:orders write:orders',
    })
    const whole = await ask(world.backend, {
      subject_token: await world.subjectToken(user.id),
      ...asked,
      resource: 'urn:logto:resource:organizations',
    })
    expect(decodeJwt(whole.body.access_token)).toMatchObject({
      aud: `urn:logto:organization:${organization.id}`,
      scope: 'close:shop',
    })
    // without a resource the request means the organization, also with a personal access token that names no scope
    const alone = { resource: undefined, organization_id: organization.id }
    for (const subject_token of [tokens.jwt, await world.subjectToken(user.id)]) {
      const { body } = await ask(world.backend, { subject_token, ...alone, scope })
      expect(decodeJwt(body.access_token)).toMatchObject({
        aud: `urn:logto:organization:${organization.id}`,
        scope: 'close:shop',
      })
    }
    const { body: pat } = await api('POST', `/users/${user.id}/personal-access-tokens`, { name: 'shop' })
    const personal = { subject_token: pat.value, subject_token_type: PAT, ...alone, scope: undefined }
    const { body: own } = await ask(world.backend, personal)
    expect(decodeJwt(own.access_token).aud).toBe(`urn:logto:organization:${organization.id}`)
    const narrow = await createExchanger(server, 'Traditional', { exchangeTargetResources: [ORDERS] })
    expect((await ask(narrow, { subject_token: tokens.jwt, ...alone })).body.error).toBe('invalid_target')
    const plain = await ask(world.backend, { subject_token: tokens.jwt, resource: ORDERS, scope })
    expect(plain.body.scope).toBe('read:orders')
    const stranger = await ask(world.backend, { subject_token: supportTokens.jwt, ...asked })
    expect([stranger.status, stranger.body.error]).toEqual([403, 'access_denied'])
  })
})

test('discovery names the grant', async () => {
  const answer = await fetch(`${server.issuer}/.well-known/openid-configuration`)
  expect(((await answer.json()) as { grant_types_supported: string[] }).grant_types_supported).toContain(GRANT)
})
