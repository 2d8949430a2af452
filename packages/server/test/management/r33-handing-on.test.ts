/**
 * R-33: no one hands on more of the Management API than they hold. The table has a line for every route of the contract that
 * asks for `write:`, so that a new one has to say whether permissions or credentials can be had by it.
 */
import { API_ROUTES } from '@countersign/contract/api.ts'
import { AREAS } from '@countersign/contract/permissions.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call, fresh, holdFinePermissions, managementToken } from './arrange.ts'

const type = 'MachineToMachine'

let server: TestServer
/** Carries every permission but `all`. */
let token: string
/** By what they are: `mighty` ones hold `all`, plain ones nothing. */
const ids = {
  all: '',
  scope: '',
  resource: '',
  /** Exchanges tokens. */
  exchanger: '',
  mightyRole: '',
  plainRole: '',
  mightyApplication: '',
  plainApplication: '',
  organization: '',
  mightyOrganizationRole: '',
  plainOrganizationRole: '',
  /** Holds it in the organization. */
  mightyMember: '',
  /** Is in the organization. */
  plainMember: '',
  /** A user who is an administrator with `all`. */
  owner: '',
  plainAdministratorRole: '',
  mightyAdministratorRole: '',
  plainUser: '',
  userRole: '',
}

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const { api, credentials } = server
  const created = async (path: string, body: object) => (await api('POST', path, body)).body.id as string
  await holdFinePermissions(server)
  token = await managementToken(server, AREAS.flatMap((area) => [`read:${area}`, `write:${area}`]).join(' '))
  const { body: resources } = await api('GET', '/resources?includeScopes=true')
  const own = resources.find(({ indicator }: { indicator: string }) => indicator === credentials.resource)
  ids.all = own.scopes.find(({ name }: { name: string }) => name === 'all').id
  ids.resource = await created('/resources', { name: 'Orders', indicator: 'https://orders.example' })
  const customClientMetadata = { allowTokenExchange: true }
  ids.exchanger = await created('/applications', { name: 'Desk', type: 'Traditional', customClientMetadata })
  ids.scope = await created(`/resources/${ids.resource}/scopes`, { name: 'read' })
  ids.mightyRole = await created('/roles', { name: fresh('mighty'), type, scopeIds: [ids.all] })
  ids.plainRole = await created('/roles', { name: fresh('plain'), type })
  for (const name of ['mightyApplication', 'plainApplication', 'mightyMember', 'plainMember'] as const)
    ids[name] = await created('/applications', { name, type })
  await api('POST', `/applications/${ids.mightyApplication}/roles`, { roleIds: [ids.mightyRole] })
  ids.organization = await created('/organizations', { name: 'Acme' })
  const mighty = { name: fresh('mighty'), type, resourceScopeIds: [ids.all, ids.scope] }
  ids.mightyOrganizationRole = await created('/organization-roles', mighty)
  ids.plainOrganizationRole = await created('/organization-roles', { name: fresh('plain'), type })
  const members = `/organizations/${ids.organization}/applications`
  await api('POST', members, { applicationIds: [ids.mightyMember, ids.plainMember] })
  await api('POST', `${members}/${ids.mightyMember}/roles`, { organizationRoleIds: [ids.mightyOrganizationRole] })
  ids.owner = await created('/users', { primaryEmail: OWNER_EMAIL, username: fresh('owner'), password: 'x' })
  const roleOf = (permissions: string[]) => created('/administrator-roles', { name: fresh('role'), permissions })
  ids.plainAdministratorRole = await roleOf([])
  ids.mightyAdministratorRole = await roleOf(['all'])
  ids.plainUser = await created('/users', { username: fresh('user') })
  ids.userRole = await created('/roles', { name: fresh('users') })
  // another remains when this one goes
  for (const id of [ids.owner, await created('/users', { username: fresh('owner') })])
    await api('PUT', `/administrators/${id}`, { roleIds: ['owner'] })
})
afterAll(() => server.close())

const OWNER_EMAIL = 'owner@example.com'
const owner = () => `/users/${ids.owner}`

type Attack = readonly [path: string, body?: object]

