import { errors } from 'jose'
import type { GuardErrorCode } from '../errors/codes.ts'
import { GuardError } from '../errors/guard-error.ts'

const claims: Readonly<Record<string, GuardErrorCode>> = {
  iss: 'token_issuer_mismatch',
  typ: 'token_type_refused',
  nbf: 'token_not_yet_valid',
}

function codeOf(error: unknown): GuardErrorCode {
  if (error instanceof errors.JWTExpired) return 'token_expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    const compared = error.reason === 'check_failed'
    return (compared && claims[error.claim]) || 'token_claim_invalid'
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return 'token_algorithm_refused'
  if (error instanceof errors.JOSENotSupported) return 'token_header_refused'
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) return 'token_malformed'
  // What remains is a signature that does not verify, or a key that cannot verify it: of another type, or too short.
  return 'token_signature_invalid'
}

/** The package's error for an error that `jose` threw during verification, which becomes its cause. */
export const fromJose = (error: unknown): GuardError =>
  error instanceof GuardError ? error : new GuardError(codeOf(error), { cause: error })
