/**
 * `countersign apply` and `countersign export`: what third-party applications may request, and who may use an
 * application.
 */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type TenantFiles, tenantFiles } from './tenant-file.ts'

let files: TenantFiles
beforeAll(async () => {
  files = await tenantFiles(inject('cluster'))
})
afterAll(() => files.server.close())

const FILE = `resources:
  - indicator: https://orders.example/api
    name: Orders
    permissions: [{ name: read }, { name: write }]
roles: [{ name: Clerk }, { name: Guest }, { name: Boss }]
organizationTemplate:
  permissions: [{ name: invite }, { name: remove }]
applications:
  - name: Partner
    type: SPA
    isThirdParty: true
    userConsentScopes:
      userScopes: [profile, email]
      resourceScopes: { 'https://orders.example/api': [read, write] }
      organizationScopes: [invite]
      organizationResourceScopes: { 'https://orders.example/api': [read] }
  - name: Internal
    type: Traditional
    appLevelAccessControlEnabled: true
    accessControl: { userRoles: [Guest, Clerk] }
  - name: Open
    type: SPA
`
const application = async (name: string) => {
  const { body } = await files.server.api('GET', `/applications?search=${name}`)
  return body[0]
}
const scopes = async () => {
  const { id } = await application('Partner')
  return (await files.server.api('GET', `/applications/${id}/user-consent-scopes`)).body
}
const rules = async () => {
  const { id } = await application('Internal')
  return (await files.server.api('GET', `/applications/${id}/access-control`)).body
}
const namesOf = (all: { name: string }[]) => all.map(({ name }) => name)
const roleId = async (name: string) => (await files.server.api('GET', `/roles?search=${name}`)).body[0].id as string

test('an application gets what the file says, including things that the same file creates; a second run changes nothing', async () => {
  const before = await files.everything()
  expect(await files.apply(FILE, { isDry: true })).toContain('+ application Partner')
  expect(await files.everything()).toEqual(before)
  const told = await files.apply(FILE)
  expect(told.filter((line) => line.includes('application'))).toEqual([
    '+ application Partner',
    '+ application Internal',
    '+ application Open',
  ])
  const { userScopes, resourceScopes, organizationScopes, organizationResourceScopes } = await scopes()
  expect(userScopes).toEqual(['email', 'profile'])
  expect(namesOf(resourceScopes[0].scopes)).toEqual(['read', 'write'])
  expect(namesOf(organizationScopes)).toEqual(['invite'])
  expect(namesOf(organizationResourceScopes[0].scopes)).toEqual(['read'])
  expect(await application('Internal')).toMatchObject({ appLevelAccessControlEnabled: true })
  const ids = [await roleId('Clerk'), await roleId('Guest')]
  expect((await rules()).userRoleIds.toSorted()).toEqual(ids.toSorted())
  const after = await files.everything()
  const others = '  - { name: Management API client, type: MachineToMachine }\n'
  const all = FILE.replace('applications:\n', `applications:\n${others}`).replace(
    '{ name: Boss }',
    '{ name: Boss }, { name: Management API access, type: MachineToMachine }',
  )
  for (const options of [{}, { isDry: true }, { prune: true }]) expect(await files.apply(all, options)).toEqual([])
  expect(await files.everything()).toEqual(after)
})

test('an export is applied without a change, and makes another tenant equal', async () => {
  const exported = await files.export()
  const after = await files.everything()
  expect(await files.apply(exported)).toEqual([])
  expect(await files.everything()).toEqual(after)
  await files.createTenant('acme')
  await files.apply(exported, { tenant: 'acme' })
  expect((await files.export('acme')).split('\n').slice(1)).toEqual(exported.split('\n').slice(1))
  expect(await files.apply(exported, { tenant: 'acme' })).toEqual([])
})

test('differences are applied and reported; what is not in the file stays, including rules for users and organizations', async () => {
  const { api } = files.server
  const { body: user } = await api('POST', '/users', { username: 'ann' })
  const { body: organization } = await api('POST', '/organizations', { name: 'Acme' })
  const { id } = await application('Internal')
  const before = await rules()
  const others = { userIds: [user.id], organizationIds: [organization.id] }
  await api('PUT', `/applications/${id}/access-control`, { ...before, ...others })
  const changed = `applications:
  - name: Partner
    type: SPA
    description: Shows orders
    userConsentScopes:
      userScopes: [profile, phone]
      resourceScopes: { 'https://orders.example/api': [read] }
      organizationScopes: [remove]
  - name: Internal
    type: Traditional
    accessControl: { userRoles: [Boss, Clerk, Boss] }
`
  const told = [
    [
      '~ application Partner: description: null → "Shows orders"',
      'userConsentScopes.userScopes: + phone, - email',
      'userConsentScopes.resourceScopes: - write of https://orders.example/api',
      'userConsentScopes.organizationScopes: + remove, - invite',
    ].join('; '),
    '~ application Internal: accessControl.userRoles: + Boss, - Guest',
  ]
  expect(await files.apply(changed, { isDry: true })).toEqual(told)
  expect(await files.apply(changed)).toEqual(told)
  expect((await scopes()).userScopes).toEqual(['phone', 'profile'])
  expect(namesOf((await scopes()).organizationResourceScopes[0].scopes)).toEqual(['read'])
  const userRoleIds = [await roleId('Boss'), await roleId('Clerk')].toSorted()
  expect(await rules()).toEqual({ ...others, userRoleIds, organizationRoleRules: [] })
  expect(await files.apply(changed)).toEqual([])
  const open =
    'applications: [{ name: Internal, type: Traditional, appLevelAccessControlEnabled: false, accessControl: { userRoles: [] } }]'
  expect(await files.apply(open)).toEqual([
    '~ application Internal: appLevelAccessControlEnabled: true → false; accessControl.userRoles: - Boss, - Clerk',
  ])
  expect(await rules()).toEqual({ ...others, userRoleIds: [], organizationRoleRules: [] })
})

