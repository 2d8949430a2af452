/** The email address and the phone number that users give themselves: verified first, and never the last way to sign in. */
import { operation } from '../../storage/unit-of-work.ts'
import { identifierKey } from '../credentials/identifiers.ts'
import { provision } from '../organizations/just-in-time.ts'
import type { Address } from '../sign-in/draft.ts'
import { FIELD_OF, newIdentifier } from '../sign-in/rules.ts'
import { assertNoSsoAddress } from '../sign-in/sso-domains.ts'
import { CODE_FACTOR, markVerified } from '../sign-in/verified-address.ts'
import { updateUser } from '../users/users.ts'
import { beginChange } from './changes.ts'
import type { AccountHolder } from './holder.ts'
import { assertNothingVital } from './last-way.ts'
import type { AccountRules } from './own-fields.ts'
import { newVerificationMissing, takeNewVerification } from './verifications.ts'

/**
 * Gives the account a verified address in place of the one that it has; the user joins the organizations of its domain (DECISIONS E5).
 * Throws 401 `verification_record.permission_denied`, 400 `verification_record.not_found` unless this address was verified for it,
 * 422 `user.email_already_in_use`, `user.phone_already_in_use`, which only its owner is told, `session.sso_enabled` (DECISIONS P2).
 */
export const changeOwnAddress = operation(
  ['User.Data.Updated', 'Organization.Membership.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, address: Address, verificationId: string): Promise<void> => {
    const { type } = address
    await beginChange(unit, holder, rules, type)
    const { state } = await takeNewVerification(unit, holder, verificationId, CODE_FACTOR[type])
    const verified = { type, value: String(state.value) }
    if (identifierKey(verified) !== identifierKey(address)) throw newVerificationMissing()
    const { value } = await newIdentifier(verified, rules.experience)
    await assertNoSsoAddress(unit, rules.experience, { type, value })
    const row = await updateUser.run(unit, holder.userId, { [FIELD_OF[type]]: value })
    const isNew = await markVerified(unit, holder.userId, verified)
    if (isNew && type === 'email') await provision(unit, { ...row, email_verified_at: unit.now })
  },
)

/** Takes the address from the account. Throws 401 `verification_record.permission_denied`, 422 as assertNothingVital. */
export const removeOwnAddress = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, type: Address['type']): Promise<void> => {
    const before = await beginChange(unit, holder, rules, type)
    const removed = type === 'email' ? { primary_email: null } : { primary_phone: null }
    await assertNothingVital(unit, before, removed, rules.experience)
    await updateUser.run(unit, holder.userId, { [FIELD_OF[type]]: null })
  },
)
