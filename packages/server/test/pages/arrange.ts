/** What the tests of the pages share: a tenant's look, and a walk through every page that a person can come to. */
import { SMTP } from '@countersign/contract/connectors.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { EXPERIENCE_TAG } from '@countersign/server/domain/sign-in-experience.ts'
import type { Page } from 'playwright-core'
import { configOf, startMailServer } from '../management/mail.ts'
import { begin, createApp, createUser, PASSWORD } from '../sign-in/arrange.ts'
import { ask, createDevice } from '../sign-in/device.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>'
const BRANDED = {
  color: { primaryColor: '#0f766e', darkPrimaryColor: '#5eead4', isDarkModeEnabled: true },
  branding: { logoUrl: `data:image/svg+xml,${encodeURIComponent(SVG)}` },
  termsOfUseUrl: 'https://app.example/terms',
  privacyPolicyUrl: 'https://app.example/privacy',
}

/** Sets how the pages of the default tenant look. */
export const setLook = async ({ store }: TestServer, settings: object): Promise<void> => {
  await store.database.pool.query(
    `INSERT INTO sign_in_experiences (tenant_id, settings) VALUES ('default', $1)
     ON CONFLICT (tenant_id) DO UPDATE SET settings = excluded.settings`,
    [JSON.stringify(settings)],
  )
  store.cache.drop('default', [EXPERIENCE_TAG])
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
    await visit('forgotten password')
    await page.fill('#identifier', 'no address')
    await page.click('#submit')
    await page.waitForSelector('#problem')
    await visit('forgotten password, wrong')
    await page.fill('#identifier', primaryEmail)
    await page.click('#submit')
    await page.waitForSelector('#code')
    await visit('code sent')
    await mail.got(1)
    await page.fill('#code', /\b\d{6}\b/.exec(mail.mails[0]?.text ?? '')?.[0] ?? '')
    await page.fill('#password', 'short')
    await page.click('#submit')
    await page.waitForSelector('#problem')
    await visit('new password, refused')
    await page.fill('#password', 'a wholly different phrase')
    await page.click('#submit')
    await page.waitForSelector('#notice')
    await visit('sign-in, after a new password')
    await api('DELETE', `/connectors/${connector.id}`)
  } finally {
    await mail.close()
  }
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
  await forgetPassword(server, page, visit, () => go(own))
  await go(foreign, { scope: 'openid profile email offline_access' })
  await page.fill('#identifier', username)
  await page.fill('#password', PASSWORD)
  await press('#submit', '#allow')
  await visit('consent')
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
  await page.goto(`${issuer}/auth?client_id=nobody`)
  await visit('error')
  await page.goto(`${issuer}/session/end?state=a&state=b`)
  await visit('error with a detail')
  await page.goto(`${baseUrl}/sign-in/${'a'.repeat(21)}`)
  await visit('expired')
  await setLook(server, BRANDED)
  await go(own)
  await visit('sign-in, branded')
}
