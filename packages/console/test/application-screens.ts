/** The main paths of one application's screens; console-browser.test.ts runs them in turn. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { authority, certify } from '../../server/test/mtls/certificates.ts'

/** The console that is open. */
interface Opened {
  readonly server: TestServer
  readonly page: Page
  readonly open: (path: string) => Promise<unknown>
}

export const applicationSettings = async ({ server, page, open }: Opened): Promise<void> => {
  const { id } = await server.client.createApplication({ body: { name: 'Backend', type: 'Traditional' } })
  const stored = () => server.client.getApplication({ params: { id } })
  const card = (title: string) => page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })
  const save = (title: string) => card(title).getByRole('button', { name: 'Save changes' }).click()

  /** Discard is there until the stored values are shown again. */
  const saved = async (title: string) => {
    await save(title)
    await card(title).getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
  }

  await open(`/applications/${id}?tab=settings`)
  const logout = page.getByLabel('Back-channel logout URI')
  await logout.fill('ftp://app.example')
  await save('Back-channel logout')
  await page.locator('form').getByText('The address has to begin with https://').waitFor()
  await logout.fill('https://app.example/logout')
  await save('Back-channel logout')
  await expect
    .poll(stored)
    .toMatchObject({ oidcClientMetadata: { backchannelLogoutUri: 'https://app.example/logout' } })
  await logout.fill('')
  await save('Back-channel logout')
  await expect.poll(async () => (await stored()).oidcClientMetadata).not.toHaveProperty('backchannelLogoutUri')
  await page.getByRole('switch', { name: 'Wildcards in redirect URIs' }).click()
  await saved('Addresses')
  expect((await stored()).customClientMetadata).toMatchObject({ dangerouslyAllowWildcardRedirectUris: true })
  await page.getByLabel('JSON').fill('[]')
  await save('Custom data')
  await page.getByText('This has to be a JSON object.').waitFor()
  await page.getByLabel('JSON').fill('{"team":"<b>"}')
  await save('Custom data')
  await expect.poll(stored).toMatchObject({ customData: { team: '<b>' } })

  await page.getByRole('tab', { name: 'Credentials' }).click()
  await page.getByRole('button', { name: 'Rename Default secret' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Blue')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete Blue' }).waitFor()
  await page.getByLabel('Method').selectOption('Client certificate of a CA (mutual TLS)')
  await page.getByLabel('tls_client_auth_subject_dn').fill('CN=Worker')
  await save('Authentication')
  await card('Authentication').getByText('tlsClientAuthCertificates is missing').first().waitFor()
  await page.getByLabel('Certificates of the CAs').fill(certify({ extensions: authority() }).pem)
  await save('Authentication')
  await expect.poll(stored).toMatchObject({
    customClientMetadata: {
      ...{ tokenEndpointAuthMethod: 'tls_client_auth', tlsClientAuthSubjectDn: 'CN=Worker' },
      tlsClientAuthCertificates: [expect.stringContaining('BEGIN CERTIFICATE')],
    },
  })
  await page.getByLabel('Method').selectOption('Private key (JWT)')
  await page.getByLabel('Public keys').fill('{"kty":"EC","crv":"P-256","d":"secret"}')
  await save('Authentication')
  await page.locator('form').getByText('has its private part').waitFor()
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
  await page.getByLabel('Public keys').fill(JSON.stringify(await crypto.subtle.exportKey('jwk', publicKey)))
  await save('Authentication')
  await expect
    .poll(stored)
    .toMatchObject({ customClientMetadata: { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [{}] } } })
  await card('Workloads').getByRole('button', { name: 'Add workload' }).click()
  await card('Workloads').getByLabel('Name').fill('Deploy <i>')
  await card('Workloads').getByLabel('Subject (sub)').fill('repo:*/shop')
  await save('Workloads')
  await card('Workloads').getByText('accepts workloads of anyone').first().waitFor()
  await card('Workloads').getByLabel('Subject (sub)').fill('repo:octo/*:ref:refs/heads/main')
  await card('Workloads').getByLabel('Claims').fill('environment=production')
  await saved('Workloads')
  await card('Workloads').getByRole('button', { name: 'Add workload' }).click()
  await card('Workloads').getByLabel('Platform', { exact: true }).last().selectOption('Kubernetes')
  await card('Workloads').getByLabel('Name').last().fill('Pod')
  await card('Workloads').getByLabel('Issuer').last().fill('https://kubernetes.default.svc')
  await card('Workloads').getByLabel('Subject (sub)').last().fill('system:serviceaccount:shop:worker')
  await card('Workloads').getByLabel('Public keys').fill('{')
  await save('Workloads')
  await card('Workloads').getByText('This is not valid JSON.').waitFor()
  await card('Workloads')
    .getByLabel('Public keys')
    .fill(JSON.stringify(await crypto.subtle.exportKey('jwk', publicKey)))
  await saved('Workloads')

  await page.getByRole('tab', { name: 'Tokens' }).click()
  await page.getByRole('switch', { name: 'Allow token exchange' }).click()
  await page.getByLabel('Takes tokens for').first().selectOption('Only these')
  await card('Token exchange').getByLabel('https://orders.example').check()
  const addRow = async (name: string) => {
    await card('Token exchange').getByRole('button', { name: 'Add row' }).click()
    await card('Token exchange').getByLabel('Name').last().fill(name)
  }
  await addRow('All <b>')
  await card('Token exchange').getByLabel('Longest life in seconds').fill('60')
  await addRow('Never with support')
  await card('Token exchange').getByLabel('Effect').last().selectOption('Denies')
  await card('Token exchange').getByLabel('Actor token').last().selectOption('Required')
  await card('Token exchange').getByLabel('For these APIs', { exact: true }).last().fill('https://orders.example')
  await card('Token exchange').getByRole('button', { name: 'Move Never with support up' }).click()
  await saved('Token exchange')
  await card('Cross-app access').getByRole('button', { name: 'Add authorization server' }).click()
  await card('Cross-app access').getByLabel('Issuer').fill('https://id.example/oidc')
  await card('Cross-app access').getByLabel('Client ID there').fill('notes')
  await card('Cross-app access').getByLabel('Only these scopes').check()
  await card('Cross-app access').getByLabel('Scopes', { exact: true }).fill('read write')
  await saved('Cross-app access')
  await page.getByRole('switch', { name: 'Require DPoP' }).click()
  await saved('Proof of possession')
  await page.getByLabel('May introspect tokens for').first().selectOption('Every API: all tokens of this tenant')
  await saved('Introspection')
  await page.getByLabel('Devices per user').fill('2')
  await saved('Tokens')
  await page.getByLabel('Claims in ID tokens').selectOption('requested')
  await page.getByLabel('Userinfo response').selectOption('ES256')
  await page.getByLabel('Identifier (sub)').selectOption('pairwise')
  await card('Identity of users').getByText('gives every user another identifier').waitFor()
  await page.getByLabel('Sector identifier URI').fill('http://example.com/uris')
  await save('Identity of users')
  await card('Identity of users').getByText('The address has to begin with https://').waitFor()
  await page.getByLabel('Identifier (sub)').selectOption('public')
  await saved('Identity of users')
  await page.getByLabel('User ID or sub').fill('nobody')
  await card('Find a user').getByText('has this identifier').waitFor()
  await expect
    .poll(async () => (await stored()).customClientMetadata)
    .toMatchObject({
      tokenEndpointAuthMethod: 'private_key_jwt',
      allowTokenExchange: true,
      dpopBoundAccessTokens: true,
      dpopNonceRequired: false,
      exchangeSubjectAudiences: ['https://orders.example'],
      exchangePolicies: [
        {
          ...{ name: 'Never with support', effect: 'deny', actor: 'required' },
          targetResources: ['https://orders.example'],
        },
        { name: 'All <b>', effect: 'allow', maxLifetime: 60 },
      ],
      federatedCredentials: [
        {
          ...{ name: 'Deploy <i>', issuer: 'https://token.actions.githubusercontent.com' },
          subject: 'repo:octo/*:ref:refs/heads/main',
          claims: [{ name: 'environment', value: 'production' }],
        },
        { name: 'Pod', issuer: 'https://kubernetes.default.svc', jwks: { keys: [{}] }, isReusable: true },
      ],
      identityAssertionAudiences: [
        { audience: 'https://id.example/oidc', clientId: 'notes', scopes: ['read', 'write'] },
      ],
      dangerouslyIntrospectAllTokens: true,
      maxAllowedGrants: 2,
      idTokenClaims: 'requested',
      userinfoSignedResponseAlg: 'ES256',
    })

  // a key that is needed no longer, once the keys of the tenant are rotated
  await page.getByLabel('Userinfo response').selectOption({ index: 0 })
  await saved('Identity of users')

  await page.getByLabel('Security profile').selectOption('FAPI 2.0')
  await page.getByText('its access tokens are bound to its key').waitFor()
  await save('Security')
  await page.getByText('dangerouslyAllowWildcardRedirectUris must be off').first().waitFor()
  await page.getByLabel('Security profile').selectOption('None')
  await page.getByRole('switch', { name: 'Require signed requests' }).click()
  await saved('Security')
  await expect
    .poll(async () => (await stored()).customClientMetadata)
    .toMatchObject({ securityProfile: 'none', requireSignedRequestObject: true, maxAllowedGrants: 2 })

  await page.getByRole('tab', { name: 'Branding' }).click()
  await page.getByLabel('Accent', { exact: true }).fill('blue')
  await page.getByText('Write it as #2f4fd0.').waitFor()
  await page.getByLabel('Accent', { exact: true }).fill('#a3221b')
  const shade = () =>
    page.locator('iframe').evaluate((element) => {
      const button = (element as HTMLIFrameElement).contentDocument?.querySelector('#submit')
      return button ? getComputedStyle(button).backgroundColor : ''
    })
  await expect.poll(shade).toBe('rgb(163, 34, 27)')
  await page.getByRole('textbox', { name: 'Style sheet' }).fill('#submit { background: rgb(1, 2, 3) !important }')
  await expect.poll(shade).toBe('rgb(1, 2, 3)')
  await page.getByLabel('Terms of use').fill('javascript:alert(1)')
  await save('On the sign-in pages')
  await page.locator('form').getByText('This has to be an http or https address.').waitFor()
  await page.getByLabel('Terms of use').fill('https://app.example/terms')
  await save('On the sign-in pages')
  await expect
    .poll(() => server.client.getApplicationSignInExperience({ params: { applicationId: id } }).catch(() => undefined))
    .toMatchObject({
      color: { primaryColor: '#a3221b' },
      customCss: '#submit { background: rgb(1, 2, 3) !important }',
      termsOfUseUrl: 'https://app.example/terms',
    })
}

