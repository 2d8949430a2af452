/**
 * The backend of a support desk: decides who may act as whom, which the authorization server cannot know, and obtains
 * the token: a subject token for the user, exchanged together with the token of the acting engineer.
 */
import { createClient } from '@countersign/contract/client.ts'
import { type ClientCredentials, managementToken } from '@countersign/contract/client-token.ts'
import { type Application, requestToken } from './token-request.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

export interface Impersonation {
  readonly userId: string
  readonly ticket: string
  /** The engineer's own access token, with the scope openid. */
  readonly engineerToken: string
}

/** @param desk the application of the support desk; @param mayImpersonate ids of the engineers who may */
export const supportDesk = (
  management: ClientCredentials,
  desk: Application,
  audience: string,
  mayImpersonate: ReadonlySet<string>,
) => {
  const api = createClient({ baseUrl: management.baseUrl, token: managementToken(management) })

  const engineerOf = async (token: string): Promise<string> => {
    const response = await fetch(`${desk.baseUrl}/oidc/me`, { headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error('The engineer is not signed in')
    return ((await response.json()) as { sub: string }).sub
  }

  return async ({ userId, ticket, engineerToken }: Impersonation): Promise<string> => {
    const engineer = await engineerOf(engineerToken)
    if (!mayImpersonate.has(engineer)) throw new Error('The engineer may not act as users')
    const { subjectToken } = await api.createSubjectToken({ body: { userId, context: { ticket, engineer } } })
    const { access_token } = await requestToken(desk, {
      grant_type: EXCHANGE,
      subject_token: subjectToken,
      subject_token_type: ACCESS_TOKEN,
      actor_token: engineerToken,
      actor_token_type: ACCESS_TOKEN,
      resource: audience,
      scope: 'read:orders',
    })
    return access_token
  }
}
