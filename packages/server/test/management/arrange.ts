/** What the tests of the Management API arrange over and over: one of each entity, tokens of every kind, raw requests. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { API_ROUTES } from '@countersign/contract/api.ts'
import { SMTP } from '@countersign/contract/connector-configs.ts'
import type { Route } from '@countersign/contract/route.ts'
import { NAME_ID_FORMATS } from '@countersign/contract/saml-applications.ts'
import { requestToken } from '@countersign/harness/management-client.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { findClient } from '@countersign/server/domain/applications/clients.ts'
import { recordGrant } from '@countersign/server/domain/sessions/grants.ts'
import { startSession } from '@countersign/server/domain/sessions/sessions.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { operation, perform } from '@countersign/server/storage/unit-of-work.ts'
import { type Reply, send } from '../protocol/arrange.ts'
import { clientOf } from '../scim/arrange.ts'
import { configOf, type MailServer, startMailServer } from './mail.ts'

let count = 0
/** A name that no other arrangement of this process has. */
/** Where the users of the worlds have accounts elsewhere. */
const TARGET = 'acme'

export const fresh = (what: string): string => {
  count += 1
  return `${what}-${count}`
}

/** Adds nothing to any token. */
const CLAIMS_SCRIPT = 'const getCustomJwtClaims = () => ({})'

/** The routes that need a permission: those that these tests are made from. */
export const GUARDED = API_ROUTES.filter(({ permission }) => permission !== null)
export const titleOf = ({ method, path }: Route): string => `${method} ${path}`

/** A token for the Management API with exactly these scopes, of an application that holds them all. */
export const managementToken = async ({ baseUrl, credentials }: TestServer, scope: string): Promise<string> => {
  const answer = await requestToken(baseUrl, credentials, { resource: credentials.resource, scope })
  const body = (await answer.json()) as { access_token: string }
  return body.access_token
}

/** Gives the first application every fine permission too, so that tokens with any of them can be asked for. */
export const holdFinePermissions = async ({ api, credentials }: TestServer): Promise<void> => {
  const { body: resources } = await api('GET', '/resources?includeScopes=true')
  const management = resources.find(({ indicator }: { indicator: string }) => indicator === credentials.resource)
  const fine = management.scopes.filter(({ name }: { name: string }) => name !== 'all')
  const role = {
    name: fresh('fine'),
    type: 'MachineToMachine',
    scopeIds: fine.map(({ id }: { id: string }) => id),
  }
  const { body } = await api('POST', '/roles', role)
  await api('POST', `/applications/${credentials.clientId}/roles`, { roleIds: [body.id] })
}

