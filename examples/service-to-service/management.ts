/** Calls of the Management API, and token requests, as a program makes them with fetch. */
export interface Credentials {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly resource: string
}

export interface Tokens {
  readonly access_token: string
  readonly scope?: string
}

/** A token request of a confidential application. Throws with the error of the answer. */
export const requestToken = async (
  { baseUrl, clientId, clientSecret }: Omit<Credentials, 'resource'>,
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

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Management = (method: string, path: string, body?: object) => Promise<any>

/** The Management API with a token of these credentials. */
export const managementOf = async (credentials: Credentials): Promise<Management> => {
  const { baseUrl, resource } = credentials
  const { access_token } = await requestToken(credentials, {
    grant_type: 'client_credentials',
    resource,
    scope: 'all',
  })
  return async (method, path, body) => {
    const response = await fetch(`${baseUrl}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}
