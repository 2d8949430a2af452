/**
 * A tenant of a given size for the Management API: users with every identifier, organizations, roles, applications, audit
 * entries. Generated in the database from a counter, so that the bench can compute every value.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refreshTokenValue } from '@countersign/server/domain/issued/refresh-families.ts'
import { createVault } from '@countersign/server/kernel/secrets.ts'
import { registerApplication } from './management.ts'
import type { World } from './world.ts'

export interface Size {
  readonly users: number
  readonly organizations: number
  /**
   * Roles that users hold, the same number of users each in every size; in addition there are those of the one user and
   * of the one machine.
   */
  readonly roles: number
  readonly applications: number
}

/** The same in every size: the members of the one large organization, and what one user has. */
export const LARGE_ORGANIZATION = 1000
export const ROLES_OF_ONE = 50
const ORGANIZATIONS_OF_ONE = 50
/** Users with this many additional roles and a family of refresh tokens each. */
const HOLDERS = 100
const PERMISSIONS = 200
const PERMISSIONS_OF_ROLE = 4

export const INDICATOR = 'https://crowd.example/api'
/** What a token requests: permissions of several roles. */
export const ASKED_SCOPES = Array.from({ length: 20 }, (_, index) => `act:${index}`).join(' ')

const padded = (prefix: string, index: number, width: number) => prefix + String(index).padStart(width, '0')

/** The identifiers of a user by its number. */
export const userOf = (index: number) => ({
  id: padded('u', index, 11),
  username: `person${index}`,
  primaryEmail: `person${index}@crowd.example`,
  primaryPhone: padded('1555', index, 7),
  name: `User ${index}`,
})
export const organizationId = (index: number): string => padded('o', index, 11)
export const roleId = (index: number): string => padded('r', index, 20)
/** The user who is in many organizations. */
export const JOINER = userOf(7).id

export interface Crowd {
  readonly size: Size
  /** An application with as many roles as one user has. */
  readonly machine: { readonly clientId: string; readonly clientSecret: string }
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  readonly holders: number
  refreshToken(holder: number, generation: number): string
}

const ID = {
  user: `'u' || lpad(i::text, 11, '0')`,
  role: (index: string) => `'r' || lpad((${index})::text, 20, '0')`,
  organization: (index: string) => `'o' || lpad((${index})::text, 11, '0')`,
}
const series = (count: number | string) => `generate_series(0, ${count} - 1) i`
/** Whole milliseconds, as the server writes them: a cursor has no more. */
const AGE = `date_trunc('second', now()) - i * interval '1 second'`

export const rolesInAll = (roles: number): number => roles + 2 * ROLES_OF_ONE

/** Foreign keys hold by construction and are not checked one by one. */
const statements = ({ users, organizations, roles, applications }: Size, resourceId: string): string[] => {
  const all = rolesInAll(roles)
  return [
    `INSERT INTO users (tenant_id, id, username, username_key, primary_email, email_key, primary_phone, name, created_at, updated_at)
   SELECT 'default', ${ID.user}, 'person' || i, 'person' || i, 'person' || i || '@crowd.example',
     'person' || i || '@crowd.example', '1555' || lpad(i::text, 7, '0'), 'User ' || i, ${AGE}, now() FROM ${series(users)}`,
    `INSERT INTO organizations (tenant_id, id, name, created_at)
   SELECT 'default', ${ID.organization('i')}, 'Organization ' || i, ${AGE} FROM ${series(organizations)}`,
    `INSERT INTO organization_users (tenant_id, organization_id, user_id, created_at)
   SELECT 'default', ${ID.organization(`i % ${organizations}`)}, ${ID.user}, ${AGE} FROM ${series(users)}`,
    `INSERT INTO organization_users (tenant_id, organization_id, user_id, created_at)
   SELECT 'default', ${ID.organization('0')}, ${ID.user}, ${AGE} FROM ${series(LARGE_ORGANIZATION)}
   WHERE i % ${organizations} <> 0
   LIMIT ${LARGE_ORGANIZATION} - (SELECT count(*) FROM organization_users WHERE organization_id = ${ID.organization('0')})`,
    `INSERT INTO organization_users (tenant_id, organization_id, user_id, created_at)
   SELECT 'default', ${ID.organization('i')}, '${JOINER}', ${AGE} FROM ${series(ORGANIZATIONS_OF_ONE)} ON CONFLICT DO NOTHING`,
    `INSERT INTO organization_roles (tenant_id, id, name, type, created_at)
   VALUES ('default', 'member', 'Member', 'User', now())`,
    `INSERT INTO organization_user_roles (tenant_id, organization_id, user_id, organization_role_id, created_at)
   SELECT tenant_id, organization_id, user_id, 'member', created_at FROM organization_users`,
    `INSERT INTO scopes (tenant_id, id, resource_id, name, created_at)
   SELECT 'default', 's' || lpad(i::text, 20, '0'), '${resourceId}', 'act:' || i, ${AGE} FROM ${series(PERMISSIONS)}`,
    `INSERT INTO roles (tenant_id, id, name, description, type, created_at)
   SELECT 'default', ${ID.role('i')}, 'Role ' || i, '',
     CASE WHEN i < ${roles + ROLES_OF_ONE} THEN 'User' ELSE 'MachineToMachine' END, ${AGE} FROM ${series(all)}`,
    `INSERT INTO roles_scopes (tenant_id, role_id, scope_id, role_type, scope_is_management)
   SELECT 'default', r.id, 's' || lpad(((i * ${PERMISSIONS_OF_ROLE} + n) % ${PERMISSIONS})::text, 20, '0'), r.type, false
   FROM ${series(all)}, generate_series(0, ${PERMISSIONS_OF_ROLE} - 1) n, roles r WHERE r.id = ${ID.role('i')}`,
    // one role for every user, and one of the others for each
    `INSERT INTO users_roles (tenant_id, user_id, role_id, created_at)
   SELECT 'default', ${ID.user}, ${ID.role('0')}, ${AGE} FROM ${series(users)}`,
    `INSERT INTO users_roles (tenant_id, user_id, role_id, created_at)
   SELECT 'default', ${ID.user}, ${ID.role(`1 + i % ${roles - 1}`)}, ${AGE} FROM ${series(users)}`,
    `INSERT INTO users_roles (tenant_id, user_id, role_id, created_at)
   SELECT 'default', ${ID.user}, ${ID.role(`${roles} + n`)}, now() FROM ${series(HOLDERS)}, generate_series(0, ${ROLES_OF_ONE} - 1) n
   ON CONFLICT DO NOTHING`,
    `INSERT INTO applications (tenant_id, id, name, type, oidc_client_metadata, custom_client_metadata, created_at)
   SELECT 'default', 'a' || lpad(i::text, 20, '0'), 'Application ' || i, 'MachineToMachine', '{}', '{}', ${AGE}
   FROM ${series(applications)}`,
    `INSERT INTO audit_log (tenant_id, id, key, user_id, application_id, payload, created_at)
   SELECT 'default', 'l' || lpad(i::text, 20, '0'), 'ExchangeTokenBy.RefreshToken', ${ID.user}, NULL,
     '{"result": "Success"}', ${AGE} FROM ${series(users)}`,
  ]
}

