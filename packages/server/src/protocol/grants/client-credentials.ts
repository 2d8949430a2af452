/** The client credentials grant: RFC 6749 section 4.4, SPEC 4.2. A machine acts for itself, or in an organization (E2). */
import { permissionsOfApplication } from '../../domain/access/access.ts'
import type { MachineAuthorization } from '../../tokens/authorization.ts'
import { single } from '../endpoint.ts'
import { audienceOf, machineTarget, requestedOrganization } from '../organization-token.ts'
import { resourceOrDefault } from '../resource-indicator.ts'
import { grantHeld, parseScope } from '../scope.ts'
import type { DirectGrant, GrantRequest } from './grant.ts'

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
  const why = resource
    ? 'a JWT for an API in an organization, because a resource and an organization were asked for'
    : 'a JWT for the organization, because it was asked for and no resource was'
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

export const clientCredentials: DirectGrant = {
  type: 'client_credentials',
  auditKey: 'ExchangeTokenBy.ClientCredentials',
  parameters: ['resource', 'scope', 'organization_id'],
  refuseClient: ({ type }) =>
    type === 'MachineToMachine' ? undefined : 'client_credentials is for applications of type MachineToMachine',
  async authorize(request) {
    const { store, tenant, client, parameters } = request
    const requested = parseScope(single(parameters, 'scope'))
    const organizationId = requestedOrganization(parameters)
    if (organizationId !== undefined) return inOrganization(request, organizationId, requested)
    const { resource, why } = await resourceOrDefault(store, tenant, parameters)
    const held = await permissionsOfApplication(store, tenant, client.id, resource.id)
    const { scopes, dropped } = grantHeld(requested, held)
    return { kind: 'machine', client, resource, scopes, dropped, why }
  },
}
