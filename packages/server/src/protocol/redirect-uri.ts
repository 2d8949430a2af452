/**
 * Comparison of redirect URIs (DECISIONS C3, RFC 9700 section 2.1): byte for byte, except for the port of a native
 * loopback address and for the wildcards of an application that has enabled them.
 */
import type { Client } from '../domain/applications/clients.ts'
import { allowsByWildcard, plainWebAddress } from './redirect-wildcard.ts'

/**
 * `http://127.0.0.1:port/path` or `http://[::1]:port/path` without its port; undefined for anything else. Narrower than
 * isLoopbackHost: RFC 8252 section 7.3 names only these two, and all others are compared byte for byte.
 */
const loopbackWithoutPort = (uri: string): string | undefined => {
  const [, host, rest] = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/[\x21-\x7e]*)?$/.exec(uri) ?? []
  return host && !uri.includes('@') && !uri.includes('\\') ? `${host}${rest ?? ''}` : undefined
}

/** RFC 8252 section 7.3: the port of a loopback IP may differ. */
const isRegisteredLoopback = (requested: string, registered: readonly string[]): boolean => {
  const wanted = loopbackWithoutPort(requested)
  return wanted !== undefined && registered.some((uri) => loopbackWithoutPort(uri) === wanted)
}

const isAllowedByWildcard = (requested: string, registered: readonly string[]): boolean => {
  const address = plainWebAddress(requested)
  return address !== undefined && registered.some((uri) => uri.includes('*') && allowsByWildcard(uri, address))
}

/**
 * Whether a requested URI is one of the registered ones.
 * @param client their owner: its type decides on loopback ports, `dangerouslyAllowWildcardRedirectUris` on wildcards
 */
export const isRegisteredRedirectUri = (
  requested: string,
  registered: readonly string[],
  { type, metadata }: Pick<Client, 'type' | 'metadata'>,
): boolean => {
  // a registered URI with an asterisk is not an address, not even literally
  if (requested.includes('*')) return false
  if (registered.includes(requested)) return true
  if (type === 'Native' && isRegisteredLoopback(requested, registered)) return true
  return metadata.dangerouslyAllowWildcardRedirectUris === true && isAllowedByWildcard(requested, registered)
}
