/**
 * What identifies users when they sign in: username, email address, phone number. Only this file decides which of
 * them are valid, how they are stored, and in which form they are compared.
 */
import { ApiError } from '../../kernel/api-error.ts'
import { unicodeDomain } from './email-domain.ts'
import { phoneDigits, writtenDigits } from './phone-number.ts'

export interface Identifier {
  readonly type: 'username' | 'email' | 'phone'
  readonly value: string
  /** Of a username: compared as written, because the tenant allows names that differ only in case. */
  readonly isExact?: boolean
}

/** An identifier in the form that is shown and the form that is compared. */
export interface Kept {
  readonly value: string
  readonly key: string
}

/**
 * The key is the same in any case; for tenants that distinguish names by case, see name-rule.ts. Only ASCII, so that no
 * two names look alike; no digit at the beginning and no @, so that a username is never taken for a phone number or an
 * email address.
 */
const username = (value: string): Kept => {
  if (/^\d/.test(value)) throw new ApiError('user.username_starts_with_number')
  if (!/^[A-Za-z_][\w.-]*$/.test(value)) throw new ApiError('user.username_invalid_charset_hard')
  if (value.length > 128) throw new ApiError('user.username_too_long', { max: 128 })
  return { value, key: value.toLowerCase() }
}

/** Characters. */
const LONGEST_EMAIL = 128

const LOCAL = /^[^\s\p{C}"(),:;<>@[\\\]]{1,64}$/u

/**
 * One @, no white space, no quoted parts, a domain of at least two labels; any script. Neither case nor whether the
 * domain is in its own script or in ASCII matters. A domain that a mail server would read as another one is refused.
 */
const email = (value: string): Kept => {
  const written = value.trim().normalize('NFC')
  const [local = '', domain = '', ...rest] = written.split('@')
  if (written.length > LONGEST_EMAIL) throw new ApiError('user.invalid_email', { max: LONGEST_EMAIL })
  if (!LOCAL.test(local) || rest.length > 0) throw new ApiError('user.invalid_email')
  const compared = unicodeDomain(domain)
  if (compared === undefined) throw new ApiError('user.invalid_email', { domain })
  return { value: written, key: `${local.toLowerCase()}@${compared}` }
}

/** Digits only, country code first. Whether an account has the number is not known here. */
const phone = (value: string): Kept => {
  const digits = phoneDigits(value)
  if (digits === undefined) throw new ApiError('user.invalid_phone')
  return { value: digits, key: digits }
}

const KINDS = { username, email, phone } as const

/** The stored form of an identifier. Throws 400 `user.invalid_email` or `user.username_…`, 422 `user.invalid_phone`. */
export const keepIdentifier = ({ type, value }: Identifier): Kept => KINDS[type](value)

const keptKey = (identifier: Identifier): string | undefined => {
  try {
    return keepIdentifier(identifier).key
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/**
 * The forms in which an account may have an identifier, starting with the one for new identifiers; none when no account
 * can have it. A phone number may also be as it was entered: that is how it was stored before numbers were checked
 * against their country's.
 */
export const identifierKeys = (identifier: Identifier): readonly string[] => {
  const keys = [keptKey(identifier), identifier.type === 'phone' ? writtenDigits(identifier.value) : undefined]
  return [...new Set(keys.filter((key) => key !== undefined))]
}

/** The form in which an identifier is compared; undefined when no account can have it. */
export const identifierKey = (identifier: Identifier): string | undefined => identifierKeys(identifier)[0]