const SECRET = 'Default secret'
/** The same of an application that holds it by a role, and of one that holds it in an organization. */
const ofBoth = (attack: (applicationId: string) => Attack) => () =>
  [ids.mightyApplication, ids.mightyMember].map((id) => attack(id))
const members = () => `/organizations/${ids.organization}/applications`

/** What each route must refuse to anyone who lacks `all`. */
const ATTACKS: Readonly<Record<string, () => readonly Attack[]>> = {
  createRole: () => [['/roles', { name: fresh('role'), type, scopeIds: [ids.scope, ids.all] }]],
  addRoleScopes: () => [[`/roles/${ids.plainRole}/scopes`, { scopeIds: [ids.scope, ids.all] }]],
  removeRoleScope: () => [[`/roles/${ids.mightyRole}/scopes/${ids.all}`]],
  updateRole: () => [
    [`/roles/${ids.mightyRole}`, { name: 'Interns' }],
    [`/roles/${ids.mightyRole}`, { description: 'Does no harm' }],
  ],
  deleteRole: () => [[`/roles/${ids.mightyRole}`]],
  addRoleApplications: () => [
    [`/roles/${ids.mightyRole}/applications`, { applicationIds: [ids.plainApplication] }],
    [`/roles/${ids.plainRole}/applications`, { applicationIds: [ids.plainApplication, ids.mightyApplication] }],
    [`/roles/${ids.plainRole}/applications`, { applicationIds: [ids.mightyMember] }],
  ],
  removeRoleApplication: () => [[`/roles/${ids.mightyRole}/applications/${ids.mightyApplication}`]],
  updateApplication: () => [
    ...ofBoth((id) => [`/applications/${id}`, { name: 'Mine' }])(),
    ...ofBoth((id) => [`/applications/${id}`, { isAdmin: false }])(),
    [`/applications/${ids.plainApplication}`, { name: 'Mine', isAdmin: true }],
  ],
  deleteApplication: ofBoth((id) => [`/applications/${id}`]),
  updateApplicationCustomData: ofBoth((id) => [`/applications/${id}/custom-data`, { mine: true }]),
  listApplicationSecrets: ofBoth((id) => [`/applications/${id}/secrets`]),
  createApplicationSecret: ofBoth((id) => [`/applications/${id}/secrets`, { name: 'Mine' }]),
  renameApplicationSecret: ofBoth((id) => [`/applications/${id}/secrets/${SECRET}`, { name: 'Mine' }]),
  deleteApplicationSecret: ofBoth((id) => [`/applications/${id}/secrets/${SECRET}`]),
  addApplicationRoles: () => [
    [`/applications/${ids.plainApplication}/roles`, { roleIds: [ids.plainRole, ids.mightyRole] }],
    [`/applications/${ids.mightyApplication}/roles`, { roleIds: [ids.plainRole] }],
    [`/applications/${ids.mightyMember}/roles`, { roleIds: [ids.plainRole] }],
  ],
  replaceApplicationRoles: () => [
    [`/applications/${ids.plainApplication}/roles`, { roleIds: [ids.mightyRole] }],
    [`/applications/${ids.mightyApplication}/roles`, { roleIds: [] }],
  ],
  removeApplicationRole: () => [[`/applications/${ids.mightyApplication}/roles/${ids.mightyRole}`]],
  deleteOrganization: () => [[`/organizations/${ids.organization}`]],
  addOrganizationApplications: () => [[members(), { applicationIds: [ids.mightyApplication] }]],
  replaceOrganizationApplications: () => [
    [members(), { applicationIds: [ids.plainMember] }],
    [members(), { applicationIds: [ids.mightyApplication, ids.mightyMember, ids.plainMember] }],
  ],
  removeOrganizationApplication: () => [[`${members()}/${ids.mightyMember}`]],
  assignOrganizationApplicationRoles: () => [
    [
      `${members()}/roles`,
      {
        applicationIds: [ids.plainMember],
        organizationRoleIds: [ids.plainOrganizationRole, ids.mightyOrganizationRole],
      },
    ],
    [`${members()}/roles`, { applicationIds: [ids.mightyMember], organizationRoleIds: [ids.plainOrganizationRole] }],
  ],
  addOrganizationApplicationRoles: () => [
    [`${members()}/${ids.plainMember}/roles`, { organizationRoleIds: [ids.mightyOrganizationRole] }],
    [`${members()}/${ids.mightyMember}/roles`, { organizationRoleIds: [ids.plainOrganizationRole] }],
  ],
  replaceOrganizationApplicationRoles: () => [
    [`${members()}/${ids.plainMember}/roles`, { organizationRoleIds: [ids.mightyOrganizationRole] }],
    [`${members()}/${ids.mightyMember}/roles`, { organizationRoleIds: [] }],
  ],
  removeOrganizationApplicationRole: () => [[`${members()}/${ids.mightyMember}/roles/${ids.mightyOrganizationRole}`]],
  createOrganizationRole: () => [['/organization-roles', { name: fresh('role'), type, resourceScopeIds: [ids.all] }]],
  updateOrganizationRole: () => [[`/organization-roles/${ids.mightyOrganizationRole}`, { name: 'Interns' }]],
  deleteOrganizationRole: () => [[`/organization-roles/${ids.mightyOrganizationRole}`]],
  addOrganizationRoleResourceScopes: () => [
    [`/organization-roles/${ids.plainOrganizationRole}/resource-scopes`, { scopeIds: [ids.scope, ids.all] }],
  ],
  replaceOrganizationRoleResourceScopes: () => [
    [`/organization-roles/${ids.plainOrganizationRole}/resource-scopes`, { scopeIds: [ids.all] }],
    [`/organization-roles/${ids.mightyOrganizationRole}/resource-scopes`, { scopeIds: [] }],
  ],
  removeOrganizationRoleResourceScope: () => [
    [`/organization-roles/${ids.mightyOrganizationRole}/resource-scopes/${ids.all}`],
  ],
  putAdministrator: () => [
    [`/administrators/${ids.plainUser}`, { roleIds: ['owner'] }],
    [`/administrators/${ids.plainUser}`, { roleIds: ['auditor', 'owner'] }],
    [`/administrators/${ids.owner}`, { roleIds: ['auditor'] }],
  ],
  deleteAdministrator: () => [[`/administrators/${ids.owner}`]],
  createAdministratorRole: () => [['/administrator-roles', { name: fresh('role'), permissions: ['read:logs', 'all'] }]],
  updateAdministratorRole: () => [
    [`/administrator-roles/${ids.plainAdministratorRole}`, { permissions: ['all'] }],
    [`/administrator-roles/${ids.mightyAdministratorRole}`, { permissions: [] }],
    [`/administrator-roles/${ids.mightyAdministratorRole}`, { name: 'Interns' }],
  ],
  deleteAdministratorRole: () => [[`/administrator-roles/${ids.mightyAdministratorRole}`]],
  updateUser: () => [[owner(), { primaryEmail: 'mine@example.com' }]],
  deleteUser: () => [[owner()]],
  updateUserCustomData: () => [[`${owner()}/custom-data`, { customData: { mine: true } }]],
  updateUserProfile: () => [[`${owner()}/profile`, { profile: { nickname: 'Mine' } }]],
  updateUserPassword: () => [[`${owner()}/password`, { password: 'mine' }]],
  // guesses without an end
  verifyUserPassword: () => [[`${owner()}/password/verify`, { password: 'x' }]],
  deleteSentinelActivities: () => [
    ['/sentinel-activities/delete', { targetType: 'User', targets: ['unknown', OWNER_EMAIL.toUpperCase()] }],
  ],
  expireUserPassword: () => [[`${owner()}/password/expiration`, { isExpired: true }]],
  suspendUser: () => [[`${owner()}/is-suspended`, { isSuspended: true }]],
  addUserRoles: () => [[`${owner()}/roles`, { roleIds: [ids.userRole] }]],
  replaceUserRoles: () => [[`${owner()}/roles`, { roleIds: [] }]],
  createPersonalAccessToken: () => [[`${owner()}/personal-access-tokens`, { name: 'Mine' }]],
  createImpersonation: () => [
    ['/impersonations', { userId: ids.owner, reason: 'mine', applicationId: ids.exchanger, resourceId: ids.resource }],
  ],
  createSubjectToken: () => [['/subject-tokens', { userId: ids.owner }]],
  createOneTimeToken: () => [
    ['/one-time-tokens', { email: OWNER_EMAIL }],
    ['/one-time-tokens', { email: OWNER_EMAIL.toUpperCase() }],
  ],
  putUserIdentity: () => [[`${owner()}/identities/acme`, { userId: 'mine' }]],
  deleteUserIdentity: () => [[`${owner()}/identities/acme`]],
  deleteUserSsoIdentity: () => [[`${owner()}/sso-identities/000000000000000000000`]],
  createUserFactor: () => [[`${owner()}/mfa-verifications`, { type: 'Totp' }]],
  deleteUserFactor: () => [[`${owner()}/mfa-verifications/000000000000000000000`]],
  updateUserFactorChoices: () => [[`${owner()}/logto-configs`, { mfa: { skipped: true } }]],
}

