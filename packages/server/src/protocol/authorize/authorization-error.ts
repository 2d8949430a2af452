/**
 * Errors of the authorization endpoint (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6). They travel to the
 * application in the redirect; an error of the client or its redirect URI is a page and never a redirect (DECISIONS F2).
 */
import type { Phrases } from '../../presentation/phrases/en.ts'

export type AuthorizationErrorCode =
  | 'access_denied'
  | 'consent_required'
  | 'interaction_required'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'unauthorized_client'
  | 'unsupported_response_mode'
  | 'unsupported_response_type'

/** Told to the application. */
export class AuthorizationError extends Error {
  readonly code: AuthorizationErrorCode
  readonly description: string
  constructor(code: AuthorizationErrorCode, description: string) {
    super(`${code}: ${description}`)
    this.name = 'AuthorizationError'
    this.code = code
    this.description = description
  }
}

/** Told to the person in front of the browser, because there is nobody safe to send them to. */
export class UnsafeRequestError extends Error {
  /** Which of the sentences for people. */
  readonly explanation: keyof Phrases['unsafe']
  constructor(explanation: UnsafeRequestError['explanation']) {
    super(explanation)
    this.name = 'UnsafeRequestError'
    this.explanation = explanation
  }
}
