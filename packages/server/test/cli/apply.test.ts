/** `countersign apply` and `countersign export`: the set-up of a tenant as a file. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type CommandLine, commandLine, declarable } from './program.ts'

let cli: CommandLine
beforeEach(async () => {
  cli = await commandLine(inject('cluster'))
})
afterEach(() => cli.close())

const env = {
  SMTP_PASSWORD: 'pass "word" \\ with: everything',
  HTTP_SMS_HEADERS_X_KEY: 'everything',
  GITHUB_UNIVERSAL_CLIENT_SECRET: 'everything of GitHub',
  ACME_CLIENT_SECRET: 'everything of Acme',
}
const TENANT = `resources:
  - indicator: https://orders.example/api
    name: Orders
    accessTokenTtl: 600
    isDefault: true
    permissions:
      - name: read:orders
        description: Read orders
      - name: write:orders
  - indicator: https://stock.example/api
    name: Stock
    senderConstraint: dpop
    dpopNonceRequired: true
roles:
  - name: Clerk
    isDefault: true
    permissions:
      https://orders.example/api: [read:orders]
  - name: Worker
    type: MachineToMachine
    description: Does the work
    permissions:
      https://orders.example/api: [read:orders, write:orders]
      management-api: [read:users]
applications:
  - name: Shop
    type: Traditional
    oidcClientMetadata:
      redirectUris: [https://shop.example/callback]
      backchannelClientNotificationEndpoint: https://shop.example/ping
    customClientMetadata:
      requirePkce: true
      dpopBoundAccessTokens: true
      dpopNonceRequired: true
      backchannelTokenDeliveryMode: ping
      backchannelAuthenticationRequestSigningAlg: ES256
      jwksUri: https://shop.example/jwks
    customData: { team: sales }
  - name: Nightly
    type: MachineToMachine
    roles: [Worker]
  - name: Pages
    type: SPA
    oidcClientMetadata:
      redirectUris: ['https://pr-*.pages.example/callback']
    customClientMetadata: { dangerouslyAllowWildcardRedirectUris: true }
organizationTemplate:
  permissions:
    - name: manage:members
  roles:
    - name: admin
      permissions: [manage:members]
      apiPermissions:
        https://orders.example/api: [write:orders]
    - name: bot
      type: MachineToMachine
connectors:
  - connectorId: simple-mail-transfer-protocol
    config:
      host: smtp.example.com
      port: 587
      auth: { user: me, pass: '\${SMTP_PASSWORD}' }
      fromEmail: Example <no-reply@example.com>
      templates:
        - { usageType: SignIn, contentType: text/plain, subject: 'Costs $\${NOTHING} and {{code}}', content: '{{code}}' }
  - connectorId: http-sms
    config: { endpoint: 'https://sms.example/send', headers: { x-key: '\${HTTP_SMS_HEADERS_X_KEY}' }, body: { to: '{{to}}' } }
  - connectorId: github-universal
    config: { clientId: shop, clientSecret: '\${GITHUB_UNIVERSAL_CLIENT_SECRET}' }
    syncProfile: true
  - connectorId: oidc
    metadata: { target: acme, name: { en: Acme } }
    config: { issuer: 'https://login.acme.example', clientId: shop, clientSecret: '\${ACME_CLIENT_SECRET}' }
    enableTokenStorage: true
customProfileFields:
  - { name: company, type: Text, label: Company, required: true, config: { minLength: 2 } }
  - { name: birthdate, type: Date, required: false, config: { format: yyyy-MM-dd } }
signInExperience:
  signUpProfileFields: [{ name: company }]
  socialSignInConnectorTargets: [acme, github]
  socialSignIn: { automaticAccountLinking: true }
  color: { primaryColor: '#112233', isDarkModeEnabled: true, darkPrimaryColor: '#9db2ff' }
  sentinelPolicy: { maxAttempts: 5 }
  forgotPasswordMethods: [EmailVerificationCode]
  restrictExchangeToSubjectScope: true
`

const apply = (text: string, ...options: string[]) => cli.run(['apply', '-f', '-', ...options], { input: text, env })
const events = async (): Promise<string[]> =>
  (await cli.query<{ type: string }>('SELECT type FROM outbox ORDER BY position')).map(({ type }) => type)
const everything = () => declarable(cli)

test('a file sets up the tenant; applied again it changes nothing and emits nothing', async () => {
  const before = await everything()
  const dry = await apply(TENANT, '--dry-run')
  expect(dry.status).toBe(0)
  expect(dry.out).toContain(
    '+ resource https://orders.example/api\n+ permission read:orders of https://orders.example/api\n',
  )
  expect(dry.out).toContain('19 changes would be made.')
  expect(dry.out).not.toContain('clientSecret')
  expect(await everything()).toEqual(before)

  const first = await apply(TENANT)
  expect(first.status).toBe(0)
  expect(first.out.replace(/\{\n[\s\S]*/, '').replace('made.', 'would be made.')).toBe(dry.out)
  const credentials = JSON.parse(first.out.slice(first.out.indexOf('{\n'))).applications
  expect(credentials).toEqual([
    {
      name: 'Shop',
      clientId: expect.stringMatching(/^[0-9a-z]{21}$/),
      clientSecret: expect.stringMatching(/^\w{32}$/),
    },
    { name: 'Nightly', clientId: expect.any(String), clientSecret: expect.any(String) },
    { name: 'Pages', clientId: expect.any(String) },
  ])
  expect(await events()).toEqual([
    'Scope.Created',
    'Scope.Created',
    'Role.Created',
    'Role.Scopes.Updated',
    'Role.Created',
    'Role.Scopes.Updated',
    'OrganizationScope.Created',
    'OrganizationRole.Created',
    'OrganizationRole.Scopes.Updated',
    'OrganizationRole.Created',
  ])
  const after = await everything()
  for (const options of [[], ['--dry-run'], ['--prune']]) {
    const again = await apply(
      TENANT.replace(
        '  - name: Shop',
        '  - name: Management API client\n    type: MachineToMachine\n  - name: Shop',
      ).replace('  - name: Clerk', '  - name: Management API access\n    type: MachineToMachine\n  - name: Clerk'),
      ...options,
    )
    expect(again).toMatchObject({ status: 0, out: 'Everything already matches the file.\n' })
  }
  expect(await everything()).toEqual(after)
})