/** Every other route that writes, by why it gives no one a permission of the Management API or a way to sign in with one. */
const GIVES_NOTHING: Readonly<Record<string, readonly string[]>> = {
  'permissions of the Management API are refused there to every caller': [
    ...['createResource', 'updateResource', 'deleteResource', 'setDefaultResource'],
    ...['createScope', 'updateScope', 'deleteScope'],
    ...['createAuthorizationDetailsType', 'updateAuthorizationDetailsType', 'deleteAuthorizationDetailsType'],
  ],
  'it neither changes what a user signs in with nor makes a credential': [
    ...['createUser', 'importUsers', 'removeUserRole', 'endUserSession', 'revokeUserGrant'],
    ...['renamePersonalAccessToken', 'renamePersonalAccessTokenByBody', 'deletePersonalAccessToken'],
    ...['deletePersonalAccessTokenByBody', 'deleteSecret', 'deleteTrustedDevice'],
    ...['deleteImpersonation', 'deleteOneTimeToken', 'verifyOneTimeToken', 'setOneTimeTokenStatus'],
    ...['addRoleUsers', 'removeRoleUser'],
    // asks the provider first, then for the same permissions as putUserIdentity
    'addUserIdentity',
  ],
  'users never hold permissions of the Management API by roles, in organizations neither': [
    ...['createScimDirectory', 'updateScimDirectory', 'deleteScimDirectory', 'createScimToken', 'deleteScimToken'],
    ...['replaceScimGroupRoles'],
    ...['addOrganizationUsers', 'replaceOrganizationUsers', 'removeOrganizationUser', 'assignOrganizationUserRoles'],
    ...['addOrganizationUserRoles', 'replaceOrganizationUserRoles', 'removeOrganizationUserRole'],
    ...['addJitEmailDomain', 'replaceJitEmailDomains', 'removeJitEmailDomain', 'addJitRoles', 'replaceJitRoles'],
    ...['removeJitRole', 'addJitSsoConnectors', 'replaceJitSsoConnectors', 'removeJitSsoConnector'],
    ...['createOrganizationInvitation', 'deleteOrganizationInvitation', 'sendOrganizationInvitation'],
    ...['setOrganizationInvitationStatus'],
  ],
  'applications that people use never hold them either': [
    ...['addCimdUserConsentScopes', 'removeCimdUserConsentScope', 'updateCimdConfig'],
    ...['addUserConsentScopes', 'removeUserConsentScope', 'replaceAccessControl', 'putApplicationSignInExperience'],
    ...['addConsentOrganizations', 'replaceConsentOrganizations', 'removeConsentOrganization'],
    ...['createSamlApplication', 'updateSamlApplication', 'deleteSamlApplication', 'createSamlApplicationSecret'],
    ...['updateSamlApplicationSecret', 'deleteSamlApplicationSecret'],
  ],
  'what is new holds nothing': ['createApplication', 'createOrganization'],
  'it is a name, and who has what stays': ['updateOrganization'],
  'permissions of organizations are not of the Management API': [
    ...['addOrganizationRoleScopes', 'replaceOrganizationRoleScopes', 'removeOrganizationRoleScope'],
    ...['createOrganizationScope', 'updateOrganizationScope', 'deleteOrganizationScope'],
  ],
  'tokens for the Management API are made without a script': [
    ...['listJwtCustomizers', 'getJwtCustomizer', 'putJwtCustomizer', 'updateJwtCustomizer', 'deleteJwtCustomizer'],
    ...['testJwtCustomizer', 'listJwtCustomizerVersions', 'getJwtCustomizerVersion', 'restoreJwtCustomizerVersion'],
  ],
  'it is about people signing in, mail or events': [
    ...['createCustomProfileField', 'createCustomProfileFields', 'replaceCustomProfileField'],
    ...['deleteCustomProfileField', 'orderCustomProfileFields'],
    ...[
      'updateSignInExperience',
      'updateAccountCenter',
      'getCaptchaProvider',
      'putCaptchaProvider',
      'deleteCaptchaProvider',
      'putCustomPhrases',
      'deleteCustomPhrases',
      'checkPassword',
      'listConnectors',
      'createConnector',
      'getConnector',
    ],
    ...[
      'listSsoConnectors',
      'createSsoConnector',
      'getSsoConnector',
      'updateSsoConnector',
      'deleteSsoConnector',
      'addOrganizationDomain',
      'verifyOrganizationDomain',
      'removeOrganizationDomain',
      'putSsoIdpInitiatedConfig',
      'deleteSsoIdpInitiatedConfig',
      'updateConnector',
      'deleteConnector',
      'testConnector',
      'getConnectorAuthorizationUri',
      'checkConnectorProvider',
      'checkOutside',
      'checkSsoConnectorProvider',
      'replaceEmailTemplates',
      'deleteEmailTemplates',
    ],
    ...['deleteEmailTemplate', 'updateEmailTemplateDetails', 'sendOperatorCode', 'verifyOperatorCode'],
    ...['listHooks', 'createHook', 'getHook', 'updateHook', 'deleteHook', 'rotateHookSigningKey', 'testHook'],
    ...['retryHookDelivery', 'replayHook'],
  ],
  'it demands more of applications, and lets none do more': ['updateSecuritySettings'],
  'applications that register themselves never get permissions of the Management API': [
    ...['updateClientRegistration', 'createInitialAccessToken', 'deleteInitialAccessToken'],
  ],
  'what receivers are told of users opens nothing here': ['setSignalStreamStatus', 'deleteSignalStream'],
  'what ID tokens say of users opens nothing here': ['putIdTokenSettings'],
  'an image gives nothing': ['uploadAsset'],
  'signing keys never leave the server': [
    'rotateSigningKeys',
    'deleteSigningKey',
    'createSsoSigningKey',
    'updateSsoSigningKey',
    'deleteSsoSigningKey',
  ],
}

