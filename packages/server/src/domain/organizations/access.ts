/**
 * What a subject holds within one organization (DECISIONS E2): the same question as in access.ts, for memberships.
 * Users are read now, within the statement that reads the user; machines come from the cache.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { SqlValue } from '../../storage/statement.ts'
import type { Store } from '../../storage/store.ts'
import type { Client } from '../applications/clients.ts'
import { consentHolderOf } from '../applications/document-clients.ts'
import { applicationTag } from '../applications/rows.ts'
import { resourceTag } from '../permissions/resources.ts'
import { organizationApplicationTag } from './membership.ts'
import { organizationTag } from './organizations.ts'
import { organizationRoleTag } from './role-rows.ts'
import { organizationScopeTag } from './scopes.ts'

/** Whether a string can be the id of an organization; if not, the database is not queried. */
export const isOrganizationId = (text: string): boolean => /^[0-9a-z]{1,21}$/.test(text)

/** A user as a member of the given organization. */
export interface Membership {
  /** Whether the user allows a third-party application to act in this organization. */
  readonly hasConsented: boolean
  /** Names of the organization permissions that they hold there. */
  readonly permissions: readonly string[]
  /** Names of the permissions of the given API held there; without those of tenant roles. */
  readonly resourcePermissions: readonly string[]
  /** Whether the organization wants second factors of its members. */
  readonly isMfaRequired: boolean
  /** Whether a device that a member trusts may stand for the factor. */
  readonly isTrustedDeviceAllowed: boolean
  /** Whether the user has a second factor that was set up; asked only where the organization wants one. */
  readonly hasFactor: boolean
}

/**
 * The membership of a user, as SQL that returns an object, or null for a non-member.
 * @param userId SQL of the user's id @param resourceId undefined: no API
 */
export const membershipOfUser = (
  { id: tenantId }: { readonly id: SqlValue<string> },
  userId: Expression<string>,
  {
    organizationId,
    applicationId,
    resourceId,
  }: { organizationId: SqlValue<string>; applicationId: SqlValue<string>; resourceId?: SqlValue<string> | undefined },
): RawBuilder<Membership | null> => {
  const rolesOf = sql`organization_user_roles ur
    WHERE ur.tenant_id = m.tenant_id AND ur.organization_id = m.organization_id AND ur.user_id = m.user_id`
  return sql`(
    SELECT jsonb_build_object(
      'isMfaRequired', o.is_mfa_required, 'isTrustedDeviceAllowed', o.is_trusted_device_allowed,
      'hasFactor', o.is_mfa_required AND EXISTS (
        SELECT FROM factors f WHERE f.tenant_id = m.tenant_id AND f.user_id = m.user_id AND f.type <> 'BackupCode'),
      'hasConsented', EXISTS (
        SELECT FROM applications_consent_organizations c
        WHERE c.tenant_id = m.tenant_id AND c.application_id = ${applicationId} AND c.user_id = m.user_id
          AND c.organization_id = m.organization_id),
      'permissions', ARRAY(
        SELECT DISTINCT s.name FROM organization_roles_scopes rs
        JOIN organization_scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.organization_scope_id
        WHERE rs.tenant_id = m.tenant_id AND rs.organization_role_id IN (SELECT ur.organization_role_id FROM ${rolesOf})),
      'resourcePermissions', ${
        resourceId === undefined
          ? sql`ARRAY[]::text[]`
          : sql`ARRAY(
        SELECT DISTINCT s.name FROM organization_roles_resource_scopes rs
        JOIN scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.scope_id AND s.resource_id = ${resourceId}
        WHERE rs.tenant_id = m.tenant_id AND rs.organization_role_id IN (SELECT ur.organization_role_id FROM ${rolesOf}))`
      })
    FROM organization_users m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
    WHERE m.tenant_id = ${tenantId} AND m.organization_id = ${organizationId} AND m.user_id = ${userId})`
}

/** An organization as it appears in claims, with the names of the user's roles there. */
export interface OrganizationOfUser {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly roles: readonly string[]
}

/**
 * The organizations of a user, oldest membership first, as SQL that gives an array of OrganizationOfUser. A third-party
 * application sees only those that the user agreed to.
 */
export const organizationsOfUser = (
  { id: tenantId }: { readonly id: SqlValue<string> },
  userId: Expression<string>,
  { id: applicationId, isThirdParty }: { readonly id: SqlValue<string>; readonly isThirdParty: boolean },
): RawBuilder<OrganizationOfUser[]> => {
  const agreed = sql`AND EXISTS (
    SELECT FROM applications_consent_organizations c
    WHERE c.tenant_id = m.tenant_id AND c.application_id = ${applicationId} AND c.user_id = m.user_id
      AND c.organization_id = m.organization_id)`
  return sql`(
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'description', o.description, 'roles', ARRAY(
      SELECT r.name FROM organization_user_roles ur
      JOIN organization_roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.organization_role_id
      WHERE ur.tenant_id = m.tenant_id AND ur.organization_id = m.organization_id AND ur.user_id = m.user_id
      ORDER BY r.name)) ORDER BY m.created_at, o.id), '[]')
    FROM organization_users m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
    WHERE m.tenant_id = ${tenantId} AND m.user_id = ${userId} ${isThirdParty ? agreed : sql``})`
}

