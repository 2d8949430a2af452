/** The JWT bearer grant: RFC 7523 section 2.1, for identity assertions of the identity providers of companies (ID-JAG, DECISIONS H14). */
import { TOKEN_REASONS } from '@countersign/contract/token-reasons.ts'
import { useAssertionIn } from '../../domain/applications/client-assertions.ts'
import { findDefaultResource, type TargetResource } from '../../domain/permissions/resources.ts'
import { readHolder } from '../../domain/sign-in/identity.ts'
import { findUserBySsoIdentity } from '../../domain/users/sso-identities.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { single } from '../endpoint.ts'
import { fetchIssuerKeys, type ProvedIdentity, proveIdentity, refuseIdentity } from '../identity-assertion.ts'
import { requestedResource, targetResource } from '../resource-indicator.ts'
import { droppedFor, parseScope } from '../scope.ts'
import { grantedByExchange } from '../token-exchange/granted.ts'
import { required } from '../token-exchange/target.ts'
import type { GrantRequest, RedeemingGrant } from './grant.ts'

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The API that the token is for: the named one, else that of the assertion, else the default one. Throws invalid_target. */
const resourceOf = async (
  { store, tenant, parameters }: GrantRequest,
  { resources }: ProvedIdentity,
): Promise<TargetResource> => {
  const named = requestedResource(parameters) ?? (resources?.length === 1 ? resources[0] : undefined)
  const found =
    named === undefined ? await findDefaultResource(store, tenant) : await targetResource(store, tenant, named)
  if (!found) throw new OAuthError('invalid_target', 'resource is missing, and there is no default API')
  if (found.isManagement)
    throw new OAuthError('invalid_target', 'tokens for the Management API cannot be obtained by an assertion')
  if (resources && !resources.includes(found.indicator) && !(named !== undefined && resources.includes(named)))
    throw new OAuthError('invalid_target', 'resource is not one that the assertion is for')
  return found
}

/** The requested scopes within those of the assertion; all of these, if none are requested. */
const scopesIn = ({ parameters }: GrantRequest, { scopes: asserted }: ProvedIdentity) => {
  const requested = single(parameters, 'scope')
  const asked = requested === undefined ? (asserted ?? []) : parseScope(requested)
  const cut = asserted ? asked.filter((scope) => !asserted.includes(scope)) : []
  const requestable = asked.filter((scope) => !cut.includes(scope))
  return { requestable, cut: droppedFor(TOKEN_REASONS.not_in_assertion, cut) }
}

export const jwtBearer: RedeemingGrant = {
  type: GRANT_TYPE,
  auditKey: 'ExchangeTokenBy.JwtBearer',
  parameters: ['assertion', 'resource', 'scope'],
  refuseClient: ({ isConfidential, isThirdParty, metadata }) =>
    isConfidential && !isThirdParty && (metadata.identityAssertionConnectors ?? []).length > 0
      ? undefined
      : 'the application may bring no identity assertions',
  contended: (parameters) => single(parameters, 'assertion'),
  fetchAhead: (request) => fetchIssuerKeys(request, required(request.parameters, 'assertion')),
  async redeem(unit, request) {
    const { client, tenant, note } = request
    const proved = await proveIdentity(request, required(request.parameters, 'assertion'))
    note(proved.facts)
    const resource = await resourceOf(request, proved)
    const { requestable, cut } = scopesIn(request, proved)
    // one use; whoever comes with the same assertion meanwhile waits for how this one ends
    if (!(await useAssertionIn(unit, client.id, proved.id, proved.until)))
      throw refuseIdentity('the assertion was used before')
    const linked = await findUserBySsoIdentity(unit.tx, tenant.id, proved)
    const question = { scopes: [], client, resourceId: resource.id, organizationId: undefined }
    const holder = linked && (await readHolder(unit, tenant, { ...question, userId: linked.id }))
    if (!holder) throw refuseIdentity('no user has this account at the connector')
    note({ userId: holder.user.id, resource: resource.indicator })
    if (holder.user.is_suspended) throw refuseIdentity('the user is suspended')
    const target = {
      ...{ indicator: resource.indicator, audience: resource, resource, organizationId: undefined },
      ...{ requested: requestable, oidc: [], why: '' },
    }
    const rule = { name: 'any' }
    const { scopes, dropped } = grantedByExchange(client, target, holder, { subject: undefined, rule })
    return {
      kind: 'exchange',
      ...{ userId: holder.user.id, client, resource, subjectTokenId: undefined, scopes },
      dropped: [...cut, ...dropped],
      why: TOKEN_REASONS.jwt_assertion,
      grantContext: { type: GRANT_TYPE, subjectTokenContext: {} },
      facts: proved.facts,
    }
  },
}
