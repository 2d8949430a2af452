/** Token exchange: RFC 8693, SPEC 4.3 and 4.4, DECISIONS H. One authorization for all of its paths (SECURITY R-9). */

import { narrowedDetails } from '../../domain/access/authorization-details.ts'
import { signInExperience } from '../../domain/sign-in/experience.ts'
import { type Holder, readHolder } from '../../domain/sign-in/identity.ts'
import type { Parameters } from '../../http/parameters.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { Refusal } from '../../storage/unit-of-work.ts'
import type { DroppedScope } from '../../tokens/authorization.ts'
import { readPerson } from '../../tokens/claims/person.ts'
import { single } from '../endpoint.ts'
import { assertMember, heldBy } from '../organization-token.ts'
import { droppedFor, grantHeld } from '../scope.ts'
import { detailsOfToken } from '../token-details.ts'
import { actChain, actorOf, actorToken } from '../token-exchange/actor.ts'
import { type ExchangeSubject, isUsedByExchange, presentedSubject, refuseSubject } from '../token-exchange/subject.ts'
import { type ExchangeTarget, exchangeTarget, required } from '../token-exchange/target.ts'
import { ACCESS_TOKEN_TYPE, isSubjectTokenType } from '../token-exchange/token-types.ts'
import type { GrantRequest, RedeemingGrant } from './grant.ts'

/** What the user holds for the target now: their own permissions and, in an organization, those of a member. */
const heldFor = (
  { resource, organizationId }: ExchangeTarget,
  holder: Holder,
  { client }: GrantRequest,
): ReadonlySet<string> => {
  const own: readonly string[] = resource ? [...holder.permissions.keys()] : []
  if (organizationId === undefined) return new Set(own)
  // no user is present who could use a second factor
  const membership = assertMember(holder.membership, client.isThirdParty)
  return new Set([...own, ...heldBy(membership, resource, undefined)])
}

interface Granted {
  readonly scopes: readonly string[]
  readonly dropped: readonly DroppedScope[]
}

/** Which of the requested permissions are granted: an opaque token has none, only scopes for userinfo. */
const grantFor = ({ audience, requested, oidc }: ExchangeTarget, held: ReadonlySet<string>): Granted => {
  if (audience) {
    const granted = grantHeld(requested, held)
    const dropped = [...droppedFor('an exchanged token has no OpenID Connect scopes', oidc), ...granted.dropped]
    return { scopes: granted.scopes, dropped }
  }
  const scopes = oidc.filter((scope) => scope !== 'offline_access')
  const dropped = [...requested, ...oidc.filter((scope) => scope === 'offline_access')]
  return { scopes, dropped: droppedFor('the token is opaque, for userinfo, and cannot be refreshed', dropped) }
}

/** The same in a tenant where a token exchanged for an access token may not have scope names that the latter lacks. */
const withinSubject = ({ limits }: ExchangeSubject, { organizationId }: ExchangeTarget, granted: Granted): Granted => {
  if (!limits) return granted
  const allowed = limits.organizationId === organizationId ? limits.scopes : []
  const dropped = droppedFor(
    'the subject token does not have it, and the tenant restricts exchanges to its scopes',
    granted.scopes.filter((scope) => !allowed.includes(scope)),
  )
  return {
    scopes: granted.scopes.filter((scope) => allowed.includes(scope)),
    dropped: [...granted.dropped, ...dropped],
  }
}

/** Refusals after the subject token was consumed: it stays consumed. */
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
    'authorization_details',
    'requested_token_type',
    'audience',
    'organization_id',
  ],
  refuseClient: ({ metadata, isThirdParty }) =>
    metadata.allowTokenExchange === true && !isThirdParty
      ? undefined
      : 'token exchange is not allowed for this application',
  // an access token is not consumed
  contended: (parameters) => {
    const value = single(parameters, 'subject_token')
    return value !== undefined && isUsedByExchange(value) ? value : undefined
  },
  async redeem(unit, request) {
    const { client, store, tenant, parameters } = request
    const value = required(parameters, 'subject_token')
    const type = required(parameters, 'subject_token_type')
    assertTypes(parameters, type)
    const target = await exchangeTarget(request, type)
    const actorValue = actorToken(parameters)
    const { audience, resource, organizationId } = target
    if (actorValue !== undefined && !audience)
      throw new OAuthError('invalid_request', 'the parameter resource is missing: only a JWT says who acts')
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
    const act = actChain(actor, subject.act)
    const holder = await reading
    const held = spent(() => {
      if (holder?.user.id !== subject.userId || holder.user.is_suspended)
        throw refuseSubject('the user is deleted or suspended')
      if (!holder.isAdmitted) {
        const reason = 'the access rules of the application do not admit the user'
        throw new OAuthError('access_denied', 'the user may not use this application', { reason })
      }
      return heldFor(target, holder, request)
    })
    const all = grantFor(target, held)
    const text = single(parameters, 'authorization_details')
    // what the subject token has, or less; never for another API, whose details it cannot have
    const details = spent(() => narrowedDetails(subject.details ?? [], text))
    const granted = restrictExchangeToSubjectScope ? withinSubject(subject, target, all) : all
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
      ...(subject.expiresAt === undefined ? {} : { expiresAt: subject.expiresAt }),
      ...(person === undefined ? {} : { person }),
      issuedTokenType: ACCESS_TOKEN_TYPE,
      grantContext: { type: GRANT_TYPE, subjectTokenContext: subject.context ?? {} },
      facts: { ...subject.facts, actorUserId: actor, act },
    }
  },
}
