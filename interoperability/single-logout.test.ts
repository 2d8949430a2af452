/** SAML connectors with Keycloak and SimpleSAMLphp as identity providers: signed requests, encrypted assertions, single logout from both sides. */
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { newCertifiedKey } from '@countersign/server/kernel/certificates.ts'
import { systemClock } from '@countersign/server/kernel/clock.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { begin, createApp, redeem } from '../packages/server/test/sign-in/arrange.ts'
import { Browser, type Page } from '../packages/server/test/sign-in/browser.ts'
import { startKeycloak } from './keycloak.ts'
import { startIdentityProvider } from './simplesamlphp.ts'

const BYE = 'https://app.example/bye'
const userAt = (domain: string) => ({ username: 'ann', password: 'correct horse battery', email: `ann@${domain}` })

let server: TestServer
let configuration: client.Configuration
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'countersign-interoperability-'))
  server = await startTestServer(inject('cluster'))
  configuration = (await createApp(server)).configuration
  expect((await server.api('PATCH', '/sign-in-exp', { singleSignOnEnabled: true })).status).toBe(200)
})
afterAll(async () => {
  await server?.close()
  await rm(directory, { recursive: true, force: true })
})

/** The identity providers read the clock of the machine, and that of the server stands still. */
const setClock = (): void => {
  const behind = Math.floor((systemClock.now().getTime() - server.clock.now().getTime()) / 1000)
  if (behind > 0) server.clock.advance(behind)
}

const decoded = (text = '') =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#43;', '+')
    .replaceAll('&#61;', '=')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The first form of a page, with what it hides. */
const formOf = ({ text, url }: Page) => {
  const attribute = (tag: string, name: string) => decoded(new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1])
  const [, tag = '', inside = ''] = /<form([^>]*)>(.*?)<\/form>/is.exec(text) ?? []
  const hidden = [...inside.matchAll(/<input[^>]*type="hidden"[^>]*>/gi)].map(([input]) => [
    attribute(input, 'name'),
    attribute(input, 'value'),
  ])
  return {
    action: new URL(attribute(tag, 'action'), url),
    fields: Object.fromEntries(hidden) as Record<string, string>,
  }
}
const submit = (browser: Browser, page: Page, more: Record<string, string> = {}): Promise<Page> => {
  setClock()
  const { action, fields } = formOf(page)
  return browser.open(action, { method: 'POST', body: new URLSearchParams({ ...fields, ...more }) })
}
/** The responses that were posted, as XML. */
const responses: string[] = []

/** Posts what pages post by themselves, until one does not. */
const onward = async (browser: Browser, first: Page): Promise<Page> => {
  let page = first
  while (/name="SAML(Request|Response)"/i.test(page.text)) {
    const { SAMLResponse } = formOf(page).fields
    if (SAMLResponse !== undefined) responses.push(Buffer.from(SAMLResponse, 'base64').toString())
    page = await submit(browser, page)
  }
  return page
}

/** A connector with an active key, as the identity provider has to know it. */
const connect = async (metadataUrl: string, domain: string) => {
  const config = { metadataUrl, signOutAtProvider: true }
  const input = { providerName: 'SAML', connectorName: domain, config, domains: [domain] }
  const { body } = await server.api('POST', '/sso-connectors', input)
  expect(body.isComplete).toBe(true)
  const { body: key } = await server.api('POST', `/sso-connectors/${body.id}/signing-keys`, { active: true })
  const entityId = `${server.baseUrl}/enterprise-sso/${body.id}`
  const acsUrl = `${server.baseUrl}/api/authn/single-sign-on/saml/${body.id}`
  const certificate = key.certificate.replace(/-----[^-]+-----|\s/g, '')
  return { id: body.id as string, domain, entityId, acsUrl, logoutUrl: `${entityId}/logout`, certificate }
}

type Connector = Awaited<ReturnType<typeof connect>>

