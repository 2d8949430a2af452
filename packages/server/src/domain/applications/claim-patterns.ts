/**
 * The patterns that the claims of workloads are compared with (DECISIONS H13). Parts are separated by `/` and `:`; a `*` stands for any
 * characters within its part, never for more of them, so that `repo:octo/*` does not reach `repo:octo/api:ref:refs/heads/main`.
 */

const MOST_WILDCARDS = 4

/** The parts with the separators between them, at the odd places. */
const partsOf = (text: string): readonly string[] => text.split(/([/:])/)

const isWildcard = (part: string): boolean => part.includes('*')

/** Why a text is no pattern of ours; undefined: it is one. */
export const objectionToPattern = (pattern: string): string | undefined => {
  const parts = partsOf(pattern)
  if (parts.some((part) => part.split('*').length > 2)) return 'has more than one * between / and :'
  if (parts.filter(isWildcard).length > MOST_WILDCARDS) return `has more than ${MOST_WILDCARDS} *`
  return /[^*/:]/.test(pattern) ? undefined : 'matches everything: it has nothing but *, / and :'
}

/** Whether the first `count` parts of a pattern say exactly one thing, and end there. */
export const isFixedUpTo = (pattern: string, count: number): boolean => {
  const parts = partsOf(pattern)
  return parts.length >= 2 * count - 1 && !parts.slice(0, 2 * count).some(isWildcard)
}

const matchesPart = (part: string, value: string): boolean => {
  const [before = '', after] = part.split('*')
  if (after === undefined) return part === value
  return value.length >= before.length + after.length && value.startsWith(before) && value.endsWith(after)
}

/** Whether a value is what a pattern says, in time proportional to their lengths. Upper and lower case differ. */
export const matchesPattern = (pattern: string, value: string): boolean => {
  const parts = partsOf(pattern)
  const values = partsOf(value)
  return parts.length === values.length && parts.every((part, at) => matchesPart(part, values[at] ?? ''))
}
