/**
 * The state machine of sessions, grants and tokens against its model: after every step of any sequence, every token
 * that was ever issued is exactly as alive as the model says.
 */
import { hash } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fresh, type Reply } from '../protocol/arrange.ts'
import { CALLBACK } from '../sign-in/arrange.ts'
import { type App, type Code, type Family, type Grant, Model, type User } from './grant-model.ts'
import { createWorld, type World } from './grant-world.ts'

const RUNS = 25
const [LEAST_STEPS, MOST_STEPS] = [20, 60]
const VERIFIER = 'v'.repeat(43)
const CHALLENGE = hash('sha256', VERIFIER, 'base64url')

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createWorld(server)
})
afterAll(() => server.close())

/** Every token that the model knows, with its expected and actual state. */
const expectSame = async (model: Model) => {
  const access = model.access.map(async (each, i) => {
    const name = `${each.kind} ${i}`
    const isAlive = each.kind === 'opaque' ? await world.userinfo(each.value) : await world.introspects(each.value)
    return [
      { name, isAlive: model.isAccessAlive(each) },
      { name, isAlive },
    ]
  })
  const refresh = model.families.flatMap((family, i) =>
    family.tokens.map(async (value, generation) => {
      const name = `refresh token ${i}.${generation}`
      const isCurrent = generation === family.tokens.length - 1
      return [
        { name, isAlive: isCurrent && model.isFamilyAlive(family) },
        { name, isAlive: await world.introspects(value) },
      ]
    }),
  )
  const all = await Promise.all([...access, ...refresh])
  expect(all.map(([, is]) => is)).toEqual(all.map(([wanted]) => wanted))
}

type Step = fc.AsyncCommand<Model, World>
/** A step: its name, when it applies, what it does to both. */
const step = (
  name: string,
  makesSense: (model: Model) => boolean,
  run: (model: Model, real: World) => Promise<void>,
): Step => ({
  check: makesSense,
  async run(model, real) {
    await run(model, real)
    await expectSame(model)
  },
  toString: () => name,
})
const always = () => true
/** One of the youngest. */
const pick = <T>(all: readonly T[], back: number): T | undefined => all[all.length - 1 - (back % all.length)]
const target = (isForApi: boolean): Record<string, string> => (isForApi ? { resource: world.api.indicator } : {})

const authorize = (user: User, app: App, isOffline: boolean) => async (model: Model, real: World) => {
  const browser = real.browserOf(user)
  const parameters = new URLSearchParams({
    client_id: app.id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: `openid read${isOffline ? ' offline_access' : ''}`,
    resource: world.api.indicator,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  })
  const page = await browser.open(`${server.issuer}/auth?${parameters}`)
  const codeOf = ({ url }: typeof page) => url.searchParams.get('code')
  if (!app.exists) return expect([page.status, codeOf(page)]).toEqual([400, null])
  const session = model.sessionOf(user)
  if (session) return model.authorized(user, app, session, isOffline, codeOf(page) ?? 'no code came')
  expect(codeOf(page)).toBeNull()
  const after = await browser.submit(page, { identifier: user.username, password: user.password })
  if (!user.exists || user.isSuspended) return expect(codeOf(after)).toBeNull()
  model.authorized(user, app, model.signedIn(user), isOffline, codeOf(after) ?? 'no code came')
}

/** What every token response must contain. */
const issued = (model: Model, of: Code | Family, isForApi: boolean, { status, body }: Reply) => {
  const { grant, isGranted } = of
  expect(status).toBe(200)
  if (isForApi) {
    const mayRead = isGranted && grant.user.isHolder
    expect(decodeJwt(body.access_token)).toMatchObject({ sub: grant.user.id, client_id: grant.app.id })
    expect(body.scope).toBe(mayRead ? 'read' : '')
  } else expect(body.access_token).toMatch(/^cs_at_/)
  return model.issued(of, isForApi ? 'JWT' : 'opaque', body.access_token)
}

const refused = ({ app }: Grant, { status, body }: Reply) =>
  expect([status, body.error]).toEqual(app.exists ? [400, 'invalid_grant'] : [401, 'invalid_client'])

const redeem = (code: Code, isForApi: boolean) => async (model: Model, real: World) => {
  const { grant, value } = code
  const reply = await real.ask(grant.app, {
    grant_type: 'authorization_code',
    code: value,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...target(isForApi),
  })
  if (!model.stands(code) || code.isSpent || code.expires <= model.now) {
    refused(grant, reply)
    // reuse ends everything that came from it
    if (grant.isAlive && code.isSpent) {
      grant.isAlive = false
      if (code.jwt) code.jwt.isRevoked = true
    }
    return
  }
  const access = issued(model, code, isForApi, reply)
  code.isSpent = true
  if (isForApi) code.jwt = access
  expect(typeof reply.body.refresh_token).toBe(code.isOffline ? 'string' : 'undefined')
  if (code.isOffline) model.begun(code, reply.body.refresh_token)
}