test('an export is applied without a change, and makes another tenant equal', async () => {
  await apply(TENANT)
  const exported = await cli.run(['export'])
  expect(exported.status).toBe(0)
  expect(exported.out).not.toContain('everything')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the file writes it
  expect(exported.out).toContain('pass: ${SMTP_PASSWORD}')
  expect(await apply(exported.out)).toMatchObject({ status: 0, out: 'Everything already matches the file.\n' })
  await cli.run(['tenants', 'create', 'acme', '--base-url', 'https://acme.example'])
  expect((await apply(exported.out, '--tenant', 'acme')).status).toBe(0)
  const again = await cli.run(['export', '--tenant', 'acme'])
  expect(again.out.split('\n').slice(1)).toEqual(exported.out.split('\n').slice(1))
  const applied = await apply(exported.out, '--tenant', 'acme')
  expect(applied.out).toBe('Everything already matches the file.\n')
})

test('differences are applied and reported; what is not in the file stays', async () => {
  await apply(TENANT)
  await cli.query('DELETE FROM outbox')
  const changed = `
resources:
  - { indicator: 'https://orders.example/api', name: Orders, permissions: [{ name: 'read:orders', description: Look }] }
  - { indicator: 'https://stock.example/api', name: Storage, isDefault: true }
roles:
  - name: Clerk
    isDefault: false
    permissions: { 'https://orders.example/api': ['write:orders'] }
applications:
  - { name: Shop, type: Traditional, customClientMetadata: { rotateRefreshToken: true } }
  - { name: Nightly, type: MachineToMachine, roles: [] }
organizationTemplate:
  roles:
    - { name: admin, description: All, permissions: [], apiPermissions: {} }
connectors:
  - connectorId: simple-mail-transfer-protocol
    config: { host: other.example.com, port: 25, fromEmail: a@example.com }
signInExperience: { signInMode: SignIn }
`
  const { status, out } = await apply(changed)
  expect(out).toBe(
    `~ permission read:orders of https://orders.example/api
    description: "Read orders" → "Look"
~ resource https://stock.example/api
    name: "Stock" → "Storage"
~ resource https://stock.example/api
    isDefault: false → true
~ role Clerk
    isDefault: true → false
    permissions: + write:orders of https://orders.example/api, - read:orders of https://orders.example/api
~ application Shop
    customClientMetadata.rotateRefreshToken: undefined → true
~ application Nightly
    roles: - Worker
~ organization role admin
    description: null → "All"
    permissions: - manage:members
    apiPermissions: - write:orders of https://orders.example/api
~ connector simple-mail-transfer-protocol
    config differs
~ sign-in settings
    signInMode: "SignInAndRegister" → "SignIn"
9 changes made.
`.replace('undefined', 'nothing'),
  )
  expect(status).toBe(0)
  expect(await events()).toEqual([
    'Scope.Data.Updated',
    'Role.Data.Updated',
    'Role.Scopes.Updated',
    'Role.Scopes.Updated',
    'OrganizationRole.Data.Updated',
    'OrganizationRole.Scopes.Updated',
    'OrganizationRole.Scopes.Updated',
  ])
  const exported = (await cli.run(['export'])).out
  expect(exported).toContain('requirePkce: true')
  expect(exported).toContain('backchannelAuthenticationRequestSigningAlg: ES256')
  expect(exported).toContain('maxAttempts: 5')
  expect(await apply(changed)).toMatchObject({ out: 'Everything already matches the file.\n' })
})

