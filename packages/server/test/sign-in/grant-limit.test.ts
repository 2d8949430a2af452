import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { managementToken } from '../management/arrange.ts'
import { authorization, post, registerApplication } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from './arrange.ts'
import type { Browser } from './browser.ts'
import { ask, enter } from './device.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const limited = () => createApp(server, 'SPA', { customClientMetadata: { maxAllowedGrants: 2 } })

const limitEvents = async (userId: string) => {
  const { body } = await server.api('GET', '/events?event=Grant.LimitExceeded')
  return body.events.filter((event: { userId: string }) => event.userId === userId)
}

test('beyond maxAllowedGrants the oldest grant is revoked with its tokens, and one event says so', async () => {
  const { configuration, id } = await limited()
  const user = await createUser(server)
  const refreshTokens: string[] = []
  for (let device = 0; device < 3; device += 1) {
    server.clock.advance(1)
    const begun = await begin(configuration, { scope: 'openid offline_access' })
    const tokens = await redeem(configuration, await signIn(newBrowser(), begun, user.username), begun)
    refreshTokens.push(tokens.refresh_token ?? '')
  }
  const [first = '', ...others] = refreshTokens
  await expect(client.refreshTokenGrant(configuration, first)).rejects.toMatchObject({ error: 'invalid_grant' })
  for (const token of others) expect((await client.refreshTokenGrant(configuration, token)).refresh_token).toBeDefined()
  expect(await limitEvents(user.id)).toEqual([
    expect.objectContaining({
      applicationId: id,
      maxAllowedGrants: 2,
      preRevocationActiveGrantCount: 3,
      revokedGrantIds: [expect.any(String)],
    }),
  ])
})

test('a second authorization in the same browser does not create a second grant', async () => {
  const { configuration } = await limited()
  const user = await createUser(server)
  const browser = newBrowser()
  await signIn(browser, await begin(configuration), user.username)
  for (let again = 0; again < 3; again += 1) {
    const { url } = await browser.open((await begin(configuration)).url)
    expect(url.searchParams.has('code')).toBe(true)
  }
  expect(await limitEvents(user.id)).toEqual([])
})

test('a lowered limit applies from the next authorization on, also within an existing grant', async () => {
  const app = await limited()
  const user = await createUser(server)
  const [first, second] = [newBrowser(), newBrowser()]
  await signIn(first, await begin(app.configuration), user.username)
  await signIn(second, await begin(app.configuration), user.username)
  await server.api('PATCH', `/applications/${app.id}`, { customClientMetadata: { maxAllowedGrants: 1 } })
  const { url } = await second.open((await begin(app.configuration)).url)
  expect(url.searchParams.has('code')).toBe(true)
  expect(await limitEvents(user.id)).toEqual([
    expect.objectContaining({ maxAllowedGrants: 1, preRevocationActiveGrantCount: 2 }),
  ])
})

test('concurrent sign-ins on many devices leave exactly as many grants as allowed', async () => {
  const { configuration } = await limited()
  const user = await createUser(server)
  const tokens = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const begun = await begin(configuration, { scope: 'openid offline_access' })
      const back = await signIn(newBrowser(), begun, user.username)
      return redeem(configuration, back, begun).then(
        ({ refresh_token }) => refresh_token ?? '',
        () => undefined,
      )
    }),
  )
  const issued = tokens.filter((token) => token !== undefined)
  const refreshed = await Promise.allSettled(issued.map((token) => client.refreshTokenGrant(configuration, token)))
  expect(refreshed.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  const revoked = (await limitEvents(user.id)).flatMap((event: { revokedGrantIds: string[] }) => event.revokedGrantIds)
  expect(new Set(revoked).size).toBe(4)
})

