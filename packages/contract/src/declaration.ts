/** The set-up of a tenant as a file: what `countersign apply` takes and `countersign export` writes. */
import Type, { type Static } from 'typebox'
import { ApplicationCreate } from './applications.ts'
import { ConnectorCreate } from './connectors.ts'
import { OrganizationRoleCreate, OrganizationScopeCreate } from './organization-template.ts'
import { ResourceCreate, ScopeCreate } from './resources.ts'
import { RoleCreate } from './roles.ts'
import { SignInExperienceUpdate, SWITCHED_OFF } from './sign-in-experience.ts'

/** Stands for the indicator of the Management API, which is another in every tenant; no indicator can be this word. */
export const MANAGEMENT_API = 'management-api'

const Names = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 10_000 })
const Grants = Type.Record(Type.String(), Names, {
  description: `Indicator of an API resource, or ${MANAGEMENT_API} → names of its permissions. The role has these and no others`,
})

const { scopeIds: _byId, ...role } = RoleCreate.properties
const { organizationScopeIds: _ids, resourceScopeIds: _others, ...organizationRole } = OrganizationRoleCreate.properties

const signInExperience = Object.fromEntries(
  Object.entries(SignInExperienceUpdate.properties).filter(([name]) => !(SWITCHED_OFF as string[]).includes(name)),
) as Omit<typeof SignInExperienceUpdate.properties, (typeof SWITCHED_OFF)[number]>

const DeclaredResource = Type.Object({
  ...ResourceCreate.properties,
  permissions: Type.Optional(Type.Array(ScopeCreate, { maxItems: 10_000 })),
})
const DeclaredRole = Type.Object({ ...role, permissions: Type.Optional(Grants) })
const DeclaredApplication = Type.Object({
  ...ApplicationCreate.properties,
  roles: Type.Optional(
    Type.Array(Type.String(), { maxItems: 1000, description: 'Names. It holds these and no others' }),
  ),
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

/** A section that is left out is left as it is, and so is a field. */
export const Declaration = Type.Object({
  resources: Type.Optional(Type.Array(DeclaredResource, { description: 'Known by their indicators' })),
  roles: Type.Optional(Type.Array(DeclaredRole, { description: 'Known by their names' })),
  applications: Type.Optional(Type.Array(DeclaredApplication, { description: 'Known by their names' })),
  organizationTemplate: Type.Optional(OrganizationTemplate),
  connectors: Type.Optional(
    Type.Array(ConnectorCreate, {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the file writes it
      description: 'Texts may hold ${NAME}, a variable of the environment; $${NAME} is ${NAME}',
    }),
  ),
  signInExperience: Type.Optional(Type.Object(signInExperience)),
})

export type DeclaredResource = Static<typeof DeclaredResource>
export type DeclaredRole = Static<typeof DeclaredRole>
export type DeclaredApplication = Static<typeof DeclaredApplication>
export type DeclaredOrganizationRole = Static<typeof DeclaredOrganizationRole>
export type Declaration = Static<typeof Declaration>
/** Typed apart, so that the settings of a connector are not spelled out twice. */
export type DeclaredConnector = Static<typeof ConnectorCreate>
