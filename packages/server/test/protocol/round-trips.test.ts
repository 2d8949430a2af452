/** Budgets of the hot paths: how often a request waits for the database. */
import { isDeepStrictEqual } from 'node:util'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connect, newPerson, startProvider } from '../federation/arrange.ts'
import {
  authorized,
  createOrganization,
  createOrganizationRole,
  createPermission,
  join,
  joinMachine,
  ORGANIZATIONS,
  refresh,
} from '../organizations/token-arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from '../sign-in/arrange.ts'
import type { Page } from '../sign-in/browser.ts'
import { ACCESS_TOKEN, createExchanger, exchange, PAT } from '../token-exchange/arrange.ts'
import { type Arranged, arrange, askToken, authorization, post } from './arrange.ts'
import { type CountingProxy, countingProxy } from './database-proxy.ts'

let proxy: CountingProxy
let server: TestServer
let arranged: Arranged
beforeAll(async () => {
  proxy = await countingProxy(inject('cluster'))
  server = await startTestServer(proxy.address)
  arranged = await arrange(server)
  const { body: role } = await server.api('POST', '/roles', {
    name: 'buyers',
    scopeIds: Object.values(arranged.scopeIds),
    isDefault: true,
  })
  expect(role.id).toBeDefined()
})
afterAll(async () => {
  await server.close()
  await proxy.close()
})

const SCOPE = 'openid profile email roles offline_access read:orders'
type Kind = 'SPA' | 'Traditional'

/** A code of a new user, and the application that it was issued to. */
const codeOf = async (type: Kind) => {
  const app = await createApp(server, type)
  const user = await createUser(server)
  const begun = await begin(app.configuration, { scope: SCOPE, resource: arranged.resource.indicator })
  return { ...app, user, begun, back: await signIn(newBrowser(), begun, user.username) }
}
const resource = () => ({ resource: arranged.resource.indicator })
/** Warms the configuration cache, so that the second redemption finds everything there. */
const warm = async (type: Kind) => {
  const first = await codeOf(type)
  const tokens = await redeem(first.configuration, first.back, first.begun)
  await client.refreshTokenGrant(first.configuration, tokens.refresh_token ?? '', resource())
  return { ...first, tokens }
}
/** The same application, another code. */
const again = async ({ configuration, user }: Awaited<ReturnType<typeof warm>>) => {
  const begun = await begin(configuration, { scope: SCOPE, resource: arranged.resource.indicator })
  return { begun, back: await signIn(newBrowser(), begun, user.username) }
}

/**
 * The minimum of several runs. Statements sent without waiting go out immediately; on a busy machine a response that
 * nothing waits for may arrive between two of them, which then look like two round trips: that only ever adds to the
 * count.
 * @param enough where to stop
 */
const fewest = async (once: () => Promise<string[]>, enough = 2): Promise<string[]> => {
  let best = await once()
  for (let left = 9; best.length > enough && left > 0; left -= 1) {
    const next = await once()
    if (next.length < best.length) best = next
  }
  return best
}

test.each<[Kind, Record<string, string>]>([
  ['SPA', {}],
  ['SPA', { resource: 'the API' }],
  ['Traditional', {}],
  ['Traditional', { resource: 'the API' }],
])('a code of a %s application is redeemed in 2 round trips, a refresh token too, with %j', async (type, target) => {
  const parameters = 'resource' in target ? resource() : {}
  const known = await warm(type)
  let tokens: client.TokenEndpointResponse | undefined
  const redeeming = await fewest(async () => {
    const { begun, back } = await again(known)
    return proxy.roundTrips(async () => {
      tokens = await redeem(known.configuration, back, begun, parameters)
    })
  })
  expect(redeeming).toHaveLength(2)
  for (const sent of ['BEGIN', 'UPDATE authorization_codes', 'users u WHERE']) expect(redeeming[0]).toContain(sent)
  expect(redeeming[1]).toContain('COMMIT')
  expect(tokens).toMatchObject({ id_token: expect.any(String), refresh_token: expect.any(String) })
  const refreshing = await fewest(() =>
    proxy.roundTrips(async () => {
      tokens = await client.refreshTokenGrant(known.configuration, tokens?.refresh_token ?? '', parameters)
    }),
  )
  expect(refreshing).toHaveLength(2)
  expect(tokens).toMatchObject({ id_token: expect.any(String) })
  if ('resource' in target) expect(tokens?.scope).toBe('read:orders')
})

