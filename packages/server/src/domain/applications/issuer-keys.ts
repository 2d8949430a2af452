/** The keys of an issuer whose tokens authenticate workloads: pasted, published, or found by OpenID Connect Discovery. */
import type { FederatedCredential } from '@countersign/contract/federated-credentials.ts'
import type { JWK } from 'jose'
import type { Store } from '../../storage/store.ts'
import { isPublicKey } from './client-keys.ts'
import { objectionToHttpUri } from './redirect-uris.ts'
import { fetchJson, fetchKeys, KeysUnavailable, keysFrom, remoteKeys } from './remote-keys.ts'

type Reach = Pick<Store, 'outbound' | 'clock'>

/** OpenID Connect Discovery 1.0 section 4: the document has to be that of the issuer. Throws KeysUnavailable. */
const discoveredKeys = async (store: Reach, issuer: string): Promise<readonly JWK[]> => {
  const document = await fetchJson(store, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const { issuer: said, jwks_uri: jwksUri } = Object(document) as Record<string, unknown>
  if (said !== issuer) throw new KeysUnavailable('its metadata is that of another issuer')
  if (typeof jwksUri !== 'string' || objectionToHttpUri(jwksUri) !== undefined)
    throw new KeysUnavailable('its metadata names no https address of keys')
  return fetchKeys(store, jwksUri)
}

/**
 * The keys of the issuer. Throws KeysUnavailable where it has not answered with keys within the last hour.
 * @param isEnough whether what is known will do: if not, it is asked again, at most every half minute
 */
export const keysOfIssuer = async (
  store: Reach,
  { issuer, jwksUri, jwks }: Pick<FederatedCredential, 'issuer' | 'jwksUri' | 'jwks'>,
  isEnough: (keys: readonly JWK[]) => boolean,
): Promise<readonly JWK[]> => {
  if (jwks) return jwks.keys.filter(isPublicKey)
  if (jwksUri !== undefined) return remoteKeys(store, jwksUri, isEnough)
  return keysFrom(store, `issuer ${issuer}`, isEnough, () => discoveredKeys(store, issuer))
}
