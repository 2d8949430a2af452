/**
 * Errors of the authorization endpoint (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6). They travel to the
 * application in the redirect; an error of the client or its redirect URI is a page and never a redirect (DECISIONS F2).
 */
import type { Client } from '../../domain/applications/clients.ts'
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

/** What is known of a refused request, as far as it came to light before the refusal. */
export interface RefusedRequest {
  /** As it was sent. */
  readonly clientId?: string | undefined
  /** The application, where `clientId` names one. */
  readonly client?: Client | undefined
  /** As it was sent; whatever it is, it is no address to link to. */
  readonly redirectUri?: string | undefined
}

/** Told to the user in front of the browser, because there is no address that would be safe to redirect to. */
export class UnsafeRequestError extends Error {
  /** Which of the sentences for people. */
  readonly explanation: keyof Phrases['unsafe']
  readonly request: RefusedRequest
  constructor(explanation: UnsafeRequestError['explanation'], request: RefusedRequest = {}) {
    super(explanation)
    this.name = 'UnsafeRequestError'
    this.explanation = explanation
    this.request = request
  }
}
