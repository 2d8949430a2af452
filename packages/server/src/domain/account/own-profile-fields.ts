/** What the account pages show and change of a profile: the claims of OpenID Connect and the fields of the tenant, by the same rules. */
import { operation } from '../../storage/unit-of-work.ts'
import { assertNoIssues } from '../sign-in/extra-profile.ts'
import { membersOf, type ProfileValues, placeOf, readProfileValues } from '../users/profile-field-values.ts'
import type { ProfileField } from '../users/profile-fields.ts'
import type { UserRow } from '../users/rows.ts'
import { updateUser } from '../users/users.ts'
import { assertEditable, isShown } from './field-policy.ts'
import { type AccountHolder, lockHolder } from './holder.ts'
import type { AccountRules } from './own-fields.ts'
import { byProfileFields } from './profile-rules.ts'

export type OwnProfileField = Pick<ProfileField, 'name' | 'type' | 'required' | 'config' | 'label' | 'description'>

const part = (name: 'streetAddress' | 'postalCode' | 'locality' | 'region' | 'country') =>
  ({ name, type: 'Text', enabled: true, required: false }) as const

const claim = (
  name: string,
  type: OwnProfileField['type'] = 'Text',
  config: OwnProfileField['config'] = {},
): OwnProfileField => ({ name, type, config, required: false, label: '', description: null })

const NAME = claim('name')

/** OpenID Connect Core 1.0, section 5.1.1. The time zone is one of the IANA database, the language a tag of RFC 5646. */
const CLAIMS: readonly OwnProfileField[] = [
  ...['givenName', 'familyName', 'nickname'].map((name) => claim(name)),
  ...['website', 'profile'].map((name) => claim(name, 'Url')),
  claim('gender'),
  claim('birthdate', 'Date'),
  claim('zoneinfo', 'Regex', { format: '^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$', placeholder: 'Europe/Berlin' }),
  claim('locale', 'Regex', { format: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$', placeholder: 'en-GB' }),
  claim('address', 'Address', {
    parts: [part('streetAddress'), part('postalCode'), part('locality'), part('region'), part('country')],
  }),
]

/** The tenant's own fields that the pages show. */
const fieldsOfTenant = ({ center, experience }: AccountRules): readonly OwnProfileField[] => {
  const { profileFields: all } = experience
  return center.profileFields?.flatMap(({ name }) => all.filter((field) => field.name === name)) ?? all
}

/** Whether users change a field: a tenant opens and closes the parts of an account, not each field. */
export const isChangeable = ({ center }: AccountRules, field: OwnProfileField): boolean =>
  center.fields[placeOf(field)] === 'Edit'

/**
 * The fields that a user sees, in order: the name, what the tenant defines, and, unless the tenant has chosen which fields the pages
 * show, the claims that it does not define. The picture has a page of its own.
 */
export const ownProfileFields = (rules: AccountRules): readonly OwnProfileField[] => {
  const { center } = rules
  const own = fieldsOfTenant(rules)
  const defined = membersOf(own)
  const others = [NAME, ...(center.profileFields ? [] : CLAIMS)].filter(({ name }) => !defined.has(name))
  return [...others, ...own].filter((field) => field.name !== 'avatar' && isShown(center, placeOf(field)))
}

/** What of a user fields hold. */
export const profileOf = ({ name, avatar, profile, custom_data: customData }: UserRow): ProfileValues => ({
  name,
  avatar,
  profile,
  customData,
})

type Answers = Readonly<Record<string, unknown>>

/** Those that the answers are for. */
const answered = (fields: readonly OwnProfileField[], answers: Answers) =>
  fields.filter((field) => [...membersOf([field])].some((member) => Object.hasOwn(answers, member)))

type Place = 'profile' | 'customData'

const membersAt = (fields: readonly OwnProfileField[], place: Place): string[] => [
  ...membersOf(fields.filter((field) => placeOf(field) === place)),
]

const isNothing = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** The members that these fields leave without a value. */
const lostAt = (fields: readonly OwnProfileField[], values: ProfileValues, place: Place): string[] => {
  const kept: Answers = { ...values[place] }
  return membersAt(fields, place).filter((member) => isNothing(kept[member]))
}

const blank = (names: readonly string[]): Answers => Object.fromEntries(names.map((name) => [name, '']))

const without = (values: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/**
 * Changes these fields, by their names; an empty answer takes the value away, and what has none stays. Throws 400 `account_center.…`, and
 * `guard.invalid_input` with `issues` for what the fields do not take and for a required field that would lose its value. Does not check
 * scopes: it is for the account pages.
 */
export const changeOwnProfileFields = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, answers: Answers): Promise<void> => {
    const before = await lockHolder(unit, holder)
    const fields = answered(ownProfileFields(rules), answers)
    for (const field of fields) assertEditable(rules.center, placeOf(field))
    const { values, issues } = readProfileValues(fields, answers)
    assertNoIssues(issues)
    const has = (place: keyof ProfileValues) => fields.some((field) => placeOf(field) === place)
    const lost = { profile: lostAt(fields, values, 'profile'), customData: lostAt(fields, values, 'customData') }
    const change: ProfileValues = {
      ...(has('name') ? { name: values.name ?? '' } : {}),
      ...(has('profile') ? { profile: { ...values.profile, ...blank(lost.profile) } } : {}),
      ...(has('customData')
        ? { customData: { ...before.custom_data, ...values.customData, ...blank(lost.customData) } }
        : {}),
    }
    const { name, profile, customData } = byProfileFields(rules.experience, before, change, true)
    await updateUser.run(unit, holder.userId, {
      ...(name === undefined ? {} : { name }),
      ...(profile ? { profile: without({ ...before.profile, ...profile }, lost.profile) } : {}),
      ...(customData ? { customData: without(customData, lost.customData) } : {}),
    })
  },
)
