/** An error of the protocol endpoints: the catalogue of OAuth error codes with their statuses. */

/**
 * Error code → HTTP status, for JSON responses (RFC 6749 5.2, RFC 8707 2, RFC 6750 3.1, RFC 7009 2.2.1,
 * RFC 7591 3.2.2, RFC 8628 3.5, RFC 9101 7, RFC 9396 5, RFC 9449 5 and 8, OpenID CIBA 13).
 */
const OAUTH_ERRORS = {
  access_denied: 400,
  authorization_pending: 400,
  expired_token: 400,
  insufficient_scope: 403,
  invalid_authorization_details: 400,
  invalid_binding_message: 400,
  invalid_client: 401,
  invalid_client_metadata: 400,
  invalid_dpop_proof: 400,
  invalid_grant: 400,
  invalid_grant_id: 400,
  invalid_redirect_uri: 400,
  invalid_request: 400,
  invalid_request_object: 400,
  invalid_scope: 400,
  invalid_software_statement: 400,
  invalid_target: 400,
  invalid_token: 401,
  server_error: 500,
  slow_down: 400,
  temporarily_unavailable: 503,
  unapproved_software_statement: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_token_type: 400,
  use_dpop_nonce: 400,
} as const

export type OAuthErrorCode = keyof typeof OAUTH_ERRORS

/**
 * @param description sent to the caller as `error_description`; must not reveal which check failed where that
 *   would help guessing (DECISIONS H3)
 * @param options.reason for the log and the audit entry only
 * @param options.headers sent with the response, such as WWW-Authenticate
 * @param options.status overrides the code's status
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly description: string
  readonly reason: string | undefined
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: OAuthErrorCode,
    description: string,
    options: { reason?: string; status?: number; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(`${code}: ${options.reason ?? description}`, options)
    this.name = 'OAuthError'
    this.code = code
    this.description = description
    this.reason = options.reason
    this.headers = options.headers ?? {}
    this.status = options.status ?? OAUTH_ERRORS[code]
  }
}