const of = (fields: string, type = 'SPA') => `applications:\n  - name: New\n    type: ${type}\n    ${fields}\n`
test.each<[string, string, string]>([
  ['scopes of a first-party application', of('userConsentScopes: {}'), '4:5: only a third-party application has these'],
  ['an unknown key', of('userConsentScopes: { scopes: [] }'), '4:26: scopes is not a known key'],
  ['an unknown scope of users', of('userConsentScopes: { userScopes: [shoes] }'), '4:39: userScopes[0] must be one of'],
  [
    'a dangling permission',
    of("isThirdParty: true\n    userConsentScopes: { resourceScopes: { 'https://orders.example/api': [fly] } }"),
    '5:75: https://orders.example/api has no permission fly',
  ],
  [
    'a dangling resource',
    of("isThirdParty: true\n    userConsentScopes: { organizationResourceScopes: { 'https://x.example': [fly] } }"),
    '5:56: there is no resource https://x.example',
  ],
  [
    'a dangling organization permission',
    of('isThirdParty: true\n    userConsentScopes: { organizationScopes: [invite, fly] }'),
    '5:55: there is no organization permission fly',
  ],
  [
    'a permission of the Management API',
    of('isThirdParty: true\n    userConsentScopes: { resourceScopes: { management-api: [all] } }'),
    '5:26: ',
  ],
  ['a dangling role', of('accessControl: { userRoles: [Clerk, Nobody] }'), '4:41: there is no role Nobody'],
  ['a role of machines', of('accessControl: { userRoles: [Management API access] }'), '4:22: '],
  ['an unknown key of rules', of('accessControl: { userIds: [a] }'), '4:22: userIds is not a known key'],
  [
    'rules of a machine',
    of('accessControl: { userRoles: [] }', 'MachineToMachine'),
    '4:5: users do not use an application of this type',
  ],
])('a fault is named with line and column, and nothing is kept: %s', async (_, text, expected) => {
  const before = await files.everything()
  expect(await files.faults(text)).toContain(`tenant.yaml:${expected}`)
  expect(await files.everything()).toEqual(before)
})

test('the file of the guide is valid', async () => {
  const guide = await readFile(new URL('../../../../docs/guides/operations.md', import.meta.url), 'utf8')
  const [, text = ''] = /^cat > data\/tenant\.yaml <<'END'\n([\s\S]*?)^END$/m.exec(guide) ?? []
  const told = await files.apply(text, { isDry: true, env: { ORDERS_TOKEN: 'x' } })
  for (const line of ['+ application Partner shop', '+ hook Order desk', '+ custom claims of client-credentials'])
    expect(told).toContain(line)
})

test('SAML applications are applied, exported and pruned in a section of their own', async () => {
  const settings = `    nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
    entityId: https://sp.example/metadata
    acsUrl: { binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', url: https://sp.example/acs }
    attributeMapping: { email: mail }
`
  const file = `samlApplications:\n  - name: Wiki\n${settings}`
  await files.apply('roles: [{ name: Clerk }, { name: Boss }]')
  expect(await files.apply(file)).toEqual(['+ SAML application Wiki'])
  expect(await files.apply(file)).toEqual([])
  const exported = await files.export()
  expect(exported).toMatch(/samlApplications:\n {2}- name: Wiki\n/)
  expect(await files.apply(exported, { prune: true })).toEqual([])
  const rules = '    appLevelAccessControlEnabled: true\n    accessControl: { userRoles: [Clerk, Boss] }\n'
  const changed = await files.apply(file.replace('email: mail', 'email: address') + rules)
  expect(changed).toEqual([
    [
      '~ SAML application Wiki: attributeMapping: {"email":"mail"} → {"email":"address"}',
      'appLevelAccessControlEnabled: false → true',
      'accessControl.userRoles: + Boss, + Clerk',
    ].join('; '),
  ])
  const restricted = await files.export()
  await files.createTenant('wiki')
  await files.apply(restricted, { tenant: 'wiki' })
  expect((await files.export('wiki')).split('\n').slice(1)).toEqual(restricted.split('\n').slice(1))
  expect(restricted).toMatch(/name: Wiki\n[\s\S]*userRoles:\n +- Boss\n +- Clerk\n/)
  expect(await files.faults(file + rules.replace('Boss', 'Nothing'))).toContain('there is no role Nothing')
  const wrong = file.replace('https://sp.example/acs', 'http://sp.example/acs')
  expect(await files.faults(wrong)).toContain('must begin with https://')
  expect(
    await files.apply('applications: [{ name: Management API client, type: MachineToMachine }]', { prune: true }),
  ).not.toContain('- application Wiki')
  expect(await files.apply('samlApplications: []', { prune: true })).toEqual(['- SAML application Wiki'])
})
