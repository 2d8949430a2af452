/** Sign-in at a provider through the hosted pages: the buttons, the way there and back, and what is said when it fails. */
import type { IdentityProvider } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { begin, createApp, newBrowser, redeem } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'
import { connect, newPerson, startProvider } from './arrange.ts'

let server: TestServer
let provider: IdentityProvider
let configuration: client.Configuration
let connectorId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  provider = await startProvider(server)
  configuration = (await createApp(server)).configuration
  connectorId = await connect(server, 'oidc', { ...provider.config, trustVerifiedAddresses: true })
  const settings = { socialSignIn: { skipRequiredIdentifiers: true } }
  expect((await server.api('PATCH', '/sign-in-exp', settings)).status).toBe(200)
})
afterAll(async () => {
  await provider.close()
  await server.close()
})

const tokenIn = ({ text }: Page) => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
const interactionIn = ({ url }: Page) => url.pathname.split('/').at(-1) ?? ''

const post = (browser: Browser, path: string, fields: Record<string, string>) =>
  browser.open(`${server.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

/** Presses the button of the provider on the sign-in page; where the browser ends. */
const press = async (browser: Browser, page: Page) => {
  expect(page.text).toContain(`formaction="/social/${interactionIn(page)}"`)
  return post(browser, `/social/${interactionIn(page)}`, { token: tokenIn(page), connector: connectorId })
}

test('a new user creates an account, and signs in with one press the next time', async () => {
  const browser = newBrowser()
  const begun = await begin(configuration)
  provider.person = newPerson({ email: 'ann@example.com', email_verified: true })
  const first = await browser.open(begun.url)
  expect(first.text).not.toContain('Last used')
  const asked = await press(browser, first)
  expect(asked.url.pathname).toMatch(/^\/social\//)
  expect(asked.text).toContain('acme')
  const back = await post(browser, asked.url.pathname, { token: tokenIn(asked) })
  const claims = (await redeem(configuration, back, begun)).claims()
  const { body: user } = await server.api('GET', `/users/${claims?.sub}`)
  expect(user).toMatchObject({ primaryEmail: 'ann@example.com', identities: { acme: { userId: provider.person.sub } } })

  const again = await begin(configuration, { prompt: 'login' })
  const second = await browser.open(again.url)
  expect(second.text).toContain('Last used')
  const end = await press(browser, second)
  expect((await redeem(configuration, end, again)).claims()).toMatchObject({ sub: claims?.sub, amr: ['fed'] })
})

test('where an identifier is required it is asked for', async () => {
  await server.api('PATCH', '/sign-in-exp', { socialSignIn: {} })
  const browser = newBrowser()
  const begun = await begin(configuration)
  provider.person = newPerson()
  const asked = await press(browser, await browser.open(begun.url))
  const missing = await post(browser, asked.url.pathname, { token: tokenIn(asked) })
  expect(missing.url.pathname).toMatch(/^\/complete-profile\//)
  const end = await post(browser, missing.url.pathname, { token: tokenIn(missing), identifier: 'ann_at_acme' })
  const claims = (await redeem(configuration, end, begun)).claims()
  expect((await server.api('GET', `/users/${claims?.sub}`)).body).toMatchObject({
    username: 'ann_at_acme',
    hasPassword: false,
  })
})

test('a provider that lies leads back to the sign-in page, which says so', async () => {
  const browser = newBrowser()
  provider.lie = 'another nonce'
  const failed = await press(browser, await browser.open((await begin(configuration)).url))
  provider.lie = undefined
  expect(failed.url.pathname).toMatch(/^\/sign-in\//)
  expect(failed.text).toContain('You could not be signed in there.')
})

test('an answer in another browser concerns nothing, and neither does a form without its token', async () => {
  const browser = newBrowser()
  const page = await browser.open((await begin(configuration)).url)
  const foreign = await newBrowser().open(
    `${server.baseUrl}/callback/${connectorId}?code=code&state=${interactionIn(page)}.another`,
  )
  expect(foreign.status).toBe(400)
  const forged = await post(browser, `/social/${interactionIn(page)}`, { connector: connectorId })
  expect(forged.url.pathname).toBe(page.url.pathname)
})
