/** Token requests as an application makes them with fetch. */
import type { ClientCredentials } from '@countersign/contract/client-token.ts'

/** An application and the server at which it is registered. */
export type Application = Pick<ClientCredentials, 'baseUrl' | 'clientId' | 'clientSecret'>

export interface Tokens {
  readonly access_token: string
  readonly scope?: string
}

/** A token request of a confidential application. Throws with the error of the response. */
export const requestToken = async (
  { baseUrl, clientId, clientSecret }: Application,
  parameters: Record<string, string>,
): Promise<Tokens> => {
  const response = await fetch(`${baseUrl}/oidc/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams(parameters),
  })
  const body = (await response.json()) as Tokens & { error?: string; error_description?: string }
  if (!response.ok) throw new Error(`${body.error}: ${body.error_description}`)
  return body
}
