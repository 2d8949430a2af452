/**
 * What a grant reads of the user: their row comes with what is redeemed, and what they hold is read beside it only where claims
 * or permissions need it, which for other requests would be most of the work.
 */
import type { Client } from '../../domain/applications/clients.ts'
import { claimsNeedHolder, type Holder, holderOfNothing, readHolder } from '../../domain/sign-in/identity.ts'
import { scopesOfNamed } from '../../domain/sign-in/requested-claims.ts'
import type { UserFinder } from '../../domain/users/finder.ts'
import type { JoinedUser } from '../../domain/users/joined-user.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { UserTokenTarget } from '../user-token-target.ts'

/** Applications whose users authorized claims beyond their own row, as far as this process has seen. */
const withHolder = new WeakSet<Client>()

interface Question {
  readonly client: Client
  readonly resourceId: string | undefined
  readonly organizationId: string | undefined
}

/** What was redeemed, with the user's own row. */
interface Redeemed {
  readonly user: JoinedUser
  readonly scopes: readonly string[]
  /** Claims that the request named one by one. */
  readonly claims?: readonly string[] | null
  readonly target: UserTokenTarget
}

/**
 * Begins to read what the user holds, if the request is known to need it; to be called after the statement that redeems was
 * sent, so that the user is read as of after it. Returns how to get the holder once it is known what was redeemed.
 */
export const beginReading = (
  unit: Unit,
  finder: UserFinder,
  question: Question,
): ((redeemed: Redeemed) => Promise<Holder | undefined>) => {
  const { client, resourceId, organizationId } = question
  const isMore = resourceId !== undefined || organizationId !== undefined || client.hasAccessControl
  const reading =
    isMore || withHolder.has(client) ? readHolder(unit, unit.tenant, { ...question, userId: finder }) : undefined
  if (reading !== undefined) unit.send(reading)
  return ({ user, scopes, claims = null, target }) => {
    const beyond = scopesOfNamed(claims)
    // authorization details can name an API that the token request did not
    const isForeseen = target.resource === undefined || target.resource.id === resourceId
    const about = isForeseen ? question : { ...question, resourceId: target.resource.id }
    // the reading that was begun knows the scopes only
    if (claimsNeedHolder(beyond))
      return readHolder(unit, unit.tenant, { ...about, userId: user.id, scopes: [...scopes, ...beyond] })
    if (claimsNeedHolder(scopes)) withHolder.add(client)
    if (reading !== undefined && isForeseen) return reading
    return withHolder.has(client) || target.resource
      ? readHolder(unit, unit.tenant, { ...about, userId: user.id, scopes })
      : Promise.resolve(holderOfNothing(user))
  }
}
