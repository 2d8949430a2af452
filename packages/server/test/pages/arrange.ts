/** What the tests of the pages share: a tenant's look, and a walk through every page that a person can come to. */
import { SMTP } from '@countersign/contract/connector-configs.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { secondsAfter } from '@countersign/server/kernel/clock.ts'
import { newHashedOpaque } from '@countersign/server/kernel/opaque.ts'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { EVERY_FIELD } from '../account/arrange.ts'
import { codeOf } from '../factors/arrange.ts'
import { configOf, startMailServer } from '../management/mail.ts'
import { createOrganization, join, mayAsk, ORGANIZATIONS } from '../organizations/token-arrange.ts'
import { begin, CALLBACK, createApp, createUser, PASSWORD } from '../sign-in/arrange.ts'
import { ask, createDevice } from '../sign-in/device.ts'
import { walkFactors } from './factor-walk.ts'
import { setLook } from './look.ts'
import { walkLinking, walkOwnSso, walkSignOut, walkSso } from './sso-walk.ts'
import { press } from './steps.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>'
const BRANDED = {
  color: { primaryColor: '#0f766e', darkPrimaryColor: '#5eead4', isDarkModeEnabled: true },
  branding: { logoUrl: `data:image/svg+xml,${encodeURIComponent(SVG)}` },
  termsOfUseUrl: 'https://app.example/terms',
  privacyPolicyUrl: 'https://app.example/privacy',
  supportWebsiteUrl: 'https://app.example/help',
  supportEmail: 'help@app.example',
}

export type Apps = Awaited<ReturnType<typeof createApps>>

export const createApps = async (server: TestServer) => ({
  own: await createApp(server, 'SPA'),
  foreign: await createApp(server, 'SPA', { isThirdParty: true }),
  device: await createDevice(server),
})

/** The pages of a forgotten password, with a mail server that brings the code. */
const forgetPassword = async (
  { api }: TestServer,
  page: Page,
  visit: (name: string) => Promise<void>,
  begun: () => Promise<void>,
): Promise<void> => {
  const mail = await startMailServer()
  try {
    const { body: connector } = await api('POST', '/connectors', { connectorId: SMTP, config: configOf(mail) })
    const name = connector.id.slice(0, 12)
    const primaryEmail = `${name}@example.com`
    await api('POST', '/users', { username: `u_${name}`, primaryEmail, password: PASSWORD })
    await begun()
    await visit('sign-in, with a way to a new password')
    await page.click('#forgot-password')
    await page.waitForURL('**/forgot-password/**')
    await visit('forgotten password')
    await page.fill('#identifier', 'no address')
    await press(page, '#submit', '#problem', visit, 'forgotten password, wrong')
    await page.fill('#identifier', primaryEmail)
    await press(page, '#submit', '#code', visit, 'code sent')
    await mail.got(1)
    await page.fill('#code', /\b\d{6}\b/.exec(mail.mails[0]?.text ?? '')?.[0] ?? '')
    await page.fill('#password', 'short')
    await press(page, '#submit', '#problem', visit, 'new password, refused')
    await page.fill('#password', 'a wholly different phrase')
    await press(page, '#submit', '#notice', visit, 'sign-in, after a new password')
    await mail.got(2)
    const link = /http\S+\/not-me\?token=\S+/.exec(mail.mails[1]?.text ?? '')?.[0] ?? ''
    await page.goto(link)
    await visit('this was not me')
    await press(page, '#submit', '#not-me-code', visit, 'this was not me, code sent')
    await mail.got(3)
    await page.fill('#code', /\b\d{6}\b/.exec(mail.mails[2]?.text ?? '')?.[0] ?? '')
    await page.fill('#password', 'another different phrase')
    await press(page, '#submit', '#next', visit, 'this was not me, done')
    await page.goto(link)
    await visit('this was not me, used before')
    await api('DELETE', `/connectors/${connector.id}`)
  } finally {
    await mail.close()
  }
}

/** The pages of a registration whose address has to be proved. */
const proveAddress = async (
  server: TestServer,
  page: Page,
  visit: (name: string) => Promise<void>,
  begun: () => Promise<void>,
): Promise<void> => {
  const mail = await startMailServer()
  try {
    const { body: connector } = await server.api('POST', '/connectors', { connectorId: SMTP, config: configOf(mail) })
    const methods = [{ identifier: 'email', password: true, verificationCode: false, isPasswordPrimary: true }]
    await setLook(server, { signIn: { methods }, signUp: { identifiers: ['email'], password: true, verify: true } })
    await begun()
    await page.click('#register')
    await page.waitForSelector('#password-hint')
    await page.fill('#identifier', `${connector.id.slice(0, 12)}.newcomer@example.com`)
    await page.fill('#password', PASSWORD)
    await press(page, '#submit', '#code', visit, 'address to be proved')
    // another code can be requested after a minute
    server.clock.advance(60)
    await page.reload()
    await press(page, '#send-again', '#notice', visit, 'address to be proved, another code sent')
    await page.fill('#code', 'wrong')
    await press(page, '#submit', '#problem', visit, 'address to be proved, wrong')
    await mail.got(2)
    await setLook(server, {})
    await server.api('DELETE', `/connectors/${connector.id}`)
  } finally {
    await mail.close()
  }
}

