/**
 * What a script of custom claims is told beside the token (DECISIONS J1). Of a user: one statement more, read now, in the
 * transaction of the grant where there is one; of a machine: nothing but the cache.
 */
import { sql } from 'kysely'
import { type ApplicationRow, applicationTag, getApplication } from '../../domain/application-rows.ts'
import type { UserRow } from '../../domain/user-rows.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import type { Store } from '../../storage/store.ts'
import type { Authorization } from '../authorization.ts'

export type ClaimsContext = Readonly<Record<string, unknown>>

/** The application with what belongs to it and without its secrets. */
const applicationOf = (store: Store, tenant: Tenant, id: string): Promise<ClaimsContext> =>
  store.cache.get(tenant.id, `claims-application:${id}`, async () => {
    const row: ApplicationRow = await getApplication(store, tenant, id)
    const value = {
      id: row.id,
      name: row.name,
      description: row.description,
      type: row.type,
      oidcClientMetadata: row.oidc_client_metadata,
      customClientMetadata: row.custom_client_metadata,
      customData: row.custom_data,
      isThirdParty: row.is_third_party,
      createdAt: row.created_at.getTime(),
    }
    return { value, tags: [applicationTag(id)] }
  })

interface PersonRow extends UserRow {
  readonly roles: unknown
  readonly organizations: unknown
  readonly organization_roles: unknown
  readonly organization: unknown
  readonly interaction: unknown
}

const readPerson = async (
  db: Db,
  { id: tenantId }: Tenant,
  { subject, organizationId, grant }: Authorization,
): Promise<PersonRow | undefined> => {
  const { rows } = await sql<PersonRow>`
    SELECT u.*,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'description', r.description, 'scopes', (
          SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'description', s.description,
            'resourceId', s.resource_id,
            'resource', jsonb_build_object('id', a.id, 'name', a.name, 'indicator', a.indicator)) ORDER BY s.name, s.id), '[]')
          FROM roles_scopes rs
          JOIN scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.scope_id
          JOIN resources a ON a.tenant_id = s.tenant_id AND a.id = s.resource_id
          WHERE rs.tenant_id = r.tenant_id AND rs.role_id = r.id)) ORDER BY r.name), '[]')
        FROM users_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
        WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id) AS roles,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'description', o.description)
          ORDER BY o.name, o.id), '[]')
        FROM organization_users m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
        WHERE m.tenant_id = u.tenant_id AND m.user_id = u.id) AS organizations,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('organizationId', m.organization_id, 'roleId', r.id, 'roleName', r.name)
          ORDER BY m.organization_id, r.name), '[]')
        FROM organization_user_roles m
        JOIN organization_roles r ON r.tenant_id = m.tenant_id AND r.id = m.organization_role_id
        WHERE m.tenant_id = u.tenant_id AND m.user_id = u.id) AS organization_roles,
      (SELECT jsonb_build_object('id', o.id, 'name', o.name, 'description', o.description, 'customData', o.custom_data)
        FROM organizations o WHERE o.tenant_id = u.tenant_id AND o.id = ${organizationId ?? null}) AS organization,
      (SELECT s.last_submission FROM sessions s
        WHERE s.tenant_id = u.tenant_id AND s.id = ${grant?.sessionId ?? null} AND s.user_id = u.id) AS interaction
    FROM users u WHERE u.tenant_id = ${tenantId} AND u.id = ${subject.id}`.execute(db)
  return rows[0]
}

/** As the Management API shows a user, with what they hold. */
const userOf = (row: PersonRow): ClaimsContext => ({
  id: row.id,
  username: row.username,
  primaryEmail: row.primary_email,
  primaryPhone: row.primary_phone,
  name: row.name,
  avatar: row.avatar,
  customData: row.custom_data,
  identities: row.identities,
  profile: row.profile,
  applicationId: row.application_id,
  isSuspended: row.is_suspended,
  hasPassword: row.password_hash !== null,
  lastSignInAt: row.last_sign_in_at?.getTime() ?? null,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  ssoIdentities: [],
  mfaVerificationFactors: [],
  roles: row.roles,
  organizations: row.organizations,
  organizationRoles: row.organization_roles,
})

/**
 * The context of the token that an Authorization leads to.
 * @param db the transaction of the grant, so that what it changed is seen
 */
export const claimsContext = async (
  store: Store,
  tenant: Tenant,
  authorization: Authorization,
  db: Db,
): Promise<ClaimsContext> => {
  const { subject, client, grantContext } = authorization
  if (subject.type === 'application') return { application: await applicationOf(store, tenant, client.id) }
  const [application, person] = await Promise.all([
    applicationOf(store, tenant, client.id),
    readPerson(db, tenant, authorization),
  ])
  return {
    ...(person && { user: userOf(person) }),
    ...(grantContext && { grant: grantContext }),
    ...(person?.interaction ? { interaction: person.interaction } : {}),
    application,
    ...(person?.organization ? { organization: person.organization } : {}),
  }
}
