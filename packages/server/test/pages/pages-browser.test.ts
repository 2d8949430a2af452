import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  accessibilityViolations,
  complaintsOf,
  horizontalOverflow,
  launchBrowser,
} from '@countersign/harness/browser.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { INSTALL_TIMEOUT_MS } from '@countersign/harness/system-program.ts'
import type { Browser, BrowserContextOptions, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { codeIn, connectMailServer } from '../management/mail.ts'
import { begin, CALLBACK, createUser, PASSWORD } from '../sign-in/arrange.ts'
import { ask } from '../sign-in/device.ts'
import { type Apps, createApps, walk } from './arrange.ts'
import { setLook } from './look.ts'
import { connectCompanies, leaveUnanswered, openLinking } from './sso-walk.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const LIMIT = 30 * 1024

let server: TestServer
let browser: Browser
let apps: Apps
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  apps = await createApps(server)
  browser = await launchBrowser()
}, INSTALL_TIMEOUT_MS)
vi.setConfig({ testTimeout: 300_000 })
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const inBrowser = async (options: BrowserContextOptions, work: (page: Page, complaints: string[]) => Promise<void>) => {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    await work(page, complaintsOf(page))
  } finally {
    await context.close()
  }
}

/** A page with the status 400 is one that says what was wrong; the browser says so on its console too. */
const unexpected = (complaints: readonly string[]) =>
  complaints.filter((text) => !/^Failed to load resource: .* status of 4\d\d/.test(text))

/** Buttons, fields and links that are smaller than a finger (WCAG 2.5.5). */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('a, button, input:not([type=hidden])')]
      .filter((element) => {
        if (!element.checkVisibility()) return false
        // the words beside a box are pressed as well
        const { width, height } = (element.closest('label') ?? element).getBoundingClientRect()
        return height < 44 || width < 44
      })
      .map(({ outerHTML }) => outerHTML),
  )

