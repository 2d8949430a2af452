/** `/sign-in-exp`: the settings, what they refuse, and that the pages do as they say. */
import { hash } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage } from '../experience/arrange.ts'
import { send } from '../protocol/arrange.ts'
import { begin, createApp, newBrowser, PASSWORD, redeem, signIn } from '../sign-in/arrange.ts'
import { withSecondTenant } from '../tenants/second-tenant.ts'

let server: TestServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  configuration = (await createApp(server)).configuration
})
afterAll(() => server.close())

const patch = (body: unknown) => server.api('PATCH', '/sign-in-exp', body)
const method = (identifier: string, password = true) => ({
  identifier,
  password,
  verificationCode: false,
  isPasswordPrimary: true,
})
const DEFAULTS = {
  signInMode: 'SignInAndRegister',
  signIn: { methods: [method('username')] },
  signUp: { identifiers: ['username'], password: true, verify: false },
}
const stored = async () =>
  (await server.store.database.pool.query("SELECT settings FROM sign_in_experiences WHERE tenant_id = 'default'"))
    .rows[0]?.settings

describe('the settings', () => {
  test('are complete from the start, with missing features off', async () => {
    const { body } = await server.api('GET', '/sign-in-exp')
    expect(body).toMatchObject({
      tenantId: 'default',
      id: 'default',
      ...DEFAULTS,
      passwordPolicy: {
        length: { min: 8, max: 256 },
        characterTypes: { min: 1 },
        rejects: { pwned: false, repetitionAndSequence: true, userInfo: true, words: [] },
      },
      sentinelPolicy: { maxAttempts: 10, lockoutDuration: 15 },
      verificationCodePolicy: { expirationDuration: 600, maxRetryAttempts: 10 },
      usernamePolicy: { caseSensitive: false, minLength: 1, maxLength: 128 },
      forgotPasswordMethods: null,
      restrictExchangeToSubjectScope: false,
      mfa: { factors: [], policy: 'NoPrompt' },
      singleSignOnEnabled: false,
      singleSignOnExemptUserIds: [],
      socialSignInConnectorTargets: [],
    })
  })

  test('return what was set, store only what differs, and can be sent back unchanged', async () => {
    const { body } = await patch({
      branding: { logoUrl: 'https://cdn.example/logo.svg' },
      termsOfUseUrl: 'https://example.com/terms',
      privacyPolicyUrl: '',
      supportEmail: 'help@example.com',
      sentinelPolicy: { maxAttempts: 5 },
      signInMode: 'SignInAndRegister',
    })
    expect(body).toMatchObject({ privacyPolicyUrl: null, sentinelPolicy: { maxAttempts: 5, lockoutDuration: 15 } })
    expect(await stored()).toEqual({
      branding: { logoUrl: 'https://cdn.example/logo.svg' },
      termsOfUseUrl: 'https://example.com/terms',
      supportEmail: 'help@example.com',
      sentinelPolicy: { maxAttempts: 5, lockoutDuration: 15 },
    })
    expect((await patch(body)).body).toEqual(body)
    const reset = { branding: {}, termsOfUseUrl: null, supportEmail: '', sentinelPolicy: {} }
    await patch(reset)
    expect(await stored()).toEqual({})
  })

  test("concurrent changes keep each other's fields", async () => {
    await Promise.all([
      patch({ termsOfUseUrl: 'https://example.com/a' }),
      patch({ privacyPolicyUrl: 'https://example.com/b' }),
      patch({ supportWebsiteUrl: 'https://example.com/c' }),
      patch({ supportEmail: 'd@example.com' }),
    ])
    expect(Object.keys(await stored()).sort()).toEqual([
      'privacyPolicyUrl',
      'supportEmail',
      'supportWebsiteUrl',
      'termsOfUseUrl',
    ])
    await patch({ termsOfUseUrl: null, privacyPolicyUrl: null, supportWebsiteUrl: null, supportEmail: null })
  })

  test('are separate for each tenant', async () => {
    const { b } = await withSecondTenant(server, 'second', 'http://second.example:8080')
    await patch({ termsOfUseUrl: 'https://default.example' })
    const token = (await b.token()).body.access_token
    expect((await b.request('GET', '/api/sign-in-exp', { token })).body).toMatchObject({
      tenantId: 'second',
      termsOfUseUrl: null,
    })
    await patch({ termsOfUseUrl: null })
  })

  test('are public as far as pages need them', async () => {
    const answer = await fetch(`${server.baseUrl}/api/.well-known/sign-in-exp?appId=x`)
    expect(answer.status).toBe(200)
    const body = (await answer.json()) as Record<string, unknown>
    expect(body).toMatchObject({
      ...DEFAULTS,
      forgotPassword: { email: false, phone: false },
      customProfileFields: [],
      socialConnectors: [],
      ssoConnectors: [],
    })
    for (const name of ['emailBlocklistPolicy', 'restrictExchangeToSubjectScope']) expect(body).not.toHaveProperty(name)
  })
})

