/**
 * The account behind a user of a directory: found or created, updated to the data of the directory, suspended and
 * reactivated, all by the operations that the Management API uses. An organization's directory manages only accounts
 * that it created; of an existing user it manages the membership (DECISIONS S1).
 */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { assertMayChange } from '../administrators/takeover.ts'
import { emailDomainKey } from '../credentials/email-domain.ts'
import { identifierKey } from '../credentials/identifiers.ts'
import { organizationUsers } from '../organizations/members.ts'
import { endAuthorizationsOfUser } from '../sessions/sign-out.ts'
import { setSuspended } from '../users/access.ts'
import { columnsOf } from '../users/fields.ts'
import { deleteIdentity } from '../users/identities.ts'
import { findUserByIdentifier, lockUser, type UserRow } from '../users/rows.ts'
import { createUser, updateUser } from '../users/users.ts'
import { accountEmail, accountFields, type UserContent } from './content.ts'
import type { DirectoryRow } from './directories.ts'
import { ownerOf } from './provisioned-users.ts'

type AccountEvent =
  | 'User.Created'
  | 'User.Data.Updated'
  | 'User.SuspensionStatus.Updated'
  | 'Organization.Membership.Updated'

/** What any operation on a provisioned user may emit. */
export const ACCOUNT_EVENTS = [
  'User.Created',
  'User.Data.Updated',
  'User.SuspensionStatus.Updated',
  'Organization.Membership.Updated',
] as const satisfies readonly AccountEvent[]

export interface FoundAccount {
  readonly id: string
  /** Whether the directory manages the account, and not only its membership. */
  readonly isOwner: boolean
  /** Whether the directory has suspended it: an account that an administrator suspended it does not reactivate. */
  readonly hasSuspended: boolean
}

const vouchesFor = ({ email_domains: domains }: DirectoryRow, email: string): boolean => {
  const domain = emailDomainKey(email.slice(email.lastIndexOf('@') + 1))
  return domain !== undefined && domains.includes(domain)
}

/**
 * Throws 400 for a user whose address is at no domain of a directory that is restricted to them, or who has none. An organization's
 * directory sends addresses of linked users too: those count alike.
 */
export const assertOwnDomain = (directory: DirectoryRow, content: UserContent): void => {
  if (!directory.restricts_domains) return
  const email = accountEmail(content)
  if (email === undefined || !vouchesFor(directory, email))
    throw new ApiError('guard.invalid_input', { reason: 'the user has no address at a domain of the directory' })
}

/** Whether the directory may link an existing user: only one whose own, verified address it vouches for. */
const mayLink = async (unit: Unit, directory: DirectoryRow, user: UserRow): Promise<boolean> => {
  if (!directory.links_users || user.email_verified_at === null || user.primary_email === null) return false
  if (!vouchesFor(directory, user.primary_email)) return false
  // two directories that manage one account would undo each other's changes
  return directory.organization_id !== null || (await ownerOf(unit.tx, unit.tenant, user.id)) === undefined
}

/** The existing user with the address that the directory sent, if it may be linked. Throws 422 for one that may not. */
const linkedUser = async (unit: Unit, directory: DirectoryRow, email: string): Promise<UserRow | undefined> => {
  const found = await findUserByIdentifier(unit.tx, unit.tenant.id, { type: 'email', value: email })
  if (!found) return undefined
  const user = await lockUser(unit, found.id)
  if (await mayLink(unit, directory, user)) return user
  throw new ApiError('user.email_already_in_use')
}

/** An address at a domain of the directory needs no verification by its owner. */
const verifyAddress = async ({ tx, tenant, now }: Unit, directory: DirectoryRow, id: string, email: string) => {
  if (!vouchesFor(directory, email)) return
  await tx
    .updateTable('users')
    .set({ email_verified_at: now })
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .where('email_key', '=', identifierKey({ type: 'email', value: email }) ?? '')
    .where('email_verified_at', 'is', null)
    .execute()
}

