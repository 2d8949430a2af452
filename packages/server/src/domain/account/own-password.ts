/** The password that users give themselves: the tenant's policy applies, and other sessions end (DECISIONS F6, T5). */
import { ApiError } from '../../kernel/api-error.ts'
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'
import { hashPassword, type StoredPassword, storedPassword, verifyPassword } from '../credentials/passwords.ts'
import { forgetStepUps } from '../issued/opaque-access-tokens.ts'
import { assertNewPassword } from '../sign-in/rules.ts'
import { assertNoSsoUser } from '../sign-in/sso-domains.ts'
import { setPassword } from '../users/access.ts'
import { getUser } from '../users/rows.ts'
import { beginChange } from './changes.ts'
import { assertEditable } from './field-policy.ts'
import type { AccountHolder } from './holder.ts'
import type { AccountRules } from './own-fields.ts'
import { assertProof } from './verifications.ts'

const passwordChanged = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, password: StoredPassword): Promise<void> => {
    const user = await beginChange(unit, holder, rules, 'password')
    await assertNoSsoUser(unit, rules.experience, user)
    await setPassword.run(unit, holder.userId, password, holder)
    await forgetStepUps(unit, holder.userId)
  },
)

/**
 * Sets the password of the holder, who may have had none. Ends every session but theirs, with its grants. Throws 400
 * `account_center.…`, 401 `verification_record.permission_denied`, 422 `password.rejected`, `user.same_password`, `session.sso_enabled`
 * for a user who has to sign in at the identity provider of a company, 503 when too many passwords are being hashed.
 */
export const changeOwnPassword = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  password: string,
): Promise<void> => {
  const { store, tenant } = work
  assertEditable(rules.center, 'password')
  await assertProof(store, tenant, holder, rules.center)
  const user = await getUser(store, tenant, holder.userId)
  await assertNoSsoUser({ tx: store.database.kysely, tenant }, rules.experience, user)
  const names = [user.username, user.primary_email, user.primary_phone, user.name]
  await assertNewPassword(work, password, rules.experience, names)
  if ((await verifyPassword(storedPassword(user), password)).isCorrect) throw new ApiError('user.same_password')
  await perform(work, passwordChanged, holder, rules, await hashPassword(password))
}