/** One of each entity, and beside it one that is not yet related to it. */
export interface World {
  readonly resourceId: string
  readonly scopeId: string
  readonly freeScopeId: string
  /** Of authorization details. */
  readonly typeId: string
  readonly roleId: string
  readonly freeRoleId: string
  readonly applicationId: string
  readonly freeApplicationId: string
  /** Holds userRoleId, and has the password `x`. */
  readonly userId: string
  readonly freeUserId: string
  readonly userRoleId: string
  readonly freeUserRoleId: string
  readonly keyId: string
  readonly logId: string
  /** The name of a secret of the application. */
  readonly name: string
  /** A session of the user, and a grant with offline_access that was made in it. */
  readonly sessionId: string
  readonly grantId: string
  /** An authenticator app of the user. */
  readonly verificationId: string
  readonly trustedDeviceId: string
  /** A third-party application that may ask users for scopeId. */
  readonly thirdPartyId: string
  readonly scopeType: string
  /** Of a script of custom claims that there is. */
  readonly tokenTypePath: string
  /** Of that script. */
  readonly version: string
  readonly connectorId: string
  readonly factoryId: string
  /** Whose users become members of the organization; freeSsoConnectorId is not related to it. */
  readonly ssoConnectorId: string
  readonly freeSsoConnectorId: string
  /** Of the SSO connector, and not active. */
  readonly ssoSigningKeyId: string
  /** Where sign-in that begins at the identity provider of the SSO connector leads. */
  readonly webApplicationId: string
  /** The user and the application are members, each with the role of its type, which hold the permissions of both kinds. */
  readonly organizationId: string
  readonly organizationScopeId: string
  readonly freeOrganizationScopeId: string
  readonly organizationRoleId: string
  readonly freeOrganizationRoleId: string
  readonly machineOrganizationRoleId: string
  readonly freeMachineOrganizationRoleId: string
  /** Whose users become members by themselves, with the role. */
  readonly emailDomain: string
  /** A domain that the organization says is its own, and has not proved. */
  readonly domain: string
  readonly emailTemplateId: string
  /** The name of a field of profiles. */
  readonly profileField: string
  /** Where the user has an account elsewhere. */
  readonly target: string
  /** An active one, with its value and its address. */
  readonly oneTimeTokenId: string
  readonly oneTimeToken: string
  readonly oneTimeTokenEmail: string
  /** Tokens of a provider that are kept for the user. */
  readonly tokenSetId: string
  /** A directory of the tenant with this token and this group, which is empty. */
  readonly scimDirectoryId: string
  readonly scimTokenId: string
  readonly scimGroupId: string
  readonly initialAccessTokenId: string
  /** A SAML application, and a key of it that is not active. */
  readonly samlApplicationId: string
  readonly secretId: string
  /** Of which there is this template and no other. */
  readonly templateLanguage: string
  readonly languageTag: string
  /** A pending one, for an address that no account has. */
  readonly invitationId: string
  /** A pending one for freeUserId. */
  readonly acceptableInvitationId: string
  /** By which the test acts as the user, at the web application. */
  readonly impersonationId: string
  /** Where a mail server takes everything. */
  readonly mailPort: string
  /** Got two events by a replay; one of them is its delivery. */
  readonly hookId: string
  /** A role of administrators that the user does not hold; the user is an administrator with another. Both hold nothing. */
  readonly administratorRoleId: string
  readonly deliveryId: string
  /** Of the web application. */
  readonly signalStreamId: string
  readonly receiverUrl: string
}

/** Of the web application. */
const WEB = { allowTokenExchange: true, sharedSignals: { events: ['account-purged'] } }

/** What a sign-in leaves behind, without the pages: a session, and a grant that outlives it. */
const signedIn = async ({ store }: TestServer, userId: string, applicationId: string) => {
  const tenant = await getTenant(store, 'default')
  const client = await findClient(store, tenant, applicationId)
  if (!client) throw new Error('there is no such application')
  const signIn = operation(['Grant.LimitExceeded'], async (unit) => {
    const how = {
      userId,
      amr: ['pwd'],
      applicationId,
      interactionEvent: 'SignIn',
      previousSecret: undefined,
      verificationRecords: [],
    } as const
    const { session } = await startSession(unit, how)
    const granted = { scopes: ['openid', 'offline_access'], consentedIds: null, isOfDevice: false }
    const grantId = await recordGrant(unit, session, client, granted)
    return { sessionId: session.id, grantId }
  })
  return perform({ store, tenant, caller: systemCaller('test') }, signIn)
}

let mailServer: Promise<MailServer> | undefined
/** One for all the worlds of this process, which it does not keep alive. */
const sharedMailServer = (): Promise<MailServer> => {
  mailServer ??= startMailServer()
  return mailServer
}

let receiver: Promise<string> | undefined
/** The URL of something that answers every webhook of this process, which it does not keep alive. */
const sharedReceiver = (): Promise<string> => {
  receiver ??= new Promise((resolve) => {
    const server = createServer((request, response) => void request.resume().on('end', () => response.end()))
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).unref()
  })
  return receiver
}

/** A moment that no test comes to. */
const FAR = Date.UTC(2100, 0)

