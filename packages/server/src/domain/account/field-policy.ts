/** Which parts of their account users see and change (DECISIONS T1): what the settings say, and what the token covers. */
import type { AccountField } from '@countersign/contract/account-center.ts'
import { ApiError } from '../../kernel/api-error.ts'
import type { AccountCenterSettings } from '../sign-in/account-center.ts'
import type { AccountHolder } from './holder.ts'

/** Whether users see this part of their account. */
export const isShown = ({ fields }: AccountCenterSettings, field: AccountField): boolean =>
  fields[field] === 'ReadOnly' || fields[field] === 'Edit'

/** Throws 400 `account_center.field_not_enabled` for a part that users do not see. */
export const assertShown = (center: AccountCenterSettings, field: AccountField): void => {
  if (!isShown(center, field)) throw new ApiError('account_center.field_not_enabled', { field })
}

/** Throws the same, and 400 `account_center.field_not_editable` for one that users see and do not change. */
export const assertEditable = (center: AccountCenterSettings, field: AccountField): void => {
  assertShown(center, field)
  if (center.fields[field] !== 'Edit') throw new ApiError('account_center.field_not_editable', { field })
}

/** Throws 403 `auth.forbidden` without this scope. */
export const assertScope = ({ scopes }: Pick<AccountHolder, 'scopes'>, scope: string): void => {
  if (!scopes.includes(scope)) throw new ApiError('auth.forbidden', { permission: scope })
}