const FAMILY_SCOPES = `{openid,offline_access,${ASKED_SCOPES.replaceAll(' ', ',')}}`

const insertFamilies = async ({ database }: World, clientId: string) => {
  await database.query(
    `INSERT INTO grants (tenant_id, id, user_id, application_id, session_id, scopes, created_at, expires_at)
     SELECT 'default', 'g' || lpad(i::text, 20, '0'), ${ID.user}, $1, NULL, '${FAMILY_SCOPES}', now(),
       now() + interval '180 days' FROM ${series(HOLDERS)}`,
    [clientId],
  )
  await database.query(
    `INSERT INTO refresh_families (tenant_id, id, grant_id, scopes, resources, authenticated_at, amr, created_at, expires_at)
     SELECT 'default', 'f' || lpad(i::text, 20, '0'), 'g' || lpad(i::text, 20, '0'), '${FAMILY_SCOPES}', '{${INDICATOR}}',
       now(), '{pwd}', now(), now() + interval '14 days' FROM ${series(HOLDERS)}`,
  )
}

/** Fills the installation of a world. Takes a minute or two for a million users. */
export const createCrowd = async (world: World, size: Size): Promise<Crowd> => {
  const { api, database, installation } = world
  const resource = await api.createResource({ body: { name: 'Crowd', indicator: INDICATOR } })
  const client = await registerApplication(api, {
    name: 'Crowd app',
    type: 'Traditional',
    oidcClientMetadata: { redirectUris: ['https://crowd.example/callback'], postLogoutRedirectUris: [] },
    customClientMetadata: { rotateRefreshToken: true },
  })
  const machine = await registerApplication(api, { name: 'Crowd machine', type: 'MachineToMachine' })
  await database.query('SET synchronous_commit = off')
  await database.query('SET session_replication_role = replica')
  for (const text of statements(size, resource.id)) await database.query(text)
  await insertFamilies(world, client.clientId)
  await database.query('SET session_replication_role = DEFAULT')
  await database.query('VACUUM ANALYZE')
  await database.query('CHECKPOINT')
  const roleIds = Array.from({ length: ROLES_OF_ONE }, (_, index) => roleId(size.roles + ROLES_OF_ONE + index))
  await api.addApplicationRoles({ params: { applicationId: machine.clientId }, body: { roleIds } })
  const vault = createVault(
    Buffer.from((await readFile(join(installation.dataDir, 'secret.key'), 'utf8')).trim(), 'base64'),
  )
  return {
    size,
    machine,
    client,
    holders: HOLDERS,
    refreshToken: (holder, generation) =>
      refreshTokenValue(vault, 'default', { familyId: padded('f', holder, 20), generation }),
  }
}
