/** Captchas: the proof of work and the providers, where they are asked for, and that each is good once. */
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  accessibilityViolations,
  complaintsOf,
  horizontalOverflow,
  launchBrowser,
} from '@countersign/harness/browser.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { INSTALL_TIMEOUT_MS } from '@countersign/harness/system-program.ts'
import type * as client from 'openid-client'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { startProvider, type TestProvider } from '../events/provider-server.ts'
import { queueEmpty } from '../events/receiver.ts'
import { type OwnPage, openPage } from '../experience/arrange.ts'
import { connectMailServer, type MailServer } from '../management/mail.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, PASSWORD, signIn } from './arrange.ts'
import type { Page } from './browser.ts'

const TURNSTILE = { type: 'Turnstile', siteKey: 'site-key-1', secretKey: 'secret-key-1' }
const RECAPTCHA = { type: 'RecaptchaEnterprise', siteKey: 'site-key-2', secretKey: 'api-key-2', projectId: 'project-2' }

vi.setConfig({ testTimeout: 300_000 })
let server: TestServer
let provider: TestProvider
let mail: MailServer
let configuration: client.Configuration
let username: string
const application = createServer((_request, response) => response.end('the application'))
let callback: string
beforeAll(async () => {
  provider = await startProvider()
  const urls = { TURNSTILE_URL: `${provider.endpoint}/turnstile`, RECAPTCHA_URL: `${provider.endpoint}/v1` }
  server = await startTestServer(inject('cluster'), { ...urls, ADDRESS_FAILURES: '1000' })
  await once(application.listen(0, '127.0.0.1'), 'listening')
  callback = `http://localhost:${(application.address() as AddressInfo).port}/callback`
  const app = await createApp(server)
  await server.api('PATCH', `/applications/${app.id}`, { oidcClientMetadata: { redirectUris: [CALLBACK, callback] } })
  configuration = app.configuration
  mail = await connectMailServer(server)
  username = (await createUser(server)).username
})
afterAll(async () => {
  await server?.close()
  await provider?.close()
  await mail?.close()
  application.close()
})

interface Challenge {
  readonly challenge: string
  readonly salt: string
  readonly maxnumber: number
}

/** As a browser does it, and faster. */
const solve = ({ maxnumber, ...challenge }: Challenge): string => {
  const number = Array.from({ length: maxnumber + 1 }, (_, each) => each).find(
    (each) => hash('sha256', `${challenge.salt}${each}`) === challenge.challenge,
  )
  return Buffer.from(JSON.stringify({ ...challenge, number })).toString('base64')
}

