/** The accounts of a user at social providers, and the tokens of these providers that are kept for the user. */
import { ApiError } from '../../kernel/api-error.ts'
import { operation, type Unit, type Work } from '../../storage/unit-of-work.ts'
import type { FederatedAccount } from '../federation/provider.ts'
import { keepTokenSet, type TokenSet } from '../federation/token-sets.ts'
import { deleteIdentity, identitiesOf, identityAt, identityOf, putIdentity } from '../users/identities.ts'
import { socialTokens, ssoTokens } from '../users/provider-tokens.ts'
import { beginChange } from './changes.ts'
import { assertEditable, assertShown } from './field-policy.ts'
import { type AccountHolder, lockHolder } from './holder.ts'
import { assertNothingVital } from './last-way.ts'
import type { AccountRules } from './own-fields.ts'
import { newVerificationMissing, takeNewVerification, takeProof, type Verification } from './verifications.ts'

/** What a passed verification has. */
interface Proved {
  readonly connectorId: string
  readonly target: string
  readonly account: FederatedAccount
  readonly sealedTokens?: string
}

const provedBy = ({ state }: Verification): Proved => state as unknown as Proved

const keepTokens = async (unit: Unit, userId: string, proved: Proved): Promise<void> => {
  const { connectorId, target, account, sealedTokens } = proved
  if (sealedTokens) await keepTokenSet(unit, userId, { connectorId, target }, account.id, sealedTokens)
}

/**
 * Adds an account at a provider. Throws as beginChange, 400 `verification_record.not_found`, 422 `user.identity_already_in_use`,
 * and `user.social_account_exists_in_profile` unless it takes the place of the one that the user has there.
 */
export const addOwnIdentity = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, id: string, isReplacing: boolean): Promise<void> => {
    const before = await beginChange(unit, holder, rules, 'social')
    const proved = provedBy(await takeNewVerification(unit, holder, id, 'Social'))
    const { target, account } = proved
    if (!isReplacing && identityAt(before, target)) throw new ApiError('user.social_account_exists_in_profile')
    await putIdentity.run(unit, holder.userId, target, identityOf(account))
    await keepTokens(unit, holder.userId, proved)
  },
)

/** Removes it. Throws as beginChange, 404 `user.identity_not_exist`, 422 as assertNothingVital. */
export const removeOwnIdentity = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, target: string): Promise<void> => {
    const before = await beginChange(unit, holder, rules, 'social')
    if (!identityAt(before, target)) throw new ApiError('user.identity_not_exist')
    const { [target]: _removed, ...identities } = identitiesOf(before)
    await assertNothingVital(unit, before, { identities: { ...identities } }, rules.experience)
    await deleteIdentity.run(unit, holder.userId, target)
  },
)

/** The tokens of a provider, with a valid access token. Throws 400 `account_center.field_not_enabled`, and as socialTokens. */
export const ownProviderTokens = (
  work: Work,
  { userId }: AccountHolder,
  { center }: AccountRules,
  target: string,
): Promise<TokenSet> => {
  assertShown(center, 'social')
  return socialTokens(work, userId, target)
}

/** The same for the identity provider of a company. Throws as ssoTokens, 400. */
export const ownSsoTokens = (
  work: Work,
  { userId }: AccountHolder,
  { center }: AccountRules,
  ssoConnectorId: string,
): Promise<TokenSet> => {
  assertShown(center, 'social')
  return ssoTokens(work, userId, ssoConnectorId)
}

/**
 * Keeps the tokens of a verification in place of those that are kept. Throws 400 `account_center.…`, and
 * `verification_record.not_found` unless it verified the account that the user has at the target.
 */
export const replaceProviderTokens = operation(
  [],
  async (unit, holder: AccountHolder, { center }: AccountRules, target: string, id: string): Promise<void> => {
    assertEditable(center, 'social')
    const user = await lockHolder(unit, holder)
    const proved = provedBy(await takeProof(unit, holder, id, 'Social'))
    if (proved.target !== target || identityAt(user, target)?.userId !== proved.account.id)
      throw newVerificationMissing()
    await keepTokens(unit, holder.userId, proved)
    unit.concerns('user', holder.userId)
  },
)
