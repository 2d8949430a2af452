/** The client credentials grant: RFC 6749 section 4.4, SPEC 4.2. A machine acts for itself, or in an organization (E2). */
import { TOKEN_REASONS } from '@countersign/contract/token-reasons.ts'
import { permissionsOfApplication } from '../../domain/access/access.ts'
import { askedDetails } from '../../domain/access/authorization-details.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { MachineAuthorization } from '../../tokens/authorization.ts'
import { single } from '../endpoint.ts'
import { audienceOf, machineTarget, requestedOrganization } from '../organization-token.ts'
import { requestedResource, resourceOrDefault } from '../resource-indicator.ts'
import { grantHeld, parseScope } from '../scope.ts'
import { refuseOtherApi } from '../token-details.ts'
import type { DirectGrant, GrantRequest } from './grant.ts'
import { receiverAuthorization } from './receiver-token.ts'

/** With the permissions of its roles in the organization; for an API, with those of its other roles too. */
const inOrganization = async (
  request: GrantRequest,
  organizationId: string,
  requested: readonly string[],
): Promise<MachineAuthorization> => {
  const { store, tenant, client } = request
  const { resource, held } = await machineTarget(request, organizationId)
  const global = resource ? await permissionsOfApplication(store, tenant, client.id, resource.id) : new Set<string>()
  const { scopes, dropped } = grantHeld(requested, { has: (scope) => held.has(scope) || global.has(scope) })
  const why = resource ? TOKEN_REASONS.jwt_organization_resource : TOKEN_REASONS.jwt_organization
  const audience = resource ?? audienceOf(organizationId)
  return {
    kind: 'machine',
    client,
    resource: audience,
    organizationId,
    scopes,
    dropped,
    why,
  }
}

/** For an API or an organization, without authorization details. */
const conclude = async (request: GrantRequest): Promise<MachineAuthorization> => {
  const { store, tenant, client, parameters } = request
  const requested = parseScope(single(parameters, 'scope'))
  const organizationId = requestedOrganization(parameters)
  if (organizationId !== undefined) return inOrganization(request, organizationId, requested)
  const { resource, why } = await resourceOrDefault(store, tenant, parameters)
  const held = await permissionsOfApplication(store, tenant, client.id, resource.id)
  const { scopes, dropped } = grantHeld(requested, held)
  return { kind: 'machine', client, resource, scopes, dropped, why }
}

/**
 * With authorization details (RFC 9396 section 6), which also say for which API the token is, if no resource does. No user approves
 * them: the application may have every detail of its types (DECISIONS X2). @param text the parameter
 */
const withDetails = async (request: GrantRequest, text: string): Promise<MachineAuthorization> => {
  const { store, tenant, client, parameters } = request
  const { details, indicators } = await askedDetails(store, tenant, client, text)
  const [only, ...more] = indicators
  const isNamed = requestedResource(parameters) !== undefined
  if (!isNamed && more.length > 0)
    throw new OAuthError(
      'invalid_target',
      'authorization_details are for several APIs; resource names the one of the token',
    )
  const named = isNamed || only === undefined ? parameters : new Map([...parameters, ['resource', [only]]])
  const authorization = await conclude({ ...request, parameters: named })
  if (indicators.some((indicator) => indicator !== authorization.resource.indicator)) throw refuseOtherApi()
  return details.length > 0 ? { ...authorization, details } : authorization
}

const FOR_MACHINES = 'client_credentials is for applications of type MachineToMachine'
const FOR_RECEIVERS = `${FOR_MACHINES}; a receiver of Shared Signals gets tokens for that alone`

export const clientCredentials: DirectGrant = {
  type: 'client_credentials',
  auditKey: 'ExchangeTokenBy.ClientCredentials',
  parameters: ['resource', 'authorization_details', 'scope', 'organization_id'],
  refuseClient: ({ type, metadata }) =>
    type === 'MachineToMachine' || metadata.sharedSignals ? undefined : FOR_MACHINES,
  authorize(request) {
    const { client } = request
    const ofReceiver = client.metadata.sharedSignals && receiverAuthorization(request)
    if (ofReceiver) return Promise.resolve(ofReceiver)
    if (client.type !== 'MachineToMachine') throw new OAuthError('unauthorized_client', FOR_RECEIVERS)
    const text = single(request.parameters, 'authorization_details')
    return text === undefined ? conclude(request) : withDetails(request, text)
  },
}
