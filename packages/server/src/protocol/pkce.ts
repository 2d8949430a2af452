/** Proof Key for Code Exchange (RFC 7636) with S256 only (DECISIONS C4, SECURITY R-20). */
import { hash, timingSafeEqual } from 'node:crypto'

/** The result of S256: 32 bytes in base64url (section 4.2). */
export const isCodeChallenge = (value: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(value)

/** 43 to 128 unreserved characters (section 4.1). */
const isCodeVerifier = (value: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(value)

/** Why the verifier does not match the challenge of the code, or undefined when it does. */
export const refuseVerifier = (challenge: string | null, verifier: string | undefined): string | undefined => {
  if (challenge === null)
    return verifier === undefined ? undefined : 'a verifier was sent for a code without a challenge'
  if (verifier === undefined) return 'code_verifier is missing'
  if (!isCodeVerifier(verifier)) return 'code_verifier is malformed'
  const made = Buffer.from(hash('sha256', verifier, 'base64url'))
  const wanted = Buffer.from(challenge)
  return made.length === wanted.length && timingSafeEqual(made, wanted) ? undefined : 'code_verifier does not match'
}