describe('devices of the device flow', () => {
  const limit = { isDeviceFlow: true, maxAllowedGrants: 3 }
  const API = 'https://screens.example/api'
  beforeAll(() => server.api('POST', '/resources', { name: 'Screens', indicator: API }))

  /** Connects one through the browser, in whose session it is confirmed; returns its tokens. */
  const connect = async (
    app: Awaited<ReturnType<typeof createApp>>,
    browser: Browser,
    username: string,
    scope = 'openid offline_access',
  ) => {
    const { body: codes } = await ask(server, app.id, { scope, resource: API })
    let page = await enter(server, browser, codes.user_code)
    if (page.text.includes('name="identifier"'))
      page = await browser.submit(page, { identifier: username, password: PASSWORD })
    await browser.submit(page, { answer: 'allow' })
    const tokens = await client.pollDeviceAuthorizationGrant(app.configuration, {
      ...codes,
      expires_in: 600,
      interval: 0.001,
    })
    const jwt = await client.refreshTokenGrant(app.configuration, tokens.refresh_token ?? '', { resource: API })
    return {
      opaque: tokens.access_token,
      sid: tokens.claims()?.sid,
      jwt: jwt.access_token,
      refresh: jwt.refresh_token ?? '',
    }
  }
  type Device = Awaited<ReturnType<typeof connect>>
  const grantsOf = async (userId: string) => (await server.api('GET', `/users/${userId}/grants`)).body.grants

  test('each has its own grant, though all are confirmed in one session: the fourth exceeds the limit', async () => {
    const app = await createApp(server, 'Native', { customClientMetadata: limit })
    const user = await createUser(server)
    const browser = newBrowser()
    const devices: Device[] = []
    for (let count = 0; count < 3; count += 1) devices.push(await connect(app, browser, user.username))
    expect(new Set(devices.map(({ sid }) => sid)).size).toBe(1)
    expect(await grantsOf(user.id)).toHaveLength(3)
    expect(await limitEvents(user.id)).toEqual([])
    server.clock.advance(1)
    devices.push(await connect(app, browser, user.username))
    expect(await limitEvents(user.id)).toEqual([expect.objectContaining({ preRevocationActiveGrantCount: 4 })])
    const refreshed = await Promise.allSettled(
      devices.map(({ refresh }) => client.refreshTokenGrant(app.configuration, refresh)),
    )
    expect(refreshed.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(refreshed[3]?.status).toBe('fulfilled')
  })

  test('each can be revoked separately, with all of its tokens', async () => {
    const app = await createApp(server, 'Native', { customClientMetadata: limit })
    const observer = await registerApplication(server, 'MachineToMachine', { dangerouslyIntrospectAllTokens: true })
    const user = await createUser(server)
    const browser = newBrowser()
    const [first, second] = [await connect(app, browser, user.username), await connect(app, browser, user.username)]
    const active = ({ opaque, jwt, refresh }: Device) =>
      Promise.all(
        [opaque, jwt, refresh].map(
          async (token) => (await post(server, '/token/introspection', { token }, authorization(observer))).body.active,
        ),
      )
    expect([await active(first), await active(second)]).toEqual([Array(3).fill(true), Array(3).fill(true)])
    const { body: session } = await server.api('GET', `/users/${user.id}/sessions/${second.sid}`)
    const { grantId } = session.payload.authorizations[app.id]
    const newest = (await grantsOf(user.id)).find(({ id }: { id: string }) => id === grantId)
    expect((await server.api('DELETE', `/users/${user.id}/grants/${newest.id}`)).status).toBe(204)
    const left = [await active(first), await active(second)]
    expect(left.toSorted()).toEqual([Array(3).fill(false), Array(3).fill(true)])
  })

  test('those without offline_access end with the session in which they were confirmed', async () => {
    const app = await createApp(server, 'Native', { customClientMetadata: { ...limit, alwaysIssueRefreshToken: true } })
    const user = await createUser(server)
    const browser = newBrowser()
    const kept = await connect(app, browser, user.username)
    const bound = await connect(app, browser, user.username, 'openid')
    await server.api('DELETE', `/users/${user.id}/sessions/${bound.sid}`)
    expect(await grantsOf(user.id)).toHaveLength(1)
    await expect(client.refreshTokenGrant(app.configuration, bound.refresh)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await client.refreshTokenGrant(app.configuration, kept.refresh)).access_token).toMatch(/^cs_at_/)
  })
})

// last: the token of the harness expires meanwhile
test('a grant of an ended session does not count', async () => {
  const { configuration } = await createApp(server, 'SPA', { customClientMetadata: { maxAllowedGrants: 1 } })
  const user = await createUser(server)
  await signIn(newBrowser(), await begin(configuration), user.username)
  server.clock.advance(14 * 86_400)
  await signIn(newBrowser(), await begin(configuration), user.username)
  const token = await managementToken(server, 'all')
  const { body } = await server.api('GET', '/events?event=Grant.LimitExceeded', undefined, { token })
  expect(body.events.filter((event: { userId: string }) => event.userId === user.id)).toEqual([])
})
