/** Tokens that are bound to a key of the client, at the endpoints of the protocol: RFC 9449 sections 5, 8 and 10, DECISIONS V2 to V5. */
import type { Client } from '../domain/applications/clients.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Parameters } from '../http/parameters.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import type { Authorization, Confirmation } from '../tokens/authorization.ts'
import { currentNonce } from '../tokens/dpop/nonce.ts'
import { presentedProof } from '../tokens/dpop/presented.ts'
import type { Proof } from '../tokens/dpop/proof.ts'
import { NonceNeeded, ProofRefused } from '../tokens/dpop/refused.ts'
import { single } from './endpoint.ts'

/** A SHA-256 thumbprint in base64url. */
export const isThumbprint = (value: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(value)

/** What a refused proof is answered with; any other error is passed on. */
const asProofError = (error: unknown): unknown => {
  if (error instanceof NonceNeeded)
    return new OAuthError('use_dpop_nonce', error.message, { headers: { 'dpop-nonce': error.nonce } })
  return error instanceof ProofRefused ? new OAuthError('invalid_dpop_proof', error.message) : error
}

const presented = async (store: Store, exchange: Exchange, { metadata }: Client): Promise<Proof | undefined> => {
  try {
    return await presentedProof(store, exchange, { needsNonce: metadata.dpopNonceRequired === true })
  } catch (error) {
    throw asProofError(error)
  }
}

/**
 * The proof of a token request, used up; undefined if it has none. Throws invalid_request if the client must send one,
 * invalid_dpop_proof, use_dpop_nonce.
 */
export const proofOf = async (store: Store, exchange: Exchange, client: Client): Promise<Proof | undefined> => {
  const proof = await presented(store, exchange, client)
  if (!proof && client.metadata.dpopBoundAccessTokens)
    throw new OAuthError('invalid_request', 'the application has to send a DPoP proof with every token request')
  return proof
}

/** The proof of a pushed authorization request, whose key must be that of `dpop_jkt` if it has both (RFC 9449 section 10.1). */
export const pushedProof = async (
  store: Store,
  exchange: Exchange,
  client: Client,
  parameters: Parameters,
): Promise<Proof | undefined> => {
  const proof = await presented(store, exchange, client)
  const named = single(parameters, 'dpop_jkt')
  if (proof && named !== undefined && named !== proof.jkt)
    throw new OAuthError('invalid_dpop_proof', 'dpop_jkt is not the thumbprint of the key of the proof')
  return proof
}

/** Why the caller may not use what is bound to a key, or undefined when it may. Nothing that is not bound needs a proof. */
export const refuseKey = (
  { jkt }: { readonly jkt: string | null },
  confirmation: Confirmation | undefined,
): string | undefined => {
  if (jkt === null || jkt === confirmation?.jkt) return undefined
  return confirmation
    ? 'it is bound to another key than that of the DPoP proof'
    : 'it is bound to a key, and no DPoP proof was sent'
}

/** The authorization with its tokens bound to the key. Throws invalid_request for an API that takes no others, without a key. */
export const bound = <A extends Authorization>(authorization: A, confirmation: Confirmation | undefined): A => {
  if (confirmation) return { ...authorization, confirmation }
  if (authorization.resource?.senderConstraint === 'dpop')
    throw new OAuthError('invalid_request', 'the API takes only tokens that are bound to a key; send a DPoP proof')
  return authorization
}

/** `token_type` (RFC 9449 section 5). */
export const tokenTypeOf = (confirmation: Confirmation | undefined): 'Bearer' | 'DPoP' =>
  confirmation ? 'DPoP' : 'Bearer'

/** The header with the next nonce, for a client whose nonce will soon be too old (RFC 9449 section 8.2). */
export const nextNonce = (store: Store, tenant: Tenant, proof: Proof | undefined): Readonly<Record<string, string>> => {
  if (proof?.nonce === undefined) return {}
  const nonce = currentNonce(store, tenant, store.clock.now())
  return nonce === proof.nonce ? {} : { 'dpop-nonce': nonce }
}
