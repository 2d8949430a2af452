/** Tokens for the client by client_credentials (RFC 6749 section 4.4), as a machine-to-machine application gets them. */

/** Of an application whose role carries permissions of the Management API; `data/management.json` holds the first. */
export interface ClientCredentials {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** The indicator of the Management API: `{baseUrl}/api`. */
  readonly resource: string
}

/** Seconds before its end that a token is replaced. */
const MARGIN = 60

/** Basic credentials are form-encoded first (RFC 6749 section 2.3.1). */
const basic = (clientId: string, clientSecret: string): string =>
  `Basic ${btoa([clientId, clientSecret].map((part) => new URLSearchParams({ part }).toString().slice(5)).join(':'))}`

/**
 * A `token` for createClient: requests one when the first is needed, and another shortly before it ends. Requests that come
 * meanwhile share it. A request that fails is repeated with the next call. Not for browsers, which cannot keep a secret.
 * @param scope permissions separated by spaces; `all` unless said otherwise
 */
export const managementToken = (
  { baseUrl, clientId, clientSecret, resource }: ClientCredentials,
  scope = 'all',
): (() => Promise<string>) => {
  let current: Promise<string> | undefined
  let endsAt = 0
  const request = async (): Promise<string> => {
    const startedAt = Date.now()
    const response = await fetch(`${baseUrl}/oidc/token`, {
      method: 'POST',
      headers: { authorization: basic(clientId, clientSecret) },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
      redirect: 'error',
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`no token for the Management API: ${response.status} ${text}`)
    const { access_token, expires_in } = JSON.parse(text) as { access_token: string; expires_in: number }
    endsAt = startedAt + (expires_in - MARGIN) * 1000
    return access_token
  }
  return async () => {
    if (current === undefined || Date.now() >= endsAt) {
      endsAt = Number.POSITIVE_INFINITY
      current = request()
    }
    const requested = current
    try {
      return await requested
    } catch (error) {
      if (current === requested) current = undefined
      throw error
    }
  }
}
