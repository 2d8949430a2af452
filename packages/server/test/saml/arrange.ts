/** What the tests of SAML applications share: a service provider that node-saml is, an application for it, and a user's browser. */
import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import type { TestServer } from '@countersign/harness/server.ts'
import { type CertifiedKey, newCertifiedKey } from '@countersign/server/kernel/certificates.ts'
import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml'
import { expect } from 'vitest'
import { fresh } from '../protocol/arrange.ts'
import { createUser, PASSWORD } from '../sign-in/arrange.ts'
import { Browser, type Page } from '../sign-in/browser.ts'

export const ACS = 'https://sp.example/acs'
export const ENTITY_ID = 'https://sp.example/metadata'
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
const FORMAT = 'urn:oasis:names:tc:SAML'
export const FORMATS = {
  persistent: `${FORMAT}:2.0:nameid-format:persistent`,
  email: `${FORMAT}:1.1:nameid-format:emailAddress`,
  transient: `${FORMAT}:2.0:nameid-format:transient`,
  unspecified: `${FORMAT}:1.1:nameid-format:unspecified`,
} as const

export const newKey = (): Promise<CertifiedKey> =>
  newCertifiedKey('sp.example', new Date(Date.now() - 86_400_000), new Date(Date.now() + 86_400_000))

/** The clock stands still, and node-saml has the system's. */
export const catchUp = ({ clock }: TestServer): void =>
  clock.advance(Math.max(0, (Date.now() - clock.now().getTime()) / 1000))

/** Registers an application. @param settings that differ from the usual ones */
export const createSamlApp = async ({ api }: TestServer, settings: Record<string, unknown> = {}) => {
  const { status, body } = await api('POST', '/saml-applications', {
    name: fresh('SP'),
    nameIdFormat: FORMATS.persistent,
    entityId: ENTITY_ID,
    acsUrl: { binding: POST, url: ACS },
    ...settings,
  })
  expect([status, body]).toEqual([201, expect.objectContaining({ type: 'SAML' })])
  return body as { id: string; name: string }
}

export const authnUrl = ({ baseUrl }: TestServer, id: string) => `${baseUrl}/api/saml/${id}/authn`

/** The service provider: node-saml with what it reads from the metadata. Times are checked where a test says so. */
export const serviceProvider = async (server: TestServer, id: string, more: Partial<SamlConfig> = {}) => {
  const answer = await fetch(`${server.baseUrl}/api/saml-applications/${id}/metadata`)
  const metadata = await answer.text()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/samlmetadata+xml'])
  const idpCert = [...metadata.matchAll(/<ds:X509Certificate>([^<]+)</g)].map(([, body]) => body ?? '')
  return new SAML({
    idpCert,
    idpIssuer: /entityID="([^"]+)"/.exec(metadata)?.[1] ?? '',
    entryPoint: /SingleSignOnService[^>]+Location="([^"]+)"/.exec(metadata)?.[1] ?? '',
    logoutUrl: /SingleLogoutService[^>]+Location="([^"]+)"/.exec(metadata)?.[1] ?? '',
    issuer: ENTITY_ID,
    callbackUrl: ACS,
    identifierFormat: null,
    validateInResponseTo: ValidateInResponseTo.always,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    acceptedClockSkewMs: -1,
    ...more,
  })
}

export const newBrowser = () => new Browser('https://sp.example/', 'https://app.example/')

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** What a page posts, and where. */
export const formOf = ({ text }: Page) => ({
  action: unescaped(/<form method="post" action="([^"]*)"/.exec(text)?.[1] ?? ''),
  fields: Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
      name ?? '',
      unescaped(value ?? ''),
    ]),
  ) as Record<string, string>,
})

/** The document that a page posts to the application. */
export const responseOf = (page: Page): string => {
  const { action, fields } = formOf(page)
  expect([page.status, action.startsWith('https://sp.example/')]).toEqual([200, true])
  return Buffer.from(fields.SAMLResponse ?? '', 'base64').toString()
}

/** Both codes of the status of a response, without their common beginning. */
export const statusOf = (page: Page): string[] =>
  [...responseOf(page).matchAll(/StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:(\w+)"/g)].map(
    ([, code]) => code ?? '',
  )

/** Signs a user in on the page that the address leads to. */
export const signInAt = async (browser: Browser, address: string, username: string): Promise<Page> =>
  browser.submit(await browser.open(address), { identifier: username, password: PASSWORD })

export const newUser = createUser

/** A request by hand, as the tests of attacks need it. @param content put into the root element */
export const authnRequest = (
  server: TestServer,
  id: string,
  {
    attributes = {},
    issuer = ENTITY_ID,
    content = '',
  }: { attributes?: Record<string, string>; issuer?: string; content?: string } = {},
): string => {
  const all = {
    ID: `_${randomBytes(10).toString('hex')}`,
    Version: '2.0',
    IssueInstant: server.clock.now().toISOString(),
    Destination: authnUrl(server, id),
    ...attributes,
  }
  const text = Object.entries(all).map(([name, value]) => ` ${name}="${value}"`)
  return `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"${text.join('')}><saml:Issuer>${issuer}</saml:Issuer>${content}</samlp:AuthnRequest>`
}

/** The address that sends a request by the Redirect binding. */
export const redirectOf = (
  server: TestServer,
  id: string,
  xml: string | Buffer,
  more: Record<string, string> = {},
): string => {
  const SAMLRequest = deflateRawSync(xml).toString('base64')
  return `${authnUrl(server, id)}?${new URLSearchParams({ SAMLRequest, ...more })}`
}
