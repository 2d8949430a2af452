/** Token exchange: RFC 8693, SPEC 4.3 and 4.4, DECISIONS H. One authorization for all of its paths (SECURITY R-9). */

import { narrowedDetails } from '../../domain/access/authorization-details.ts'
import type { Client } from '../../domain/applications/clients.ts'
import type { ExchangeRule } from '../../domain/applications/exchange-policies.ts'
import { ssoGroupOf } from '../../domain/issued/device-secrets.ts'
import { signInExperience } from '../../domain/sign-in/experience.ts'
import { readHolder } from '../../domain/sign-in/identity.ts'
import type { Parameters } from '../../http/parameters.ts'
import { toNumericDate } from '../../kernel/clock.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { Refusal, type Unit } from '../../storage/unit-of-work.ts'
import type { AssertionAuthorization, ExchangeAuthorization } from '../../tokens/authorization.ts'
import { readPerson } from '../../tokens/claims/person.ts'
import { single } from '../endpoint.ts'
import { detailsOfToken } from '../token-details.ts'
import { actChain, actorOf, actorToken } from '../token-exchange/actor.ts'
import { assertMayAct, decideExchange } from '../token-exchange/decision.ts'
import { grantedByExchange } from '../token-exchange/granted.ts'
import { issueIdentityAssertion } from '../token-exchange/identity-assertion.ts'
import { authorizeByDevice, isNativeSso } from '../token-exchange/native-sso.ts'
import { isUsedByExchange, presentedSubject, refuseSubject } from '../token-exchange/subject.ts'
import { exchangeTarget, required } from '../token-exchange/target.ts'
import { ACCESS_TOKEN_TYPE, ID_JAG_TYPE, isSubjectTokenType } from '../token-exchange/token-types.ts'
import type { GrantRequest, RedeemingGrant } from './grant.ts'

/** Refusals because of the user, after the subject token was consumed: it stays consumed (DECISIONS H11). */
const spent = <T>(work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw error instanceof OAuthError ? new Refusal(error) : error
  }
}

/** The earlier of the two ends, as a numeric date; undefined: neither the subject token nor the rule sets one. */
const endOf = (subjectEnd: number | undefined, maxLifetime: number | undefined, now: Date): number | undefined => {
  if (maxLifetime === undefined) return subjectEnd
  const ruleEnd = toNumericDate(now) + maxLifetime
  return subjectEnd === undefined ? ruleEnd : Math.min(subjectEnd, ruleEnd)
}

/** For the audit entry: the row of the table that allowed the exchange. */
const policyFact = ({ source, name }: ExchangeRule): { readonly exchangePolicy?: string } =>
  source === 'exchangePolicies' ? { exchangePolicy: name } : {}

const assertTypes = (parameters: Parameters, subjectTokenType: string): void => {
  if (!isSubjectTokenType(subjectTokenType))
    throw new OAuthError('invalid_request', `subject_token_type must be ${ACCESS_TOKEN_TYPE}`)
  const requested = single(parameters, 'requested_token_type') ?? ACCESS_TOKEN_TYPE
  if (requested !== ACCESS_TOKEN_TYPE)
    throw new OAuthError('invalid_request', `requested_token_type must be ${ACCESS_TOKEN_TYPE}`)
  if (single(parameters, 'audience') !== undefined)
    throw new OAuthError('invalid_request', 'audience is not supported; resource names the API')
}

/** Why an application may not exchange tokens of users; undefined: it may. */
export const refuseExchange = ({ metadata, isThirdParty }: Client): string | undefined =>
  metadata.allowTokenExchange === true && !isThirdParty
    ? undefined
    : 'token exchange is not allowed for this application'

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange'

/**
 * Exchanges a token of a user for another, or for an identity assertion. Throws OAuthError. Does not check that the application may exchange
 * tokens.
 */