/** Whether writing these columns would change anything. */
const differs = (row: UserRow, columns: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(columns).some(([name, value]) => {
    const held = row[name as keyof UserRow]
    if (name !== 'profile') return held !== value
    const sorted = (fields: object) => JSON.stringify(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    return sorted(held as object) !== sorted(JSON.parse(String(value)))
  })

const IDENTIFIERS: ReadonlySet<string> = new Set(['username_key', 'email_key', 'primary_phone'])

/** Those of the columns that a user signs in with. */
const identifiersOf = (columns: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => IDENTIFIERS.has(name)))

/**
 * Updates the fields of an account that the directory manages to its data. Throws 400, 422, and 403 for the identifiers of an
 * administrator (DECISIONS U4).
 */
export const alignAccount = async (
  unit: Unit<'User.Data.Updated'>,
  directory: DirectoryRow,
  id: string,
  content: UserContent,
): Promise<void> => {
  const row = await lockUser(unit, id)
  const fields = accountFields(content, row)
  const columns = columnsOf(fields)
  if (differs(row, identifiersOf(columns))) await assertMayChange(unit, id)
  if (differs(row, columns)) await updateUser.run(unit, id, fields)
  if (fields.primaryEmail) await verifyAddress(unit, directory, id, fields.primaryEmail)
}

/**
 * Removes everything that the former user of an account can sign in with, and ends what it is signed in with: the directory
 * does not say that the present user is the same person (DECISIONS S3).
 */
export const forgetProofs = async (unit: Unit<'User.Data.Updated'>, id: string): Promise<void> => {
  const { tx, tenant } = unit
  const user = await lockUser(unit, id)
  await assertMayChange(unit, id)
  await endAuthorizationsOfUser(unit, id)
  for (const table of [
    'factors',
    'trusted_devices',
    'known_devices',
    'personal_access_tokens',
    'user_sso_identities',
  ] as const)
    await tx.deleteFrom(table).where(inTenant(tenant.id)).where('user_id', '=', id).execute()
  for (const target of Object.keys(user.identities)) await deleteIdentity.run(unit, id, target)
  await tx
    .updateTable('users')
    .set({ password_hash: null, password_algorithm: null, password_updated_at: null })
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .execute()
  if (user.primary_phone !== null) await updateUser.run(unit, id, { primaryPhone: null })
  unit.note({ proofsForgotten: true })
}

/** Suspends an account unless it is suspended; returns whether it did. */
const suspend = async (unit: Unit<'User.SuspensionStatus.Updated'>, id: string): Promise<boolean> => {
  const { is_suspended: isSuspended } = await lockUser(unit, id)
  if (!isSuspended) await setSuspended.run(unit, id, true)
  return !isSuspended
}

/**
 * Suspends or reactivates an account that the directory manages, which ends its sessions, grants and tokens; for any
 * other account it ends or begins the membership. Only a suspension by the directory is lifted (DECISIONS S3). Returns
 * whether the account is suspended by the directory now.
 */
export const setActive = async (
  unit: Unit<'User.SuspensionStatus.Updated' | 'Organization.Membership.Updated'>,
  { organization_id: organizationId }: DirectoryRow,
  { id, isOwner, hasSuspended }: FoundAccount,
  isActive: boolean,
): Promise<boolean> => {
  if (!isOwner) {
    if (organizationId !== null) await (isActive ? join : leave)(unit, organizationId, id)
    return false
  }
  if (!isActive) return (await suspend(unit, id)) || hasSuspended
  if (hasSuspended) await setSuspended.run(unit, id, false)
  return false
}

/** Begins a membership unless there is one. */
export const join = (
  unit: Unit<'Organization.Membership.Updated'>,
  organizationId: string,
  id: string,
): Promise<void> => organizationUsers.add.run(unit, organizationId, [id])

/** Ends a membership if there is one. */
export const leave = async (
  unit: Unit<'Organization.Membership.Updated'>,
  organizationId: string,
  id: string,
): Promise<void> => {
  const { rows } = await sql`
    SELECT FROM organization_users
    WHERE tenant_id = ${unit.tenant.id} AND organization_id = ${organizationId} AND user_id = ${id}`.execute(unit.tx)
  if (rows.length > 0) await organizationUsers.remove.run(unit, organizationId, id)
}

/**
 * The account of a new user of a directory: one that may be linked, or a new one without a password. It becomes a
 * member of the directory's organization, unless it is inactive. Throws 400 for identifiers that no account can have,
 * 422 for taken ones.
 */
export const openAccount = async (
  unit: Unit<AccountEvent>,
  directory: DirectoryRow,
  content: UserContent,
): Promise<FoundAccount> => {
  const email = accountEmail(content)
  const linked = email === undefined ? undefined : await linkedUser(unit, directory, email)
  if (linked) {
    const account = { id: linked.id, isOwner: directory.organization_id === null, hasSuspended: false }
    unit.note({ linkedUserId: linked.id })
    if (account.isOwner) await alignAccount(unit, directory, linked.id, content)
    // an active account stays as it is, and an inactive user does not join
    const changes = account.isOwner !== content.active
    return { ...account, hasSuspended: changes && (await setActive(unit, directory, account, content.active)) }
  }
  const { id } = await createUser.run(unit, accountFields(content, undefined), undefined)
  if (email !== undefined) await verifyAddress(unit, directory, id, email)
  if (directory.organization_id !== null) await join(unit, directory.organization_id, id)
  return { id, isOwner: true, hasSuspended: !content.active && (await suspend(unit, id)) }
}