export const applicationAccess = async ({ server, page, open }: Opened): Promise<void> => {
  const { client } = server
  const dialog = page.getByRole('dialog')
  const machineRole = await client.createRole({ body: { name: 'Robot <i>', type: 'MachineToMachine' } })
  const { id: organizationId } = await client.createOrganization({ body: { name: 'Globex <b>' } })
  const role = await client.createOrganizationRole({ body: { name: 'Buyer' } })
  const { id: userId } = await client.createUser({ body: { name: 'Only One' } })
  await open('/applications/new')
  await page.getByLabel('Name', { exact: true }).fill('Partner')
  await page.getByRole('switch', { name: 'Third-party application' }).click()
  await page.getByRole('button', { name: 'Create application' }).click()
  await page.getByRole('heading', { name: 'Partner' }).waitFor()
  const [{ id = '', isThirdParty } = {}] = await client.listApplications({ query: { search: 'Partner' } })
  expect(isThirdParty).toBe(true)
  const rules = () => client.getAccessControl({ params: { applicationId: id } })

  await page.getByRole('tab', { name: 'Access' }).click()
  const limit = page.getByRole('switch', { name: 'Only admitted users' })
  await page.getByText('Admit users, a role or an organization first.').waitFor()
  expect(await limit.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Add user' }).click()
  await dialog.getByLabel('Search by name').fill('Only')
  await dialog.getByRole('button', { name: 'Only One' }).click()
  await limit.click()
  await page.getByText('Only users whom one of the lists below admits').waitFor()
  await page.getByRole('button', { name: 'Add organization' }).click()
  await dialog.getByRole('button', { name: 'Globex <b>' }).click()
  await dialog.getByLabel('Buyer').check()
  await dialog.getByRole('button', { name: 'Admit these roles' }).click()
  await page.getByText('Members with: Buyer').waitFor()
  expect(await rules()).toEqual({
    userIds: [userId],
    userRoleIds: [],
    organizationIds: [],
    organizationRoleRules: [{ organizationId, organizationRoleIds: [role.id] }],
  })
  const remove = async (title: string) => {
    await page.locator('section').filter({ hasText: title }).getByRole('button', { name: 'Remove' }).click()
  }
  // the notice of an earlier change has a way back too: without one, the next is that of the removal
  await page.reload()
  await page.getByText('Members with: Buyer').waitFor()
  await remove('Globex <b>')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Members with: Buyer').waitFor()
  await remove('Globex <b>')
  await page.getByText('No organizations.').waitFor()
  await remove('Only One')
  await page.getByText('switch appLevelAccessControlEnabled off first').waitFor()

  await page.getByRole('tab', { name: 'Consent' }).click()
  await page.getByLabel('Email address').check()
  await page.getByLabel('read:orders').first().check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  const asked = async () => {
    const { userScopes, resourceScopes } = await client.getUserConsentScopes({ params: { applicationId: id } })
    return [userScopes, resourceScopes.flatMap(({ scopes }) => scopes.map(({ name }) => name))]
  }
  await expect.poll(asked).toEqual([['email'], ['read:orders']])
  await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
  await page.getByLabel('Email address').uncheck()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(asked).toEqual([[], ['read:orders']])

  const machine = await client.createApplication({ body: { name: 'Robot', type: 'MachineToMachine' } })
  await open(`/applications/${machine.id}?tab=roles`)
  await page.getByRole('button', { name: 'Add role' }).click()
  await dialog.getByLabel('Search roles').fill('Robot')
  await dialog.getByRole('button', { name: 'Robot <i>' }).click()
  const held = async () =>
    (await client.listApplicationRoles({ params: { applicationId: machine.id } })).map(({ id: roleId }) => roleId)
  await expect.poll(held).toEqual([machineRole.id])
  await page.getByRole('switch', { name: 'Full access to the Management API' }).click()
  await dialog.getByRole('textbox').fill('Robot')
  await dialog.getByRole('button', { name: 'Give full access' }).click()
  await expect.poll(() => client.getApplication({ params: { id: machine.id } })).toMatchObject({ isAdmin: true })
}

/** The screens that were walked here, for the check of every screen. */
export const applicationPaths = async ({ client }: TestServer): Promise<string[]> => {
  const TABS = { Backend: ['secrets', 'tokens', 'look'], Partner: ['access', 'consent'], Robot: ['roles'] }
  const paths = []
  for (const [search, tabs] of Object.entries(TABS)) {
    const [application] = await client.listApplications({ query: { search } })
    for (const tab of tabs) paths.push(`/applications/${application?.id}?tab=${tab}`)
  }
  return paths
}