/** Makes a world: the role holds the scope, the application holds the role and a secret, one signing key is Previous. */
export const createWorld = async (server: TestServer): Promise<World> => {
  const { api, clock } = server
  const created = async (path: string, body: unknown) => (await api('POST', path, body)).body.id as string
  const indicator = `https://${fresh('api')}.example`
  const type = 'MachineToMachine'
  // hundreds of worlds are made: what does not need one another is made at once
  const [
    resourceId,
    freeRoleId,
    applicationId,
    freeApplicationId,
    userRoleId,
    freeUserRoleId,
    userId,
    freeUserId,
    thirdPartyId,
    organizationId,
    organizationScopeId,
    freeOrganizationScopeId,
    freeOrganizationRoleId,
    freeMachineOrganizationRoleId,
    { port },
    receiverUrl,
    ssoConnectorId,
    freeSsoConnectorId,
    webApplicationId,
  ] = await Promise.all([
    created('/resources', { name: 'Orders', indicator }),
    created('/roles', { name: fresh('writer'), type }),
    created('/applications', { name: 'Worker', type }),
    created('/applications', { name: 'Idle', type }),
    created('/roles', { name: fresh('member') }),
    created('/roles', { name: fresh('guest') }),
    created('/users', { username: fresh('user'), password: 'x' }),
    created('/users', { username: fresh('user') }),
    created('/applications', { name: 'Guest', type: 'SPA', isThirdParty: true }),
    created('/organizations', { name: fresh('organization') }),
    created('/organization-scopes', { name: fresh('invite') }),
    created('/organization-scopes', { name: fresh('remove') }),
    created('/organization-roles', { name: fresh('viewer') }),
    created('/organization-roles', { name: fresh('idle'), type }),
    sharedMailServer(),
    sharedReceiver(),
    created('/sso-connectors', { providerName: 'SAML', connectorName: fresh('sso') }),
    created('/sso-connectors', { providerName: 'OIDC', connectorName: fresh('sso') }),
    created('/applications', {
      ...{ name: 'Web', type: 'Traditional', customClientMetadata: WEB },
      oidcClientMetadata: { redirectUris: ['https://web.example/callback'], postLogoutRedirectUris: [] },
    }),
  ])
  const tokenTypePath = 'access-token'
  const { body: customizers } = await api('GET', '/configs/jwt-customizer')
  // of the whole tenant; starting its sandbox takes longer than all the rest
  if (customizers.length === 0) await api('PUT', `/configs/jwt-customizer/${tokenTypePath}`, { script: CLAIMS_SCRIPT })
  const [scopeId, freeScopeId, typeId, connectorId, hookId, { sessionId, grantId }] = await Promise.all([
    created(`/resources/${resourceId}/scopes`, { name: 'read' }),
    created(`/resources/${resourceId}/scopes`, { name: 'write' }),
    created(`/resources/${resourceId}/authorization-details-types`, { type: fresh('details'), schema: DETAILS_SCHEMA }),
    created('/connectors', { connectorId: SMTP, config: configOf({ port }) }),
    // asks for what never happens, or each world would send to all that were before it
    created('/hooks', { events: ['PostSignInAdaptiveMfaTriggered'], config: { url: receiverUrl } }),
    signedIn(server, userId, thirdPartyId),
    api('POST', `/users/${userId}/roles`, { roleIds: [userRoleId] }),
    api('POST', `/users/${userId}/personal-access-tokens`, { name: 'Default secret' }),
    api('PUT', `/users/${userId}/identities/${TARGET}`, { userId: fresh('identity') }),
    api('PUT', '/captcha-provider', { config: CAPTCHA }),
  ])
  const organization = `/organizations/${organizationId}`
  const held = { organizationScopeIds: [organizationScopeId], resourceScopeIds: [scopeId] }
  const emailDomain = `${fresh('joining')}.example`
  const domain = `${fresh('own')}.example`
  const templateLanguage = fresh('zz')
  const languageTag = `zz-${fresh('').slice(1).padStart(8, '0')}`
  const details = { subject: 'Hello', content: '{{code}}' }
  const [roleId, organizationRoleId, machineOrganizationRoleId, ssoSigningKeyId] = await Promise.all([
    created('/roles', { name: fresh('reader'), type, scopeIds: [scopeId] }),
    created('/organization-roles', { name: fresh('admin'), ...held }),
    created('/organization-roles', { name: fresh('bot'), type, ...held }),
    created(`/sso-connectors/${ssoConnectorId}/signing-keys`, { active: false }),
    api('PUT', `/sso-connectors/${ssoConnectorId}/idp-initiated-auth-config`, {
      ...{ defaultApplicationId: webApplicationId, autoSendAuthorizationRequest: true },
    }),
    api('POST', `/applications/${thirdPartyId}/user-consent-scopes`, { resourceScopes: [scopeId] }),
    api('POST', '/cimd/user-consent-scopes', { resourceScopes: [scopeId] }),
    api('POST', `${organization}/users`, { userIds: [userId] }),
    api('POST', `${organization}/applications`, { applicationIds: [applicationId] }),
    api('POST', `${organization}/jit/email-domains`, { emailDomain }),
    api('POST', `${organization}/domains`, { domain }),
    api('POST', `${organization}/jit/sso-connectors`, { ssoConnectorIds: [ssoConnectorId] }),
  ])
  const [administratorRoleId, heldRoleId] = await Promise.all([
    created('/administrator-roles', { name: fresh('administrators'), permissions: [] }),
    created('/administrator-roles', { name: fresh('administrators'), permissions: [] }),
  ])
  await api('PUT', `/administrators/${userId}`, { roleIds: [heldRoleId] })
  const acting = { userId, resourceId, applicationId: webApplicationId, reason: 'a ticket' }
  const impersonationId = await created('/impersonations', acting)
  const template = { languageTag: templateLanguage, templateType: 'SignIn', details }
  const { body: templates } = await api('PUT', '/email-templates', { templates: [template] })
  const emailTemplateId = templates[0].id
  const profileField = fresh('field').replace('-', '')
  await api('POST', '/custom-profile-fields', { name: profileField, type: 'Text', required: false })
  const oneTimeTokenEmail = `${fresh('link')}@example.com`
  const { body: oneTimeToken } = await api('POST', '/one-time-tokens', { email: oneTimeTokenEmail, expiresIn: 86_400 })
  const scimDirectoryId = await created('/scim-directories', { name: fresh('directory') })
  const { body: scimToken } = await api('POST', `/scim-directories/${scimDirectoryId}/tokens`, { name: 'first' })
  const scim = clientOf(`${server.baseUrl}/scim/v2/${scimDirectoryId}`, scimToken.value)
  const { body: scimGroup } = await scim('POST', '/Groups', { displayName: fresh('group') })
  const initialAccessTokenId = await created('/initial-access-tokens', { name: fresh('registration') })
  const samlApplicationId = await created('/saml-applications', {
    name: fresh('saml'),
    nameIdFormat: NAME_ID_FORMATS[0],
  })
  const secretId = await created(`/saml-applications/${samlApplicationId}/secrets`, { lifeSpanInYears: 1 })
  await api('PUT', `/custom-phrases/${languageTag}`, { signIn: 'Hello' })
  const machineRoles = { organizationRoleIds: [machineOrganizationRoleId] }
  const consents = `/applications/${thirdPartyId}/users/${userId}/consent-organizations`
  const [invitationId] = await Promise.all([
    created('/organization-invitations', {
      ...{ organizationId, invitee: `${fresh('guest')}@example.com`, expiresAt: FAR, inviterId: userId },
      organizationRoleIds: [organizationRoleId],
    }),
    api('POST', `/applications/${applicationId}/roles`, { roleIds: [roleId] }),
    api('PUT', `/applications/${applicationId}/sign-in-experience`, { displayName: 'Shown' }),
    api('POST', `${organization}/users/${userId}/roles`, { organizationRoleIds: [organizationRoleId] }),
    api('POST', `${organization}/applications/${applicationId}/roles`, machineRoles),
    api('POST', `${organization}/jit/roles`, { organizationRoleIds: [organizationRoleId] }),
    api('POST', consents, { organizationIds: [organizationId] }),
  ])
  await api('POST', `/users/${userId}/mfa-verifications`, { type: 'Totp' })
  const { rows: devices } = await server.store.database.pool.query(
    `INSERT INTO trusted_devices (tenant_id, id, user_id, secret_hash, created_at, last_used_at, expires_at)
     VALUES ('default', $1, $2, $3, now(), now(), now() + interval '1 year') RETURNING id`,
    [randomBytes(6).toString('hex'), userId, randomBytes(32)],
  )
  const trustedDeviceId: string = devices[0].id
  await server.store.database.pool.query(
    `INSERT INTO user_sso_identities
       (tenant_id, id, user_id, connector_id, issuer, identity_id, detail, created_at, updated_at)
     VALUES ('default', $1, $2, $3, 'https://idp.example', $2, '{}', now(), now())`,
    [randomBytes(6).toString('hex'), userId, ssoConnectorId],
  )
  const kept = fresh('kept')
  const client = { issuer: 'https://id.example', clientId: 'client', clientSecret: 'secret' }
  const social = { connectorId: 'oidc', config: client, metadata: { target: kept }, enableTokenStorage: true }
  const { body: keeping } = await api('POST', '/connectors', social)
  await api('PUT', `/users/${userId}/identities/${kept}`, { userId: kept })
  const tokenSetId = `secret00000-${userId}`.slice(0, 21)
  await server.store.database.pool.query(
    `INSERT INTO token_sets
       (tenant_id, id, user_id, connector_id, target, identity_id, sealed, metadata, created_at, updated_at)
     VALUES ('default', $1, $2, $3, $4, $4, '', '{"hasRefreshToken":false}', now(), now())`,
    [tokenSetId, userId, keeping.id, kept],
  )
  const signalStreamId = `signals-${webApplicationId}`.slice(0, 21)
  await server.store.database.pool.query(
    `INSERT INTO signal_streams (tenant_id, id, application_id, events_requested, created_at, active_at)
     VALUES ('default', $1, $2, '{}', now(), now())`,
    [signalStreamId, webApplicationId],
  )
  const { body: factors } = await api('GET', `/users/${userId}/mfa-verifications`)
  clock.advance(1)
  const address = `${fresh('free')}@example.com`
  await api('PATCH', `/users/${freeUserId}`, { primaryEmail: address })
  const acceptable = { organizationId, invitee: address, expiresAt: FAR }
  const acceptableInvitationId = await created('/organization-invitations', acceptable)
  const { body: keys } = await api('POST', '/configs/oidc/private-keys/rotate', { rotationGracePeriod: 0 })
  const { body: logs } = await api('GET', '/logs?page_size=1')
  const replay = { since: clock.now().getTime() - 1000, events: ['OrganizationScope.Created'] }
  await api('POST', `/hooks/${hookId}/replay`, replay)
  const { body: deliveries } = await api('GET', `/hooks/${hookId}/deliveries`)
  return {
    resourceId,
    scopeId,
    freeScopeId,
    typeId,
    roleId,
    freeRoleId,
    applicationId,
    freeApplicationId,
    userId,
    freeUserId,
    userRoleId,
    freeUserRoleId,
    keyId: keys.find(({ status }: { status: string }) => status === 'Previous').id,
    logId: logs[0].id,
    name: 'Default secret',
    sessionId,
    grantId,
    verificationId: factors[0].id,
    trustedDeviceId,
    thirdPartyId,
    scopeType: 'resource-scopes',
    tokenTypePath,
    version: '1',
    connectorId,
    factoryId: SMTP,
    ssoConnectorId,
    freeSsoConnectorId,
    ssoSigningKeyId,
    webApplicationId,
    mailPort: String(port),
    hookId,
    deliveryId: deliveries[0].id,
    signalStreamId,
    receiverUrl,
    organizationId,
    organizationScopeId,
    freeOrganizationScopeId,
    organizationRoleId,
    freeOrganizationRoleId,
    machineOrganizationRoleId,
    freeMachineOrganizationRoleId,
    emailDomain,
    domain,
    emailTemplateId,
    profileField,
    target: TARGET,
    oneTimeTokenId: oneTimeToken.id,
    oneTimeToken: oneTimeToken.token,
    oneTimeTokenEmail,
    scimDirectoryId,
    tokenSetId,
    scimTokenId: scimToken.id,
    scimGroupId: scimGroup.id,
    initialAccessTokenId,
    samlApplicationId,
    secretId,
    templateLanguage,
    languageTag,
    invitationId,
    acceptableInvitationId,
    impersonationId,
    administratorRoleId,
  }
}

