/** Token exchange: RFC 8693, SPEC 4.3 and 4.4, DECISIONS H. One authorization for all of its paths (SECURITY R-9). */

import { isOidcScope } from '../../domain/permissions/oidc-scopes.ts'
import { isOrganizationsResource } from '../../domain/permissions/reserved-names.ts'
import type { TargetResource } from '../../domain/permissions/resources.ts'
import { type Holder, readHolder } from '../../domain/sign-in/identity.ts'
import type { Parameters } from '../../http/parameters.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { Refusal } from '../../storage/unit-of-work.ts'
import { readPerson } from '../../tokens/claims/person.ts'
import { single } from '../endpoint.ts'
import { assertMember, audienceOf, heldBy, requestedOrganization } from '../organization-token.ts'
import { targetResource } from '../resource-indicator.ts'
import { droppedFor, grantHeld, parseScope } from '../scope.ts'
import { actChain, actorOf, actorToken } from '../token-exchange/actor.ts'
import { isUsedByExchange, presentedSubject, refuseSubject } from '../token-exchange/subject.ts'
import { ACCESS_TOKEN_TYPE, isSubjectTokenType } from '../token-exchange/token-types.ts'
import type { GrantRequest, RedeemingGrant } from './grant.ts'

const required = (parameters: Parameters, name: string): string => {
  const value = single(parameters, name)
  if (value === undefined) throw new OAuthError('invalid_request', `the parameter ${name} is missing`)
  return value
}

/** What is asked for, apart from the scopes of OpenID Connect. Throws invalid_request when no scope is named at all. */
const requestedScopes = (parameters: Parameters): { readonly requested: string[]; readonly oidc: string[] } => {
  const named = parseScope(required(parameters, 'scope'))
  if (named.length === 0) throw new OAuthError('invalid_request', 'the parameter scope is empty')
  return { requested: named.filter((scope) => !isOidcScope(scope)), oidc: named.filter(isOidcScope) }
}

interface Target {
  /** Undefined: the organization itself. */
  readonly resource: TargetResource | undefined
  readonly organizationId: string | undefined
}

/**
 * The one API that the token is for, or the organization. Throws invalid_request, invalid_target, access_denied; never the
 * Management API (DECISIONS H6).
 */
const targetOf = async ({ store, tenant, client, parameters }: GrantRequest): Promise<Target> => {
  const indicator = required(parameters, 'resource')
  const organizationId = requestedOrganization(parameters)
  const { exchangeTargetResources: allowed } = client.metadata
  if (allowed && !allowed.includes(indicator))
    throw new OAuthError('invalid_target', 'the application may not exchange tokens for this resource')
  if (organizationId !== undefined && isOrganizationsResource(indicator)) return { resource: undefined, organizationId }
  const resource = await targetResource(store, tenant, indicator)
  if (resource.isManagement)
    throw new OAuthError('invalid_target', 'tokens for the Management API cannot be exchanged for')
  return { resource, organizationId }
}

/** What the user holds for the target, now: their own permissions, and, in an organization, those of a member. */
const heldFor = (
  { resource, organizationId }: Target,
  holder: Holder,
  { client }: GrantRequest,
): ReadonlySet<string> => {
  const own: readonly string[] = resource ? [...holder.permissions.keys()] : []
  if (organizationId === undefined) return new Set(own)
  // nobody is here who could have used a second factor
  const membership = assertMember(holder.membership, client.isThirdParty)
  return new Set([...own, ...heldBy(membership, resource, undefined)])
}

/** Whatever is refused once the subject token was used up: it stays used up. */
const spent = <T>(work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw error instanceof OAuthError ? new Refusal(error) : error
  }
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

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange'

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
    'requested_token_type',
    'audience',
    'organization_id',
  ],
  refuseClient: ({ metadata, isThirdParty }) =>
    metadata.allowTokenExchange === true && !isThirdParty
      ? undefined
      : 'token exchange is not allowed for this application',
  // an access token is not used up
  contended: (parameters) => {
    const value = single(parameters, 'subject_token')
    return value !== undefined && isUsedByExchange(value) ? value : undefined
  },
  async redeem(unit, request) {
    const { client, tenant, parameters } = request
    const value = required(parameters, 'subject_token')
    const type = required(parameters, 'subject_token_type')
    assertTypes(parameters, type)
    const { requested, oidc } = requestedScopes(parameters)
    const actorValue = actorToken(parameters)
    const target = await targetOf(request)
    const { resource, organizationId } = target
    const { userId, prove } = await presentedSubject(unit, request, value, type)
    // sent together, in this order: what is read of the user is what it is after the subject token was used up
    const acting = actorValue === undefined ? undefined : actorOf(unit, request, actorValue)
    const proving = prove()
    const question = { userId, scopes: requested, client, resourceId: resource?.id, organizationId }
    const reading = readHolder(unit.tx, tenant, question)
    const person = request.hasClaimsScript ? readPerson(unit.tx, tenant, { userId, organizationId }) : undefined
    for (const each of [acting, proving, reading, person]) if (each !== undefined) unit.send(each)
    // an actor that is none leaves the subject token as it was: nothing is committed
    const actor = await acting
    const subject = await proving
    request.note({ userId: subject.userId, actorUserId: actor, resource: resource?.indicator, ...subject.facts })
    const act = actChain(actor, subject.act)
    const holder = await reading
    const held = spent(() => {
      if (holder?.user.id !== subject.userId || holder.user.is_suspended)
        throw refuseSubject('the user is gone or suspended')
      if (!holder.isAdmitted) {
        const reason = 'the access control of the application does not admit the user'
        throw new OAuthError('access_denied', 'the user may not use this application', { reason })
      }
      return heldFor(target, holder, request)
    })
    const granted = grantHeld(requested, held)
    return {
      subject: { type: 'user', id: subject.userId },
      client,
      resource: resource ?? (organizationId === undefined ? undefined : audienceOf(organizationId)),
      ...(organizationId === undefined ? {} : { organizationId }),
      scopes: granted.scopes,
      dropped: [...droppedFor('an exchanged token has no scopes of OpenID Connect', oidc), ...granted.dropped],
      why: `a JWT by token exchange: ${subject.kind}`,
      ...(act ? { act } : {}),
      ...(subject.expiresAt === undefined ? {} : { expiresAt: subject.expiresAt }),
      ...(person === undefined ? {} : { person }),
      issuedTokenType: ACCESS_TOKEN_TYPE,
      ...(subject.context ? { grantContext: { type: GRANT_TYPE, subjectTokenContext: subject.context } } : {}),
      facts: { ...subject.facts, actorUserId: actor, act },
    }
  },
}
