/**
 * Comparison of a requested redirect URI with registered ones that contain wildcards (DECISIONS C3, SECURITY R-22).
 * Only URIs that every URL parser reads alike are compared at all, and then the literal text, part by part: `*` stands
 * for some characters of one label of the host, or of one segment of the path. No regular expression is built from a
 * registered URI, so that the comparison takes time proportional to the length of both.
 */
import { isCanonical, isPlainLabel, type WebAddress, webAddress } from '../domain/applications/redirect-wildcards.ts'

/** The maximum length of a registered one. */
const LONGEST = 2048
/** Neither a dot nor `%` nor `;`: nothing that a server or a proxy could interpret as another path. */
const IN_PATH = /^[A-Za-z0-9_~-]+$/

/** The parts of a requested URI that wildcards may match; undefined for anything ambiguous. */
export const plainWebAddress = (uri: string): WebAddress | undefined =>
  uri.length <= LONGEST && /^[\x21-\x7e]+$/.test(uri) && !/[*@\\#]/.test(uri) && isCanonical(uri)
    ? webAddress(uri)
    : undefined

/** The text that the wildcard matches; undefined if there is no match. A wildcard does not match the empty string. */
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

/** Whether the registered URI, which contains a wildcard, allows the requested one. */
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
