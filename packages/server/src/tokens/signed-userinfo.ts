/** Userinfo as a JWT (OpenID Connect Core section 5.3.2), for applications that ask for a signature. */
import type { SigningAlgorithm } from '@countersign/contract/signing-keys.ts'
import type { Client } from '../domain/applications/clients.ts'
import { idTokenKey, signingKeys } from '../domain/tenants/signing-keys.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { signJws } from './jws.ts'

/** Not that of ID tokens: what says who a user is must not pass for a proof that they signed in. */
const TYPE = 'userinfo+jwt'

/** Signs the claims of a user for an application. Throws if the tenant has no key of the algorithm in use. */
export const signedUserinfo = async (
  store: Store,
  tenant: Tenant,
  client: Pick<Client, 'id'>,
  algorithm: SigningAlgorithm,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> => {
  const key = idTokenKey(await signingKeys(store, tenant), algorithm, store.clock.now())
  if (!key) throw new Error(`Tenant ${tenant.id} has no ${algorithm} key in use, which its application asks for`)
  return signJws(key, TYPE, { ...claims, iss: tenant.issuer, aud: client.id })
}
