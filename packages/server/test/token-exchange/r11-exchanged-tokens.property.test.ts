/**
 * R-11 R-15 R-18: a subject or actor in a token exchange that is not a live token of this server for that purpose never
 * yields a token or a 500, and the response is always the same.
 */
import { createHmac, type KeyObject, sign } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { signingKeys } from '@countersign/server/domain/tenants/signing-keys.ts'
import { tenantAt } from '@countersign/server/kernel/tenant.ts'
import fc from 'fast-check'
import { exportSPKI, importJWK, type JWK } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { basic, FORM, form, post, send } from '../protocol/arrange.ts'
import { createApp } from '../sign-in/arrange.ts'
import { type OnHost, withSecondTenant } from '../tenants/second-tenant.ts'
import {
  ACCESS_TOKEN,
  BILLING,
  type Caller,
  createExchanger,
  createExchangeWorld,
  type ExchangeWorld,
  exchange,
  GRANT,
  PAT,
} from './arrange.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const [SUBJECT, ACTOR] = [
  'the subject token is not valid for this request',
  'the actor token is not valid for this request',
]

let server: TestServer
let world: ExchangeWorld
let user: Awaited<ReturnType<ExchangeWorld['person']>>
let support: typeof user
let tokens: Awaited<ReturnType<ExchangeWorld['tokensOf']>>
let supportTokens: typeof tokens
let other: OnHost
/** The server's own signing key, as if an attacker had everything except knowledge of the rules. */
let key: { id: string; privateKey: KeyObject; publicJwk: JWK }
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createExchangeWorld(server)
  user = await world.person()
  support = await world.person()
  tokens = await world.tokensOf(user.username)
  supportTokens = await world.tokensOf(support.username)
  ;({ b: other } = await withSecondTenant(server, 'second', 'http://second.example:8080'))
  const [newest] = await signingKeys(server.store, tenantAt('default', '', server.baseUrl))
  if (!newest) throw new Error('the tenant has no signing key')
  key = newest
})
afterAll(() => server.close())

type More = Readonly<Record<string, string>>
const ask = (subject: string, more: More = {}, by: Caller = world.backend) =>
  exchange(server.baseUrl, by, {
    subject_token: subject,
    subject_token_type: ACCESS_TOKEN,
    resource: BILLING,
    scope: 'read:bills',
    ...more,
  })
const asActor = (value: string): More => ({ actor_token: value, actor_token_type: ACCESS_TOKEN })

