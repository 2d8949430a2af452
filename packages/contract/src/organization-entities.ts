/** Organizations, their roles and their permissions as the Management API shows them; the routes are beside it. */
import Type from 'typebox'
import { EpochMilliseconds, Id, JsonObject, Nullable, OneOf } from './schema.ts'

export const OrganizationName = Type.String({ minLength: 1, maxLength: 128 })
export const OrganizationDescription = Nullable(Type.String({ maxLength: 256 }))

const Color = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#2f4fd0'] })
const Link = Type.String({ maxLength: 2048, description: 'http or https' })
export const OrganizationColor = Type.Object({
  primaryColor: Type.Optional(Color),
  isDarkModeEnabled: Type.Optional(Type.Boolean()),
  darkPrimaryColor: Type.Optional(Color),
})
export const OrganizationBranding = Type.Object({
  logoUrl: Type.Optional(Link),
  darkLogoUrl: Type.Optional(Link),
  favicon: Type.Optional(Link),
  darkFavicon: Type.Optional(Link),
})

export const Organization = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: OrganizationName,
  description: OrganizationDescription,
  customData: JsonObject,
  isMfaRequired: Type.Boolean(),
  isTrustedDeviceAllowed: Type.Boolean(),
  color: OrganizationColor,
  branding: OrganizationBranding,
  customCss: Nullable(Type.String()),
  createdAt: EpochMilliseconds,
})

/** What else names a role: with members, and in an invitation. */
export const OrganizationRoleSummary = Type.Object({ id: Id, name: Type.String() })

/** An organization as one of its members sees it. */
export const OrganizationWithRoles = Type.Object({
  ...Organization.properties,
  organizationRoles: Type.Array(OrganizationRoleSummary, {
    description: 'Those that the member holds in the organization',
  }),
})

export const OrganizationRoleType = OneOf(['User', 'MachineToMachine'])

export const OrganizationScope = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: Type.String(),
  description: OrganizationDescription,
})

export const OrganizationRole = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: OrganizationName,
  description: OrganizationDescription,
  type: OrganizationRoleType,
})
