/** Access tokens at this server's own APIs: the scheme must be that of the token, and a bound one needs a proof (RFC 9449 section 7). */
import type { Client } from '../../domain/applications/clients.ts'
import type { Store } from '../../storage/store.ts'
import { type ProvenRequest, presentedProof } from './presented.ts'
import { ProofRefused, TokenNotHeld } from './refused.ts'

export interface Presentation {
  readonly scheme: 'Bearer' | 'DPoP'
  readonly token: string
  /** The thumbprint of the key that the token is bound to; null: none. */
  readonly jkt: string | null
}

/** A request with a large body is authorized before the body is read and once more after it, with one proof. */
const proved = new WeakMap<object, Promise<void>>()

const prove = async (
  store: Store,
  request: ProvenRequest,
  { scheme, token, jkt }: Presentation,
  { metadata }: Client,
): Promise<void> => {
  if (scheme !== 'DPoP') throw new TokenNotHeld('the access token is bound to a key and no bearer token')
  if (jkt === null) throw new TokenNotHeld('the access token is a bearer token and bound to no key')
  const proof = await presentedProof(store, request, {
    needsNonce: metadata.dpopNonceRequired === true,
    accessToken: token,
  })
  if (!proof) throw new ProofRefused('the request has no DPoP header')
  if (proof.jkt !== jkt) throw new TokenNotHeld('the access token is bound to another key than that of the proof')
}

/**
 * Checks that the caller may use a token that is valid otherwise; the proof is used up. A bearer token that is presented as one
 * costs nothing. @param client that the token was issued to. Throws TokenNotHeld, ProofRefused, NonceNeeded.
 */
export const assertHeld = async (
  store: Store,
  request: ProvenRequest,
  presentation: Presentation,
  client: Client,
): Promise<void> => {
  if (presentation.scheme === 'Bearer' && presentation.jkt === null) return
  const proving = proved.get(request.headers) ?? prove(store, request, presentation, client)
  proved.set(request.headers, proving)
  await proving
}
