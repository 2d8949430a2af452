import { answerOf } from '../errors/codes.ts'
import type { GuardError } from '../errors/guard-error.ts'
import { type BearerChallengeOptions, challenge } from './challenge.ts'

/** A response as plain values, for a framework without web `Response`. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text: `{"code": "token_expired", "message": "The access token expired"}`. */
  readonly body: string
}

/**
 * The response to an error: 401, 403 or 400 with a challenge (RFC 6750 §3), 503 when the issuer's keys are unavailable,
 * 500 for a misconfigured API. It does not contain the error's `message` and `cause`: log them.
 */
export function refusal(error: GuardError, options: BearerChallengeOptions = {}): Refusal {
  const { status, sentence } = answerOf(error.code)
  const authenticate = challenge(error, options)
  return {
    status,
    headers: {
      ...(authenticate && { 'www-authenticate': authenticate }),
      ...(error.nonce !== undefined && { 'dpop-nonce': error.nonce }),
      'content-type': 'application/json',
      'cache-control': 'no-store',
    },
    body: JSON.stringify({ code: error.code, message: sentence }),
  }
}
