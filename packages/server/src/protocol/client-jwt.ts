/** JWTs that a client signs with its own keys: assertions (RFC 7523) and request objects (RFC 9101). */
import { clientKeyAlgorithm } from '../domain/applications/client-keys.ts'
import type { Client } from '../domain/applications/clients.ts'
import { parseJws } from '../tokens/jws.ts'

/** Seconds by which the clocks of a client and of this server may differ. */
export const CLOCK_TOLERANCE = 15

type VerificationKey = Awaited<ReturnType<typeof import('jose')['importJWK']>>

/** The values of `alg` that mean the algorithm of a key: RFC 9864 gave EdDSA with Ed25519 its own name. */
const namesOf = (algorithm: string): string[] => (algorithm === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [algorithm])

/**
 * What `verify` makes of a JWT with the first of the client's keys that it accepts, and the algorithm of that key, which never
 * follows from the header (SECURITY R-15); undefined if there is none. A `kid` in the header leaves only the keys that have it, or
 * have none.
 */
export const verifiedByKeyOf = async <Verified>(
  client: Client,
  jwt: string,
  verify: (key: VerificationKey, algorithms: string[]) => Promise<Verified>,
): Promise<{ readonly verified: Verified; readonly algorithm: string } | undefined> => {
  const { importJWK } = await import('jose')
  const kid = parseJws(jwt)?.header.kid
  for (const jwk of client.keys) {
    const algorithm = clientKeyAlgorithm(jwk, client.metadata.securityProfile)
    if (!algorithm || (kid !== undefined && jwk.kid !== undefined && jwk.kid !== kid)) continue
    try {
      return { verified: await verify(await importJWK(jwk, algorithm), namesOf(algorithm)), algorithm }
    } catch {
      // the next key may be the one
    }
  }
  return undefined
}
