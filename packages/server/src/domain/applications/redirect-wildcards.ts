/**
 * Which redirect URIs with wildcards an application may register (DECISIONS C3): `*` is a part of one label of the host or
 * of one segment of the path, and someone owns the whole of what it can stand for. What a request is compared with is
 * the protocol's.
 */

/** The Public Suffix List is loaded with the first wildcard in a host. */
const publicSuffixList = () => import('tldts')

const LABEL = /^[a-z0-9-]{1,63}$/

/** Whether a text is a label of a host name in ASCII as people write one: no Punycode, which shows as other characters. */
export const isPlainLabel = (label: string): boolean =>
  LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-') && !label.startsWith('xn--')

/** Whether the web address is written as every URL parser would write it again, so that no two of them read it apart. */
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

/** Takes apart what is canonical and has no fragment; undefined for what is not http or https. */
export const webAddress = (uri: string): WebAddress | undefined => {
  const [, scheme, authority, path, query] = /^(https?):\/\/([^/?]+)([^?]*)(.*)$/.exec(uri) ?? []
  if (scheme === undefined || authority === undefined || path === undefined || query === undefined) return undefined
  return { scheme, labels: authority.split('.'), segments: path.split('/'), query }
}

const isWild = (text: string): boolean => text.includes('*')

/** Why wildcards cannot stand where they do in the host, or nothing. */
const objectionToHost = async (labels: readonly string[]): Promise<string | undefined> => {
  if (labels.slice(-2).some(isWild)) return 'holds a wildcard in the last two labels of its host'
  const names = labels.with(-1, labels.at(-1)?.replace(/:\d+$/, '') ?? '')
  // whatever stands for it, the label has to be one that someone would write
  const areNames = names.every((label) => (isWild(label) ? isPlainLabel(label.replace('*', 'x')) : label !== ''))
  if (!areNames) return 'holds a wildcard in a host that is no name'
  const owned = names.slice(names.findLastIndex(isWild) + 1).join('.')
  const { getDomain } = await publicSuffixList()
  return getDomain(owned, { allowPrivateDomains: true }) === null
    ? `holds a wildcard right below ${owned}, where anybody can have a name`
    : undefined
}

/**
 * Why a redirect URI that holds a wildcard cannot be registered, or nothing.
 * @param uri one that could be registered if `*` were a letter
 */
export const objectionToWildcard = async (uri: string): Promise<string | undefined> => {
  if (!isCanonical(uri)) return `holds a wildcard and is not written plainly, as ${URL.parse(uri)?.href} is`
  const address = webAddress(uri)
  if (!address) return 'holds a wildcard, which only https and http may'
  const { labels, segments, query } = address
  if (isWild(query)) return 'holds a wildcard in its query'
  if ([...labels, ...segments].some((part) => part.split('*').length > 2))
    return 'holds two wildcards in one label of the host or segment of the path'
  if (!segments.filter(isWild).every((segment) => /^[\w.~*-]+$/.test(segment)))
    return 'holds a wildcard beside a character that is not a letter, a digit, or one of - . _ ~'
  return labels.some(isWild) ? objectionToHost(labels) : undefined
}