test.each([
  ['openid profile', false],
  ['openid profile roles', true],
])('a code for %s: whether what the user holds is read is %s', async (scope, isRead) => {
  const { configuration } = await createApp(server, 'SPA')
  const user = await createUser(server)
  const begun = await begin(configuration, { scope })
  const back = await signIn(newBrowser(), begun, user.username)
  let tokens: client.TokenEndpointResponse | undefined
  const sent = await proxy.roundTrips(async () => {
    tokens = await redeem(configuration, back, begun)
  })
  expect(decodeJwt(tokens?.id_token ?? '').username).toBe(user.username)
  expect(sent.join().includes('users u WHERE')).toBe(isRead)
})

/** The round trips of each part of a sign-in by a new browser. */
const wholeSignIn = async ({ configuration, user }: Awaited<ReturnType<typeof warm>>) => {
  const begun = await begin(configuration, { scope: SCOPE, resource: arranged.resource.indicator })
  const browser = newBrowser()
  let [shown, back]: (Page | undefined)[] = []
  const counted = {
    'the request and the page': await proxy.roundTrips(async () => {
      shown = await browser.open(begun.url)
    }),
    'the password and the way back': await proxy.roundTrips(async () => {
      if (shown) back = await browser.submit(shown, { identifier: user.username, password: PASSWORD })
    }),
    'the tokens': await proxy.roundTrips(async () => {
      if (back) expect((await redeem(configuration, back, begun)).id_token).toBeDefined()
    }),
  }
  // only what has just begun may be forgotten in a crash
  const forgettable = Object.entries(counted).filter(([, sent]) => sent.join().includes('synchronous_commit = off'))
  expect(forgettable.map(([part]) => part)).toEqual(['the request and the page'])
  return Object.entries(counted).map(([part, sent]) => [part, sent.length] as const)
}

test('a whole sign-in with a password waits for the database 9 times, also where companies have their own', async () => {
  const known = await warm('Traditional')
  await server.api('PATCH', `/users/${known.user.id}`, { primaryEmail: `${known.user.username}@people.example` })
  const config = { clientId: 'us', clientSecret: 'secret', issuer: 'https://globex.example' }
  const connector = { providerName: 'OIDC', connectorName: 'Globex', config, domains: ['globex.example'] }
  expect((await server.api('POST', '/sso-connectors', connector)).status).toBe(200)
  const budget = { 'the request and the page': 2, 'the password and the way back': 5, 'the tokens': 2 }
  const least = new Map<string, number>()
  // as with fewest, for each part
  for (let left = 10; left > 0 && !isDeepStrictEqual(Object.fromEntries(least), budget); left -= 1) {
    for (const [part, count] of await wholeSignIn(known))
      least.set(part, Math.min(count, least.get(part) ?? Number.POSITIVE_INFINITY))
  }
  expect(Object.fromEntries(least)).toEqual(budget)
})

test('a refresh with organization_id costs 2, for the organization itself and for an API in it', async () => {
  const organizationId = await createOrganization(server)
  const organizationScopeIds = [await createPermission(server, 'invite:member')]
  const resourceScopeIds = Object.values(arranged.scopeIds)
  const roleId = await createOrganizationRole(server, { organizationScopeIds, resourceScopeIds })
  const app = await createApp(server, 'SPA')
  const user = await createUser(server)
  await join(server, organizationId, user.id, [roleId])
  const scope = `openid offline_access ${ORGANIZATIONS} invite:member read:orders`
  const begun = await begin(app.configuration, { scope, ...resource() })
  let { refresh_token } = await authorized(app, begun, user.username)
  for (const [target, granted] of [
    [{}, 'invite:member'],
    [resource(), 'read:orders'],
  ] as const) {
    const parameters = { organization_id: organizationId, ...target }
    const refreshing = await fewest(() =>
      proxy.roundTrips(async () => {
        const { tokens } = await refresh(app, refresh_token, parameters)
        expect(tokens?.scope).toBe(granted)
        refresh_token = tokens?.refresh_token
      }),
    )
    expect(refreshing).toHaveLength(2)
  }
})

/** A user with a token of every kind that an exchange accepts, and a backend. */
const arrangeExchange = async () => {
  const { user, configuration, tokens } = await warm('Traditional')
  const { refresh_token, access_token: opaque } = tokens
  const { access_token: jwt } = await client.refreshTokenGrant(configuration, refresh_token ?? '', resource())
  const path = `/users/${user.id}/personal-access-tokens`
  const { body: personal } = await server.api('POST', path, { name: 'laptop' })
  const impersonating = async (): Promise<Record<string, string>> => {
    const { body } = await server.api('POST', '/subject-tokens', { userId: user.id, context: { ticket: 'T-1' } })
    return { subject_token: body.subjectToken }
  }
  const subjects = {
    impersonation: impersonating,
    'impersonation by an actor': async () => ({
      ...(await impersonating()),
      actor_token: opaque,
      actor_token_type: ACCESS_TOKEN,
    }),
    delegation: async () => ({ subject_token: jwt }),
    'a personal access token': async () => ({ subject_token: personal.value, subject_token_type: PAT }),
  }
  return { username: user.username, backend: await createExchanger(server), subjects }
}

