/** Refusals of access tokens at the protocol's own APIs: userinfo and Shared Signals. */
import { challengeIn, type TokenScheme } from '../kernel/challenge.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import { TokenNotHeld } from '../tokens/bound/not-held.ts'
import { NonceNeeded, ProofRefused } from '../tokens/dpop/refused.ts'

/** The refusal of a token, with a challenge in the scheme that it came in (RFC 6750 section 3, RFC 9449 section 7.1). */
export const refuseToken = (
  scheme: TokenScheme,
  description: string,
  code: 'invalid_token' | 'insufficient_scope' = 'invalid_token',
): OAuthError => {
  const challenge = challengeIn(scheme, { error: code, error_description: description })
  return new OAuthError(code, description, { headers: { 'www-authenticate': challenge } })
}

/** RFC 9449 sections 7.1 and 9, RFC 8705 section 3; any other error is passed on. */
export const asProofError = (error: unknown): unknown => {
  if (error instanceof TokenNotHeld) return refuseToken(error.scheme, error.message)
  if (!(error instanceof ProofRefused)) return error
  const code = error instanceof NonceNeeded ? 'use_dpop_nonce' : 'invalid_dpop_proof'
  const headers = {
    'www-authenticate': challengeIn('DPoP', { error: code, error_description: error.message }),
    ...(error instanceof NonceNeeded ? { 'dpop-nonce': error.nonce } : {}),
  }
  return new OAuthError(code, error.message, { status: 401, headers })
}
