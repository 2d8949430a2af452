/**
 * What follows from an account at the identity provider of a company: who signs in by it, what a new account gets from it, and whose
 * it becomes (DECISIONS P1, P6). The provider speaks for addresses at the domains of its connector, and for no others.
 */
import { ApiError } from '../../kernel/api-error.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { identifierKey } from '../credentials/identifiers.ts'
import { keepTokenSet } from '../federation/token-sets.ts'
import type { UserColumns } from '../users/fields.ts'
import { findUserByIdentifier, type UserRow } from '../users/rows.ts'
import {
  claimSsoIdentity,
  findUserBySsoIdentity,
  refreshSsoIdentity,
  type SsoAccount,
  ssoIdentitiesOf,
} from '../users/sso-identities.ts'
import type { Draft, DraftFields, EnterpriseSsoRecord, Identified } from './draft.ts'
import { organizationsAdmitting } from './organization-connectors.ts'
import { FEDERATED } from './second-factors.ts'

/** The account that a record proves. Throws 400 `session.verification_failed` before the user has come back. */
const ssoAccountOf = ({ connectorId, organizationId, account, sealedIdToken }: EnterpriseSsoRecord): SsoAccount => {
  if (!account) throw new ApiError('session.verification_failed')
  return {
    connectorId,
    account,
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(sealedIdToken ? { sealedIdToken } : {}),
  }
}

/** The user who has the address that the provider speaks for. */
const userWithAddress = async (
  { tx, tenant }: Unit,
  { account: { email, isEmailVerified } }: SsoAccount,
): Promise<UserRow | undefined> =>
  email && isEmailVerified ? findUserByIdentifier(tx, tenant.id, { type: 'email', value: email }) : undefined

/** Throws 422 `organization.require_membership` for a user whom the connector of an organization must not sign in. */
const assertAdmitted = async ({ tx, tenant }: Unit, { organizationId }: SsoAccount, userId: string): Promise<void> => {
  if (organizationId === undefined) return
  const admitting = await organizationsAdmitting(tx, tenant, userId, [organizationId])
  if (!admitting.has(organizationId)) throw new ApiError('organization.require_membership')
}

/**
 * The user who signs in: whose account it is, or who has its address, verified on both sides, and no other account at the connector.
 * Throws 404 `user.identity_not_exist`, 422 `user.email_already_in_use` for a user who has the address and is not joined, 422
 * `organization.require_membership` for one whom the connector of an organization must not sign in, 400.
 */
export const recognizeSso = async (
  unit: Unit,
  record: EnterpriseSsoRecord,
): Promise<{ readonly identified: Identified; readonly ssoAccount?: SsoAccount }> => {
  const { tx, tenant } = unit
  const sso = ssoAccountOf(record)
  const owner = await findUserBySsoIdentity(tx, tenant.id, sso)
  if (owner) await assertAdmitted(unit, sso, owner.id)
  if (owner) return { identified: { userId: owner.id, amr: FEDERATED, ssoAccount: sso } }
  const user = await userWithAddress(unit, sso)
  if (!user) throw new ApiError('user.identity_not_exist')
  const others = await ssoIdentitiesOf(tx, tenant.id, user.id, sso.connectorId)
  // an address that was never proved here may be anyone's, and one with another account at the provider was given to another person
  if (user.email_verified_at === null || others.length > 0) throw new ApiError('user.email_already_in_use')
  await assertAdmitted(unit, sso, user.id)
  const identifier = { type: 'email', value: sso.account.email ?? '' } as const
  return { identified: { userId: user.id, amr: FEDERATED, identifier }, ssoAccount: sso }
}

/**
 * What a new account gets from the provider: name, picture, and an address that it speaks for. Throws 422
 * `user.identity_already_in_use`, `user.email_already_in_use`, 400 `session.verification_failed`; at the connector of an organization 422
 * `organization.require_membership` without an address that it speaks for.
 */
export const newSsoAccountFrom = async (
  unit: Unit,
  record: EnterpriseSsoRecord,
): Promise<{ readonly profile: DraftFields; readonly ssoAccount: SsoAccount }> => {
  const ssoAccount = ssoAccountOf(record)
  if (await findUserBySsoIdentity(unit.tx, unit.tenant.id, ssoAccount))
    throw new ApiError('user.identity_already_in_use')
  if (await userWithAddress(unit, ssoAccount)) throw new ApiError('user.email_already_in_use')
  const { name, avatar, email, isEmailVerified } = ssoAccount.account
  // an organization has proved its domains, and brings users with addresses there only
  if (ssoAccount.organizationId !== undefined && !(email && isEmailVerified))
    throw new ApiError('organization.require_membership')
  const profile: DraftFields = {
    ...(name ? { name } : {}),
    ...(avatar ? { avatar } : {}),
    ...(email && isEmailVerified ? { primaryEmail: email } : {}),
  }
  return { profile, ssoAccount }
}

/** Whether the address that was entered is the one that the provider speaks for. */
export const isProvedBySso = ({ profile: { primaryEmail }, ssoAccount }: Draft): boolean => {
  const { email, isEmailVerified } = ssoAccount?.account ?? {}
  if (!primaryEmail || !email || !isEmailVerified) return false
  const [entered, proved] = [primaryEmail, email].map((value) => identifierKey({ type: 'email', value }))
  return entered === proved
}

/**
 * What a sign-in changes of the user: name and picture where they have none, or, where the connector keeps them in step, whatever the
 * provider says now. Writes nothing.
 */
export const ssoChanges = ({ ssoAccount, identified, verificationRecords }: Draft, user: UserRow): UserColumns => {
  const { name, avatar } = (ssoAccount ?? identified?.ssoAccount)?.account ?? {}
  const isSynced = verificationRecords.some((each) => each.type === 'EnterpriseSso' && each.syncProfile)
  const mayChange = (present: string | null) => isSynced || (ssoAccount !== undefined && present === null)
  return {
    ...(name && name !== user.name && mayChange(user.name) ? { name } : {}),
    ...(avatar && avatar !== user.avatar && mayChange(user.avatar) ? { avatar } : {}),
  }
}

/**
 * Makes the account the user's, or keeps what the provider says of theirs now, once nothing more is needed of them; keeps the tokens of
 * the provider, where the connector does. Throws 422 as claimSsoIdentity.
 */
export const claimSso = async (unit: Unit, draft: Draft, userId: string): Promise<void> => {
  const { ssoAccount, identified, verificationRecords } = draft
  const theirs = ssoAccount ?? identified?.ssoAccount
  if (!theirs) return
  const { connectorId, account } = theirs
  if (ssoAccount) await claimSsoIdentity(unit, userId, ssoAccount)
  else await refreshSsoIdentity(unit, theirs)
  const record = verificationRecords.find((each) => each.type === 'EnterpriseSso' && each.connectorId === connectorId)
  if (record?.type !== 'EnterpriseSso' || !record.sealedTokens) return
  if (record.account?.id === account.id && record.account.issuer === account.issuer)
    await keepTokenSet(unit, userId, { ssoConnectorId: connectorId }, account.id, record.sealedTokens)
}
