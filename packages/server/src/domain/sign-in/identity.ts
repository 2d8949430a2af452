/** A user's identity in ID tokens and userinfo (OpenID Connect Core section 5, DECISIONS G6). */

import { DEFAULT_ID_TOKEN_SETTINGS, EXTENDED_CLAIMS } from '@countersign/contract/id-token-settings.ts'
import { ORGANIZATION_ROLES_SCOPE, ORGANIZATIONS_SCOPE } from '@countersign/contract/reserved-names.ts'
import { type RawBuilder, sql } from 'kysely'
import { toNumericDate } from '../../kernel/clock.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { GIVEN, parameter, type ShapeSender, shapedStatement } from '../../storage/statement.ts'
import type { Store } from '../../storage/store.ts'
import { permissionsOfUser } from '../access/access.ts'
import { admits } from '../access/application-admission.ts'
import type { Client } from '../applications/clients.ts'
import {
  type Membership,
  membershipOfUser,
  type OrganizationOfUser,
  organizationsOfUser,
} from '../organizations/access.ts'
import { bothNames, hasReservedScope } from '../permissions/reserved-names.ts'
import type { UserFinder } from '../users/finder.ts'
import { CLAIMED_COLUMNS, type ClaimedUser } from '../users/rows.ts'
import { claimsNamedFor, scopesOfClaims } from './requested-claims.ts'

type Claims = Readonly<Record<string, unknown>>

/** Field of the profile → claim of section 5.1. */
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

const profileClaims = (row: ClaimedUser): Claims => {
  const profile = row.profile as Readonly<Record<string, unknown>>
  const own = Object.entries(PROFILE_CLAIMS).map(([field, claim]) => [claim, profile[field]])
  return {
    ...Object.fromEntries(own),
    preferred_username: profile.preferredUsername ?? row.username,
    name: row.name,
    picture: row.avatar,
    username: row.username,
    updated_at: toNumericDate(row.updated_at),
    // milliseconds: this is Logto's claim, which OpenID Connect does not define (DECISIONS G6)
    created_at: row.created_at.getTime(),
  }
}

const addressClaims = (row: ClaimedUser): Claims => {
  const address = (row.profile as { address?: Readonly<Record<string, unknown>> }).address
  if (!address) return {}
  const { formatted, streetAddress, locality, region, postalCode, country } = address
  return { address: { formatted, street_address: streetAddress, locality, region, postal_code: postalCode, country } }
}

const emailClaims = (row: ClaimedUser): Claims =>
  row.primary_email ? { email: row.primary_email, email_verified: row.email_verified_at !== null } : {}

const phoneClaims = (row: ClaimedUser): Claims =>
  row.primary_phone
    ? { phone_number: `+${row.primary_phone}`, phone_number_verified: row.phone_verified_at !== null }
    : {}

type Makers = ReadonlyMap<string, (row: ClaimedUser) => Claims>

const BY_SCOPE: Makers = new Map<string, (row: ClaimedUser) => Claims>([
  ['profile', profileClaims],
  ['email', emailClaims],
  ['phone', phoneClaims],
  ['address', addressClaims],
  ['custom_data', (row) => ({ custom_data: row.custom_data })],
  ['identities', (row) => ({ identities: row.identities })],
])

/** What tokens and userinfo may say about a user, as of when it was read. */
export interface Holder {
  readonly user: ClaimedUser & { readonly is_suspended: boolean }
  /** The names of their roles; none unless the scopes ask for them. */
  readonly roles: readonly string[]
  /** The permissions that they hold for the given resource through their tenant roles: name → id. */
  readonly permissions: ReadonlyMap<string, string>
  /** Whether they may use the application. */
  readonly isAdmitted: boolean
  /** In the given organization; undefined: not a member, or none was given. */
  readonly membership: Membership | undefined
  /** Those that the application may know about; none unless the scopes ask for them. */
  readonly organizations: readonly OrganizationOfUser[]
}

/** Whether claims for these scopes include organizations. */
const asksForOrganizations = (scopes: readonly string[]): boolean =>
  hasReservedScope(scopes, ORGANIZATIONS_SCOPE) || hasReservedScope(scopes, ORGANIZATION_ROLES_SCOPE)

/** What to read about a user, in one statement. */
interface HolderQuestion {
  /** An id, or how the user is found. */
  readonly userId: string | UserFinder
  /** The scopes for the claims; omitted: the scopes of what the user is found by. */
  readonly scopes?: readonly string[]
  /** The application that asks. */
  readonly client: Pick<Client, 'id' | 'isThirdParty' | 'hasAccessControl'>
  readonly resourceId?: string | undefined
  readonly organizationId?: string | undefined
}

const CLAIMED = sql.join(CLAIMED_COLUMNS.map((column) => sql.ref(`u.${column}`)))

