/** The rows of users: reading one, locking one for a change, and a user as events carry it. */

import { type Selectable, sql } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type EntityChange, Withheld } from '../../storage/audit-entities.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { type Identifier, identifierKeys } from '../credentials/identifiers.ts'
import type { Account } from '../credentials/lockout.ts'

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
export const userEntity = (row: UserRow) => ({
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
  cimdClientId: null,
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

/** The row, locked against concurrent changes to the user or their dependents. Throws 404. */
export const lockUser = async ({ tx, tenant }: Unit, id: string): Promise<UserRow> => {
  const row = await tx
    .selectFrom('users')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('user', id)
  return row
}

const KEY_COLUMNS = { username: 'username_key', email: 'email_key', phone: 'primary_phone' } as const

/**
 * The user with this identifier in any spelling, with the hash of the password, even if suspended.
 * Undefined when no user has or can have it.
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
    .orderBy(sql`array_position(${keys}::text[], ${sql.ref(column)})`)
    .limit(1)
    .executeTakeFirst()
}

/** What a password is verified against, and all identifiers that its user can sign in with. */
export type Credentials = Pick<
  UserRow,
  'id' | 'username' | 'primary_email' | 'primary_phone' | 'password_hash' | 'password_algorithm'
>

/** Like findUserByIdentifier, but only what is needed to verify a password, outside a unit of work. */
export const findCredentials = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  identifier: Identifier,
): Promise<Credentials | undefined> => {
  const keys = identifierKeys(identifier)
  if (keys.length === 0) return undefined
  const column = KEY_COLUMNS[identifier.type]
  const { rows } = await database.lookups.query({
    name: `find-credentials-${identifier.type}`,
    text: `SELECT id, username, primary_email, primary_phone, password_hash, password_algorithm
      FROM users WHERE tenant_id = $1 AND ${column} = ANY($2::text[])
      ORDER BY array_position($2::text[], ${column}) LIMIT 1`,
    values: [tenantId, keys],
  })
  return (rows as Credentials[])[0]
}

/** Whether this text is what the user signs in with: their username, email address or phone number, however written. */
export const isNamedBy = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  userId: string,
  text: string,
): Promise<boolean> => {
  const row = await database.kysely
    .selectFrom('users')
    .select(['username_key', 'email_key', 'primary_phone'])
    .where(inTenant(tenantId))
    .where('id', '=', userId)
    .executeTakeFirst()
  const types = ['username', 'email', 'phone'] as const
  return types.some((type) => {
    const held = row?.[KEY_COLUMNS[type]]
    return held != null && identifierKeys({ type, value: text }).includes(held)
  })
}

/** The target of the lockout: the user and all identifiers that they can sign in with. */
export const accountOf = (row: Pick<UserRow, 'id' | 'username' | 'primary_email' | 'primary_phone'>): Account => {
  const all = [
    { type: 'username', value: row.username },
    { type: 'email', value: row.primary_email },
    { type: 'phone', value: row.primary_phone },
  ] as const
  const identifiers = all.flatMap(({ type, value }): Identifier[] => (value === null ? [] : [{ type, value }]))
  return { userId: row.id, identifiers }
}
