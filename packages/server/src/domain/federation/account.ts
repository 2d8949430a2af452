/** What a provider says about a user, read by the claim map of its connector. Nothing in it is believed to be well-formed. */
import { identifierKey, keepIdentifier } from '../credentials/identifiers.ts'
import { FederationFailure } from './failure.ts'
import type { FederatedAccount, Provider } from './provider.ts'

type Data = Readonly<Record<string, unknown>>
/** What of a provider says how its data is read. */
type Reading = Pick<Provider, 'claims' | 'isTrusted' | 'isAuthority' | 'demands'>

const LONGEST_ID = 256
const LONGEST_NAME = 128
const LONGEST_AVATAR = 2048
/** Characters of JSON. */
const LONGEST_RAW = 8192

const member = (data: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Data)[name] : undefined),
      data,
    )

const text = (value: unknown): string | undefined => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value !== 'string') return undefined
  const clean = value
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
  return clean === '' ? undefined : clean
}

/** The text at a place; a template whose parts are not all there has none. */
const textAt = (data: Data, place: string | undefined): string | undefined => {
  if (!place) return undefined
  if (!place.includes('{')) return text(member(data, place))
  const names = [...place.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  if (names.some((name) => text(member(data, name)) === undefined)) return undefined
  return place.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => encodeURIComponent(text(member(data, name)) ?? ''))
}

/** `"true"` is Apple's, `"1"` Microsoft's. */
const IS_TRUE: ReadonlySet<unknown> = new Set([true, 'true', 1, '1'])

/** Where the claim is that of the address itself, it shows none but verified ones. */
const isTrueAt = (data: Data, place: string | undefined, address: string | undefined): boolean =>
  place !== undefined && (place === address || IS_TRUE.has(member(data, place)))

/** Whether an address counts as verified: where the provider is the authority, unless it denies that. */
const isEmailVerifiedAt = ({ claims, isTrusted, isAuthority }: Reading, data: Data): boolean => {
  const { email, emailVerified } = claims
  if (isAuthority && (emailVerified === undefined || member(data, emailVerified) === undefined)) return true
  return isTrusted && isTrueAt(data, emailVerified, email)
}

const assertDemanded = ({ demands }: Reading, data: Data): void => {
  if (demands && !demands.oneOf.includes(textAt(data, demands.claim)?.toLowerCase() ?? ''))
    throw new FederationFailure('denied', `the account is of none of the companies that may sign in (${demands.claim})`)
}

const avatarAt = (data: Data, place: string | undefined): string | undefined => {
  const url = URL.parse(textAt(data, place) ?? '')
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  return url.href.length <= LONGEST_AVATAR ? url.href : undefined
}

const phoneAt = (data: Data, place: string | undefined): string | undefined => {
  const said = textAt(data, place)
  if (said === undefined) return undefined
  const phone = { type: 'phone', value: said.startsWith('+') ? said : `+${said}` } as const
  return identifierKey(phone) === undefined ? undefined : keepIdentifier(phone).value
}

const rawOf = (data: Data): Data | undefined => {
  const json = JSON.stringify(data)
  // a jsonb column takes neither NUL nor half of a surrogate pair
  return json.length <= LONGEST_RAW && !/\\u(0000|d[89a-f])/.test(json) ? data : undefined
}

/**
 * The account. An address that cannot be one is left out; one that the provider calls verified is so only where it is trusted.
 * Throws FederationFailure where there is no id, or where a claim has not the value that it has to have.
 */
export const accountOf = (provider: Reading, data: Data): FederatedAccount => {
  const { claims, isTrusted } = provider
  assertDemanded(provider, data)
  const id = textAt(data, claims.id)
  if (id === undefined || id.length > LONGEST_ID)
    throw new FederationFailure('provider', 'the provider does not say who the user is')
  const written = textAt(data, claims.email)
  const email = written !== undefined && identifierKey({ type: 'email', value: written }) ? written : undefined
  const phone = phoneAt(data, claims.phone)
  const name = textAt(data, claims.name)?.slice(0, LONGEST_NAME).toWellFormed()
  const avatar = avatarAt(data, claims.avatar)
  const rawData = rawOf(data)
  return {
    id,
    ...(email ? { email } : {}),
    isEmailVerified: email !== undefined && isEmailVerifiedAt(provider, data),
    ...(phone ? { phone } : {}),
    isPhoneVerified: isTrusted && phone !== undefined && isTrueAt(data, claims.phoneVerified, claims.phone),
    ...(name ? { name } : {}),
    ...(avatar ? { avatar } : {}),
    ...(rawData ? { rawData } : {}),
  }
}
