/** A tenant as a request sees it, and the addresses that follow from its base URL (DECISIONS A1, A7). */

export interface Tenant {
  readonly id: string
  readonly name: string
  /** Scheme, host and port, without a trailing slash: the `{base_url}` of the specification. */
  readonly baseUrl: string
  /** `{base_url}/oidc`: the `iss` of every token. */
  readonly issuer: string
  /** `{base_url}/api`: the indicator of the Management API. */
  readonly managementApi: string
}

/** The tenant that exists from the first start. */
export const DEFAULT_TENANT = 'default'

export const tenantAt = (id: string, name: string, baseUrl: string): Tenant => ({
  id,
  name,
  baseUrl,
  issuer: `${baseUrl}/oidc`,
  managementApi: `${baseUrl}/api`,
})

/** Parses a base URL: http or https, nothing after the host and port. Throws a sentence fragment otherwise. */
export const parseBaseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http or https URL')
  if (url.username || url.password || url.search || url.hash || url.pathname !== '/') {
    throw new Error('must have nothing after the host and port')
  }
  return url.origin
}
