/** Which parts of their account users see and change (DECISIONS T1): what the settings say, and what the token covers. */
import type { AccountAccess, AccountField } from '@countersign/contract/account-center.ts'
import { ApiError } from '../../kernel/api-error.ts'
import type { FactorType } from '../factors/factors.ts'
import type { AccountCenterSettings } from '../sign-in/account-center.ts'
import type { AccountHolder } from './holder.ts'

/** What users may do with this part of their account. Passkeys are a part of the factors where the settings do not name them. */
const accessTo = ({ fields }: AccountCenterSettings, field: AccountField): AccountAccess =>
  (field === 'passkey' ? (fields.passkey ?? fields.mfa) : fields[field]) ?? 'Off'

/** Whether users see this part of their account. */
export const isShown = (center: AccountCenterSettings, field: AccountField): boolean =>
  accessTo(center, field) !== 'Off'

/** Whether they see it and change it. */
export const isEditable = (center: AccountCenterSettings, field: AccountField): boolean =>
  accessTo(center, field) === 'Edit'

/** The part of an account that a factor is in. */
export const partOf = (type: FactorType): 'passkey' | 'mfa' => (type === 'WebAuthn' ? 'passkey' : 'mfa')

/** Whether pages of an account offer its deletion, by themselves or at the address of the operator. */
export const offersDeletion = ({ deleteAccountUrl, fields }: AccountCenterSettings): boolean =>
  deleteAccountUrl !== null || fields.deletion === 'Edit'

/** Throws 400 `account_center.field_not_enabled` for a part that users do not see. */
export const assertShown = (center: AccountCenterSettings, field: AccountField): void => {
  if (!isShown(center, field)) throw new ApiError('account_center.field_not_enabled', { field })
}

/** Throws the same, and 400 `account_center.field_not_editable` for one that users see and do not change. */
export const assertEditable = (center: AccountCenterSettings, field: AccountField): void => {
  assertShown(center, field)
  if (!isEditable(center, field)) throw new ApiError('account_center.field_not_editable', { field })
}

/** Throws 403 `auth.forbidden` without this scope. */
export const assertScope = ({ scopes }: Pick<AccountHolder, 'scopes'>, scope: string): void => {
  if (!scopes.includes(scope)) throw new ApiError('auth.forbidden', { permission: scope })
}
