/** Applications: the OAuth clients of a tenant (DECISIONS C1). */
import Type from 'typebox'
import { CustomClientMetadata, OidcClientMetadata } from './client-metadata.ts'
import { routes } from './route.ts'
import {
  EpochMilliseconds,
  Id,
  IdListOrNone,
  JsonObject,
  Moment,
  NameOrIdSearch,
  NameSearch,
  Nullable,
  OneOf,
  SECRET,
} from './schema.ts'

/** One of type SAML cannot be made or changed here: it is refused with a code of its own, which tells where it can. */
export const ApplicationType = OneOf(['Native', 'SPA', 'Traditional', 'MachineToMachine', 'SAML'])
const RemovableUri = Type.String({ maxLength: 2048, description: 'The empty string removes it' })
const OidcClientMetadataUpdate = Type.Object({
  ...Type.Partial(OidcClientMetadata).properties,
  backchannelLogoutUri: Type.Optional(RemovableUri),
  backchannelClientNotificationEndpoint: Type.Optional(RemovableUri),
  logoUri: Type.Optional(RemovableUri),
})

const Name = Type.String({ minLength: 1, maxLength: 256 })
const Description = Nullable(Type.String({ maxLength: 1024 }))
const AccessControl = Type.Boolean({
  description: 'Only users admitted by its access rules can use it; off by default, which lets every user use it',
})

/** What an application that registered itself (RFC 7591) said of itself, beside what it has settings for. */
export const ApplicationRegistration = Type.Object({
  applicationType: OneOf(['web', 'native']),
  grantTypes: Type.Array(Type.String(), { description: 'The grants that it may use, and no others' }),
  scope: Type.String({ description: 'What it may ask for' }),
  clientUri: Type.Optional(Type.String()),
  policyUri: Type.Optional(Type.String()),
  tosUri: Type.Optional(Type.String()),
  contacts: Type.Optional(Type.Array(Type.String())),
  softwareId: Type.Optional(Type.String()),
  softwareVersion: Type.Optional(Type.String()),
  softwareStatement: Type.Optional(Type.String()),
})

export const Application = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: Name,
  description: Description,
  type: ApplicationType,
  oidcClientMetadata: OidcClientMetadata,
  customClientMetadata: CustomClientMetadata,
  customData: JsonObject,
  isThirdParty: Type.Boolean(),
  appLevelAccessControlEnabled: AccessControl,
  registration: Nullable(ApplicationRegistration),
  protectedAppMetadata: Type.Null({ description: 'Applications protected by a proxy do not exist' }),
  createdAt: EpochMilliseconds,
})

export const ApplicationCreate = Type.Object({
  name: Name,
  type: ApplicationType,
  description: Type.Optional(Description),
  oidcClientMetadata: Type.Optional(Type.Partial(OidcClientMetadata)),
  customClientMetadata: Type.Optional(CustomClientMetadata),
  customData: Type.Optional(JsonObject),
  isThirdParty: Type.Optional(Type.Boolean()),
  appLevelAccessControlEnabled: Type.Optional(AccessControl),
})
export const ApplicationUpdate = Type.Object({
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  oidcClientMetadata: Type.Optional(OidcClientMetadataUpdate),
  customClientMetadata: Type.Optional(CustomClientMetadata),
  customData: Type.Optional(JsonObject),
  appLevelAccessControlEnabled: Type.Optional(AccessControl),
})

const SecretName = Type.String({ minLength: 1, maxLength: 256 })
export const ApplicationSecret = Type.Object({
  tenantId: Type.String(),
  applicationId: Id,
  name: SecretName,
  value: Type.String(SECRET),
  createdAt: EpochMilliseconds,
  expiresAt: Nullable(EpochMilliseconds),
})

/** A role as its holder shows it. Stands here, not in roles.ts, because roles.ts speaks of applications. */
export const HeldRole = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: Type.String(),
  description: Type.String(),
  type: Type.String(),
  isDefault: Type.Boolean(),
})

const ById = Type.Object({ id: Id })
const OfApplication = Type.Object({ applicationId: Id })
const OneSecret = Type.Object({ id: Id, name: SecretName })
const roleErrors = [
  'entity.not_exists_with_id',
  'application.invalid_type',
  'application.invalid_role_type',
  'entity.relation_foreign_key_not_found',
] as const