const AREA_IDS = {
  resources: 'resourceId',
  roles: 'roleId',
  applications: 'applicationId',
  logs: 'logId',
  connectors: 'connectorId',
  'sso-connectors': 'ssoConnectorId',
  hooks: 'hookId',
  'connector-factories': 'factoryId',
  'email-templates': 'emailTemplateId',
  'one-time-tokens': 'oneTimeTokenId',
  'scim-directories': 'scimDirectoryId',
  'initial-access-tokens': 'initialAccessTokenId',
  'saml-applications': 'samlApplicationId',
  secrets: 'tokenSetId',
  organizations: 'organizationId',
  'organization-roles': 'organizationRoleId',
  'organization-scopes': 'organizationScopeId',
  'organization-invitations': 'invitationId',
  'administrator-roles': 'administratorRoleId',
  impersonations: 'impersonationId',
  'signal-streams': 'signalStreamId',
} as const

/** Users hold roles of another type than applications do. */
const concernsUsers = (path: string): boolean => path.split('/').includes('users')

/** The world with what is meant where a path names things of another type, or members. */
const meantBy = (path: string, world: World): World =>
  // the world stays behind it, unread: what a request names of one is seen by what is read
  Object.assign(Object.create(world), {
    ...(concernsUsers(path) || path.startsWith('/scim-directories')
      ? { roleId: world.userRoleId, freeRoleId: world.freeUserRoleId }
      : {}),
    ...(/user-consent-scopes|consent-organizations|access-control/.test(path)
      ? { applicationId: world.thirdPartyId }
      : {}),
    ...(path.startsWith('/organizations/:id/applications')
      ? {
          organizationRoleId: world.machineOrganizationRoleId,
          freeOrganizationRoleId: world.freeMachineOrganizationRoleId,
        }
      : {}),
    ...(path.startsWith('/administrators') ? { freeRoleId: world.administratorRoleId } : {}),
    ...(path.startsWith('/sso-connectors') ? { keyId: world.ssoSigningKeyId } : {}),
    ...(path.startsWith('/custom-profile-fields') ? { name: world.profileField } : {}),
    ...(/^\/organizations\/:id\/\w+\/roles$/.test(path)
      ? { freeUserId: world.userId, freeApplicationId: world.applicationId }
      : {}),
  })