const refresh = (family: Family, age: number, isForApi: boolean) => async (model: Model, real: World) => {
  const { grant, tokens } = family
  const generation = tokens.length - 1 - age
  const reply = await real.ask(grant.app, {
    grant_type: 'refresh_token',
    refresh_token: tokens[generation] ?? '',
    ...target(isForApi),
  })
  const outcome = model.refreshing(family, generation)
  if (outcome === 'nothing' || outcome === 'ends it') {
    refused(grant, reply)
    if (outcome === 'ends it') grant.isAlive = false
    return
  }
  issued(model, family, isForApi, reply)
  const { refresh_token: next } = reply.body
  if (outcome === 'moves on') {
    expect(tokens).not.toContain(next)
    model.rotated(family, next)
  } else expect(next).toBe(tokens.at(-1))
}

const revoke = async (real: World, app: App, token: string) => {
  const { status } = await real.ask(app, { token }, '/token/revocation')
  expect(status).toBe(app.exists ? 200 : 401)
}

const who = fc.nat(1)
const which = fc.nat(2)
const back = fc.nat(3)
const whether = fc.boolean()
const userAt = (model: Model, i: number): User => model.users[i] ?? fail()
const appAt = (model: Model, i: number): App => model.apps[i] ?? fail()
const fail = (): never => {
  throw new Error('there is no such thing')
}
const exists = (i: number) => (model: Model) => userAt(model, i).exists

const change = (name: string, make: (user: User, model: Model) => Promise<void>): fc.Arbitrary<Step> =>
  who.map((i) => step(`${name} user ${i}`, exists(i), (model) => make(userAt(model, i), model)))

const authorizing: fc.Arbitrary<Step>[] = [
  fc
    .tuple(who, which, whether)
    .map(([u, a, isOffline]) =>
      step(`authorize user ${u} app ${a}${isOffline ? ' offline' : ''}`, always, (model, real) =>
        authorize(userAt(model, u), appAt(model, a), isOffline)(model, real),
      ),
    ),
  fc.tuple(fc.constantFrom(0, 0, 0, 1, 2), whether).map(([n, isForApi]) =>
    step(
      `redeem code -${n}${isForApi ? ' for the API' : ''}`,
      ({ codes }) => codes.length > 0,
      (model, real) => redeem(pick(model.codes, n) ?? fail(), isForApi)(model, real),
    ),
  ),
]

const obtaining: fc.Arbitrary<Step>[] = [
  fc.tuple(who, which, fc.constantFrom(true, true, false), whether).map(([u, a, isOffline, isForApi]) =>
    step(
      `get tokens for user ${u} app ${a}${isOffline ? ' offline' : ''}${isForApi ? ' for the API' : ''}`,
      always,
      async (model, real) => {
        const before = model.codes.length
        await authorize(userAt(model, u), appAt(model, a), isOffline)(model, real)
        const code = model.codes[before]
        if (code) await redeem(code, isForApi)(model, real)
      },
    ),
  ),
]

const living = (model: Model) => model.families.filter((each) => model.isFamilyAlive(each))
const pass = (model: Model, seconds: number) => {
  server.clock.advance(seconds)
  model.now += seconds
}

const refreshing: fc.Arbitrary<Step>[] = [
  // a lost response, or a thief
  fc.tuple(back, fc.constantFrom(0, 1, 10, 11), whether).map(([n, seconds, isForApi]) =>
    step(
      `refresh family -${n} of the living, and ${seconds} s later with the same token`,
      (model) => living(model).length > 0,
      async (model, real) => {
        const family = pick(living(model), n) ?? fail()
        const before = family.tokens.length
        await refresh(family, 0, isForApi)(model, real)
        pass(model, seconds)
        await refresh(family, family.tokens.length - before, isForApi)(model, real)
      },
    ),
  ),
  fc.tuple(back, fc.constantFrom(0, 0, 0, 1, 1, 2), whether, whether).map(([n, age, isForApi, isAny]) => {
    const among = (model: Model) => model.families.filter((each) => isAny || model.isFamilyAlive(each))
    return step(
      `refresh family -${n} of ${isAny ? 'all' : 'the living'}, token ${age} before the last${isForApi ? ', for the API' : ''}`,
      (model) => (pick(among(model), n)?.tokens.length ?? 0) > age,
      (model, real) => refresh(pick(among(model), n) ?? fail(), age, isForApi)(model, real),
    )
  }),
]

