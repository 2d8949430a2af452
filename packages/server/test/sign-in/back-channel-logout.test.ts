import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  failedOnce,
  queued,
  queueEmpty,
  type Received,
  type Receiver,
  startReceiver,
  wakeWorkers,
} from '../events/receiver.ts'
import { managementToken } from '../management/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from './arrange.ts'
import type { Browser } from './browser.ts'

let server: TestServer
const receivers: Receiver[] = []
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterEach(async () => {
  await queueEmpty(server.store)
  for (const receiver of receivers.splice(0)) await receiver.close()
})
afterAll(() => server.close())

const receiving = async (answer?: (response: ServerResponse) => void, port?: number) => {
  const receiver = await startReceiver(answer, port)
  receivers.push(receiver)
  return receiver
}

const tell = async (applicationId: string, backchannelLogoutUri: string) => {
  const { status } = await server.api('PATCH', `/applications/${applicationId}`, {
    oidcClientMetadata: { backchannelLogoutUri },
  })
  expect(status).toBe(200)
}

/** An application that is told at an address. */
const createToldApp = async (uri: string) => {
  const app = await createApp(server)
  await tell(app.id, uri)
  return app
}

type App = Awaited<ReturnType<typeof createApp>>

/** Signs a user in to an application; the browser keeps its session for the next. */
const enter = async (app: App, username: string, browser: Browser, scope = 'openid') => {
  const begun = await begin(app.configuration, {
    scope,
    prompt: scope.includes('offline_access') ? 'consent' : 'login',
  })
  const tokens = await redeem(app.configuration, await signIn(browser, begun, username), begun)
  return { idToken: tokens.id_token ?? '', refreshToken: tokens.refresh_token, sid: tokens.claims()?.sid as string }
}

/** One more application in the same session. */
const enterSilently = async (app: App, browser: Browser) => {
  const begun = await begin(app.configuration, { scope: 'openid', prompt: 'none' })
  return redeem(app.configuration, await browser.open(begun.url), begun)
}

const logOut = (browser: Browser, idToken: string) =>
  browser.open(`${server.issuer}/session/end?${new URLSearchParams({ id_token_hint: idToken })}`)

const tokenOf = ({ body }: Received): string => new URLSearchParams(body).get('logout_token') ?? ''

/** Checks a logout token as section 2.6 tells an application to; returns its claims. */
const verified = async (received: Received | undefined, audience: string) => {
  const token = received ? tokenOf(received) : ''
  const keys = createRemoteJWKSet(new URL(`${server.issuer}/jwks`))
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: server.issuer,
    audience,
    typ: 'logout+jwt',
    currentDate: server.clock.now(),
  })
  expect(payload.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
  expect(payload).not.toHaveProperty('nonce')
  return { payload, protectedHeader }
}

const auditOf = async (applicationId: string) => {
  const path = `/logs?logKey=System.sendLogoutToken&applicationId=${applicationId}`
  const { body } = await server.api('GET', path, undefined, { token: await managementToken(server, 'all') })
  return body.map(({ payload }: { payload: object }) => payload)
}

