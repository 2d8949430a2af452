import { answerOf } from '../errors/codes.ts'
import type { GuardError } from '../errors/guard-error.ts'
import { type BearerChallengeOptions, challenge } from './challenge.ts'

/** An answer as plain values, for a framework that has no web `Response`. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text: `{"code": "token_expired", "message": "The access token expired"}`. */
  readonly body: string
}

/**
 * The answer to an error: 401, 403 or 400 with a challenge (RFC 6750 §3), 503 when the issuer's keys cannot be had,
 * 500 for a misconfigured API. The error's `message` and `cause` are not in it: log them.
 */
export function refusal(error: GuardError, options: BearerChallengeOptions = {}): Refusal {
  const { status, sentence } = answerOf(error.code)
  const authenticate = challenge(error, options)
  return {
    status,
    headers: {
      ...(authenticate && { 'www-authenticate': authenticate }),
      'content-type': 'application/json',
      'cache-control': 'no-store',
    },
    body: JSON.stringify({ code: error.code, message: sentence }),
  }
}
