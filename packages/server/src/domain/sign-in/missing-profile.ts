/** What sign-up asks an account for, and what of it one lacks: identifiers, a password, the fields of the profile. */
import { ApiError } from '../../kernel/api-error.ts'
import type { Work } from '../../storage/unit-of-work.ts'
import type { UserColumns } from '../users/fields.ts'
import { hasIdentity } from '../users/identities.ts'
import { missingValues } from '../users/profile-field-values.ts'
import { getUser, type UserRow } from '../users/rows.ts'
import type { Draft, DraftFields } from './draft.ts'
import type { SignInExperience } from './experience.ts'
import { FIELD_OF, type IdentifierType } from './rules.ts'

/** Kinds of identifiers of which an account needs one. */
type Alternatives = readonly IdentifierType[]

interface Asked {
  readonly types: Alternatives
  /** Whether it has to be verified; a username cannot be. */
  readonly verify: boolean
}

/** The kinds that the settings name by one word. */
export const KINDS_OF = {
  username: ['username'],
  email: ['email'],
  phone: ['phone'],
  emailOrPhone: ['email', 'phone'],
} as const satisfies Record<string, Alternatives>

/** The identifiers that an account has to have: one of the first ones, and each of the secondary ones. */
const askedBy = ({ signUp }: Pick<SignInExperience, 'signUp'>): readonly Asked[] => {
  const { identifiers, verify, secondaryIdentifiers = [] } = signUp
  // no one registers
  if (identifiers.length === 0) return []
  const secondary = secondaryIdentifiers.map((each) => ({
    types: KINDS_OF[each.identifier],
    verify: each.verify ?? false,
  }))
  return [{ types: identifiers, verify }, ...secondary]
}

/** Whether sign-up asks for identifiers of this kind. */
export const asksFor = (experience: SignInExperience, type: IdentifierType): boolean =>
  askedBy(experience).some(({ types }) => types.includes(type))

/** Whether an identifier of this kind has to be verified; one that sign-up does not ask for is as its first one. */
export const mustVerify = (experience: SignInExperience, type: IdentifierType): boolean => {
  const asked = askedBy(experience).find(({ types }) => types.includes(type))
  return type !== 'username' && (asked?.verify ?? experience.signUp.verify)
}

/**
 * What is asked of an account. One with an account at a provider needs no password (DECISIONS P4), and where the settings say so no
 * identifiers.
 */
const askedOf = (experience: SignInExperience, isSocial: boolean): readonly Asked[] =>
  isSocial && experience.socialSignIn.skipRequiredIdentifiers ? [] : askedBy(experience)

const lacking = (asked: readonly Asked[], profile: DraftFields): readonly Alternatives[] =>
  asked.map(({ types }) => types).filter((types) => !types.some((type) => profile[FIELD_OF[type]]))

/** What is missing if one of these is: Logto's name for it, if there is one. */
const nameOf = (types: Alternatives): string => {
  if (types.length <= 1) return types[0] ?? ''
  return types.includes('username') ? types.join(' or ') : 'emailOrPhone'
}

const missingError = (missing: readonly string[]): ApiError | undefined =>
  missing.length > 0 ? new ApiError('user.missing_profile', { missingProfile: missing }) : undefined

const missingProfile = (
  { signUp }: SignInExperience,
  asked: readonly Asked[],
  profile: DraftFields,
  hasPassword: boolean,
): string[] => [...lacking(asked, profile).map(nameOf), ...(signUp.password && !hasPassword ? ['password'] : [])]

/**
 * The names of what an account that is being registered lacks of what its first step needs: one of the first identifiers, and a password
 * where sign-up asks for one.
 */
export const missingFirst = (
  experience: SignInExperience,
  profile: DraftFields,
  hasPassword: boolean,
): readonly string[] => missingProfile(experience, askedBy(experience).slice(0, 1), profile, hasPassword)

/** The same as an error; undefined: it lacks nothing of that. */
export const missingAtIdentification = (
  experience: SignInExperience,
  { profile, password, socialAccount, ssoAccount }: Draft,
): ApiError | undefined => {
  if (ssoAccount) return undefined
  const isSocial = socialAccount !== undefined
  const asked = askedOf(experience, isSocial).slice(0, 1)
  return missingError(missingProfile(experience, asked, profile, password !== undefined || isSocial))
}

/** The same before the account is made: the secondary identifiers as well, and the fields of the profile until they were answered. */
export const missingAtSignUp = (experience: SignInExperience, draft: Draft): ApiError | undefined => {
  const { profile, password, socialAccount, ssoAccount, hasAnsweredFields = false } = draft
  // what is known about users of a company is the company's to say (DECISIONS P6)
  if (ssoAccount) return undefined
  const isSocial = socialAccount !== undefined
  const missing = missingProfile(experience, askedOf(experience, isSocial), profile, password !== undefined || isSocial)
  const missingFields = missingValues(experience.signUpFields, profile)
  const isAnswered = experience.signUpFields.length === 0 || (hasAnsweredFields && missingFields.length === 0)
  if (isAnswered) return missingError(missing)
  const names = missingFields.map(({ field, part }) => (part === undefined ? field : `${field}.${part}`))
  return new ApiError('user.missing_profile', { missingProfile: [...missing, 'extraProfile'], missingFields: names })
}

type AccountRow = Pick<UserRow, 'username' | 'primary_email' | 'primary_phone' | 'password_hash' | 'identities'>

const identifiersOf = ({
  username,
  primary_email,
  primary_phone,
}: Pick<AccountRow, 'username' | 'primary_email' | 'primary_phone'>) => ({
  username,
  primaryEmail: primary_email,
  primaryPhone: primary_phone,
})

/**
 * The names of what sign-up requires and an account lacks, because it was created in another way or before the settings changed.
 * Nothing if sign-up requires no identifier.
 * @param changes what the user has entered in this sign-in
 */
export const missingAtSignIn = (
  experience: SignInExperience,
  row: AccountRow,
  changes: UserColumns = {},
): readonly string[] => {
  const isSocial = hasIdentity(row) || changes.identities !== undefined
  if (askedBy(experience).length === 0) return []
  const { identities: _read, ...now } = { ...row, ...changes }
  const asked = askedOf(experience, isSocial)
  return missingProfile(experience, asked, identifiersOf(now), Boolean(now.password_hash) || isSocial)
}

/**
 * What the user of an interaction has to enter next: one of these kinds of identifiers, or a password, which someone who signed in
 * with a code, a link or a passkey may lack; undefined: nothing.
 */
export const nextMissing = async (
  { store, tenant }: Work,
  experience: SignInExperience,
  { identified, profile, password, socialAccount, ssoAccount }: Draft,
): Promise<Alternatives | 'password' | undefined> => {
  if (ssoAccount || identified?.ssoAccount) return undefined
  const user = identified && (await getUser(store, tenant, identified.userId))
  const isSocial = socialAccount !== undefined || (user !== undefined && hasIdentity(user))
  const [next] = lacking(askedOf(experience, isSocial), { ...(user ? identifiersOf(user) : {}), ...profile })
  if (next) return next
  return user?.password_hash === null && !password && !isSocial && experience.signUp.password ? 'password' : undefined
}
