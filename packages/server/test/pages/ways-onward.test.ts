/** Pages at which something ends: what they say to whom, and where they lead on to. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { send } from '../protocol/arrange.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, signIn } from '../sign-in/arrange.ts'
import type { Page } from '../sign-in/browser.ts'
import { withSecondTenant } from '../tenants/second-tenant.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const HOME = 'https://app.example/'
const ELSEWHERE = 'https://www.example.com/start'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const setSettings = async (settings: object) =>
  expect((await server.api('PATCH', '/sign-in-exp', settings)).status).toBe(200)
afterEach(() => setSettings({ unknownSessionRedirectUrl: null, developerMode: false }))

/** The link onward of a page, and what it says. */
const onward = ({ text }: { readonly text: string }) =>
  /<a class="button" id="onward" href="([^"]*)"[^>]*>([^<]*)</.exec(text)?.slice(1)

const signedIn = async () => {
  const app = await createApp(server, 'SPA')
  const { username } = await createUser(server)
  const browser = newBrowser()
  await signIn(browser, await begin(app.configuration), username)
  return { app, browser }
}

describe('titles', () => {
  test('name the application, so that sign-ins can be distinguished', async () => {
    const { configuration } = await createApp(server, 'SPA')
    const browser = newBrowser()
    const page = await browser.open((await begin(configuration)).url)
    expect(page.text).toContain('<title>Sign in · Notes</title>')
  })
})

describe('a page that is no longer valid', () => {
  const expired = (browser = newBrowser()) => browser.open(`${server.baseUrl}/sign-in/${'a'.repeat(21)}`)

  test('leads back to the application that the browser came from', async () => {
    const { browser } = await signedIn()
    expect(onward(await expired(browser))).toEqual([HOME, 'Back to Notes'])
  })

  test("links to the tenant's address if no application is known, or to nothing", async () => {
    expect(onward(await expired())).toBeUndefined()
    await setSettings({ unknownSessionRedirectUrl: ELSEWHERE })
    expect(onward(await expired())).toEqual([ELSEWHERE, 'Continue'])
  })

  test('ignores a cookie that names no application', async () => {
    for (const id of ['nobody', '"><b>', 'a'.repeat(22)]) {
      const headers = { cookie: `countersign-application=${id}` }
      expect(onward(await send(`${server.baseUrl}/sign-in/x`, { method: 'GET', headers }))).toBeUndefined()
    }
  })
})

describe('an unknown address', () => {
  const ask = (path: string, headers: Record<string, string> = HTML, method = 'GET') =>
    send(`${server.baseUrl}${path}`, { method, headers })

  test('gets browsers a page in their language with a link onward', async () => {
    await setSettings({ unknownSessionRedirectUrl: ELSEWHERE })
    for (const path of ['/nothing', '/sign-in', '/api/nothing', '/oidc/nothing/here']) {
      const page = await ask(path, { ...HTML, 'accept-language': 'de' })
      expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(page.text).toContain('<h1 id="title">Diese Seite gibt es nicht</h1>')
      expect(onward(page)).toEqual([ELSEWHERE, 'Weiter'])
    }
    expect(await ask('/nothing', HTML, 'HEAD')).toMatchObject({ status: 404, text: '' })
  })

  test.each([
    ['GET', '/nothing', { accept: '*/*' }, 404, 'request.not_found'],
    ['GET', '/nothing', {}, 404, 'request.not_found'],
    ['POST', '/nothing', HTML, 404, 'request.not_found'],
    ['GET', '/oidc/token', HTML, 405, 'request.method_not_allowed'],
  ])('is JSON for everything else: %s %s %j', async (method, path, headers, status, code) => {
    const { status: answered, body } = await ask(path, headers as Record<string, string>, method)
    expect([answered, body.code]).toEqual([status, code])
  })
})

describe('signing out', () => {
  const end = (query = '') => `${server.issuer}/session/end${query}`

  test('links back to the application that requested it, otherwise to the last one used in the browser', async () => {
    const { app, browser } = await signedIn()
    const out = await browser.submit(await browser.open(end(`?client_id=${app.id}`)), { confirm: 'yes' })
    expect(onward(out)).toEqual([HOME, 'Back to Notes'])
    expect(onward(await browser.open(end()))).toEqual([HOME, 'Back to Notes'])
    expect(onward(await newBrowser().open(end()))).toBeUndefined()
  })

  const isSignedIn = async (browser: ReturnType<typeof newBrowser>, app: Awaited<ReturnType<typeof createApp>>) =>
    (await browser.open((await begin(app.configuration, { prompt: 'none' })).url)).url.searchParams.has('code')

  test('can be cancelled: the session remains, and the page leads back to the application', async () => {
    const { app, browser } = await signedIn()
    const asked = await browser.open(end(`?client_id=${app.id}&post_logout_redirect_uri=https://app.example/bye`))
    const cancelled: Page = await browser.submit(asked, { confirm: 'no' })
    expect(cancelled.url.href).toBe(HOME)
    const stayed = await browser.submit(await browser.open(end()), { confirm: 'no' })
    expect(stayed.text).toContain('You are still signed in')
    expect(await isSignedIn(browser, app)).toBe(true)
    await browser.submit(await browser.open(end()), { confirm: 'yes' })
    expect(await isSignedIn(browser, app)).toBe(false)
  })
})

