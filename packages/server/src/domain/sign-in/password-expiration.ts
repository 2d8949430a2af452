/**
 * Passwords that expire: by age, or because an operator said so. An expired password signs no one in; a new one is chosen as
 * if it were forgotten, by the owner of the address.
 */
import type { SignInExperience } from '@countersign/contract/sign-in-experience.ts'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, Refusal } from '../../storage/unit-of-work.ts'
import { lockUser, type UserRow } from '../users/rows.ts'

export type PasswordExpiration = Static<typeof SignInExperience.properties.passwordExpiration>

/** Of the sign-in settings, what this file reads. */
interface Settings {
  readonly passwordExpiration: PasswordExpiration
}

const DAY_MS = 86_400_000

/**
 * The setting as it is stored after a change: `enabledAt` is when it was switched on, and not the caller's to say. Throws 400
 * `sign_in_experiences.password_expiration_invalid_period_days` without a period,
 * `sign_in_experiences.password_expiration_requires_forgot_password` where no one could choose a new password.
 */
export const changedExpiration = (
  before: PasswordExpiration,
  { enabled = false, validPeriodDays }: PasswordExpiration,
  { now, canResetPassword }: { readonly now: Date; readonly canResetPassword: boolean },
): PasswordExpiration => {
  const period = validPeriodDays === undefined ? {} : { validPeriodDays }
  if (!enabled) return { enabled, ...period }
  if (validPeriodDays === undefined) throw new ApiError('sign_in_experiences.password_expiration_invalid_period_days')
  if (!canResetPassword) throw new ApiError('sign_in_experiences.password_expiration_requires_forgot_password')
  return { enabled, ...period, enabledAt: (before.enabled ? before.enabledAt : undefined) ?? now.getTime() }
}

/** A password that was older when expiry was switched on has its whole period from then on. */
const isExpired = (user: UserRow, { enabled, validPeriodDays, enabledAt }: PasswordExpiration, now: Date): boolean => {
  if (!enabled || validPeriodDays === undefined) return false
  if (user.is_password_expired) return true
  const begin = Math.max((user.password_updated_at ?? user.created_at).getTime(), enabledAt ?? 0)
  return now.getTime() >= begin + validPeriodDays * DAY_MS
}

/**
 * Throws 422 `password.expired` for a user who has proved their password and cannot use it any more; what the proof has
 * changed is kept. Nothing is told to callers who do not know the password.
 */
export const assertPasswordCurrent = (user: UserRow, { passwordExpiration }: Settings, now: Date): void => {
  if (isExpired(user, passwordExpiration, now)) throw new Refusal(new ApiError('password.expired'))
}

/**
 * Declares a password expired, or takes that back; its age counts still. No event. Throws 404, and 400
 * `sign_in_experiences.password_expiration_not_enabled` where passwords do not expire.
 */
export const declarePasswordExpired = operation(
  [],
  async (unit, id: string, { passwordExpiration }: Settings, isPasswordExpired: boolean): Promise<UserRow> => {
    const before = await lockUser(unit, id)
    if (isPasswordExpired && !passwordExpiration.enabled)
      throw new ApiError('sign_in_experiences.password_expiration_not_enabled')
    await unit.tx
      .updateTable('users')
      .set({ is_password_expired: isPasswordExpired })
      .where(inTenant(unit.tenant.id))
      .where('id', '=', id)
      .execute()
    unit.concerns('user', id, {
      before: { isPasswordExpired: before.is_password_expired },
      after: { isPasswordExpired },
    })
    return { ...before, is_password_expired: isPasswordExpired }
  },
)
