/** ID tokens that came without a request for them: each is accepted once, on whatever node (SECURITY R-29). */
import { ApiError } from '../../kernel/api-error.ts'
import { Refusal, type Unit } from '../../storage/unit-of-work.ts'
import type { BroughtCredential } from './credential.ts'

/**
 * Uses a credential up, for as long as it is good: one statement, so that of several uses one gets through. Throws 401
 * `connector.social_invalid_id_token`, with an entry in the audit log.
 */
export const useCredential = async (
  { tx, tenant, note }: Unit,
  { hash, usableUntil }: BroughtCredential,
): Promise<void> => {
  const row = await tx
    .insertInto('used_credentials')
    .values({ tenant_id: tenant.id, hash, expires_at: usableUntil })
    .onConflict((conflict) => conflict.doNothing())
    .returning('expires_at')
    .executeTakeFirst()
  if (row) return
  note({ kind: 'token', reason: 'the ID token was used before' })
  throw new Refusal(new ApiError('connector.social_invalid_id_token'))
}
