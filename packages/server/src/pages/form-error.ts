/** What a page says when a name or a password was refused: the API's codes in words for people. */
import { ApiError } from '../kernel/api-error.ts'
import type { Phrases } from '../languages/en.ts'
import { fill } from '../presentation/language.ts'

export interface FormError {
  readonly status: number
  readonly text: string
  /** The invalid field; undefined if it may be either, or none. */
  readonly field?: 'identifier' | 'password' | 'terms' | 'captcha'
}

interface Issue {
  readonly code: string
  readonly interpolation?: Readonly<Record<string, string | number>>
}

/** The first rule that a password breaks; which parts of it are weak is not shown in detail. */
const passwordError = (phrases: Phrases, data: unknown): string => {
  const [issue] = (Array.isArray(data) ? data : []) as Issue[]
  const known: Readonly<Record<string, string>> = phrases.passwordIssue
  const phrase = known[issue?.code.split('.')[1] ?? ''] ?? phrases.weakPassword
  const values = Object.entries(issue?.interpolation ?? {}).map(([name, value]) => [name, String(value)])
  return fill(phrase, Object.fromEntries(values))
}

const textOf = ({ code, data }: ApiError, phrases: Phrases): string | undefined => {
  switch (code) {
    case 'session.sso_enabled':
      return phrases.ssoEnabled
    case 'session.invalid_credentials':
    // a suspended user is told nothing that a stranger would not be told
    case 'user.suspended':
      return phrases.wrongCredentials
    case 'session.verification_blocked_too_many_attempts':
      return phrases.locked
    case 'request.rate_limited':
      return phrases.lockedAddress
    case 'request.unavailable':
      return phrases.busy
    case 'session.captcha_required':
      return phrases.captchaRequired
    case 'session.captcha_failed':
      return phrases.captchaFailed
    case 'one_time_token.token_not_found':
    case 'one_time_token.token_expired':
    case 'one_time_token.token_consumed':
    case 'one_time_token.token_revoked':
    case 'one_time_token.interaction_event_mismatch':
      return phrases.goneLink
    case 'one_time_token.email_mismatch':
      return phrases.otherLink
    case 'verification_code.code_mismatch':
      return phrases.wrongCode
    case 'verification_code.not_found':
    case 'verification_code.expired':
    case 'verification_code.exceed_max_try':
    // the address has become another's, or no one's, since the code was sent
    case 'user.user_not_exist':
      return phrases.goneCode
    case 'session.mfa.webauthn_verification_failed':
    case 'session.mfa.bind_mfa_existed':
      return phrases.passkeyFailed
    case 'session.mfa.invalid_totp_code':
    case 'session.mfa.invalid_backup_code':
      return phrases.usedCode
    case 'request.message_rate_limited':
      return phrases.tooManyMessages
    // it has become another's meanwhile
    case 'user.identity_already_in_use':
    case 'user.social_account_exists_in_profile':
      return phrases.socialFailed
    case 'password.expired':
      return phrases.passwordExpired
    case 'user.same_password':
      return phrases.samePassword
    case 'session.forgot_password_not_enabled':
      return phrases.notOffered
    case 'password.rejected':
      return passwordError(phrases, data)
    case 'user.username_already_in_use':
    case 'user.email_already_in_use':
    case 'user.phone_already_in_use':
      return phrases.taken
    case 'user.invalid_email':
      return typeof data?.max === 'number'
        ? fill(phrases.longIdentifier, { max: String(data.max) })
        : phrases.invalidEmail
    case 'session.email_blocklist.email_not_allowed':
      return phrases.blockedEmail
    case 'session.email_blocklist.email_subaddressing_not_allowed':
      return phrases.subaddress
    case 'user.invalid_phone':
      return phrases.invalidPhone
    case 'user.username_starts_with_number':
    case 'user.username_invalid_charset_hard':
      return phrases.invalidIdentifier
    case 'user.sign_in_method_not_enabled':
    case 'user.sign_up_method_not_enabled':
    case 'connector.not_found':
      return phrases.notOffered
    default:
      return code.startsWith('user.username_') ? phrases.invalidUsername : undefined
  }
}

/** Statuses of a page that differ from the API's: a form is always refused in the same way. */
const statusOf = ({ code, status }: ApiError): number => {
  if (code === 'session.verification_blocked_too_many_attempts') return 429
  return /^(user|verification_code|one_time_token|session\.mfa)\./.test(code) ? 422 : status
}

const fieldOf = ({ code }: ApiError): FormError['field'] => {
  if (code === 'password.rejected') return 'password'
  if (code.startsWith('session.captcha_')) return 'captcha'
  return /^(user\.(username|email|phone|invalid)_|session\.email_blocklist\.)/.test(code) ? 'identifier' : undefined
}

/** DECISIONS M, in characters. */
const LONGEST = 256

/** What to say if an identifier is longer than any can be, so that no account has it. */
export const excessOf = (identifier: string, password: string, phrases: Phrases): string | undefined => {
  const limit = { max: String(LONGEST) }
  if (identifier.length > LONGEST) return fill(phrases.longIdentifier, limit)
  return password.length > LONGEST ? fill(phrases.passwordIssue.too_long, limit) : undefined
}

/** Whether the password was right but has expired. */
export const isExpiredPassword = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'password.expired'

/** Whether the interaction has ended in the meantime: the dispatcher decides what to show. */
export const hasEnded = (error: unknown): boolean => error instanceof ApiError && error.code === 'session.not_found'

/** What to say about an error, and with which status. Rethrows any other error. */
export const formErrorOf = (error: unknown, phrases: Phrases): FormError => {
  const text = error instanceof ApiError ? textOf(error, phrases) : undefined
  if (text === undefined || !(error instanceof ApiError)) throw error
  const field = fieldOf(error)
  return { status: statusOf(error), text, ...(field ? { field } : {}) }
}
