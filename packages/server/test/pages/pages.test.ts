import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type { Exchange } from '@countersign/server/http/exchange.ts'
import { rememberAccount, rememberedAccounts } from '@countersign/server/http/remembered-accounts.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { send } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from '../sign-in/arrange.ts'
import type { Page } from '../sign-in/browser.ts'
import { ask, createDevice, enter } from '../sign-in/device.ts'
import { withSecondTenant } from '../tenants/second-tenant.ts'
import { setLook } from './look.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

/** Without the application that follows it. */
const titleOf = (text: string) => /<title>([^<·]*?)(?: · [^<]*)?<\/title>/.exec(text)?.[1]

describe('the language of a page', () => {
  const titleFor = async (header: string | undefined, parameters: Record<string, string> = {}) => {
    const { configuration } = await createApp(server)
    const { url } = await begin(configuration, parameters)
    const headers: Record<string, string> = header === undefined ? {} : { 'accept-language': header }
    const first = await send(url.href, { method: 'GET', headers })
    const cookie = [first.headers['set-cookie'] ?? []]
      .flat()
      .map((line) => line.split(';')[0])
      .join('; ')
    const page = await send(String(first.headers.location), { method: 'GET', headers: { ...headers, cookie } })
    return titleOf(page.text)
  }

  test.each([
    ['de', 'Anmelden'],
    ['de-AT,en;q=0.5', 'Anmelden'],
    ['en;q=0.5,de', 'Anmelden'],
    ['sv,de;q=0.3,en;q=0.7', 'Sign in'],
    ['de;q=0,en;q=0.1', 'Sign in'],
    ['sv', 'Sign in'],
    ['fr-CA', 'Se connecter'],
    ['*', 'Sign in'],
    ['de;q=nonsense', 'Anmelden'],
    [`${'x'.repeat(5000)},de`, 'Sign in'],
    ['__proto__', 'Sign in'],
    [undefined, 'Sign in'],
  ])('follows Accept-Language: %s', async (header, title) => {
    expect(await titleFor(header)).toBe(title)
  })

  test("follows ui_locales first, and the tenant's fallback language last", async () => {
    expect(await titleFor('en', { ui_locales: 'sv de en' })).toBe('Anmelden')
    await setLook(server, { languageInfo: { autoDetect: false, fallbackLanguage: 'de' } })
    expect(await titleFor('en')).toBe('Anmelden')
    expect(await titleFor('de', { ui_locales: 'en' })).toBe('Sign in')
    await setLook(server, {})
  })

  test('applies to pages outside an interaction too', async () => {
    const german = { headers: { 'accept-language': 'de' }, method: 'GET' }
    for (const [path, title] of [
      ['/oidc/auth?client_id=nobody', 'Das hat nicht geklappt'],
      ['/oidc/session/end', 'Sie sind abgemeldet'],
      ['/sign-in/x', 'Diese Seite gilt nicht mehr'],
      ['/device', 'Gerät verbinden'],
      ['/device/done', 'Das Gerät ist verbunden'],
      ['/device/denied', 'Das Gerät wurde nicht verbunden'],
    ])
      expect(titleOf((await send(`${server.baseUrl}${path}`, german)).text)).toBe(title)
  })
})

describe('the form with a name and a password', () => {
  const methods = (['username', 'email'] as const).map((identifier) => ({
    identifier,
    ...{ password: true, verificationCode: false, isPasswordPrimary: true },
  }))

  test.each([
    ['x'.repeat(257), PASSWORD, 'A name or an address has at most 256 characters.'],
    ['name', 'x'.repeat(257), 'A password has at most 256 characters.'],
    ['x'.repeat(256), 'x'.repeat(256), 'The name or the password is incorrect.'],
  ])('says of what is too long what the limit is (DECISIONS M), %#', async (identifier, password, text) => {
    const { configuration } = await createApp(server)
    const page = await signIn(newBrowser(), await begin(configuration), identifier, password)
    expect([page.status, page.text.includes(text)]).toEqual([422, true])
  })

  test('lists the accepted identifiers in the language of the page', async () => {
    expect((await server.api('PATCH', '/sign-in-exp', { signIn: { methods } })).status).toBe(200)
    const { configuration } = await createApp(server)
    const { url } = await begin(configuration, { ui_locales: 'de' })
    const page = await newBrowser().open(url)
    expect(/<label for="identifier">([^<]*)</.exec(page.text)?.[1]).toBe('Benutzername oder E‑Mail-Adresse')
  })

  test.each([
    ['1name', PASSWORD, 'identifier'],
    ['name', 'x', 'password'],
  ])(
    '%s with the password %s: the %s is marked, and the keyboard starts in it',
    async (identifier, password, field) => {
      const { configuration } = await createApp(server)
      const browser = newBrowser()
      const page = await browser.open((await begin(configuration, { first_screen: 'register' })).url)
      const { status, text } = await browser.submit(page, { identifier, password })
      expect(status).toBe(422)
      const tags = [...text.matchAll(/<input id="(identifier|password)"[^>]*>/g)]
      const saying = (what: string) => tags.filter(([tag]) => tag.includes(what)).map(([, id]) => id)
      expect([saying('aria-invalid'), saying('autofocus')]).toEqual([[field], [field]])
    },
  )
})

