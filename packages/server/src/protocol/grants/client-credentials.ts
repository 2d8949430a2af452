/** The client credentials grant: RFC 6749 section 4.4, SPEC 4.2. A machine acts for itself. */
import { permissionsOfApplication } from '../../domain/access.ts'
import { single } from '../endpoint.ts'
import { resourceOrDefault } from '../resource-indicator.ts'
import { grantHeld, parseScope } from '../scope.ts'
import type { DirectGrant } from './grant.ts'

export const clientCredentials: DirectGrant = {
  type: 'client_credentials',
  auditKey: 'ExchangeTokenBy.ClientCredentials',
  parameters: ['resource', 'scope'],
  refuseClient: ({ type }) =>
    type === 'MachineToMachine' ? undefined : 'client_credentials is for applications of type MachineToMachine',
  async authorize({ store, tenant, client, parameters }) {
    const requested = parseScope(single(parameters, 'scope'))
    const { resource, why } = await resourceOrDefault(store, tenant, parameters)
    const held = await permissionsOfApplication(store, tenant, client.id, resource.id)
    const { scopes, dropped } = grantHeld(requested, held)
    return { subject: { type: 'application', id: client.id }, client, resource, scopes, dropped, why }
  },
}
