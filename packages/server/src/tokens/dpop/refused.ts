/** Why a DPoP proof is refused (RFC 9449 sections 4.3 and 5). */

/** A proof that does not hold. The message says which check failed, in words that a caller may read: a proof has no secrets. */
export class ProofRefused extends Error {}

/** A proof that has to be made again with the server's nonce (section 8). */
export class NonceNeeded extends ProofRefused {
  /** The nonce to use. */
  readonly nonce: string
  constructor(nonce: string) {
    super('the proof needs the nonce of the header DPoP-Nonce')
    this.nonce = nonce
  }
}
