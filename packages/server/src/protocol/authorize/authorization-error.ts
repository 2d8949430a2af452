/**
 * Errors of the authorization endpoint (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6). They are sent
 * to the application in the redirect; an error in the client or its redirect URI is shown on a page and never
 * redirected (DECISIONS F2).
 */
import type { Client } from '../../domain/applications/clients.ts'
import type { Phrases } from '../../languages/en.ts'

export type AuthorizationErrorCode =
  | 'access_denied'
  | 'consent_required'
  | 'invalid_authorization_details'
  | 'invalid_grant_id'
  | 'invalid_request'
  | 'invalid_request_object'
  | 'invalid_scope'
  | 'invalid_target'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'unauthorized_client'
  | 'unmet_authentication_requirements'
  | 'unsupported_response_mode'
  | 'unsupported_response_type'

/** Sent to the application. */
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

/** What was known about a refused request by the time of the refusal. */
export interface RefusedRequest {
  /** As it was sent. */
  readonly clientId?: string | undefined
  /** The application, where `clientId` names one. */
  readonly client?: Client | undefined
  /** As it was sent; never to be used as a link. */
  readonly redirectUri?: string | undefined
}

/** Shown to the user in the browser, because there is no address that would be safe to redirect to. */
export class UnsafeRequestError extends Error {
  /** The key of the sentence for people. */
  readonly explanation: keyof Phrases['unsafe']
  readonly request: RefusedRequest
  /** For the developers of the application, in English. */
  readonly detail: string | undefined
  constructor(explanation: UnsafeRequestError['explanation'], request: RefusedRequest = {}, detail?: string) {
    super(explanation)
    this.detail = detail
    this.name = 'UnsafeRequestError'
    this.explanation = explanation
    this.request = request
  }
}
