/** SAML applications: service providers for which this server is the identity provider (SAML 2.0). */
import Type from 'typebox'
import { routes, WHOLE } from './route.ts'
import { EpochMilliseconds, Id, JsonObject, Nullable, OneOf } from './schema.ts'

export const NAME_ID_FORMATS = [
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
] as const

export const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
export const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
export const SOAP_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:SOAP'

/** The claims that can become attributes of an assertion. */
export const SAML_CLAIMS = [
  'sub',
  'name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'email',
  'email_verified',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'phone_number',
  'phone_number_verified',
  'address',
  'updated_at',
  'username',
  'created_at',
  'custom_data',
  'identities',
  'sso_identities',
  'roles',
  'organizations',
  'organization_data',
  'organization_roles',
] as const
export type SamlClaim = (typeof SAML_CLAIMS)[number]

const Url = Type.String({ minLength: 1, maxLength: 2048 })
const Certificate = Type.String({ minLength: 1, maxLength: 8192, description: 'An X.509 certificate in PEM' })
const AttributeName = Type.String({ minLength: 1, maxLength: 256 })

const AttributeMapping = Type.Partial(
  Type.Object(
    Object.fromEntries(SAML_CLAIMS.map((claim) => [claim, AttributeName])) as Record<SamlClaim, typeof AttributeName>,
  ),
  { description: 'Claim → name of the attribute in assertions. Claims that are not named are not sent' },
)
const AcsUrl = Type.Object(
  { binding: OneOf([POST_BINDING, REDIRECT_BINDING]), url: Url },
  { description: 'The Assertion Consumer Service of the application, which gets responses by HTTP-POST' },
)
const Encryption = Type.Object({
  encryptAssertion: Type.Optional(Type.Boolean()),
  encryptThenSign: Type.Optional(
    Type.Boolean({ description: 'Signs the response with the encrypted assertion in it, whatever signResponse says' }),
  ),
  certificate: Type.Optional(Certificate),
})
const SingleLogout = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'Where the browser brings logout requests when a session ends elsewhere, and responses to its own',
  }),
  binding: OneOf([POST_BINDING, REDIRECT_BINDING], { description: 'How the browser brings both' }),
  backChannelUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Gets logout requests by the SOAP binding, without the browser and in place of url',
    }),
  ),
})

const settings = {
  attributeMapping: AttributeMapping,
  entityId: Nullable(Type.String({ minLength: 1, maxLength: 128 })),
  acsUrl: Nullable(AcsUrl),
  otherAcsUrls: Type.Array(Url, {
    maxItems: 20,
    description: 'Further addresses that its requests may name. acsUrl has index 0, the first of these index 1',
  }),
  encryption: Nullable(Encryption),
  nameIdFormat: OneOf(NAME_ID_FORMATS),
  signResponse: Type.Boolean({ description: 'Signs responses besides the assertions in them; on by default' }),
  requestCertificates: Type.Array(Certificate, {
    maxItems: 4,
    description: 'Verify signed requests of the application. Needed for single logout',
  }),
  requireSignedRequests: Type.Boolean({ description: 'Refuses unsigned requests; off by default' }),
  allowIdpInitiated: Type.Boolean({
    description: 'Lets a sign-in start at this server, without a request of the application; off by default',
  }),
  singleLogout: Nullable(SingleLogout),
}

const Name = Type.String({ minLength: 1, maxLength: 256 })
const Description = Nullable(Type.String({ maxLength: 1024 }))
const AccessControl = Type.Boolean({
  description: 'Only users admitted by its access rules can use it; off by default, which lets every user use it',
})

const SamlApplication = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: Name,
  description: Description,
  type: OneOf(['SAML']),
  customData: JsonObject,
  isThirdParty: Type.Boolean(),
  appLevelAccessControlEnabled: AccessControl,
  createdAt: EpochMilliseconds,
  ...settings,
})

const { nameIdFormat, ...optional } = settings
export const SamlSettings = Type.Object(settings)
export const SamlApplicationCreate = Type.Object({
  name: Name,
  description: Type.Optional(Description),
  customData: Type.Optional(JsonObject),
  appLevelAccessControlEnabled: Type.Optional(AccessControl),
  nameIdFormat,
  ...Type.Partial(Type.Object(optional)).properties,
})
export const SamlApplicationUpdate = Type.Object({
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  customData: Type.Optional(JsonObject),
  appLevelAccessControlEnabled: Type.Optional(AccessControl),
  ...Type.Partial(SamlSettings).properties,
})

