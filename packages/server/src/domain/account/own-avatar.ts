/** The picture that users upload for themselves. */
import type { Work } from '../../storage/unit-of-work.ts'
import { countUpload } from '../credentials/address-failures.ts'
import { storeAvatar } from '../uploads/images.ts'
import { assertEditable, assertScope } from './field-policy.ts'
import type { AccountHolder } from './holder.ts'
import { type AccountRules, changeOwnFields } from './own-fields.ts'

/**
 * Stores a picture and makes it that of the account; returns its address. Throws 400 `account_center.…`, as storeAvatar, and 429
 * `request.rate_limited`.
 */
export const uploadOwnAvatar = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  file: Uint8Array,
): Promise<string> => {
  assertScope(holder, 'profile')
  assertEditable(rules.center, 'avatar')
  countUpload(work)
  const url = await storeAvatar(work, file)
  await changeOwnFields(work, holder, rules, { avatar: url })
  return url
}