const ending: fc.Arbitrary<Step>[] = [
  fc.tuple(back, fc.nat(1)).map(([n, age]) =>
    step(
      `revoke family -${n}, token ${age} before the last`,
      ({ families }) => (pick(families, n)?.tokens.length ?? 0) > age,
      async (model, real) => {
        const family = pick(model.families, n) ?? fail()
        const { grant, tokens, expires } = family
        await revoke(real, grant.app, tokens[tokens.length - 1 - age] ?? '')
        if (grant.app.exists && expires > model.now) grant.isAlive = false
      },
    ),
  ),
  back.map((n) =>
    step(
      `revoke access token -${n}`,
      ({ access }) => access.length > 0,
      async (model, real) => {
        const token = pick(model.access, n) ?? fail()
        const isAlive = model.isAccessAlive(token)
        await revoke(real, token.grant.app, token.value)
        if (!token.grant.app.exists) return
        if (token.kind === 'JWT') token.isRevoked = true
        else if (isAlive) token.grant.isAlive = false
      },
    ),
  ),
  who.map((i) =>
    step(`end the session of user ${i}`, always, async (model, real) => {
      const user = userAt(model, i)
      const browser = real.browserOf(user)
      const session = model.sessionOf(user)
      const page = await browser.open(`${server.issuer}/session/end`)
      expect(page.text.includes('id="sign-out"')).toBe(session !== undefined)
      if (!session) return
      await browser.submit(page, { confirm: 'yes' })
      model.endSession(session)
    }),
  ),
  change('suspend', async (user, model) => {
    await world.manage()('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true })
    user.isSuspended = true
    model.endUser(user)
  }),
  change('reactivate', async (user) => {
    await world.manage()('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: false })
    user.isSuspended = false
  }),
  change('change the password of', async (user, model) => {
    user.password = `${fresh('a long enough phrase')}`
    await world.manage()('PATCH', `/users/${user.id}/password`, { password: user.password })
    model.endUser(user)
  }),
  change('take the role from', async (user) => {
    if (user.isHolder) await world.manage()('DELETE', `/users/${user.id}/roles/${world.roleId}`)
    user.isHolder = false
  }),
  change('give the role to', async (user) => {
    if (!user.isHolder) await world.manage()('POST', `/users/${user.id}/roles`, { roleIds: [world.roleId] })
    user.isHolder = true
  }),
]

const rare: fc.Arbitrary<Step>[] = [
  change('delete', async (user, model) => {
    await world.manage()('DELETE', `/users/${user.id}`)
    user.exists = false
    model.endUser(user)
  }),
  which.map((i) =>
    step(
      `delete app ${i}`,
      (model) => appAt(model, i).exists,
      async (model) => {
        const app = appAt(model, i)
        await world.manage()('DELETE', `/applications/${app.id}`)
        app.exists = false
        for (const grant of model.grants) if (grant.app === app) grant.isAlive = false
      },
    ),
  ),
]

const advancing = fc.constantFrom(1, 1, 9, 11, 11, 61, 3600, 86_400, 15 * 86_400).map((seconds) =>
  step(`${seconds} s pass`, always, async (model) => {
    pass(model, seconds)
  }),
)

test('after any sequence of steps, every token is exactly as alive as the model says', async () => {
  // steps that create something are more frequent, or there would be nothing to end
  const weighted = (weight: number, steps: readonly fc.Arbitrary<Step>[]) => ({ weight, arbitrary: fc.oneof(...steps) })
  const steps = fc.oneof(
    weighted(8, obtaining),
    weighted(8, refreshing),
    weighted(4, authorizing),
    weighted(5, ending),
    weighted(3, [advancing]),
    weighted(1, rare),
  )
  const made = { tokens: 0, rotations: 0, ended: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: LEAST_STEPS, maxLength: MOST_STEPS, size: 'max' }),
      async (commands) => {
        const users = [await world.createUser(), await world.createUser()]
        const apps = [
          await world.createApp('public'),
          await world.createApp('confidential'),
          await world.createApp('confidential, rotating'),
        ]
        const model = new Model(users, apps)
        await fc.asyncModelRun(() => ({ model, real: world }), commands)
        made.tokens += model.access.length
        made.rotations += model.families.reduce((sum, { tokens }) => sum + tokens.length - 1, 0)
        made.ended += model.grants.filter(({ isAlive }) => !isAlive).length
      },
    ),
    { numRuns: RUNS, verbose: fc.VerbosityLevel.Verbose },
  )
  // runs that create nothing would show nothing
  for (const count of Object.values(made)) expect(count).toBeGreaterThan(RUNS / 4)
}, 300_000)