test('R-33 every route that requires write: is in the table', () => {
  const writing = API_ROUTES.filter(({ permission }) => permission?.startsWith('write:')).map(({ id }) => id)
  const known = [...Object.keys(ATTACKS), ...Object.values(GIVES_NOTHING).flat()]
  expect(known.toSorted()).toEqual(writing.toSorted())
})

/** Who holds what of the Management API, and how they sign in. */
const held = async () => {
  const rows = async (
    table:
      | 'roles_scopes'
      | 'applications_roles'
      | 'organization_roles_resource_scopes'
      | 'roles'
      | 'organization_roles'
      | 'administrators_roles'
      | 'administrator_roles'
      | 'users'
      | 'personal_access_tokens',
  ) => JSON.stringify(await server.store.database.kysely.selectFrom(table).selectAll().execute())
  const { body: applications } = await server.api('GET', '/applications?page_size=100')
  const secrets = await Promise.all(
    applications.map(({ id }: { id: string }) => server.api('GET', `/applications/${id}/secrets`)),
  )
  const inOrganization = await server.api('GET', `${members()}?page_size=100`)
  return [
    await rows('roles_scopes'),
    await rows('applications_roles'),
    await rows('organization_roles_resource_scopes'),
    await rows('roles'),
    await rows('organization_roles'),
    await rows('administrators_roles'),
    await rows('administrator_roles'),
    await rows('users'),
    await rows('personal_access_tokens'),
    applications,
    secrets.map(({ body }) => body),
    inOrganization.body,
  ]
}

