/** The revocation feed (DECISIONS G17): what it says of a token is what introspection says of it. */
import { createHash } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { forgetExpired } from '../../src/domain/setup/housekeeping.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from '../sign-in/arrange.ts'
import type { Browser } from '../sign-in/browser.ts'
import { ACCESS_TOKEN, createExchanger, exchange } from '../token-exchange/arrange.ts'
import { type Arranged, arrange, authorization, eventually, issue, post, registerApplication } from './arrange.ts'

interface Entry {
  readonly id: string
  readonly exp: number
  readonly iat?: number
}

let server: TestServer
let arranged: Arranged
let api: { clientId: string; clientSecret: string }
/** Introspects every token. */
let seesAll: typeof api
let exchanger: Awaited<ReturnType<typeof createExchanger>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
  const { indicator } = arranged.resource
  api = await registerApplication(server, 'MachineToMachine', { introspectionAudiences: [indicator] })
  seesAll = await registerApplication(server, 'MachineToMachine', { dangerouslyIntrospectAllTokens: true })
  exchanger = await createExchanger(server)
  await server.api('POST', '/roles', {
    name: 'buyers',
    scopeIds: [arranged.scopeIds['read:orders']],
    isDefault: true,
  })
})
afterAll(() => server.close())

const ask = (parameters: Record<string, string> = {}, as = api) =>
  post(server, '/revocations', parameters, authorization(as))
/** Everything after a cursor. */
const since = async (after?: string): Promise<Entry[]> => {
  const { status, body } = await ask(after === undefined ? {} : { after })
  expect(status).toBe(200)
  return body.has_more ? [...body.revocations, ...(await since(body.cursor))] : body.revocations
}
const now = async (): Promise<string> => {
  const { body } = await ask()
  expect(body.has_more).toBe(false)
  return body.cursor
}

/** What an API does with an entry, written down once more. */
const isRefused = (entries: readonly Entry[], token: string): boolean => {
  const { jti = '', sub = '', sid, client_id, iat = 0 } = decodeJwt<{ sid?: string; client_id: string }>(token)
  const [kind, grant] = jti.split('.')
  const names = [`token:${jti}`, `user:${sub}`, `client:${client_id}`]
  if (kind === 'g' || kind === 's') names.push(`grant:${grant}`)
  if (kind === 's') names.push(`session:${sid}`)
  const digests = names.map((name) => createHash('sha256').update(name).digest().subarray(0, 12).toString('base64url'))
  return entries.some((entry) => digests.includes(entry.id) && iat <= (entry.iat ?? iat))
}

/** A user who is signed in at two applications of a browser, with a token of every kind that the server issues as a JWT. */
const arrival = async () => {
  const app = await createApp(server, 'Traditional', { customClientMetadata: { rotateRefreshToken: true } })
  const [secret] = await server.client.listApplicationSecrets({ params: { id: app.id } })
  const own = { clientId: app.id, clientSecret: secret?.value ?? '' }
  const user = await createUser(server)
  const { indicator: resource } = arranged.resource
  const authorized = async (browser: Browser, scope: string) => {
    const begun = await begin(app.configuration, { scope, resource })
    let back = await browser.open(begun.url)
    if (back.text.includes('name="identifier"')) back = await signIn(browser, begun, user.username)
    const tokens = await redeem(app.configuration, back, begun, { resource })
    const code = back.url.searchParams.get('code') ?? ''
    const again = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: begun.verifier, code }
    return {
      jwt: tokens.access_token,
      refresh: tokens.refresh_token ?? '',
      sid: decodeJwt(tokens.access_token).sid as string,
      replay: () => post(server, '/token', again, authorization(own)),
    }
  }
  const browser = newBrowser()
  const offline = await authorized(browser, 'openid offline_access read:orders')
  const bound = await authorized(newBrowser(), 'openid read:orders')
  const { body: exchanged } = await exchange(server.baseUrl, exchanger, {
    subject_token: offline.jwt,
    subject_token_type: ACCESS_TOKEN,
    resource,
    scope: 'read:orders',
  })
  const { token: machine } = await issue(server, arranged)
  const tokens = { offline: offline.jwt, bound: bound.jwt, exchanged: exchanged.access_token as string, machine }
  return { app, own, user, browser, offline, bound, tokens }
}
type Arrival = Awaited<ReturnType<typeof arrival>>
type Name = keyof Arrival['tokens']

const revoke = (token: string, by: Arrival['own']) => post(server, '/token/revocation', { token }, authorization(by))
const signOut = async (browser: Browser) =>
  browser.submit(await browser.open(`${server.issuer}/session/end`), { confirm: 'yes' })
