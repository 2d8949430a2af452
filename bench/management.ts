/** Calls that set up what is measured: the Management API through the typed client of the contract, and tokens. */
import { type Client, createClient } from '@countersign/contract/client.ts'
import { managementToken } from '@countersign/contract/client-token.ts'
import type { Credentials, Installation } from './installation.ts'

export type Confidential = Pick<Credentials, 'clientId' | 'clientSecret'>

/** A token by client_credentials. Throws for any other response. */
export const requestToken = async (
  baseUrl: string,
  { clientId, clientSecret }: Confidential,
  parameters: Record<string, string>,
): Promise<{ access_token: string; scope?: string }> => {
  const response = await fetch(`${baseUrl}/oidc/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...parameters }),
  })
  if (response.status !== 200)
    throw new Error(`The token endpoint answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as { access_token: string; scope?: string }
}

/** The client, with every permission. The server of the installation must be running. */
export const managementOf = async ({ baseUrl, credentials }: Installation): Promise<Client> =>
  createClient({ baseUrl, token: managementToken({ baseUrl, ...(await credentials()) }) })

/** Registers an application that has a secret. */
export const registerApplication = async (
  api: Client,
  body: Parameters<Client['createApplication']>[0]['body'],
): Promise<Confidential> => {
  const { id } = await api.createApplication({ body })
  const [secret] = await api.listApplicationSecrets({ params: { id } })
  if (!secret) throw new Error(`An application of type ${body.type} has no secret`)
  return { clientId: id, clientSecret: secret.value }
}