/** The page of a user whose account lacks an address that sign-up requires. */
const completeAccount = async (
  server: TestServer,
  page: Page,
  visit: (name: string) => Promise<void>,
  signedIn: () => Promise<void>,
): Promise<void> => {
  const method = { password: true, verificationCode: false, isPasswordPrimary: true }
  const methods = ['username', 'email'].map((identifier) => ({ identifier, ...method }))
  await setLook(server, { signIn: { methods }, signUp: { identifiers: ['email'], password: true, verify: false } })
  await signedIn()
  await page.waitForSelector('#complete-profile')
  await visit('account to be completed')
  await page.fill('#identifier', 'no address')
  await press(page, '#submit', '#problem', visit, 'account to be completed, wrong')
  await setLook(server, {})
}

/** The user is in two organizations, and the application may ask for them. */
const askForOrganizations = async (server: TestServer, applicationId: string, username: string): Promise<void> => {
  const { body: users } = await server.api('GET', `/users?search.username=${username}`)
  for (const name of ['Our company', 'A club with a name that is long enough for two lines on a small screen'])
    await join(server, await createOrganization(server, name), users[0].id)
  await mayAsk(server, applicationId, { userScopes: [ORGANIZATIONS] })
}

const APIS = [
  ['Calendar', 'See your calendar'],
  [
    'The diary of the household, with all that belongs to it',
    'Read and change every entry of the diary that you share with the whole household, also those of others',
  ],
]

/** The indicators of two APIs that have a permission of one name, for which the application may ask. */
const askForApis = (server: TestServer, applicationId: string, username: string): Promise<string[]> =>
  Promise.all(
    APIS.map(async ([name, description], index) => {
      const indicator = `https://api.example/${username}/${index}`
      const { body: resource } = await server.api('POST', '/resources', { name, indicator })
      const { body: scope } = await server.api('POST', `/resources/${resource.id}/scopes`, {
        name: 'read',
        description,
      })
      await mayAsk(server, applicationId, { resourceScopes: [scope.id] })
      return indicator
    }),
  )

/** The pages of a link that was sent by mail, whose owner registers. */
const openLink = async (
  { api }: TestServer,
  page: Page,
  visit: (name: string) => Promise<void>,
  go: (parameters: Record<string, string>) => Promise<void>,
): Promise<void> => {
  const email = 'newcomer@a-domain-whose-name-is-longer-than-a-line-of-a-phone.example.com'
  const { body } = await api('POST', '/one-time-tokens', { email })
  await go({ one_time_token: body.token, login_hint: email })
  await visit('link')
  await press(page, '#submit', '#password', visit, 'link, registration')
  await go({ one_time_token: body.token, login_hint: email })
  await visit('link, used')
}

/** The pages of a user who has deleted their account and follows the link of the message. */
const keepAccount = async (
  { store, clock, baseUrl }: TestServer,
  page: Page,
  visit: (name: string) => Promise<void>,
  username: string,
): Promise<void> => {
  const { value, hash } = newHashedOpaque('accountDeletion')
  await sql`
    INSERT INTO account_deletions (tenant_id, user_id, secret_hash, requested_at, due_at)
    SELECT tenant_id, id, ${hash}, ${clock.now()}, ${secondsAfter(clock.now(), 86_400)}
    FROM users WHERE username = ${username}`.execute(store.database.kysely)
  await page.goto(`${baseUrl}/account/keep?token=${value}`)
  await visit('account to be deleted')
  await press(page, '#keep', '.done', visit, 'account kept')
}

/** The account pages, and one change of each kind up to its last step. */
const visitAccount = async (
  server: TestServer,
  page: Page,
  visit: (name: string) => Promise<void>,
  appId: string,
): Promise<void> => {
  const { id, username } = await createUser(server)
  const at = (path: string) => page.goto(`${server.baseUrl}/account/${path}`)
  await at('profile')
  await visit('account pages, off')
  await server.api('PATCH', '/account-center', { enabled: true, fields: EVERY_FIELD })
  await server.api('PATCH', '/sign-in-exp', {
    mfa: { factors: ['Totp', 'WebAuthn', 'BackupCode'], policy: 'NoPrompt' },
  })
  await page.context().clearCookies()
  await at(`profile?client_id=${appId}`)
  await page.fill('#identifier', username)
  await page.fill('#password', PASSWORD)
  await press(page, '#submit', '#to-security', visit, 'account, profile')
  await at('picture')
  await visit('account, picture')
  for (const section of ['security', 'sessions', 'activity', 'applications', 'organizations', 'tokens', 'data']) {
    await page.click(`#to-${section}`)
    await page.waitForURL(`**/account/${section}`)
    await visit(`account, ${section}`)
  }
  await at('change/password')
  await visit('account, confirmation')
  await page.fill('#password', 'wrong')
  await press(page, '#submit', '#problem', visit, 'account, confirmation refused')
  await page.fill('#password', PASSWORD)
  await press(page, '#submit', '#password-hint', visit, 'account, new password')
  await walkOwnSso(server, id, visit, at)
  for (const change of ['username', 'email', 'end-others', 'passkey', 'new-token', 'delete-account', 'totp']) {
    await at(`change/${change}`)
    await page.waitForSelector('#cancel')
    await visit(`account, change: ${change}`)
  }
  const secret = (await page.textContent('#key'))?.replaceAll(' ', '') ?? ''
  await page.fill('#code', codeOf(server, secret))
  await press(page, '#submit', '#notice', visit, 'account, saved')
  await server.api('PATCH', '/account-center', { enabled: false })
  await setLook(server, {})
  await page.context().clearCookies()
}

