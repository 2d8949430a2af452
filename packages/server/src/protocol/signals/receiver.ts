/** Who calls the API of Shared Signals: an application that is a receiver, with an access token for it (DECISIONS K11). */
import { findClient } from '../../domain/applications/clients.ts'
import { storedConfirmation } from '../../domain/issued/confirmation.ts'
import { type Receiver, receiverOf } from '../../domain/signals/rows.ts'
import { parseCredentials } from '../../http/access-token.ts'
import type { Exchange } from '../../http/exchange.ts'
import { challengeIn } from '../../kernel/challenge.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { assertHeld } from '../../tokens/bound/at-resource.ts'
import { nextNonce } from '../../tokens/dpop/nonce.ts'
import { type AccessTokenClaims, TokenRefused, verifyAccessToken } from '../../tokens/verify.ts'
import { asProofError, refuseToken } from '../token-refusal.ts'

/** `ssf.manage` includes `ssf.read` (CAEP Interoperability Profile section 2.7.3). */
export const SIGNAL_SCOPES = ['ssf.read', 'ssf.manage'] as const
export type SignalScope = (typeof SIGNAL_SCOPES)[number]

/** The identifier of the API as a resource (RFC 8707). */
export const signalsResource = ({ issuer }: Tenant): string => `${issuer}/ssf`

export interface AdmittedReceiver {
  readonly receiver: Receiver
  /** What the response carries for the next request. */
  readonly headers: Readonly<Record<string, string>>
}

const verified = async (store: Store, tenant: Tenant, token: string): Promise<AccessTokenClaims | undefined> => {
  try {
    return await verifyAccessToken(store, tenant, token, store.clock.now())
  } catch (error) {
    if (error instanceof TokenRefused) return undefined
    throw error
  }
}

/** The receiver of a request. Throws 401 for a token that is not valid here, 403 without the scope or for an application that is none. */
export const admittedReceiver = async (
  store: Store,
  exchange: Exchange,
  needed: SignalScope,
): Promise<AdmittedReceiver> => {
  const { tenant } = exchange
  const [header, ...more] = exchange.headerValues('authorization')
  const presented = header === undefined || more.length > 0 ? undefined : parseCredentials(header)
  if (!presented)
    throw new OAuthError('invalid_token', 'one access token is required, in the Authorization header', {
      headers: { 'www-authenticate': challengeIn('Bearer') },
    })
  const claims = await verified(store, tenant, presented.token)
  const client = claims?.aud === signalsResource(tenant) ? await findClient(store, tenant, claims.client_id) : undefined
  if (!claims || !client || claims.sub !== client.id)
    throw refuseToken(presented.scheme, 'the access token is not valid here')
  const proof = await assertHeld(store, exchange, { ...presented, ...storedConfirmation(claims.cnf) }, client).catch(
    (error: unknown) => {
      throw asProofError(error)
    },
  )
  const scopes = claims.scope?.split(' ') ?? []
  if (!scopes.includes(needed) && !scopes.includes('ssf.manage'))
    throw refuseToken(presented.scheme, `the access token lacks the scope ${needed}`, 'insufficient_scope')
  const receiver = receiverOf(client)
  if (!receiver) throw new OAuthError('access_denied', 'the application is not a receiver', { status: 403 })
  return { receiver, headers: nextNonce(store, tenant, proof) }
}