test('the address that the server prints leads to the API documentation', async () => {
  const { status, headers } = await send(`${server.baseUrl}/`, { method: 'GET', headers: {} })
  expect([status, headers.location]).toEqual([303, `${server.baseUrl}/api/docs`])
})

describe('the links of the tenant', () => {
  const links = async () => {
    const { text } = await send(`${server.baseUrl}/sign-in/x`, { method: 'GET', headers: {} })
    const [, footer = ''] = /<footer>(.*)<\/footer>/s.exec(text) ?? []
    return [...footer.matchAll(/<a id="([^"]+)" href="([^"]+)"[^>]*>([^<]+)</g)].map(([, ...link]) => link)
  }

  test('are in the footer of every page, as far as they are configured', async () => {
    expect(await links()).toEqual([])
    const settings = { supportEmail: 'help@app.example', supportWebsiteUrl: 'https://app.example/help?a=1&b=2' }
    expect((await server.api('PATCH', '/sign-in-exp', settings)).status).toBe(200)
    expect(await links()).toEqual([
      ['help', 'https://app.example/help?a=1&amp;b=2', 'Help'],
      ['support-email', 'mailto:help@app.example', 'help@app.example'],
    ])
    await server.api('PATCH', '/sign-in-exp', { supportEmail: null, supportWebsiteUrl: null })
  })
})

describe('agreeing to the terms', () => {
  const set = (agreeToTermsPolicy: string, termsOfUseUrl: string | null = 'https://example.com/terms') =>
    server.api('PATCH', '/sign-in-exp', { agreeToTermsPolicy, termsOfUseUrl, privacyPolicyUrl: null })
  afterAll(() => set('Automatic', null))
  const problemOf = ({ text }: Page) => /id="problem">([^<]*)</.exec(text)?.[1]
  const asks = ({ text }: Page) => text.includes('name="terms"')
  const open = async () => {
    const browser = newBrowser()
    const { configuration } = await createApp(server)
    const at = await browser.open((await begin(configuration)).url)
    return { browser, at, form: await browser.open(at.url.href.replace('/sign-in/', '/register/')) }
  }

  test.each([
    ['Automatic', 'https://example.com/terms', [false, false]],
    ['ManualRegistrationOnly', 'https://example.com/terms', [false, true]],
    ['Manual', 'https://example.com/terms', [true, true]],
    ['Manual', null, [false, false]],
  ])('%s with %s', async (policy, url, expected) => {
    await set(policy, url)
    const { at, form } = await open()
    expect([asks(at), asks(form)]).toEqual(expected)
  })

  test('is required by the server, and remembered when something else is wrong', async () => {
    await set('Manual')
    const { browser, form } = await open()
    expect(form.text).toContain('<a href="https://example.com/terms" target="_blank" rel="noreferrer">Terms of use</a>')
    const credentials = { identifier: 'agreeable', password: PASSWORD }
    const refused = await browser.submit(form, credentials)
    expect([refused.status, problemOf(refused)]).toEqual([422, 'To continue, agree to the terms.'])
    const weak = await browser.submit(refused, { ...credentials, password: 'short', terms: 'agreed' })
    expect([weak.status, weak.text.includes('required checked')]).toEqual([422, true])
    const done = await browser.submit(weak, { ...credentials, terms: 'agreed' })
    expect(done.url.searchParams.has('code')).toBe(true)
    const { browser: other, at } = await open()
    expect(problemOf(await other.submit(at, credentials))).toBe('To continue, agree to the terms.')
    expect((await other.submit(at, { ...credentials, terms: 'agreed' })).url.searchParams.has('code')).toBe(true)
  })
})

