/** The check of at-resource.ts with the errors of the server's APIs. */
import type { Client } from '../../domain/applications/clients.ts'
import { ApiError } from '../../kernel/api-error.ts'
import type { Store } from '../../storage/store.ts'
import { nextNonce } from '../dpop/nonce.ts'
import { NonceNeeded, ProofRefused } from '../dpop/refused.ts'
import { assertHeld, type HoldersRequest, type Presentation } from './at-resource.ts'
import { TokenNotHeld } from './not-held.ts'

const asApiError = (error: unknown): unknown => {
  if (error instanceof NonceNeeded) return new ApiError('auth.dpop_nonce_required', { nonce: error.nonce })
  if (error instanceof ProofRefused) return new ApiError('auth.dpop_proof_invalid', { reason: error.message })
  if (!(error instanceof TokenNotHeld)) return error
  return new ApiError('auth.token_not_held', { reason: error.message, scheme: error.scheme })
}

/**
 * Throws 401 `auth.token_not_held`, `auth.dpop_proof_invalid` or `auth.dpop_nonce_required` unless the caller may use the token.
 * Returns what the answer says besides: the next nonce for a client that needs it.
 * @param client that the token was issued to
 */
export const assertHeldAtApi = async (
  store: Store,
  request: HoldersRequest,
  presentation: Presentation,
  client: Client,
): Promise<Readonly<Record<string, string>>> => {
  try {
    return nextNonce(store, request.tenant, await assertHeld(store, request, presentation, client))
  } catch (error) {
    throw asApiError(error)
  }
}
