/** The rows of users: reading one, locking one for a change, and a user as events carry it. */

import { type Selectable, sql } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import { clientMembers } from '../../kernel/document-ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type EntityChange, Withheld } from '../../storage/audit-entities.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { assertMayChange } from '../administrators/takeover.ts'
import { type Identifier, identifierKeys } from '../credentials/identifiers.ts'
import { type Account, hashOf, type Locks, lockColumns, readings } from '../credentials/lockout.ts'

export type UserRow = Selectable<Tables['users']>

/** What claims may say about a user. */
export const CLAIMED_COLUMNS = [
  'id',
  'username',
  'primary_email',
  'primary_phone',
  'name',
  'avatar',
  'profile',
  'custom_data',
  'identities',
  'email_verified_at',
  'phone_verified_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof UserRow)[]

export type ClaimedUser = Pick<UserRow, (typeof CLAIMED_COLUMNS)[number]>

/** A user as events represent it: what the Management API shows, without anything about the password. */
export const userEntity = (row: Omit<UserRow, 'is_username_exact' | 'last_sign_in_day'>) => ({
  id: row.id,
  username: row.username,
  primaryEmail: row.primary_email,
  primaryPhone: row.primary_phone,
  name: row.name,
  avatar: row.avatar,
  customData: row.custom_data,
  identities: row.identities,
  profile: row.profile,
  ...clientMembers(row.application_id),
  isSuspended: row.is_suspended,
  lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

/** What the audit log records about a change; for a password, only that it changed. */
export const changeOfUser = (before: UserRow, after: UserRow): EntityChange => {
  const fieldsOf = (row: UserRow) => {
    const { updatedAt: _always, ...fields } = userEntity(row)
    return { ...fields, password: new Withheld(row.password_hash) }
  }
  return { before: fieldsOf(before), after: fieldsOf(after) }
}

export const getUser = async (store: Store, { id: tenantId }: Tenant, id: string): Promise<UserRow> => {
  const row = await store.database.kysely
    .selectFrom('users')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('user', id)
  return row
}

/**
 * The row, locked against concurrent changes to the user or their dependents. Throws 404; 403 for a caller of the Management API who
 * may not change this user (DECISIONS U4).
 */
export const lockUser = async (unit: Unit, id: string): Promise<UserRow> => {
  const { tx, tenant, caller } = unit
  const row = await tx
    .selectFrom('users')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('user', id)
  if (caller.permissions) await assertMayChange(unit, id)
  return row
}

const KEY_COLUMNS = { username: 'username_key', email: 'email_key', phone: 'primary_phone' } as const

/**
 * The user with this identifier in any spelling, with the hash of the password, even if suspended; an exact username is
 * found only as written. Undefined when no user has or can have it.
 */
export const findUserByIdentifier = async (
  db: Db,
  tenantId: string,
  identifier: Identifier,
): Promise<UserRow | undefined> => {
  const keys = identifierKeys(identifier)
  if (keys.length === 0) return undefined
  const column = KEY_COLUMNS[identifier.type]
  return db
    .selectFrom('users')
    .selectAll()
    .where(inTenant(tenantId))
    .where(column, 'in', keys)
    .$if(identifier.isExact === true, (query) => query.where('username', '=', identifier.value))
    .orderBy(sql`array_position(${keys}::text[], ${sql.ref(column)})`)
    .limit(1)
    .executeTakeFirst()
}

/** What a password is verified against, and all identifiers that its user can sign in with. */
export type Credentials = Pick<
  UserRow,
  'id' | 'username' | 'primary_email' | 'primary_phone' | 'password_hash' | 'password_algorithm'
>

/** What is known of a target before a guess at it is verified. */
export interface GuessedAt extends Locks {
  /** Undefined: no user has the identifier, or can have it. */
  readonly user: Credentials | undefined
}

/**
 * Like findUserByIdentifier, but only what is needed to verify a password, outside a unit of work, with the locks that hold: one
 * statement. `takeTurn` checks again whether they still hold before the guess is answered.
 */
export const findCredentials = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  identifier: Identifier,
): Promise<GuessedAt> => {
  const column = KEY_COLUMNS[identifier.type]
  const { isExact, value } = identifier
  const known = [tenantId, identifierKeys(identifier), hashOf(identifier), clock.now()]
  const { rows } = await database.lookups.query({
    name: `find-credentials-${identifier.type}${isExact ? '-exact' : ''}`,
    text: `SELECT u.*, ${lockColumns('$1', '$3', 'u.id', '$4')}
      FROM (SELECT) one LEFT JOIN LATERAL (
        SELECT id, username, primary_email, primary_phone, password_hash, password_algorithm
        FROM users WHERE tenant_id = $1 AND ${column} = ANY($2::text[]) ${isExact ? 'AND username = $5' : ''}
        ORDER BY array_position($2::text[], ${column}) LIMIT 1) u ON true`,
    values: isExact ? [...known, value] : known,
  })
  const [row] = rows as (Credentials & {
    readonly is_identifier_locked: boolean
    readonly is_account_locked: boolean
  })[]
  if (!row) throw new Error('the locks of an identifier were not answered')
  const { is_identifier_locked: isIdentifierLocked, is_account_locked: isAccountLocked, ...user } = row
  return { user: user.id === null ? undefined : user, isIdentifierLocked, isAccountLocked }
}

/** Whether a user has this identifier, in any spelling; an exact username as written. */
export const hasIdentifier = (
  row: Pick<UserRow, 'username' | 'username_key' | 'email_key' | 'primary_phone'>,
  identifier: Identifier,
): boolean => {
  const held = row[KEY_COLUMNS[identifier.type]]
  if (held === null || !identifierKeys(identifier).includes(held)) return false
  return !identifier.isExact || row.username === identifier.value
}

/**
 * Whether this text is an identifier of the user: username, email address or phone number, in any spelling.
 * @param hasExactNames whether the tenant distinguishes usernames by case
 */
export const isNamedBy = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  userId: string,
  text: string,
  hasExactNames: boolean,
): Promise<boolean> => {
  const row = await database.kysely
    .selectFrom('users')
    .select(['username', 'username_key', 'email_key', 'primary_phone'])
    .where(inTenant(tenantId))
    .where('id', '=', userId)
    .executeTakeFirst()
  return row !== undefined && readings(text, hasExactNames).some((identifier) => hasIdentifier(row, identifier))
}

/**
 * The target of the lockout: the user and all identifiers that they can sign in with.
 * @param hasExactNames whether the tenant distinguishes usernames by case
 */
export const accountOf = (
  row: Pick<UserRow, 'id' | 'username' | 'primary_email' | 'primary_phone'>,
  hasExactNames: boolean,
): Account => {
  const all = [
    { type: 'username', value: row.username, isExact: hasExactNames },
    { type: 'email', value: row.primary_email },
    { type: 'phone', value: row.primary_phone },
  ] as const
  const identifiers = all.flatMap(({ value, ...rest }): Identifier[] => (value === null ? [] : [{ value, ...rest }]))
  return { userId: row.id, identifiers }
}

/** The email address of a user, if it was verified and the user exists. */
export const verifiedEmailOf = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  userId: string,
): Promise<string | undefined> => {
  const row = await database.kysely
    .selectFrom('users')
    .select('primary_email')
    .where(inTenant(tenantId))
    .where('id', '=', userId)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst()
  return row?.primary_email ?? undefined
}
