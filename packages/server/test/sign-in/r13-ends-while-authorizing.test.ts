/** R-13, DECISIONS F6: whatever ends sessions ends what is authorized in them in the same moment. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from './arrange.ts'

let server: TestServer
let app: Awaited<ReturnType<typeof createApp>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  app = await createApp(server, 'Native')
})
afterAll(() => server.close())

const LOOPS = 12
const OFFLINE = 'openid offline_access'

/** Authorizes in silence, again and again, until the session is gone; returns the last code of each loop with its request. */
const authorizeUntilGone = async (browser: ReturnType<typeof newBrowser>) => {
  let last: { page: Awaited<ReturnType<typeof browser.open>>; begun: Awaited<ReturnType<typeof begin>> } | undefined
  for (;;) {
    const begun = await begin(app.configuration, { scope: OFFLINE, prompt: 'none' })
    const page = await browser.open(begun.url)
    if (!page.url.searchParams.has('code')) return last
    last = { page, begun }
  }
}

type User = Awaited<ReturnType<typeof createUser>>
const ENDS: readonly (readonly [what: string, end: (user: User) => Promise<{ status: number }>])[] = [
  ['a new password', ({ id }) => server.api('PATCH', `/users/${id}/password`, { password: `${PASSWORD} again` })],
  [
    'the end of the session with its grants',
    async ({ id }) => {
      const { body } = await server.api('GET', `/users/${id}/sessions`)
      const [session] = body.sessions
      return server.api('DELETE', `/users/${id}/sessions/${session.payload.jti}?revokeGrantsTarget=all`)
    },
  ],
  ['suspension', ({ id }) => server.api('PATCH', `/users/${id}/is-suspended`, { isSuspended: true })],
]

test.each(ENDS)('%s leaves no grant behind that was made meanwhile', async (_what, end) => {
  const user = await createUser(server)
  const browser = newBrowser()
  await signIn(browser, await begin(app.configuration, { scope: OFFLINE }), user.username)
  const loops = Promise.all(Array.from({ length: LOOPS }, () => authorizeUntilGone(browser)))
  const [ended, last] = await Promise.all([end(user), loops])
  expect(ended.status).toBeLessThan(300)
  const codes = last.filter((each) => each !== undefined)
  expect((await server.api('GET', `/users/${user.id}/grants`)).body.grants).toEqual([])
  for (const { page, begun } of codes)
    await expect(redeem(app.configuration, page, begun)).rejects.toMatchObject({ error: 'invalid_grant' })
})

test('a sign-in in one session says nothing of another that is put in its place', async () => {
  const stranger = await createApp(server, 'SPA', { isThirdParty: true })
  const [victim, attacker] = [await createUser(server), await createUser(server)]
  const theirs = newBrowser()
  await signIn(theirs, await begin(app.configuration), victim.username)
  server.clock.advance(60)
  const mine = newBrowser()
  const begun = await begin(stranger.configuration, { scope: 'openid', prompt: 'login consent', max_age: '1' })
  const consent = await signIn(mine, begun, attacker.username)
  expect(consent.text).toContain('id="allow"')
  mine.steal('countersign-session', theirs)
  let page = consent
  for (let tries = 0; tries < 3 && page.text.includes('id="allow"'); tries += 1)
    page = await mine.submit(page, { answer: 'allow' })
  expect(page.url.searchParams.has('code')).toBe(false)
  expect(page.text).toContain('name="identifier"')
})

// last: the token of the harness expires meanwhile
test('a refresh token without offline_access ends with the time of its session', async () => {
  const { configuration } = await createApp(server, 'Traditional', {
    customClientMetadata: { alwaysIssueRefreshToken: true, refreshTokenTtlInDays: 90, rotateRefreshToken: false },
  })
  const { username } = await createUser(server)
  const begun = await begin(configuration)
  const { refresh_token = '' } = await redeem(configuration, await signIn(newBrowser(), begun, username), begun)
  server.clock.advance(13 * 86_400)
  await client.refreshTokenGrant(configuration, refresh_token)
  server.clock.advance(86_400)
  await expect(client.refreshTokenGrant(configuration, refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
})