describe('a refused authorization request', () => {
  const WRONG = 'https://app.example/callback?x=<b>&y'
  const parametersOf = (id: string, redirectUri = WRONG) =>
    new URLSearchParams({ client_id: id, redirect_uri: redirectUri, response_type: 'code' })
  const entryOf = async ({ headers }: Page) => {
    const { body } = await server.api('GET', '/logs?logKey=Interaction.Authorize&page_size=100')
    const payloads: Record<string, string>[] = body.map(({ payload }: { payload: object }) => payload)
    return payloads.find(({ requestId }) => requestId === headers.get('x-request-id'))
  }
  const told = (text: string, id: string) => new RegExp(`<code id="${id}">([^<]*)</code>`).exec(text)?.[1]

  test('shows its redirect URI and application at a loopback address, as text and not as links', async () => {
    const { id } = await createApp(server, 'SPA')
    const page = await newBrowser().open(`${server.issuer}/auth?${parametersOf(id)}`)
    expect([page.status, told(page.text, 'refused-address'), told(page.text, 'refused-client')]).toEqual([
      400,
      'https://app.example/callback?x=&lt;b&gt;&amp;y',
      id,
    ])
    expect(page.text).toContain(`<dd>Notes <code`)
    const links = [...page.text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
    expect(links.filter((href) => !href?.startsWith('data:'))).toEqual([
      `${server.baseUrl}/api/docs#about-redirect-uris`,
      HOME,
    ])
    const { text } = await send(`${server.baseUrl}/api/docs`, { method: 'GET' })
    expect(text).toContain('id="about-redirect-uris"')
  })

  test('of an unknown application shows its client id', async () => {
    const page = await newBrowser().open(`${server.issuer}/auth?${parametersOf('nobody')}`)
    expect([told(page.text, 'refused-client'), page.text.includes('refused-address')]).toEqual(['nobody', true])
  })

  test('shows them elsewhere only in developer mode', async () => {
    const { b } = await withSecondTenant(server, 'public', 'https://id.public.example')
    const token = (await b.token()).body.access_token
    const ask = () => b.request('GET', `/oidc/auth?${parametersOf('nobody')}`)
    const setMode = (developerMode: boolean) =>
      b.request('PATCH', '/api/sign-in-exp', { token, body: { developerMode } })
    expect((await ask()).text).not.toContain('refused-')
    expect((await setMode(true)).body.developerMode).toBe(true)
    expect(told((await ask()).text, 'refused-client')).toBe('nobody')
    await setMode(false)
    expect((await ask()).text).not.toContain('refused-')
    // what is for developers is not for everyone who reads the settings
    expect((await b.request('GET', '/api/.well-known/sign-in-exp')).body).not.toHaveProperty('developerMode')
  })

  test('leaves an audit entry, with long values cut', async () => {
    const { id } = await createApp(server, 'SPA')
    const page = await newBrowser().open(
      `${server.issuer}/auth?${parametersOf(id, `https://app.example/${'x'.repeat(900)}`)}`,
    )
    const entry = await entryOf(page)
    expect(entry).toMatchObject({ result: 'Error', reason: 'unregisteredRedirectUri', applicationId: id })
    expect(entry?.redirectUri).toHaveLength(256)
    const unknown = await entryOf(await newBrowser().open(`${server.issuer}/auth?${parametersOf('nobody')}`))
    expect(unknown).toMatchObject({ reason: 'unknownApplication', clientId: 'nobody', redirectUri: WRONG })
    expect(unknown).not.toHaveProperty('applicationId')
  })

  test('leaves one too if the application is informed, but not for errors about the user', async () => {
    const { id, configuration } = await createApp(server, 'SPA')
    const refused = await newBrowser().open(`${server.issuer}/auth?${parametersOf(id, CALLBACK)}`)
    expect(refused.url.searchParams.get('error')).toBe('invalid_request')
    expect(await entryOf(refused)).toMatchObject({
      applicationId: id,
      redirectUri: CALLBACK,
      reason: expect.stringContaining('code_challenge'),
    })
    const silent = await newBrowser().open((await begin(configuration, { prompt: 'none' })).url)
    expect(silent.url.searchParams.get('error')).toBe('login_required')
    expect(await entryOf(silent)).toBeUndefined()
  })
})
