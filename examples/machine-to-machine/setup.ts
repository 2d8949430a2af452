/** What an operator does once, through the Management API: an API resource, a role, an application that holds it. */
import { createClient } from '@countersign/contract/client.ts'
import * as client from 'openid-client'

export interface Management {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly resource: string
}

export interface Machine {
  readonly clientId: string
  readonly clientSecret: string
}

/** Discovery; plain http only because the server of this example runs on this machine. */
export const discover = (baseUrl: string, { clientId, clientSecret }: Machine): Promise<client.Configuration> => {
  const options = baseUrl.startsWith('http://localhost') ? { execute: [client.allowInsecureRequests] } : {}
  return client.discovery(
    new URL(`${baseUrl}/oidc`),
    clientId,
    undefined,
    client.ClientSecretBasic(clientSecret),
    options,
  )
}

/** Registers the API with two permissions, and a machine that holds one of them. */
export const setUp = async (management: Management, audience: string): Promise<Machine> => {
  const configuration = await discover(management.baseUrl, management)
  const { access_token } = await client.clientCredentialsGrant(configuration, {
    resource: management.resource,
    scope: 'all',
  })

  const api = createClient({ baseUrl: management.baseUrl, token: access_token })

  const resource = await api.createResource({ body: { name: 'Orders', indicator: audience, accessTokenTtl: 600 } })
  const params = { resourceId: resource.id }
  const read = await api.createScope({ params, body: { name: 'read:orders', description: 'Read orders' } })
  await api.createScope({ params, body: { name: 'write:orders', description: 'Change orders' } })
  const role = await api.createRole({
    body: { name: 'Orders reader', description: 'Reads orders', type: 'MachineToMachine', scopeIds: [read.id] },
  })
  const { id } = await api.createApplication({ body: { name: 'Report job', type: 'MachineToMachine' } })
  await api.addApplicationRoles({ params: { applicationId: id }, body: { roleIds: [role.id] } })
  const [secret] = await api.listApplicationSecrets({ params: { id } })
  return { clientId: id, clientSecret: secret?.value ?? '' }
}