/** The path of a route with the ids of a world in it. */
export const pathIn = (world: World, { method, path }: Route): string => {
  const own = AREA_IDS[(path.split('/')[1] ?? '') as keyof typeof AREA_IDS]
  const held = meantBy(path, world)
  const filled = path.replace(/:(\w+)/g, (_, parameter: string) => {
    const value = parameter === 'id' ? held[own] : held[parameter as keyof World]
    if (value === undefined) throw new Error(`${path}: the world has no ${parameter}`)
    return encodeURIComponent(value)
  })
  // without these they are refused
  if (method === 'DELETE' && path === '/email-templates') return `${filled}?languageTag=${world.templateLanguage}`
  return path === '/text-messages/preview' ? `${filled}?usageType=SignIn` : filled
}

/** The path with well-formed ids that name nothing. */
export const unknownPath = ({ path }: Route): string =>
  path
    .replace(':scopeType', NOWHERE.scopeType)
    // there are two, and the worlds have the other one
    .replace(':tokenTypePath', 'client-credentials')
    .replace(':languageTag', 'qaa')
    .replace(':version', '999')
    .replace(/:\w+/g, '000000000000000000000')

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minLength?: number
  readonly minItems?: number
  readonly minimum?: number
}

/** Fields whose value must mean something; every other required field is made from its schema. */
const meaningful = (world: World): Record<string, () => unknown> => ({
  indicator: () => `https://${fresh('sample')}.example`,
  name: () => fresh('sample'),
  scopeIds: () => [world.freeScopeId],
  roleIds: () => [world.freeRoleId],
  applicationIds: () => [world.freeApplicationId],
  defaultApplicationId: () => world.webApplicationId,
  userIds: () => [world.freeUserId],
  connectorId: () => SMTP,
  config: () => ({ ...configOf({ port: Number(world.mailPort) }), url: world.receiverUrl }),
  organizationScopeIds: () => [world.freeOrganizationScopeId],
  organizationRoleIds: () => [world.freeOrganizationRoleId],
  organizationIds: () => [world.organizationId],
  ssoConnectorIds: () => [world.freeSsoConnectorId],
  connectorName: () => fresh('sample'),
  organizationId: () => world.organizationId,
  emailDomain: () => `${fresh('sample')}.example`,
  domain: () => `${fresh('sample')}.example`,
  invitee: () => `${fresh('sample')}@example.com`,
  expiresAt: () => FAR,
  status: () => 'Revoked',
  currentName: () => 'Default secret',
  script: () => CLAIMS_SCRIPT,
  userId: () => world.userId,
  schema: () => DETAILS_SCHEMA,
})

