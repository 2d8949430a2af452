/** Forms that another site posts: the browser sends no cookie with them (SameSite=Lax), and follows the redirect with cookies. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { begin, CALLBACK, createApp, createUser, newBrowser, redeem, signIn } from './arrange.ts'
import type { Browser } from './browser.ts'

const BYE = 'https://app.example/bye'
const LONG = 'x'.repeat(8192)

let server: TestServer
let app: Awaited<ReturnType<typeof createApp>>
let user: Awaited<ReturnType<typeof createUser>>
let browser: Browser
let tokens: Awaited<ReturnType<typeof redeem>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  app = await createApp(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  user = await createUser(server)
  browser = newBrowser()
  const begun = await begin(app.configuration)
  tokens = await redeem(app.configuration, await signIn(browser, begun, user.username), begun)
})

/** A form as it arrives from another site. */
const postTo = async (path: string, parameters: Record<string, string> | string[][]) => {
  const body = new URLSearchParams(parameters)
  const { status, headers } = await fetch(`${server.issuer}${path}`, { method: 'POST', body, redirect: 'manual' })
  const location = new URL(headers.get('location') ?? 'none:')
  return { status, headers, location, at: `${location.origin}${location.pathname}` }
}
const sessions = async () => (await server.api('GET', `/users/${user.id}/sessions`)).body.sessions.length
const userinfo = () => client.fetchUserInfo(app.configuration, tokens.access_token, client.skipSubjectCheck)

/** Once more as a GET; nothing was concluded from there being no cookie, and none is taken or set. */
const expectSentOn = ({ status, headers, at }: Awaited<ReturnType<typeof postTo>>, path: string) => {
  expect([status, at]).toEqual([303, `${server.issuer}${path}`])
  expect(headers.getSetCookie()).toEqual([])
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cache-control')).toBe('no-store')
}

describe('to end the session', () => {
  test('without parameters: the user is asked, and not signed out', async () => {
    const answer = await postTo('/session/end', {})
    expectSentOn(answer, '/session/end')
    const page = await browser.open(answer.location)
    expect([page.status, page.headers.getSetCookie()]).toEqual([200, []])
    expect(page.text).toContain('<h1 id="title">Sign out?</h1>')
    expect(await sessions()).toBe(1)
    expect((await userinfo()).sub).toBe(user.id)
    const ended = await browser.submit(page, { confirm: 'yes' })
    expect(ended.text).toContain('<h1 id="title">You are signed out</h1>')
    expect(ended.headers.getSetCookie()).toEqual(['countersign-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'])
    expect(await sessions()).toBe(0)
  })

  test.each([
    ['', 'a state'],
    [' and is too long for an address', LONG],
  ])('with the hint of the session%s: it is ended, and the person comes back', async (_what, state) => {
    const hint = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: BYE, state }
    const answer = await postTo('/session/end', hint)
    expectSentOn(answer, '/session/end')
    expect(answer.location.href.length).toBeLessThan(5000)
    expect(await sessions()).toBe(1)
    const back = await browser.open(answer.location)
    expect(back.url.href.split('?')[0]).toBe(BYE)
    expect(Object.fromEntries(back.url.searchParams)).toEqual({ state })
    expect(back.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await sessions()).toBe(0)
    await expect(userinfo()).rejects.toMatchObject({ status: 401 })
  })

  test('from a browser without a session: it returns too, and no cookie changes', async () => {
    const hint = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: BYE }
    const back = await newBrowser().open(`${server.issuer}/session/end`, {
      method: 'POST',
      body: new URLSearchParams(hint),
    })
    expect([back.url.href, back.headers.getSetCookie()]).toEqual([BYE, []])
    expect(await sessions()).toBe(1)
  })

  test('an invalid request is refused immediately', async () => {
    const refused: (Record<string, string> | string[][])[] = [
      { id_token_hint: 'x' },
      { post_logout_redirect_uri: BYE },
      { client_id: app.id, state: `${LONG}x` },
      [
        ['state', 'a'],
        ['state', 'b'],
      ],
    ]
    for (const parameters of refused) expect((await postTo('/session/end', parameters)).status).toBe(400)
  })

  test('stored parameters are used once, within a minute, by their application, for this purpose only', async () => {
    const other = await createApp(server)
    const kept = () => postTo('/session/end', { client_id: app.id, post_logout_redirect_uri: BYE, state: LONG })
    const { location } = await kept()
    const elsewhere = new URL(`${server.issuer}/auth${location.search}`)
    expect((await browser.open(elsewhere)).status).toBe(400)
    const foreign = new URL(location)
    foreign.searchParams.set('client_id', other.id)
    expect((await browser.open(foreign)).status).toBe(400)
    expect((await newBrowser().open(location)).url.href).toBe(`${BYE}?state=${LONG}`)
    expect((await newBrowser().open(location)).status).toBe(400)
    const late = await kept()
    server.clock.advance(61)
    expect((await newBrowser().open(late.location)).status).toBe(400)
  })
})

describe('to authorize', () => {
  test.each([
    ['', 'a state'],
    [' and is too long for an address', LONG],
  ])('finds the session, and leaves the interactions of the browser alone%s', async (_what, state) => {
    const underway = await browser.open((await begin(app.configuration, { prompt: 'login' })).url)
    const begun = await begin(app.configuration, { state })
    const answer = await postTo(
      '/auth',
      [...begun.url.searchParams].concat([
        ['resource', ''],
        ['resource', ''],
      ]),
    )
    expectSentOn(answer, '/auth')
    expect(answer.location.href.length).toBeLessThan(5000)
    const back = await browser.open(answer.location)
    expect(back.url.href.split('?')[0]).toBe(CALLBACK)
    expect((await redeem(app.configuration, back, { ...begun, state })).claims()?.sub).toBe(user.id)
    expect((await browser.open(underway.url)).text).toContain('id="password"')
  })

  test('starts a sign-in in a new browser', async () => {
    const begun = await begin(app.configuration)
    const stranger = newBrowser()
    const page = await stranger.open(`${server.issuer}/auth`, { method: 'POST', body: begun.url.searchParams })
    expect(page.url.pathname).toMatch(/^\/sign-in\//)
  })

  test('an invalid request too long for an address returns to the application immediately', async () => {
    const { url } = await begin(app.configuration, { state: LONG, scope: 'openid "' })
    const { status, at, location } = await postTo('/auth', Object.fromEntries(url.searchParams))
    expect([status, at, location.searchParams.get('error')]).toEqual([303, CALLBACK, 'invalid_scope'])
    expect(location.searchParams.get('state')).toBe(LONG)
  })

  test('a pushed one is not consumed before the cookies arrive', async () => {
    const { url } = await begin(app.configuration)
    const pushed = await client.buildAuthorizationUrlWithPAR(app.configuration, Object.fromEntries(url.searchParams))
    const answer = await postTo('/auth', Object.fromEntries(pushed.searchParams))
    expect(answer.location.href).toBe(pushed.href)
    expect((await browser.open(answer.location)).url.searchParams.has('code')).toBe(true)
  })
})
