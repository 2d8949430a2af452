/** What the profile fields of the tenant say of changes that users make to their own profile (DECISIONS T13). */

import type { SignInExperience } from '../sign-in/experience.ts'
import { assertNoIssues } from '../sign-in/extra-profile.ts'
import {
  type FieldIssue,
  mergedValues,
  missingValues,
  type ProfileValues,
  readKeptValues,
} from '../users/profile-field-values.ts'
import type { UserRow } from '../users/rows.ts'

const keyOf = ({ field, part }: FieldIssue): string => JSON.stringify([field, part])

/**
 * The changed values as their fields store them. Throws 400 `guard.invalid_input` with `issues` for values that their fields do not
 * take, and for a required field that had a value and would have none. What belongs to no field is as it was given.
 * @param change customData replace those of the account, everything else is merged
 */
export const byProfileFields = <T extends ProfileValues>(
  { profileFields }: SignInExperience,
  { name, avatar, profile, custom_data: customData }: UserRow,
  change: T,
): T => {
  const own: ProfileValues = {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.avatar === undefined ? {} : { avatar: change.avatar }),
    ...(change.profile === undefined ? {} : { profile: change.profile }),
    ...(change.customData === undefined ? {} : { customData: change.customData }),
  }
  const { values, issues } = readKeptValues(profileFields, own)
  assertNoIssues(issues)
  const before: ProfileValues = { name, avatar, profile, customData }
  const after = { ...mergedValues(before, values), customData: values.customData ?? customData }
  const lackedBefore = new Set(missingValues(profileFields, before).map(keyOf))
  assertNoIssues(missingValues(profileFields, after).filter((issue) => !lackedBefore.has(keyOf(issue))))
  return { ...change, ...values }
}
