/**
 * `id_token_hint`: an ID token of this server that says which user the application means (OpenID Connect Core section
 * 3.1.2.1).
 */
import { type Client, findClient, isPossibleId } from '../domain/applications/clients.ts'
import { userOfSubject } from '../domain/applications/subjects.ts'
import { signingKeys } from '../domain/tenants/signing-keys.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { readIdToken } from '../tokens/id-token.ts'
import { AuthorizationError } from './authorize/authorization-error.ts'

export interface Hint {
  readonly userId: string
  readonly clientId: string
  readonly sessionId: string | undefined
}

/** The content of a hint; undefined if it is not an ID token that this tenant signed. An expired one is accepted. */
export const readHint = async (store: Store, tenant: Tenant, hint: string): Promise<Hint | undefined> => {
  const claims = readIdToken(await signingKeys(store, tenant), tenant, hint)
  const { sub, aud, sid } = claims ?? {}
  if (typeof sub !== 'string' || typeof aud !== 'string') return undefined
  const client = isPossibleId(aud) ? await findClient(store, tenant, aud) : undefined
  // a hint of before its application's subjects became pairwise names the user by id
  const userId = (client && userOfSubject(store, tenant, client, sub)) ?? sub
  return { userId, clientId: aud, sessionId: typeof sid === 'string' ? sid : undefined }
}

/**
 * The user that the hint of an authorization request names. Throws invalid_request for a hint issued to another client.
 */
export const subjectOfHint = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  hint: string | undefined,
): Promise<string | undefined> => {
  if (!hint) return undefined
  const read = await readHint(store, tenant, hint)
  if (read?.clientId !== client.id) {
    throw new AuthorizationError(
      'invalid_request',
      'id_token_hint is not an ID token that this server issued to the application',
    )
  }
  return read.userId
}