/** The challenge that a page shows. */
const challengeOn = ({ text }: Page): Challenge =>
  JSON.parse(/data-challenge="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&') ?? '')

const told = ({ status, body }: { status: number; body?: { code: string } }) => [status, body?.code]
const policy = async (captchaPolicy: object) =>
  expect((await server.api('PATCH', '/sign-in-exp', { captchaPolicy })).body.captchaPolicy).toMatchObject(captchaPolicy)
const open = () => openPage(server, configuration)
const solutionFor = async (page: OwnPage) => solve((await page.call('GET', '/captcha')).body.captcha.challenge)
const startWith = (page: OwnPage, captchaToken: string, interactionEvent = 'SignIn') =>
  page.call('PUT', '', { interactionEvent, captchaToken })
const REQUIRED = [422, 'session.captcha_required']
const FAILED = [422, 'session.captcha_failed']

describe('without a policy', () => {
  test('none is required, and a token that is sent anyway is ignored', async () => {
    const page = await open()
    expect((await page.call('GET', '/captcha')).body).toEqual({ isRequired: false })
    expect((await startWith(page, 'anything')).status).toBe(204)
    expect((await page.call('GET', '/interaction')).body.captcha).toEqual({ verified: false, skipped: false })
    expect((await page.verify(username)).status).toBe(200)
  })
})

describe('a proof of work', () => {
  beforeAll(() => policy({ enabled: true }))

  test('comes before a password is checked, an account is registered and a code is sent', async () => {
    const page = await open()
    expect((await page.call('GET', '/captcha')).body.isRequired).toBe(true)
    await page.start('SignIn')
    expect(told(await page.verify(username))).toEqual(REQUIRED)
    await page.start('Register')
    const identifier = { type: 'username', value: 'newcomer' }
    const identity = await page.call('POST', '/verification/new-password-identity', { identifier, password: PASSWORD })
    expect(told(identity)).toEqual(REQUIRED)
    expect((await page.call('POST', '/profile', identifier)).status).toBe(204)
    expect((await page.call('POST', '/profile', { type: 'password', value: PASSWORD })).status).toBe(204)
    expect(told(await page.call('POST', '/identification', {}))).toEqual(REQUIRED)
    await page.start('ForgotPassword')
    expect(told(await page.sendCode('a@example.com', 'ForgotPassword'))).toEqual(REQUIRED)
    expect(mail.mails).toEqual([])
  })

  test('accepts the same', async () => {
    const page = await open()
    expect((await startWith(page, await solutionFor(page), 'Register')).status).toBe(204)
    expect((await page.call('GET', '/interaction')).body.captcha).toEqual({ verified: true, skipped: false })
    const identity = { identifier: { type: 'username', value: 'passed' }, password: PASSWORD }
    const { body } = await page.call('POST', '/verification/new-password-identity', identity)
    expect((await page.call('POST', '/identification', body)).status).toBe(201)
    // it holds when the person turns out to have an account
    await page.call('PUT', '/interaction-event', { interactionEvent: 'SignIn' })
    expect((await page.verify(username)).status).toBe(200)
    await startWith(page, await solutionFor(page), 'ForgotPassword')
    expect((await page.sendCode('a@example.com', 'ForgotPassword')).status).toBe(200)
  })

  test('is valid for one wrong password', async () => {
    const page = await open()
    await startWith(page, await solutionFor(page))
    expect(told(await page.verify(username, 'wrong'))).toEqual([422, 'session.invalid_credentials'])
    expect(told(await page.verify(username))).toEqual(REQUIRED)
  })

  test('is valid once, in time, for its interaction, and only when it is solved', async () => {
    const [page, other] = [await open(), await open()]
    const solution = await solutionFor(page)
    expect(told(await startWith(other, solution))).toEqual(FAILED)
    expect((await startWith(page, solution)).status).toBe(204)
    expect(told(await startWith(page, solution))).toEqual(FAILED)
    const rewritten = Buffer.from(` ${Buffer.from(solution, 'base64')}`).toString('base64')
    expect(told(await startWith(page, rewritten))).toEqual(FAILED)
    const unsolved = JSON.parse(Buffer.from(await solutionFor(page), 'base64').toString())
    for (const change of [{ number: -1 }, { salt: ['x'] }, { algorithm: 'SHA-1' }, { signature: '0'.repeat(64) }, {}]) {
      const number = change === undefined || 'salt' in change ? 0 : unsolved.number === 0 ? 1 : unsolved.number - 1
      const token = Buffer.from(JSON.stringify({ ...unsolved, number, ...change })).toString('base64')
      expect(told(await startWith(page, token))).toEqual(FAILED)
    }
    expect(told(await startWith(page, 'no base64 of JSON'))).toEqual(FAILED)
    const late = await solutionFor(page)
    server.clock.advance(1201)
    expect(told(await startWith(page, late))).toEqual(FAILED)
  })

  test('is valid once among 50 concurrent uses over two nodes', async () => {
    const node = await server.startNode()
    try {
      const page = await open()
      const elsewhere = page.through(node.url)
      const solution = await solutionFor(page)
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, index) => startWith(index % 2 ? page : elsewhere, solution)),
      )
      expect(replies.filter(({ status }) => status === 204)).toHaveLength(1)
      expect(replies.filter((reply) => told(reply)[1] === 'session.captcha_failed')).toHaveLength(49)
    } finally {
      await node.close()
    }
  })

  test('without JavaScript a form is refused, and says why', async () => {
    const page = await signIn(newBrowser(), await begin(configuration), username)
    expect(page.status).toBe(422)
    expect(page.text).toContain('Confirm that you are not a robot')
    expect(page.text).toContain('<noscript>')
    expect(page.headers.get('content-security-policy')).not.toContain('https://')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  })
})

