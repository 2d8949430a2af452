import type { RequiredAuthentication } from '../token/authentication.ts'
import { answerOf, type GuardErrorCode } from './codes.ts'

/** The schemes of an `Authorization` header: a token that is bound to a key has its own (RFC 9449 §7.1). */
export type TokenScheme = 'Bearer' | 'DPoP'

/** The details of an error in addition to its code. */
export interface GuardErrorDetails {
  /**
   * The evidence: the error of `jose` or of `fetch`, or the claim in question. It is for logs and never sent to the
   * client.
   */
  readonly cause?: unknown
  /** A sentence for the log, instead of the one for the client. */
  readonly detail?: string
  /** The scopes that the request needs, with `scope_missing`. They are sent in the `scope` attribute (RFC 6750 §3). */
  readonly requiredScopes?: readonly string[]
  /** What the user has to prove, with `authentication_insufficient`. It is sent in `acr_values` and `max_age` (RFC 9470 §3). */
  readonly requiredAuthentication?: RequiredAuthentication
  /** The nonce that the next proof needs, with `proof_nonce_required`. It is sent in the header DPoP-Nonce (RFC 9449 §9). */
  readonly nonce?: string
  /** The scheme in which the token was presented, which is that of the challenge (RFC 9449 §7.1). */
  readonly scheme?: TokenScheme
}

/**
 * The only error that this package throws. `code` says what happened and is stable; `message` and `cause` are for the
 * log. Answer it with {@link refusal} or {@link toResponse}, which send neither `message` nor `cause`.
 */
export class GuardError extends Error {
  readonly code: GuardErrorCode
  readonly requiredScopes: readonly string[]
  readonly requiredAuthentication: RequiredAuthentication | undefined
  readonly nonce: string | undefined
  /** The scheme in which the token was presented; the verifier sets it. */
  scheme: TokenScheme | undefined

  constructor(code: GuardErrorCode, details: GuardErrorDetails = {}) {
    super(details.detail ?? answerOf(code).sentence, 'cause' in details ? { cause: details.cause } : undefined)
    this.name = 'GuardError'
    this.code = code
    this.requiredScopes = details.requiredScopes ?? []
    this.requiredAuthentication = details.requiredAuthentication
    this.nonce = details.nonce
    this.scheme = details.scheme
  }
}
