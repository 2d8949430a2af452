/**
 * What errors of the Management API say in the language of the console, by code and values. The phrases of a language are loaded with the
 * first error: most visits have none. Without them errors are said in the server's English.
 */
import type { ApiErrorCode } from '@countersign/contract/errors.ts'
import type { InputIssueCode } from '@countersign/contract/input-issues.ts'
import { currentLanguage, isolated } from './languages.ts'

/** Of errors that users meet and administrators do not: when they sign in, and in their own account. */
type OfUsers =
  | `account_center.${string}`
  | `one_time_token.${string}`
  | `secrets.${string}`
  | `session.${string}`
  | `storage.${string}`
  | `user.${
      | 'backup_code_already_in_use'
      | 'email_or_phone_required'
      | 'email_required'
      | 'identity_already_in_use'
      | 'last_sign_in_method_required'
      | `missing_${string}`
      | 'new_password_required_in_profile'
      | `${string}_exists_in_profile`
      | 'passkey_preferred'
      | 'phone_required'
      | 'same_password'
      | `sign_${'in' | 'up'}_method_not_enabled`
      | 'suggest_mfa'
      | 'suspended'
      | 'too_many_personal_access_tokens'
      | `totp_${string}`
      | 'user_not_exist'
      | `username_${string}_not_allowed`
      | 'username_required'
      | 'username_too_short'
      | 'wrong_backup_code_format'}`
  | `verification_code.${string}`
  | `verification_record.${string}`
  | `password.${'expired' | 'rejected'}`
  | `connector.${'authorization_failed' | 'invalid_response' | 'not_enabled' | `social_${string}`}`

/** Of errors that only programs meet which do not send what the console sends. */
type OfPrograms =
  | `auth.${`authorization_${string}` | `dpop_${string}` | 'third_party_application_forbidden' | 'token_not_held'}`
  | `request.${'host_unknown' | 'method_not_allowed' | 'unsupported_media_type'}`
  | `single_sign_on.idp_initiated_${string}`
  | 'subject_token.context_too_large'

/** A sentence for every error that the console can meet. English needs none: the server says them. */
export type ErrorPhrases = Readonly<Record<Exclude<ApiErrorCode, OfUsers | OfPrograms>, string>>
/** A sentence for everything that can be wrong with a member of a request. */
export type IssuePhrases = Readonly<Record<InputIssueCode, string>>
type Values = Readonly<Record<string, unknown>>

const errorFiles = import.meta.glob<{ readonly errors: ErrorPhrases }>('./??/errors.ts')
const issueFiles = import.meta.glob<{ readonly issues: IssuePhrases }>('./??/issues.ts')

/** Without an answer in this time errors are said in English. */
const PATIENCE_MS = 3000

let phrases: Partial<Record<string, string>> = {}
let loading: Promise<void> | undefined

const load = async (): Promise<void> => {
  const language = currentLanguage()
  const [errors, issues] = await Promise.all([
    errorFiles[`./${language}/errors.ts`]?.(),
    issueFiles[`./${language}/issues.ts`]?.(),
  ])
  const named = Object.entries(issues?.issues ?? {}).map(([code, text]) => [`issue.${code}`, text] as const)
  phrases = { ...errors?.errors, ...Object.fromEntries(named) }
}

/** Waits for the phrases of errors, though not long; does not fail. What could not be loaded is tried again with the next error. */
export const errorPhrases = async (): Promise<void> => {
  loading ??= load().catch(() => {
    loading = undefined
  })
  await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}

/** Sends as `send` does; an answer that is an error comes when its phrases are there. */
export const withErrorPhrases =
  (send: typeof fetch): typeof fetch =>
  async (...request) => {
    const response = await send(...request)
    if (!response.ok) await errorPhrases()
    return response
  }

/** The phrase with its values; undefined: there is none, or it has a place without a value. */
const said = (name: string, values: Values): string | undefined => {
  const phrase = Object.hasOwn(phrases, name) ? phrases[name] : undefined
  const isFilled = [...(phrase ?? '').matchAll(/\{(\w+)\}/g)].every(([, place = '']) => values[place] !== undefined)
  return isFilled
    ? phrase?.replace(/\{(\w+)\}/g, (_place, place: string) => isolated(String(values[place])))
    : undefined
}

/** The sentence of an error; undefined for one that has no phrase. @param data of the error */
export const errorText = (code: string, data: Values = {}): string | undefined => said(code, data)

/** What is wrong with a member; undefined for what has no phrase. @param issue of `data.issues` */
export const issueText = (issue: Values): string | undefined =>
  typeof issue.code === 'string' ? said(`issue.${issue.code}`, issue) : undefined
