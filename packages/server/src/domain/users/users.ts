/**
 * Users (SPEC 6.2): created, changed, deleted. Passwords and suspension are access.ts; roles, access/user-roles.ts. The
 * operation that deletes is organizations/deletions.ts, because the organizations of the user lose a member.
 */
import type { UserCreate, UserUpdate } from '@countersign/contract/users.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { newUserId } from '../../kernel/ids.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertOwnerRemains } from '../administrators/last-owner.ts'
import type { StoredPassword } from '../credentials/passwords.ts'
import { endAuthorizationsOfUser } from '../sessions/sign-out.ts'
import { revokeTokensOf } from '../tenants/revocations.ts'
import { columnsOf, type UserColumns, type UserFields } from './fields.ts'
import type { Identities } from './identities.ts'
import { nameRule } from './name-rule.ts'
import { ownerKnows, tellOfAddresses } from './owner-notices.ts'
import { changeOfUser, lockUser, type UserRow, userEntity } from './rows.ts'

/** Which addresses of a new user were verified before there was an account. */
interface VerifiedAddresses {
  readonly email: boolean
  readonly phone: boolean
}

interface NewUser {
  readonly fields: UserFields
  readonly password: StoredPassword | undefined
  readonly applicationId: string | null
  readonly verified: VerifiedAddresses
  readonly lastSignInAt: Date | null
  readonly identities?: Identities | undefined
}

/** Writes the row and gives the user the default roles (DECISIONS E1); one that is being deleted is left out. */
const insertUser = async (unit: Unit, user: NewUser): Promise<UserRow> => {
  const { tx, tenant, now } = unit
  const { fields, password, applicationId, verified, lastSignInAt, identities = {} } = user
  const columns = columnsOf(fields)
  const row = await tx
    .insertInto('users')
    .values({
      profile: '{}',
      custom_data: '{}',
      ...columns,
      ...nameRule(unit, columns),
      tenant_id: tenant.id,
      id: newUserId(),
      identities: JSON.stringify(identities),
      email_verified_at: verified.email ? now : null,
      phone_verified_at: verified.phone ? now : null,
      application_id: applicationId,
      password_hash: password?.hash ?? null,
      password_algorithm: password?.algorithm ?? null,
      password_updated_at: password ? now : null,
      last_sign_in_at: lastSignInAt,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  ownerKnows(unit, row.id)
  await sql`
    INSERT INTO users_roles (tenant_id, user_id, role_id, created_at, origin)
    SELECT tenant_id, ${row.id}, id, ${now}, 'default' FROM (
      SELECT tenant_id, id FROM roles WHERE tenant_id = ${tenant.id} AND is_default ORDER BY id FOR KEY SHARE) AS r`.execute(
    tx,
  )
  return row
}

/**
 * Creates the row of a user who registers and is thereby signed in; the caller emits the events. Throws 422 when an
 * identifier is taken.
 */
export const createUserRow = (
  unit: Unit,
  fields: UserFields,
  password: StoredPassword | undefined,
  applicationId: string | null,
  verified: VerifiedAddresses,
  identities?: Identities,
): Promise<UserRow> =>
  insertUser(unit, { fields, password, applicationId, verified, lastSignInAt: unit.now, identities })

/** Creates a user. @param password hashed, or imported and validated */
export const createUser = operation(
  ['User.Created'],
  async (unit, fields: Static<typeof UserCreate>, password: StoredPassword | undefined): Promise<UserRow> => {
    const neverHere = { applicationId: null, verified: { email: false, phone: false }, lastSignInAt: null }
    const row = await insertUser(unit, { fields, password, ...neverHere })
    unit.emit('User.Created', { data: userEntity(row) })
    unit.concerns('user', row.id, { after: userEntity(row) })
    return row
  },
)

/** Writes the columns of a locked user, and emits the updated user. @param rule of a changed username */
const changeUser = async (
  unit: Unit<'User.Data.Updated'>,
  before: UserRow,
  columns: UserColumns,
  rule: ReturnType<typeof nameRule> = {},
): Promise<UserRow> => {
  const { id } = before
  const { tx, tenant, now, emit } = unit
  const row = await tx
    .updateTable('users')
    .set({ ...columns, ...rule, updated_at: now })
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  emit('User.Data.Updated', { data: userEntity(row) })
  unit.concerns('user', id, changeOfUser(before, row))
  await tellOfAddresses(unit, before, row)
  return row
}

/** Changes a user; a changed address or number is no longer verified. */
export const updateUser = operation(
  ['User.Data.Updated'],
  async (unit, id: string, change: Static<typeof UserUpdate>): Promise<UserRow> => {
    const columns = columnsOf(change)
    const rule = nameRule(unit, columns)
    const before = await lockUser(unit, id)
    const hasNew = (column: 'email_key' | 'primary_phone') =>
      columns[column] !== undefined && columns[column] !== before[column]
    if (hasNew('email_key')) columns.email_verified_at = null
    if (hasNew('primary_phone')) columns.phone_verified_at = null
    return changeUser(unit, before, columns, rule)
  },
)

/** Merges into the custom data at the top level. */
export const mergeUserCustomData = operation(
  ['User.Data.Updated'],
  async (unit, id: string, data: Record<string, unknown>): Promise<UserRow> => {
    const before = await lockUser(unit, id)
    return changeUser(unit, before, { custom_data: JSON.stringify({ ...before.custom_data, ...data }) })
  },
)

/** Merges into the profile at the top level: an address replaces the address. */
export const mergeUserProfile = operation(
  ['User.Data.Updated'],
  async (unit, id: string, data: Record<string, unknown>): Promise<UserRow> => {
    const before = await lockUser(unit, id)
    return changeUser(unit, before, { profile: JSON.stringify({ ...before.profile, ...data }) })
  },
)

/** Deletes a locked user with all dependent rows. Throws 422 for the last owner. */
export const eraseUser = async (unit: Unit<'User.Deleted'>, row: UserRow): Promise<void> => {
  const { tx, tenant, emit } = unit
  const { id } = row
  await assertOwnerRemains(unit, id)
  await endAuthorizationsOfUser(unit, id)
  revokeTokensOf(unit, 'user', id)
  await tx.deleteFrom('users').where(inTenant(tenant.id)).where('id', '=', id).execute()
  emit('User.Deleted', { data: userEntity(row) })
  unit.concerns('user', id, { before: userEntity(row) })
}
