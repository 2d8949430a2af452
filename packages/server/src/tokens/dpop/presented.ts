/** The DPoP proof of a request to this server: read, its nonce checked, and used up. */
import { useProof } from '../../domain/issued/dpop-proofs.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { rememberedUntil } from './age.ts'
import { currentNonce, isAcceptedNonce } from './nonce.ts'
import { type Proof, readProof } from './proof.ts'
import { NonceNeeded, ProofRefused } from './refused.ts'

/** What is read of a request. */
export interface ProvenRequest {
  readonly tenant: Tenant
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly headerValues: (name: string) => readonly string[]
}

export interface ProofTerms {
  /** Whether the proof must carry the server's nonce; one that it carries is checked in any case. */
  readonly needsNonce: boolean
  /** The access token that comes with the proof. */
  readonly accessToken?: string
}

/**
 * The proof of a request; undefined if it has none. Accepted once, across all nodes: one statement, and none without a proof.
 * Throws ProofRefused, NonceNeeded.
 */
export const presentedProof = async (
  store: Store,
  { tenant, method, path, headers, headerValues }: ProvenRequest,
  { needsNonce, accessToken }: ProofTerms,
): Promise<Proof | undefined> => {
  // most requests have none, and looking through all headers costs more
  if (headers.dpop === undefined) return undefined
  const [text = '', ...more] = headerValues('dpop')
  if (more.length > 0) throw new ProofRefused('the request has several DPoP headers')
  const now = store.clock.now()
  const origins = [tenant.baseUrl, store.mutualTls.origin(tenant) ?? tenant.baseUrl]
  const proof = readProof(text, { method, urls: origins.map((origin) => origin + path) }, now, accessToken)
  const { jkt, jti, iat, nonce } = proof
  if ((needsNonce || nonce !== undefined) && !isAcceptedNonce(store, tenant, nonce, now))
    throw new NonceNeeded(currentNonce(store, tenant, now))
  if (!(await useProof(store, tenant, jkt, jti, rememberedUntil(iat))))
    throw new ProofRefused('the proof was used before')
  return proof
}