/** A PNG of one pixel. */
const SAMPLE_IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
)

/** The body of an upload. @param name of the field */
export const uploadOf = (file: Uint8Array<ArrayBuffer>, name = 'file'): FormData => {
  const form = new FormData()
  form.set(name, new Blob([file]), 'image')
  return form
}

const DETAILS_SCHEMA = { type: 'object' }
const CAPTCHA = { type: 'Turnstile', siteKey: 'site', secretKey: 'secret' }

const sampleOf = (schema: Schema, world: World): unknown => {
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], world)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => {
          const known = meaningful(world)[name]
          return [name, known ? known() : sampleOf(schema.properties?.[name] ?? {}, world)]
        }),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}, world))
    case 'string':
      return 'x'.repeat(schema.minLength ?? 1)
    case 'boolean':
      return true
    default:
      return schema.minimum ?? 0
  }
}

/** Routes that succeed only with what was sent to a person, with a provider or a record elsewhere, or where no two things have one name. */
const NEED_CODES: ReadonlySet<string> = new Set([
  'verifyOperatorCode',
  'addUserIdentity',
  'exportTenant',
  'getConnectorAuthorizationUri',
  'checkConnectorProvider',
  'verifyOrganizationDomain',
])
export const needsCode = ({ id }: Route): boolean => NEED_CODES.has(id)