describe('only after failures', () => {
  test('of the identifier, whether or not an account has it', async () => {
    await policy({ enabled: true, afterFailures: 1 })
    // whatever failed before is no longer counted for the address
    server.clock.advance(700)
    for (const name of [(await createUser(server)).username, 'no_one_has_this']) {
      const page = await open()
      await page.start('SignIn')
      expect(told(await page.verify(name, 'wrong'))).toEqual([422, 'session.invalid_credentials'])
      server.clock.advance(700)
      const next = await open()
      expect((await next.call('GET', '/captcha')).body.isRequired).toBe(false)
      await next.start('SignIn')
      expect(told(await next.verify(name))).toEqual(REQUIRED)
    }
    const other = await open()
    await other.start('SignIn')
    expect((await other.verify((await createUser(server)).username)).status).toBe(200)
  })

  test('of the address, on the page too', async () => {
    const { username: fresh } = await createUser(server)
    const browser = newBrowser()
    const first = await browser.open((await begin(configuration)).url)
    expect(first.text).not.toContain('data-challenge')
    const second = await browser.submit(first, { identifier: fresh, password: 'wrong' })
    expect(second.text).toContain('data-challenge')
    expect((await browser.submit(second, { identifier: fresh, password: PASSWORD })).status).toBe(422)
    const fields = { identifier: fresh, password: PASSWORD, captcha: solve(challengeOn(second)) }
    expect((await browser.submit(second, fields)).url.href).toContain('https://app.example/callback?code=')
  })
})