/**
 * What an application holds in an organization, from the cache: names of organization permissions, or of those of a
 * resource when one is named. Undefined: it is not a member.
 */
export const permissionsOfMachine = (
  store: Store,
  { id: tenantId }: Tenant,
  { organizationId, applicationId, resourceId }: { organizationId: string; applicationId: string; resourceId?: string },
): Promise<ReadonlySet<string> | undefined> =>
  store.cache.get(tenantId, `organization-access:${organizationId}:${applicationId}:${resourceId ?? ''}`, async () => {
    const held =
      resourceId === undefined
        ? sql`organization_roles_scopes rs JOIN organization_scopes s
            ON s.tenant_id = rs.tenant_id AND s.id = rs.organization_scope_id`
        : sql`organization_roles_resource_scopes rs JOIN scopes s
            ON s.tenant_id = rs.tenant_id AND s.id = rs.scope_id AND s.resource_id = ${resourceId}`
    const { rows } = await sql<{ role_id: string | null; scope_id: string | null; name: string | null }>`
      SELECT ar.organization_role_id AS role_id, s.id AS scope_id, s.name
      FROM organization_applications m
      LEFT JOIN organization_application_roles ar ON ar.tenant_id = m.tenant_id
        AND ar.organization_id = m.organization_id AND ar.application_id = m.application_id
      LEFT JOIN (${held}) ON rs.tenant_id = ar.tenant_id AND rs.organization_role_id = ar.organization_role_id
      WHERE m.tenant_id = ${tenantId} AND m.organization_id = ${organizationId}
        AND m.application_id = ${applicationId}`.execute(store.database.configuration)
    const tags = new Set([
      organizationTag(organizationId),
      organizationApplicationTag(organizationId, applicationId),
      applicationTag(applicationId),
      ...(resourceId === undefined ? [] : [resourceTag(resourceId)]),
      ...rows.flatMap(({ role_id, scope_id }) => [
        ...(role_id === null ? [] : [organizationRoleTag(role_id)]),
        ...(scope_id === null || resourceId !== undefined ? [] : [organizationScopeTag(scope_id)]),
      ]),
    ])
    const names = new Set(rows.flatMap(({ name }) => (name === null ? [] : [name])))
    return { value: rows.length === 0 ? undefined : names, tags: [...tags] }
  })

/** What a third-party application may ask for within organizations. */
export interface OrganizationConsentScopes {
  /** Names of organization permissions with their ids. */
  readonly permissions: ReadonlyMap<string, string>
  /** Names of permissions with their ids, by the id of their resource. */
  readonly byResource: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** The same from the cache; undefined for a first-party application, which has no limits. */
export const organizationConsentScopes = async (
  store: Store,
  { id: tenantId }: Tenant,
  { id, isThirdParty }: Pick<Client, 'id' | 'isThirdParty'>,
): Promise<OrganizationConsentScopes | undefined> => {
  if (!isThirdParty) return undefined
  const holder = consentHolderOf(id)
  return store.cache.get(tenantId, `organization-consent-scopes:${holder}`, async () => {
    const { rows } = await sql<{ resource_id: string | null; id: string; name: string }>`
      SELECT NULL AS resource_id, s.id, s.name FROM applications_consent_organization_scopes c
      JOIN organization_scopes s ON s.tenant_id = c.tenant_id AND s.id = c.organization_scope_id
      WHERE c.tenant_id = ${tenantId} AND c.application_id = ${holder}
      UNION ALL
      SELECT s.resource_id, s.id, s.name FROM applications_consent_organization_resource_scopes c
      JOIN scopes s ON s.tenant_id = c.tenant_id AND s.id = c.scope_id
      WHERE c.tenant_id = ${tenantId} AND c.application_id = ${holder}`.execute(store.database.configuration)
    const byResource = new Map<string, Map<string, string>>()
    for (const { resource_id, id: scopeId, name } of rows)
      if (resource_id !== null)
        byResource.set(resource_id, (byResource.get(resource_id) ?? new Map()).set(name, scopeId))
    const own = rows.filter(({ resource_id }) => resource_id === null)
    const value = { permissions: new Map(own.map(({ id: scopeId, name }) => [name, scopeId])), byResource }
    const tags = [...own.map(({ id }) => organizationScopeTag(id)), ...[...byResource.keys()].map(resourceTag)]
    return { value, tags: [applicationTag(holder), ...tags] }
  })
}
