/** Who a user is, as ID tokens and userinfo say it (OpenID Connect Core section 5, DECISIONS G6). */
import { type Expression, sql } from 'kysely'
import { toNumericDate } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Db } from '../storage/database.ts'
import type { Store } from '../storage/store.ts'
import { permissionsOfUser } from './access.ts'
import type { UserRow } from './user-rows.ts'

type Claims = Readonly<Record<string, unknown>>

/** Field of our profile → claim of section 5.1. */
const PROFILE_CLAIMS = {
  familyName: 'family_name',
  givenName: 'given_name',
  middleName: 'middle_name',
  nickname: 'nickname',
  preferredUsername: 'preferred_username',
  profile: 'profile',
  website: 'website',
  gender: 'gender',
  birthdate: 'birthdate',
  zoneinfo: 'zoneinfo',
  locale: 'locale',
} as const

const profileClaims = (row: UserRow): Claims => {
  const profile = row.profile as Readonly<Record<string, unknown>>
  const own = Object.entries(PROFILE_CLAIMS).map(([field, claim]) => [claim, profile[field]])
  return {
    ...Object.fromEntries(own),
    preferred_username: profile.preferredUsername ?? row.username,
    name: row.name,
    picture: row.avatar,
    username: row.username,
    updated_at: toNumericDate(row.updated_at),
    created_at: toNumericDate(row.created_at),
  }
}

const addressClaims = (row: UserRow): Claims => {
  const address = (row.profile as { address?: Readonly<Record<string, unknown>> }).address
  if (!address) return {}
  const { formatted, streetAddress, locality, region, postalCode, country } = address
  return { address: { formatted, street_address: streetAddress, locality, region, postal_code: postalCode, country } }
}

const BY_SCOPE: Readonly<Record<string, (row: UserRow) => Claims>> = {
  profile: profileClaims,
  email: (row) =>
    row.primary_email ? { email: row.primary_email, email_verified: row.email_verified_at !== null } : {},
  phone: (row) =>
    row.primary_phone
      ? { phone_number: `+${row.primary_phone}`, phone_number_verified: row.phone_verified_at !== null }
      : {},
  address: addressClaims,
  custom_data: (row) => ({ custom_data: row.custom_data }),
  identities: (row) => ({ identities: row.identities }),
}

/** What tokens and userinfo may say of a user, as it was when it was read. */
export interface Holder {
  readonly user: UserRow
  /** The names of their roles. */
  readonly roles: readonly string[]
  /** The permissions that they hold for the resource that was asked about: name → id. */
  readonly permissions: ReadonlyMap<string, string>
}

/**
 * Reads a user with their roles, and the permissions that they hold for a resource: one statement, read now. Undefined when
 * there is no such user. Does not ask whether they are suspended.
 * @param userId an id, or SQL that finds it, so that nobody has to wait for the answer of another statement
 */
export const readHolder = async (
  db: Db,
  tenant: Tenant,
  userId: string | Expression<string>,
  resourceId?: string,
): Promise<Holder | undefined> => {
  const id = typeof userId === 'string' ? sql<string>`${userId}` : userId
  const { rows } = await sql<UserRow & { role_names: string[]; permissions: Record<string, string> }>`
    SELECT u.*, ${permissionsOfUser(tenant, sql.ref('u.id'), resourceId)} AS permissions, ARRAY(
      SELECT r.name FROM users_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
      WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id ORDER BY r.name) AS role_names
    FROM users u WHERE u.tenant_id = ${tenant.id} AND u.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { role_names, permissions, ...user } = row
  return { user, roles: role_names, permissions: new Map(Object.entries(permissions)) }
}

/** The claims of a user for these scopes; claims without a value are left out. */
export const claimsOf = ({ user, roles }: Holder, scopes: readonly string[]): Claims => {
  const all = scopes.flatMap((scope) => Object.entries(BY_SCOPE[scope]?.(user) ?? {}))
  const claims = Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined))
  return scopes.includes('roles') ? { ...claims, roles } : claims
}

/** What to call a user on a page. */
export const displayNameOf = async ({ database }: Store, { id: tenantId }: Tenant, userId: string): Promise<string> => {
  const row = await database.kysely
    .selectFrom('users')
    .select(['name', 'username', 'primary_email', 'primary_phone'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.name ?? row?.username ?? row?.primary_email ?? row?.primary_phone ?? userId
}
