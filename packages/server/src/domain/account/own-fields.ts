/** What users change of their own account without more: name, avatar, profile, custom data, and the username with a proof. */
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'
import type { AccountCenterSettings } from '../sign-in/account-center.ts'
import { askingForName } from '../sign-in/draft-profile.ts'
import type { SignInExperience } from '../sign-in/experience.ts'
import { newIdentifier } from '../sign-in/rules.ts'
import type { UserFields } from '../users/fields.ts'
import type { UserRow } from '../users/rows.ts'
import { mergeUserProfile, updateUser } from '../users/users.ts'
import { assertEditable, assertScope } from './field-policy.ts'
import { type AccountHolder, lockHolder } from './holder.ts'
import { assertNothingVital } from './last-way.ts'
import { byProfileFields } from './profile-rules.ts'
import { requireProof } from './verifications.ts'

/** The settings that decide about a change. */
export interface AccountRules {
  readonly center: AccountCenterSettings
  readonly experience: SignInExperience
}

const SCOPE = { name: 'profile', avatar: 'profile', username: 'profile', customData: 'custom_data' } as const
type OwnField = keyof typeof SCOPE
type OwnFields = Pick<UserFields, OwnField>

const isOwnField = (name: string): name is OwnField => Object.hasOwn(SCOPE, name)

const fieldsChanged = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, { center, experience }: AccountRules, change: OwnFields): Promise<UserRow> => {
    for (const field of Object.keys(change).filter(isOwnField)) {
      assertScope(holder, SCOPE[field])
      assertEditable(center, field)
    }
    const before = await lockHolder(unit, holder)
    const { username } = change
    const wanted = username === undefined ? before.username : username || null
    if (wanted !== before.username) {
      await requireProof(unit, holder, center)
      if (wanted === null) await assertNothingVital(unit, before, { username: null }, experience)
      else await newIdentifier({ type: 'username', value: wanted }, experience)
    }
    return updateUser.run(unit, holder.userId, byProfileFields(experience, before, change, false))
  },
)

/**
 * Changes these fields; custom data are replaced. A changed username needs a proof. Throws 403 without the scope, 400
 * `account_center.…` and as byProfileFields, 401 `verification_record.permission_denied`, 400 for what is no username here, 422 for one that is
 * taken or needed, and 429 `request.rate_limited` after many that were taken.
 */
export const changeOwnFields = (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  change: OwnFields,
): Promise<UserRow> => askingForName(work, () => perform(work, fieldsChanged, holder, rules, change))

/** Merges into the profile at the top level. Throws 403 without the scope, 400 `account_center.…`, and as byProfileFields. */
export const changeOwnProfile = operation(
  ['User.Data.Updated'],
  async (
    unit,
    holder: AccountHolder,
    { center, experience }: AccountRules,
    profile: UserFields['profile'],
  ): Promise<UserRow> => {
    assertScope(holder, 'profile')
    if (profile?.address !== undefined) assertScope(holder, 'address')
    assertEditable(center, 'profile')
    const before = await lockHolder(unit, holder)
    const sound = byProfileFields(experience, before, { profile: profile ?? {} }, true)
    return mergeUserProfile.run(unit, holder.userId, sound.profile)
  },
)