interface HolderRow extends ClaimedUser {
  readonly n: number
  readonly is_suspended: boolean
  readonly role_names: string[]
  readonly permissions: Record<string, string>
  readonly is_admitted: boolean
  readonly membership: Membership | null
  readonly organizations: OrganizationOfUser[]
}

const holderStatement = shapedStatement<HolderRow>()

const TENANT = { id: parameter<string>('tenantId', 'text') }
const APPLICATION = parameter<string>('applicationId', 'text')
const ABOUT_ORGANIZATIONS = sql`ARRAY[${sql.join(bothNames(ORGANIZATIONS_SCOPE, ORGANIZATION_ROLES_SCOPE).map((name) => sql.lit(name)))}]`

/** SQL of something that claims for these scopes need, and its substitute if they do not. */
const where = (asked: RawBuilder<boolean> | boolean, needed: RawBuilder<unknown>, none: RawBuilder<unknown>) => {
  if (typeof asked === 'boolean') return asked ? needed : none
  return sql`CASE WHEN ${asked} THEN ${needed} ELSE ${none} END`
}

const holderSql = ({ userId, scopes, client, resourceId, organizationId }: HolderQuestion): RawBuilder<HolderRow> => {
  const self = sql.ref<string>('u.id')
  const finder = typeof userId === 'string' ? undefined : userId
  const key = parameter<UserFinder['key']>('key', finder?.type ?? 'text')
  const inDatabase = scopes ? undefined : finder?.scopes?.(TENANT.id, key)
  const application = { id: APPLICATION, isThirdParty: client.isThirdParty, hasAccessControl: client.hasAccessControl }
  const resource = resourceId === undefined ? undefined : parameter<string>('resourceId', 'text')
  const roles = sql`ARRAY(
    SELECT r.name FROM users_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
    WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id ORDER BY r.name)`
  const asksRoles = inDatabase ? sql<boolean>`${inDatabase} && ARRAY['roles']` : scopes?.includes('roles') === true
  const asksOrganizations = inDatabase
    ? sql<boolean>`${inDatabase} && ${ABOUT_ORGANIZATIONS}`
    : asksForOrganizations(scopes ?? [])
  const membership =
    organizationId === undefined
      ? sql`NULL`
      : membershipOfUser(TENANT, self, {
          organizationId: parameter<string>('organizationId', 'text'),
          applicationId: APPLICATION,
          resourceId: resource,
        })
  return sql<HolderRow>`
    SELECT given.n, u.is_suspended, ${CLAIMED}, ${permissionsOfUser(TENANT, self, resource)} AS permissions,
      ${where(asksRoles, roles, sql`ARRAY[]::text[]`)} AS role_names, ${admits(TENANT, application, self)} AS is_admitted,
      ${membership} AS membership,
      ${where(asksOrganizations, organizationsOfUser(TENANT, self, application), sql`'[]'::jsonb`)} AS organizations
    FROM ${GIVEN}, users u WHERE u.tenant_id = ${TENANT.id} AND u.id = ${finder ? finder.user(TENANT.id, key) : key}`
}

/** Everything that the text depends on. */
const shapeOf = ({ userId, scopes, client, resourceId, organizationId }: HolderQuestion): string =>
  [
    typeof userId === 'string' ? 'id' : userId.name,
    scopes ? scopes.includes('roles') : 'roles of the finder',
    scopes ? asksForOrganizations(scopes) : 'organizations of the finder',
    client.isThirdParty,
    client.hasAccessControl,
    resourceId !== undefined,
    organizationId !== undefined,
  ].join()

/**
 * Reads a user with what they hold in the given context, and with the roles and organizations that claims for the
 * scopes need: one statement, read now. Undefined when the user does not exist. Does not check whether they are
 * suspended.
 */
export const readHolder = async (
  sender: ShapeSender,
  tenant: Tenant,
  question: HolderQuestion,
): Promise<Holder | undefined> => {
  const { userId, client, resourceId, organizationId } = question
  const [row] = await holderStatement(sender, shapeOf(question), () => holderSql(question), {
    tenantId: tenant.id,
    key: typeof userId === 'string' ? userId : userId.key,
    applicationId: client.id,
    resourceId,
    organizationId,
  })
  if (!row) return undefined
  const { n, role_names, permissions, is_admitted, membership, organizations, ...user } = row
  return {
    user,
    roles: role_names,
    permissions: new Map(Object.entries(permissions)),
    isAdmitted: is_admitted,
    membership: membership ?? undefined,
    organizations,
  }
}

/** A user who was already read, if what they hold is not needed. */
export const holderOfNothing = (user: Holder['user']): Holder => ({
  user,
  roles: [],
  permissions: new Map(),
  isAdmitted: true,
  membership: undefined,
  organizations: [],
})

