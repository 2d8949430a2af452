/** What an operator does once: the API, a role, the application of the support desk, a claim, and two people. */
import { createClient } from '@countersign/contract/client.ts'
import { type ClientCredentials, managementToken } from '@countersign/contract/client-token.ts'
import { redirectUris } from './sign-in.ts'

export const PASSWORD = 'a long enough phrase'

/** Puts the ticket of an impersonation into its tokens, where the API can see it. */
const SCRIPT = `
const getCustomJwtClaims = ({ context }) => {
  const ticket = context.grant?.subjectTokenContext?.ticket
  return ticket ? { ticket } : {}
}`

export const setUp = async (credentials: ClientCredentials, run: string) => {
  const { baseUrl } = credentials
  const api = createClient({ baseUrl, token: managementToken(credentials) })
  const audience = `https://orders.example/${run}`
  const resource = await api.createResource({ body: { name: 'Orders', indicator: audience } })
  const scope = await api.createScope({ params: { resourceId: resource.id }, body: { name: 'read:orders' } })
  const role = await api.createRole({ body: { name: `Customer ${run}`, type: 'User', scopeIds: [scope.id] } })
  await api.putJwtCustomizer({ params: { tokenTypePath: 'access-token' }, body: { script: SCRIPT } })

  const { id: clientId } = await api.createApplication({
    body: { name: 'Support desk', type: 'Traditional', customClientMetadata: { allowTokenExchange: true } },
  })
  const [secret] = await api.listApplicationSecrets({ params: { id: clientId } })
  const desk = { baseUrl, clientId, clientSecret: secret?.value ?? '' }
  const { id: browserClientId } = await api.createApplication({
    body: {
      name: 'Support desk, in the browser',
      type: 'SPA',
      oidcClientMetadata: { redirectUris, postLogoutRedirectUris: [] },
    },
  })

  const person = (username: string) =>
    api.createUser({ body: { username: `${username}_${run}`, name: username, password: PASSWORD } })
  const [customer, engineer] = [await person('ada'), await person('grace')]
  await api.addUserRoles({ params: { userId: customer.id }, body: { roleIds: [role.id] } })
  return { audience, desk, browserClientId, customer, engineer }
}