describe('back-channel logout (OpenID Connect Back-Channel Logout 1.0)', () => {
  test('a session that ends at one application ends at the others', async () => {
    const receiver = await receiving()
    const user = await createUser(server)
    const browser = newBrowser()
    const [first, second] = [
      await createToldApp(`${receiver.url}/first`),
      await createToldApp(`${receiver.url}/second`),
    ]
    const silent = await createApp(server)
    const { idToken, sid } = await enter(first, user.username, browser)
    await enterSilently(second, browser)
    await enterSilently(silent, browser)
    await logOut(browser, idToken)
    await receiver.got(2)
    const [toFirst, toSecond] = ['/first', '/second'].map((path) => receiver.received.find((one) => one.path === path))
    expect(toFirst).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', host: new URL(receiver.url).host },
    })
    expect([...new URLSearchParams(toFirst?.body).keys()]).toEqual(['logout_token'])
    const { payload, protectedHeader } = await verified(toFirst, first.id)
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'logout+jwt', kid: expect.any(String) })
    expect(payload).toMatchObject({ sub: user.id, sid, jti: expect.any(String) })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(120)
    expect((await verified(toSecond, second.id)).payload).toMatchObject({ sub: user.id, sid })
    await queueEmpty(server.store)
    expect(await auditOf(first.id)).toEqual([
      expect.objectContaining({ result: 'Success', userId: user.id, sessionId: sid, attempts: 1 }),
    ])
  })

  test('a logout token is not an ID token: it is refused as id_token_hint', async () => {
    const receiver = await receiving()
    const user = await createUser(server)
    const browser = newBrowser()
    const app = await createToldApp(receiver.url)
    const { idToken } = await enter(app, user.username, browser)
    await logOut(browser, idToken)
    await receiver.got(1)
    const page = await logOut(browser, tokenOf(receiver.received[0] as Received))
    expect(page.status).toBe(400)
    expect(page.text).toContain('id_token_hint')
  })

  test('an application whose grant survives by offline_access is notified too', async () => {
    const receiver = await receiving()
    const user = await createUser(server)
    const browser = newBrowser()
    const app = await createToldApp(receiver.url)
    const { idToken, sid, refreshToken } = await enter(app, user.username, browser, 'openid offline_access')
    expect(refreshToken).toEqual(expect.any(String))
    await logOut(browser, idToken)
    await receiver.got(1)
    expect((await verified(receiver.received[0], app.id)).payload.sid).toBe(sid)
  })

  test.each([
    ['suspended', (id: string) => server.api('PATCH', `/users/${id}/is-suspended`, { isSuspended: true })],
    [
      'given a new password',
      (id: string) => server.api('PATCH', `/users/${id}/password`, { password: `${PASSWORD}!` }),
    ],
    ['deleted', (id: string) => server.api('DELETE', `/users/${id}`)],
  ])('a user who is %s is signed out of the applications of all their sessions', async (_what, cause) => {
    const receiver = await receiving()
    const user = await createUser(server)
    const app = await createToldApp(receiver.url)
    const sessions = [await enter(app, user.username, newBrowser()), await enter(app, user.username, newBrowser())]
    expect((await cause(user.id)).status).toBeLessThan(300)
    await receiver.got(2)
    const tokens = await Promise.all(receiver.received.map(async (one) => (await verified(one, app.id)).payload))
    expect(tokens.map(({ sid }) => sid).toSorted()).toEqual(sessions.map(({ sid }) => sid).toSorted())
    expect(tokens.map(({ sub }) => sub)).toEqual([user.id, user.id])
    expect(new Set(tokens.map(({ jti }) => jti)).size).toBe(2)
  })

  test('another user who signs in with the same browser ends the session of the first', async () => {
    const receiver = await receiving()
    const [first, second] = [await createUser(server), await createUser(server)]
    const app = await createToldApp(receiver.url)
    const browser = newBrowser()
    const { sid } = await enter(app, first.username, browser)
    await enter(app, second.username, browser)
    await receiver.got(1)
    expect((await verified(receiver.received[0], app.id)).payload).toMatchObject({ sub: first.id, sid })
  })

  test('an application that requests RS256 gets its logout tokens signed with it', async () => {
    const receiver = await receiving()
    const user = await createUser(server)
    const browser = newBrowser()
    const app = await createToldApp(receiver.url)
    const change = { customClientMetadata: { idTokenSignedResponseAlg: 'RS256' } }
    expect((await server.api('PATCH', `/applications/${app.id}`, change)).status).toBe(200)
    const { idToken } = await enter(app, user.username, browser)
    await logOut(browser, idToken)
    await receiver.got(1)
    expect((await verified(receiver.received[0], app.id)).protectedHeader.alg).toBe('RS256')
  })

  test('204 counts as success', async () => {
    const receiver = await receiving((response) => void response.writeHead(204).end())
    const app = await createToldApp(receiver.url)
    const browser = newBrowser()
    await logOut(browser, (await enter(app, (await createUser(server)).username, browser)).idToken)
    await receiver.got(1)
    await queueEmpty(server.store)
    expect(await auditOf(app.id)).toEqual([expect.objectContaining({ result: 'Success' })])
  })
})

