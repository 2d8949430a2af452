/**
 * A directory's data of a user, and the account that follows from it (DECISIONS S2): which values become
 * identifiers and profile, and which are only stored to be returned.
 */
import { identifierKey } from '../credentials/identifiers.ts'
import type { UserFields } from '../users/fields.ts'
import type { UserRow } from '../users/rows.ts'

/** A user as a directory sent it, in the canonical form of the SCIM schemas. */
export interface UserContent {
  readonly userName: string
  readonly externalId: string | undefined
  readonly active: boolean
  /** All other attributes by their names; those of an extension beneath its URN. */
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The form in which a userName or a displayName is compared: neither is case-exact (RFC 7643 section 4.1.1). */
export const nameKey = (text: string): string => text.normalize('NFC').toLowerCase()

interface Entry {
  readonly value?: unknown
  readonly primary?: unknown
  readonly type?: unknown
}

const entriesOf = ({ attributes }: UserContent, name: string): readonly Entry[] => {
  const value = attributes[name]
  return Array.isArray(value) ? value : []
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** The value that is primary, or of this type, or the first. */
const mainValue = (entries: readonly Entry[], type: string): string | undefined => {
  const main = entries.find(({ primary }) => primary === true) ?? entries.find((entry) => entry.type === type)
  return text((main ?? entries[0])?.value)
}

/** The addresses of a user in the form in which they are compared. */
export const emailKeysOf = (content: UserContent): string[] => [
  ...new Set(
    entriesOf(content, 'emails')
      .map(({ value }) => text(value))
      .filter((value) => value !== undefined)
      .map((value) => identifierKey({ type: 'email', value }) ?? nameKey(value)),
  ),
]

/** The address of the account: the primary one, or a userName that is one. */
export const accountEmail = (content: UserContent): string | undefined => {
  const main = mainValue(entriesOf(content, 'emails'), 'work')
  if (main !== undefined) return main
  return identifierKey({ type: 'email', value: content.userName }) === undefined ? undefined : content.userName
}

const nameOf = ({ attributes }: UserContent): string | undefined => {
  const { formatted, givenName, familyName } = (attributes.name ?? {}) as Record<string, unknown>
  const joined = [text(givenName), text(familyName)].filter((part) => part !== undefined).join(' ')
  return text(attributes.displayName) ?? text(formatted) ?? text(joined)
}

const photoOf = (content: UserContent): string | undefined => {
  const photo = mainValue(entriesOf(content, 'photos'), 'photo')
  const url = photo === undefined ? null : URL.parse(photo)
  return url && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
    ? photo
    : undefined
}

const profileOf = ({ attributes }: UserContent) => {
  const { givenName, familyName, middleName } = (attributes.name ?? {}) as Record<string, unknown>
  return {
    givenName: text(givenName),
    familyName: text(familyName),
    middleName: text(middleName),
    nickname: text(attributes.nickName),
    profile: text(attributes.profileUrl),
    locale: text(attributes.locale) ?? text(attributes.preferredLanguage),
    zoneinfo: text(attributes.timezone),
  }
}

/**
 * The fields of the account. Name, address and picture stay unchanged if the directory does not send them; of the
 * profile it replaces the fields that a directory can send. Phone numbers are not used: directories hold numbers of
 * offices, which several users share.
 */
export const accountFields = (content: UserContent, before: UserRow | undefined) => {
  const { userName } = content
  const [email, name, avatar] = [accountEmail(content), nameOf(content), photoOf(content)]
  const isUsername = identifierKey({ type: 'username', value: userName }) !== undefined
  const profile = Object.entries({ ...before?.profile, ...profileOf(content) }).filter(
    ([, value]) => value !== undefined,
  )
  return {
    ...(isUsername ? { username: userName } : {}),
    ...(email === undefined ? {} : { primaryEmail: email }),
    ...(name === undefined ? {} : { name }),
    ...(avatar === undefined ? {} : { avatar }),
    profile: Object.fromEntries(profile),
  } satisfies UserFields
}
