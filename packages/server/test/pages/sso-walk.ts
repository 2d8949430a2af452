/** The walk through the pages of single sign-on and of accounts at providers that are this server's own, as a user reaches them. */
import type { TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import type { Page } from 'playwright-core'
import { connect, connectSso, newPerson, startProvider } from '../federation/arrange.ts'
import { begin, createUser, newBrowser } from '../sign-in/arrange.ts'
import { setLook } from './look.ts'

const COMPANIES = ['Acme', 'The subsidiary of Acme for everything that is longer than a line of a phone']

export const walkSso = async (
  server: TestServer,
  page: Page,
  visit: (name: string) => Promise<void>,
  go: () => Promise<void>,
): Promise<void> => {
  // a provider that cannot be reached
  const config = { issuer: `${server.baseUrl}/nothing`, clientId: 'client', clientSecret: 'secret' }
  const connect = (displayName: string) =>
    connectSso(server, config, { domains: ['acme.example'], branding: { displayName } })
  const ids = [await connect(COMPANIES[0] ?? ''), await connect(COMPANIES[1] ?? '')]
  const methods = ['username', 'email'].map((identifier) => ({
    ...{ identifier, password: true, verificationCode: false, isPasswordPrimary: true },
  }))
  await setLook(server, { singleSignOnEnabled: true, signIn: { methods } })
  await go()
  await page.waitForSelector('#use-sso')
  await visit('sign-in, with companies')
  await page.fill('#identifier', 'ann@elsewhere.example')
  await page.click('#use-sso')
  await page.waitForSelector('#problem')
  await visit('sign-in, no company has the address')
  await page.fill('#identifier', 'ann@acme.example')
  await page.click('#use-sso')
  await page.waitForSelector('#sso')
  await visit('choice of a company')
  await page.click(`#sso-${ids[1]}`)
  await page.waitForSelector('#problem')
  await visit('sign-in, the company cannot be reached')
  for (const id of ids) await server.api('DELETE', `/sso-connectors/${id}`)
  await setLook(server, {})
}

/** The page where a user decides what an account at a provider belongs to, whose address an account here has. */
export const walkLinking = async (
  server: TestServer,
  configuration: client.Configuration,
  page: Page,
  visit: (name: string) => Promise<void>,
): Promise<void> => {
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
  await visit('account to be linked')
  await page.fill('#password', 'not the password')
  await page.click('#submit')
  await page.waitForSelector('#problem')
  await visit('account to be linked, wrong')
  await page.click('#create')
  await page.waitForURL('**/social/**?new')
  await visit('new account instead')
  await provider.close()
  await server.api('DELETE', `/connectors/${connectorId}`)
  await setLook(server, {})
}