describe('an application that cannot be notified immediately', () => {
  test('gets a new token when it is reachable again', async () => {
    const port = await freePort()
    const app = await createToldApp(`http://127.0.0.1:${port}`)
    const browser = newBrowser()
    await logOut(browser, (await enter(app, (await createUser(server)).username, browser)).idToken)
    await failedOnce(server.store)
    const receiver = await receiving(undefined, port)
    server.clock.advance(7)
    await wakeWorkers(server.store)
    await receiver.got(1)
    const { payload } = await verified(receiver.received[0], app.id)
    expect(payload.iat).toBe(Math.floor(server.clock.now().getTime() / 1000))
    await queueEmpty(server.store)
    expect(await auditOf(app.id)).toEqual([expect.objectContaining({ result: 'Success', attempts: 2 })])
  })

  test('is not retried after its deletion', async () => {
    const receiver = await receiving((response) => void response.writeHead(503).end())
    const app = await createToldApp(receiver.url)
    const browser = newBrowser()
    await logOut(browser, (await enter(app, (await createUser(server)).username, browser)).idToken)
    await failedOnce(server.store)
    await server.api('DELETE', `/applications/${app.id}`)
    server.clock.advance(7)
    await wakeWorkers(server.store)
    await queueEmpty(server.store)
    expect(await auditOf(app.id)).toEqual([
      expect.objectContaining({
        result: 'Error',
        error: 'the application is deleted or no longer has a backchannelLogoutUri',
      }),
    ])
    expect(receiver.received).toHaveLength(1)
  })

  test.each(['https://10.0.0.1/logout', 'https://169.254.169.254/latest/meta-data'])(
    'R-31 is not sent to %s',
    async (uri) => {
      const app = await createToldApp(uri)
      const browser = newBrowser()
      await logOut(browser, (await enter(app, (await createUser(server)).username, browser)).idToken)
      await failedOnce(server.store)
      const [row] = await queued(server.store)
      expect(row?.last_error).toBe(
        `${new URL(uri).hostname} is at ${new URL(uri).hostname}, which is not public; see OUTBOUND_ALLOW`,
      )
      await server.api('DELETE', `/applications/${app.id}`)
      server.clock.advance(7)
      await wakeWorkers(server.store)
    },
  )

  test('does not delay the others', async () => {
    const held: ServerResponse[] = []
    const dead = await receiving((response) => void held.push(response))
    const receiver = await receiving()
    const [slow, quick] = [await createToldApp(dead.url), await createToldApp(receiver.url)]
    const user = await createUser(server)
    const browser = newBrowser()
    const { idToken } = await enter(slow, user.username, browser)
    await enterSilently(quick, browser)
    await logOut(browser, idToken)
    await Promise.all([receiver.got(1), dead.got(1)])
    expect(held).toHaveLength(1)
    held[0]?.end()
  })
})

