/** The public keys of a client: those that were registered, or those that it publishes (`jwksUri`). */
import type { JWK } from 'jose'
import type { Store } from '../../storage/store.ts'
import type { Client } from './clients.ts'
import { remoteKeys } from './remote-keys.ts'

/** Whether the client has keys at all, so that something signed by it can be verified. Asks nobody. */
export const hasKeys = ({ keys, metadata }: Pick<Client, 'keys' | 'metadata'>): boolean =>
  keys.length > 0 || metadata.jwksUri !== undefined

/**
 * The keys of a client. Throws KeysUnavailable where its `jwksUri` does not answer; of a client without one, nothing is fetched.
 * @param isEnough whether what is known of published keys will do; if not, they may be fetched again
 */
export const keysOfClient = async (
  store: Pick<Store, 'outbound' | 'clock'>,
  { keys, metadata: { jwksUri } }: Pick<Client, 'keys' | 'metadata'>,
  isEnough: (keys: readonly JWK[]) => boolean,
): Promise<readonly JWK[]> => (jwksUri === undefined ? keys : remoteKeys(store, jwksUri, isEnough))
