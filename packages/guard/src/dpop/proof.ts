import { base64url, calculateJwkThumbprint, EmbeddedJWK, type JWTVerifyResult, jwtVerify } from 'jose'
import { GuardError } from '../errors/guard-error.ts'
import { checkCompactJws } from '../token/compact-jws.ts'
import type { ProofTerms } from './options.ts'
import { isTarget } from './target.ts'

/** The algorithms of proofs, all asymmetric. RFC 9864 gave EdDSA with Ed25519 its own name. */
export const proofAlgorithms = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256']

/** Clocks of clients may be this far ahead. */
const AHEAD_SECONDS = 30
const LONGEST = 4096
const LONGEST_ID = 256

/** A request as far as a proof is about it. */
export interface ProofRequest {
  readonly method: string
  /** The path, or the whole address, as it was requested. */
  readonly url: string
  /** The values of the DPoP header: exactly one is accepted. */
  readonly proofs: readonly string[]
}

export interface Proof {
  readonly jkt: string
  readonly jti: string
  readonly iat: number
  readonly nonce: unknown
}

const invalidProof = (detail: string, cause?: unknown): GuardError =>
  new GuardError('proof_invalid', cause === undefined ? { detail } : { detail, cause })

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : (url.split(/[?#]/)[0] ?? ''))

const verified = async (text: string, { now }: ProofTerms): Promise<JWTVerifyResult> => {
  try {
    if (text.length > LONGEST) throw new Error('too long')
    checkCompactJws(text)
    return await jwtVerify(text, EmbeddedJWK, { algorithms: proofAlgorithms, typ: 'dpop+jwt', currentDate: now() })
  } catch (cause) {
    throw invalidProof('The proof is no JWT of its own key', cause)
  }
}

const hashOf = async (token: string): Promise<string> =>
  base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))))

/**
 * The proof of a request for a token: every check of RFC 9449 §4.3 but those of the nonce and of single use. Throws `proof_invalid`.
 */
export async function readProof(request: ProofRequest, token: string, terms: ProofTerms): Promise<Proof> {
  const [text, ...more] = request.proofs
  if (text === undefined || more.length > 0) throw invalidProof('The request needs exactly one DPoP header')
  const { payload, protectedHeader } = await verified(text, terms)
  const { jti, iat, htm, htu, ath, nonce } = payload
  if (protectedHeader.crit !== undefined) throw invalidProof('The proof has a critical header parameter')
  if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_ID)
    throw invalidProof('The proof has no usable jti')
  if (htm !== request.method) throw invalidProof('htm is not the method of the request')
  if (!isTarget(htu, terms.baseUrl + pathOf(request.url))) throw invalidProof('htu is not the address of the request')
  const time = terms.now().getTime() / 1000
  if (typeof iat !== 'number' || !(iat >= time - terms.maxAgeSeconds - 1 && iat <= time + AHEAD_SECONDS))
    throw invalidProof('iat is too far from the time of the API')
  if (ath !== (await hashOf(token))) throw invalidProof('ath is not the hash of the access token')
  const { jwk } = protectedHeader
  if (!jwk) throw invalidProof('The proof has no jwk')
  return { jkt: await calculateJwkThumbprint(jwk), jti, iat, nonce }
}