describe('the account chooser', () => {
  /** The name of each account that the page offers, and whether it is signed in. */
  const accountsOf = ({ text }: { readonly text: string }) =>
    [...text.matchAll(/<strong>([^<]*)<\/strong> <small>(?:[^<]* · )?([^<]*)<\/small>/g)].map(([, ...each]) => each)
  const typedIn = ({ text }: { readonly text: string }) =>
    /id="identifier" name="identifier" value="([^"]*)"/.exec(text)?.[1]
  const signedIn = async () => {
    const app = await createApp(server, 'SPA')
    const user = await createUser(server)
    const browser = newBrowser()
    await signIn(browser, await begin(app.configuration), user.username)
    return { app, user, browser }
  }

  test('continues as the user of the session and keeps the session', async () => {
    const { app, user, browser } = await signedIn()
    const begun = await begin(app.configuration, { prompt: 'select_account' })
    const page = await browser.open(begun.url)
    expect(accountsOf(page)).toEqual([[user.username, 'Signed in']])
    const back = await browser.submit(page, { account: user.id })
    expect((await redeem(app.configuration, back, begun)).claims()?.sub).toBe(user.id)
  })

  test('allows another user to sign in', async () => {
    const { app, browser } = await signedIn()
    const other = await createUser(server)
    const begun = await begin(app.configuration, { prompt: 'select_account' })
    const form = await browser.submit(await browser.open(begun.url), { answer: 'another' })
    expect(form.url.pathname).toMatch(/^\/sign-in\//)
    const back = await browser.submit(form, { identifier: other.username, password: PASSWORD })
    expect((await redeem(app.configuration, back, begun)).claims()?.sub).toBe(other.id)
  })

  test('is shown if login_hint names another user, and not if it names the user of the session', async () => {
    const { app, user, browser } = await signedIn()
    const other = await browser.open((await begin(app.configuration, { login_hint: 'somebody' })).url)
    expect(titleOf(other.text)).toBe('Choose an account')
    for (const hint of [user.username, user.username.toUpperCase()]) {
      const begun = await begin(app.configuration, { login_hint: hint })
      expect((await redeem(app.configuration, await browser.open(begun.url), begun)).claims()?.sub).toBe(user.id)
    }
    // where no one can be asked, the session counts
    const silent = await begin(app.configuration, { login_hint: 'somebody', prompt: 'none' })
    expect((await redeem(app.configuration, await browser.open(silent.url), silent)).claims()?.sub).toBe(user.id)
  })

  test('is not shown if consent is asked for: that page lets users choose another account', async () => {
    const app = await createApp(server, 'SPA', { isThirdParty: true })
    const [first, second] = [await createUser(server), await createUser(server)]
    const browser = newBrowser()
    const begun = await begin(app.configuration)
    const consent = await signIn(browser, begun, first.username)
    const form = await browser.submit(consent, { answer: 'another' })
    const again = await browser.submit(form, { identifier: second.username, password: PASSWORD })
    expect(again.text).toContain(`signed in as ${second.username}`)
    const back = await browser.submit(again, { answer: 'allow' })
    expect((await redeem(app.configuration, back, begun)).claims()?.sub).toBe(second.id)
  })

  test('is not shown without a session', async () => {
    const { configuration } = await createApp(server)
    const page = await newBrowser().open((await begin(configuration, { prompt: 'select_account' })).url)
    expect(titleOf(page.text)).toBe('Sign in')
  })

  test('with prompt=login the password is asked for after the choice', async () => {
    const { app, user, browser } = await signedIn()
    const { url } = await begin(app.configuration, { prompt: 'login select_account' })
    const form = await browser.submit(await browser.open(url), { account: user.id })
    expect(titleOf(form.text)).toBe('Sign in')
  })

  test('does not choose a user who signed in after the page was shown', async () => {
    const { app, user, browser } = await signedIn()
    const other = await createUser(server)
    const page = await browser.open((await begin(app.configuration, { prompt: 'select_account' })).url)
    await signIn(browser, await begin(app.configuration, { prompt: 'login' }), other.username)
    const next = await browser.submit(page, { account: user.id })
    expect([titleOf(next.text), typedIn(next)]).toEqual(['Sign in', user.username])
  })

  test('shows accounts used in this browser before, and asks for the password of the chosen one', async () => {
    const { app, user, browser } = await signedIn()
    const other = await createUser(server)
    await signIn(browser, await begin(app.configuration, { prompt: 'login' }), other.username)
    const begun = await begin(app.configuration, { prompt: 'select_account' })
    const page = await browser.open(begun.url)
    expect(accountsOf(page)).toEqual([
      [other.username, 'Signed in'],
      [user.username, 'Signed out'],
    ])
    const form = await browser.submit(page, { account: user.id })
    expect([titleOf(form.text), typedIn(form)]).toEqual(['Sign in', user.username])
    const back = await browser.submit(form, { identifier: user.username, password: PASSWORD })
    expect((await redeem(app.configuration, back, begun)).claims()?.sub).toBe(user.id)
  })

  test('shows them after sign-out until they are removed or suspended', async () => {
    const { app, user, browser } = await signedIn()
    const gone = await createUser(server)
    await signIn(browser, await begin(app.configuration, { prompt: 'login' }), gone.username)
    await browser.submit(await browser.open(`${server.issuer}/session/end`), { confirm: 'yes' })
    const { url } = await begin(app.configuration, { prompt: 'select_account' })
    const page = await browser.open(url)
    expect(accountsOf(page).map(([name]) => name)).toEqual([gone.username, user.username])
    const left = await browser.submit(page, { forget: gone.id })
    expect(accountsOf(left)).toEqual([[user.username, 'Signed out']])
    await server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true })
    expect(titleOf((await browser.open(url)).text)).toBe('Sign in')
    await server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: false })
    await browser.submit(await browser.open(url), { forget: user.id })
    expect(titleOf((await browser.open(url)).text)).toBe('Sign in')
  })

  test('remembers eight accounts, in a cookie that only this server can create', async () => {
    const { app, user, browser } = await signedIn()
    const ids = [user.id, ...Array.from({ length: 9 }, (_, index) => `user${index}`)]
    const cookieFor = (tenant: string) => ({
      cookie: `countersign-accounts=${server.store.vault.seal(ids.join(' '), `accounts/${tenant}`).toString('base64url')}`,
    })
    const exchangeWith = (headers: Record<string, string>) =>
      ({ tenant: { id: 'default', baseUrl: server.baseUrl }, headers }) as unknown as Exchange
    expect(rememberedAccounts(server.store, exchangeWith(cookieFor('another')))).toEqual([])
    expect(rememberedAccounts(server.store, exchangeWith({ cookie: 'countersign-accounts=AAAA' }))).toEqual([])
    const [line = ''] = rememberAccount(server.store, exchangeWith(cookieFor('default')), 'latest')
    expect(line).toMatch(/; HttpOnly; SameSite=Lax; Max-Age=15552000$/)
    const kept = rememberedAccounts(server.store, exchangeWith({ cookie: line.split(';')[0] ?? '' }))
    expect(kept).toEqual(['latest', ...ids.slice(0, 7)])
    // an account that was never in this browser cannot be chosen
    const stranger = await createUser(server)
    const page = await browser.open((await begin(app.configuration, { prompt: 'select_account' })).url)
    expect(titleOf((await browser.submit(page, { account: stranger.id })).text)).toBe('Choose an account')
  })

  test('R-33 its form works in this browser only', async () => {
    const { app, browser } = await signedIn()
    const page = await browser.open((await begin(app.configuration, { prompt: 'select_account' })).url)
    const forged = { method: 'POST', body: new URLSearchParams({ answer: 'continue', token: 'x' }) }
    const refused = await browser.open(page.url, forged)
    expect([refused.status, titleOf(refused.text)]).toEqual([400, 'Choose an account'])
  })
})

