import { misconfigured } from '../errors/misconfigured.ts'

/**
 * Allows an issuer (and a key set) at an `http:` address that is not on loopback, such as `http://countersign:3001` in
 * a network of containers. Anyone who can change that traffic can sign any token. A symbol, so that JSON cannot
 * contain it.
 */
export const dangerouslyAllowHttp: unique symbol = Symbol('dangerouslyAllowHttp')

export interface InsecureOptions {
  readonly [dangerouslyAllowHttp]?: boolean
}

// The URL parser has already written every form of an IPv4 address as four decimal numbers.
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)

/**
 * Refuses an address from which keys must not be fetched: not https, or http on loopback (RFC 8414 §2 and OIDC
 * Discovery §4 require TLS). It does not resolve the name.
 */
export function secureUrl(name: string, value: string, options: InsecureOptions): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url) throw misconfigured(`${name} must be an absolute URL`)
  if (url.username || url.password || value.includes('#')) {
    throw misconfigured(`${name} must have neither credentials nor a fragment`)
  }
  const http = url.protocol === 'http:' && (isLoopback(url.hostname) || options[dangerouslyAllowHttp] === true)
  if (url.protocol !== 'https:' && !http) throw misconfigured(`${name} must be https, or http on loopback`)
  return url
}
