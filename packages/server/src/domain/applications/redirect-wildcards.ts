/**
 * Which redirect URIs with wildcards an application may register (DECISIONS C3): `*` is a part of one label of the host
 * or of one segment of the path, and everything that it can stand for has one owner. Matching requests is up
 * to `protocol`.
 */

/** The Public Suffix List is loaded with the first wildcard in a host. */
const publicSuffixList = () => import('tldts')

const LABEL = /^[a-z0-9-]{1,63}$/

/**
 * Whether a string is an ASCII host name label as people write it: no Punycode, which is displayed as other characters.
 */
export const isPlainLabel = (label: string): boolean =>
  LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-') && !label.startsWith('xn--')

/**
 * Whether the web address is in the form that every URL parser would produce, so that no two of them read it
 * differently.
 */
export const isCanonical = (uri: string): boolean => {
  const href = URL.parse(uri)?.href
  return href === uri || href === `${uri}/`
}

export interface WebAddress {
  readonly scheme: string
  /** Of the host; the last one holds the port too. */
  readonly labels: readonly string[]
  /** Of the path, which begins with an empty one. */
  readonly segments: readonly string[]
  /** With the question mark. */
  readonly query: string
}

/** Splits a canonical URI without a fragment; undefined if it is not http or https. */
export const webAddress = (uri: string): WebAddress | undefined => {
  const [, scheme, authority, path, query] = /^(https?):\/\/([^/?]+)([^?]*)(.*)$/.exec(uri) ?? []
  if (scheme === undefined || authority === undefined || path === undefined || query === undefined) return undefined
  return { scheme, labels: authority.split('.'), segments: path.split('/'), query }
}

const isWild = (text: string): boolean => text.includes('*')

/** Why the wildcards are not allowed where they are in the host, or nothing. */
const objectionToHost = async (labels: readonly string[]): Promise<string | undefined> => {
  if (labels.slice(-2).some(isWild)) return 'has a wildcard in the last two labels of its host'
  const names = labels.with(-1, labels.at(-1)?.replace(/:\d+$/, '') ?? '')
  // whatever replaces it, the label has to be a plausible one
  const areNames = names.every((label) => (isWild(label) ? isPlainLabel(label.replace('*', 'x')) : label !== ''))
  if (!areNames) return 'has a wildcard in a host that is not a name'
  const owned = names.slice(names.findLastIndex(isWild) + 1).join('.')
  const { getDomain } = await publicSuffixList()
  return getDomain(owned, { allowPrivateDomains: true }) === null
    ? `has a wildcard directly below ${owned}, where anyone can register a name`
    : undefined
}

/**
 * Why a redirect URI that holds a wildcard cannot be registered, or nothing.
 * @param uri one that could be registered if `*` were a letter
 */
export const objectionToWildcard = async (uri: string): Promise<string | undefined> => {
  if (!isCanonical(uri)) return `has a wildcard and is not in canonical form, which is ${URL.parse(uri)?.href}`
  const address = webAddress(uri)
  if (!address) return 'has a wildcard, which is allowed only with https and http'
  const { labels, segments, query } = address
  if (isWild(query)) return 'has a wildcard in its query'
  if ([...labels, ...segments].some((part) => part.split('*').length > 2))
    return 'has two wildcards in one label of the host or segment of the path'
  if (!segments.filter(isWild).every((segment) => /^[\w.~*-]+$/.test(segment)))
    return 'has a wildcard next to a character that is not a letter, a digit, or one of - . _ ~'
  return labels.some(isWild) ? objectionToHost(labels) : undefined
}
