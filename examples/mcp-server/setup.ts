/** What an operator does once: the API, who may use it, and that clients may come without having been registered. */
import { createClient } from '@countersign/contract/client.ts'
import { type ClientCredentials, managementToken } from '@countersign/contract/client-token.ts'

/** Does nothing if it was done before. @param audience the address of the server for its clients */
export const setUp = async (credentials: ClientCredentials, audience: string): Promise<void> => {
  const { baseUrl } = credentials
  const api = createClient({ baseUrl, token: managementToken(credentials) })
  const known = await api.listResources({ query: {} })
  if (known.some(({ indicator }) => indicator === audience)) return
  const resource = await api.createResource({ body: { name: 'Notes', indicator: audience } })
  const scopeIds: string[] = []
  for (const name of ['notes:read', 'notes:write'])
    scopeIds.push((await api.createScope({ params: { resourceId: resource.id }, body: { name } })).id)
  const role = { name: `Notes ${resource.id}`, description: '', type: 'User', isDefault: true, scopeIds } as const
  await api.createRole({ body: role })

  // clients that publish a document about themselves; users are asked, with a warning
  await api.updateCimdConfig({ body: { enabled: true } })
  await api.addCimdUserConsentScopes({ body: { resourceScopes: scopeIds } })
  // clients that cannot publish one
  const permissions = [{ resource: audience, scopes: ['notes:read', 'notes:write'] }]
  await api.updateClientRegistration({ body: { mode: 'open', policy: { permissions } } })
}
