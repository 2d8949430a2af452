/** The refresh token grant: RFC 6749 section 6, RFC 9700 section 4.14, DECISIONS G4. */

import { narrowedDetails, storedDetails } from '../../domain/access/authorization-details.ts'
import type { Confirmation } from '../../domain/issued/confirmation.ts'
import {
  type Family,
  lockFamily,
  mayRetry,
  type Refreshed,
  type RefreshToken,
  readRefreshToken,
  refreshTokenValue,
  revokeFamily,
  rotateFamily,
  userOfFamily,
} from '../../domain/issued/refresh-families.ts'
import { endsWithSession } from '../../domain/sessions/session-of-grant.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { Refusal, type Unit } from '../../storage/unit-of-work.ts'
import { single } from '../endpoint.ts'
import { requestedOrganization } from '../organization-token.ts'
import { parseScope } from '../scope.ts'
import { refuseHolder } from '../sender-constraint.ts'
import { possibleResource, userTokenTarget } from '../user-token-target.ts'
import type { GrantRequest, RedeemingGrant } from './grant.ts'
import { beginReading } from './holder-reading.ts'
import { refreshLifetime, rotates, slides } from './refresh-policy.ts'
import { authorizeUser } from './user-authorization.ts'

const refuse = (reason: string) =>
  new OAuthError('invalid_grant', 'the refresh token is not valid for this request', { reason })

/** Throws invalid_grant without what the tokens are bound to: the token is not used up then, whoever sent it. */
const assertHolder = (family: Family, confirmation: Confirmation | undefined): void => {
  const reason = refuseHolder(family, confirmation)
  if (reason !== undefined) throw refuse(reason)
}

/**
 * A token that is not of the current generation: within the time for retries it gets the same successor as before;
 * later it counts as stolen, and the family is revoked. What counts is when the request arrived, not how long it waited
 * for its turn.
 */
const answerReuse = async (
  unit: Unit,
  token: RefreshToken,
  { client, now: askedAt, confirmation }: GrantRequest,
): Promise<Refreshed> => {
  const family = await lockFamily(unit, token.familyId)
  if (!family || family.application_id !== client.id) throw refuse('there is no such family, or it has expired')
  assertHolder(family, confirmation)
  if (mayRetry(family, token, askedAt)) {
    const successor = { ...token, generation: token.generation + 1 }
    return { family, token: refreshTokenValue(unit.vault, unit.tenant.id, successor) }
  }
  if (token.generation >= family.generation) throw refuse('the token is of a generation that was not issued')
  await revokeFamily(unit, family)
  throw new Refusal(refuse('the token was used before; its family is revoked'))
}

/** The family and the token that its owner holds from now on. */
const use = async (unit: Unit, token: RefreshToken, value: string, request: GrantRequest): Promise<Refreshed> => {
  const { client } = request
  if (!rotates(client)) {
    const family = await lockFamily(unit, token.familyId)
    if (family && family.generation === token.generation) return { family, token: value }
    return answerReuse(unit, token, request)
  }
  const until = slides(client) ? secondsAfter(unit.now, refreshLifetime(client)) : undefined
  return (await rotateFamily(unit, token, until)) ?? answerReuse(unit, token, request)
}

/** The scopes of this token: all of the family's, or the requested part (RFC 6749 section 6). */
const narrowed = ({ scopes }: Family, asked: string | undefined): readonly string[] => {
  if (asked === undefined) return scopes
  const wanted = parseScope(asked)
  if (wanted.some((scope) => !scopes.includes(scope))) {
    throw new OAuthError('invalid_scope', 'scope asks for more than was authorized')
  }
  return wanted
}

export const refreshToken: RedeemingGrant = {
  type: 'refresh_token',
  auditKey: 'ExchangeTokenBy.RefreshToken',
  parameters: ['refresh_token', 'resource', 'authorization_details', 'scope', 'organization_id'],
  refuseClient: ({ type }) =>
    type === 'MachineToMachine' ? 'machine-to-machine applications have no refresh tokens' : undefined,
  // every generation of a family is one row: the token begins with its id
  contended: (parameters) => single(parameters, 'refresh_token')?.split('.', 1)[0],
  async redeem(unit, request) {
    const { client, parameters, tenant } = request
    const value = single(parameters, 'refresh_token')
    if (value === undefined) throw new OAuthError('invalid_request', 'the parameter refresh_token is missing')
    const token = readRefreshToken(unit.vault, tenant.id, value)
    if (!token) throw refuse('it is not a refresh token of this tenant')
    const organizationId = requestedOrganization(parameters)
    const resource = await possibleResource(request)
    // sent together, in this order: the user is read as of after the token was used
    const using = use(unit, token, value, request)
    const holderOf = beginReading(unit, userOfFamily(token), { client, resourceId: resource?.id, organizationId })
    const { family, token: next } = await using
    if (family.application_id !== client.id) throw refuse('the token was issued to another client')
    assertHolder(family, request.confirmation)
    const { user } = family
    if (user.is_suspended) throw refuse('the user is suspended')
    const scopes = narrowed(family, single(parameters, 'scope'))
    const grant = {
      id: family.grant_id,
      sessionId: family.session_id,
      endsWithSession: endsWithSession(family.scopes),
      authenticatedAt: family.authenticated_at,
      amr: family.amr,
      nonce: null,
      claims: family.claims,
      isManaged: family.is_managed,
    }
    const details = narrowedDetails(
      storedDetails(family.authorization_details),
      single(parameters, 'authorization_details'),
    )
    const authorized = { resources: family.resources, scopes: family.scopes, asked: scopes, organizationId, details }
    const target = await userTokenTarget(request, authorized)
    return authorizeUser(unit, request, {
      userId: user.id,
      holder: holderOf({ user, scopes: family.scopes, claims: family.claims, target }),
      grant,
      scopes,
      grantedScopeIds: family.granted_scope_ids,
      consentedIds: family.consented_ids,
      target,
      details,
      refreshToken: next,
    })
  },
}
