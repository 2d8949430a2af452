/** A caller of the Management API, for arranging what is measured. */
import type { Credentials } from './installation.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Management = (method: string, path: string, body?: object) => Promise<any>

export const requestToken = async (
  baseUrl: string,
  { clientId, clientSecret }: Pick<Credentials, 'clientId' | 'clientSecret'>,
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

export const managementOf = async (baseUrl: string, credentials: Credentials): Promise<Management> => {
  const { access_token } = await requestToken(baseUrl, credentials, { resource: credentials.resource, scope: 'all' })
  return async (method, path, body) => {
    const response = await fetch(`${baseUrl}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${access_token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}