const path = ({ user }: Arrival) => `/users/${user.id}`

describe('what ends is in the feed at once, and the feed says what introspection says', () => {
  test.each<[string, Name[], (world: Arrival) => Promise<unknown>]>([
    ['a token is revoked', ['bound'], ({ tokens, own }) => revoke(tokens.bound, own)],
    ["a machine's token is revoked", ['machine'], ({ tokens }) => revoke(tokens.machine, arranged.client)],
    ['a refresh token is revoked', ['offline'], ({ offline, own }) => revoke(offline.refresh, own)],
    ['a code is used again', ['offline'], ({ offline }) => offline.replay()],
    [
      'a refresh token is used again',
      ['offline'],
      async ({ app, offline }) => {
        const rotated = await client.refreshTokenGrant(app.configuration, offline.refresh)
        await client.refreshTokenGrant(app.configuration, rotated.refresh_token ?? '')
        await expect(client.refreshTokenGrant(app.configuration, offline.refresh)).rejects.toThrow()
      },
    ],
    [
      'an administrator revokes a grant',
      ['offline'],
      async (world) => {
        const grant = decodeJwt(world.tokens.offline).jti?.split('.')[1]
        expect((await server.api('DELETE', `${path(world)}/grants/${grant}`)).status).toBe(204)
      },
    ],
    [
      'an administrator ends a session',
      ['bound'],
      async (world) => {
        for (const { sid } of [world.bound, world.offline])
          expect((await server.api('DELETE', `${path(world)}/sessions/${sid}`)).status).toBe(204)
      },
    ],
    [
      'an administrator ends a session with all its grants',
      ['offline'],
      (world) => server.api('DELETE', `${path(world)}/sessions/${world.offline.sid}?revokeGrantsTarget=all`),
    ],
    ['the user signs out', [], ({ browser }) => signOut(browser)],
    [
      'the user is suspended',
      ['offline', 'bound', 'exchanged'],
      (world) => server.api('PATCH', `${path(world)}/is-suspended`, { isSuspended: true }),
    ],
    ['the user is deleted', ['offline', 'bound', 'exchanged'], (world) => server.api('DELETE', path(world))],
    [
      'the password is set',
      ['offline', 'bound'],
      (world) => server.api('PATCH', `${path(world)}/password`, { password: `${PASSWORD} another` }),
    ],
    ['the application is deleted', ['offline', 'bound'], ({ app }) => server.api('DELETE', `/applications/${app.id}`)],
  ])('when %s', async (_how, ended, end) => {
    const [world, other] = [await arrival(), await arrival()]
    const after = await now()
    expect(await since(after)).toEqual([])
    await end(world)
    const entries = await since(after)
    const machineEnds = ended.includes('machine')
    for (const [name, token] of Object.entries(world.tokens)) {
      const { body } = await post(server, '/token/introspection', { token }, authorization(seesAll))
      const said = { name, isRefused: isRefused(entries, token), active: body.active }
      expect(said).toEqual({ name, isRefused: !body.active, active: !ended.includes(name as Name) })
    }
    for (const [name, token] of Object.entries(other.tokens)) {
      if (name === 'machine' && machineEnds) continue
      expect([name, isRefused(entries, token)]).toEqual([name, false])
    }
  })
})

test('a user who is active again gets tokens that stand; those from before stay refused', async () => {
  const world = await arrival()
  const after = await now()
  for (const isSuspended of [true, false]) await server.api('PATCH', `${path(world)}/is-suspended`, { isSuspended })
  server.clock.advance(3)
  const begun = await begin(world.app.configuration, {
    scope: 'openid read:orders',
    resource: arranged.resource.indicator,
  })
  const back = await signIn(newBrowser(), begun, world.user.username)
  const { access_token: fresh } = await redeem(world.app.configuration, back, begun, {
    resource: arranged.resource.indicator,
  })
  const entries = await since(after)
  expect([fresh, ...Object.values(world.tokens)].map((token) => isRefused(entries, token))).toEqual([
    ...[false, true, true, true, false],
  ])
})

const waitsAt = async ({ metrics }: TestServer['store']): Promise<number> => {
  const text = await metrics.registry.getSingleMetricAsString('countersign_revocation_waits')
  return Number(/^countersign_revocation_waits (\d+)$/m.exec(text)?.[1])
}

