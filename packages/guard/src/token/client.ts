import { GuardError } from '../errors/guard-error.ts'
import type { AccessTokenClaims } from './claims.ts'

/**
 * Restricts an API to some clients by `client_id`, for delegated calls: the user's rights alone do not say
 * which service may use them. In a token from an exchange it is the application that exchanged.
 */
export function checkClient({ client_id }: AccessTokenClaims, allowed: readonly string[] | undefined): void {
  if (allowed === undefined || allowed.includes(client_id)) return
  throw new GuardError('client_not_allowed', { cause: { claim: 'client_id', received: client_id } })
}
