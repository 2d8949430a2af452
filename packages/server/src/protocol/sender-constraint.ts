/**
 * Tokens that are bound to a key or a certificate of the client, at the endpoints of the protocol: RFC 9449 sections 5, 8 and 10,
 * RFC 8705 section 3, DECISIONS V2 to V5, V12.
 */
import type { Client } from '../domain/applications/clients.ts'
import type { Confirmation, StoredConfirmation } from '../domain/issued/confirmation.ts'
import { findResource, type TargetResource } from '../domain/permissions/resources.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Parameters } from '../http/parameters.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import type { Authorization } from '../tokens/authorization.ts'
import { currentNonce } from '../tokens/dpop/nonce.ts'
import { presentedProof } from '../tokens/dpop/presented.ts'
import type { Proof } from '../tokens/dpop/proof.ts'
import { NonceNeeded, ProofRefused } from '../tokens/dpop/refused.ts'
import { single } from './endpoint.ts'
import type { GrantRequest } from './grants/grant.ts'

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

/**
 * The thumbprint of the certificate that the application's tokens are bound to; undefined: they are not. Throws invalid_request if it
 * presented none.
 */
export const boundCertificate = ({ clientCertificate }: Exchange, { metadata }: Client): string | undefined => {
  if (!metadata.tlsClientCertificateBoundAccessTokens) return undefined
  const presented = clientCertificate()
  if (!presented)
    throw new OAuthError('invalid_request', 'the application has to present a client certificate with every request')
  return presented.thumbprint
}

/** What a token request issues is bound to; undefined: nothing. Throws invalid_request without the certificate that it needs. */
export const confirmationFor = (
  exchange: Exchange,
  client: Client,
  proof: Proof | undefined,
): Confirmation | undefined => {
  const x5t = boundCertificate(exchange, client)
  if (x5t === undefined) return proof && { jkt: proof.jkt }
  return { ...(proof ? { jkt: proof.jkt } : {}), 'x5t#S256': x5t }
}

/** Why the caller may not use what is bound, or undefined when it may. Nothing that is not bound needs a proof or a certificate. */
export const refuseHolder = (
  { jkt, x5t }: StoredConfirmation,
  confirmation: Confirmation | undefined,
): string | undefined => {
  if (jkt !== null && jkt !== confirmation?.jkt)
    return confirmation?.jkt === undefined
      ? 'it is bound to a key, and no DPoP proof was sent'
      : 'it is bound to another key than that of the DPoP proof'
  if (x5t !== null && x5t !== confirmation?.['x5t#S256'])
    return confirmation?.['x5t#S256'] === undefined
      ? 'it is bound to a client certificate, and the application has none for its tokens (tlsClientCertificateBoundAccessTokens)'
      : 'it is bound to another client certificate'
  return undefined
}

/** Asks for a new proof where one without a nonce came with a request for tokens of an API that demands it: `use_dpop_nonce`. */
const assertNonceFor = (
  store: Store,
  tenant: Tenant,
  resource: Pick<TargetResource, 'dpopNonceRequired'> | undefined,
  proof: Proof | undefined,
): void => {
  if (!proof || proof.nonce !== undefined || !resource?.dpopNonceRequired) return
  throw asProofError(new NonceNeeded(currentNonce(store, tenant, store.clock.now())))
}

/** The same for each API that a pushed request names; those that do not exist are refused elsewhere. */
export const assertNonceForAll = async (
  store: Store,
  tenant: Tenant,
  indicators: readonly string[],
  proof: Proof | undefined,
): Promise<void> => {
  if (!proof || proof.nonce !== undefined) return
  for (const indicator of indicators) assertNonceFor(store, tenant, await findResource(store, tenant, indicator), proof)
}

/**
 * The authorization with its tokens bound to what the client has proved to have. Throws invalid_request for an API that takes only
 * tokens that are bound in a way in which these are not, and use_dpop_nonce for one that demands a nonce in the proof.
 */
export const bound = <A extends Authorization>(
  { store, tenant, confirmation }: Pick<GrantRequest, 'store' | 'tenant' | 'confirmation'>,
  authorization: A,
  proof: Proof | undefined,
): A => {
  assertNonceFor(store, tenant, authorization.resource, proof)
  const demanded = authorization.resource?.senderConstraint
  if (demanded === 'dpop' && confirmation?.jkt === undefined)
    throw new OAuthError('invalid_request', 'the API takes only tokens that are bound to a key; send a DPoP proof')
  if (demanded === 'mtls' && confirmation?.['x5t#S256'] === undefined)
    throw new OAuthError(
      'invalid_request',
      'the API takes only tokens that are bound to a client certificate, which the application has to be set to',
    )
  return confirmation ? { ...authorization, confirmation } : authorization
}

/** `token_type` (RFC 9449 section 5); a token that is bound to a certificate alone is a bearer token to those who know no more. */
export const tokenTypeOf = (confirmation: Confirmation | undefined): 'Bearer' | 'DPoP' =>
  confirmation?.jkt === undefined ? 'Bearer' : 'DPoP'
