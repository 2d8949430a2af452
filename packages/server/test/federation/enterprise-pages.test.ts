/** Enterprise SSO through the hosted pages: the address decides, there and back, and what is said when it fails. */
import type { IdentityProvider, Lie } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { begin, createApp, newBrowser, PASSWORD, redeem } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'
import { connectSso, heldTimes, newPerson, startProvider } from './arrange.ts'

let server: TestServer
let provider: IdentityProvider
let configuration: client.Configuration
let acme: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  provider = await startProvider(server)
  configuration = (await createApp(server)).configuration
  acme = await connectSso(server, provider.config, { domains: ['acme.example', 'shared.example'] })
  await settings({ singleSignOnEnabled: true })
})
beforeEach(() => {
  provider.lie = undefined
})
afterAll(async () => {
  await provider.close()
  await server.close()
})

const settings = async (change: object) => expect((await server.api('PATCH', '/sign-in-exp', change)).status).toBe(200)
const tokenIn = ({ text }: Page) => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
const post = (browser: Browser, page: Page, fields: Record<string, string>) =>
  browser.open(`${server.baseUrl}${page.url.pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: tokenIn(page), ...fields }).toString(),
  })
const opened = async (more: Record<string, string> = {}) => {
  const browser = newBrowser()
  const begun = await begin(configuration, more)
  return { browser, begun, page: await browser.open(begun.url) }
}
/** What was sent to the provider last. */
const asked = () => provider.asked.filter((each) => each.includes('/authorize')).length

test('an address of the company leads to its provider and back to the application, without a page on the way', async () => {
  const { browser, begun, page } = await opened()
  expect(page.text).toContain('id="use-sso"')
  expect(page.text).not.toMatch(/id="password"[^>]* required/)
  provider.person = newPerson({ name: 'Ann', email: 'ann@acme.example' })
  const end = await post(browser, page, { identifier: 'Ann@ACME.example' })
  const claims = (await redeem(configuration, end, begun)).claims()
  expect(claims).toMatchObject({ amr: ['fed'] })
  const { body: user } = await server.api('GET', `/users/${claims?.sub}`)
  expect(user).toMatchObject({ name: 'Ann', primaryEmail: 'ann@acme.example', hasPassword: false })
})

test('a new user has everything at once, or, where the connection to the database breaks, nothing', async () => {
  const { pool } = server.store.database
  const email = 'halfway@acme.example'
  const stored = async () => {
    const { rows } = await pool.query(
      `SELECT (SELECT count(*)::int FROM users WHERE email_key = $1) AS users,
        (SELECT count(*)::int FROM user_sso_identities WHERE identity_id = $2) AS identities,
        (SELECT state->'draft'->>'interactionEvent' FROM interactions WHERE id = $3) AS event`,
      [email, provider.person.sub, page.url.pathname.split('/').at(-1)],
    )
    return rows[0]
  }
  const { browser, begun, page } = await opened()
  provider.person = newPerson({ email })
  // the session is written after the account
  await pool.query(`
    CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(0); RETURN NULL; END $$;
    CREATE TRIGGER break_off BEFORE INSERT ON sessions EXECUTE FUNCTION break_off()`)
  const failed = await post(browser, page, { identifier: email })
  await pool.query('DROP FUNCTION break_off CASCADE')
  expect(failed.status).toBeGreaterThanOrEqual(500)
  expect(await stored()).toEqual({ users: 0, identities: 0, event: 'SignIn' })
  const end = await post(browser, page, { identifier: email })
  expect((await redeem(configuration, end, begun)).claims()?.amr).toEqual(['fed'])
  expect(await stored()).toEqual({ users: 1, identities: 1, event: null })
})

test('so does the button; and a password beside the address, or a wrong one, is not looked at', async () => {
  for (const fields of [{ action: 'sso' }, { password: PASSWORD }] as Record<string, string>[]) {
    const { browser, begun, page } = await opened()
    provider.person = newPerson({ email: `bob-${Object.keys(fields)}@acme.example` })
    const end = await post(browser, page, { identifier: 'bob@acme.example', ...fields })
    expect((await redeem(configuration, end, begun)).claims()?.amr).toEqual(['fed'])
  }
})

test.each<[string, () => Record<string, string>]>([
  ['direct_sign_in', () => ({ direct_sign_in: `sso:${acme}` })],
  ['login_hint with its address', () => ({ login_hint: 'straight@acme.example' })],
  ['both, and the address is not one of a company', () => ({ direct_sign_in: `sso:${acme}`, login_hint: 'ann' })],
])('an application leads straight to the provider by %s', async (_, parameters) => {
  provider.person = newPerson({ email: 'straight@acme.example', email_verified: false })
  const { page, begun } = await opened(parameters())
  expect((await redeem(configuration, page, begun)).claims()?.amr).toEqual(['fed'])
})

test('it leads to the sign-in page where none or several are meant, and once the provider has failed', async () => {
  const incomplete = await connectSso(server, {}, { domains: ['incomplete.example'] })
  const second = await connectSso(server, provider.config, { domains: ['shared.example'] })
  const before = asked()
  const requests: Record<string, string>[] = [
    { direct_sign_in: `sso:${'0'.repeat(21)}` },
    { direct_sign_in: `sso:${incomplete}` },
    { direct_sign_in: "sso:'" },
    { direct_sign_in: 'acme' },
    { login_hint: 'ann@shared.example' },
    { login_hint: 'ann@incomplete.example' },
  ]
  for (const more of requests) {
    const { page } = await opened(more)
    expect([page.status, page.url.pathname, page.url.search]).toEqual([200, expect.stringMatching(/^\/sign-in\//), ''])
  }
  const first = await opened({ direct_sign_in: 'sso:unknown', first_screen: 'register' })
  expect(first.page.url.pathname).toMatch(/^\/register\//)
  expect(asked()).toBe(before)
  await server.api('DELETE', `/sso-connectors/${second}`)
  await server.api('DELETE', `/sso-connectors/${incomplete}`)

  provider.lie = '500 at the token endpoint'
  const { browser, page } = await opened({ direct_sign_in: `sso:${acme}` })
  expect(page.url.pathname).toMatch(/^\/sign-in\//)
  expect(page.text).toContain('You could not be signed in there.')
  const resumed = await browser.open(`${server.issuer}/auth/${page.url.pathname.split('/').at(-1)}`)
  expect(resumed.url.pathname).toBe(page.url.pathname)
})

test('the button says that an address belongs to no company', async () => {
  const { browser, page } = await opened()
  const before = asked()
  for (const identifier of ['ann@others.example', 'ann', ''])
    expect((await post(browser, page, { identifier, action: 'sso' })).text).toContain('No company sign-in belongs')
  const plain = await post(browser, page, { identifier: 'ann@others.example' })
  expect([plain.status, asked()]).toEqual([422, before])
})

test('of several connectors with the domain the user chooses one', async () => {
  const branding = { displayName: 'The other <company>', logo: 'https://cdn.example/other.svg' }
  // more connectors than are listed for pages of one's own
  await server.store.database.pool.query(
    `INSERT INTO sso_connectors (tenant_id, id, provider_name, connector_name, sealed_config, is_complete, branding, created_at)
     SELECT 'default', 'of-others-' || i, 'OIDC', 'A company ' || i, '', true, '{}', now() FROM generate_series(1, 100) i`,
  )
  const other = await connectSso(server, provider.config, { domains: ['shared.example'], branding })
  const { browser, begun, page } = await opened()
  const choice = await post(browser, page, { identifier: 'ann@shared.example' })
  expect(choice.text).toContain('Continue with The other &lt;company&gt;')
  expect(choice.text).toContain(`value="${acme}"`)
  expect(choice.text).toContain('src="https://cdn.example/other.svg"')
  expect(choice.headers.get('content-security-policy')).toContain("img-src 'self' data: https://cdn.example;")
  provider.person = newPerson()
  const at = { ...choice, url: new URL(`${server.baseUrl}/sso/${page.url.pathname.split('/').at(-1)}`) }
  const end = await post(browser, at, { connector: other, identifier: 'ann@shared.example' })
  const { sub } = (await redeem(configuration, end, begun)).claims() ?? {}
  const { rows } = await server.store.database.pool.query(
    'SELECT connector_id FROM user_sso_identities WHERE user_id = $1',
    [sub],
  )
  expect(rows).toEqual([{ connector_id: other }])
  const stale = await browser.open(`${server.baseUrl}/sso/no-interaction`)
  expect(stale.status).toBe(400)
  await server.store.database.pool.query(`DELETE FROM sso_connectors WHERE id LIKE 'of-others-%'`)
  await server.api('DELETE', `/sso-connectors/${other}`)
})

test('a request that names an organization has pages in its colours, with a button for each connector that it admits', async () => {
  const look = { color: { primaryColor: '#123456' }, branding: { logoUrl: 'https://hooli.example/logo.png' } }
  const { body: organization } = await server.api('POST', '/organizations', { name: 'Hooli', ...look })
  const branding = { displayName: 'Hooli ID', logo: 'https://cdn.example/hooli.svg' }
  const own = await connectSso(server, provider.config, { branding })
  await server.api('POST', `/organizations/${organization.id}/jit/sso-connectors`, { ssoConnectorIds: [own] })
  const shown = ({ text }: Page) => ['#123456', look.branding.logoUrl, 'Hooli ID'].map((each) => text.includes(each))
  for (const organization_id of ['', 'none', "' OR true --"])
    expect(shown((await opened({ organization_id })).page)).toEqual([false, false, false])
  const { browser, begun, page } = await opened({ organization_id: organization.id })
  expect(shown(page)).toEqual([true, true, true])
  const policy = page.headers.get('content-security-policy')
  expect(policy).toMatch(/img-src [^;]*https:\/\/hooli\.example[^;]*;/)
  expect(policy).toMatch(/img-src [^;]*https:\/\/cdn\.example[^;]*;/)
  provider.person = newPerson()
  const { sub } =
    (await redeem(configuration, await post(browser, page, { action: `sso:${own}` }), begun)).claims() ?? {}
  const { body: members } = await server.api('GET', `/organizations/${organization.id}/users`)
  expect(members.map(({ id }: { id: string }) => id)).toEqual([sub])
  const answer = await fetch(`${server.baseUrl}/api/.well-known/sign-in-exp?organizationId=${organization.id}`)
  expect(await answer.json()).toMatchObject(look)
  await server.api('DELETE', `/sso-connectors/${own}`)
})

test('terms are agreed to before a new user of a company has an account', async () => {
  await settings({ agreeToTermsPolicy: 'Manual', termsOfUseUrl: 'https://terms.example' })
  expect((await opened({ direct_sign_in: `sso:${acme}` })).page.url.pathname).toMatch(/^\/sign-in\//)
  await settings({ agreeToTermsPolicy: 'ManualRegistrationOnly', termsOfUseUrl: 'https://terms.example' })
  const { browser, begun, page } = await opened()
  provider.person = newPerson()
  const terms = await post(browser, page, { identifier: 'ann@acme.example' })
  expect(terms.url.pathname).toMatch(/^\/social\//)
  expect((await post(browser, terms, {})).status).toBe(422)
  const end = await post(browser, terms, { agreed: 'yes', terms: 'yes', agree: 'on' })
  expect((await redeem(configuration, end, begun)).claims()?.amr).toEqual(['fed'])
  await settings({ agreeToTermsPolicy: 'Automatic', termsOfUseUrl: '' })
})

test.each<Lie>([
  'another nonce',
  'alg none',
  'iss of another issuer in the response',
  '500 at the token endpoint',
  'HTML at the token endpoint',
  '10 MB at the token endpoint',
  'a key that is not its own',
  'an expired ID token',
  'an ID token from the future',
])('R-29 %s: the sign-in page says so, the audit log has why, and nobody is signed in', async (lie) => {
  const { browser, page } = await opened()
  const failures = async (): Promise<number> => {
    const { rows } = await server.store.database.pool.query(
      `SELECT count(*)::int AS entries FROM audit_log WHERE payload @> $1`,
      [{ result: 'Error', connectorId: acme }],
    )
    return rows[0].entries
  }
  const before = await failures()
  provider.lie = lie
  const failed = await post(browser, page, { identifier: 'ann@acme.example' })
  expect(failed.url.pathname).toMatch(/^\/sign-in\//)
  expect(failed.text).toContain('You could not be signed in there.')
  expect(browser.cookie('countersign-session')).toBeUndefined()
  await expect.poll(failures).toBeGreaterThan(before)
})

test('R-29 keys that were rotated are asked for again; a provider without metadata is said to have failed', async () => {
  provider.rotateKeys()
  provider.person = newPerson()
  const { begun, page } = await opened({ direct_sign_in: `sso:${acme}` })
  expect((await redeem(configuration, page, begun)).claims()?.amr).toEqual(['fed'])
  const broken = await startProvider(server)
  broken.lie = '500 at discovery'
  const connectorId = await connectSso(server, broken.config)
  const { browser, page: failed } = await opened({ direct_sign_in: `sso:${connectorId}` })
  expect(failed.text).toContain('You could not be signed in there.')
  expect(browser.cookie('countersign-session')).toBeUndefined()
  const { rows } = await server.store.database.pool.query('SELECT payload FROM audit_log WHERE payload @> $1', [
    { result: 'Error', connectorId, kind: 'provider' },
  ])
  expect(rows).toHaveLength(1)
  await broken.close()
  await server.api('DELETE', `/sso-connectors/${connectorId}`)
})

test('R-29 a provider that never ends its answer: the sign-in page says so after ten seconds', async () => {
  const { browser, page } = await opened()
  const times = heldTimes()
  provider.lie = 'an open connection at the token endpoint'
  provider.asked.length = 0
  const waiting = post(browser, page, { identifier: 'ann@acme.example' })
  await expect.poll(() => provider.asked, { timeout: 60_000, interval: 10 }).toContain('POST /token')
  times.end()
  expect((await waiting).text).toContain('You could not be signed in there.')
  times.restore()
  expect(browser.cookie('countersign-session')).toBeUndefined()
})

test('an address that a user has who must not be taken for the same person is explained', async () => {
  await server.api('POST', '/users', { primaryEmail: 'unproved@acme.example' })
  const { browser, page } = await opened()
  provider.person = newPerson({ email: 'unproved@acme.example' })
  const refused = await post(browser, page, { identifier: 'unproved@acme.example' })
  expect(refused.text).toContain('There is already an account with your address.')
})

test('R-29 an answer in another browser, at another connector or a second time signs no one in', async () => {
  const { browser, page } = await opened()
  const other = await connectSso(server, provider.config, {})
  provider.person = newPerson()
  const interactionId = page.url.pathname.split('/').at(-1)
  const redirectUri = `${server.baseUrl}/callback/${acme}`
  await browser.open(`${server.baseUrl}/api/experience`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ interactionEvent: 'SignIn' }),
  })
  const { text } = await browser.open(`${server.baseUrl}/api/experience/verification/sso/${acme}/authorization-uri`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ state: `${interactionId}.of-this-browser`, redirectUri }),
  })
  const query = new URLSearchParams(provider.signIn(JSON.parse(text).authorizationUri, provider.person))
  const foreign = await newBrowser().open(`${redirectUri}?${query}`)
  expect([foreign.status, foreign.text]).toEqual([400, expect.not.stringContaining('code=')])
  const elsewhere = await browser.open(`${server.baseUrl}/callback/${other}?${query}`)
  expect(elsewhere.text).toContain('You could not be signed in there.')
  expect(browser.cookie('countersign-session')).toBeUndefined()
  await browser.open(`${redirectUri}?${query}`)
  expect(browser.cookie('countersign-session')).toBeDefined()
  const again = newBrowser()
  expect((await again.open(`${redirectUri}?${query}`)).status).toBe(400)
})
