/** An ID token that came without a request for it (Google One Tap): its checks are those of one from the token endpoint. */
import { expectNoNonce, getValidatedIdTokenClaims, processAuthorizationCodeResponse } from 'oauth4webapi'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Store } from '../../storage/store.ts'
import { accountOf } from './account.ts'
import { clientOf } from './client.ts'
import { nonceIn } from './credential-nonce.ts'
import { FederationFailure } from './failure.ts'
import { serverOf, verifySignature } from './metadata.ts'
import type { FederatedAccount, Provider } from './provider.ts'
import { reachOf } from './reach.ts'
import { step } from './step.ts'

/** How old it may be: it is made when the user chooses their account. */
const FRESH_SECONDS = 600

/** Who a credential is of, and what says that it is used once. */
export interface BroughtCredential {
  readonly account: FederatedAccount
  /** Of what is signed: signatures may be written in more ways than one. */
  readonly hash: Buffer
  readonly usableUntil: Date
}

/**
 * Who it is of. Throws FederationFailure. Does not check whose nonce it holds, which the caller compares, nor whether it was used before,
 * which `useCredential` does.
 */
export const readCredential = async (
  store: Store,
  provider: Provider,
  credential: string,
): Promise<BroughtCredential> => {
  if (provider.at.protocol !== 'oidc') throw new FederationFailure('token', 'the provider has no ID tokens')
  const reach = reachOf(store)
  const server = await serverOf(reach, provider)
  // as if it had come with an access token, which nothing uses
  const body = JSON.stringify({ access_token: 'none', token_type: 'bearer', id_token: credential })
  const response = new Response(body, { headers: { 'content-type': 'application/json' } })
  const tokens = await step('token', () =>
    processAuthorizationCodeResponse(server, clientOf(store, provider), response, {
      expectedNonce: nonceIn(credential) ?? expectNoNonce,
      requireIdToken: true,
    }),
  )
  await verifySignature(reach, provider.at.issuer, response)
  const claims = getValidatedIdTokenClaims(tokens)
  if (!claims) throw new FederationFailure('token', 'there is no ID token')
  const age = store.clock.now().getTime() / 1000 - claims.iat
  if (Math.abs(age) > FRESH_SECONDS) throw new FederationFailure('token', 'the ID token was not issued just now')
  const [header, payload] = credential.split('.')
  return {
    account: accountOf(provider, { ...claims }),
    hash: hashSecret(`${header}.${payload}`),
    usableUntil: new Date((claims.iat + FRESH_SECONDS + 1) * 1000),
  }
}
