/** A DPoP proof (RFC 9449 section 4): the checks of section 4.3 in their order, a file for each that is more than a comparison. */
import { hash } from 'node:crypto'
import { parseJws } from '../jws.ts'
import { assertRecent } from './age.ts'
import { hasSignatureOfKey, proofKey } from './key.ts'
import { ProofRefused } from './refused.ts'
import { assertTarget, type ProvenTarget } from './target.ts'

/** Characters. A proof with an RSA key of 4096 bits has less than 2500. */
const LONGEST = 4096
const LONGEST_ID = 256

export interface Proof {
  /** The thumbprint of its key. */
  readonly jkt: string
  readonly jti: string
  /** Numeric date. */
  readonly iat: number
  readonly nonce: unknown
}

/** The value of `ath` for an access token. */
const accessTokenHash = (token: string): string => hash('sha256', token, 'base64url')

/**
 * Reads a proof for a request; with an access token it must be for that token (`ath`). Throws ProofRefused. Does not check the
 * nonce, nor whether the proof was used before.
 */
export const readProof = (text: string, target: ProvenTarget, now: Date, accessToken?: string): Proof => {
  const jws = text.length <= LONGEST ? parseJws(text) : undefined
  if (!jws) throw new ProofRefused('the proof is not a JWT')
  const { header, claims } = jws
  if (header.typ !== 'dpop+jwt') throw new ProofRefused('the typ of the proof is not dpop+jwt')
  if ('crit' in header || 'b64' in header) throw new ProofRefused('the proof has an unsupported header')
  const key = proofKey(header)
  const { jti, nonce, ath } = claims
  if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_ID)
    throw new ProofRefused('the proof has no usable jti')
  assertTarget(claims, target)
  const iat = assertRecent(claims, now)
  if (accessToken !== undefined && ath !== accessTokenHash(accessToken))
    throw new ProofRefused('ath is not the hash of the access token')
  // last, because it costs the most
  if (!hasSignatureOfKey(jws, key)) throw new ProofRefused('the signature of the proof does not match its key')
  return { jkt: key.jkt, jti, iat, nonce }
}