/** The least body that the route accepts, made from its schema. */
export const sampleBody = (route: Route, world: World): unknown => {
  if (route.upload) return uploadOf(SAMPLE_IMAGE)
  // the user of the world has an app
  if (route.id === 'createUserFactor')
    return { type: 'BackupCode', codes: Array.from({ length: 10 }, (_, index) => `${index}`.repeat(10)) }
  const field = { name: fresh('field').replace('-', ''), type: 'Text', required: false }
  if (route.id === 'createCustomProfileField') return field
  if (route.id === 'createCustomProfileFields') return [field]
  // a place that no other has
  if (route.id === 'orderCustomProfileFields')
    return { order: [{ name: world.profileField, sieOrder: 1000 + Number(/\d+$/.exec(field.name)) }] }
  return (
    route.body && {
      ...(sampleOf(route.body as Schema, meantBy(route.path, world)) as object),
      ...(route.id === 'checkPassword' ? { password: 'a long enough phrase' } : {}),
      ...(/^\/(verification-codes|one-time-tokens|connectors\/:factoryId)/.test(route.path)
        ? { email: `${fresh('sample')}@example.com` }
        : {}),
      // passwords do not expire in the tenant of the world
      ...(route.id === 'expireUserPassword' ? { isExpired: false } : {}),
      ...(route.id === 'addUserIdentity' ? { connectorId: world.connectorId } : {}),
      ...(route.id === 'putUserIdentity' ? { userId: fresh('identity') } : {}),
      ...(route.id === 'putCaptchaProvider' ? { config: CAPTCHA } : {}),
      ...(route.id === 'testJwtCustomizer' ? { token: {} } : {}),
      ...(route.id === 'setOneTimeTokenStatus' ? { status: 'revoked' } : {}),
      ...(route.id === 'setSignalStreamStatus' ? { status: 'paused' } : {}),
      ...(route.id === 'verifyOneTimeToken' ? { token: world.oneTimeToken, email: world.oneTimeTokenEmail } : {}),
      ...(route.id === 'importUsers' ? { importId: fresh('import'), firstLine: 1, lines: ['{}'] } : {}),
      ...(route.path.startsWith('/configs/declaration/') ? { text: 'resources: []\n' } : {}),
      ...(route.id === 'createImpersonation'
        ? { applicationId: world.webApplicationId, resourceId: world.resourceId }
        : {}),
      ...(route.id === 'updateSecuritySettings' ? { profile: 'none', requirePushedAuthorizationRequests: false } : {}),
      ...(route.id === 'updateClientRegistration' ? { mode: 'initial-access-token' } : {}),
      ...(route.id === 'createAuthorizationDetailsType' ? { type: fresh('details') } : {}),
      ...(route.id === 'createHook' ? { events: ['User.Created'] } : {}),
      ...(route.id === 'deletePersonalAccessTokenByBody' ? { name: world.name } : {}),
    }
  )
}

