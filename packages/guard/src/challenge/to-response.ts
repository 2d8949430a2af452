import { GuardError } from '../errors/guard-error.ts'
import type { BearerChallengeOptions } from './challenge.ts'
import { refusal } from './refusal.ts'

/**
 * {@link refusal} as a web `Response`. Rethrows an error of another package: it is a fault of the API
 * and not of the credentials, and belongs to the framework.
 */
export function toResponse(error: unknown, options: BearerChallengeOptions = {}): Response {
  if (!(error instanceof GuardError)) throw error
  const { status, headers, body } = refusal(error, options)
  return new Response(body, { status, headers })
}
