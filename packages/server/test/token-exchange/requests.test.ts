import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt, type JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { send } from '../protocol/arrange.ts'
import {
  ACCESS_TOKEN,
  type Answer,
  BILLING,
  type Caller,
  createExchanger,
  createExchangeWorld,
  type ExchangeWorld,
  exchange,
  ORDERS,
  PAT,
} from './arrange.ts'
import {
  ACTOR_ROWS,
  type ClientType,
  type Combination,
  type ExchangeRow,
  type Made,
  outcomeOf,
  PARAMETER_ROWS,
  SUBJECTS,
  TARGETS,
  TYPES,
} from './requests.table.ts'

const STOCK = 'https://stock.example/api'
/** A lifetime that nothing else uses. */
const STOCK_SECONDS = 77
/** No user holds the second permission of ORDERS, nor any of STOCK. */
const ASKED: Readonly<Record<(typeof TARGETS)[number], readonly [resource: string, scope: string]>> = {
  'an API with all permissions': [BILLING, 'read:bills pay:bills'],
  'an API with some': [ORDERS, 'read:orders write:orders'],
  'an API with none': [STOCK, 'read:stock write:stock'],
  'the Management API': ['', 'all'],
  'no API': ['https://nobody.example/api', 'read:bills pay:bills'],
}

let server: TestServer
let world: ExchangeWorld
let user: Awaited<ReturnType<ExchangeWorld['person']>>
let clerk: typeof user
let supervisor: typeof user
let values: Readonly<Record<Exclude<Made, '%subject token'>, string>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const { api } = server
  world = await createExchangeWorld(server)
  const { body: resources } = await api('GET', '/resources')
  const billing = resources.find(({ indicator }: { indicator: string }) => indicator === BILLING)
  // the permission exists, but no user holds it
  await api('POST', `/resources/${billing.id}/scopes`, { name: 'write:bills' })
  const stock = { name: 'Stock', indicator: STOCK, accessTokenTtl: STOCK_SECONDS }
  const { body: resource } = await api('POST', '/resources', stock)
  for (const name of ['read:stock', 'write:stock']) await api('POST', `/resources/${resource.id}/scopes`, { name })
  user = await world.person()
  clerk = await world.person()
  supervisor = await world.person()
  const { body: personal } = await api('POST', `/users/${user.id}/personal-access-tokens`, { name: 'laptop' })
  const { opaque } = await world.tokensOf(clerk.username)
  const acted = await exchange(server.baseUrl, world.backend, {
    subject_token: await world.subjectToken(user.id),
    subject_token_type: ACCESS_TOKEN,
    actor_token: opaque,
    actor_token_type: ACCESS_TOKEN,
    resource: ORDERS,
    scope: 'read:orders',
  })
  values = {
    '%user JWT': (await world.tokensOf(user.username)).jwt,
    '%exchanged JWT': acted.body.access_token,
    '%personal access token': personal.value,
    '%actor': opaque,
    '%another actor': (await world.tokensOf(supervisor.username)).opaque,
    '%own id': world.backend.id,
    '%other id': world.app.id,
  }
})
afterAll(() => server.close())

type Parameters = ExchangeRow['change']
const made = (subject: Made): string | Promise<string> =>
  subject === '%subject token' ? world.subjectToken(user.id) : values[subject]

const placed = (value: Parameters[string]): Parameters[string] => {
  if (Array.isArray(value)) return value.map((each) => placed(each) as string)
  return values[value as keyof typeof values] ?? value
}
const ask = (caller: Caller, parameters: Parameters) => {
  const each = Object.entries(parameters).map(([name, value]) => [name, placed(value)])
  return exchange(server.baseUrl, caller, { subject_token_type: ACCESS_TOKEN, ...Object.fromEntries(each) })
}
const typeOf = (subject: Made) => ({ subject_token_type: subject === '%personal access token' ? PAT : ACCESS_TOKEN })
const actorOf = (actor: Made | undefined): Parameters =>
  actor === undefined ? {} : { actor_token: actor, actor_token_type: ACCESS_TOKEN }

/** SPEC 2.5, 2.6 and DECISIONS H6: what every response contains in addition to what was granted. */
const expectToken = ({ status, body }: Answer, caller: Caller, resource: string, granted: string): JWTPayload => {
  const seconds = resource === STOCK ? STOCK_SECONDS : 900
  expect({ status, ...body }).toEqual({
    status: 200,
    access_token: expect.any(String),
    issued_token_type: ACCESS_TOKEN,
    token_type: 'Bearer',
    expires_in: seconds,
    scope: granted,
  })
  const claims = decodeJwt(body.access_token)
  expect(claims).toMatchObject({ iss: server.issuer, sub: user.id, aud: resource, client_id: caller.id })
  expect([claims.scope, (claims.exp ?? 0) - (claims.iat ?? 0)]).toEqual([granted === '' ? undefined : granted, seconds])
  return claims
}
const expectRefused = ({ status, body }: Answer, error: string, named = '') => {
  expect({ status, error: body.error }).toEqual({ status: 400, error })
  expect(Object.keys(body)).toEqual(['error', 'error_description', 'code', 'message', 'request_id'])
  expect(body.error_description).toContain(named)
}