describe.each(Object.entries(ATTACKS))('R-33 %s', (id, attacks) => {
  test('does not grant `all` to a caller without it, and says so', async () => {
    const method = API_ROUTES.find((route) => route.id === id)?.method ?? ''
    const before = await held()
    for (const [path, body] of attacks()) {
      const answer = await call(server, method, path.replaceAll(' ', '%20'), { token, body })
      expect(answer.status).toBe(403)
      expect(answer.body).toMatchObject({ code: 'auth.forbidden', data: { permission: 'all' } })
      expect(answer.headers['www-authenticate']).toMatch(
        /^Bearer error="insufficient_scope", scope="all", resource_metadata="[^"]+"$/,
      )
    }
    expect(await held()).toEqual(before)
  })
})

test('R-33 a caller cannot set keys of an application that holds more', async () => {
  const keys = { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] }
  for (const customClientMetadata of [{ jwks: keys }, { tokenEndpointAuthMethod: 'client_secret_post' }]) {
    const path = `/applications/${ids.mightyApplication}`
    expect((await call(server, 'PATCH', path, { token, body: { customClientMetadata } })).status).toBe(403)
  }
})

describe('R-33 permissions that a caller holds', () => {
  const scopeNamed = async (name: string): Promise<string> => {
    const { rows } = await server.store.database.pool.query('SELECT id FROM scopes WHERE name = $1', [name])
    return rows[0].id
  }
  const giving = async (bearer: string, names: readonly string[]) => {
    const scopeIds = await Promise.all(names.map(scopeNamed))
    return call(server, 'POST', '/roles', { token: bearer, body: { name: fresh('role'), type, scopeIds } })
  }

  test('can be granted, and no others of this API', async () => {
    const bearer = await managementToken(server, 'write:roles read:hooks')
    expect((await giving(bearer, ['write:roles', 'read:hooks'])).status).toBe(200)
    const refused = await giving(bearer, ['write:users', 'write:roles', 'all'])
    expect(refused.status).toBe(403)
    expect(refused.body.data).toEqual({ permission: 'all write:users' })
  })

  test('are those of its token, whatever its application holds', async () => {
    const bearer = await managementToken(server, 'write:applications')
    const path = `/applications/${server.credentials.clientId}/secrets`
    const { status, body } = await call(server, 'GET', path, { token: bearer })
    expect(status).toBe(403)
    expect(body.data.permission.split(' ')).toContain('all')
    expect((await call(server, 'GET', path, { token: await managementToken(server, 'all') })).status).toBe(200)
  })

  test('give access to applications that hold no more', async () => {
    const bearer = await managementToken(server, 'write:roles write:applications')
    const roleIds = [(await giving(bearer, ['write:roles'])).body.id]
    const application = `/applications/${ids.plainApplication}`
    expect((await call(server, 'PUT', `${application}/roles`, { token: bearer, body: { roleIds } })).status).toBe(200)
    expect((await call(server, 'GET', `${application}/secrets`, { token: bearer })).status).toBe(200)
    const narrow = await managementToken(server, 'write:applications')
    expect((await call(server, 'GET', `${application}/secrets`, { token: narrow })).body.data).toEqual({
      permission: 'write:roles',
    })
    expect((await call(server, 'PUT', `${application}/roles`, { token: bearer, body: { roleIds: [] } })).status).toBe(
      200,
    )
  })

  test('do not limit a caller with `all`', async () => {
    const { api } = server
    const path = `/roles/${ids.plainRole}/scopes`
    expect((await api('POST', path, { scopeIds: [ids.all] })).status).toBe(201)
    expect((await api('DELETE', `${path}/${ids.all}`)).status).toBe(204)
  })
})
