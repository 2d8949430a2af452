/** Token exchange: RFC 8693, SPEC 4.3 and 4.4, DECISIONS H. One authorization for all of its paths (SECURITY R-9). */
import { readHolder } from '../../domain/identity.ts'
import type { TargetResource } from '../../domain/resources.ts'
import type { Parameters } from '../../http/parameters.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { Refusal } from '../../storage/unit-of-work.ts'
import { single } from '../endpoint.ts'
import { isOidcScope } from '../oidc-scopes.ts'
import { targetResource } from '../resource-indicator.ts'
import { grantHeld, parseScope } from '../scope.ts'
import { actChain, actorOf, actorToken } from '../token-exchange/actor.ts'
import { exchangeSubject, refuseSubject } from '../token-exchange/subject.ts'
import { ACCESS_TOKEN_TYPE, isSubjectTokenType } from '../token-exchange/token-types.ts'
import type { GrantRequest, RedeemingGrant } from './grant.ts'

const required = (parameters: Parameters, name: string): string => {
  const value = single(parameters, name)
  if (value === undefined) throw new OAuthError('invalid_request', `the parameter ${name} is missing`)
  return value
}

/** The one API that the token is for. Throws invalid_request and invalid_target; never the Management API (DECISIONS H6). */
const targetOf = async ({ store, tenant, client, parameters }: GrantRequest): Promise<TargetResource> => {
  const resource = await targetResource(store, tenant, required(parameters, 'resource'))
  if (resource.isManagement)
    throw new OAuthError('invalid_target', 'tokens for the Management API cannot be exchanged for')
  const { exchangeTargetResources: allowed } = client.metadata
  if (allowed && !allowed.includes(resource.indicator))
    throw new OAuthError('invalid_target', 'the application may not exchange tokens for this resource')
  return resource
}

const assertTypes = (parameters: Parameters, subjectTokenType: string): void => {
  if (!isSubjectTokenType(subjectTokenType))
    throw new OAuthError('invalid_request', `subject_token_type must be ${ACCESS_TOKEN_TYPE}`)
  const requested = single(parameters, 'requested_token_type') ?? ACCESS_TOKEN_TYPE
  if (requested !== ACCESS_TOKEN_TYPE)
    throw new OAuthError('invalid_request', `requested_token_type must be ${ACCESS_TOKEN_TYPE}`)
  if (single(parameters, 'audience') !== undefined)
    throw new OAuthError('invalid_request', 'audience is not supported; resource names the API')
}

export const tokenExchange: RedeemingGrant = {
  type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  auditKey: 'ExchangeTokenBy.TokenExchange',
  parameters: [
    'subject_token',
    'subject_token_type',
    'actor_token',
    'actor_token_type',
    'resource',
    'scope',
    'requested_token_type',
    'audience',
  ],
  refuseClient: ({ metadata, isThirdParty }) =>
    metadata.allowTokenExchange === true && !isThirdParty
      ? undefined
      : 'token exchange is not allowed for this application',
  async redeem(unit, request) {
    const { client, tenant, parameters } = request
    const value = required(parameters, 'subject_token')
    const type = required(parameters, 'subject_token_type')
    assertTypes(parameters, type)
    const requested = parseScope(required(parameters, 'scope')).filter((scope) => !isOidcScope(scope))
    const actorValue = actorToken(parameters)
    const resource = await targetOf(request)
    const actor = actorValue === undefined ? undefined : await actorOf(unit, actorValue)
    const subject = await exchangeSubject(unit, request, value, type)
    const act = actChain(actor, subject.act)
    const holder = await readHolder(unit.tx, tenant, {
      userId: subject.userId,
      scopes: requested,
      client,
      resourceId: resource.id,
    })
    // what was used up stays used up
    if (!holder || holder.user.is_suspended) throw new Refusal(refuseSubject('the user is gone or suspended'))
    return {
      subject: { type: 'user', id: subject.userId },
      client,
      resource,
      ...grantHeld(requested, holder.permissions),
      why: `a JWT by token exchange: ${subject.kind}`,
      ...(act ? { act } : {}),
      issuedTokenType: ACCESS_TOKEN_TYPE,
      facts: { ...subject.facts, actorUserId: actor, act },
    }
  },
}