/** A browser in which the user has signed in at the identity provider and here. */
const signedIn = async ({ id }: { id: string }) => {
  setClock()
  const browser = new Browser('https://app.example/')
  const begun = await begin(configuration, { direct_sign_in: `sso:${id}` })
  const { username, password } = userAt('')
  const form = await browser.open(begun.url)
  const back = await onward(browser, await submit(browser, form, { username, password }))
  const tokens = await redeem(configuration, back, begun)
  return { browser, idToken: tokens.id_token ?? '', sub: tokens.claims()?.sub ?? '' }
}
const sessionsOf = async (userId: string): Promise<number> =>
  (await server.api('GET', `/users/${userId}/sessions`)).body.sessions.length
const signOutHere = (browser: Browser, idToken: string): Promise<Page> => {
  setClock()
  const query = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: BYE, state: 'mine' })
  return browser.open(`${server.issuer}/session/end?${query}`)
}

/** Whether a sign-in in this browser asks for the password at the identity provider, because the session there is over. */
const isAskedThere = async (browser: Browser, { id }: { id: string }, origin: string): Promise<boolean> => {
  setClock()
  const page = await browser.open((await begin(configuration, { direct_sign_in: `sso:${id}` })).url)
  return page.url.origin === origin && /type="password"/.test(page.text)
}

/**
 * Signs in, out here, in again, and out there.
 * @param origin of the identity provider
 * @param signOutThere leads to what it posts
 */
const bothSides = async (sp: Connector, origin: string, signOutThere: (browser: Browser) => Promise<Page>) => {
  const first = await signedIn(sp)
  expect(responses.at(-1)).toContain('EncryptedAssertion>')
  expect((await server.api('GET', `/users/${first.sub}`)).body.primaryEmail).toBe(userAt(sp.domain).email)
  expect([await sessionsOf(first.sub), await isAskedThere(first.browser, sp, origin)]).toEqual([1, false])
  const bye = await onward(first.browser, await signOutHere(first.browser, first.idToken))
  expect([bye.url.href, await sessionsOf(first.sub)]).toEqual([`${BYE}?state=mine`, 0])
  expect(await isAskedThere(first.browser, sp, origin)).toBe(true)
  const again = await signedIn(sp)
  expect([again.sub, await sessionsOf(first.sub)]).toEqual([first.sub, 1])
  const done = await onward(again.browser, await signOutThere(again.browser))
  expect([done.status, done.url.origin, await sessionsOf(first.sub)]).toEqual([200, origin, 0])
  expect(await isAskedThere(again.browser, sp, origin)).toBe(true)
}

describe('Keycloak', () => {
  let keycloak: ChildProcess
  let base: string
  let sp: Connector
  beforeAll(async () => {
    const port = await freePort()
    base = `http://localhost:${port}/realms/acme/protocol`
    sp = await connect(`${base}/saml/descriptor`, 'keycloak.example')
    keycloak = await startKeycloak(port, sp, userAt(sp.domain))
  }, 300_000)
  afterAll(() => {
    if (keycloak?.pid !== undefined) process.kill(-keycloak.pid)
  })

  test('signs users in with encrypted assertions, and sessions end from both sides', async () => {
    await bothSides(sp, new URL(base).origin, async (browser) =>
      submit(browser, await browser.open(`${base}/openid-connect/logout`)),
    )
  }, 120_000)
})

describe('SimpleSAMLphp', () => {
  let php: ChildProcess
  let base: string
  let sp: Connector
  beforeAll(async () => {
    base = `http://localhost:${await freePort()}`
    sp = await connect(`${base}/saml2/idp/metadata.php`, 'php.example')
    const now = systemClock.now().getTime()
    const key = await newCertifiedKey('SimpleSAMLphp', new Date(now - 86_400_000), new Date(now + 86_400_000))
    php = await startIdentityProvider(join(directory, 'php'), base, sp, userAt(sp.domain), key)
  })
  afterAll(() => void php?.kill())

  test('signs users in with encrypted NameIDs and assertions, and sessions end from both sides', async () => {
    await bothSides(sp, base, (browser) => {
      setClock()
      return browser.open(`${base}/saml2/idp/SingleLogoutService.php?ReturnTo=${encodeURIComponent(`${base}/`)}`)
    })
  }, 120_000)
})
