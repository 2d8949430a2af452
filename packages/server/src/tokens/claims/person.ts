/**
 * A user as a custom claims script sees them: as the Management API shows one, with their roles, organizations and
 * sign-in. PostgreSQL writes the JSON that the script reads, because parsing it here and serializing it again would
 * cost more than everything else.
 */
import { sql } from 'kysely'
import type { UserFinder } from '../../domain/users/finder.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { fixedStatement, type Given } from '../../storage/fixed-statement.ts'

/** Each of them JSON, as text. */
export interface Person {
  readonly user: string
  /** The organization that the token is for. */
  readonly organization: string | null
  /** What was submitted in the sign-in behind the token. */
  readonly interaction: string | null
}

interface PersonQuestion {
  /** An id, or how the user is found. */
  readonly userId: string | UserFinder
  readonly organizationId?: string | undefined
  /** Of the sign-in behind the token. */
  readonly sessionId?: string | null
}

/** A moment in the API's format. */
const milliseconds = (column: string) => sql`(extract(epoch FROM ${sql.ref(column)}) * 1000)::bigint`

interface PersonKeys {
  readonly tenantId: string
  readonly key: UserFinder['key']
  readonly organizationId: string | null
  readonly sessionId: string | null
}

const reading = (user: UserFinder['user']) =>
  fixedStatement(
    (_, { tenantId, key, organizationId, sessionId }: Given<PersonKeys>) => sql<Person>`/* prepared */
    SELECT json_build_object('id', u.id, 'username', u.username, 'primaryEmail', u.primary_email,
      'primaryPhone', u.primary_phone, 'name', u.name, 'avatar', u.avatar, 'customData', u.custom_data,
      'identities', u.identities, 'profile', u.profile, 'applicationId', CASE WHEN u.application_id NOT LIKE 'https:%' THEN u.application_id END,
      'cimdClientId', CASE WHEN u.application_id LIKE 'https:%' THEN u.application_id END,
      'isSuspended', u.is_suspended,
      'hasPassword', u.password_hash IS NOT NULL, 'lastSignInAt', ${milliseconds('u.last_sign_in_at')},
      'createdAt', ${milliseconds('u.created_at')}, 'updatedAt', ${milliseconds('u.updated_at')},
      'ssoIdentities', (
        SELECT coalesce(json_agg(json_build_object('issuer', i.issuer, 'identityId', i.identity_id, 'detail', i.detail)
          ORDER BY i.created_at, i.id), '[]')
        FROM user_sso_identities i WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id), 'mfaVerificationFactors', (
        SELECT coalesce(json_agg(DISTINCT f.type ORDER BY f.type), '[]') FROM factors f
        WHERE f.tenant_id = u.tenant_id AND f.user_id = u.id), 'roles', (
        SELECT coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'description', r.description, 'scopes', (
          SELECT coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'description', s.description,
            'resourceId', s.resource_id,
            'resource', json_build_object('id', a.id, 'name', a.name, 'indicator', a.indicator, 'isDefault', a.is_default,
              'accessTokenTtl', a.access_token_ttl)) ORDER BY s.name, s.id), '[]')
          FROM roles_scopes rs
          JOIN scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.scope_id
          JOIN resources a ON a.tenant_id = s.tenant_id AND a.id = s.resource_id
          WHERE rs.tenant_id = r.tenant_id AND rs.role_id = r.id)) ORDER BY r.name), '[]')
        FROM users_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
        WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id),
      'organizations', (
        SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'description', o.description)
          ORDER BY o.name, o.id), '[]')
        FROM organization_users m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
        WHERE m.tenant_id = u.tenant_id AND m.user_id = u.id),
      'organizationRoles', (
        SELECT coalesce(json_agg(json_build_object('organizationId', m.organization_id, 'roleId', r.id, 'roleName', r.name)
          ORDER BY m.organization_id, r.name), '[]')
        FROM organization_user_roles m
        JOIN organization_roles r ON r.tenant_id = m.tenant_id AND r.id = m.organization_role_id
        WHERE m.tenant_id = u.tenant_id AND m.user_id = u.id))::text AS user,
      (SELECT json_build_object('id', o.id, 'name', o.name, 'description', o.description, 'customData', o.custom_data)::text
        FROM organizations o WHERE o.tenant_id = u.tenant_id AND o.id = ${organizationId}) AS organization,
      (SELECT (jsonb_build_object('verificationRecords', jsonb_build_array()) || s.last_submission)::text FROM sessions s
        WHERE s.tenant_id = u.tenant_id AND s.id = ${sessionId} AND s.user_id = u.id) AS interaction
    FROM users u WHERE u.tenant_id = ${tenantId} AND u.id = ${user(tenantId, key)}`,
  )

const byId = reading((_, id) => sql`${id}`)
/** By the name of a finder. */
const byFinder = new Map<string, typeof byId>()

const readingOf = ({ name, user }: UserFinder): typeof byId => {
  const known = byFinder.get(name) ?? reading(user)
  byFinder.set(name, known)
  return known
}

/** One statement, read now; undefined when there is no such user. */
export const readPerson = async (
  db: Db,
  { id: tenantId }: Tenant,
  { userId, organizationId, sessionId }: PersonQuestion,
): Promise<Person | undefined> => {
  const isId = typeof userId === 'string'
  const read = isId ? byId : readingOf(userId)
  const key = isId ? userId : userId.key
  const [person] = await read(db, {
    tenantId,
    key,
    organizationId: organizationId ?? null,
    sessionId: sessionId ?? null,
  })
  return person
}
