/** JWTs that a client signs with its own keys: assertions (RFC 7523) and request objects (RFC 9101). */
import type { JWK } from 'jose'
import { clientKeyAlgorithm } from '../domain/applications/client-keys.ts'
import type { Client } from '../domain/applications/clients.ts'
import { keysOfClient } from '../domain/applications/keys-of-client.ts'
import type { Store } from '../storage/store.ts'
import { parseJws } from '../tokens/jws.ts'

/** Seconds by which the clocks of a client and of this server may differ. */
export const CLOCK_TOLERANCE = 15

type VerificationKey = Awaited<ReturnType<typeof import('jose')['importJWK']>>
type Verify<Verified> = (key: VerificationKey, algorithms: string[]) => Promise<Verified>

export interface VerifiedByKey<Verified> {
  readonly verified: Verified
  readonly algorithm: string
}

/** The values of `alg` that mean the algorithm of a key: RFC 9864 gave EdDSA with Ed25519 its own name. */
const namesOf = (algorithm: string): string[] => (algorithm === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [algorithm])

/** Whether a JWT may be signed by a key: a `kid` in its header leaves only the keys that have it, or have none. */
export const isMeant = (jwt: string) => {
  const kid = parseJws(jwt)?.header.kid
  return (jwk: JWK): boolean => kid === undefined || jwk.kid === undefined || jwk.kid === kid
}

/**
 * What `verify` makes of a JWT with the first of the keys that it accepts, and the algorithm of that key, which never follows from the
 * header (SECURITY R-15); undefined if there is none.
 */
export const verifiedByKeys = async <Verified>(
  keys: readonly JWK[],
  profile: Client['metadata']['securityProfile'],
  jwt: string,
  verify: Verify<Verified>,
): Promise<VerifiedByKey<Verified> | undefined> => {
  const { importJWK } = await import('jose')
  for (const jwk of keys.filter(isMeant(jwt))) {
    const algorithm = clientKeyAlgorithm(jwk, profile)
    if (!algorithm) continue
    try {
      return { verified: await verify(await importJWK(jwk, algorithm), namesOf(algorithm)), algorithm }
    } catch {
      // the next key may be the one
    }
  }
  return undefined
}

/** The same with the keys of a client. Throws KeysUnavailable where it publishes them and they cannot be fetched. */
export const verifiedByKeyOf = async <Verified>(
  store: Store,
  client: Client,
  jwt: string,
  verify: Verify<Verified>,
): Promise<VerifiedByKey<Verified> | undefined> => {
  const keys = await keysOfClient(store, client, (known) => known.some(isMeant(jwt)))
  return verifiedByKeys(keys, client.metadata.securityProfile, jwt, verify)
}
