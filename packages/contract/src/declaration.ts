/** The set-up of a tenant as a file: what `countersign apply` takes and `countersign export` writes. */
import Type, { type Static } from 'typebox'
import { AccountCenterSettings } from './account-center.ts'
import { AdministratorRoleCreate } from './administrators.ts'
import { ApplicationCreate, ApplicationType } from './applications.ts'
import { AuthorizationDetailsTypeCreate } from './authorization-details.ts'
import { CaptchaConfig } from './captcha-provider.ts'
import { ClientDocumentSettingsChange } from './client-documents.ts'
import { RegistrationSettingsChange } from './client-registration.ts'
import { ConnectorCreate } from './connectors.ts'
import { CustomPhraseTranslation } from './custom-phrases.ts'
import { CustomProfileFieldCreate } from './custom-profile-fields.ts'
import { EmailTemplateInput, LanguageTag } from './email-templates.ts'
import { HeaderName, HeaderValue, HookConfig, HookCreate, HookName, MOST_HEADERS } from './hooks.ts'
import { IdTokenSettingsChange } from './id-token-settings.ts'
import {
  type CustomizedToken,
  EnvironmentVariable,
  JwtCustomizer,
  MOST_ENVIRONMENT_VARIABLES,
} from './jwt-customizer.ts'
import { OrganizationRoleCreate, OrganizationScopeCreate } from './organization-template.ts'
import { ResourceCreate, ScopeCreate } from './resources.ts'
import { RoleCreate } from './roles.ts'
import { SamlApplicationCreate } from './saml-applications.ts'
import { Nullable } from './schema.ts'
import { SecuritySettingsChange } from './security-settings.ts'
import { SignInExperienceUpdate, SWITCHED_OFF } from './sign-in-experience.ts'
import { TenantSsoConnector } from './sso-connectors.ts'
import { idpInitiatedFields } from './sso-idp-initiated.ts'
import { UserConsentScopes } from './user-consent-scopes.ts'

/** Stands for the indicator of the Management API, which is another in every tenant; no indicator can be this word. */
export const MANAGEMENT_API = 'management-api'

const Names = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 10_000 })
const Grants = Type.Record(Type.String(), Names, {
  description: `Indicator of an API resource, or ${MANAGEMENT_API} → names of its permissions. The role has exactly these`,
})
const ConsentGrants = Type.Record(Type.String(), Names, {
  description: 'Indicator of an API resource → names of its permissions. Exactly these',
})

const { scopeIds: _byId, ...role } = RoleCreate.properties
const { organizationScopeIds: _ids, resourceScopeIds: _others, ...organizationRole } = OrganizationRoleCreate.properties

const signInExperience = Object.fromEntries(
  Object.entries(SignInExperienceUpdate.properties).filter(([name]) => !(SWITCHED_OFF as string[]).includes(name)),
) as Omit<typeof SignInExperienceUpdate.properties, (typeof SWITCHED_OFF)[number]>

const DeclaredResource = Type.Object({
  ...ResourceCreate.properties,
  permissions: Type.Optional(Type.Array(ScopeCreate, { maxItems: 10_000 })),
  authorizationDetailsTypes: Type.Optional(
    Type.Array(AuthorizationDetailsTypeCreate, { maxItems: 200, description: 'Identified by their `type`' }),
  ),
})
const DeclaredRole = Type.Object({ ...role, permissions: Type.Optional(Grants) })
const DeclaredConsentScopes = Type.Object(
  {
    userScopes: UserConsentScopes.properties.userScopes,
    resourceScopes: Type.Optional(ConsentGrants),
    organizationScopes: Type.Optional(Names),
    organizationResourceScopes: Type.Optional(ConsentGrants),
  },
  { description: 'What third-party applications, or clients with documents, may ask users for' },
)
const DeclaredAccessControl = Type.Object(
  { userRoles: Type.Optional(Names) },
  { description: 'Names of the roles whose users may use it. Rules for users and organizations are left as they are' },
)
const DeclaredApplication = Type.Object({
  ...ApplicationCreate.properties,
  type: ApplicationType,
  roles: Type.Optional(Type.Array(Type.String(), { maxItems: 1000, description: 'Names. It holds exactly these' })),
  userConsentScopes: Type.Optional(DeclaredConsentScopes),
  accessControl: Type.Optional(DeclaredAccessControl),
})
const DeclaredSamlApplication = Type.Object({
  ...SamlApplicationCreate.properties,
  accessControl: Type.Optional(DeclaredAccessControl),
})
const DeclaredOrganizationRole = Type.Object({
  ...organizationRole,
  permissions: Type.Optional(Names),
  apiPermissions: Type.Optional(Grants),
})
const OrganizationTemplate = Type.Object({
  permissions: Type.Optional(Type.Array(OrganizationScopeCreate, { maxItems: 10_000 })),
  roles: Type.Optional(Type.Array(DeclaredOrganizationRole, { maxItems: 10_000 })),
})

