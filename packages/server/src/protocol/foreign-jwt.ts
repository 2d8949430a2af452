/**
 * JWTs that other issuers sign and this server takes as an assertion: the rules of RFC 7523 section 3 that all of them have. Each rule
 * gives its reason with the value that it met, for the log.
 */
import type { JWK } from 'jose'
import { KeysUnavailable } from '../domain/applications/remote-keys.ts'
import type { ParsedJws } from '../tokens/jws.ts'
import { CLOCK_TOLERANCE, isMeant, verifiedByKeys } from './client-jwt.ts'

/** How much of a claim is repeated in the log. */
const LONGEST_SHOWN = 200

/** A claim as the log shows it. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

type Claims = ParsedJws['claims']

/** Rule 3. One audience alone: any other could present the token here (SECURITY R-5). */
export const refuseAudience = ({ aud }: Claims, expected: string): string | undefined => {
  const [only, ...more] = Array.isArray(aud) ? aud : [aud]
  return only === expected && more.length === 0 ? undefined : `aud is ${shown(aud)}, not ${shown(expected)} alone`
}

/** Rules 4 to 6. @param now and @param longest in seconds: how far ahead `exp` may be */
export const refuseTime = ({ exp, nbf, iat }: Claims, now: number, longest: number): string | undefined => {
  if (typeof exp !== 'number' || exp <= now - CLOCK_TOLERANCE) return `exp is ${shown(exp)}, and it is ${now}`
  if (exp > now + longest) return `exp is ${shown(exp)}, more than ${longest} seconds ahead of ${now}`
  for (const [name, value] of Object.entries({ nbf, iat })) {
    if (value !== undefined && (typeof value !== 'number' || value > now + CLOCK_TOLERANCE))
      return `${name} is ${shown(value)}, and it is ${now}`
  }
  return undefined
}

type KeysOf = (isEnough: (keys: readonly JWK[]) => boolean) => Promise<readonly JWK[]>

/** Rule 9: why a JWT does not have the signature of its issuer; undefined: it has. @param keysOf throws KeysUnavailable */
export const refuseSignature = async (keysOf: KeysOf, jwt: string): Promise<string | undefined> => {
  const { compactVerify } = await import('jose')
  try {
    const keys = await keysOf((known) => known.some(isMeant(jwt)))
    const verified = await verifiedByKeys(keys, 'none', jwt, (key, algorithms) =>
      compactVerify(jwt, key, { algorithms }),
    )
    return verified ? undefined : 'the signature fits no key of the issuer'
  } catch (error) {
    if (error instanceof KeysUnavailable) return `the keys of the issuer are not known: ${error.message}`
    throw error
  }
}
