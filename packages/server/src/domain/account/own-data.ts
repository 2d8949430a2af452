/** Everything that is stored about a user, for the user to download: the rows of every table that names them, without secrets. */
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { getUser, userEntity } from '../users/rows.ts'
import { assertShown } from './field-policy.ts'
import { type AccountHolder, lockHolder } from './holder.ts'
import type { AccountRules } from './own-fields.ts'
import { ownInvitations, ownOrganizations, ownRoles } from './own-organizations.ts'
import { wholeSecurityLog } from './security-log.ts'
import { requireProof } from './verifications.ts'

/** Of each kind, the newest where there are more. */
const MOST = 10_000

interface Section {
  readonly table: string
  readonly columns: readonly string[]
  /** The column that names the user. */
  readonly owner?: string
  readonly order: string
}

/** What is kept in other tables about a user. A test compares it with the tables that refer to users. */
const SECTIONS: Readonly<Record<string, Section>> = {
  identities: { table: 'user_identities', columns: ['target', 'identity_id', 'created_at'], order: 'created_at' },
  ssoIdentities: {
    table: 'user_sso_identities',
    columns: ['id', 'connector_id', 'issuer', 'identity_id', 'detail', 'created_at', 'updated_at'],
    order: 'created_at',
  },
  factors: {
    table: 'factors',
    columns: ['id', 'type', 'name', 'agent', 'created_at', 'last_used_at'],
    order: 'created_at',
  },
  trustedDevices: {
    table: 'trusted_devices',
    columns: ['id', 'user_agent', 'ip', 'created_at', 'last_used_at', 'expires_at'],
    order: 'created_at',
  },
  knownBrowsers: { table: 'known_devices', columns: ['last_seen_at'], order: 'last_seen_at' },
  signInCountries: {
    table: 'sign_in_countries',
    columns: ['country', 'city', 'latitude', 'longitude', 'last_seen_at'],
    order: 'last_seen_at',
  },
  sessions: {
    table: 'sessions',
    columns: ['id', 'application_id', 'ip', 'user_agent', 'amr', 'created_at', 'authenticated_at', 'expires_at'],
    order: 'created_at',
  },
  grants: {
    table: 'grants',
    columns: ['id', 'application_id', 'session_id', 'scopes', 'created_at', 'expires_at'],
    order: 'created_at',
  },
  accessTokens: {
    table: 'opaque_access_tokens',
    columns: ['application_id', 'scopes', 'created_at', 'expires_at'],
    order: 'created_at',
  },
  subjectTokens: {
    table: 'subject_tokens',
    columns: ['id', 'context', 'created_at', 'expires_at'],
    order: 'created_at',
  },
  impersonations: {
    table: 'impersonations',
    columns: ['id', 'application_id', 'resource_id', 'scopes', 'reason', 'created_at', 'expires_at'],
    order: 'created_at',
  },
  backchannelRequests: {
    table: 'backchannel_requests',
    columns: ['application_id', 'scopes', 'resources', 'binding_message', 'created_at', 'expires_at', 'denied_at'],
    order: 'created_at',
  },
  personalAccessTokens: {
    table: 'personal_access_tokens',
    columns: ['name', 'created_at', 'expires_at', 'last_used_at'],
    order: 'created_at',
  },
  verifications: {
    table: 'account_verifications',
    columns: ['id', 'type', 'purpose', 'verified_at', 'used_at', 'created_at', 'expires_at'],
    order: 'created_at',
  },
  providerTokens: {
    table: 'token_sets',
    columns: ['connector_id', 'sso_connector_id', 'target', 'identity_id', 'metadata', 'created_at', 'updated_at'],
    order: 'created_at',
  },
  notices: {
    table: 'owner_notices',
    columns: ['kind', 'subject', 'created_at', 'expires_at', 'used_at'],
    order: 'created_at',
  },
  deletion: { table: 'account_deletions', columns: ['requested_at', 'due_at'], order: 'requested_at' },
  sharedOrganizations: {
    table: 'applications_consent_organizations',
    columns: ['application_id', 'organization_id', 'created_at'],
    order: 'created_at',
  },
  admittedBy: { table: 'applications_access_users', columns: ['application_id'], order: 'application_id' },
  acceptedInvitations: {
    table: 'organization_invitations',
    owner: 'accepted_user_id',
    columns: ['id', 'organization_id', 'invitee', 'created_at', 'updated_at', 'expires_at'],
    order: 'created_at',
  },
  sentInvitations: {
    table: 'organization_invitations',
    owner: 'inviter_id',
    columns: ['id', 'organization_id', 'created_at', 'updated_at', 'expires_at'],
    order: 'created_at',
  },
  directories: {
    table: 'scim_users',
    columns: ['directory_id', 'user_name', 'external_id', 'is_active', 'attributes', 'created_at', 'updated_at'],
    order: 'created_at',
  },
  administrator: { table: 'administrators', columns: ['created_at'], order: 'created_at' },
  administratorRoles: { table: 'administrators_roles', columns: ['role_id'], order: 'role_id' },
  directoryGroups: { table: 'scim_group_members', columns: ['directory_id', 'group_id'], order: 'group_id' },
}

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const rowsOf = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  userId: string,
  { table, columns, owner = 'user_id', order }: Section,
): Promise<Record<string, unknown>[]> => {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT ${sql.join(columns.map((column) => sql.ref(column)))} FROM ${sql.table(table)}
    WHERE tenant_id = ${tenantId} AND ${sql.ref(owner)} = ${userId}
    ORDER BY ${sql.ref(order)} DESC LIMIT ${MOST}`.execute(database.kysely)
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value])))
}

/**
 * Asks for the data, which the audit log records. Throws 400 `account_center.field_not_enabled`, 401
 * `verification_record.permission_denied` without proof.
 */
export const dataRequested = operation(
  [],
  async (unit, holder: AccountHolder, { center }: AccountRules): Promise<void> => {
    assertShown(center, 'data')
    const { id } = await lockHolder(unit, holder)
    await requireProof(unit, holder, center)
    unit.concerns('user', id)
  },
)

/** The data of a user as JSON. Does not check who asks: dataRequested does. Throws 404. */
export const ownData = async (store: Store, tenant: Tenant, userId: string): Promise<Record<string, unknown>> => {
  const row = await getUser(store, tenant, userId)
  const data: Record<string, unknown> = {
    exportedAt: store.clock.now().toISOString(),
    user: {
      ...userEntity(row),
      hasPassword: row.password_hash !== null,
      passwordUpdatedAt: row.password_updated_at,
      emailVerifiedAt: row.email_verified_at,
      phoneVerifiedAt: row.phone_verified_at,
      factorChoices: row.factor_choices,
    },
    roles: await ownRoles(store, tenant, userId),
    organizations: await ownOrganizations(store, tenant, userId),
    pendingInvitations: await ownInvitations(store, tenant, userId),
  }
  // one after another: a download takes no more than one connection
  for (const [name, section] of Object.entries(SECTIONS)) data[name] = await rowsOf(store, tenant, userId, section)
  data.log = await wholeSecurityLog(store, tenant, userId, MOST)
  return data
}