describe('a form that is submitted twice, by a double click without JavaScript', () => {
  /** Sends the form of a page twice and follows the second answer, as a browser does that was interrupted in the first. */
  const twice = async (browser: ReturnType<typeof newBrowser>, page: Page, fields: Record<string, string>) => {
    const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
    const sent = new URLSearchParams({ ...Object.fromEntries(hidden.map(([, ...pair]) => pair)), ...fields })
    const cookie = ['browser', 'session']
      .map((name) => `countersign-${name}=${browser.cookie(`countersign-${name}`)}`)
      .join('; ')
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
    const first = await send(page.url.href, { headers, body: sent.toString() })
    expect(first.status).toBe(303)
    return browser.submit(page, fields)
  }

  test('signs in once, and consents once', async () => {
    const app = await createApp(server, 'SPA', { isThirdParty: true })
    const user = await createUser(server)
    const browser = newBrowser()
    const begun = await begin(app.configuration)
    const form = await browser.open(begun.url)
    const consent = await twice(browser, form, { identifier: user.username, password: PASSWORD })
    expect(titleOf(consent.text)).toBe('Allow Notes?')
    const back = await twice(browser, consent, { answer: 'allow' })
    expect((await redeem(app.configuration, back, begun)).claims()?.sub).toBe(user.id)
  })
})

