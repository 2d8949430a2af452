/**
 * The identity provider's side of the identity assertion authorization grant (draft-ietf-oauth-identity-assertion-authz-grant, DECISIONS
 * H14): an ID token of a user is exchanged for an assertion that another authorization server accepts.
 */
import { TOKEN_REASONS } from '@countersign/contract/token-reasons.ts'
import type { Client } from '../../domain/applications/clients.ts'
import { isLiveSession } from '../../domain/sessions/sessions.ts'
import { readHolder } from '../../domain/sign-in/identity.ts'
import { signingKeys } from '../../domain/tenants/signing-keys.ts'
import type { Parameters } from '../../http/parameters.ts'
import { toNumericDate } from '../../kernel/clock.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { AssertionAuthorization } from '../../tokens/authorization.ts'
import { readIdToken } from '../../tokens/id-token.ts'
import { single } from '../endpoint.ts'
import type { GrantRequest } from '../grants/grant.ts'
import { droppedFor, parseScope } from '../scope.ts'
import { assertMayDelegate, refuseSubject } from './subject.ts'
import { required } from './target.ts'
import { ID_JAG_TYPE, ID_TOKEN_TYPE } from './token-types.ts'

/** Parameters of other exchanges, which would promise what an assertion does not have. */
const OTHERS = ['actor_token', 'actor_token_type', 'organization_id', 'authorization_details']

const assertParameters = (parameters: Parameters): void => {
  if (required(parameters, 'subject_token_type') !== ID_TOKEN_TYPE)
    throw new OAuthError('invalid_request', `subject_token_type must be ${ID_TOKEN_TYPE} for an identity assertion`)
  const other = OTHERS.find((name) => single(parameters, name) !== undefined)
  if (other !== undefined) throw new OAuthError('invalid_request', `an identity assertion has no ${other}`)
}

/** What the setting of the application says of an audience, and what is asked for there. Throws invalid_target. */
const targetOf = ({ metadata }: Client, parameters: Parameters) => {
  const audience = required(parameters, 'audience')
  const allowed = metadata.identityAssertionAudiences?.find((each) => each.audience === audience)
  if (!allowed)
    throw new OAuthError('invalid_target', 'the application gets no identity assertions for this audience', {
      reason: 'identityAssertionAudiences of the application does not name the audience',
    })
  const resources = (parameters.get('resource') ?? []).filter((value) => value !== '')
  const isAllowed = resources.every((resource) => !allowed.resources || allowed.resources.includes(resource))
  if (!isAllowed || (allowed.resources && resources.length === 0))
    throw new OAuthError('invalid_target', 'resource must name APIs that the application may ask for there')
  const asked = [...new Set(parseScope(single(parameters, 'scope')))]
  const scopes = asked.filter((scope) => !allowed.scopes || allowed.scopes.includes(scope))
  const cut = asked.filter((scope) => !scopes.includes(scope))
  return {
    audience,
    clientIdThere: allowed.clientId,
    resources: [...new Set(resources)],
    scopes,
    dropped: droppedFor(TOKEN_REASONS.not_for_audience, cut),
  }
}

/** The claims of an ID token that this application got and that is still good. Throws invalid_grant. */
const identityOf = async ({ store, tenant, client, now }: GrantRequest, value: string) => {
  const claims = readIdToken(await signingKeys(store, tenant), tenant, value)
  if (!claims) throw refuseSubject('it is not an ID token of this server')
  const { sub, aud, exp, sid, auth_time, acr, amr } = claims
  if (aud !== client.id) throw refuseSubject('the ID token was issued to another application')
  if (typeof exp !== 'number' || exp <= toNumericDate(now)) throw refuseSubject('the ID token has expired')
  if (typeof sub !== 'string' || typeof sid !== 'string') throw refuseSubject('the ID token is of no session')
  return { userId: sub, sessionId: sid, signIn: { auth_time, acr, amr } }
}

/**
 * Concludes an identity assertion. Throws invalid_request, invalid_target, invalid_grant, access_denied; unauthorized_client for an
 * application that is public, or that knows its users by pairwise subjects, which an assertion would undo.
 */
export const issueIdentityAssertion = async (unit: Unit, request: GrantRequest): Promise<AssertionAuthorization> => {
  const { client, tenant, parameters } = request
  assertMayDelegate(client)
  if (client.sector !== undefined)
    throw new OAuthError('unauthorized_client', 'an application with pairwise subjects gets no identity assertions')
  const value = required(parameters, 'subject_token')
  assertParameters(parameters)
  const target = targetOf(client, parameters)
  const { userId, sessionId, signIn } = await identityOf(request, value)
  request.note({ userId, assertionAudience: target.audience })
  const question = { userId, scopes: [], client, resourceId: undefined, organizationId: undefined }
  const reading = readHolder(unit, tenant, question)
  const living = isLiveSession(unit, userId, sessionId)
  for (const each of [reading, living]) unit.send(each)
  const holder = await reading
  if (!holder || holder.user.is_suspended) throw refuseSubject('the user is deleted or suspended')
  if (!(await living)) throw refuseSubject('the session of the ID token has ended')
  if (!holder.isAdmitted) {
    const reason = 'the access rules of the application do not admit the user'
    throw new OAuthError('access_denied', 'the user may not use this application', { reason })
  }
  const { audience, clientIdThere: assertionClientId, resources: assertionResources } = target
  return {
    kind: 'assertion',
    ...{ userId, client, signIn, resource: undefined },
    ...target,
    why: TOKEN_REASONS.assertion,
    issuedTokenType: ID_JAG_TYPE,
    facts: { assertionAudience: audience, assertionClientId, assertionResources },
  }
}