const DeclaredSsoConnector = Type.Object({
  ...TenantSsoConnector.properties,
  idpInitiatedAuthConfig: Type.Optional(
    Nullable(
      Type.Object({
        defaultApplication: Type.String({ description: 'A name' }),
        ...idpInitiatedFields,
      }),
    ),
  ),
})

const WITHHELD = 'The list of names is complete; a null value keeps the stored one'
const { event: _single, config: _config, ...hook } = HookCreate.properties
const DeclaredHook = Type.Object({
  ...hook,
  name: HookName,
  config: Type.Object({
    ...HookConfig.properties,
    headers: Type.Optional(
      Type.Record(HeaderName, Nullable(HeaderValue), {
        maxProperties: MOST_HEADERS,
        additionalProperties: false,
        description: WITHHELD,
      }),
    ),
  }),
})
const DeclaredCustomizer = Type.Object({
  ...JwtCustomizer.properties,
  environmentVariables: Type.Optional(
    Type.Record(Type.String(), Nullable(EnvironmentVariable), {
      maxProperties: MOST_ENVIRONMENT_VARIABLES,
      description: WITHHELD,
    }),
  ),
})
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the file writes it
const VARIABLES = 'may contain ${NAME}, an environment variable; $${NAME} is a literal ${NAME}'

/** A section that is left out is left as it is, and so is a field. */
export const Declaration = Type.Object({
  resources: Type.Optional(Type.Array(DeclaredResource, { description: 'Identified by their indicators' })),
  roles: Type.Optional(Type.Array(DeclaredRole, { description: 'Identified by their names' })),
  applications: Type.Optional(Type.Array(DeclaredApplication, { description: 'Identified by their names' })),
  samlApplications: Type.Optional(
    Type.Array(DeclaredSamlApplication, { maxItems: 10_000, description: 'Identified by their names' }),
  ),
  organizationTemplate: Type.Optional(OrganizationTemplate),
  connectors: Type.Optional(
    Type.Array(ConnectorCreate, {
      description: `Texts ${VARIABLES}`,
    }),
  ),
  ssoConnectors: Type.Optional(
    Type.Array(DeclaredSsoConnector, { description: `Identified by connectorName. Texts ${VARIABLES}` }),
  ),
  emailTemplates: Type.Optional(
    Type.Array(EmailTemplateInput, { maxItems: 1000, description: 'Identified by languageTag and templateType' }),
  ),
  customProfileFields: Type.Optional(
    Type.Array(CustomProfileFieldCreate, { maxItems: 200, description: 'Identified by their names, in their order' }),
  ),
  customPhrases: Type.Optional(
    Type.Record(LanguageTag, CustomPhraseTranslation, {
      maxProperties: 200,
      additionalProperties: false,
      description: 'Language tag → your own phrases in that language, which then has exactly these',
    }),
  ),
  administratorRoles: Type.Optional(
    Type.Array(AdministratorRoleCreate, {
      maxItems: 1000,
      description: 'Your own roles of administrators, identified by their names. Who holds them is not in the file',
    }),
  ),
  captchaProvider: Type.Optional(
    Type.Union([CaptchaConfig, Type.Null()], { description: `null is none. Texts ${VARIABLES}` }),
  ),
  accountCenter: Type.Optional(AccountCenterSettings),
  security: Type.Optional(SecuritySettingsChange),
  clientRegistration: Type.Optional(RegistrationSettingsChange),
  clientDocuments: Type.Optional(
    Type.Object(
      { ...ClientDocumentSettingsChange.properties, userConsentScopes: Type.Optional(DeclaredConsentScopes) },
      { description: 'Clients whose id is the address of a document about them' },
    ),
  ),
  idToken: Type.Optional(IdTokenSettingsChange),
  signInExperience: Type.Optional(Type.Object(signInExperience)),
  hooks: Type.Optional(Type.Array(DeclaredHook, { description: `Identified by their names. Strings ${VARIABLES}` })),
  jwtCustomizers: Type.Optional(
    Type.Object(
      {
        'access-token': Type.Optional(DeclaredCustomizer),
        'client-credentials': Type.Optional(DeclaredCustomizer),
      } satisfies Record<CustomizedToken, unknown>,
      { description: `Custom claims scripts. Strings in environmentVariables, but not in scripts, ${VARIABLES}` },
    ),
  ),
})

export type DeclaredResource = Static<typeof DeclaredResource>
export type DeclaredRole = Static<typeof DeclaredRole>
export type DeclaredAdministratorRole = Static<typeof AdministratorRoleCreate>
export type DeclaredSamlApplication = Static<typeof DeclaredSamlApplication>
export type DeclaredApplication = Static<typeof DeclaredApplication>
export type DeclaredHook = Static<typeof DeclaredHook>
export type DeclaredCustomizer = Static<typeof DeclaredCustomizer>
export type DeclaredOrganizationRole = Static<typeof DeclaredOrganizationRole>
export type Declaration = Static<typeof Declaration>
/** Typed apart, so that the settings of a connector are not spelled out twice. */
export type DeclaredConnector = Static<typeof ConnectorCreate>
export type DeclaredSsoConnector = Static<typeof DeclaredSsoConnector>
