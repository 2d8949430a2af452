/** What an operator does once: the API, a role, the application of the support desk, a claim, and two people. */
import { type Credentials, managementOf } from './management.ts'
import { redirectUris } from './sign-in.ts'

export const PASSWORD = 'a long enough phrase'

/** Puts the ticket of an impersonation into its tokens, where the API can see it. */
const SCRIPT = `
const getCustomJwtClaims = ({ context }) => {
  const ticket = context.grant?.subjectTokenContext?.ticket
  return ticket ? { ticket } : {}
}`

export const setUp = async (credentials: Credentials, run: string) => {
  const { baseUrl } = credentials
  const api = await managementOf(credentials)
  const audience = `https://orders.example/${run}`
  const resource = await api('POST', '/resources', { name: 'Orders', indicator: audience })
  const scope = await api('POST', `/resources/${resource.id}/scopes`, { name: 'read:orders' })
  const role = await api('POST', '/roles', { name: `Customer ${run}`, type: 'User', scopeIds: [scope.id] })
  await api('PUT', '/configs/jwt-customizer/access-token', { script: SCRIPT })

  const customClientMetadata = { allowTokenExchange: true }
  const { id: clientId } = await api('POST', '/applications', {
    name: 'Support desk',
    type: 'Traditional',
    customClientMetadata,
  })
  const [secret] = await api('GET', `/applications/${clientId}/secrets`)
  const desk = { baseUrl, clientId: clientId as string, clientSecret: secret.value as string }
  const { id: browserClientId } = await api('POST', '/applications', {
    name: 'Support desk, in the browser',
    type: 'SPA',
    oidcClientMetadata: { redirectUris, postLogoutRedirectUris: [] },
  })

  const person = (username: string) =>
    api('POST', '/users', { username: `${username}_${run}`, name: username, password: PASSWORD })
  const [customer, engineer] = [await person('ada'), await person('grace')]
  await api('POST', `/users/${customer.id}/roles`, { roleIds: [role.id] })
  return { audience, desk, browserClientId: browserClientId as string, customer, engineer }
}
