/**
 * Which redirect URIs an application may register (DECISIONS C3, SECURITY ). Comparing them is up to
 * `protocol`.
 */
import type { InputIssue, InputIssueCode } from '@countersign/contract/input-issues.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { isLoopbackHost } from '../../kernel/network.ts'
import { objectionToWildcard } from './redirect-wildcards.ts'

/** Schemes that a browser executes or reads itself; compared in lower case, as URL parsers return them. */
const DANGEROUS = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'filesystem:',
  'view-source:',
])

/**
 * Whether a browser and every other parser find the same host: two slashes, and the host in the form in which it is
 * contacted. Otherwise different parsers would read `https:evil.example`, `http://2130706433` and
 * `https://ex%61mple.com` as different addresses.
 */
const isPlainHost = (uri: string, hostname: string): boolean => {
  const authority = /^https?:\/\/([^/?]+)/i.exec(uri)?.[1]
  return authority?.replace(/:\d+$/, '').toLowerCase() === hostname && !/^\.|\.\./.test(hostname)
}

/**
 * RFC 8252 section 7.1: a private-use scheme is a reversed domain name, so it has a dot with something on each side.
 */
const isReverseDomain = (protocol: string): boolean => /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol)

/** Why an address is refused: in English after its name, and by code. */
interface Objection {
  readonly reason: string
  readonly code?: InputIssueCode
}

/** Why the URI cannot be registered, or nothing. A wildcard counts as a letter. */
const objection = (uri: string, isNative: boolean): Objection | undefined => {
  if (!/^[\x21-\x7e]+$/.test(uri) || /["<>\\^`{|}]/.test(uri))
    return { reason: 'contains a character that a URI cannot contain', code: 'uri_characters' }
  if (!URL.canParse(uri)) return { reason: 'is not an absolute URI', code: 'uri_incomplete' }
  const { protocol, hostname, username, password } = new URL(uri)
  if (uri.includes('#')) return { reason: 'has a fragment', code: 'uri_fragment' }
  if (username || password || /^[^/]*\/\/[^/?]*@/.test(uri))
    return { reason: 'contains user information', code: 'uri_user' }
  if (DANGEROUS.has(protocol)) return { reason: 'has a scheme that is not allowed', code: 'uri_scheme' }
  const isWeb = protocol === 'https:' || protocol === 'http:'
  if (isWeb && !isPlainHost(uri, hostname))
    return { reason: 'does not have its host in canonical form', code: 'uri_host' }
  if (protocol === 'https:') return undefined
  if (protocol === 'http:')
    return isLoopbackHost(hostname)
      ? undefined
      : { reason: 'is http and not a loopback address', code: 'uri_not_https' }
  if (!isNative) return { reason: 'must be https', code: 'uri_not_https' }
  return isReverseDomain(protocol)
    ? undefined
    : { reason: 'has a private scheme without a dot, such as com.example.app', code: 'uri_private_scheme' }
}

/** Why an address that the server itself calls or shows cannot be registered: https, or http on loopback. */
export const httpUriObjection = (uri: string): Objection | undefined =>
  objection(uri, false) ?? (uri.includes('*') ? { reason: 'has a wildcard', code: 'uri_wildcard' } : undefined)

/** The same in English only. */
export const objectionToHttpUri = (uri: string): string | undefined => httpUriObjection(uri)?.reason

/** Whom the URIs are for. */
interface Holder {
  /** Applications of type Native may use private schemes (RFC 8252 section 7.1). */
  readonly isNative: boolean
  /** `withheld`: the application has not set `dangerouslyAllowWildcardRedirectUris`. */
  readonly wildcards: 'allowed' | 'withheld' | 'never'
}

interface Refused {
  readonly issue: InputIssue
  /** For people. */
  readonly text: string
}

const wildcardObjection = async (uri: string, wildcards: Holder['wildcards']): Promise<Objection | undefined> => {
  if (!uri.includes('*')) return undefined
  if (wildcards === 'allowed') {
    const reason = await objectionToWildcard(uri)
    return reason === undefined ? undefined : { reason }
  }
  if (wildcards === 'never') return { reason: 'has a wildcard', code: 'uri_wildcard' }
  const reason = `has a wildcard (${uri}), which is allowed only while dangerouslyAllowWildcardRedirectUris is set`
  return { reason, code: 'uri_wildcard' }
}

const refusedOf = async (field: string, uris: readonly string[], holder: Holder): Promise<Refused[]> => {
  const refused: Refused[] = []
  for (const [index, uri] of uris.entries()) {
    const found = objection(uri, holder.isNative) ?? (await wildcardObjection(uri, holder.wildcards))
    if (found)
      refused.push({
        issue: { path: `/oidcClientMetadata/${field}/${index}`, ...found },
        text: `${field}[${index}] ${found.reason}`,
      })
  }
  return refused
}

const MOST_NAMED = 10

/**
 * Refuses redirect URIs that must not be registered, naming them and the reasons. Throws 400.
 * @param fields the URIs by the field that holds them
 */
export const assertRedirectUris = async (
  fields: Readonly<Record<string, readonly string[]>>,
  holder: Holder,
): Promise<void> => {
  const refused: Refused[] = []
  for (const [field, uris] of Object.entries(fields)) refused.push(...(await refusedOf(field, uris, holder)))
  if (refused.length === 0) return
  const named = refused.slice(0, MOST_NAMED).map(({ text }) => text)
  throw new ApiError('guard.invalid_input', {
    reason: named.join('; '),
    issues: refused.map(({ issue }) => issue),
  })
}

/** The same for an address that the server itself calls or shows: https, or http on loopback. */
export const assertHttpUri = async (field: string, uri: string | undefined): Promise<void> => {
  if (uri !== undefined) await assertRedirectUris({ [field]: [uri] }, { isNative: false, wildcards: 'never' })
}
