/** Answers to a client as JWTs: authorization responses (JARM) and introspection responses (RFC 9701). */
import type { SigningAlgorithm } from '@countersign/contract/signing-keys.ts'
import type { Client } from '../domain/applications/clients.ts'
import { idTokenKey, signingKeys } from '../domain/tenants/signing-keys.ts'
import { toNumericDate } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { signJws } from './jws.ts'

/** JARM section 2.1 recommends ten minutes at most; the code in it ends sooner. */
const RESPONSE_SECONDS = 300

/** @param algorithm that the client asks for; undefined: that of the tenant's current key */
const signed = async (
  store: Store,
  tenant: Tenant,
  algorithm: SigningAlgorithm | undefined,
  typ: string,
  claims: object,
): Promise<string> => {
  const key = idTokenKey(await signingKeys(store, tenant), algorithm, store.clock.now())
  if (!key)
    throw new Error(`Tenant ${tenant.id} has no ${algorithm ?? 'main'} key in use, which its application asks for`)
  return signJws(key, typ, claims)
}

/** An authorization response as a JWT (JARM section 2.1). @param parameters of the response, without `iss` */
export const authorizationResponseJwt = (
  store: Store,
  tenant: Tenant,
  { id, metadata }: Client,
  parameters: Readonly<Record<string, string>>,
): Promise<string> =>
  signed(store, tenant, metadata.authorizationSignedResponseAlg, 'JWT', {
    ...parameters,
    iss: tenant.issuer,
    aud: id,
    exp: toNumericDate(store.clock.now()) + RESPONSE_SECONDS,
  })

/**
 * An introspection response as a JWT (RFC 9701 section 5). Its type and its claims, which name neither a subject nor an expiry, keep
 * it from being taken for the token that it describes.
 */
export const introspectionJwt = (
  store: Store,
  tenant: Tenant,
  { id, metadata }: Client,
  response: object,
): Promise<string> =>
  signed(store, tenant, metadata.introspectionSignedResponseAlg, 'token-introspection+jwt', {
    iss: tenant.issuer,
    aud: id,
    iat: toNumericDate(store.clock.now()),
    token_introspection: response,
  })