describe('refuses', () => {
  const methods = (...identifiers: string[]) => ({ methods: identifiers.map((each) => method(each)) })
  test.each<[string, object, number, string]>([
    [
      'a colour by name',
      { color: { primaryColor: 'red', isDarkModeEnabled: true, darkPrimaryColor: '#000000' } },
      400,
      '',
    ],
    [
      'a short colour',
      { color: { primaryColor: '#fff', isDarkModeEnabled: true, darkPrimaryColor: '#000000' } },
      400,
      '',
    ],
    ['a script as a logo', { branding: { logoUrl: 'javascript:alert(1)' } }, 400, ''],
    ['data as a logo', { branding: { darkLogoUrl: 'data:image/svg+xml,<svg/>' } }, 400, ''],
    ['a script as terms', { termsOfUseUrl: ' javascript:alert(1)' }, 400, ''],
    ['a file as privacy policy', { privacyPolicyUrl: 'file:///etc/passwd' }, 400, ''],
    ['an address with a password', { supportWebsiteUrl: 'https://a:b@example.com' }, 400, ''],
    ['text as an email address', { supportEmail: 'call us' }, 400, ''],
    ['zero attempts', { sentinelPolicy: { maxAttempts: 0 } }, 400, ''],
    ['a lock of half a minute', { sentinelPolicy: { lockoutDuration: 0.5 } }, 400, ''],
    ['codes that are valid for a second', { verificationCodePolicy: { expirationDuration: 1 } }, 400, ''],
    ['no character types', { passwordPolicy: { characterTypes: { min: 0 } } }, 400, ''],
    ['a minimum above the maximum', { passwordPolicy: { length: { min: 20, max: 10 } } }, 400, ''],
    ['passwords above the limit', { passwordPolicy: { length: { min: 1, max: 257 } } }, 400, ''],
    [
      'usernames without letters',
      { usernamePolicy: { allowedChars: { lowercase: false, uppercase: false } } },
      400,
      '',
    ],
    ['an invalid language', { languageInfo: { autoDetect: true, fallbackLanguage: '../en' } }, 400, ''],
    [
      'a language without texts',
      { languageInfo: { autoDetect: true, fallbackLanguage: 'xx' } },
      400,
      'unsupported_default_language',
    ],
    [
      'an invalid blocked address',
      { emailBlocklistPolicy: { customBlocklist: ['a@b.example', 'a.example'] } },
      400,
      'invalid_custom_email_blocklist_format',
    ],
    [
      'password expiry without a period',
      { passwordExpiration: { enabled: true } },
      400,
      'password_expiration_invalid_period_days',
    ],
    [
      'password expiry without password reset',
      { passwordExpiration: { enabled: true, validPeriodDays: 30 } },
      400,
      'password_expiration_requires_forgot_password',
    ],
    ['an unknown mode', { signInMode: 'None' }, 400, ''],
    ['a duplicate identifier', { signIn: methods('username', 'username') }, 400, ''],
    [
      'no sign-in method',
      { signIn: { methods: [] }, signUp: { ...DEFAULTS.signUp, identifiers: [] }, signInMode: 'SignIn' },
      400,
      '',
    ],
    [
      'a sign-in method without a factor',
      { signIn: { methods: [method('username'), method('email', false)] } },
      400,
      'at_least_one_authentication_factor',
    ],
    [
      'sign-up by an identifier that cannot sign in',
      { signUp: { identifiers: ['email'], password: true, verify: false } },
      400,
      'miss_sign_up_identifier_in_sign_in',
    ],
    [
      'registration only, without an identifier',
      { signUp: { identifiers: [], password: true, verify: false }, signInMode: 'Register' },
      400,
      'missing_sign_up_identifiers',
    ],
    [
      'sign-up by a duplicate identifier',
      { signUp: { identifiers: ['username', 'username'], password: true, verify: false } },
      400,
      'duplicated_sign_up_identifiers',
    ],
    [
      'a username without a password',
      { signUp: { identifiers: ['username'], password: false, verify: false } },
      400,
      'username_requires_password',
    ],
    [
      'an address without anything',
      { signIn: methods('email'), signUp: { identifiers: ['email'], password: false, verify: false } },
      400,
      'passwordless_requires_verify',
    ],
    [
      'a secondary identifier that is the first one',
      { signUp: { ...DEFAULTS.signUp, secondaryIdentifiers: [{ identifier: 'username' }] } },
      400,
      'duplicated_sign_up_identifiers',
    ],
    [
      'an address in addition to either of address and number',
      {
        signUp: { ...DEFAULTS.signUp, secondaryIdentifiers: [{ identifier: 'email' }, { identifier: 'emailOrPhone' }] },
      },
      400,
      'duplicated_sign_up_identifiers',
    ],
    [
      'secondary identifiers alone',
      { signUp: { ...DEFAULTS.signUp, identifiers: [], secondaryIdentifiers: [{ identifier: 'email' }] } },
      400,
      'missing_sign_up_identifiers',
    ],
    [
      'verification of a secondary address without a connector',
      { signUp: { ...DEFAULTS.signUp, secondaryIdentifiers: [{ identifier: 'emailOrPhone', verify: true }] } },
      400,
      'enabled_connector_not_found',
    ],
    [
      'verification of a secondary username',
      {
        ...{ signIn: methods('email') },
        signUp: {
          ...DEFAULTS.signUp,
          identifiers: ['email'],
          secondaryIdentifiers: [{ identifier: 'username', verify: true }],
        },
      },
      400,
      '',
    ],
    [
      'backup codes alone',
      { mfa: { factors: ['BackupCode'], policy: 'NoPrompt' } },
      400,
      'backup_code_cannot_be_enabled_alone',
    ],
    [
      'codes as a second factor without a connector',
      { mfa: { factors: ['EmailVerificationCode'], policy: 'Mandatory' } },
      400,
      'enabled_connector_not_found',
    ],
    [
      'codes for sign-in without a connector',
      { signIn: { methods: [method('username'), { ...method('phone'), verificationCode: true }] } },
      400,
      'enabled_connector_not_found',
    ],
    ['a code for a username', { signIn: { methods: [{ ...method('username'), verificationCode: true }] } }, 400, ''],
    ['a duplicate factor', { mfa: { factors: ['Totp', 'Totp'], policy: 'NoPrompt' } }, 400, 'duplicated_mfa_factors'],
    [
      'reset by mail without a connector',
      { forgotPasswordMethods: ['EmailVerificationCode'] },
      400,
      'forgot_password_method_requires_connector',
    ],
  ])('%s', async (_title, body, status, code) => {
    const answer = await patch(body)
    expect([answer.status, answer.body.code]).toEqual([
      status,
      code === '' ? 'guard.invalid_input' : `sign_in_experiences.${code}`,
    ])
    expect((await server.api('GET', '/sign-in-exp')).body).toMatchObject(DEFAULTS)
  })

  test.each<[string, object]>([
    ['customContent', { customContent: { '/sign-in': 'own' } }],
    ['signUp.verify', { signUp: { ...DEFAULTS.signUp, verify: true } }],
  ])('%s, which is not there yet, by name', async (feature, body) => {
    const answer = await patch(body)
    expect([answer.status, answer.body.code, answer.body.data]).toEqual([
      422,
      'request.feature_not_supported',
      { feature },
    ])
  })

  test('but not a value that switches a missing feature off', async () => {
    const { status } = await patch({
      mfa: { factors: [], policy: 'UserControlled' },
      adaptiveMfa: { enabled: false },
      trustedDevice: { enabled: false, durationDays: 30 },
      captchaPolicy: {},
      emailBlocklistPolicy: { blockSubaddressing: false, customBlocklist: [] },
      passwordExpiration: { enabled: false },
      customContent: {},
    })
    expect(status).toBe(200)
  })
})

