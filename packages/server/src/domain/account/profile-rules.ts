/** What the profile fields of the tenant say of changes of users' profiles, by the users or an administrator (DECISIONS T13). */

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

const kept = ({ name, avatar, profile, customData }: ProfileValues): ProfileValues => ({
  ...(name === undefined ? {} : { name }),
  ...(avatar === undefined ? {} : { avatar }),
  ...(profile === undefined ? {} : { profile }),
  ...(customData === undefined ? {} : { customData }),
})

/**
 * The changed values as their fields store them. Throws 400 `guard.invalid_input` with `issues` for values that their fields do not
 * take, and for a required field that had a value and would have none. What belongs to no field is as it was given.
 * @param user undefined: a new one, who has no values
 * @param isMerged whether profile and custom data are merged into those of the account; otherwise they replace them
 */
export const byProfileFields = <T extends ProfileValues>(
  { profileFields }: Pick<SignInExperience, 'profileFields'>,
  user: UserRow | undefined,
  change: T,
  isMerged: boolean,
): T => {
  const { values, issues } = readKeptValues(profileFields, kept(change))
  assertNoIssues(issues)
  const before: ProfileValues = user ? kept({ ...user, customData: user.custom_data }) : {}
  const after = isMerged ? mergedValues(before, values) : { ...before, ...values }
  const lackedBefore = new Set(missingValues(profileFields, before).map(keyOf))
  assertNoIssues(missingValues(profileFields, after).filter((issue) => !lackedBefore.has(keyOf(issue))))
  return { ...change, ...values }
}
