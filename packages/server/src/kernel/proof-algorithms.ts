/** The signing algorithms of DPoP proofs (RFC 9449 section 4.2): asymmetric ones only; RFC 9864 gave EdDSA with Ed25519 its own name. */
export const PROOF_ALGORITHMS = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256'] as const

/** A challenge for a request that has to prove, or has not proved, that it has the key of its token (RFC 9449 section 7.1). */
export const proofChallenge = (attributes: Readonly<Record<string, string | undefined>>): string => {
  const all = Object.entries({ algs: PROOF_ALGORITHMS.join(' '), ...attributes })
  return `DPoP ${all.flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`])).join(', ')}`
}
