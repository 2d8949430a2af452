/** What users say of themselves in an interaction, beside identifiers and password: the fields of the profile. */
import { ApiError } from '../../kernel/api-error.ts'
import { operation, perform } from '../../storage/unit-of-work.ts'
import { columnsOf } from '../users/fields.ts'
import { PROFILE_TEXTS } from '../users/profile-field-config.ts'
import {
  type FieldIssue,
  membersOf,
  mergedValues,
  missingValues,
  type ProfileValues,
  readProfileValues,
} from '../users/profile-field-values.ts'
import { assertEnterable, type Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { changeDraft } from './interaction-drafts.ts'
import { lockIdentified } from './password-proof.ts'

type Given = Readonly<Record<string, unknown>>

const entered = operation(
  [],
  async (unit, interactionId: string, values: ProfileValues, { signUpFields }: SignInExperience): Promise<void> => {
    await changeDraft(unit, interactionId, async (draft) => {
      assertEnterable(draft)
      if (draft.identified) await lockIdentified(unit, draft.identified)
      const profile = mergedValues(draft.profile, values)
      const isAnswer = draft.interactionEvent === 'Register' && missingValues(signUpFields, profile).length === 0
      return { ...draft, profile, ...(isAnswer ? { hasAnsweredFields: true } : {}) }
    })
  },
)

/** What is wrong with answers to the fields of sign-up, the missing ones among it. */
export const issuesAtSignUp = (
  { signUpFields }: Pick<SignInExperience, 'signUpFields'>,
  given: Given,
): readonly FieldIssue[] => {
  const { values, issues } = readProfileValues(signUpFields, given)
  const isWrong = ({ field, part }: FieldIssue) =>
    issues.some((issue) => issue.field === field && (issue.part === undefined || issue.part === part))
  return [...issues, ...missingValues(signUpFields, values).filter((issue) => !isWrong(issue))]
}

/** What belongs to no field of the tenant: members of users that everyone has. Throws 400 for any other. */
const builtIn = (given: Given, members: ReadonlySet<string>): ProfileValues => {
  const { name, avatar, ...profile } = Object.fromEntries(Object.entries(given).filter(([each]) => !members.has(each)))
  const unknown = Object.keys(profile).find((each) => each !== 'address' && !PROFILE_TEXTS.has(each))
  if (unknown !== undefined) throw new ApiError('guard.invalid_input', { reason: `there is no field ${unknown}` })
  return {
    ...(name === undefined ? {} : { name: name as string }),
    ...(avatar === undefined ? {} : { avatar: avatar as string }),
    ...(Object.keys(profile).length > 0 ? { profile } : {}),
  }
}

/** Throws 400 `guard.invalid_input` with `issues` unless there are none. */
export const assertNoIssues = (issues: readonly FieldIssue[]): void => {
  const [first] = issues
  if (!first) return
  const where = first.part === undefined ? first.field : `${first.field}.${first.part}`
  throw new ApiError('guard.invalid_input', { reason: `the value of ${where} is refused: ${first.code}`, issues })
}

/**
 * Enters values of fields, by their names, and of what users have without them; what was entered before stays. At registration it
 * answers the fields of sign-up, once the required ones have values. Throws 400 `guard.invalid_input` with `issues` for values that their
 * fields do not take, and for names that are none.
 * @param given of members that users have without a field, validated
 */
export const enterExtraProfile = async ({ work, interactionId, experience }: Step, given: Given): Promise<void> => {
  const { profileFields } = experience
  const { values, issues } = readProfileValues(profileFields, given)
  assertNoIssues(issues)
  const all = mergedValues(builtIn(given, membersOf(profileFields)), values)
  // what could not be stored later is refused now
  columnsOf(all)
  await perform(work, entered, interactionId, all, experience)
}
