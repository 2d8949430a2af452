/**
 * The actor of an exchange (SPEC 4.3, DECISIONS H5): a user, identified by their access token with the scope openid.
 */
import { findClient } from '../../domain/applications/clients.ts'
import { opaqueTokenIn } from '../../domain/issued/opaque-access-tokens.ts'
import type { Parameters } from '../../http/parameters.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { Actor } from '../../tokens/authorization.ts'
import { single } from '../endpoint.ts'
import type { GrantRequest } from '../grants/grant.ts'
import { refuseHolder } from '../sender-constraint.ts'
import { ACCESS_TOKEN_TYPE } from './token-types.ts'

/** DECISIONS H5. */
const DEEPEST_CHAIN = 5

const refuse = (reason: string): OAuthError =>
  new OAuthError('invalid_grant', 'the actor token is not valid for this request', { reason })

/** The value of `actor_token`, if there is one. Throws invalid_request unless both parameters come, or neither. */
export const actorToken = (parameters: Parameters): string | undefined => {
  const value = single(parameters, 'actor_token')
  const type = single(parameters, 'actor_token_type')
  if (value === undefined && type === undefined) return undefined
  if (value === undefined) throw new OAuthError('invalid_request', 'the parameter actor_token is missing')
  if (type === undefined) throw new OAuthError('invalid_request', 'the parameter actor_token_type is missing')
  if (type !== ACCESS_TOKEN_TYPE)
    throw new OAuthError('invalid_request', `actor_token_type must be ${ACCESS_TOKEN_TYPE}`)
  return value
}

/**
 * The id of the user who acts. Throws invalid_grant for a token that is not a live one of an active user, with openid, and for
 * one of a third-party application: otherwise any application that the user once signed in to could name them as the
 * actor.
 */
export const actorOf = async (
  unit: Unit,
  { store, tenant, confirmation }: GrantRequest,
  value: string,
): Promise<string> => {
  // a JWT is for an API and never has openid
  const token = await opaqueTokenIn(unit, value)
  if (!token) throw refuse('it is not a live opaque access token of an active user')
  const unproved = refuseHolder(token, confirmation)
  if (unproved !== undefined) throw refuse(unproved)
  if (!token.scopes.includes('openid')) throw refuse('it lacks the scope openid')
  const issuedTo = await findClient(store, tenant, token.applicationId)
  if (!issuedTo || issuedTo.isThirdParty) throw refuse('it was issued to a third-party application')
  return token.userId
}

const depthOf = (act: Actor | undefined): number => (act ? 1 + depthOf(act.act) : 0)

/**
 * The `act` of the new token: the actor followed by earlier actors, or only the earlier ones. Throws invalid_grant when
 * the chain would be longer than five.
 */
export const actChain = (actorId: string | undefined, before: Actor | undefined): Actor | undefined => {
  const chain = actorId === undefined ? before : { sub: actorId, ...(before ? { act: before } : {}) }
  if (depthOf(chain) > DEEPEST_CHAIN) throw refuse(`the chain of actors is longer than ${DEEPEST_CHAIN}`)
  return chain
}
