/** The signing algorithms of DPoP proofs (RFC 9449 section 4.2): asymmetric ones only; RFC 9864 gave EdDSA with Ed25519 its own name. */
export const PROOF_ALGORITHMS = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256'] as const