describe('accepts', () => {
  test('partial settings: omitted parts of a policy get their defaults, other fields stay', async () => {
    const { body: before } = await server.api('GET', '/sign-in-exp')
    const { body, status } = await patch({
      passwordPolicy: { length: { min: 12 }, characterTypes: {}, rejects: { userInfo: false } },
      color: { isDarkModeEnabled: false },
      languageInfo: { fallbackLanguage: 'de' },
      signIn: {
        methods: [
          { identifier: 'username', password: true },
          { identifier: 'email', password: true },
        ],
      },
      signUp: { identifiers: ['username', 'email'] },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      passwordPolicy: {
        length: { min: 12, max: 256 },
        characterTypes: { min: 1 },
        rejects: { pwned: false, repetitionAndSequence: true, userInfo: false, words: [] },
      },
      color: { ...before.color, isDarkModeEnabled: false },
      languageInfo: { autoDetect: true, fallbackLanguage: 'de' },
      signIn: { methods: [method('username'), method('email')] },
      signUp: { identifiers: ['username', 'email'], password: true, verify: false },
    })
    const incoherent = await patch({ signUp: { password: false } })
    expect(incoherent.body.code).toBe('sign_in_experiences.username_requires_password')
    const unprovable = await patch({ signUp: { verify: true } })
    expect(unprovable.body.data).toEqual({ type: 'Email' })
    const { color, languageInfo, signIn: methods, signUp } = before
    expect((await patch({ passwordPolicy: {}, color, languageInfo, signIn: methods, signUp })).body).toEqual(before)
  })

  test('sign-up without identifiers, which switches registration off on pages and in the API', async () => {
    expect((await patch({ signUp: { identifiers: [], password: false, verify: false } })).status).toBe(200)
    const page = await openPage(server, configuration)
    const at = await page.browser.open(`${server.baseUrl}/sign-in/${page.interactionId}`)
    expect(at.text).not.toContain('id="register"')
    const register = await page.browser.open(`${server.baseUrl}/register/${page.interactionId}`)
    expect(register.url.pathname).toMatch(/^\/sign-in\//)
    const refused = await page.start('Register')
    expect([refused.status, refused.body.code]).toEqual([422, 'user.sign_up_method_not_enabled'])
    await patch({ signUp: DEFAULTS.signUp })
  })
})

describe('POST /sign-in-exp/default/check-password', () => {
  test('lists the issues of a password, also for a given user', async () => {
    const check = (body: object) => server.api('POST', '/sign-in-exp/default/check-password', body)
    expect(await check({ password: 'a long enough phrase' })).toMatchObject({ status: 200, body: { result: true } })
    const tooShort = { result: false, issues: [{ code: 'password_rejected.too_short', interpolation: { min: 8 } }] }
    const refused = await check({ password: 'short' })
    expect([refused.status, refused.body]).toEqual([400, tooShort])
    expect(await server.client.checkPassword({ body: { password: 'short' } })).toEqual(tooShort)
    const { body: user } = await server.api('POST', '/users', { username: 'christopher' })
    expect((await check({ password: 'christopher1', userId: user.id })).body).toEqual({
      result: false,
      issues: [{ code: 'password_rejected.restricted.user_info' }],
    })
    expect((await check({ password: 'christopher1' })).body).toEqual({ result: true })
    expect((await check({ password: 'x', userId: 'nobody' })).status).toBe(404)
    expect((await check({ password: '' })).body.code).toBe('guard.invalid_input')
    await expect(server.client.checkPassword({ body: { password: '' } })).rejects.toMatchObject({
      code: 'guard.invalid_input',
    })
    const { body: logs } = await server.api('GET', '/logs?page_size=100')
    expect(JSON.stringify(logs)).not.toContain('christopher1')
  })
})

describe('the hosted pages', () => {
  const open = async () => newBrowser().open((await begin(configuration)).url)

  test('show colours and logo from the next request on, and only the light scheme if the tenant says so', async () => {
    expect((await open()).text).toContain('prefers-color-scheme:dark')
    await patch({
      color: { primaryColor: '#123456', isDarkModeEnabled: false, darkPrimaryColor: '#abcdef' },
      branding: { logoUrl: 'https://cdn.example/logo.svg' },
      termsOfUseUrl: 'https://example.com/terms',
    })
    const page = await open()
    expect(page.text).toContain('--accent:#123456')
    expect(page.text).not.toContain('prefers-color-scheme:dark')
    expect(page.text).toContain('src="https://cdn.example/logo.svg"')
    expect(page.headers.get('content-security-policy')).toContain('https://cdn.example')
    expect(page.text).toContain('href="https://example.com/terms"')
    await patch({
      color: { primaryColor: '#2f4fd0', isDarkModeEnabled: true, darkPrimaryColor: '#9db2ff' },
      branding: {},
    })
  })

  test('another node shows them too', async () => {
    const node = await server.startNode()
    const headers = { host: new URL(server.baseUrl).host }
    const shown = async () =>
      (await send(`${node.url}/api/.well-known/sign-in-exp`, { method: 'GET', headers })).body.termsOfUseUrl
    await patch({ termsOfUseUrl: 'https://example.com/first' })
    await expect.poll(shown).toBe('https://example.com/first')
    await patch({ termsOfUseUrl: 'https://example.com/second' })
    await expect.poll(shown).toBe('https://example.com/second')
    await node.close()
  })

  test('register by email address, and sign in by it or by phone number', async () => {
    await patch({
      signIn: { methods: [method('email'), method('phone')] },
      signUp: { identifiers: ['email', 'phone'], password: true, verify: false },
    })
    const browser = newBrowser()
    const begun = await begin(configuration, { scope: 'openid email phone' })
    const at = await browser.open(begun.url)
    const form = await browser.open(at.url.href.replace('/sign-in/', '/register/'))
    const wrong = await browser.submit(form, { identifier: 'no address', password: PASSWORD })
    expect([wrong.status, wrong.text.includes('That is not an email address.')]).toEqual([422, true])
    const back = await browser.submit(form, { identifier: 'Ann@Example.com', password: PASSWORD })
    const tokens = await redeem(configuration, back, begun)
    expect(tokens.claims()).toMatchObject({ email: 'Ann@Example.com', email_verified: false })
    const id = tokens.claims()?.sub ?? ''
    const again = await signIn(newBrowser(), await begin(configuration), ' ANN@example.COM ')
    expect(again.url.searchParams.has('code')).toBe(true)
    await server.api('PATCH', `/users/${id}`, { primaryPhone: '+49 151 234567', username: 'ann' })
    const byPhone = await signIn(newBrowser(), await begin(configuration), '+49 (151) 23 45 67')
    expect(byPhone.url.searchParams.has('code')).toBe(true)
    // a name that the tenant does not sign in with is no name
    expect((await signIn(newBrowser(), await begin(configuration), 'ann')).status).toBe(422)
    await patch(DEFAULTS)
  })

  test('have a style sheet of the tenant’s, which loads nothing and ends nowhere else; the console has none', async () => {
    const customCss = 'main { outline-color: teal } @media (width <= 600px) { main { padding: 0 } }'
    expect((await patch({ customCss: 'main {} </style><b>' })).body.code).toBe('guard.invalid_input')
    expect((await patch({ customCss })).body).toMatchObject({ customCss })
    const style = /<style>(.*?)<\/style>/s.exec((await open()).text)?.[1] ?? ''
    expect(style.endsWith(customCss)).toBe(true)
    const { url } = await open()
    const policy = (await fetch(url, { redirect: 'manual' })).headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`sha256-${hash('sha256', style, 'base64')}`)
    const query = new URLSearchParams({
      client_id: 'console',
      redirect_uri: `${server.baseUrl}/console/callback`,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const atConsole = await newBrowser().open(`${server.issuer}/auth?${query}`)
    expect([atConsole.text.includes('id="credentials"'), atConsole.text.includes('teal')]).toEqual([true, false])
    expect((await patch({ customCss: '' })).body).toMatchObject({ customCss: null })
  })

  test('do not offer features that are off', async () => {
    await patch({ signInMode: 'SignIn' })
    const page = await open()
    expect(page.text).not.toContain('id="register"')
    const there = await newBrowser().open(page.url.href.replace('/sign-in/', '/register/'))
    expect(there.text).not.toContain('id="credentials"')
    await patch({ signInMode: 'SignInAndRegister' })
  })
})

describe('a preview', () => {
  const preview = (body: object) => server.api('POST', '/sign-in-exp/preview', body)

  test('is the page with settings that are not saved, without scripts, tokens or a way to anywhere', async () => {
    const before = await stored()
    const settings = { color: { primaryColor: '#a3221b' }, supportWebsiteUrl: 'https://help.example/' }
    const applicationName = 'Shop & <Co>'
    const { status, body } = await preview({ settings, language: 'de', screen: 'register', applicationName })
    expect(status).toBe(200)
    expect(body.html).toContain('Shop &amp; &lt;Co&gt;')
    const { html, css } = body as { html: string; css: string }
    expect(css).toContain('--accent:#a3221b')
    expect(html).toContain('lang="de"')
    expect(html).toContain('https://help.example/')
    expect(html).toContain('<input type="hidden" name="token" value="">')
    expect(html).not.toMatch(/<script|<style|autofocus/)
    expect(await stored()).toEqual(before)
  })

  test.each([
    ['code', {}, 'id="sign-in-code"'],
    [
      'second-factor',
      { mfa: { policy: 'NoPrompt', factors: ['WebAuthn', 'Totp', 'BackupCode'] } },
      'id="factor-BackupCode"',
    ],
    ['second-factor', { mfa: { policy: 'NoPrompt', factors: ['EmailVerificationCode'] } }, 'id="second-factor"'],
    ['consent', {}, 'id="allow"'],
    ['account', {}, 'id="change-email"'],
    ['forgot-password', {}, 'id="identifier"'],
  ])('shows %s', async (screen, settings, mark) => {
    const { status, body } = await preview({ screen, settings })
    expect([status, (body as { html?: string }).html]).toEqual([200, expect.stringContaining(mark)])
  })

  test('asks for the fields of profiles that the settings name, and is registration where they name none', async () => {
    const names = ['team', 'floor']
    await server.client.createCustomProfileFields({
      body: names.map((name) => ({ name, type: 'Text' as const, required: true })),
    })
    const asked = async (signUpProfileFields: unknown) => {
      const settings = { signUpProfileFields }
      const { html } = (await preview({ screen: 'extra-profile', settings })).body as { html: string }
      return [...html.matchAll(/name="(field\.\w+|password)"/g)].map(([, name]) => name)
    }
    expect(await asked(null)).toEqual(['field.team', 'field.floor'])
    expect(await asked([{ name: 'floor' }, { name: 'gone' }])).toEqual(['field.floor'])
    expect(await asked([])).toEqual(['password'])
    for (const name of names) await server.client.deleteCustomProfileField({ params: { name } })
  })

  test('has the look of an organization over that of an application', async () => {
    const { client } = server
    const logoUrl = 'https://logos.example/organization.svg'
    const { id: organizationId } = await client.createOrganization({
      body: { name: 'Looks', color: { primaryColor: '#0a7a3b' }, branding: { logoUrl } },
    })
    const { html, css } = (await preview({ organizationId })).body as { html: string; css: string }
    expect([css.includes('--accent:#0a7a3b'), html.includes(logoUrl)]).toEqual([true, true])
    expect(await preview({ organizationId: 'missing' })).toMatchObject({ status: 404 })
  })

  test('is the other page where the settings leave only that, and an error where they leave none', async () => {
    const page = async (settings: unknown) => (await preview({ settings })).body
    expect(await page({ signInMode: 'Register' })).toMatchObject({
      html: expect.stringContaining('autocomplete="new-password"'),
    })
    expect(await page({ signInMode: 'Register', signUp: { identifiers: [] } })).toMatchObject({
      code: 'sign_in_experiences.missing_sign_up_identifiers',
    })
  })

  test.each(['{', '[]', '{"color":{"primaryColor":"red"}}', '{"supportWebsiteUrl":"javascript:alert(1)"}'])(
    'refuses the settings %s',
    async (settings) => {
      expect(await preview({ settings })).toMatchObject({ status: 400, body: { code: 'guard.invalid_input' } })
    },
  )
})
