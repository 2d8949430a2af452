/**
 * What follows from an account at a provider: who signs in by it, what a new account gets from it, and whose it becomes (DECISIONS
 * P1). An address alone joins two accounts only where both sides have verified it and the provider is trusted for it.
 */
import { ApiError } from '../../kernel/api-error.ts'
import { operation, perform, type Unit, type Work } from '../../storage/unit-of-work.ts'
import { assertEmailAllowed } from '../credentials/email-blocklist.ts'
import { identifierKey } from '../credentials/identifiers.ts'
import type { FederatedAccount } from '../federation/provider.ts'
import { keepTokenSet } from '../federation/token-sets.ts'
import type { UserColumns } from '../users/fields.ts'
import {
  claimIdentity,
  findUserByIdentity,
  identityAt,
  identityOf,
  lockUserByIdentity,
  withIdentity,
} from '../users/identities.ts'
import { findUserByIdentifier, type UserRow } from '../users/rows.ts'
import type { Address, Draft, DraftFields, Identified, SocialAccount, SocialRecord } from './draft.ts'
import { assertEnterable, type Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { changeDraft, recordOf } from './interaction-drafts.ts'
import { lockIdentified } from './password-proof.ts'
import { FEDERATED, maskedAddress } from './second-factors.ts'

/** The account that a record proves. Throws 400 `session.verification_failed` before the user has come back. */
export const socialAccountOf = ({ connectorId, target, account, sealedTokens }: SocialRecord): SocialAccount => {
  if (!account) throw new ApiError('session.verification_failed')
  return { connectorId, target, account, ...(sealedTokens ? { sealedTokens } : {}) }
}

/** What of an account is verified on the provider's side. */
const verifiedAddresses = ({ email, isEmailVerified, phone, isPhoneVerified }: FederatedAccount): Address[] => [
  ...(email && isEmailVerified ? [{ type: 'email', value: email } as const] : []),
  ...(phone && isPhoneVerified ? [{ type: 'phone', value: `+${phone}` } as const] : []),
]

interface Related {
  readonly user: UserRow
  readonly address: Address
  /** Whether it is verified on our side as well, and the user has no other account of the target. */
  readonly isJoinable: boolean
}

/** The user who has an address that the provider has verified. */
const relatedUser = async (
  { tx, tenant }: Pick<Unit, 'tx' | 'tenant'>,
  { account, target }: SocialAccount,
): Promise<Related | undefined> => {
  for (const address of verifiedAddresses(account)) {
    const user = await findUserByIdentifier(tx, tenant.id, address)
    if (!user) continue
    const verifiedAt = address.type === 'email' ? user.email_verified_at : user.phone_verified_at
    return { user, address, isJoinable: verifiedAt !== null && !identityAt(user, target) }
  }
  return undefined
}

/**
 * The address of the user whom an account at a provider could become once they prove that theirs is; and whether that is proved
 * already, because both sides have verified the address. Throws 400 `session.verification_failed`.
 */
export const relatedAccount = async (
  { store, tenant }: Work,
  record: SocialRecord,
): Promise<Omit<Related, 'user'> | undefined> => {
  const related = await relatedUser({ tx: store.database.kysely, tenant }, socialAccountOf(record))
  if (!related || identityAt(related.user, record.target)) return undefined
  const { address, isJoinable } = related
  return { address, isJoinable }
}

/** Who signs in by an account elsewhere. */
export interface Recognition {
  /** For the draft; an account that becomes theirs thereby is in it. */
  readonly recognized: Pick<Draft, 'socialAccount' | 'ssoAccount'> & { readonly identified: Identified }
  /** Their row, where it was locked at once. */
  readonly locked?: UserRow
}

/**
 * The user who signs in by an account at a provider: whose it is, or who has its address, if both sides have verified that and the
 * settings or the user want them joined. Throws 404 `user.identity_not_exist`, with a hint of the user who has the address, 400.
 * @param isWanted whether the user wants them joined
 */
export const recognize = async (
  unit: Unit,
  record: SocialRecord,
  { socialSignIn }: SignInExperience,
  isWanted: boolean,
): Promise<Recognition> => {
  const social = socialAccountOf(record)
  const { target, account } = social
  const owner = await lockUserByIdentity(unit, target, account.id)
  if (owner) {
    const identity = { target, userId: account.id }
    return { recognized: { identified: { userId: owner.id, amr: FEDERATED, identity } }, locked: owner }
  }
  const related = await relatedUser(unit, social)
  if (related?.isJoinable && (isWanted || socialSignIn.automaticAccountLinking)) {
    const identified = { userId: related.user.id, amr: FEDERATED, identifier: related.address }
    return { recognized: { identified, socialAccount: social } }
  }
  const hint = related && { relatedUser: { type: related.address.type, value: maskedAddress(related.address.value) } }
  throw new ApiError('user.identity_not_exist', hint)
}

/**
 * What a new account gets from the provider: name, picture, and the addresses that the provider has verified and no user has. Throws 422
 * `user.identity_already_in_use`, `session.email_blocklist.…`, 400 `session.verification_failed`.
 */
export const newAccountFrom = async (
  unit: Unit,
  record: SocialRecord,
  { emailBlocklistPolicy }: SignInExperience,
): Promise<{ profile: DraftFields; socialAccount: SocialAccount }> => {
  const { tx, tenant } = unit
  const socialAccount = socialAccountOf(record)
  const { account, target } = socialAccount
  if (await findUserByIdentity(tx, tenant.id, target, account.id)) throw new ApiError('user.identity_already_in_use')
  const { name, avatar } = account
  const free: DraftFields[] = []
  for (const { type, value } of verifiedAddresses(account))
    if (!(await findUserByIdentifier(tx, tenant.id, { type, value })))
      free.push(type === 'email' ? { primaryEmail: value } : { primaryPhone: value })
  const profile: DraftFields = {
    ...(name ? { name } : {}),
    ...(avatar ? { avatar } : {}),
    ...Object.assign({}, ...free),
  }
  if (profile.primaryEmail) await assertEmailAllowed(profile.primaryEmail, emailBlocklistPolicy)
  return { profile, socialAccount }
}

/** Whether the address or number that was entered is one that the provider of the draft's account has verified. */
export const isSociallyProved = ({ profile, socialAccount }: Draft, type: Address['type']): boolean => {
  const entered =
    type === 'email' ? profile.primaryEmail : profile.primaryPhone && `+${profile.primaryPhone.replace(/^\+/, '')}`
  if (!entered || !socialAccount) return false
  const key = identifierKey({ type, value: entered })
  return verifiedAddresses(socialAccount.account).some((each) => each.type === type && identifierKey(each) === key)
}

const differs = (account: FederatedAccount, row: UserRow): UserColumns => ({
  ...(account.name && account.name !== row.name ? { name: account.name } : {}),
  ...(account.avatar && account.avatar !== row.avatar ? { avatar: account.avatar } : {}),
})

/**
 * What a sign-in changes of the user: an account at a provider that becomes theirs, with name and picture where they have none; and
 * what the provider says now, where the connector keeps that in step. Writes nothing: claimSocial does.
 */
export const socialChanges = (draft: Draft, user: UserRow): UserColumns => {
  const { socialAccount, identified, verificationRecords } = draft
  if (socialAccount) {
    const { target, account } = socialAccount
    return {
      ...(user.name === null && account.name ? { name: account.name } : {}),
      ...(user.avatar === null && account.avatar ? { avatar: account.avatar } : {}),
      ...withIdentity(user, target, identityOf(account)),
    }
  }
  const record = verificationRecords.find((each) => each.type === 'Social')
  const { account, syncProfile, target } = record ?? {}
  const isTheirs = identified?.identity?.target === target && identified?.identity?.userId === account?.id
  if (!account || !target || !syncProfile || !isTheirs) return {}
  const changes = differs(account, user)
  return Object.keys(changes).length > 0 ? { ...changes, ...withIdentity(user, target, identityOf(account)) } : {}
}

/** Keeps the tokens that the provider has issued, where the connector keeps them. The account is the user's. */
const keepTokens = async (unit: Unit, userId: string, social: SocialAccount): Promise<void> => {
  const { connectorId, target, account, sealedTokens } = social
  if (sealedTokens) await keepTokenSet(unit, userId, { connectorId, target }, account.id, sealedTokens)
}

/**
 * Makes the account at a provider that was entered the user's, once nothing more is needed of them: a sign-in that is refused for a
 * second factor can be committed. Keeps the tokens of the provider, also those of an account that was theirs. Throws 422 as
 * claimIdentity.
 */
export const claimSocial = async (unit: Unit, draft: Draft, userId: string): Promise<void> => {
  const { socialAccount, identified, verificationRecords } = draft
  if (socialAccount) {
    await claimIdentity(unit, userId, socialAccount.target, socialAccount.account.id)
    return keepTokens(unit, userId, socialAccount)
  }
  const record = verificationRecords.find((each) => each.type === 'Social')
  const isTheirs =
    identified?.identity?.target === record?.target && identified?.identity?.userId === record?.account?.id
  if (record?.account && isTheirs) await keepTokens(unit, userId, socialAccountOf(record))
}

const socialEntered = operation(
  [],
  async (unit, interactionId: string, recordId: string, experience: SignInExperience): Promise<void> => {
    await changeDraft(unit, interactionId, async (draft) => {
      assertEnterable(draft)
      const record = recordOf(draft, recordId)
      if (record.type !== 'Social') throw new ApiError('session.verification_failed')
      if (!draft.identified) {
        const { profile, socialAccount } = await newAccountFrom(unit, record, experience)
        return { ...draft, profile: { ...profile, ...draft.profile }, socialAccount }
      }
      const socialAccount = socialAccountOf(record)
      const { target, account } = socialAccount
      const user = await lockIdentified(unit, draft.identified)
      const owner = await findUserByIdentity(unit.tx, unit.tenant.id, target, account.id)
      if (owner && owner.id !== user.id) throw new ApiError('user.identity_already_in_use')
      if (identityAt(user, target)) throw new ApiError('user.social_account_exists_in_profile')
      return { ...draft, socialAccount }
    })
  },
)

/** Enters an account at a provider: it becomes that of the user who signs in or registers. Throws 404, 400, 422. */
export const enterSocial = ({ work, interactionId, experience }: Step, recordId: string): Promise<void> =>
  perform(work, socialEntered, interactionId, recordId, experience)