describe('waiting', () => {
  test('is over as soon as something ends, on whichever node', async () => {
    const node = await server.startNode()
    const after = await now()
    const there = { baseUrl: node.url }
    const waiting = [server, there].map((at) => post(at, '/revocations', { after, wait: '25' }, authorization(api)))
    const { token } = await issue(server, arranged)
    await revoke(token, arranged.client)
    for (const { body } of await Promise.all(waiting)) {
      expect(body.revocations.map(({ id }: Entry) => id)).toHaveLength(1)
      expect(isRefused(body.revocations, token)).toBe(true)
    }
    await node.close()
  })

  test('is over when the time is: nothing ended, and the cursor goes on', async () => {
    const after = await now()
    expect((await ask({ after, wait: '1' })).body).toEqual({ revocations: [], cursor: after, has_more: false })
  })

  test('is over when the server closes', async () => {
    const node = await server.startNode()
    const after = await now()
    const waiting = post({ baseUrl: node.url }, '/revocations', { after, wait: '25' }, authorization(api))
    await eventually('the request waits', 5000, async () => (await waitsAt(node.store)) > 0)
    const began = performance.now()
    await node.close()
    expect((await waiting).body).toEqual({ revocations: [], cursor: after, has_more: false })
    expect(performance.now() - began).toBeLessThan(20_000)
  })
})

test('the whole set comes in pages, each entry once', async () => {
  const after = await now()
  await server.store.database.pool.query(
    `INSERT INTO revocations (tenant_id, kind, subject, ends_at)
     SELECT 'default', 'token', 'bulk-' || n, $1 FROM generate_series(1, 5001) n`,
    [new Date(server.clock.now().getTime() + 60_000)],
  )
  const { body: first } = await ask({ after })
  expect([first.revocations.length, first.has_more]).toEqual([5000, true])
  const { body: second } = await ask({ after: first.cursor })
  expect([second.revocations.length, second.has_more]).toEqual([1, false])
  expect(new Set([...first.revocations, ...second.revocations].map(({ id }: Entry) => id)).size).toBe(5001)
})

test('entries go when no token can be alive, and what ended by time leaves none', async () => {
  const node = await startTestServer(inject('cluster'))
  const there = await arrange(node, { resource: { accessTokenTtl: 7200 } })
  const reader = await registerApplication(node, 'MachineToMachine', { dangerouslyIntrospectAllTokens: true })
  const read = async () => (await post(node, '/revocations', {}, authorization(reader))).body.revocations
  const app = await createApp(node, 'SPA')
  const user = await createUser(node)
  const at = () => Math.floor(node.clock.now().getTime() / 1000)
  await signIn(newBrowser(), await begin(app.configuration), user.username)
  await node.api('DELETE', `/applications/${there.client.clientId}`)
  expect(await read()).toEqual([{ id: expect.any(String), exp: at() + 7200 + 300, iat: at() + 1 }])
  node.clock.advance(7200 + 300)
  expect(await read()).toEqual([])
  // sessions and their grants end after 14 days
  node.clock.advance(20 * 86_400)
  expect(await forgetExpired(node.store)).toBeGreaterThan(1)
  const { rows } = await node.store.database.pool.query('SELECT count(*)::int AS left FROM revocations')
  expect([await read(), rows]).toEqual([[], [{ left: 0 }]])
  await node.close()
})

test('a cursor from before the database was restored begins again', async () => {
  const { body } = await ask({ after: Buffer.from('r999999999999').toString('base64url') })
  const { body: whole } = await ask()
  expect([body.revocations, body.cursor]).toEqual([whole.revocations, whole.cursor])
})

describe('R-14 the feed is refused to', () => {
  test.each([
    ['an application without an API', 'MachineToMachine', {}],
    ['a public application', 'SPA', {}],
  ] as const)('%s', async (_who, type, metadata) => {
    const { clientId, clientSecret } = await registerApplication(server, type, metadata)
    const by = clientSecret ? authorization({ clientId, clientSecret }) : {}
    const { status, body } = await post(server, '/revocations', clientSecret ? {} : { client_id: clientId }, by)
    expect([status, body.error]).toEqual([400, 'unauthorized_client'])
  })

  test.each([
    [{ after: 'x' }, 'after is not a cursor of this feed'],
    [{ after: `${Buffer.from('r1').toString('base64url')}=` }, 'after is not a cursor of this feed'],
    [{ after: Buffer.from('e1').toString('base64url') }, 'after is not a cursor of this feed'],
    [{ after: 'A'.repeat(10_000) }, 'after is not a cursor of this feed'],
    [{ wait: '26' }, 'wait must be a whole number of seconds from 0 to 25'],
    [{ wait: '-1' }, 'wait must be a whole number of seconds from 0 to 25'],
    [{ wait: '1e1' }, 'wait must be a whole number of seconds from 0 to 25'],
  ])('%j', async (parameters, description) => {
    const { status, body } = await ask(parameters as Record<string, string>)
    expect([status, body.error, body.error_description]).toEqual([400, 'invalid_request', description])
  })
})
