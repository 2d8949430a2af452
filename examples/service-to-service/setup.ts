/** What an operator does once: two APIs, a role for users, the application of API A, and a user. */
import { type Client, createClient } from '@countersign/contract/client.ts'
import { type ClientCredentials, managementToken } from '@countersign/contract/client-token.ts'
import { type Application, requestToken } from './token-request.ts'

/** Registers the backend of an API, or another confidential program, that may exchange tokens. */
const register = async (
  api: Client,
  baseUrl: string,
  name: string,
  limits: { readonly exchangeSubjectAudiences?: string[]; readonly exchangeTargetResources?: string[] } = {},
): Promise<Application> => {
  const customClientMetadata = { allowTokenExchange: true, ...limits }
  const { id } = await api.createApplication({ body: { name, type: 'Traditional', customClientMetadata } })
  const [secret] = await api.listApplicationSecrets({ params: { id } })
  return { baseUrl, clientId: id, clientSecret: secret?.value ?? '' }
}

export const setUp = async (credentials: ClientCredentials, run: string) => {
  const { baseUrl } = credentials
  const api = createClient({ baseUrl, token: managementToken(credentials) })
  const registerApi = async (name: string, permission: string) => {
    const indicator = `https://${name}.example/${run}`
    const resource = await api.createResource({ body: { name, indicator } })
    const { id } = await api.createScope({ params: { resourceId: resource.id }, body: { name: permission } })
    return { indicator, scopeId: id }
  }
  const [orders, billing] = [await registerApi('orders', 'read:orders'), await registerApi('billing', 'read:bills')]
  const scopeIds = [orders.scopeId, billing.scopeId]
  const role = await api.createRole({ body: { name: `Customer ${run}`, description: '', type: 'User', scopeIds } })

  // the backend of the orders API: it may exchange tokens for the orders API, only for tokens for the billing API
  const application = await register(api, baseUrl, 'Orders API', {
    exchangeSubjectAudiences: [orders.indicator],
    exchangeTargetResources: [billing.indicator],
  })

  const user = await api.createUser({ body: { username: `ada_${run}`, name: 'Ada' } })
  await api.addUserRoles({ params: { userId: user.id }, body: { roleIds: [role.id] } })
  return { application, user, orders: orders.indicator, billing: billing.indicator, api }
}

/**
 * A token of the user for the orders API. In your application it comes from their sign-in; here another application
 * exchanges a personal access token instead.
 */
export const tokenOfUser = async (
  { application, user, orders, api }: Awaited<ReturnType<typeof setUp>>,
  scope = 'read:orders',
): Promise<string> => {
  const { value } = await api.createPersonalAccessToken({
    params: { userId: user.id },
    body: { name: crypto.randomUUID() },
  })
  const { access_token } = await requestToken(await register(api, application.baseUrl, 'Command line'), {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: value,
    subject_token_type: 'urn:countersign:token-type:personal_access_token',
    resource: orders,
    scope,
  })
  return access_token
}
