/** The profile of a user as fields of a form: the standard claims, the address, and the tenant's own fields. */
import type { Answer } from '../../api/client.ts'
import type { Phrase } from '../../languages/languages.ts'

type User = Answer<'getUser'>
export type OwnField = Answer<'listCustomProfileFields'>[number]

/** The members of a profile that are one text each (OpenID Connect Core 5.1). */
export const CLAIMS = [
  ['givenName', 'profile.givenName'],
  ['familyName', 'profile.familyName'],
  ['middleName', 'profile.middleName'],
  ['nickname', 'profile.nickname'],
  ['preferredUsername', 'profile.preferredUsername'],
  ['gender', 'profile.gender'],
  ['birthdate', 'profile.birthdate'],
  ['website', 'profile.website'],
  ['profile', 'profile.profile'],
  ['zoneinfo', 'profile.zoneinfo'],
  ['locale', 'profile.locale'],
] as const satisfies readonly (readonly [keyof User['profile'], Phrase])[]

export const ADDRESS = [
  ['streetAddress', 'profile.streetAddress'],
  ['postalCode', 'profile.postalCode'],
  ['locality', 'profile.locality'],
  ['region', 'profile.region'],
  ['country', 'profile.country'],
] as const satisfies readonly (readonly [keyof NonNullable<User['profile']['address']>, Phrase])[]

/** Prefixes of the names in the form. */
export const OF = { claim: 'profile.', address: 'profile.address.', own: 'customData.' } as const

/** Members of a user that have a place of their own, where the value of a field of that name is kept. */
const BUILT_IN: ReadonlySet<string> = new Set(['name', 'avatar', 'address', ...CLAIMS.map(([name]) => name)])
const IN_PARTS: ReadonlySet<string> = new Set(['Address', 'Fullname'])

/** The tenant's own fields that are one value each in the custom data; the others are edited there. */
export const simpleFields = (fields: readonly OwnField[]): readonly OwnField[] =>
  fields.filter(({ name, type }) => !BUILT_IN.has(name) && !IN_PARTS.has(type))

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** What is stored, by name in the form. */
export const profileValues = ({ profile, customData }: User, fields: readonly OwnField[]): Record<string, string> =>
  Object.fromEntries([
    ...CLAIMS.map(([name]) => [OF.claim + name, profile[name] ?? '']),
    ...ADDRESS.map(([name]) => [OF.address + name, profile.address?.[name] ?? '']),
    ...fields.map(({ name }) => [OF.own + name, textOf(customData[name])]),
  ])

const typedValue = (type: OwnField['type'], text: string): unknown => {
  if (type === 'Number') return Number.isNaN(Number(text)) ? text : Number(text)
  return type === 'Checkbox' ? text === 'true' : text
}

const kept = (entries: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries(entries.filter(([, value]) => value !== ''))

/** The change of the user that the form comes to: an empty field removes its value, and what has no field stays. */
export const profileChange = (
  user: User,
  fields: readonly OwnField[],
  values: Readonly<Record<string, string>>,
): { profile: User['profile']; customData?: User['customData'] } => {
  const entered = (name: string) => values[name]?.trim() ?? ''
  const { formatted } = user.profile.address ?? {}
  const address = kept([
    ...(formatted === undefined ? [] : [['formatted', formatted] as const]),
    ...ADDRESS.map(([name]) => [name, entered(OF.address + name)] as const),
  ])
  const profile = {
    ...kept(CLAIMS.map(([name]) => [name, entered(OF.claim + name)])),
    ...(Object.keys(address).length > 0 ? { address } : {}),
  }
  const stored = profileValues(user, fields)
  const changed = fields.filter(({ name }) => entered(OF.own + name) !== stored[OF.own + name])
  if (changed.length === 0) return { profile }
  const customData = { ...user.customData }
  for (const { name, type } of changed) {
    const text = entered(OF.own + name)
    if (text === '') delete customData[name]
    else customData[name] = typedValue(type, text)
  }
  return { profile, customData }
}