describe.each(['%subject token', '%user JWT'] as const)('the parameters of an exchange of a %s', (subject) => {
  const base = { resource: BILLING, scope: 'read:bills pay:bills' }
  /** Refusals do not consume it. */
  let kept: string
  beforeAll(async () => {
    kept = await made(subject)
  })

  test.each(PARAMETER_ROWS)('$guarantee', async ({ change, expect: wanted }) => {
    const token = wanted.status === 200 ? await made(subject) : kept
    const answer = await ask(world.backend, { ...base, subject_token: token, ...change })
    if (wanted.status === 200) expectToken(answer, world.backend, BILLING, wanted.scope ?? '')
    else expectRefused(answer, wanted.error, wanted.named)
  })

  test('none of the refusals consumed the token', async () => {
    const answer = await ask(world.backend, { ...base, subject_token: kept })
    expectToken(answer, world.backend, BILLING, base.scope)
  })
})

describe('who acts', () => {
  test.each(ACTOR_ROWS)('$guarantee', async ({ subject, actor, act }) => {
    const people = { '%actor': clerk.id, '%another actor': supervisor.id }
    const answer = await ask(world.backend, {
      subject_token: await made(subject),
      ...typeOf(subject),
      ...actorOf(actor),
      resource: BILLING,
      scope: 'read:bills',
    })
    const wanted = act.reduceRight<object | undefined>(
      (before, each) => ({ sub: people[each], ...(before ? { act: before } : {}) }),
      undefined,
    )
    expect(expectToken(answer, world.backend, BILLING, 'read:bills').act).toEqual(wanted)
  })
})

describe('R-9 type of application × exchange allowed × third party × subject × actor × API × permissions held', () => {
  const kinds = TYPES.flatMap((type) =>
    [true, false].flatMap((isAllowed) => [true, false].map((isThirdParty) => ({ type, isAllowed, isThirdParty }))),
  )
  const combinations = SUBJECTS.flatMap((subject) =>
    [true, false].flatMap((isActed) => TARGETS.map((target) => ({ subject, isActed, target }))),
  )

  /**
   * The API lets no third party have it (DECISIONS H2): one that has it nonetheless was changed directly in the
   * database.
   */
  const createCaller = async (type: ClientType, isAllowed: boolean, isThirdParty: boolean): Promise<Caller> => {
    const caller = await createExchanger(server, type, { allowTokenExchange: isAllowed })
    if (isThirdParty)
      await server.store.database.pool.query('UPDATE applications SET is_third_party = true WHERE id = $1', [caller.id])
    return caller
  }

  test.each(kinds)('$type, allowed: $isAllowed, third party: $isThirdParty', async (kind) => {
    const caller = await createCaller(kind.type, kind.isAllowed, kind.isThirdParty)
    const kept = await made('%subject token')
    for (const combination of combinations) {
      const whole: Combination = { ...kind, ...combination }
      const { subject, isActed, target } = combination
      const [indicator, scope] = ASKED[target]
      const wanted = outcomeOf(whole)
      const isRefused = typeof wanted === 'string'
      const answer = await ask(caller, {
        subject_token: isRefused && subject === '%subject token' ? kept : await made(subject),
        ...typeOf(subject),
        ...actorOf(isActed ? '%another actor' : undefined),
        resource: indicator === '' ? server.credentials.resource : indicator,
        scope,
      })
      if (isRefused) {
        expect({ ...whole, status: answer.status, error: answer.body.error }).toEqual({
          ...whole,
          status: 400,
          error: wanted,
        })
        continue
      }
      const claims = expectToken(answer, caller, indicator, scope.split(' ').slice(0, wanted).join(' '))
      expect((claims.act as { sub?: string } | undefined)?.sub).toBe(
        isActed ? supervisor.id : subject === '%exchanged JWT' ? clerk.id : undefined,
      )
    }
    const last = await ask(kind.isAllowed && !kind.isThirdParty ? caller : world.backend, {
      subject_token: kept,
      resource: BILLING,
      scope: 'read:bills',
    })
    expect(last.status).toBe(200)
  })

  test.each(TYPES)('H2 %s: it cannot be granted to a third party', async (type) => {
    const { status } = await server.api('POST', '/applications', {
      name: 'Guest',
      type,
      isThirdParty: true,
      customClientMetadata: { allowTokenExchange: true },
    })
    // a machine is never a third party
    expect(status).toBe(type === 'MachineToMachine' ? 400 : 422)
  })

  test('R-9 it is off by default', async () => {
    const { body } = await server.api('POST', '/applications', { name: 'New', type: 'Traditional' })
    const { body: secrets } = await server.api('GET', `/applications/${body.id}/secrets`)
    const answer = await ask(
      { id: body.id, secret: secrets[0].value },
      { subject_token: '%user JWT', resource: BILLING, scope: 'read:bills' },
    )
    expectRefused(answer, 'unauthorized_client', 'token exchange is not allowed for this application')
  })
})

