/**
 * Access tokens at this server's own APIs: the scheme must be that of the token, and a bound one needs a proof of its key (RFC 9449
 * section 7) or its client certificate (RFC 8705 section 3).
 */
import type { Client } from '../../domain/applications/clients.ts'
import type { StoredConfirmation } from '../../domain/issued/confirmation.ts'
import type { TokenScheme } from '../../kernel/challenge.ts'
import type { ClientCertificate } from '../../kernel/client-certificate.ts'
import type { Store } from '../../storage/store.ts'
import { type ProvenRequest, presentedProof } from '../dpop/presented.ts'
import type { Proof } from '../dpop/proof.ts'
import { ProofRefused } from '../dpop/refused.ts'
import { TokenNotHeld } from './not-held.ts'

export interface Presentation extends StoredConfirmation {
  readonly scheme: TokenScheme
  readonly token: string
}

/** What is read of a request. */
export interface HoldersRequest extends ProvenRequest {
  /** Throws TransportError if it cannot be read. */
  readonly clientCertificate: () => ClientCertificate | undefined
}

/** A request with a large body is authorized before the body is read and once more after it, with one proof. */
const proved = new WeakMap<object, Promise<Proof>>()

const prove = async (
  store: Store,
  request: ProvenRequest,
  { scheme, token, jkt }: Presentation,
  { metadata }: Client,
): Promise<Proof> => {
  if (scheme !== 'DPoP') throw new TokenNotHeld('the access token is bound to a key and no bearer token', 'DPoP')
  if (jkt === null) throw new TokenNotHeld('the access token is a bearer token and bound to no key', 'DPoP')
  const proof = await presentedProof(store, request, {
    needsNonce: metadata.dpopNonceRequired === true,
    accessToken: token,
  })
  if (!proof) throw new ProofRefused('the request has no DPoP header')
  if (proof.jkt !== jkt)
    throw new TokenNotHeld('the access token is bound to another key than that of the proof', 'DPoP')
  return proof
}

/** Throws TokenNotHeld unless the request has the certificate. */
const assertCertificate = ({ clientCertificate }: HoldersRequest, { scheme, x5t }: Presentation): void => {
  const presented = clientCertificate()
  if (presented?.thumbprint === x5t) return
  const what = presented ? 'another client certificate' : 'a client certificate, and none was presented'
  throw new TokenNotHeld(`the access token is bound to ${what}`, scheme)
}

/**
 * Checks that the caller may use a token that is valid otherwise; the proof is used up. A bearer token that is presented as one
 * costs nothing. @param client that the token was issued to. Returns the proof, if the token needs one. Throws TokenNotHeld, ProofRefused, NonceNeeded, TransportError.
 */
export const assertHeld = async (
  store: Store,
  request: HoldersRequest,
  presentation: Presentation,
  client: Client,
): Promise<Proof | undefined> => {
  if (presentation.x5t !== null) assertCertificate(request, presentation)
  if (presentation.scheme === 'Bearer' && presentation.jkt === null) return undefined
  const proving = proved.get(request.headers) ?? prove(store, request, presentation, client)
  proved.set(request.headers, proving)
  return proving
}
