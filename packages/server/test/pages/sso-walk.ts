/** The walk through the pages of single sign-on, of accounts at providers and of sign-out from SAML applications, as a user reaches them. */
import type { TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import type { Page } from 'playwright-core'
import { allowInOrganization, connect, connectSso, newPerson, startProvider } from '../federation/arrange.ts'
import {
  authnRequest,
  createSamlApp,
  newKey,
  newBrowser as newSamlBrowser,
  redirectOf,
  signInAt,
} from '../saml/arrange.ts'
import { begin, createUser, newBrowser } from '../sign-in/arrange.ts'
import { setLook } from './look.ts'
import { press } from './steps.ts'

const COMPANIES = ['Acme', 'The subsidiary of Acme for everything that is longer than a line of a phone']

/** Two companies with one domain, whose providers cannot be reached, and an organization that admits the users of both. */
export const connectCompanies = async (server: TestServer) => {
  const config = { issuer: `${server.baseUrl}/nothing`, clientId: 'client', clientSecret: 'secret' }
  const connect = (displayName: string) =>
    connectSso(server, config, { domains: ['acme.example'], branding: { displayName } })
  const ids = [await connect(COMPANIES[0] ?? ''), await connect(COMPANIES[1] ?? '')]
  const { body: organization } = await server.api('POST', '/organizations', {
    ...{ name: 'Acme', color: { primaryColor: '#7a1f5c', darkPrimaryColor: '#f0a6d8' } },
  })
  await server.api('POST', `/organizations/${organization.id}/jit/sso-connectors`, { ssoConnectorIds: ids })
  const methods = ['username', 'email'].map((identifier) => ({
    ...{ identifier, password: true, verificationCode: false, isPasswordPrimary: true },
  }))
  await setLook(server, { singleSignOnEnabled: true, signIn: { methods } })
  const remove = async () => {
    for (const id of ids) await server.api('DELETE', `/sso-connectors/${id}`)
    await server.api('DELETE', `/organizations/${organization.id}`)
    await setLook(server, {})
  }
  return { ids, organizationId: organization.id as string, remove }
}

export const walkSso = async (
  server: TestServer,
  page: Page,
  visit: (name: string) => Promise<void>,
  go: (parameters?: Record<string, string>) => Promise<void>,
): Promise<void> => {
  const { ids, organizationId, remove } = await connectCompanies(server)
  await go({ organization_id: organizationId })
  await page.waitForSelector(`#sso-${ids[0]}`)
  await visit('sign-in, with the companies of an organization')
  await go()
  await page.waitForSelector('#use-sso')
  await visit('sign-in, with companies')
  await page.fill('#identifier', 'ann@elsewhere.example')
  await press(page, '#use-sso', '#problem', visit, 'sign-in, no company has the address')
  await page.fill('#identifier', 'ann@acme.example')
  await press(page, '#use-sso', '#sso', visit, 'choice of a company')
  await press(page, `#sso-${ids[1]}`, '#problem', visit, 'sign-in, the company cannot be reached')
  await remove()
}

/** Opens the page where a user decides what an account at a provider belongs to, whose address an account here has. */
export const openLinking = async (server: TestServer, configuration: client.Configuration, page: Page) => {
  const methods = [{ identifier: 'email', password: true, verificationCode: false, isPasswordPrimary: true }]
  const socialSignIn = { skipRequiredIdentifiers: true }
  await setLook(server, { signIn: { methods }, socialSignIn, socialSignInConnectorTargets: ['acme'] })
  const provider = await startProvider(server)
  const connectorId = await connect(
    server,
    'oidc',
    { ...provider.config, trustVerifiedAddresses: true },
    { isOffered: false },
  )
  const { id, username } = await createUser(server)
  const email = `${username}@a-domain-whose-name-is-longer-than-a-line-of-a-phone.example.com`
  await server.api('PATCH', `/users/${id}`, { primaryEmail: email })
  provider.person = newPerson({ email, email_verified: true })
  // to the provider and back in a browser whose requests the walk does not see
  const browser = newBrowser()
  const first = await browser.open((await begin(configuration)).url)
  const token = /name="token" value="([^"]+)"/.exec(first.text)?.[1] ?? ''
  const { url } = await browser.open(first.url.href.replace('/sign-in/', '/social/'), {
    method: 'POST',
    body: new URLSearchParams({ token, connector: connectorId }),
  })
  const value = browser.cookie('countersign-browser') ?? ''
  await page.context().addCookies([{ name: 'countersign-browser', value, url: server.baseUrl }])
  await page.goto(url.href)
  await page.waitForSelector('#create')
  return async () => {
    await provider.close()
    await server.api('DELETE', `/connectors/${connectorId}`)
    await setLook(server, {})
  }
}

