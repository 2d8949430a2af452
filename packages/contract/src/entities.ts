/**
 * The entities that events carry before their own routes exist: users, organizations and their template, trusted
 * devices. Field names as the Management API shows them; times in events are ISO 8601 (DECISIONS B1).
 */
import Type from 'typebox'
import { JsonObject, Nullable } from './schema.ts'

const Text = Nullable(Type.String())
export const IsoTime = Type.String({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] })

export const UserEntity = Type.Object({
  id: Type.String(),
  username: Text,
  primaryEmail: Text,
  primaryPhone: Text,
  name: Text,
  avatar: Text,
  customData: JsonObject,
  identities: JsonObject,
  profile: JsonObject,
  applicationId: Text,
  cimdClientId: Text,
  isSuspended: Type.Boolean(),
  lastSignInAt: Nullable(IsoTime),
  createdAt: IsoTime,
  updatedAt: IsoTime,
})

export const OrganizationEntity = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Text,
  customData: JsonObject,
  isMfaRequired: Type.Boolean(),
  isTrustedDeviceAllowed: Type.Boolean(),
  color: JsonObject,
  branding: JsonObject,
  customCss: Text,
  createdAt: IsoTime,
})

export const OrganizationRoleEntity = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Text,
  type: Type.String(),
})

export const OrganizationScopeEntity = Type.Object({ id: Type.String(), name: Type.String(), description: Text })

export const RoleEntity = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  type: Type.String(),
  isDefault: Type.Boolean(),
})

export const ScopeEntity = Type.Object({
  id: Type.String(),
  resourceId: Type.String(),
  name: Type.String(),
  description: Text,
  createdAt: IsoTime,
})

export const TrustedDeviceEntity = Type.Object({ id: Type.String(), userId: Type.String(), expiresAt: IsoTime })

export const ApplicationSummary = Type.Object({
  id: Type.String(),
  type: Type.String(),
  name: Type.String(),
  description: Text,
})