/** An application on a port of this machine. */
const listening = async (listener: RequestListener) => {
  const http = createServer(listener).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const close = () => {
    http.closeAllConnections()
    http.close()
  }
  return { close, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
}

/** What a walk through every page came across. */
interface Walked {
  readonly seen: readonly (readonly [name: string, state: unknown])[]
  readonly complaints: readonly string[]
  readonly requests: readonly string[]
  readonly documents: readonly { readonly response: Response; readonly headers: Record<string, string> }[]
}

const LIGHT = { colorScheme: 'light', viewport: DESKTOP, locale: 'en-GB' } as const
const DARK = { colorScheme: 'dark', viewport: PHONE, locale: 'ar-EG' } as const

const walkThrough = async (options: BrowserContextOptions): Promise<Walked> => {
  const seen: [string, unknown][] = []
  const requests: string[] = []
  const responses: Promise<Walked['documents'][number]>[] = []
  let complaints: string[] = []
  await inBrowser(options, async (page, heard) => {
    page.on('request', (request) => requests.push(request.url()))
    page.on('response', (response) => {
      if (!response.url().startsWith(server.baseUrl)) return
      const told = response.allHeaders().then((headers) => ({ response, headers }))
      // a failure is met when its turn comes
      told.catch(() => undefined)
      responses.push(told)
    })
    await walk(server, apps, page, async (name) => {
      // what leads here waits for one thing on the page; the rest may be on its way
      await page.waitForLoadState()
      const state = {
        violations: await accessibilityViolations(page),
        overflow: await horizontalOverflow(page),
        smallTargets: await smallTargets(page),
        lang: await page.locator('html').getAttribute('lang'),
      }
      seen.push([name, state])
    })
    complaints = heard
    await Promise.all(responses)
  })
  return { seen, complaints, requests, documents: await Promise.all(responses) }
}

let inTheLight: Promise<Walked> | undefined
/** The walk in the light, which several tests look at. */
const walkedInTheLight = (): Promise<Walked> => {
  inTheLight ??= walkThrough(LIGHT)
  return inTheLight
}

describe('every page', () => {
  test.each([
    ['light', 'en', walkedInTheLight],
    ['dark', 'ar', () => walkThrough(DARK)],
  ] as const)('breaks no rule of accessibility and fits (%s, %s)', async (_scheme, lang, walked) => {
    const { seen, complaints } = await walked()
    expect(seen).toHaveLength(96)
    for (const page of seen) expect(page).toEqual([page[0], { violations: [], overflow: 0, smallTargets: [], lang }])
    expect(unexpected(complaints)).toEqual([])
  })

  test('R-30 loads nothing else, is small, cannot be framed, and runs only its own scripts', async () => {
    const { requests, documents } = await walkedInTheLight()
    expect(requests.filter((url) => !url.startsWith(server.baseUrl) && !url.startsWith('data:'))).toEqual([])
    const isRedirect = (status: number) => status >= 300 && status < 400
    const pages = documents.filter(({ response }) => !isRedirect(response.status()))
    expect(pages.length).toBeGreaterThanOrEqual(17)
    for (const { response, headers } of pages) {
      const policy = headers['content-security-policy'] ?? ''
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self' data:;/)
      expect(policy).toContain("base-uri 'none'; frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|\*/)
      expect({ url: response.url(), ...headers }).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      expect(Number(headers['content-length'])).toBeLessThan(LIMIT)
    }
    // RFC 9700 section 4.12: what was typed is never sent on
    const redirects = documents.filter(({ response }) => isRedirect(response.status()))
    expect(redirects.length).toBeGreaterThanOrEqual(10)
    expect(new Set(redirects.map(({ response }) => response.status()))).toEqual(new Set([303]))
    for (const { headers } of redirects) expect(headers.location).toMatch(`${server.baseUrl}/`)
  })
})

describe('with only the keyboard', () => {
  /** Goes on with Tab until the element has the focus, as someone without a mouse would. */
  const tabTo = async (page: Page, id: string) => {
    for (let presses = 0; presses < 12; presses += 1) {
      if ((await page.evaluate(() => document.activeElement?.id)) === id) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`${id} cannot be reached with the keyboard`)
  }
  /** A browser may give the focus of a page's first field a moment after it has loaded the page. */
  const focused = (page: Page, id: string) => page.waitForSelector(`#${id}:focus`)
  const focusIsVisible = (page: Page) =>
    page.evaluate(
      () => document.activeElement && Number.parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 2,
    )

  test('a user can sign in, consent, and connect a device', async () => {
    const { username } = await createUser(server)
    const { body: codes } = await ask(server, apps.device.id, { scope: 'openid' })
    const app = await listening((_request, response) => response.end('signed in'))
    await server.api('PATCH', `/applications/${apps.foreign.id}`, {
      oidcClientMetadata: { redirectUris: [`${app.url}/callback`] },
    })
    await inBrowser({ viewport: DESKTOP }, async (page) => {
      await page.goto((await begin(apps.foreign.configuration, { redirect_uri: `${app.url}/callback` })).url.href)
      await focused(page, 'identifier')
      await page.keyboard.type(username)
      await page.keyboard.press('Tab')
      await page.keyboard.type(PASSWORD)
      expect(await focusIsVisible(page)).toBe(true)
      await page.keyboard.press('Enter')
      await page.waitForSelector('#allow')
      await tabTo(page, 'allow')
      expect(await focusIsVisible(page)).toBe(true)
      await page.keyboard.press('Enter')
      await page.waitForURL(`${app.url}/callback?**`)
      await page.goto(codes.verification_uri)
      await focused(page, 'user_code')
      await page.keyboard.type(codes.user_code.toLowerCase().replace('-', ''))
      await page.keyboard.press('Enter')
      await page.waitForSelector('#user-code')
      await tabTo(page, 'allow')
      await page.keyboard.press('Space')
      await page.waitForURL(`${server.baseUrl}/device/done`)
    })
    app.close()
  })

  test('a user can sign in with a code and set up a factor', async () => {
    const mail = await connectMailServer(server)
    const methods = [{ identifier: 'email', password: true, verificationCode: true, isPasswordPrimary: true }]
    await setLook(server, { signIn: { methods }, mfa: { factors: ['Totp', 'WebAuthn'], policy: 'Mandatory' } })
    const { id, username } = await createUser(server)
    const primaryEmail = `${username}@example.com`
    await server.api('PATCH', `/users/${id}`, { primaryEmail })
    await inBrowser({ viewport: DESKTOP }, async (page) => {
      await page.goto((await begin(apps.own.configuration)).url.href)
      await focused(page, 'identifier')
      await page.keyboard.type(primaryEmail)
      await tabTo(page, 'use-code')
      await page.keyboard.press('Enter')
      await focused(page, 'code')
      await mail.got(1)
      await page.keyboard.type(codeIn(mail))
      await page.keyboard.press('Enter')
      await page.waitForSelector('.ways')
      await tabTo(page, 'choose-Totp')
      expect(await focusIsVisible(page)).toBe(true)
      await page.keyboard.press('Space')
      await focused(page, 'code')
      await page.keyboard.type('000000')
      await page.keyboard.press('Enter')
      await page.waitForSelector('#problem')
      await focused(page, 'code')
      await tabTo(page, 'another')
    })
    await setLook(server, {})
    const { body: connectors } = await server.api('GET', '/connectors')
    await server.api('DELETE', `/connectors/${connectors[0].id}`)
    await mail.close()
  })

  test('a user can go to their company, link an account, and go on with a sign-out', async () => {
    await inBrowser({ viewport: DESKTOP }, async (page) => {
      const { ids, organizationId, remove } = await connectCompanies(server)
      await page.goto((await begin(apps.own.configuration, { organization_id: organizationId })).url.href)
      await focused(page, 'identifier')
      await tabTo(page, `sso-${ids[0]}`)
      expect(await focusIsVisible(page)).toBe(true)
      await page.keyboard.press('Enter')
      await page.waitForSelector('#problem')
      await focused(page, 'identifier')
      await page.keyboard.type('ann@acme.example')
      await tabTo(page, 'use-sso')
      await page.keyboard.press('Enter')
      await page.waitForSelector('#sso')
      await tabTo(page, `sso-${ids[1]}`)
      expect(await focusIsVisible(page)).toBe(true)
      await page.keyboard.press('Space')
      await page.waitForSelector('#problem')
      await remove()
      const removeProvider = await openLinking(server, apps.own.configuration, page)
      await tabTo(page, 'create')
      expect(await focusIsVisible(page)).toBe(true)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/social/**?new')
      await removeProvider()
      await leaveUnanswered(server, page)
      await tabTo(page, 'again')
      expect(await focusIsVisible(page)).toBe(true)
      await page.keyboard.press('Shift+Tab')
      await focused(page, 'continue')
      await page.keyboard.press('Enter')
      await page.waitForSelector('.done')
    })
  })

  test('a user can change their password', async () => {
    await server.api('PATCH', '/account-center', { enabled: true, fields: { password: 'Edit' } })
    const { username } = await createUser(server)
    await inBrowser({ viewport: DESKTOP }, async (page) => {
      await page.goto(`${server.baseUrl}/account/security`)
      await focused(page, 'identifier')
      await page.keyboard.type(username)
      await page.keyboard.press('Tab')
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/account/security')
      await tabTo(page, 'change-password')
      expect(await focusIsVisible(page)).toBe(true)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/account/confirm?**')
      await focused(page, 'password')
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/account/change/password')
      await focused(page, 'password')
      await page.keyboard.type('a wholly different phrase')
      await page.keyboard.press('Enter')
      await page.waitForSelector('#notice')
    })
    await server.api('PATCH', '/account-center', { enabled: false })
  })
})

describe('with and without JavaScript', () => {
  test('the password can be shown, and is sent as a password', async () => {
    await inBrowser({ viewport: PHONE }, async (page, complaints) => {
      await page.goto((await begin(apps.own.configuration)).url.href)
      await page.fill('#password', 'a secret phrase')
      expect(await page.getByRole('button', { name: 'Show password' }).textContent()).toBe('Show')
      await page.click('.reveal')
      expect(await page.getAttribute('#password', 'type')).toBe('text')
      expect(await page.getByRole('button', { name: 'Hide password' }).count()).toBe(1)
      const sent = await page.evaluateHandle(() => {
        const { promise, resolve } = Promise.withResolvers<string | undefined>()
        document.forms[0]?.addEventListener('submit', (event) => {
          event.preventDefault()
          resolve(document.querySelector<HTMLInputElement>('#password')?.type)
        })
        return { type: promise }
      })
      await page.fill('#identifier', 'ada')
      await page.click('#submit')
      expect(await sent.evaluate(({ type }) => type)).toBe('password')
      expect(complaints).toEqual([])
    })
  })

  test('a form is submitted once however often its button is pressed, and again after the page is shown again', async () => {
    await inBrowser({}, async (page) => {
      await page.goto((await begin(apps.own.configuration)).url.href)
      await page.fill('#identifier', 'ada')
      await page.fill('#password', 'not the password')
      const seen = await page.evaluate(async () => {
        const [form] = document.forms
        const button = document.querySelector<HTMLButtonElement>('#submit')
        if (!form || !button) throw new Error('there is no form')
        let sent = 0
        form.addEventListener('submit', () => {
          sent += 1
        })
        // the answer comes into another tab, and this page stays
        form.target = '_blank'
        button.click()
        await new Promise((resolve) => setTimeout(resolve))
        const isDisabled = button.disabled
        button.click()
        dispatchEvent(new Event('pageshow'))
        return { sent, isDisabled, isDisabledAgain: button.disabled }
      })
      expect(seen).toEqual({ sent: 1, isDisabled: true, isDisabledAgain: false })
    })
  })

  test.each([true, false])('a response by form_post arrives (JavaScript: %s)', async (javaScriptEnabled) => {
    const { username } = await createUser(server)
    await inBrowser({ javaScriptEnabled, locale: 'de-DE' }, async (page, complaints) => {
      const posted: (string | null)[] = []
      await page.route('https://app.example/**', async (route) => {
        posted.push(route.request().postData())
        await route.fulfill({ contentType: 'text/html', body: '<h1>App</h1>' })
      })
      await page.goto((await begin(apps.own.configuration, { response_mode: 'form_post' })).url.href)
      expect(await page.locator('.reveal').count()).toBe(javaScriptEnabled ? 1 : 0)
      await page.fill('#identifier', username)
      await page.fill('#password', PASSWORD)
      await page.click('#submit')
      if (!javaScriptEnabled) {
        expect(await page.textContent('#continue')).toBe('Weiter')
        await page.click('#continue')
      }
      await page.waitForURL(CALLBACK)
      expect(posted.filter(Boolean)).toEqual([expect.stringMatching(/^code=cs_ac_[\w-]+&state=.+&iss=/)])
      expect(complaints).toEqual([])
    })
  })
})

describe('the way back', () => {
  test('may redirect to another origin of the application, which form-action does not list', async () => {
    const front = await listening((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<h1>Home</h1>'),
    )
    const back = await listening((_request, response) =>
      response.writeHead(303, { location: `${front.url}/home` }).end(),
    )
    const { body: app } = await server.api('POST', '/applications', {
      name: 'Backend',
      type: 'Traditional',
      oidcClientMetadata: { redirectUris: [`${back.url}/callback`] },
    })
    const { username } = await createUser(server)
    const url = new URL(`${server.issuer}/auth`)
    url.search = new URLSearchParams({
      client_id: app.id,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: `${back.url}/callback`,
    }).toString()
    await inBrowser({}, async (page, complaints) => {
      await page.goto(url.href)
      await page.fill('#identifier', username)
      await page.fill('#password', PASSWORD)
      await page.click('#submit')
      await page.waitForURL(`${front.url}/home`)
      expect(complaints).toEqual([])
    })
    front.close()
    back.close()
  })
})