/** Goes from page to page as a person would, and calls for each once it is there. */
export const walk = async (
  server: TestServer,
  { own, foreign, device }: Apps,
  page: Page,
  visit: (name: string) => Promise<void>,
): Promise<void> => {
  const { baseUrl, issuer } = server
  const { username } = await createUser(server)
  const go = async (app: typeof own, parameters: Record<string, string> = {}) => {
    await page.goto((await begin(app.configuration, parameters)).url.href)
  }
  const press = async (button: string, next: string) => {
    await page.click(button)
    await page.waitForSelector(next)
  }
  await setLook(server, {})
  await go(own)
  await visit('sign-in')
  await page.fill('#identifier', username)
  await page.fill('#password', 'not the password')
  await press('#submit', '#problem')
  await visit('sign-in, wrong')
  await press('#register', '#password-hint')
  await visit('register')
  await page.fill('#identifier', username)
  await page.fill('#password', PASSWORD)
  await press('#submit', '#problem')
  await visit('register, taken')
  await completeAccount(server, page, visit, async () => {
    await go(own)
    await page.fill('#identifier', username)
    await page.fill('#password', PASSWORD)
    await page.click('#submit')
  })
  await forgetPassword(server, page, visit, () => go(own))
  await openLink(server, page, visit, (parameters) => go(own, parameters))
  await proveAddress(server, page, visit, () => go(own))
  await walkFactors(server, page, visit, () => go(own))
  await walkSso(server, page, visit, (parameters) => go(own, parameters))
  await walkLinking(server, own.configuration, page, visit)
  await go(foreign, { scope: 'openid profile email offline_access' })
  await page.fill('#identifier', username)
  await page.fill('#password', PASSWORD)
  await press('#submit', '#allow')
  await visit('consent')
  await askForOrganizations(server, foreign.id, username)
  await go(foreign, { scope: `openid ${ORGANIZATIONS}`, prompt: 'consent' })
  await page.waitForSelector('#organizations')
  await visit('consent, with organizations')
  const { url: ofApis } = await begin(foreign.configuration, { scope: 'openid read' })
  // of the last one it may ask for nothing
  for (const indicator of [...(await askForApis(server, foreign.id, username)), `${baseUrl}/api`])
    ofApis.searchParams.append('resource', indicator)
  await page.goto(ofApis.href)
  await page.waitForSelector('.api')
  await visit('consent, API by API')
  await go(own, { prompt: 'select_account' })
  await visit('account chooser')
  await page.goto(`${baseUrl}/device`)
  await visit('device code')
  await page.fill('#user_code', 'wrong')
  await press('#submit', '#problem')
  await visit('device code, wrong')
  const { body: codes } = await ask(server, device.id, { scope: 'openid profile offline_access' })
  await page.goto(codes.verification_uri_complete)
  await press('#submit', '#user-code')
  await visit('device confirmation')
  await press('#allow', '.done')
  await visit('device done')
  await page.goto(`${baseUrl}/device/denied`)
  await visit('device denied')
  await page.goto(`${issuer}/session/end`)
  await visit('sign-out')
  await press('#confirm', '.done')
  await visit('signed out')
  await keepAccount(server, page, visit, username)
  await visitAccount(server, page, visit, own.id)
  await page.goto(`${issuer}/auth?client_id=nobody`)
  await visit('error')
  await page.goto((await begin(own.configuration, { redirect_uri: `${CALLBACK}/nowhere` })).url.href)
  await visit('error for developers')
  await page.goto(`${baseUrl}/nothing`)
  await visit('not found')
  await page.goto(`${baseUrl}/api/saml/nothing/authn`)
  await visit('unknown SAML application')
  await walkSignOut(server, page, visit)
  await page.goto(`${issuer}/session/end?state=a&state=b`)
  await visit('error with a detail')
  await page.goto(`${baseUrl}/sign-in/${'a'.repeat(21)}`)
  await visit('expired')
  await setLook(server, BRANDED)
  await go(own)
  await visit('sign-in, branded')
}