describe('form-action of a page', () => {
  test.each([
    ['https://app.example/callback', 'https:'],
    ['http://127.0.0.1/callback', 'http:'],
    ['http://[::1]/callback', 'http:'],
    ['com.example.notes:/callback', 'com.example.notes:'],
  ])('with the redirect URI %s: to ourselves and %s', async (uri, scheme) => {
    const { body: app } = await server.api('POST', '/applications', {
      name: 'Notes',
      type: 'Native',
      oidcClientMetadata: { redirectUris: [uri] },
    })
    const query = new URLSearchParams({
      client_id: app.id,
      response_type: 'code',
      redirect_uri: uri,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    })
    const page = await newBrowser().open(`${server.issuer}/auth?${query}`)
    expect(page.url.pathname).toMatch(/^\/sign-in\//)
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${scheme};`)
  })

  test('without a redirect URI: this server only', async () => {
    for (const path of ['/device', '/oidc/auth?client_id=nobody']) {
      const { headers } = await send(`${server.baseUrl}${path}`, { method: 'GET' })
      expect(headers['content-security-policy']).toContain("form-action 'self';")
    }
  })
})

describe('R-26 cookies', () => {
  const cookiesOf = (lines: string | string[] | undefined) => [lines ?? []].flat()

  test('have the __Host- prefix if the base URL is https, and are always HttpOnly', async () => {
    const { a, b } = await withSecondTenant(server, 'secure', 'https://id.secure.example')
    const [plain] = cookiesOf((await a.request('GET', '/device')).headers['set-cookie'])
    expect(plain).toMatch(/^countersign-browser=cs_br_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    const [secure] = cookiesOf((await b.request('GET', '/device')).headers['set-cookie'])
    expect(secure).toMatch(/^__Host-countersign-browser=cs_br_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    // no user is signed in there, as far as can be seen: no cookie is taken away
    expect(cookiesOf((await b.request('GET', '/oidc/session/end')).headers['set-cookie'])).toEqual([])
  })

  test('a malformed cookie is ignored', async () => {
    const { headers } = await send(`${server.baseUrl}/device`, {
      method: 'GET',
      headers: { cookie: 'countersign-browser=cs_se_forged' },
    })
    expect(cookiesOf(headers['set-cookie'])).toHaveLength(1)
  })
})

describe('a failure', () => {
  test.each([
    ['GET', '/device?user_code=%00', 400],
    ['GET', '/device?user_code=%ff', 400],
    ['GET', '/oidc/auth?client_id=%ff', 400],
    ['GET', '/oidc/session/end?post_logout_redirect_uri=https%3A%2F%2Fevil.example', 400],
    ['GET', '/oidc/session/end?id_token_hint=nonsense', 400],
    ['GET', `/consent/${'a'.repeat(21)}`, 400],
  ])('is a page: %s %s', async (method, path, status) => {
    const reply = await send(`${server.baseUrl}${path}`, { method })
    expect(reply.status).toBe(status)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['x-frame-options']).toBe('DENY')
    expect(reply.text).toContain('id="title"')
  })

  test('in the server gets a page in the language of the reader, without details', async () => {
    const device = await createDevice(server)
    const { username } = await createUser(server)
    const { body: codes } = await ask(server, device.id)
    const browser = newBrowser()
    const entry = await enter(server, browser, codes.user_code)
    const page = await browser.submit(entry, { identifier: username, password: PASSWORD })
    // another server's secret: the code that the page should show cannot be read
    await server.store.database.pool.query(
      `UPDATE interactions SET request = jsonb_set(request, '{device,sealedUserCode}', '"AAAA"')`,
    )
    const failed = await browser.open(page.url, { headers: { 'accept-language': 'de' } })
    expect([failed.status, titleOf(failed.text)]).toEqual([500, 'Etwas ist schiefgegangen'])
    expect(failed.text).not.toMatch(/sealed|Error|at /)
    expect(failed.text).toContain(failed.headers.get('x-request-id'))
  })

  test('shows the request id, by which operators find it in the log', async () => {
    const { text, headers } = await send(`${server.baseUrl}/oidc/auth?client_id=nobody`, { method: 'GET' })
    expect(text).toContain(headers['x-request-id'])
  })

  test('a body that is too large, or a host without a tenant, has its own status', async () => {
    const body = `user_code=${'x'.repeat(20_000)}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await send(`${server.baseUrl}/device`, { headers, body })).status).toBe(413)
    const stranger = await send(`${server.baseUrl}/device`, { method: 'GET', headers: { host: 'evil.example' } })
    expect(stranger.status).toBe(421)
    expect(stranger.text).toContain('Something went wrong')
  })
})