export const walkLinking = async (
  server: TestServer,
  configuration: client.Configuration,
  page: Page,
  visit: (name: string) => Promise<void>,
): Promise<void> => {
  const remove = await openLinking(server, configuration, page)
  await visit('account to be linked')
  await page.fill('#password', 'not the password')
  await press(page, '#submit', '#problem', visit, 'account to be linked, wrong')
  await page.click('#create')
  await page.waitForURL('**/social/**?new')
  await visit('new account instead')
  await remove()
}

/** Opens the page of a user who signs out and has come back from an application that did not answer. Returns the id of the application. */
export const leaveUnanswered = async (server: TestServer, page: Page): Promise<string> => {
  const { certificate } = await newKey()
  const binding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
  const { id } = await createSamlApp(server, {
    name: 'The calendar of the whole company and of all its subsidiaries',
    requestCertificates: [certificate],
    singleLogout: { url: 'https://sp.example/slo', binding },
  })
  const { username } = await createUser(server)
  // to the application in a browser whose requests the walk does not see
  const browser = newSamlBrowser()
  await signInAt(browser, redirectOf(server, id, authnRequest(server, id)), username)
  await browser.submit(await browser.open(`${server.issuer}/session/end`), { confirm: 'yes' })
  const value = browser.cookie('countersign-saml-logout') ?? ''
  await page.context().addCookies([{ name: 'countersign-saml-logout', value, url: server.baseUrl }])
  await page.goto(`${server.baseUrl}/api/saml/sign-out`)
  await page.waitForSelector('#again')
  return id
}

export const walkSignOut = async (
  server: TestServer,
  page: Page,
  visit: (name: string) => Promise<void>,
): Promise<void> => {
  const id = await leaveUnanswered(server, page)
  await visit('sign-out, an application has not answered')
  await page.goto(`${server.baseUrl}/api/saml/${id}/slo?SAMLResponse=x`)
  await page.waitForSelector('#onward')
  await visit('sign-out, the answer of an application is refused')
  await page.click('#onward')
  await page.waitForSelector('#continue')
  await page.click('#continue')
  await page.waitForSelector('.done')
}

/** The account pages of an organization's own single sign-on, of a member who has proved who they are. */
export const walkOwnSso = async (
  server: TestServer,
  userId: string,
  visit: (name: string) => Promise<void>,
  at: (path: string) => Promise<unknown>,
): Promise<void> => {
  const { body: organization } = await server.api('POST', '/organizations', { name: 'Acme' })
  const path = `/organizations/${organization.id}/domains`
  const long = 'a-subsidiary-whose-name-is-longer-than-a-line-of-a-phone.acme.example'
  await server.api('POST', path, { domain: long })
  await server.api('POST', path, { domain: 'own.example', isVerified: true })
  await allowInOrganization(server, organization.id, userId, 'manage:sso')
  const { certificate } = await newKey()
  const config = {
    entityId: 'https://idp.example',
    signInEndpoint: 'https://idp.example/sso',
    x509Certificate: certificate,
  }
  const more = { providerName: 'SAML', organizationId: organization.id, domains: ['own.example'] }
  const id = await connectSso(server, config, more)
  await server.api('POST', `/sso-connectors/${id}/signing-keys`, { active: true })
  await at(`single-sign-on?id=${organization.id}`)
  await visit('account, single sign-on')
  await at(`organization-domain?id=${organization.id}.${long}`)
  await visit('account, domain of an organization')
  await at(`identity-provider?id=${organization.id}.${id}`)
  await visit('account, identity provider')
  await at(`change/identity-provider?id=${organization.id}.${id}`)
  await visit('account, settings of an identity provider')
  await server.api('DELETE', `/organizations/${organization.id}`)
}
