/** Accounts elsewhere on the hosted account pages: linked and removed, and as proof of users without a password (DECISIONS T15). */
import type { IdentityProvider, Person } from '@countersign/harness/identity-provider.ts'
import { type SamlAnswer, SamlIdentityProvider } from '@countersign/harness/saml-identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { connect, connectSso, newPerson, startProvider } from '../federation/arrange.ts'
import { newBrowser } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'
import { openAccountCenter } from './arrange.ts'
import { change, changeIn, confirm, enter as enterTo, pageAt } from './pages-arrange.ts'

const OTHER = 'a wholly different phrase'

let server: TestServer
let provider: IdentityProvider
let acme: string
let company: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  provider = await startProvider(server)
  acme = await connect(server, 'oidc', provider.config, { target: 'acme' })
  company = await connectSso(server, provider.config, { domains: ['company.example'] })
  await server.api('PATCH', '/sign-in-exp', {
    singleSignOnEnabled: true,
    signUp: { identifiers: [], password: false, verify: false },
  })
  await openAccountCenter(server)
})
afterAll(async () => {
  await provider.close()
  await server.close()
})

const enter = (path = '/security') => enterTo(server, path, provider.origin)
const identitiesOf = async (id: string) => (await server.api('GET', `/users/${id}`)).body.identities
const token = ({ text }: Page) => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Comes back from the provider as this person. */
const comeBack = (browser: Browser, { url }: Page, person: Person, connectorId = acme) => {
  expect(url.origin).toBe(provider.origin)
  const data = new URLSearchParams(provider.signIn(url.href, person))
  return browser.open(`${server.baseUrl}/callback/${connectorId}?${data}`)
}

/** A user who has only an account elsewhere, signed in with it. */
const enterFromElsewhere = async (person: Person, connectorId: string, path: string) => {
  const browser = newBrowser(provider.origin)
  const form = await browser.open(pageAt(server, path))
  const id = form.url.pathname.split('/').at(-1)
  const [action, fields] =
    connectorId === acme ? ['social', { connector: acme }] : ['sign-in', { identifier: String(person.email) }]
  const body = new URLSearchParams({ token: token(form), ...fields } as Record<string, string>)
  const away = await browser.open(`${server.baseUrl}/${action}/${id}`, { method: 'POST', body })
  return { browser, page: await comeBack(browser, away, person, connectorId) }
}

test('an account at a provider is linked after a proof, shown, and removed', async () => {
  const { id, browser, page } = await enter()
  const form = await change(browser, page, 'link-identity')
  expect(form.text).toContain('Link acme?')
  expect(form.headers.get('content-security-policy')).toMatch(/form-action [^;]*https:/)
  const person = newPerson({ email: 'ann@elsewhere.example' })
  const away = await browser.submit(form, {})
  expect(away.url.searchParams.get('prompt')).toBeNull()
  const linked = await comeBack(browser, away, person)
  expect([linked.url.href, linked.text.includes('ann@elsewhere.example')]).toEqual([
    pageAt(server, '/security?saved=1').href,
    true,
  ])
  expect((await identitiesOf(id)).acme).toMatchObject({ userId: person.sub })
  expect(linked.text).not.toContain('link-identity')
  // the proof was used up, and the way back is good once
  expect((await browser.open(changeIn(linked, 'remove-identity'))).url.pathname).toBe('/account/confirm')
  expect((await comeBack(browser, away, newPerson())).url.href).toBe(pageAt(server, '/security?problem=failed').href)
  const removed = await browser.submit(await change(browser, linked, 'remove-identity'), {})
  expect([removed.url.pathname, await identitiesOf(id)]).toEqual(['/account/security', {}])
})

test('R-29 the way back is good in the session that began, for the connector that was asked, and for an account that is free', async () => {
  const { id, browser, page } = await enter()
  const form = await change(browser, page, 'link-identity')
  const away = await browser.submit(form, {})
  const person = newPerson()
  const data = new URLSearchParams(provider.signIn(away.url.href, person))
  const stranger = await enter()
  const failed = pageAt(server, '/security?problem=failed').href
  expect((await stranger.browser.open(`${server.baseUrl}/callback/${acme}?${data}`)).url.href).toBe(failed)
  expect(await identitiesOf(stranger.id)).toEqual({})
  expect((await browser.open(`${server.baseUrl}/callback/${company}?${data}`)).url.href).toBe(failed)
  await server.api('PUT', `/users/${stranger.id}/identities/acme`, { userId: person.sub })
  const taken = await browser.open(`${server.baseUrl}/callback/${acme}?${data}`)
  expect(taken.text).toContain('That account belongs to another user here.')
  expect(await identitiesOf(id)).toEqual({})
  // the user says no there
  const again = await browser.submit(form, {})
  const refused = new URLSearchParams({ error: 'access_denied', state: again.url.searchParams.get('state') ?? '' })
  expect((await browser.open(`${server.baseUrl}/callback/${acme}?${refused}`)).text).toContain('role="alert"')
  // another window used the proof up meanwhile
  const last = await browser.submit(form, {})
  const password = await browser.open(changeIn(page, 'password'))
  expect((await browser.submit(password, { password: OTHER })).url.pathname).toBe('/account/security')
  const asked = await comeBack(browser, last, newPerson())
  expect([asked.url.pathname, asked.url.searchParams.get('next')]).toEqual([
    '/account/confirm',
    `link-identity:${acme}`,
  ])
  expect((await confirm(browser, asked, OTHER)).text).toContain('Link acme?')
})