describe.each([
  ['without a script of custom claims', undefined],
  ['with one', 'const getCustomJwtClaims = ({ context }) => ({ name: context.user.username })'],
] as const)('a token exchange costs 2, %s', (_what, script) => {
  let known: Awaited<ReturnType<typeof arrangeExchange>>
  beforeAll(async () => {
    known = await arrangeExchange()
    if (script !== undefined) await server.api('PUT', '/configs/jwt-customizer/access-token', { script })
  })
  afterAll(async () => {
    if (script !== undefined) await server.api('DELETE', '/configs/jwt-customizer/access-token')
  })

  test.each(['impersonation', 'impersonation by an actor', 'delegation', 'a personal access token'] as const)(
    '%s',
    async (use) => {
      const ask = async () => {
        const subject = await known.subjects[use]()
        return proxy.roundTrips(async () => {
          const { status, body } = await exchange(server.baseUrl, known.backend, {
            subject_token_type: ACCESS_TOKEN,
            ...resource(),
            scope: 'read:orders',
            ...subject,
          })
          expect([status, body.scope]).toEqual([200, 'read:orders'])
          expect(decodeJwt(body.access_token).name).toBe(script === undefined ? undefined : known.username)
        })
      }
      // from here on the configuration is in the cache
      await ask()
      const sent = await fewest(ask)
      expect(sent).toHaveLength(2)
      for (const each of ['BEGIN', 'users u WHERE']) expect(sent[0]).toContain(each)
      expect(sent[1]).toContain('COMMIT')
    },
  )
})

test('client_credentials with organization_id costs nothing once the cache is warm', async () => {
  const organizationId = await createOrganization(server)
  await joinMachine(server, organizationId, arranged.client.clientId)
  for (const target of [{}, resource()]) {
    const ask = () => askToken(server, arranged.client, { organization_id: organizationId, ...target })
    expect((await ask()).status).toBe(200)
    expect(await fewest(() => proxy.roundTrips(ask), 0)).toHaveLength(0)
  }
})

test('userinfo and introspection of every kind of token cost at most 2', async () => {
  const { configuration, tokens, id } = await warm('Traditional')
  const opaque = tokens.access_token
  const jwt = (await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', resource())).access_token
  const clientSecret = (await server.api('GET', `/applications/${id}/secrets`)).body[0].value
  const introspect = (token: string) =>
    post(server, '/token/introspection', { token }, authorization({ clientId: id, clientSecret }))
  for (const token of [opaque, jwt, tokens.refresh_token ?? '']) {
    let active: unknown
    const asked = await fewest(() =>
      proxy.roundTrips(async () => {
        active = (await introspect(token)).body.active
      }),
    )
    expect(active).toBe(true)
    expect(asked.length).toBeLessThanOrEqual(2)
  }
  const told = await fewest(() =>
    proxy.roundTrips(() => client.fetchUserInfo(configuration, opaque, client.skipSubjectCheck)),
  )
  expect(told).toHaveLength(2)
})

test('who is back from a provider waits for the database 5 times: 2 before the provider is asked, 3 for all that follows', async () => {
  const provider = await startProvider(server)
  try {
    const connectorId = await connect(server, 'oidc', provider.config)
    const { configuration, user } = await warm('Traditional')
    const person = newPerson()
    const identity = { userId: person.sub }
    expect((await server.api('PUT', `/users/${user.id}/identities/acme`, identity)).status).toBe(201)
    const signInThere = async () => {
      const begun = await begin(configuration, { scope: SCOPE, resource: arranged.resource.indicator })
      const browser = newBrowser(provider.origin)
      const page = await browser.open(begun.url)
      const social = new URL(page.url.href.replace('/sign-in/', '/social/'))
      const { url } = await browser.submit({ ...page, url: social }, { connector: connectorId })
      const answer = new URLSearchParams(provider.signIn(url.href, person))
      let back: Page | undefined
      const waits = await proxy.roundTrips(async () => {
        back = await browser.open(`${server.baseUrl}/callback/${connectorId}?${answer}`)
      })
      if (back) expect((await redeem(configuration, back, begun)).claims()?.sub).toBe(user.id)
      return waits
    }
    // from here on the configuration is in the cache
    await signInThere()
    const sent = await fewest(signInThere, 5)
    expect(sent).toHaveLength(5)
  } finally {
    await provider.close()
  }
})