describe('a provider', () => {
  const put = (config: object) => server.api('PUT', '/captcha-provider', { config })

  test('is set, shown with its keys, replaced and removed', async () => {
    await policy({ enabled: true })
    expect(told(await server.api('GET', '/captcha-provider'))).toEqual([404, 'entity.not_found'])
    const { status, body } = await put(TURNSTILE)
    expect([status, body]).toEqual([
      200,
      { ...body, config: TURNSTILE, createdAt: server.clock.now().getTime(), updatedAt: body.createdAt },
    ])
    server.clock.advance(5)
    const { body: replaced } = await put({ ...RECAPTCHA, domain: 'recaptcha.net' })
    expect(replaced).toMatchObject({ id: body.id, createdAt: body.createdAt, updatedAt: body.createdAt + 5000 })
    expect((await server.api('GET', '/captcha-provider')).body).toEqual(replaced)
    expect(told(await put({ ...RECAPTCHA, domain: 'evil.example' }))).toEqual([400, 'guard.invalid_input'])
    expect((await server.api('DELETE', '/captcha-provider')).status).toBe(204)
    expect(told(await server.api('DELETE', '/captcha-provider'))).toEqual([404, 'entity.not_found'])
    const { rows } = await server.store.database.pool.query(
      `SELECT payload FROM audit_log WHERE key LIKE '%CaptchaProvider' AND payload::text ~ 'secret-key-1|api-key-2'`,
    )
    expect(rows).toEqual([])
  })

  test('Turnstile: is asked as Cloudflare documents it', async () => {
    await put(TURNSTILE)
    const page = await open()
    expect((await page.call('GET', '/captcha')).body.captcha).toEqual({ type: 'Turnstile', siteKey: 'site-key-1' })
    const before = provider.requests.length
    provider.answers({ status: 200, body: { success: true, 'error-codes': [], hostname: 'localhost' } })
    expect((await startWith(page, 'token-1')).status).toBe(204)
    expect(provider.requests.slice(before)).toMatchObject([
      {
        method: 'POST',
        path: '/turnstile/siteverify',
        body: { secret: 'secret-key-1', response: 'token-1', remoteip: '127.0.0.1' },
      },
    ])
    expect((await page.verify(username)).status).toBe(200)
    // used up here, whatever the provider says
    expect(told(await startWith(page, 'token-1'))).toEqual(FAILED)
    provider.answers({ status: 200, body: { success: false, 'error-codes': ['timeout-or-duplicate'] } })
    expect(told(await startWith(page, 'token-2'))).toEqual(FAILED)
  })

  test.each([
    ['refuses the secret key', { status: 200, body: { success: false, 'error-codes': ['invalid-input-secret'] } }],
    ['fails', { status: 500, body: 'no' }],
    ['responds with something unintelligible', { status: 200, body: '<html>' }],
  ])('Turnstile: nobody passes while it %s', async (_title, answer) => {
    provider.answers(answer)
    expect(told(await startWith(await open(), `token of ${answer.status} ${_title}`))).toEqual([
      503,
      'request.unavailable',
    ])
  })

  test('reCAPTCHA Enterprise: is asked as Google documents it, and its score decides', async () => {
    await put(RECAPTCHA)
    const assessed = (valid: boolean, score: number) => ({
      status: 200,
      body: {
        name: 'projects/1/assessments/2',
        tokenProperties: { valid, invalidReason: valid ? 'INVALID_REASON_UNSPECIFIED' : 'EXPIRED' },
        riskAnalysis: { score, reasons: [] },
      },
    })
    const page = await open()
    const before = provider.requests.length
    provider.answers(assessed(true, 0.5))
    expect((await startWith(page, 'token-3')).status).toBe(204)
    const event = { token: 'token-3', siteKey: 'site-key-2', expectedAction: 'interaction', userIpAddress: '127.0.0.1' }
    expect(provider.requests.slice(before)).toMatchObject([
      { path: '/v1/projects/project-2/assessments', headers: { 'x-goog-api-key': 'api-key-2' }, body: { event } },
    ])
    provider.answers(assessed(true, 0.4))
    expect(told(await startWith(page, 'token-4'))).toEqual(FAILED)
    provider.answers(assessed(false, 0.9))
    expect(told(await startWith(page, 'token-5'))).toEqual(FAILED)
    await put({ ...RECAPTCHA, mode: 'checkbox' })
    provider.answers(assessed(true, 0.1))
    expect((await startWith(page, 'token-6')).status).toBe(204)
    provider.answers({ status: 403, body: { error: { code: 403, status: 'PERMISSION_DENIED' } } })
    expect(told(await startWith(page, 'token-7'))).toEqual([503, 'request.unavailable'])
  })

  test.each([
    [TURNSTILE, ['https://challenges.cloudflare.com'], 'cf-turnstile'],
    [RECAPTCHA, ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'], 'data-recaptcha'],
    [
      { ...RECAPTCHA, domain: 'recaptcha.net', mode: 'checkbox' },
      ['https://www.recaptcha.net/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
      'g-recaptcha',
    ],
  ])('%o: widens the policy of the page, which works with its token', async (config, sources, mark) => {
    await put(config)
    const browser = newBrowser()
    const page = await browser.open((await begin(configuration)).url)
    expect(page.text).toContain(mark)
    expect(page.text).not.toContain(config.secretKey)
    const directives = (page.headers.get('content-security-policy') ?? '').split('; ')
    const of = (name: string) => directives.find((each) => each.startsWith(name)) ?? ''
    for (const source of sources) expect(of('script-src')).toContain(source)
    expect(of('frame-src')).toContain(sources[0])
    expect(page.headers.get('referrer-policy')).toBe('strict-origin')
    const settings = await (await fetch(`${server.baseUrl}/api/.well-known/sign-in-exp`)).json()
    expect(settings.captchaConfig).toMatchObject({ type: config.type, siteKey: config.siteKey })
    expect(JSON.stringify(settings)).not.toContain(config.secretKey)
    provider.answers({
      status: 200,
      body: { success: true, tokenProperties: { valid: true }, riskAnalysis: { score: 1 } },
    })
    const name = mark === 'g-recaptcha' ? 'g-recaptcha-response' : 'captcha'
    const fields = { identifier: username, password: PASSWORD, [name]: `token for ${mark}` }
    expect((await browser.submit(page, fields)).url.href).toContain('https://app.example/callback?code=')
  })
})

describe('in a real browser', () => {
  let chromium: Browser
  beforeAll(async () => {
    await server.api('DELETE', '/captcha-provider')
    await policy({ enabled: true, afterFailures: 0 })
    chromium = await launchBrowser()
  }, INSTALL_TIMEOUT_MS)
  afterAll(() => chromium?.close())

  test('the browser proves its work while the form is filled in, and sends it once it is done', async () => {
    const page = await chromium.newPage({ viewport: { width: 390, height: 844 } })
    const complaints = complaintsOf(page)
    await page.goto((await begin(configuration, { redirect_uri: callback })).url.href)
    await page.waitForSelector('.proof[data-state=checked]')
    expect(await page.textContent('[role=status]')).toBe('Your browser was checked.')
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await horizontalOverflow(page)).toBe(0)
    await page.fill('#identifier', username)
    await page.fill('#password', 'wrong')
    await page.click('#submit')
    await page.waitForSelector('#problem')
    // sent before it can be done
    await page.evaluate((password) => {
      const field = document.querySelector<HTMLInputElement>('#password')
      if (field) field.value = password
      document.querySelector('form')?.requestSubmit()
    }, PASSWORD)
    await page.waitForURL(`${callback}?code=*`)
    expect(complaints.filter((each) => !/status of 422/.test(each))).toEqual([])
    await page.close()
  })
})

describe('before another code', () => {
  // the token of server.api has expired by now
  beforeAll(() =>
    server.client.updateSignInExperience({
      body: {
        signUp: { identifiers: ['email'], password: true, verify: true },
        signIn: {
          methods: [
            { identifier: 'username', password: true },
            { identifier: 'email', password: true, verificationCode: true },
          ],
        },
        captchaPolicy: { enabled: true, afterFailures: 1 },
      },
    }),
  )

  test.each([
    ['sign-in', 'sign-in-code', { action: 'code' }],
    ['registration', 'verify-email', { password: PASSWORD }],
  ])(
    'of a %s: the page asks for a captcha once a wrong one was entered, beside the button for another',
    async (what, path, more) => {
      server.clock.advance(700)
      const browser = newBrowser()
      const start = await browser.open((await begin(configuration)).url)
      const form = what === 'sign-in' ? start : await browser.open(start.url.href.replace('/sign-in/', '/register/'))
      const sent = await browser.submit(form, { identifier: `${path}@example.com`, ...more })
      expect([sent.url.pathname.split('/')[1], sent.text.includes('data-challenge')]).toEqual([path, false])
      const wrong = await browser.submit(sent, { code: '000000' })
      expect(wrong.text).toMatch(/<form method="post" id="again">[\s\S]*data-challenge[\s\S]*id="send-again"/)
      // a mail on its way is held for a minute of this clock, and after that sent once more
      await queueEmpty(server.store)
      server.clock.advance(61)
      const refused = await browser.submit(wrong, { again: 'again' })
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Confirm that you are not a robot')])
      expect(refused.text).toContain('<noscript>')
      const again = await browser.submit(refused, { again: 'again', captcha: solve(challengeOn(refused)) })
      expect(again.text).toContain('id="notice"')
      const codes = () => mail.mails.filter(({ recipients }) => recipients.includes(`${path}@example.com`))
      await vi.waitFor(() => expect(codes()).toHaveLength(2), { timeout: 60_000, interval: 10 })
    },
  )

  test('to a secondary address: the captcha of the registration holds until a code was wrong', async () => {
    server.clock.advance(700)
    const secondaryIdentifiers = [{ identifier: 'email' as const, verify: true }]
    const signUp = { identifiers: ['username' as const], password: true, verify: false, secondaryIdentifiers }
    const captchaPolicy = { enabled: true, afterFailures: 0 }
    await server.client.updateSignInExperience({ body: { signUp, captchaPolicy } })
    const browser = newBrowser()
    const start = await browser.open((await begin(configuration)).url)
    const form = await browser.open(start.url.href.replace('/sign-in/', '/register/'))
    const account = { identifier: 'with_an_address', password: PASSWORD, captcha: solve(challengeOn(form)) }
    const asked = await browser.submit(form, account)
    expect([asked.url.pathname.split('/')[1], asked.text.includes('data-challenge')]).toEqual([
      'complete-profile',
      false,
    ])
    const sent = await browser.submit(asked, { identifier: 'secondary@example.com' })
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('one-time-code')])
  })
})
