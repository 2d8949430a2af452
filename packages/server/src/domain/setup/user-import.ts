/**
 * Bulk import of users for `countersign users import`: a batch is one transaction of a
 * few statements, and the progress commits with it, so that an import can be resumed wherever the process died.
 */

import type { UserLineFields } from '@countersign/contract/user-line.ts'
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { ConfigurationError } from '../../kernel/configuration.ts'
import { newUserId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { firstPassword } from '../credentials/first-password.ts'
import type { StoredPassword } from '../credentials/passwords.ts'
import { assertImportable, credentialsInUse, insertFactors, repeatsCredential } from '../factors/import.ts'
import { columnsOf, type UserColumns } from '../users/fields.ts'
import { accountsOfBatch, type ImportedAccounts, importedIdentities } from '../users/imported-identities.ts'
import { holdNameRule, namesAreExact } from '../users/name-rule.ts'
import { userEntity } from '../users/rows.ts'

/** A line that was not imported, and why. */
export interface RefusedLine {
  readonly line: number
  readonly code: string
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** The progress of an import, committed with each batch. */
export interface ImportProgress {
  /** How much of the input has been processed. */
  readonly bytes: number
  readonly lines: number
  /** SHA-256 of those bytes, base64url. */
  readonly digest: string
  readonly created: number
  readonly refused: number
  readonly isFinished: boolean
  /** Those of the last batch: the file that reports them is written after the commit. */
  readonly recent: readonly RefusedLine[]
}

/** Progress as stored in the database: `kept` is what the next batch must find there. */
export interface KeptProgress {
  readonly progress: ImportProgress
  readonly kept: Buffer
}

/** A user who is valid in itself, ready to be inserted. */
export interface ImportedUser {
  readonly line: number
  readonly fields: UserLineFields
  readonly columns: UserColumns
  readonly password: StoredPassword | undefined
}

export interface ImportBatch {
  /** Which import, see `importKey`. */
  readonly key: string
  readonly before: KeptProgress | undefined
  /** Resets the counts although there is progress. */
  readonly isAgain: boolean
  readonly users: readonly ImportedUser[]
  readonly refusals: readonly RefusedLine[]
  readonly through: Pick<ImportProgress, 'bytes' | 'lines' | 'digest'>
  readonly isLast: boolean
  readonly withEvents: boolean
}

/** The key under which the progress of an import is stored; deleted with the tenant. @param fingerprint of the input */
export const importKey = ({ id }: Tenant, fingerprint: string): string => `user-import/${id}/${fingerprint}`

/** The progress of an earlier import, if there was one. */
export const importProgress = async ({ database }: Store, key: string): Promise<KeptProgress | undefined> => {
  const row = await database.kysely.selectFrom('installation').select('value').where('key', '=', key).executeTakeFirst()
  return row && { progress: JSON.parse(row.value.toString()), kept: row.value }
}

/** The refusal of a line, as reported. */
export const refusedLine = (line: number, { code, sentence, data }: ApiError): RefusedLine => {
  const message = code === 'guard.invalid_input' && typeof data?.reason === 'string' ? data.reason : sentence
  return { line, code, message, ...(data && code !== 'guard.invalid_input' ? { data } : {}) }
}

const invalid = (reason: string) => new ApiError('guard.invalid_input', { reason })

const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined

/**
 * Builds a user from a line: hashes or checks the password, normalises the identifiers. Throws 400 or 422 for invalid
 * data; does not check whether an identifier is taken.
 */
export const importedUser = async (line: number, fields: UserLineFields): Promise<ImportedUser> => {
  const { username, primaryEmail, primaryPhone, name, avatar, customData, profile } = fields
  const columns = columnsOf({
    username: given(username),
    primaryEmail: given(primaryEmail),
    primaryPhone: given(primaryPhone),
    name: given(name),
    avatar: given(avatar),
    customData,
    profile,
  })
  if (fields.emailVerified && !columns.email_key) throw invalid('emailVerified needs a primaryEmail')
  if (fields.phoneVerified && !columns.primary_phone) throw invalid('phoneVerified needs a primaryPhone')
  return { line, fields, columns, password: await firstPassword(fields) }
}

interface Placed extends ImportedUser {
  readonly id: string
  readonly roleIds: readonly string[]
}

/** Finds the roles of the users: those that their lines name, or the default ones (DECISIONS E1). */
const withRoles = async ({ tx, tenant }: Unit, users: readonly ImportedUser[], refuse: Refuse): Promise<Placed[]> => {
  const ids = users.flatMap(({ fields }) => fields.roleIds ?? [])
  const names = users.flatMap(({ fields }) => fields.roleNames ?? [])
  const roles = await tx
    .selectFrom('roles')
    .select(['id', 'name', 'type', 'is_default'])
    .where(inTenant(tenant.id))
    .where(({ or, eb }) =>
      or([
        eb('is_default', '=', true),
        eb('id', '=', sql<string>`ANY(${[...new Set(ids)]}::text[])`),
        eb('name', '=', sql<string>`ANY(${[...new Set(names)]}::text[])`),
      ]),
    )
    .orderBy('id')
    .forKeyShare()
    .execute()
  const byId = new Map(roles.map((role) => [role.id, role]))
  const byName = new Map(roles.map((role) => [role.name, role]))
  const defaults = roles.filter(({ is_default }) => is_default).map(({ id }) => id)
  return users.flatMap((user): Placed[] => {
    const { id = newUserId(), roleIds, roleNames } = user.fields
    if (!roleIds && !roleNames) return [{ ...user, id, roleIds: defaults }]
    const unknownIds = roleIds?.filter((each) => !byId.has(each)) ?? []
    const unknownNames = roleNames?.filter((each) => !byName.has(each)) ?? []
    if (unknownIds.length + unknownNames.length > 0) {
      const data = { roleIds: unknownIds, roleNames: unknownNames }
      refuse(user, new ApiError('entity.relation_foreign_key_not_found', data))
      return []
    }
    const held = [
      ...(roleIds ?? []).map((each) => byId.get(each)),
      ...(roleNames ?? []).map((each) => byName.get(each)),
    ]
    if (held.some((role) => role?.type !== 'User')) {
      refuse(user, new ApiError('user.invalid_role_type'))
      return []
    }
    return [{ ...user, id, roleIds: [...new Set(held.flatMap((role) => role?.id ?? []))] }]
  })
}

type Refuse = (user: ImportedUser, error: ApiError) => void

/** Refuses a line with the id of an earlier line: within one statement rows are identified only by id. */
const firstOfEachId = (users: readonly ImportedUser[], refuse: Refuse): ImportedUser[] => {
  const seen = new Set<string>()
  return users.filter((user) => {
    const { id } = user.fields
    if (id === undefined) return true
    if (seen.has(id)) refuse(user, new ApiError('entity.unique_integrity_violation'))
    const isFirst = !seen.has(id)
    seen.add(id)
    return isFirst
  })
}

/** Refuses a line with a factor or an account elsewhere that cannot be imported, such as one that another user has. */
const withOwn = async (
  unit: Unit,
  users: readonly Placed[],
  accounts: ImportedAccounts,
  refuse: Refuse,
): Promise<Placed[]> => {
  const isKnown = await credentialsInUse(
    unit,
    users.flatMap(({ fields }) => fields.mfaVerifications ?? []),
  )
  const isRepeated = repeatsCredential()
  return users.filter((user) => {
    const { mfaVerifications: factors = [] } = user.fields
    try {
      assertImportable(unit.tenant, factors)
      if (factors.some((factor) => isKnown(factor) || isRepeated(factor)))
        throw new ApiError('session.mfa.bind_mfa_existed')
      accounts.assertFree(user.fields)
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refuse(user, error)
      return false
    }
  })
}

const timeOf = (moment: number | null | undefined): Date | null => (moment == null ? null : new Date(moment))

const rowOf = ({ tenant, now }: Unit, { id, fields, columns, password }: Placed) => ({
  tenant_id: tenant.id,
  id,
  username: columns.username ?? null,
  username_key: columns.username_key ?? null,
  primary_email: columns.primary_email ?? null,
  email_key: columns.email_key ?? null,
  primary_phone: columns.primary_phone ?? null,
  name: columns.name ?? null,
  avatar: columns.avatar ?? null,
  profile: fields.profile ?? {},
  custom_data: fields.customData ?? {},
  identities: importedIdentities(fields),
  application_id: null,
  password_hash: password?.hash ?? null,
  password_algorithm: password?.algorithm ?? null,
  is_suspended: fields.isSuspended ?? false,
  email_verified_at: fields.emailVerified ? now : null,
  phone_verified_at: fields.phoneVerified ? now : null,
  password_updated_at: password ? now : null,
  last_sign_in_at: timeOf(fields.lastSignInAt),
  created_at: timeOf(fields.createdAt) ?? now,
  updated_at: now,
  factor_choices: {},
  is_password_expired: false,
})
type Row = ReturnType<typeof rowOf>

/** Inserts the rows except those with a conflicting identifier or id, and returns the ids of the inserted ones. */
const insertRows = async ({ tx, tenant }: Unit, rows: readonly Row[]): Promise<Set<string>> => {
  const { rows: inserted } = await sql<{ id: string }>`
    INSERT INTO users (tenant_id, id, username, username_key, primary_email, email_key, primary_phone, name, avatar,
      profile, custom_data, identities, password_hash, password_algorithm, is_suspended, email_verified_at,
      phone_verified_at, password_updated_at, last_sign_in_at, created_at, updated_at, is_username_exact)
    SELECT ${tenant.id}, r.*, r.username IS NOT NULL AND ${namesAreExact(tenant.id)} FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r (id text, username text,
      username_key text, primary_email text, email_key text, primary_phone text, name text, avatar text,
      profile jsonb, custom_data jsonb, identities jsonb, password_hash text, password_algorithm text,
      is_suspended boolean, email_verified_at timestamptz, phone_verified_at timestamptz,
      password_updated_at timestamptz, last_sign_in_at timestamptz, created_at timestamptz, updated_at timestamptz)
    ON CONFLICT DO NOTHING
    RETURNING id`.execute(tx)
  return new Set(inserted.map(({ id }) => id))
}

/** Why rows were left out: what each has in common with an existing user. */
const conflictsOf = async ({ tx, tenant }: Unit, rows: readonly Row[]): Promise<(row: Row) => ApiError> => {
  const valuesOf = (column: 'id' | 'username_key' | 'email_key' | 'primary_phone') =>
    rows.map((row) => row[column]).filter((value) => value !== null)
  type Present = Pick<Row, 'id' | 'username' | 'username_key' | 'email_key' | 'primary_phone'> & { isExact: boolean }
  const { rows: present } = await sql<Present>`
    SELECT id, username, username_key, email_key, primary_phone, ${namesAreExact(tenant.id)} AS "isExact" FROM users WHERE tenant_id = ${tenant.id}
      AND (id = ANY(${valuesOf('id')}::text[]) OR username_key = ANY(${valuesOf('username_key')}::text[])
      OR email_key = ANY(${valuesOf('email_key')}::text[]) OR primary_phone = ANY(${valuesOf('primary_phone')}::text[]))
    `.execute(tx)
  const name = present.some(({ isExact }) => isExact) ? 'username' : 'username_key'
  const taken = (column: typeof name | 'email_key' | 'primary_phone') =>
    new Set(present.map((row) => row[column]).filter((value) => value !== null))
  const [usernames, emails, phones] = [taken(name), taken('email_key'), taken('primary_phone')]
  return ({ [name]: username, email_key, primary_phone }) => {
    if (username !== null && usernames.has(username)) return new ApiError('user.username_already_in_use')
    if (email_key !== null && emails.has(email_key)) return new ApiError('user.email_already_in_use')
    if (primary_phone !== null && phones.has(primary_phone)) return new ApiError('user.phone_already_in_use')
    return new ApiError('entity.unique_integrity_violation')
  }
}

const CONCURRENT_IMPORT = 'Another process is importing the same input into this tenant.'

/** Makes sure that no other process imports the same input at the same time: the row is locked until the commit. */
const claim = async ({ tx }: Unit, { key, before }: ImportBatch): Promise<void> => {
  if (!before) {
    const added = await tx
      .insertInto('installation')
      .values({ key, value: Buffer.from('{}') })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .execute()
    if (added.length === 0) throw new ConfigurationError(CONCURRENT_IMPORT)
    return
  }
  const row = await tx.selectFrom('installation').select('value').where('key', '=', key).forUpdate().executeTakeFirst()
  if (!row?.value.equals(before.kept)) throw new ConfigurationError(CONCURRENT_IMPORT)
}

const NOTHING = { created: 0, refused: 0 }

/**
 * Imports a batch: creates the users whose lines are valid and whose identifiers are free, refuses the others one
 * by one, and stores the progress. The password policy is not applied, as with `POST /users`.
 */
export const importUsers = operation(['User.Created'], async (unit, batch: ImportBatch): Promise<KeptProgress> => {
  const { tx, tenant, now, emit, send, note } = unit
  const { key, before, isAgain, users, through, isLast, withEvents } = batch
  const refusals = [...batch.refusals]
  holdNameRule(unit)
  const refuse: Refuse = ({ line }, error) => void refusals.push(refusedLine(line, error))
  const ofOneId = firstOfEachId(users, refuse)
  const [withKnownRoles] = await Promise.all([withRoles(unit, ofOneId, refuse), claim(unit, batch)])
  const accounts = await accountsOfBatch(
    unit,
    withKnownRoles.map(({ fields }) => fields),
  )
  const placed = await withOwn(unit, withKnownRoles, accounts, refuse)
  const rows = placed.map((user) => rowOf(unit, user))
  const inserted = rows.length > 0 ? await insertRows(unit, rows) : new Set<string>()
  if (inserted.size < rows.length) {
    const left = new Map(rows.filter(({ id }) => !inserted.has(id)).map((row) => [row.id, row]))
    const conflictOf = await conflictsOf(unit, [...left.values()])
    for (const user of placed) {
      const row = left.get(user.id)
      if (row) refuse(user, conflictOf(row))
    }
  }
  const created = placed.filter(({ id }) => inserted.has(id))
  const held = created.flatMap(({ id, roleIds, fields }) => {
    const origin = fields.roleIds || fields.roleNames ? 'import' : 'default'
    return roleIds.map((roleId) => ({ id, roleId, origin }))
  })
  if (held.length > 0) {
    send(
      sql`INSERT INTO users_roles (tenant_id, user_id, role_id, created_at, origin)
        SELECT ${tenant.id}, h.user_id, h.role_id, ${now}, h.origin
        FROM unnest(
          ${held.map(({ id }) => id)}::text[], ${held.map(({ roleId }) => roleId)}::text[],
          ${held.map(({ origin }) => origin)}::text[]) AS h (user_id, role_id, origin)`.execute(tx),
    )
  }
  await insertFactors(
    unit,
    created.map(({ id, fields }) => ({ id, factors: fields.mfaVerifications ?? [] })),
  )
  await accounts.insert(created)
  if (withEvents) {
    for (const row of rows) if (inserted.has(row.id)) emit('User.Created', { data: userEntity(row) })
  }
  const counts = isAgain || !before ? NOTHING : before.progress
  const progress: ImportProgress = {
    ...through,
    created: counts.created + created.length,
    refused: counts.refused + refusals.length,
    isFinished: isLast,
    recent: refusals.sort((a, b) => a.line - b.line),
  }
  const kept = Buffer.from(JSON.stringify(progress))
  send(tx.updateTable('installation').set({ value: kept }).where('key', '=', key).execute())
  note({ created: created.length, refused: refusals.length, throughLine: through.lines, withEvents })
  return { progress, kept }
})

/**
 * Tells PostgreSQL how many users there are now: by itself it would notice within a minute, and plan for few until
 * then.
 */
export const analyzeUsers = async ({ database }: Store): Promise<void> => {
  await sql`ANALYZE users, users_roles`.execute(database.kysely)
}
