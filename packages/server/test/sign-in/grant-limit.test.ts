import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { managementToken } from '../management/arrange.ts'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from './arrange.ts'

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

test('a second authorization in the same browser is no second grant', async () => {
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

test('a limit that was lowered holds from the next authorization on, though it is in a grant that is there', async () => {
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

test('sign-ins at once on many devices leave exactly as many grants as are allowed', async () => {
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

// last: the token of the harness expires meanwhile
test('a grant whose session is over takes no room', async () => {
  const { configuration } = await createApp(server, 'SPA', { customClientMetadata: { maxAllowedGrants: 1 } })
  const user = await createUser(server)
  await signIn(newBrowser(), await begin(configuration), user.username)
  server.clock.advance(14 * 86_400)
  await signIn(newBrowser(), await begin(configuration), user.username)
  const token = await managementToken(server, 'all')
  const { body } = await server.api('GET', '/events?event=Grant.LimitExceeded', undefined, { token })
  expect(body.events.filter((event: { userId: string }) => event.userId === user.id)).toEqual([])
})