/** A world of ids that name nothing, for requests that must not get as far as looking. */
export const NOWHERE: World = {
  resourceId: '0',
  scopeId: '0',
  freeScopeId: '0',
  typeId: '0',
  roleId: '0',
  freeRoleId: '0',
  applicationId: '0',
  freeApplicationId: '0',
  userId: '0',
  freeUserId: '0',
  userRoleId: '0',
  freeUserRoleId: '0',
  keyId: '0',
  logId: '0',
  name: '0',
  sessionId: '0',
  grantId: '0',
  verificationId: '0',
  trustedDeviceId: '0',
  thirdPartyId: '0',
  scopeType: 'resource-scopes',
  tokenTypePath: 'access-token',
  version: '1',
  connectorId: '0',
  factoryId: '0',
  ssoConnectorId: '0',
  freeSsoConnectorId: '0',
  ssoSigningKeyId: '0',
  webApplicationId: '0',
  mailPort: '1',
  hookId: '0',
  deliveryId: '0',
  signalStreamId: '0',
  receiverUrl: 'http://127.0.0.1:1',
  organizationId: '0',
  organizationScopeId: '0',
  freeOrganizationScopeId: '0',
  organizationRoleId: '0',
  freeOrganizationRoleId: '0',
  machineOrganizationRoleId: '0',
  freeMachineOrganizationRoleId: '0',
  emailDomain: '0',
  domain: '0',
  emailTemplateId: '0',
  profileField: '0',
  target: TARGET,
  oneTimeTokenId: '0',
  oneTimeToken: '0',
  oneTimeTokenEmail: 'nobody@example.com',
  scimDirectoryId: '0',
  tokenSetId: '0',
  scimTokenId: '0',
  scimGroupId: '0',
  initialAccessTokenId: '0',
  samlApplicationId: '0',
  secretId: '0',
  templateLanguage: 'zz-0',
  languageTag: 'zz',
  invitationId: '0',
  acceptableInvitationId: '0',
  impersonationId: '0',
  administratorRoleId: '0',
}

/** A form as multipart/form-data, as it goes out. */
export const encodedForm = async (form: FormData): Promise<{ bytes: Buffer; contentType: string }> => {
  const encoded = new Response(form)
  return {
    bytes: Buffer.from(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type') ?? '',
  }
}

const callWithForm = async (
  baseUrl: string,
  method: string,
  path: string,
  token: string | undefined,
  form: FormData,
  more: Record<string, string>,
): Promise<Reply> => {
  const { bytes, contentType } = await encodedForm(form)
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    'content-type': contentType,
    ...more,
  }
  return send(`${baseUrl}/api${path}`, { method, headers, body: bytes })
}

/** One request to `/api` exactly as given. @param body bytes or text as they go out; anything else as JSON */
export const call = (
  { baseUrl }: { readonly baseUrl: string },
  method: string,
  path: string,
  { token, body, headers = {} }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> => {
  if (body instanceof FormData) return callWithForm(baseUrl, method, path, token, body, headers)
  const raw = typeof body === 'string' || body instanceof Uint8Array || body === undefined ? body : JSON.stringify(body)
  return send(`${baseUrl}/api${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      // node's client frames the body of a DELETE only when it is told its length
      ...(raw === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(raw) }),
      ...headers,
    } as Record<string, string>,
    body: raw,
  })
}