describe('SPEC 4.5 POST /subject-tokens', () => {
  const ORDINARY = { ticket: 'T-1' }
  const create = (body: unknown, headers: Readonly<Record<string, string>>) =>
    send(`${server.baseUrl}/api/subject-tokens`, { headers, body: JSON.stringify(body) })

  test('the response is the token and its lifetime, and nothing else', async () => {
    const { status, body } = await server.api('POST', '/subject-tokens', { userId: user.id, context: ORDINARY })
    expect({ status, body }).toEqual({
      status: 201,
      body: { subjectToken: expect.stringMatching(/^sub_[A-Za-z0-9_-]{43}$/), expiresIn: 600 },
    })
  })

  test('a caller without an access token of the Management API is refused', async () => {
    for (const token of [undefined, values['%user JWT'], values['%actor'], values['%exchanged JWT']]) {
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      if (token !== undefined) headers.authorization = `Bearer ${token}`
      expect((await create({ userId: user.id }, headers)).status).toBe(401)
    }
  })

  test.each<[string, unknown]>([
    ['no userId', {}],
    ['a userId that is not a string', { userId: 1 }],
    ['an empty userId', { userId: '' }],
    ['a context that is not an object', { userId: '%user', context: 'T-1' }],
    ['a context that is a list', { userId: '%user', context: [ORDINARY] }],
    ['a context that is null', { userId: '%user', context: null }],
  ])('%s is refused', async (_what, body) => {
    const placedBody = JSON.parse(JSON.stringify(body).replace('%user', user.id))
    const { status, body: answer } = await server.api('POST', '/subject-tokens', placedBody)
    expect([status, answer.code]).toEqual([400, 'guard.invalid_input'])
  })

  test('H4 the largest context is let through whole, a byte more is not', async () => {
    const largest = { text: 'x'.repeat(16 * 1024 - '{"text":""}'.length) }
    expect((await server.api('POST', '/subject-tokens', { userId: user.id, context: largest })).status).toBe(201)
    const larger = { text: `${largest.text}x` }
    expect((await server.api('POST', '/subject-tokens', { userId: user.id, context: larger })).status).toBe(413)
  })

  test('H4 it lives 600 seconds', async () => {
    const [early, late] = [await world.subjectToken(user.id), await world.subjectToken(user.id)]
    const asked = { resource: BILLING, scope: 'read:bills' }
    server.clock.advance(599)
    expect((await ask(world.backend, { subject_token: early, ...asked })).status).toBe(200)
    server.clock.advance(1)
    expectRefused(await ask(world.backend, { subject_token: late, ...asked }), 'invalid_grant')
  })
})

describe('H7 every exchange is in the audit log', () => {
  test.each(['%subject token', '%user JWT', '%personal access token'] as const)('of a %s', async (subject) => {
    server.clock.advance(1)
    const context = { ticket: 'T-2' }
    const token = subject === '%subject token' ? world.subjectToken(user.id, context) : made(subject)
    const { status } = await ask(world.backend, {
      subject_token: await token,
      ...typeOf(subject),
      ...actorOf('%another actor'),
      resource: BILLING,
      scope: 'read:bills write:bills',
    })
    expect(status).toBe(200)
    const path = `/logs?logKey=ExchangeTokenBy.TokenExchange&applicationId=${world.backend.id}&page_size=1`
    const [{ payload }] = (await server.api('GET', path)).body
    expect(payload).toMatchObject({
      result: 'Success',
      applicationId: world.backend.id,
      userId: user.id,
      actorUserId: supervisor.id,
      act: { sub: supervisor.id },
      resource: BILLING,
      scope: 'read:bills',
      dropped: [{ scope: 'write:bills' }],
    })
    expect(payload.subjectTokenContext).toEqual(subject === '%subject token' ? context : undefined)
  })
})
