import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type TenantFiles, tenantFiles } from '../cli/tenant-file.ts'
import { call, holdFinePermissions, managementToken } from './arrange.ts'

let files: TenantFiles
beforeAll(async () => {
  files = await tenantFiles(inject('cluster'))
})
afterAll(() => files.server.close())

const CONFIG = { issuer: 'https://id.acme.example', clientId: 'client', clientSecret: 'open sesame' }
let count = 0
const create = async (more: object = {}) => {
  const connectorName = `Acme ${++count}`
  return files.server.api('POST', '/sso-connectors', { providerName: 'OIDC', connectorName, config: CONFIG, ...more })
}

describe('SSO connectors', () => {
  test('are checked: what keeps users from the identity provider is said', async () => {
    const { api } = files.server
    const checked = async (config: object) => {
      const { body } = await create({ config })
      return (await api('GET', `/sso-connectors/${body.id}/provider-check`)).body
    }
    expect(await checked({ ...CONFIG, issuer: 'https://id.invalid' })).toEqual({
      verdict: 'problem',
      code: 'provider.failed',
      values: { reason: expect.any(String) },
      text: expect.stringContaining('users cannot sign in there: '),
    })
    expect(await checked({})).toMatchObject({
      verdict: 'problem',
      code: 'provider.incomplete',
      text: expect.stringContaining('not complete'),
    })
    expect((await api('GET', '/sso-connectors/missing/provider-check')).status).toBe(404)
  })

  test('are created, read, changed and deleted, with their configuration and domains', async () => {
    const { api } = files.server
    const branding = { displayName: 'Acme Inc.', logo: 'https://acme.example/logo.svg' }
    const { status, body } = await create({ domains: ['Acme.Example', 'bücher.example'], branding, syncProfile: true })
    expect([status, body]).toMatchObject([
      200,
      {
        providerName: 'OIDC',
        providerType: 'oidc',
        name: 'OpenID Connect',
        config: CONFIG,
        domains: ['acme.example', 'xn--bcher-kva.example'],
        branding,
        syncProfile: true,
        isComplete: true,
      },
    ])
    const path = `/sso-connectors/${body.id}`
    expect((await api('GET', path)).body).toEqual(body)
    expect((await api('GET', '/sso-connectors')).body).toContainEqual(body)
    const changed = await api('PATCH', path, { domains: ['other.example', 'acme.example'], syncProfile: false })
    expect(changed.body).toEqual({ ...body, domains: ['other.example', 'acme.example'], syncProfile: false })
    expect((await api('PATCH', path, { config: { clientId: 'other' } })).body).toMatchObject({
      config: { clientId: 'other' },
      isComplete: false,
    })
    expect([(await api('DELETE', path)).status, (await api('GET', path)).status]).toEqual([204, 404])
  })

  test('are for the providers that are listed, each with the schema of its configuration', async () => {
    const { body } = await files.server.api('GET', '/sso-connector-providers')
    const named = (body as { providerName: string; providerType: string }[]).map(
      ({ providerName, providerType }) => `${providerName} ${providerType}`,
    )
    expect(named).toEqual(
      expect.arrayContaining(['OIDC oidc', 'SAML saml', 'AzureAD saml', 'AzureAdOidc oidc', 'GoogleWorkspace oidc']),
    )
    const { config, ...rest } = (await create({ providerName: 'GoogleWorkspace' })).body
    // Google's is known: it cannot be set
    expect([config, rest.isComplete]).toEqual([{ clientId: 'client', clientSecret: 'open sesame' }, true])
    const saml = await create({ providerName: 'SAML', config: { entityId: 'https://idp.example' } })
    expect(saml.body.isComplete).toBe(false)
  })

  test.each<[string, object, number, string, object]>([
    ['an unknown provider', { providerName: 'Pigeon' }, 400, 'guard.invalid_input', {}],
    [
      'an issuer for the accounts of every company',
      { providerName: 'AzureAdOidc', config: { issuer: 'https://login.microsoftonline.com/organizations/v2.0' } },
      400,
      'guard.invalid_input',
      { reason: expect.stringContaining('directory of the company') },
    ],
    ['an issuer that is no address', { config: { issuer: 'acme' } }, 400, 'guard.invalid_input', {}],
    [
      'a public domain',
      { domains: ['acme.example', 'GMAIL.com'] },
      422,
      'forbidden_domains',
      { domains: ['gmail.com'] },
    ],
    ['a domain twice', { domains: ['a.example', 'A.example'] }, 422, 'duplicated_domains', { domains: ['a.example'] }],
    ['no domain', { domains: ['acme', 'x@acme.example'] }, 422, 'invalid_domain_format', {}],
    ['a logo by script', { branding: { logo: 'javascript:alert(1)' } }, 400, 'guard.invalid_input', {}],
  ])('%s is refused, and nothing is created', async (_, input, status, code, data) => {
    const { api } = files.server
    const before = (await api('GET', '/sso-connectors')).body
    const answer = await create(input)
    expect([answer.status, answer.body.code]).toEqual([status, expect.stringContaining(code)])
    expect(answer.body.data).toMatchObject(data)
    expect((await api('GET', '/sso-connectors')).body).toEqual(before)
  })

  test('have names of their own; a domain may lead to several', async () => {
    const { body } = await create({ domains: ['shared.example'] })
    const again = await create({ connectorName: body.connectorName })
    expect([again.status, again.body.code]).toEqual([409, 'single_sign_on.duplicate_connector_name'])
    expect((await create({ domains: ['shared.example'] })).status).toBe(200)
  })

  test('R-33 their secrets are in no answer to read:, in no audit entry and in no row', async () => {
    const { server } = files
    await holdFinePermissions(server)
    const { body } = await create({ config: { ...CONFIG, clientSecret: 'very secret' } })
    const path = `/sso-connectors/${body.id}`
    await server.api('PATCH', path, { config: { ...CONFIG, clientSecret: 'more secret' } })
    const { body: organization } = await server.api('POST', '/organizations', { name: 'Acme' })
    const jit = `/organizations/${organization.id}/jit/sso-connectors`
    await server.api('POST', jit, { ssoConnectorIds: [body.id] })
    const token = await managementToken(server, 'read:connectors read:organizations')
    for (const hidden of ['/sso-connectors', path])
      expect((await call(server, 'GET', hidden, { token })).status).toBe(403)
    const shown = await call(server, 'GET', jit, { token })
    expect(shown.body).toMatchObject([{ id: body.id, connectorName: body.connectorName }])
    await expect
      .poll(async () => (await server.api('GET', `/logs?entity=${body.id}&page_size=100`)).body.length)
      .toBeGreaterThan(1)
    const { text } = await call(server, 'GET', `/logs?entity=${body.id}&page_size=100`, {
      token: await managementToken(server, 'read:logs'),
    })
    const { rows } = await server.store.database.pool.query('SELECT c::text AS row FROM sso_connectors c')
    const everywhere = [text, shown.text, ...rows.map(({ row }) => row)].join()
    expect(everywhere).toContain(body.id)
    expect(everywhere).not.toMatch(/(very|more) secret/)
    expect(everywhere).not.toContain(Buffer.from('more secret').toString('hex'))
  })

  test('are applied from a file, and exported without secrets', async () => {
    const file = `ssoConnectors:
  - providerName: Okta
    connectorName: Filed
    config: { issuer: 'https://filed.example', clientId: a, clientSecret: '$\{SSO_FILED_CLIENT_SECRET}' }
    domains: [filed.example]
`
    const env = { SSO_FILED_CLIENT_SECRET: 'from the environment' }
    expect(await files.apply(file, { env })).toEqual(['+ SSO connector Filed'])
    expect(await files.apply(file, { env })).toEqual([])
    const exported = await files.export()
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the file writes it
    expect(exported).toContain('${SSO_FILED_CLIENT_SECRET}')
    expect(exported).not.toContain('from the environment')
    const moved = file.replace('[filed.example]', '[moved.example]')
    expect(await files.apply(moved, { env })).toEqual(['~ SSO connector Filed: domains differs'])
    expect(await files.faults(file.replace('clientId', 'client'), { env })).toContain('client is not a known key')
    expect(await files.faults(file.replace('Okta', 'OneLogin'), { env })).toContain('cannot be changed')
    expect(await files.faults(file.replace('[filed.example]', '[gmail.com]'), { env })).toContain('gmail.com')
    expect(await files.apply('ssoConnectors: []\n', { prune: true })).toContain('- SSO connector Filed')
    expect((await files.server.api('GET', '/sso-connectors')).body).toEqual([])
  })

  test('are applied and exported with the application that a sign-in at the identity provider leads to', async () => {
    const file = `applications:
  - name: Portal
    type: Traditional
    oidcClientMetadata: { redirectUris: ['https://portal.example/'], postLogoutRedirectUris: [] }
ssoConnectors:
  - providerName: SAML
    connectorName: Begun there
    idpInitiatedAuthConfig: { defaultApplication: Portal, autoSendAuthorizationRequest: true, authParameters: {} }
`
    expect(await files.apply(file)).toEqual(['+ application Portal', '+ SSO connector Begun there'])
    expect(await files.apply(file)).toEqual([])
    const exported = await files.export()
    expect(exported).toMatch(/idpInitiatedAuthConfig:\n +defaultApplication: Portal\n +autoSend/)
    expect(await files.apply(exported, { prune: true })).toEqual([])
    const moved = file.replace('authParameters: {}', 'authParameters: { scope: email }')
    const changed = ['~ SSO connector Begun there: idpInitiatedAuthConfig differs']
    expect(await files.apply(moved)).toEqual(changed)
    expect(await files.apply(moved)).toEqual([])
    const faults = (wanted: string, found = /\{ defaultApplication.*\}/) => files.faults(file.replace(found, wanted))
    const elsewhere =
      '{ defaultApplication: Portal, autoSendAuthorizationRequest: true, redirectUri: https://a.example }'
    expect(await faults('{ defaultApplication: None, autoSendAuthorizationRequest: true }')).toContain(
      'there is no application None',
    )
    expect(await faults(elsewhere)).toContain('The application has not registered this redirect URI')
    expect(await faults('OIDC', /SAML/)).toMatch(/cannot be changed/)
    const off = file.replace(/\{ defaultApplication.*\}/, 'null')
    expect(await files.apply(off)).toEqual(changed)
    expect(await files.apply(off)).toEqual([])
    expect(await files.export()).not.toContain('idpInitiatedAuthConfig')
  })
})
