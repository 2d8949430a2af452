/** Who a user is, as ID tokens and userinfo say it (OpenID Connect Core section 5, DECISIONS G6). */
import { toNumericDate } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Db } from '../storage/database.ts'
import type { Store } from '../storage/store.ts'
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

/** The claims of a user for these scopes; claims without a value are left out. */
const claimsOf = (row: UserRow, scopes: readonly string[]): Claims => {
  const all = scopes.flatMap((scope) => Object.entries(BY_SCOPE[scope]?.(row) ?? {}))
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined))
}

/** The claims of a user for these scopes, read now. Undefined when there is no such user. */
export const identityOf = async (
  db: Db,
  { id: tenantId }: Tenant,
  userId: string,
  scopes: readonly string[],
): Promise<Claims | undefined> => {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!row) return undefined
  if (!scopes.includes('roles')) return claimsOf(row, scopes)
  const roles = await db
    .selectFrom('users_roles as ur')
    .innerJoin('roles as r', (join) => join.onRef('r.tenant_id', '=', 'ur.tenant_id').onRef('r.id', '=', 'ur.role_id'))
    .select('r.name')
    .where('ur.tenant_id', '=', tenantId)
    .where('ur.user_id', '=', userId)
    .orderBy('r.name')
    .execute()
  return { ...claimsOf(row, scopes), roles: roles.map(({ name }) => name) }
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