const organizationClaims = (organizations: readonly OrganizationOfUser[], scopes: readonly string[]): Claims => ({
  ...(hasReservedScope(scopes, ORGANIZATIONS_SCOPE)
    ? {
        organizations: organizations.map(({ id }) => id),
        organization_data: organizations.map(({ id, name, description }) => ({ id, name, description })),
      }
    : {}),
  ...(hasReservedScope(scopes, ORGANIZATION_ROLES_SCOPE)
    ? { organization_roles: organizations.flatMap(({ id, roles }) => roles.map((role) => `${id}:${role}`)) }
    : {}),
})

/** Whether claims for these scopes need more than the user's own row. */
export const claimsNeedHolder = (scopes: readonly string[]): boolean =>
  scopes.includes('roles') || asksForOrganizations(scopes)

const EXTENDED: ReadonlySet<string> = new Set(EXTENDED_CLAIMS)

/** What an application has to say about its ID tokens. */
type IdTokenReader = Pick<Client, 'metadata' | 'extendedClaims'>

/** What claims are made of. */
type ClaimHolder = Pick<Holder, 'roles' | 'organizations'> & { readonly user: ClaimedUser }

/** The claims of a user for these scopes; claims without a value are left out. */
const scopeClaims = ({ user, roles, organizations }: ClaimHolder, scopes: readonly string[]): Claims => {
  const all = scopes.flatMap((scope) => Object.entries(BY_SCOPE.get(scope)?.(user) ?? {}))
  const claims = Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined))
  return {
    ...claims,
    ...(scopes.includes('roles') ? { roles } : {}),
    ...organizationClaims(organizations, scopes),
  }
}

/** Those that the request named one by one for a place. */
const namedClaims = (holder: ClaimHolder, place: 'idToken' | 'userinfo', named: readonly string[] | null): Claims => {
  const wanted = claimsNamedFor(place, named)
  if (wanted.length === 0) return {}
  const all = scopeClaims(holder, scopesOfClaims(wanted))
  return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name)))
}

/** What userinfo says of a user: the claims of these scopes, and those that the request named one by one. */
export const userinfoClaimsOf = (
  holder: ClaimHolder,
  scopes: readonly string[],
  named: readonly string[] | null = null,
): Claims => ({ ...scopeClaims(holder, scopes), ...namedClaims(holder, 'userinfo', named) })

/**
 * What an ID token says of a user to an application: the claims of these scopes, unless the application has them only where they are
 * named (DECISIONS G14), without the extended ones that the tenant keeps out of ID tokens (G16); and those that the request named.
 */
export const idTokenClaimsOf = (
  holder: ClaimHolder,
  { metadata, extendedClaims = DEFAULT_ID_TOKEN_SETTINGS.enabledExtendedClaims }: IdTokenReader,
  scopes: readonly string[],
  named: readonly string[] | null,
): Claims => {
  const own = metadata.idTokenClaims === 'requested' ? {} : scopeClaims(holder, scopes)
  const kept = Object.entries(own).filter(([name]) => !EXTENDED.has(name) || extendedClaims.includes(name))
  // what is too large for every ID token is in one that asks for it
  return { ...Object.fromEntries(kept), ...namedClaims(holder, 'idToken', named) }
}

/** What the account chooser shows about a user. */
export interface AccountName {
  readonly id: string
  readonly name: string
  /** What they sign in with, as far as the tenant accepts it. */
  readonly identifier: string | undefined
}

/**
 * The users with these ids who may sign in, in their order.
 * @param types the identifiers accepted for sign-in: the first that a user has is used
 */
export const accountNames = async (
  { database }: Store,
  tenant: Tenant,
  ids: readonly string[],
  types: readonly ('username' | 'email' | 'phone')[],
): Promise<readonly AccountName[]> => {
  if (ids.length === 0) return []
  const rows = await database.kysely
    .selectFrom('users')
    .select(['id', 'name', 'username', 'primary_email', 'primary_phone'])
    .where(inTenant(tenant.id))
    .where('id', 'in', ids)
    .where('is_suspended', '=', false)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const { username, primary_email: email, primary_phone } = row
    const phone = primary_phone && `+${primary_phone}`
    const values = { username, email, phone }
    const identifier = types.map((type) => values[type]).find(Boolean) ?? undefined
    return { id, name: row.name ?? identifier ?? username ?? email ?? phone ?? id, identifier }
  })
}

/** The name of a user on a page. */
export const displayNameOf = async ({ database }: Store, { id: tenantId }: Tenant, userId: string): Promise<string> => {
  const row = await database.kysely
    .selectFrom('users')
    .select(['name', 'username', 'primary_email', 'primary_phone'])
    .where(inTenant(tenantId))
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.name ?? row?.username ?? row?.primary_email ?? row?.primary_phone ?? userId
}