describe('an application that is never reachable', () => {
  // a day later nothing that was issued before it is valid: a server of its own
  let before: TestServer
  beforeEach(async () => {
    before = server
    server = await startTestServer(inject('cluster'))
  })
  afterEach(async () => {
    await server.close()
    server = before
  })

  test.each([
    ['an error', (response: ServerResponse) => void response.writeHead(500).end(), 'the application answered 500'],
    ['400', (response: ServerResponse) => void response.writeHead(400).end(), 'the application answered 400'],
    [
      'a redirect',
      (response: ServerResponse) => void response.writeHead(302, { location: '/elsewhere' }).end(),
      'the application answered 302',
    ],
  ])(
    'is tried again after %s, for a day, and the audit log says that it was given up',
    async (_what, answer, error) => {
      const receiver = await receiving(answer)
      const app = await createToldApp(receiver.url)
      const browser = newBrowser()
      await logOut(browser, (await enter(app, (await createUser(server)).username, browser)).idToken)
      await failedOnce(server.store)
      const [row] = await queued(server.store)
      expect(row?.last_error).toBe(error)
      const wait = (row?.due_at.getTime() ?? 0) - server.clock.now().getTime()
      expect(wait).toBeGreaterThanOrEqual(4000)
      expect(wait).toBeLessThanOrEqual(6000)
      server.clock.advance(86_400)
      await wakeWorkers(server.store)
      await queueEmpty(server.store)
      expect(await auditOf(app.id)).toEqual([
        expect.objectContaining({ result: 'Error', error: 'it expired before it could be sent', attempts: 2 }),
      ])
      expect(receiver.received.map(({ path }) => path)).toEqual(['/'])
    },
  )
})

describe('several nodes', () => {
  test('send each token once, also if there are more than fit one batch', async () => {
    const receiver = await receiving()
    const node = await server.startNode()
    try {
      const app = await createToldApp(receiver.url)
      const user = await createUser(server)
      const sids: string[] = []
      for (let count = 0; count < 40; count += 1) sids.push((await enter(app, user.username, newBrowser())).sid)
      await server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true })
      await receiver.got(40)
      await Promise.all([wakeWorkers(server.store), wakeWorkers(node.store)])
      await queueEmpty(server.store)
      expect(receiver.received.map((one) => decodeJwt(tokenOf(one)).sid).toSorted()).toEqual(sids.toSorted())
    } finally {
      await node.close()
    }
  })

  test('another node takes over a token of a dead node when its lease ends', async () => {
    const port = await freePort()
    const app = await createToldApp(`http://127.0.0.1:${port}`)
    const browser = newBrowser()
    await logOut(browser, (await enter(app, (await createUser(server)).username, browser)).idToken)
    await failedOnce(server.store)
    // as a node leaves it that takes it and dies
    const leaseEnd = new Date(server.clock.now().getTime() + 60_000)
    await server.store.database.kysely.updateTable('dispatches').set({ due_at: leaseEnd, attempts: 2 }).execute()
    const receiver = await receiving(undefined, port)
    server.clock.advance(61)
    await wakeWorkers(server.store)
    await receiver.got(1)
  })

  test('a stopping node finishes its requests', async () => {
    const own = await startTestServer(inject('cluster'))
    const steps: string[] = []
    const receiver = await receiving((response) => {
      response.on('close', () => steps.push('answered'))
      held = response
    })
    let held: ServerResponse | undefined
    const app = await createApp(own)
    await own.api('PATCH', `/applications/${app.id}`, { oidcClientMetadata: { backchannelLogoutUri: receiver.url } })
    const user = await createUser(own)
    await enter(app, user.username, newBrowser())
    await own.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true })
    await receiver.got(1)
    const closing = own.close().then(() => steps.push('stopped'))
    closing.catch(() => undefined)
    held?.end()
    if (held) await once(held, 'close')
    await closing
    expect(steps).toEqual(['answered', 'stopped'])
  })
})

test.each(['https://app.example/logout#x', 'ftp://app.example/logout', 'not a uri', 'https://user@app.example/logout'])(
  'backchannelLogoutUri %s is refused',
  async (backchannelLogoutUri) => {
    const { status, body } = await server.api('POST', '/applications', {
      name: 'Notes',
      type: 'Traditional',
      oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [], backchannelLogoutUri },
    })
    expect(status).toBe(400)
    expect(body.message).toContain('backchannelLogoutUri')
  },
)
