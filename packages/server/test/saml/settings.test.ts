/** Settings of SAML applications: what is kept, what is refused, and what other routes do with such an application. */
import { generateKeyPairSync } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ACS, createSamlApp, ENTITY_ID, FORMATS, newKey } from './arrange.ts'

const BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings'

let server: TestServer
let id: string
let certificate: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  id = (await createSamlApp(server)).id
  certificate = (await newKey()).certificate
})
afterAll(() => server.close())

test('a change replaces the settings that it names, and the audit log has both states', async () => {
  const path = `/saml-applications/${id}`
  const { body: before } = await server.api('GET', path)
  expect(before).toMatchObject({ entityId: ENTITY_ID, otherAcsUrls: [], signResponse: true, allowIdpInitiated: false })
  const change = { attributeMapping: { email: 'mail' }, description: 'A wiki', signResponse: false }
  const { body: after } = await server.api('PATCH', path, change)
  expect(after).toEqual({ ...before, ...change })
  expect((await server.api('PATCH', path, { attributeMapping: {} })).body.attributeMapping).toEqual({})
  const { body: entries } = await server.api('GET', `/logs?entity=${id}`)
  expect(JSON.stringify(entries)).toContain('"mail"')
})

test.each<[string, (of: { weak: string; certificate: string }) => Record<string, unknown>, number, string]>([
  [
    'an ACS by Redirect',
    () => ({ acsUrl: { binding: `${BINDING}:HTTP-Redirect`, url: ACS } }),
    422,
    'application.saml.acs_url_binding_not_supported',
  ],
  [
    'an ACS without TLS',
    () => ({ acsUrl: { binding: `${BINDING}:HTTP-POST`, url: 'http://sp.example/acs' } }),
    422,
    'application.saml.acs_url_scheme_not_supported',
  ],
  [
    'a script as a further address',
    () => ({ otherAcsUrls: ['javascript:alert(1)'] }),
    422,
    'application.saml.acs_url_scheme_not_supported',
  ],
  [
    'a certificate that is none',
    () => ({ requestCertificates: ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'] }),
    422,
    'application.saml.invalid_certificate_pem_format',
  ],
  [
    'a key instead of a certificate',
    ({ weak }) => ({ requestCertificates: [weak] }),
    422,
    'application.saml.invalid_certificate_pem_format',
  ],
  ['signed requests without a certificate', () => ({ requireSignedRequests: true }), 400, 'guard.invalid_input'],
  ['encryption without a certificate', () => ({ encryption: { encryptAssertion: true } }), 400, 'guard.invalid_input'],
  [
    'single logout without a certificate',
    () => ({ singleLogout: { url: ACS, binding: `${BINDING}:HTTP-POST` } }),
    400,
    'guard.invalid_input',
  ],
  [
    'single logout at an address without TLS',
    (of) => ({
      requestCertificates: [of.certificate],
      singleLogout: { url: ACS, binding: `${BINDING}:HTTP-POST`, backChannelUrl: 'http://sp.example/slo' },
    }),
    422,
    'application.saml.acs_url_scheme_not_supported',
  ],
  [
    'an unknown format of names',
    () => ({ nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos' }),
    400,
    'guard.invalid_input',
  ],
])('%s is refused', async (_, settings, status, code) => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const weak = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const answer = await server.api('PATCH', `/saml-applications/${id}`, settings({ weak, certificate }))
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

test('other routes of applications list it, and neither change it nor give it secrets', async () => {
  const { body: listed } = await server.api('GET', '/applications?types=SAML')
  expect(listed).toMatchObject([{ id, type: 'SAML', isThirdParty: false }])
  const changed = await server.api('PATCH', `/applications/${id}`, { oidcClientMetadata: { redirectUris: [ACS] } })
  expect([changed.status, changed.body.code]).toEqual([400, 'application.saml.use_saml_app_api'])
  const secret = await server.api('POST', `/applications/${id}/secrets`, { name: 'mine' })
  expect([secret.status, secret.body.code]).toEqual([422, 'application.invalid_type'])
  const { body: other } = await server.api('POST', '/applications', { name: 'Other', type: 'Traditional' })
  for (const path of [`/saml-applications/${other.id}`, `/saml-applications/${other.id}/secrets`]) {
    const answer = await server.api('GET', path)
    expect([answer.status, answer.body.code]).toEqual([422, 'application.saml.saml_application_only'])
  }
  const { body: keys } = await server.api('GET', `/saml-applications/${id}/secrets`)
  expect(keys).toEqual([
    expect.objectContaining({
      active: true,
      fingerprints: {
        sha256: expect.objectContaining({ formatted: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/) }),
      },
    }),
  ])
  expect(JSON.stringify(keys)).not.toContain('PRIVATE')
})

test('one without an address or an entity id takes no request', async () => {
  const { body } = await server.api('POST', '/saml-applications', { name: 'New', nameIdFormat: FORMATS.transient })
  const answer = await fetch(`${server.baseUrl}/api/saml/${body.id}/authn?SAMLRequest=`)
  expect([answer.status, (await answer.text()).includes('SAMLResponse')]).toEqual([400, false])
})
