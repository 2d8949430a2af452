import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const signedIn = async () => {
  const app = await createApp(server, 'SPA')
  const user = await createUser(server)
  const begun = await begin(app.configuration, { scope: 'openid offline_access' })
  const tokens = await redeem(app.configuration, await signIn(newBrowser(), begun, user.username), begun)
  return { app, tokens, refreshToken: tokens.refresh_token ?? '' }
}

const alive = async ({ app, tokens, refreshToken }: Awaited<ReturnType<typeof signedIn>>) => {
  const userinfo = client.fetchUserInfo(app.configuration, tokens.access_token, client.skipSubjectCheck)
  const opaque = await userinfo.then(
    () => true,
    () => false,
  )
  const refreshed = client.refreshTokenGrant(app.configuration, refreshToken)
  return {
    opaque,
    refresh: await refreshed.then(
      () => true,
      () => false,
    ),
  }
}

test.each(['refresh_token', 'access_token'] as const)(
  'revoking the %s ends the grant with all its tokens',
  async (which) => {
    const one = await signedIn()
    await client.tokenRevocation(one.app.configuration, one.tokens[which] ?? '')
    expect(await alive(one)).toEqual({ opaque: false, refresh: false })
  },
)

test.each(['refresh_token', 'access_token'] as const)('the %s of another application is left alone', async (which) => {
  const one = await signedIn()
  const other = await createApp(server, 'SPA')
  await client.tokenRevocation(other.configuration, one.tokens[which] ?? '')
  expect(await alive(one)).toEqual({ opaque: true, refresh: true })
})