test('--prune deletes what a section does not name, but nothing that may call the Management API', async () => {
  await apply(TENANT)
  const pruned =
    'resources: [{ indicator: "https://orders.example/api", name: Orders, permissions: [{ name: "read:orders" }] }]\nroles: []\napplications: []\n'
  const without = await apply(pruned)
  expect(without.out).toBe('Everything already matches the file.\n')
  const { out, status } = await apply(pruned, '--prune')
  expect(status).toBe(0)
  expect(out.trim().split('\n').sort()).toEqual(
    `- application Pages
- application Shop
- permission write:orders of https://orders.example/api
- resource https://stock.example/api
- role Clerk
5 changes made.
= application Management API client is kept: it may call the Management API
= application Nightly is kept: it may call the Management API
= role Management API access is kept: it holds permissions of the Management API
= role Worker is kept: it holds permissions of the Management API`.split('\n'),
  )
  const left = await cli.query("SELECT name FROM applications WHERE id <> 'console' ORDER BY name")
  expect(left).toEqual([{ name: 'Management API client' }, { name: 'Nightly' }])
  expect(await cli.query('SELECT name FROM organization_roles ORDER BY name')).toEqual([
    { name: 'admin' },
    { name: 'bot' },
  ])
})

test('several faults are reported together, and a fault late in the file rolls back what was applied before it', async () => {
  const before = await everything()
  const late = await apply(TENANT.replace('apiPermissions:', 'apiPermisions:').replace('type: SPA', 'type: Spa'))
  expect(late.err.split('\n').filter((line) => line.startsWith('standard input:'))).toHaveLength(2)
  const undone = await apply(TENANT.replace('[manage:members]', '[manage:nobody]'), '--secrets-file', 'secrets.json')
  expect(undone).toMatchObject({
    status: 1,
    err: expect.stringContaining('there is no organization permission manage:nobody'),
  })
  expect(await everything()).toEqual(before)
  const mended = await apply(TENANT, '--secrets-file', 'secrets.json')
  expect(mended.status).toBe(0)
  expect(mended.out).not.toContain('clientSecret')
  expect(JSON.parse(await cli.read('secrets.json')).applications).toHaveLength(3)
  expect((await stat(join(cli.folder, 'secrets.json'))).mode & 0o777).toBe(0o600)
})

test('two applications with one name are refused, by apply and by export', async () => {
  await cli.query(
    `INSERT INTO applications (tenant_id, id, name, type, oidc_client_metadata, custom_client_metadata, created_at)
     SELECT 'default', 'twin' || i, 'Twin', 'SPA', '{}', '{}', now() FROM generate_series(1, 2) i`,
  )
  const applied = await apply('applications: [{ name: Twin, type: SPA }]')
  expect(applied.err).toBe('standard input:1:18: 2 applications are named Twin (twin1, twin2): rename all but one\n')
  const exported = await cli.run(['export'])
  expect(exported).toMatchObject({
    status: 1,
    out: '',
    err: expect.stringContaining('Several applications are named Twin (twin1, twin2)'),
  })
})

test('a file is read by name, faults name it, and a missing file is reported by name', async () => {
  await cli.file('tenant.yaml', 'roles:\n  - nam: x\n')
  const { err } = await cli.run(['apply', '-f', 'tenant.yaml'])
  expect(err).toContain('tenant.yaml:2:5: nam is not a known key')
  expect((await cli.run(['apply', '-f', 'nothing.yaml'])).err).toMatch(/^nothing\.yaml cannot be read/)
  expect((await cli.run(['apply', '-f', '-', '--tenant', 'nowhere'], { input: 'roles: []' })).err).toContain('nowhere')
})

test('two processes that apply the same file concurrently apply it once', async () => {
  const one = () => cli.spawned(['apply', '-f', '-'], { input: TENANT, env })
  const both = await Promise.all([one(), one()])
  expect(both.map(({ status }) => status)).toEqual([0, 0])
  expect(both.filter(({ out }) => out === 'Everything already matches the file.\n')).toHaveLength(1)
})
