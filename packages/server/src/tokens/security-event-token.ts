/** Security event tokens (RFC 8417) as Shared Signals profiles them (Shared Signals Framework 1.0 section 4): no `sub`, no `exp`. */

import type { Client } from '../domain/applications/clients.ts'
import type { WaitingEvent } from '../domain/signals/feed.ts'
import { idTokenKey, signingKeys } from '../domain/tenants/signing-keys.ts'
import { toNumericDate } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { signJws } from './jws.ts'

const TYPE = 'secevent+jwt'

/**
 * Signs events for their receiver, with the key that signs its ID tokens. Signed when they are sent: a key that is replaced while an event
 * waits does not sign it. Throws if the tenant has no such key.
 */
export const mintSecurityEventTokens = async (
  store: Store,
  tenant: Tenant,
  { id, metadata }: Client,
  events: readonly WaitingEvent[],
): Promise<string[]> => {
  const key = idTokenKey(await signingKeys(store, tenant), metadata.idTokenSignedResponseAlg, store.clock.now())
  if (!key) throw new Error('the tenant has no key that signs ID tokens for the application')
  return events.map(({ jti, claims, createdAt }) =>
    signJws(key, TYPE, { iss: tenant.issuer, jti, iat: toNumericDate(createdAt), aud: id, ...claims }),
  )
}
