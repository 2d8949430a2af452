/** The public key in a DPoP proof: RFC 9449 section 4.2, its thumbprint by RFC 7638, and the signature that it verifies. */
import { constants, createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { PRIVATE_PARTS } from '../../domain/applications/client-keys.ts'
import { PROOF_ALGORITHMS } from '../../kernel/proof-algorithms.ts'
import { decodeBase64url, type ParsedJws } from '../jws.ts'
import { ProofRefused } from './refused.ts'

type ProofAlgorithm = (typeof PROOF_ALGORITHMS)[number]

export interface ProofKey {
  /** The thumbprint: the `jkt` of what is bound to the key. */
  readonly jkt: string
  readonly algorithm: ProofAlgorithm
  readonly publicKey: KeyObject
}

type Jwk = Readonly<Record<string, unknown>>

/** Bytes of an RSA modulus: 2048 to 4096 bits, so that no proof is expensive to verify. */
const [SHORTEST_MODULUS, LONGEST_MODULUS] = [256, 512]
const LONGEST_EXPONENT = 4

/** How many bytes a member has, which must be base64url in its canonical form: the thumbprint is that of the text. */
const bytesOf = (jwk: Jwk, name: string): number => {
  const value = jwk[name]
  return typeof value === 'string' ? (decodeBase64url(value)?.length ?? 0) : 0
}

/** The members that the thumbprint is of, in their order (RFC 7638 section 3.2); undefined if the key is not of this kind. */
const curvePoint = ({ kty, crv, x, y }: Jwk, curve: string): Record<string, unknown> | undefined => {
  if (crv !== curve) return undefined
  if (kty === 'OKP') return { crv, kty, x }
  return kty === 'EC' ? { crv, kty, x, y } : undefined
}

const membersOf = (jwk: Jwk, algorithm: ProofAlgorithm): Record<string, unknown> | undefined => {
  const isOfWidth = (width: number, ...names: string[]) => names.every((name) => bytesOf(jwk, name) === width)
  switch (algorithm) {
    case 'ES256':
      return isOfWidth(32, 'x', 'y') ? curvePoint(jwk, 'P-256') : undefined
    case 'ES384':
      return isOfWidth(48, 'x', 'y') ? curvePoint(jwk, 'P-384') : undefined
    case 'EdDSA':
    case 'Ed25519':
      return isOfWidth(32, 'x') ? curvePoint(jwk, 'Ed25519') : undefined
    case 'RS256':
    case 'PS256': {
      const [modulus, exponent] = [bytesOf(jwk, 'n'), bytesOf(jwk, 'e')]
      const isUsable = modulus >= SHORTEST_MODULUS && modulus <= LONGEST_MODULUS
      const { e, kty, n } = jwk
      return kty === 'RSA' && isUsable && exponent > 0 && exponent <= LONGEST_EXPONENT ? { e, kty, n } : undefined
    }
  }
}

/** Keys that have been read, by thumbprint: a client uses one for many proofs, and reading it costs as much as a signature. */
const known = new Map<string, KeyObject>()
const MOST_KNOWN = 2000

const keyObject = (jkt: string, members: Record<string, unknown>): KeyObject => {
  const kept = known.get(jkt)
  if (kept) return kept
  let made: KeyObject
  try {
    made = createPublicKey({ key: members as JsonWebKey, format: 'jwk' })
  } catch {
    throw new ProofRefused('the jwk of the proof is not a valid key')
  }
  const [oldest] = known.keys()
  if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
  known.set(jkt, made)
  return made
}

const isAlgorithm = (alg: unknown): alg is ProofAlgorithm => PROOF_ALGORITHMS.some((each) => each === alg)

/**
 * The key of a proof by its header: a public key of the kind that `alg` needs, and nothing of a private one. Throws
 * ProofRefused. Does not check the signature.
 */
export const proofKey = ({ alg, jwk }: Readonly<Record<string, unknown>>): ProofKey => {
  if (!isAlgorithm(alg)) throw new ProofRefused('the alg of the proof is not supported')
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) throw new ProofRefused('the proof has no jwk')
  if (PRIVATE_PARTS.some((part) => part in jwk)) throw new ProofRefused('the jwk of the proof has private members')
  const members = membersOf({ ...jwk }, alg)
  if (!members) throw new ProofRefused('the jwk of the proof is not a key that its alg can use')
  const jkt = hash('sha256', JSON.stringify(members), 'base64url')
  return { jkt, algorithm: alg, publicKey: keyObject(jkt, members) }
}

const DIGEST: Record<ProofAlgorithm, string | null> = {
  ES256: 'sha256',
  ES384: 'sha384',
  EdDSA: null,
  Ed25519: null,
  RS256: 'sha256',
  PS256: 'sha256',
}

/** Whether the key made the signature. */
export const hasSignatureOfKey = (
  { signed, signature }: ParsedJws,
  { algorithm, publicKey: key }: ProofKey,
): boolean => {
  const verifier = {
    ...{ key, dsaEncoding: 'ieee-p1363' as const },
    ...(algorithm === 'PS256' ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}),
  }
  return verify(DIGEST[algorithm], Buffer.from(signed), verifier, signature)
}
