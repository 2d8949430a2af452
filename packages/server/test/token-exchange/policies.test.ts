/** DECISIONS H12: the table of an application, who may act for a subject token, and explanations that say what the endpoint does. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { BodyOf } from '../protocol/arrange.ts'
import {
  ACCESS_TOKEN,
  BILLING,
  type Caller,
  createExchanger,
  createExchangeWorld,
  type ExchangeWorld,
  exchange,
  ORDERS,
  PAT,
} from './arrange.ts'

type Policies = NonNullable<NonNullable<BodyOf<'createApplication'>['customClientMetadata']>['exchangePolicies']>

let server: TestServer
let world: ExchangeWorld
let user: { id: string; username: string }
let support: { id: string; username: string }
let tokens: Awaited<ReturnType<ExchangeWorld['tokensOf']>>
let actor: { actor_token: string; actor_token_type: string }
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createExchangeWorld(server)
  user = await world.person()
  support = await world.person()
  tokens = await world.tokensOf(user.username)
  actor = { actor_token: (await world.tokensOf(support.username)).opaque, actor_token_type: ACCESS_TOKEN }
})
afterAll(() => server.close())

const withTable = (exchangePolicies: Policies, more: BodyOf<'createApplication'>['customClientMetadata'] = {}) =>
  createExchanger(server, 'Traditional', { exchangePolicies, ...more })
const ask = (caller: Caller, change: Parameters<typeof exchange>[2]) =>
  exchange(server.baseUrl, caller, {
    subject_token_type: ACCESS_TOKEN,
    resource: BILLING,
    scope: 'read:bills pay:bills',
    ...change,
  })
const explain = (caller: Caller, query: Parameters<typeof server.client.explainExchange>[0]['query']) =>
  server.client.explainExchange({ params: { userId: user.id, applicationId: caller.id }, query: query ?? {} })
const audited = async () => {
  const { body } = await server.api('GET', '/logs?logKey=ExchangeTokenBy.TokenExchange&page_size=1')
  return body[0].payload
}

describe('the table of an application', () => {
  test('the first row that applies decides, narrows scopes and lifetime, and is in the log', async () => {
    const caller = await withTable([
      { name: 'never with support', effect: 'deny', actor: 'required' },
      {
        name: 'orders read bills',
        effect: 'allow',
        subjectAudiences: [ORDERS],
        targetResources: [BILLING],
        scopes: ['read:bills'],
        maxLifetime: 60,
      },
      { name: 'all else for bills', effect: 'allow', targetResources: [BILLING] },
    ])
    const { status, body } = await ask(caller, { subject_token: tokens.jwt })
    expect([status, body.scope, body.expires_in]).toEqual([200, 'read:bills', 60])
    const { exp = 0, iat = 0 } = decodeJwt(body.access_token)
    expect(exp - iat).toBe(60)
    server.clock.advance(1)
    await ask(caller, { subject_token: tokens.jwt })
    expect(await audited()).toMatchObject({ result: 'Success', exchangePolicy: 'orders read bills' })
    // the end is that of everything exchanged for it in turn
    const again = await ask(await createExchanger(server), { subject_token: body.access_token })
    expect([again.status, again.body.expires_in <= 60]).toEqual([200, true])
    expect((await ask(caller, { subject_token: tokens.opaque })).body).toMatchObject({
      scope: 'read:bills pay:bills',
      expires_in: 900,
    })
    server.clock.advance(1)
    expect((await ask(caller, { subject_token: tokens.jwt, ...actor })).body.error).toBe('invalid_target')
    expect((await audited()).reason).toBe('the row "never with support" of exchangePolicies denies it')
  })

  test('what no row applies to is refused, and uses nothing up', async () => {
    const caller = await withTable([{ name: 'orders only', effect: 'allow', targetResources: [ORDERS] }])
    const subject_token = await world.subjectToken(user.id)
    const refused = await ask(caller, { subject_token })
    expect([refused.status, refused.body.error, refused.body.error_description]).toEqual([
      400,
      'invalid_target',
      expect.stringContaining('the application may not exchange this token for this resource'),
    ])
    expect((await ask(caller, { subject_token, resource: ORDERS, scope: 'read:orders' })).status).toBe(200)
    expect((await ask(await withTable([]), { subject_token: tokens.jwt })).body.error).toBe('invalid_target')
  })

  test.each<[string, Policies[number], Parameters<typeof exchange>[2]]>([
    ['a kind of subject', { name: 'row', effect: 'allow', subjects: ['subject_token'] }, {}],
    ['an API of the subject', { name: 'row', effect: 'allow', subjectAudiences: [BILLING] }, {}],
    ['an application of the subject', { name: 'row', effect: 'allow', subjectApplications: ['other'] }, {}],
    ['an actor', { name: 'row', effect: 'allow', actor: 'required' }, {}],
  ])('a row with %s applies to nothing else', async (_what, row, change) => {
    expect((await ask(await withTable([row]), { subject_token: tokens.jwt, ...change })).body.error).toBe(
      'invalid_target',
    )
  })

  test('a row that names the application of the subject token applies to JWTs and opaque tokens of it', async () => {
    const { id } = world.app
    const caller = await withTable([{ name: 'row', effect: 'allow', subjectApplications: [id] }])
    expect((await ask(caller, { subject_token: tokens.jwt })).status).toBe(200)
    expect((await ask(caller, { subject_token: tokens.opaque })).status).toBe(200)
    expect((await ask(caller, { subject_token: await world.subjectToken(user.id) })).body.error).toBe('invalid_target')
  })

  test('the older settings exclude with it too', async () => {
    const table: Policies = [{ name: 'all', effect: 'allow' }]
    const subjects = await withTable(table, { exchangeSubjectAudiences: [BILLING] })
    expect((await ask(subjects, { subject_token: tokens.jwt })).body.error).toBe('invalid_grant')
    const targets = await withTable(table, { exchangeTargetResources: [ORDERS] })
    expect((await ask(targets, { subject_token: tokens.jwt })).body.error).toBe('invalid_target')
  })

  test('the lifetime is also that of an opaque token', async () => {
    const caller = await withTable([{ name: 'row', effect: 'allow', maxLifetime: 30 }])
    const { value } = await server.client.createPersonalAccessToken({
      params: { userId: user.id },
      body: { name: 'laptop' },
    })
    const { body } = await exchange(server.baseUrl, caller, {
      subject_token: value,
      subject_token_type: PAT,
      scope: 'openid',
    })
    expect(body.expires_in).toBe(30)
    const userinfo = () => fetch(`${server.issuer}/me`, { headers: { authorization: `Bearer ${body.access_token}` } })
    expect((await userinfo()).status).toBe(200)
    server.clock.advance(31)
    expect((await userinfo()).status).toBe(401)
  })

  test.each([
    [[{ name: 'a', effect: 'deny', scopes: ['x'] }], /exchangePolicies\[0\] denies/],
    [[{ name: 'a', effect: 'deny', maxLifetime: 5 }], /exchangePolicies\[0\] denies/],
    [
      [
        { name: 'a', effect: 'allow' },
        { name: 'a', effect: 'deny' },
      ],
      /exchangePolicies\[1\] has the name of another row/,
    ],
    [[{ name: '', effect: 'allow' }], /name/],
    [[{ name: 'a', effect: 'perhaps' }], /effect/],
    [[{ name: 'a', effect: 'allow', subjects: [] }], /subjects/],
    [[{ name: 'a', effect: 'allow', maxLifetime: 0 }], /maxLifetime/],
    ['all', /exchangePolicies/],
  ])('%j is refused by name', async (exchangePolicies, message) => {
    const { status, body } = await server.api('POST', '/applications', {
      name: 'app',
      type: 'Traditional',
      customClientMetadata: { exchangePolicies },
    })
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)])
  })
})

describe('RFC 8693 section 4.4: may_act', () => {
  const subjectToken = async (mayAct: BodyOf<'createSubjectToken'>['mayAct']) =>
    (await server.client.createSubjectToken({ body: { userId: user.id, ...(mayAct ? { mayAct } : {}) } })).subjectToken

  test('a subject token is exchanged by the application that it names alone; refusals do not use it up', async () => {
    const named = await createExchanger(server)
    const subject_token = await subjectToken({ applicationId: named.id })
    server.clock.advance(1)
    expect((await ask(world.backend, { subject_token })).body.error).toBe('invalid_grant')
    expect((await audited()).reason).toBe('its may_act names another application')
    expect((await ask(named, { subject_token })).status).toBe(200)
    expect((await ask(named, { subject_token })).body.error).toBe('invalid_grant')
  })

  test('it is exchanged with an actor token of the user that it names alone', async () => {
    const subject_token = await subjectToken({ userId: support.id })
    const other = (await world.tokensOf(user.username)).opaque
    expect((await ask(world.backend, { subject_token })).body.error).toBe('invalid_grant')
    expect((await ask(world.backend, { subject_token, ...actor, actor_token: other })).body.error).toBe('invalid_grant')
    const { status, body } = await ask(world.backend, { subject_token, ...actor })
    expect([status, decodeJwt(body.access_token).act]).toEqual([200, { sub: support.id }])
  })

  test('it names someone who exists', async () => {
    const { status, body } = await server.api('POST', '/subject-tokens', { userId: user.id, mayAct: {} })
    expect([status, body.message]).toEqual([400, expect.stringContaining('mayAct')])
    for (const mayAct of [{ userId: 'nobody' }, { applicationId: 'none' }])
      expect((await server.api('POST', '/subject-tokens', { userId: user.id, mayAct })).status).toBe(404)
  })
})

describe('an explanation', () => {
  test('says which rules were considered, and what remains of the scopes', async () => {
    const caller = await withTable(
      [
        { name: 'support', effect: 'allow', actor: 'required' },
        { name: 'read', effect: 'allow', scopes: ['read:bills'], maxLifetime: 120 },
      ],
      { exchangeTargetResources: [BILLING] },
    )
    expect(await explain(caller, { resource: BILLING, subjectAudience: ORDERS })).toEqual({
      refusal: null,
      rules: [
        {
          source: 'exchangeTargetResources',
          name: 'other targets than these',
          effect: 'deny',
          whyNot: 'exchangeTargetResources names the resource',
        },
        { source: 'exchangePolicies', name: 'support', effect: 'allow', whyNot: 'it needs an actor token' },
        { source: 'exchangePolicies', name: 'read', effect: 'allow', whyNot: null },
      ],
      audience: BILLING,
      expiresIn: 120,
      scopes: [
        { name: 'pay:bills', isGranted: false, why: 'the row "read" of exchangePolicies does not allow it' },
        { name: 'read:bills', isGranted: true, why: null },
      ],
    })
    expect(await explain(caller, { resource: ORDERS })).toMatchObject({
      refusal: { error: 'invalid_target' },
      rules: [{ source: 'exchangeTargetResources', whyNot: null }],
      audience: null,
      expiresIn: null,
    })
  })

  test('says why an application may not exchange at all, and refuses who does not exist', async () => {
    const off = await createExchanger(server, 'Traditional', { allowTokenExchange: false })
    expect(await explain(off, { resource: BILLING })).toMatchObject({
      refusal: { error: 'unauthorized_client' },
      rules: [],
    })
    const spa = await createExchanger(server, 'SPA')
    expect((await explain(spa, { resource: BILLING })).refusal?.error).toBe('unauthorized_client')
    expect((await explain(spa, { resource: BILLING, subjectType: 'subject_token' })).refusal).toBeNull()
    for (const path of [
      `/users/${user.id}/applications/none/exchange-explanation`,
      `/users/nobody/applications/${off.id}/exchange-explanation`,
    ])
      expect((await server.api('GET', path)).status).toBe(404)
  })

  test('where the tenant restricts exchanges: the scopes and the organization of the subject token', async () => {
    const caller = await createExchanger(server)
    await server.api('PATCH', '/sign-in-exp', { restrictExchangeToSubjectScope: true })
    const scopesOf = async (query: Parameters<typeof explain>[1]) =>
      (await explain(caller, { resource: BILLING, scope: 'read:bills pay:bills', ...query })).scopes
        .filter(({ isGranted }) => isGranted)
        .map(({ name }) => name)
    expect(await scopesOf({ subjectScope: 'read:bills' })).toEqual(['read:bills'])
    expect(await scopesOf({ subjectOrganizationId: 'other' })).toEqual([])
    expect(await scopesOf({ subjectType: 'subject_token' })).toEqual(['read:bills', 'pay:bills'])
    await server.api('PATCH', '/sign-in-exp', { restrictExchangeToSubjectScope: false })
  })

  test('is what the endpoint does, whatever the table, the subject and the target', async () => {
    const options = <T>(...values: T[]) => fc.option(fc.subarray(values, { minLength: 1 }), { nil: undefined })
    const rowOf = fc.record(
      {
        effect: fc.constantFrom('allow' as const, 'deny' as const),
        subjects: options('access_token' as const, 'subject_token' as const, 'personal_access_token' as const),
        subjectAudiences: options(ORDERS, BILLING, server.issuer),
        actor: fc.option(fc.constantFrom('required' as const, 'forbidden' as const), { nil: undefined }),
        targetResources: options(ORDERS, BILLING),
        scopes: options('read:bills', 'pay:bills', 'read:orders'),
        maxLifetime: fc.option(fc.integer({ min: 1, max: 5000 }), { nil: undefined }),
      },
      { requiredKeys: ['effect'] },
    )
    const caller = await withTable([])
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowOf, { maxLength: 4 }),
        fc.constantFrom('jwt' as const, 'opaque' as const, 'subject' as const),
        fc.constantFrom(ORDERS, BILLING),
        fc.boolean(),
        async (rows, kind, resource, hasActor) => {
          const exchangePolicies = rows.map(({ scopes, maxLifetime, ...row }, index) =>
            JSON.parse(
              JSON.stringify({
                ...row,
                name: `row ${index}`,
                ...(row.effect === 'allow' ? { scopes, maxLifetime } : {}),
              }),
            ),
          )
          await server.client.updateApplication({
            params: { id: caller.id },
            body: { customClientMetadata: { allowTokenExchange: true, exchangePolicies } },
          })
          const scope = 'read:orders read:bills pay:bills write:orders'
          const subject_token = kind === 'subject' ? await world.subjectToken(user.id) : tokens[kind]
          const { status, body } = await ask(caller, { subject_token, resource, scope, ...(hasActor ? actor : {}) })
          const explained = await explain(caller, {
            subjectType: kind === 'subject' ? 'subject_token' : 'access_token',
            ...(kind === 'jwt' ? { subjectAudience: ORDERS } : {}),
            ...{ hasActor: hasActor ? 'true' : 'false', resource, scope },
          })
          expect(explained.refusal?.error).toBe(status === 200 ? undefined : body.error)
          if (status !== 200) return
          const granted = explained.scopes.filter(({ isGranted }) => isGranted).map(({ name }) => name)
          expect(granted).toEqual(body.scope.split(' ').filter(Boolean))
          expect(explained.expiresIn).toBe(body.expires_in)
          // never more than the row allows, nor than the user holds
          const { rules } = explained
          const { scopes } = exchangePolicies.find(({ name }: { name: string }) => name === rules.at(-1)?.name)
          for (const name of granted) expect(scopes ?? granted).toContain(name)
          expect(granted).not.toContain('write:orders')
        },
      ),
      { numRuns: 60 },
    )
  })
})