export const exchangeSubject = async (
  unit: Unit,
  request: GrantRequest,
): Promise<ExchangeAuthorization | AssertionAuthorization> => {
  const { client, store, tenant, parameters } = request
  if (single(parameters, 'requested_token_type') === ID_JAG_TYPE) return issueIdentityAssertion(unit, request)
  const value = required(parameters, 'subject_token')
  const type = required(parameters, 'subject_token_type')
  assertTypes(parameters, type)
  const actorValue = actorToken(parameters)
  const target = await exchangeTarget(request, type, actorValue !== undefined)
  const { audience, resource, organizationId } = target
  const { restrictExchangeToSubjectScope } = await signInExperience(store, tenant)
  const presented = { value, type, lifetime: audience?.accessTokenTtl ?? 0 }
  const { userId, prove } = await presentedSubject(unit, request, presented)
  // sent together, in this order: the user is read as of after the subject token was consumed
  const acting = actorValue === undefined ? undefined : actorOf(unit, request, actorValue)
  const proving = prove()
  // an exchange yields no claims about the user
  const question = { userId, scopes: [], client, resourceId: resource?.id, organizationId }
  const reading = readHolder(unit, tenant, question)
  const person = request.hasClaimsScript ? readPerson(unit.tx, tenant, { userId, organizationId }) : undefined
  for (const each of [acting, proving, reading, person]) if (each !== undefined) unit.send(each)
  // an invalid actor leaves the subject token as it was: nothing is committed
  const actor = await acting
  const subject = await proving
  request.note({ userId: subject.userId, actorUserId: actor, resource: resource?.indicator, ...subject.facts })
  // so does an exchange that is not allowed: whom the token is for can still use it
  const { indicator } = target
  const rule = decideExchange(client, { ...subject.origin, hasActor: actor !== undefined, target: indicator })
  assertMayAct(subject.mayAct, client, actor)
  const act = actChain(actor, subject.act)
  const holder = await reading
  const granted = spent(() => {
    if (holder?.user.id !== subject.userId || holder.user.is_suspended)
      throw refuseSubject('the user is deleted or suspended')
    const bounds = { subject: restrictExchangeToSubjectScope ? subject.limits : undefined, rule }
    return grantedByExchange(client, target, holder, bounds)
  })
  const text = single(parameters, 'authorization_details')
  // what the subject token has, or less; never for another API, whose details it cannot have
  const details = spent(() => narrowedDetails(subject.details ?? [], text))
  const endsBy = endOf(subject.expiresAt, rule.maxLifetime, request.now)
  return {
    kind: 'exchange',
    userId: subject.userId,
    client,
    resource: audience,
    subjectTokenId: subject.subjectTokenId,
    ...(organizationId === undefined ? {} : { organizationId }),
    ...granted,
    ...(await detailsOfToken(request, details, resource?.id)),
    why: `${target.why}: ${subject.kind}`,
    ...(act ? { act } : {}),
    ...(endsBy === undefined ? {} : { expiresAt: endsBy }),
    ...(person === undefined ? {} : { person }),
    issuedTokenType: ACCESS_TOKEN_TYPE,
    grantContext: { type: GRANT_TYPE, subjectTokenContext: subject.context ?? {} },
    facts: { ...subject.facts, actorUserId: actor, act, ...policyFact(rule) },
  }
}

export const tokenExchange: RedeemingGrant = {
  type: GRANT_TYPE,
  auditKey: 'ExchangeTokenBy.TokenExchange',
  parameters: [
    'subject_token',
    'subject_token_type',
    'actor_token',
    'actor_token_type',
    'resource',
    'scope',
    'authorization_details',
    'requested_token_type',
    'audience',
    'organization_id',
  ],
  // with a device secret, those of its group
  refuseClient: (client) => (ssoGroupOf(client) === undefined ? refuseExchange(client) : undefined),
  // an access token is not consumed
  contended: (parameters) => {
    const value = single(parameters, 'subject_token')
    return value !== undefined && isUsedByExchange(value) ? value : undefined
  },
  async redeem(unit, request) {
    if (isNativeSso(request.parameters)) return authorizeByDevice(unit, request)
    const refused = refuseExchange(request.client)
    if (refused !== undefined) throw new OAuthError('unauthorized_client', refused)
    return exchangeSubject(unit, request)
  },
}
