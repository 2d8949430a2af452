/** The challenges of the schemes in which access tokens are presented. */
import { PROOF_ALGORITHMS } from './proof-algorithms.ts'

/** The scheme of an access token: one that is bound to a key has its own (RFC 9449 section 7.1). */
export type TokenScheme = 'Bearer' | 'DPoP'

/**
 * A value of WWW-Authenticate for a request whose token is not sufficient (RFC 6750 section 3, RFC 9449 section 7.1).
 * @param attributes without quotes in them; those without a value are left out
 */
export const challengeIn = (
  scheme: TokenScheme,
  attributes: Readonly<Record<string, string | undefined>> = {},
): string => {
  const all = Object.entries(scheme === 'DPoP' ? { algs: PROOF_ALGORITHMS.join(' '), ...attributes } : attributes)
  const present = all.flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`]))
  return [scheme, present.join(', ')].join(' ').trimEnd()
}
