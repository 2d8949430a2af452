/** What the grants of a user share: from scopes that were authorized to an Authorization (SPEC 2.2, 3). */
import { permissionsOfUser } from '../../domain/access.ts'
import { identityOf } from '../../domain/identity.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { Authorization, UserGrant } from '../../tokens/authorization.ts'
import { isOidcScope } from '../oidc-scopes.ts'
import { grantHeld } from '../scope.ts'
import type { UserTokenTarget } from '../user-token-target.ts'
import type { GrantRequest } from './grant.ts'

interface Authorized {
  readonly userId: string
  readonly grant: UserGrant
  /** The scopes of this token: those of the authorization request, or fewer. */
  readonly scopes: readonly string[]
  readonly target: UserTokenTarget
  readonly refreshToken: string | undefined
}

/** Concludes for a user: the permissions held now, and the identity when openid is among the scopes. */
export const authorizeUser = async (
  { tx }: Unit,
  { tenant, client }: GrantRequest,
  { userId, grant, scopes, target: { resource, why }, refreshToken }: Authorized,
): Promise<Authorization> => {
  const oidc = scopes.filter(isOidcScope)
  const [permissions, identity] = await Promise.all([
    resource && permissionsOfUser(tx, tenant, userId, resource.id),
    scopes.includes('openid') ? identityOf(tx, tenant, userId, oidc) : undefined,
  ])
  const asked = scopes.filter((scope) => !isOidcScope(scope))
  const granted = permissions ? grantHeld(asked, permissions) : { scopes: oidc, dropped: [] }
  return {
    subject: { type: 'user', id: userId },
    client,
    resource,
    ...granted,
    why,
    grant,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(identity ? { identity } : {}),
  }
}
