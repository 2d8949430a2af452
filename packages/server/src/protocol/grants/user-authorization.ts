/** What the grants of a user share: from scopes that were authorized to an Authorization (SPEC 2.2, 3). */
import { consentScopes } from '../../domain/consent-scopes.ts'
import { claimsOf, type Holder, readHolder } from '../../domain/identity.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { Authorization, UserGrant } from '../../tokens/authorization.ts'
import { isOidcScope } from '../oidc-scopes.ts'
import { grantHeldSince, withinConsent } from '../scope.ts'
import type { UserTokenTarget } from '../user-token-target.ts'
import type { GrantRequest } from './grant.ts'

interface Authorized {
  readonly userId: string
  /**
   * The user as read already, with what they hold for possibleResource; a grant that can find the user by what it redeems
   * sends the two statements together and saves a round trip. Left out: read here.
   */
  readonly holder?: Promise<Holder | undefined>
  readonly grant: UserGrant
  /** The scopes of this token: those of the authorization request, or fewer. */
  readonly scopes: readonly string[]
  /** Ids of the permissions that the user held at the authorization; null: it was not kept, and what they hold now counts. */
  readonly grantedScopeIds: readonly string[] | null
  readonly target: UserTokenTarget
  readonly refreshToken: string | undefined
}

/**
 * Concludes for a user: of the scopes, what a third-party application may still have and what the user held when they
 * authorized and still holds (DECISIONS G4, SECURITY R-13), and the identity when openid is among them. Throws
 * invalid_grant for a user who is gone or suspended. Does not ask whether the grant is alive and the client its own: who
 * redeemed it knows.
 */
export const authorizeUser = async (
  { tx }: Unit,
  { store, tenant, client }: GrantRequest,
  { userId, holder: reading, grant, scopes, grantedScopeIds, target: { resource, why }, refreshToken }: Authorized,
): Promise<Authorization> => {
  const holder = await (reading ?? readHolder(tx, tenant, userId, resource?.id))
  if (holder?.user.id !== userId || holder.user.is_suspended) {
    throw new OAuthError('invalid_grant', 'the user cannot get tokens', { reason: 'the user is gone or suspended' })
  }
  const limits = await consentScopes(store, tenant, client)
  const asked = withinConsent(scopes, limits, resource ? [resource.id] : [])
  const oidc = asked.scopes.filter(isOidcScope)
  const permissions = asked.scopes.filter((scope) => !isOidcScope(scope))
  const granted = resource
    ? grantHeldSince(permissions, holder.permissions, grantedScopeIds)
    : { scopes: oidc, dropped: [] }
  return {
    subject: { type: 'user', id: userId },
    client,
    resource,
    scopes: granted.scopes,
    dropped: [...asked.dropped, ...granted.dropped],
    why,
    grant,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(oidc.includes('openid') ? { identity: claimsOf(holder, oidc) } : {}),
  }
}