const refused = async (subject: string, more: More = {}, description = SUBJECT) => {
  const { status, body } = await ask(subject, more)
  expect([status, body.error, body.error_description]).toEqual([400, 'invalid_grant', description])
}
const refusedActor = (value: string) => refused(tokens.jwt, asActor(value), ACTOR)

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (segment = '') => JSON.parse(Buffer.from(segment, 'base64url').toString())
const header = () => decode(tokens.jwt.split('.')[0])
const claims = () => decode(tokens.jwt.split('.')[1])
const forged = (head: object, payload: object): string => {
  const signed = `${encode(head)}.${encode(payload)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

/** Every token that differs from this one in one character; at the end of a segment, in every possible way. */
const flips = (token: string): string[] =>
  Array.from(token).flatMap((character, at) => {
    const isEnd = at === token.length - 1 || token[at + 1] === '.'
    const others = isEnd ? Array.from(ALPHABET) : [ALPHABET[(ALPHABET.indexOf(character) + 1 + (at % 60)) % 64] ?? 'A']
    return others.filter((each) => each !== character).map((each) => token.slice(0, at) + each + token.slice(at + 1))
  })

/** Several at a time: there are hundreds. */
const forAll = async (values: readonly string[], check: (value: string) => Promise<void>) => {
  expect(values.length).toBeGreaterThan(30)
  for (let at = 0; at < values.length; at += 16) await Promise.all(values.slice(at, at + 16).map(check))
}

describe('R-11 one character of the token is changed', () => {
  test('a JWT as the subject', () => forAll(flips(tokens.jwt), (value) => refused(value)))

  test('a subject token, which stays valid', async () => {
    const subject = await world.subjectToken(user.id)
    await forAll(flips(subject), (value) => refused(value))
    expect((await ask(subject)).status).toBe(200)
  })

  test('a personal access token', async () => {
    const { body } = await server.api('POST', `/users/${user.id}/personal-access-tokens`, { name: 'laptop' })
    await forAll(flips(body.value), (value) => refused(value, { subject_token_type: PAT }))
    expect((await ask(body.value, { subject_token_type: PAT })).status).toBe(200)
  })

  test('the opaque token of an actor', async () => {
    await forAll(flips(supportTokens.opaque), refusedActor)
    expect((await ask(tokens.jwt, asActor(supportTokens.opaque))).status).toBe(200)
  })
})

describe('R-37 arbitrary input', () => {
  const real = () => [tokens.jwt, tokens.idToken, tokens.opaque, tokens.refreshToken, supportTokens.opaque]
  /** Recombined parts of real tokens, and arbitrary input. */
  const anything = () =>
    fc.oneof(
      fc.string({ minLength: 1, maxLength: 200, unit: 'binary' }),
      fc
        .constantFrom('sub_', 'pat_', 'cs_at_', 'cs_rt_', 'eyJ')
        .chain((prefix) => fc.base64String().map((rest) => prefix + rest)),
      fc
        .tuple(fc.constantFrom(...real()), fc.constantFrom(...real()), fc.nat(900), fc.nat(900))
        .map(([a, b, from, to]) => a.slice(0, from) + b.slice(to))
        .filter((value) => !real().includes(value)),
      fc
        .tuple(fc.constantFrom(...real()), fc.constantFrom(' ', '\n', '.', '=', '%00', 'é', ','))
        .map(([value, more]) => value + more),
      fc.jsonValue().map((value) => `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(value)}.`),
    )

  test.each([
    ['subject', (value: string) => ask(value)],
    ['subject declared as a personal access token', (value: string) => ask(value, { subject_token_type: PAT })],
    ['actor', (value: string) => ask(tokens.jwt, asActor(value))],
  ] as const)('as a %s is refused, and is no failure', async (_what, askWith) => {
    await fc.assert(
      fc.asyncProperty(anything(), async (value) => {
        const { status, body } = await askWith(value)
        expect(status).toBe(400)
        expect(['invalid_grant', 'invalid_request']).toContain(body.error)
      }),
      { numRuns: 80 },
    )
  })
})

describe('R-15 forged with the key of the server itself', () => {
  test('the forgery itself is valid: unchanged, it is accepted', async () => {
    expect((await ask(forged(header(), claims()))).status).toBe(200)
  })

  const HEADERS: readonly object[] = [
    ...['none', 'HS256', 'RS256', 'ES384', 'es256', null].map((alg) => ({ alg })),
    ...['JWT', 'jwt', 'logout+jwt', 'application/at+jwt', null].map((typ) => ({ typ })),
    ...['unknown', '', null, '../../etc/passwd'].map((kid) => ({ kid })),
    ...[{ crit: ['exp'] }, { b64: false, crit: ['b64'] }],
  ]
  test.each(HEADERS)('R-15 with %j in its header', (change) => refused(forged({ ...header(), ...change }, claims())))

  test.each<object>([
    { iss: 'https://evil.example/oidc' },
    { iss: undefined },
    { exp: 1 },
    { exp: undefined },
    { exp: '9999999999' },
    { sub: 'nobody' },
    { sub: '' },
    { sub: ['x'] },
    { sub: undefined },
    { client_id: 'nobody' },
    { client_id: undefined },
    { aud: ['https://orders.example/api'] },
    { jti: undefined },
    { scope: ['read:orders'] },
  ])('with %j in its claims', (change) => refused(forged(header(), { ...claims(), ...change })))

  test('without a signature, and signed with the public key as a secret', async () => {
    const [head, body] = tokens.jwt.split('.')
    for (const signature of ['', 'AAAA', Buffer.alloc(64).toString('base64url')])
      await refused(`${head}.${body}.${signature}`)
    const pem = await exportSPKI((await importJWK(key.publicJwk, 'ES256')) as never)
    const signed = `${encode({ ...header(), alg: 'HS256' })}.${body}`
    await refused(`${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`)
  })

  test('with an invalid act claim: a malformed one is ignored, and too long a chain is refused', async () => {
    for (const act of ['root', 1, [], { sub: 1 }, { act: { sub: 'x' } }]) {
      const { status, body } = await ask(forged(header(), { ...claims(), act }))
      expect(status).toBe(200)
      expect(decode(body.access_token.split('.')[1])).not.toHaveProperty('act')
    }
    const chain = Array.from({ length: 200 }).reduce<object>((act) => ({ sub: support.id, act }), { sub: support.id })
    await refused(forged(header(), { ...claims(), act: chain }), {}, ACTOR)
  })
})

describe('R-11 of another tenant', () => {
  const askOther = (caller: Caller, parameters: Parameters<typeof form>[0]) =>
    send(`${server.baseUrl}/oidc/token`, {
      headers: { host: other.host, 'content-type': FORM, authorization: basic(caller.id, caller.secret ?? '') },
      body: form({
        grant_type: GRANT,
        subject_token_type: ACCESS_TOKEN,
        resource: BILLING,
        scope: 'read:bills',
        ...parameters,
      }),
    })

  test('every kind of token of this tenant is invalid there, and is still valid here', async () => {
    const bearer = (await other.token()).body.access_token
    const manage = async (method: string, path: string, body?: object) =>
      (await other.request(method, `/api${path}`, { token: bearer, ...(body ? { body } : {}) })).body
    await manage('POST', '/resources', { name: 'Billing', indicator: BILLING })
    const { id } = await manage('POST', '/applications', {
      name: 'Backend',
      type: 'Traditional',
      customClientMetadata: { allowTokenExchange: true },
    })
    const [{ value: secret }] = await manage('GET', `/applications/${id}/secrets`)
    const there = { id, secret }
    const theirs = await manage('POST', '/users', { username: 'theirs' })
    const ownSubject = async () => (await manage('POST', '/subject-tokens', { userId: theirs.id })).subjectToken
    const subject = await world.subjectToken(user.id)
    const { body: personal } = await server.api('POST', `/users/${user.id}/personal-access-tokens`, { name: 'other' })
    // the arrangement is valid: with its own token it works
    expect((await askOther(there, { subject_token: await ownSubject() })).status).toBe(200)
    for (const foreign of [
      { subject_token: tokens.jwt, subject_token_type: ACCESS_TOKEN },
      { subject_token: subject, subject_token_type: ACCESS_TOKEN },
      { subject_token: personal.value, subject_token_type: PAT },
      { subject_token: await ownSubject(), subject_token_type: ACCESS_TOKEN, ...asActor(supportTokens.opaque) },
    ]) {
      const { status, body } = await askOther(there, foreign)
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
    }
    // an application of one tenant does not exist in the other
    expect((await askOther(world.backend, { subject_token: await ownSubject() })).status).toBe(401)
    expect((await ask(await ownSubject())).body.error).toBe('invalid_grant')
    expect((await ask(subject)).status).toBe(200)
    expect((await ask(personal.value, { subject_token_type: PAT })).status).toBe(200)
  })
})

describe('R-11 R-13 formerly valid tokens', () => {
  /** A new user, signed in through a new application. */
  const signedIn = async () => {
    const app = await createApp(server, 'SPA')
    const person = await world.person()
    return { app, person, own: await world.tokensOf(person.username, app) }
  }
  const end: Readonly<Record<string, (of: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown>>> = {
    'the application was deleted': ({ app }) => server.api('DELETE', `/applications/${app.id}`),
    'the application became a third party': async ({ app }) => {
      await server.store.database.pool.query('UPDATE applications SET is_third_party = true WHERE id = $1', [app.id])
      // a change through the API invalidates the caches
      await server.api('PATCH', `/applications/${app.id}`, { description: 'of somebody else' })
    },
    'the user was suspended': ({ person }) =>
      server.api('PATCH', `/users/${person.id}/is-suspended`, { isSuspended: true }),
    'the user was deleted': ({ person }) => server.api('DELETE', `/users/${person.id}`),
    'the password was changed': ({ person }) =>
      server.api('PATCH', `/users/${person.id}/password`, { password: 'another long phrase' }),
    'it was revoked': async ({ app, own }) => {
      for (const token of [own.jwt, own.opaque]) await post(server, '/token/revocation', { client_id: app.id, token })
    },
  }

  test.each(Object.entries(end))('%s', async (what, ending) => {
    const one = await signedIn()
    const subject = await world.subjectToken(user.id)
    expect((await ask(one.own.jwt)).status).toBe(200)
    expect((await ask(tokens.jwt, asActor(one.own.opaque))).status).toBe(200)
    await ending(one)
    await refused(one.own.jwt)
    // H5 requires of an actor only a live token and an active user
    if (what === 'the application became a third party') return
    await refusedActor(one.own.opaque)
    await refused(subject, asActor(one.own.opaque), ACTOR)
    // an invalid actor does not consume the subject token
    expect((await ask(subject)).status).toBe(200)
  })

  test('the end of a grant ends the token of an actor before the token itself expires', async () => {
    const { own, person } = await signedIn()
    await server.store.database.pool.query('UPDATE grants SET expires_at = $1 WHERE user_id = $2', [
      server.clock.now(),
      person.id,
    ])
    await refusedActor(own.opaque)
  })
})

describe('R-18 the token of an impersonation', () => {
  test('opens neither the Management API nor userinfo, has no refresh token, and is no actor', async () => {
    const { body } = await ask(await world.subjectToken(user.id), {
      ...asActor(supportTokens.opaque),
      scope: 'read:bills openid offline_access',
    })
    expect(body).not.toHaveProperty('refresh_token')
    const bearer = { authorization: `Bearer ${body.access_token}` }
    for (const url of [`${server.baseUrl}/api/users`, `${server.issuer}/me`])
      expect((await send(url, { method: 'GET', headers: bearer })).status).toBe(401)
    await refusedActor(body.access_token)
    const refreshed = await post(
      server,
      '/token',
      { grant_type: 'refresh_token', refresh_token: body.access_token },
      { authorization: basic(world.backend.id, world.backend.secret ?? '') },
    )
    expect(refreshed.body.error).toBe('invalid_grant')
  })

  test('R-14 is seen by its audience and its own client, not by another application', async () => {
    const stranger = await createExchanger(server, 'Traditional')
    const { body } = await ask(await world.subjectToken(user.id))
    const seen = async ({ id, secret = '' }: Caller) =>
      (await post(server, '/token/introspection', { token: body.access_token }, { authorization: basic(id, secret) }))
        .body
    expect(await seen(stranger)).toEqual({ active: false })
    expect(await seen(world.backend)).toMatchObject({ active: true, sub: user.id })
  })
})

// this comes last: the token of the Management API expires in the meantime
test('R-11 an expired subject, and an expired actor', async () => {
  const own = await world.tokensOf(user.username)
  server.clock.advance(899)
  expect((await ask(own.jwt)).status).toBe(200)
  server.clock.advance(1)
  await refused(own.jwt)
  server.clock.advance(3600 - 901)
  tokens = await world.tokensOf(user.username)
  expect((await ask(tokens.jwt, asActor(own.opaque))).status).toBe(200)
  server.clock.advance(1)
  await refusedActor(own.opaque)
})
