/**
 * Comparing a requested redirect URI with registered ones that hold wildcards (DECISIONS C3, SECURITY R-22). Only what
 * every URL parser reads alike is compared at all, and then the text as it came, part by part: `*` stands for some
 * characters of one label of the host, or of one segment of the path. No pattern is made from a registered URI, so that
 * comparing takes time in proportion to the length of both.
 */
import { isCanonical, isPlainLabel, type WebAddress, webAddress } from '../domain/applications/redirect-wildcards.ts'

/** As long as one that is registered can be. */
const LONGEST = 2048
/** Neither a dot nor `%` nor `;`: nothing that a server or a proxy could read as another path. */
const IN_PATH = /^[A-Za-z0-9_~-]+$/

/** What a request may ask for where wildcards decide; undefined for anything that could be read in two ways. */
export const plainWebAddress = (uri: string): WebAddress | undefined =>
  uri.length <= LONGEST && /^[\x21-\x7e]+$/.test(uri) && !/[*@\\#]/.test(uri) && isCanonical(uri)
    ? webAddress(uri)
    : undefined

/** What stands for the wildcard; undefined when the text is not of the pattern. An empty text stands for none. */
const filling = (text: string, pattern: string): string | undefined => {
  const star = pattern.indexOf('*')
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)]
  if (text.length < pattern.length || !text.startsWith(before) || !text.endsWith(after)) return undefined
  return text.slice(star, text.length - after.length)
}

const labelFits = (label: string, pattern: string): boolean =>
  pattern.includes('*') ? isPlainLabel(label) && filling(label, pattern) !== undefined : label === pattern

const segmentFits = (segment: string, pattern: string): boolean =>
  pattern.includes('*') ? IN_PATH.test(filling(segment, pattern) ?? '') : segment === pattern

const allFit = (
  parts: readonly string[],
  patterns: readonly string[],
  fits: (part: string, pattern: string) => boolean,
): boolean => parts.length === patterns.length && parts.every((part, index) => fits(part, patterns[index] ?? ''))

/** Whether the registered URI, which holds a wildcard, allows the requested one. */
export const allowsByWildcard = (registered: string, requested: WebAddress): boolean => {
  const pattern = webAddress(registered)
  return (
    pattern !== undefined &&
    requested.scheme === pattern.scheme &&
    requested.query === pattern.query &&
    allFit(requested.labels, pattern.labels, labelFits) &&
    allFit(requested.segments, pattern.segments, segmentFits)
  )
}