test.each([
  ['at a provider', () => acme, {}, 'password', { password: OTHER }],
  // users of companies have no password here
  ['of a company', () => company, { email: 'ann@company.example' }, 'new-token', { name: 'job' }],
] as const)(
  'a user without a password proves who they are by a new sign-in with an account %s',
  async (_, connector, claims, name, fields) => {
    const [connectorId, person] = [connector(), newPerson(claims)]
    if (connectorId === acme) {
      const { body: user } = await server.api('POST', '/users', { name: 'Ann' })
      await server.api('PUT', `/users/${user.id}/identities/acme`, { userId: person.sub })
    }
    const { browser, page } = await enterFromElsewhere(person, connectorId, '/security')
    expect([page.url.pathname, page.text.includes('<h2>Linked accounts')]).toEqual(['/account/security', true])
    const asked = await browser.open(pageAt(server, `/change/${name}`))
    expect(asked.url.pathname).toBe('/account/confirm')
    const leave = (from: Page) => browser.submit(from, { way: connectorId })
    const away = await leave(asked)
    expect(Object.fromEntries(away.url.searchParams)).toMatchObject({ prompt: 'login', max_age: '0' })
    const other = await comeBack(browser, away, newPerson({ email: 'other@company.example' }), connectorId)
    expect(other.text).toContain('You signed in there with another account than the one that is linked.')
    const now = Math.floor(server.clock.now().getTime() / 1000)
    const before = await comeBack(browser, await leave(other), { ...person, auth_time: now - 300 }, connectorId)
    expect([before.url.pathname, before.url.searchParams.get('problem')]).toEqual(['/account/confirm', 'failed'])
    // it was asked for, and has to say when that was
    const silent = await comeBack(browser, await leave(before), person, connectorId)
    expect([silent.url.pathname, silent.url.searchParams.get('problem')]).toEqual(['/account/confirm', 'failed'])
    // unless the connector says that its provider never does
    const config = { ...provider.config, omitsAuthTime: true }
    const isTolerated = connectorId === company
    if (isTolerated) await server.api('PATCH', `/sso-connectors/${company}`, { config })
    const said = isTolerated ? person : { ...person, auth_time: now }
    const form = await comeBack(browser, await leave(silent), said, connectorId)
    expect(form.url.pathname).toBe(`/account/change/${name}`)
    const saved = await browser.submit(form, fields)
    expect([saved.status, saved.text.includes('id="problem"')]).toEqual([200, false])
    // of a user who has a password it is asked from now on
    const again = await browser.open(pageAt(server, `/change/${name}`))
    const hasPassword = name === 'password'
    expect([again.text.includes('name="password"'), again.text.includes(connectorId)]).toEqual([
      hasPassword,
      !hasPassword,
    ])
    expect((await leave(again)).url.origin === provider.origin).toBe(!hasPassword)
  },
)

test('an account of a company that speaks SAML is a proof by a new sign-in, whether or not the provider was asked for one', async () => {
  const idp = await new SamlIdentityProvider(() => server.clock.now()).start()
  onTestFinished(() => idp.close())
  const email = 'bea@saml.example'
  const input = { providerName: 'SAML', connectorName: 'By SAML', domains: ['saml.example'] }
  const { body: connector } = await server.api('POST', '/sso-connectors', {
    ...input,
    config: { metadata: idp.metadata },
  })
  const browser = newBrowser(idp.origin)
  const back = async ({ url }: Page, answer: SamlAnswer = {}) => {
    const request = idp.request(url.href)
    const xml = await idp.respond(request, { nameId: 'bea', attributes: { email }, ...answer })
    const body = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: request.relayState }
    return browser.open(request.acs, { method: 'POST', body: new URLSearchParams(body) })
  }
  const form = await browser.open(pageAt(server, '/security'))
  const body = new URLSearchParams({ token: token(form), identifier: email })
  expect((await back(await browser.open(form.url, { method: 'POST', body }))).url.pathname).toBe('/account/security')
  const leave = (from: Page) => browser.submit(from, { way: connector.id })
  const away = await leave(await browser.open(pageAt(server, '/change/new-token')))
  expect(idp.request(away.url.href).xml).toContain('ForceAuthn="true"')
  const earlier = new Date(server.clock.now().getTime() - 300_000).toISOString()
  const unsigned = (assertion: string) => assertion.replace(/AuthnInstant="[^"]*"/, `AuthnInstant="${earlier}"`)
  const before = await back(away, { unsigned })
  expect([before.url.pathname, before.url.searchParams.get('problem')]).toEqual(['/account/confirm', 'failed'])
  expect((await back(await leave(before))).url.pathname).toBe('/account/change/new-token')
})
