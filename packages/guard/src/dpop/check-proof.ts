import type { Credentials } from '../bearer/credentials.ts'
import { GuardError } from '../errors/guard-error.ts'
import { misconfigured } from '../errors/misconfigured.ts'
import type { ProofTerms } from './options.ts'
import { type Proof, readProof } from './proof.ts'

const checkNonce = async ({ nonce }: Proof, { nonces }: ProofTerms): Promise<void> => {
  if (!nonces) return
  if (typeof nonce === 'string' && (await nonces.accepts(nonce))) return
  throw new GuardError('proof_nonce_required', { nonce: await nonces.current() })
}

/** Remembered for as long as it could be accepted, and a little longer. */
const use = async ({ jkt, jti, iat }: Proof, { replayStore, maxAgeSeconds }: ProofTerms): Promise<void> => {
  const expiresAt = new Date((Math.ceil(iat) + maxAgeSeconds + 10) * 1000)
  let isFirst: boolean
  try {
    isFirst = await replayStore.use(`${jkt}.${jti}`, expiresAt)
  } catch (cause) {
    throw cause instanceof GuardError ? cause : new GuardError('replay_store_unavailable', { cause })
  }
  if (!isFirst) throw new GuardError('proof_used')
}

/**
 * Refuses a token that is bound to a key of a caller who does not prove that they have it (RFC 9449 §7). The proof is used up.
 * @param jkt of its `cnf`; anything but the thumbprint of the key of the proof is refused
 */
export async function checkProof(
  jkt: unknown,
  { scheme, token, request }: Credentials,
  terms: ProofTerms | undefined,
): Promise<void> {
  if (scheme !== 'DPoP' || !terms) throw new GuardError('token_bound')
  if (!request) throw misconfigured('A bound token is verified with its request: method, url and headers')
  const proof = await readProof(request, token, terms)
  if (jkt !== proof.jkt) throw new GuardError('token_bound', { detail: 'The token is bound to another key' })
  await checkNonce(proof, terms)
  await use(proof, terms)
}