export const applicationRoutes = routes({
  listApplications: {
    method: 'GET',
    path: '/applications',
    permission: 'read:applications',
    list: 'whole',
    summary: 'List applications',
    query: Type.Object({
      types: Type.Optional(Type.Union([ApplicationType, Type.Array(ApplicationType)])),
      isThirdParty: Type.Optional(OneOf(['true', 'false'])),
      excludeRoleId: Type.Optional(Type.String()),
      excludeOrganizationId: Type.Optional(Type.String()),
      search: NameOrIdSearch,
    }),
    status: 200,
    response: Type.Array(Application),
  },
  createApplication: {
    method: 'POST',
    path: '/applications',
    permission: 'write:applications',
    summary: 'Register an application',
    description: 'A confidential application gets a secret named "Default secret".',
    body: ApplicationCreate,
    status: 200,
    response: Application,
    errors: [
      'application.saml.use_saml_app_api',
      'application.invalid_third_party_application_type',
      'application.third_party_application_cannot_enable_token_exchange',
      'application.device_flow_native_only',
    ],
  },
  getApplication: {
    method: 'GET',
    path: '/applications/:id',
    permission: 'read:applications',
    version: { ignores: ['isAdmin'] },
    summary: 'Get an application',
    params: ById,
    status: 200,
    response: Type.Object({
      ...Application.properties,
      isAdmin: Type.Boolean({ description: 'Holds every permission of the Management API' }),
    }),
    errors: ['entity.not_exists_with_id'],
  },
  updateApplication: {
    method: 'PATCH',
    path: '/applications/:id',
    permission: 'write:applications',
    version: { ignores: ['isAdmin'] },
    summary: 'Change an application',
    description:
      'oidcClientMetadata is merged field by field; customClientMetadata and customData are replaced, except for isDeviceFlow, which stays. The type cannot be changed. isAdmin grants or removes the permission `all` of the Management API, through the roles that hold it.',
    params: ById,
    body: Type.Object({ ...ApplicationUpdate.properties, isAdmin: Type.Optional(Type.Boolean()) }),
    status: 200,
    response: Application,
    errors: [
      'entity.not_exists_with_id',
      'application.saml.use_saml_app_api',
      'application.third_party_application_cannot_enable_token_exchange',
      'application.device_flow_not_changeable',
      'application.invalid_type',
      'role.default_role_missing',
    ],
  },
  deleteApplication: {
    method: 'DELETE',
    path: '/applications/:id',
    permission: 'write:applications',
    version: { ignores: ['isAdmin'] },
    summary: 'Delete an application',
    params: ById,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  updateApplicationCustomData: {
    method: 'PATCH',
    path: '/applications/:applicationId/custom-data',
    permission: 'write:applications',
    summary: 'Merge values into the custom data of an application',
    params: OfApplication,
    body: JsonObject,
    status: 200,
    response: JsonObject,
    errors: ['entity.not_exists_with_id'],
  },
  listApplicationSecrets: {
    method: 'GET',
    path: '/applications/:id/secrets',
    permission: 'write:applications',
    summary: 'List the secrets of an application with their values',
    params: ById,
    status: 200,
    response: Type.Array(ApplicationSecret),
    errors: ['entity.not_exists_with_id'],
  },
  createApplicationSecret: {
    method: 'POST',
    path: '/applications/:id/secrets',
    permission: 'write:applications',
    summary: 'Add a secret to an application',
    params: ById,
    body: Type.Object({ name: SecretName, expiresAt: Type.Optional(Nullable(Moment)) }),
    status: 201,
    response: ApplicationSecret,
    errors: [
      'entity.not_exists_with_id',
      'application.invalid_type',
      'application.secret_name_exists',
      'request.invalid_input',
    ],
  },
  renameApplicationSecret: {
    method: 'PATCH',
    path: '/applications/:id/secrets/:name',
    permission: 'write:applications',
    summary: 'Rename a secret',
    params: OneSecret,
    body: Type.Object({ name: SecretName }),
    status: 200,
    response: ApplicationSecret,
    errors: ['entity.not_exists_with_id', 'application.secret_name_exists'],
  },
  deleteApplicationSecret: {
    method: 'DELETE',
    path: '/applications/:id/secrets/:name',
    permission: 'write:applications',
    summary: 'Delete a secret; it stops working at once',
    params: OneSecret,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  listApplicationRoles: {
    method: 'GET',
    path: '/applications/:applicationId/roles',
    permission: 'read:applications',
    alsoPermission: 'read:roles',
    list: true,
    summary: 'List the roles of an application',
    params: OfApplication,
    query: Type.Object({ search: NameSearch }),
    status: 200,
    response: Type.Array(HeldRole),
    errors: ['entity.not_exists_with_id', 'application.invalid_type'],
  },
  addApplicationRoles: {
    method: 'POST',
    path: '/applications/:applicationId/roles',
    permission: 'write:applications',
    summary: 'Give roles to an application',
    params: OfApplication,
    body: Type.Object({ roleIds: IdListOrNone }),
    status: 201,
    response: Type.Object({ roleIds: Type.Array(Type.String()), addedRoleIds: Type.Array(Type.String()) }),
    errors: roleErrors,
  },
  replaceApplicationRoles: {
    method: 'PUT',
    path: '/applications/:applicationId/roles',
    permission: 'write:applications',
    summary: 'Replace the roles of an application',
    params: OfApplication,
    body: Type.Object({ roleIds: Type.Array(Type.String({ minLength: 1, maxLength: 21 }), { maxItems: 10_000 }) }),
    status: 200,
    errors: roleErrors,
  },
  removeApplicationRole: {
    method: 'DELETE',
    path: '/applications/:applicationId/roles/:roleId',
    permission: 'write:applications',
    summary: 'Take a role from an application',
    params: Type.Object({ applicationId: Id, roleId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id', 'application.invalid_type'],
  },
})
