/** What an operator does once: two APIs, a role of users, the application that is API A, and a user. */
import { type Credentials, managementOf, requestToken } from './management.ts'

export const setUp = async (credentials: Credentials, run: string) => {
  const { baseUrl } = credentials
  const api = await managementOf(credentials)
  const register = async (name: string, permission: string) => {
    const indicator = `https://${name}.example/${run}`
    const resource = await api('POST', '/resources', { name, indicator })
    const { id } = await api('POST', `/resources/${resource.id}/scopes`, { name: permission })
    return { indicator, scopeId: id as string }
  }
  const [orders, billing] = [await register('orders', 'read:orders'), await register('billing', 'read:bills')]
  const scopeIds = [orders.scopeId, billing.scopeId]
  const role = await api('POST', '/roles', { name: `Customer ${run}`, description: '', type: 'User', scopeIds })

  // the backend of the orders API: it may exchange tokens that are for the orders API, for the billing API and no other
  const { id: clientId } = await api('POST', '/applications', {
    name: 'Orders API',
    type: 'Traditional',
    customClientMetadata: {
      allowTokenExchange: true,
      exchangeSubjectAudiences: [orders.indicator],
      exchangeTargetResources: [billing.indicator],
    },
  })
  const [secret] = await api('GET', `/applications/${clientId}/secrets`)
  const application = { baseUrl, clientId: clientId as string, clientSecret: secret.value as string }

  const user = await api('POST', '/users', { username: `ada_${run}`, name: 'Ada' })
  await api('POST', `/users/${user.id}/roles`, { roleIds: [role.id] })
  return { application, user, orders: orders.indicator, billing: billing.indicator, api }
}

/**
 * A token of the user for the orders API. In an application of yours it comes of their signing in; here a personal access
 * token stands for them, which another application exchanges.
 */
export const tokenOfUser = async (
  { application, user, orders, api }: Awaited<ReturnType<typeof setUp>>,
  scope = 'read:orders',
): Promise<string> => {
  const { value } = await api('POST', `/users/${user.id}/personal-access-tokens`, { name: crypto.randomUUID() })
  const { id: clientId } = await api('POST', '/applications', {
    name: 'Command line',
    type: 'Traditional',
    customClientMetadata: { allowTokenExchange: true },
  })
  const [secret] = await api('GET', `/applications/${clientId}/secrets`)
  const { access_token } = await requestToken(
    { baseUrl: application.baseUrl, clientId, clientSecret: secret.value },
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: value,
      subject_token_type: 'urn:countersign:token-type:personal_access_token',
      resource: orders,
      scope,
    },
  )
  return access_token
}