const SamlKey = Type.Object({
  id: Id,
  certificate: Type.String({ description: 'In PEM' }),
  createdAt: EpochMilliseconds,
  expiresAt: EpochMilliseconds,
  active: Type.Boolean({ description: 'Whether it signs. The others are in the metadata as well' }),
  fingerprints: Type.Object({
    sha256: Type.Object({ formatted: Type.String(), unformatted: Type.String() }),
  }),
})

const ById = Type.Object({ id: Id })
const OneKey = Type.Object({ id: Id, secretId: Id })
const settingsErrors = [
  'application.saml.acs_url_binding_not_supported',
  'application.saml.acs_url_scheme_not_supported',
  'application.saml.invalid_certificate_pem_format',
] as const

export const samlApplicationRoutes = routes({
  createSamlApplication: {
    method: 'POST',
    path: '/saml-applications',
    permission: 'write:applications',
    summary: 'Register a SAML application',
    description: 'It gets a key with a certificate that is valid for three years.',
    body: SamlApplicationCreate,
    status: 201,
    response: SamlApplication,
    errors: settingsErrors,
  },
  getSamlApplication: {
    method: 'GET',
    path: '/saml-applications/:id',
    permission: 'read:applications',
    version: WHOLE,
    summary: 'Get a SAML application',
    params: ById,
    status: 200,
    response: SamlApplication,
    errors: ['entity.not_exists_with_id', 'application.saml.saml_application_only'],
  },
  updateSamlApplication: {
    method: 'PATCH',
    path: '/saml-applications/:id',
    permission: 'write:applications',
    version: WHOLE,
    summary: 'Change a SAML application',
    description:
      'Each field that is sent replaces the former one, including attributeMapping and encryption as a whole.',
    params: ById,
    body: SamlApplicationUpdate,
    status: 200,
    response: SamlApplication,
    errors: ['entity.not_exists_with_id', 'application.saml.saml_application_only', ...settingsErrors],
  },
  deleteSamlApplication: {
    method: 'DELETE',
    path: '/saml-applications/:id',
    permission: 'write:applications',
    version: WHOLE,
    summary: 'Delete a SAML application',
    params: ById,
    status: 204,
    errors: ['entity.not_exists_with_id', 'application.saml.saml_application_only'],
  },
  listSamlApplicationSecrets: {
    method: 'GET',
    path: '/saml-applications/:id/secrets',
    permission: 'read:applications',
    summary: 'List the certificates of a SAML application',
    params: ById,
    status: 200,
    response: Type.Array(SamlKey),
    errors: ['entity.not_exists_with_id', 'application.saml.saml_application_only'],
  },
  createSamlApplicationSecret: {
    method: 'POST',
    path: '/saml-applications/:id/secrets',
    permission: 'write:applications',
    summary: 'Create a key with a certificate',
    description: 'It is in the metadata at once, and signs when it is made active. There are at most ten.',
    params: ById,
    body: Type.Object({ lifeSpanInYears: Type.Integer({ minimum: 1, maximum: 20 }) }),
    status: 201,
    response: SamlKey,
    errors: ['entity.not_exists_with_id', 'application.saml.saml_application_only', 'application.saml.reach_limit'],
  },
  updateSamlApplicationSecret: {
    method: 'PATCH',
    path: '/saml-applications/:id/secrets/:secretId',
    permission: 'write:applications',
    summary: 'Make a key the active one, or stop using it',
    description: 'The key that was active no longer is. Without an active key, no user can sign in to the application.',
    params: OneKey,
    body: Type.Object({ active: Type.Boolean() }),
    status: 200,
    response: SamlKey,
    errors: ['entity.not_exists_with_id', 'application.saml.saml_application_only'],
  },
  deleteSamlApplicationSecret: {
    method: 'DELETE',
    path: '/saml-applications/:id/secrets/:secretId',
    permission: 'write:applications',
    summary: 'Delete a key that is not active',
    params: OneKey,
    status: 204,
    errors: [
      'entity.not_exists_with_id',
      'application.saml.saml_application_only',
      'application.saml.can_not_delete_active_secret',
    ],
  },
})
