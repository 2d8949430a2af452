/** What an operator does once, through the Management API: an API resource, a role, an application that holds it. */
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

  const api = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${management.baseUrl}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  const resource = await api('POST', '/resources', { name: 'Orders', indicator: audience, accessTokenTtl: 600 })
  const read = await api('POST', `/resources/${resource.id}/scopes`, {
    name: 'read:orders',
    description: 'Read orders',
  })
  await api('POST', `/resources/${resource.id}/scopes`, { name: 'write:orders', description: 'Change orders' })
  const role = await api('POST', '/roles', {
    name: 'Orders reader',
    description: 'Reads orders',
    type: 'MachineToMachine',
    scopeIds: [read.id],
  })
  const application = await api('POST', '/applications', { name: 'Report job', type: 'MachineToMachine' })
  await api('POST', `/applications/${application.id}/roles`, { roleIds: [role.id] })
  const [secret] = await api('GET', `/applications/${application.id}/secrets`)
  return { clientId: application.id, clientSecret: secret.value }
}
