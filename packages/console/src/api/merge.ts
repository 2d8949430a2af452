/** Two changes of one thing: what both agree on, what only one of them changed, and where they collide. */

/** A member that both changed, and differently. */
export interface Collision {
  /** As `customClientMetadata.requirePkce`. */
  readonly path: string
  readonly theirs: unknown
  readonly mine: unknown
}

export interface Merged {
  readonly value: unknown
  readonly collisions: readonly Collision[]
}

/** What was read before a reload. */
export const UNKNOWN = Symbol('unknown')

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two values of JSON are the same; the order of members does not matter, and one that is undefined is none. */
const isSame = (one: unknown, other: unknown): boolean => {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => isSame(each, other[at]))
  if (isFields(one) && isFields(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => isSame(one[name], other[name]))
  return one === other
}

/** Both say that nothing is set: what one form leaves out, another one sends as its default. */
const isNothing = (value: unknown): boolean => value === undefined || value === null || value === false || value === ''

const isStill = (base: unknown, theirs: unknown): boolean =>
  isSame(base, theirs) || (isNothing(base) && isNothing(theirs))

const mergedFields = (base: Fields | typeof UNKNOWN, theirs: Fields, mine: Fields, path: string): Merged => {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const parts = Object.keys(mine).map(
    (name) => [name, merge(base === UNKNOWN ? base : base[name], theirs[name], mine[name], at(name))] as const,
  )
  // what the other one added to an object that is sent as a whole
  const added =
    path === '' || base === UNKNOWN ? [] : Object.keys(theirs).filter((name) => !(name in mine) && !(name in base))
  return {
    value: Object.fromEntries([
      ...parts.map(([name, { value }]) => [name, value] as const),
      ...added.map((name) => [name, theirs[name]] as const),
    ]),
    collisions: parts.flatMap(([, { collisions }]) => collisions),
  }
}

/** The members that differ. Nothing where one of the two is not known. */
export const differing = (base: unknown, now: unknown): string[] =>
  isFields(base) && isFields(now)
    ? Object.keys({ ...base, ...now }).filter((name) => name !== 'updatedAt' && !isSame(base[name], now[name]))
    : []

/**
 * Merges by members; a list is one value.
 * @param base what both began with; where it is UNKNOWN every difference collides
 * @param mine what is to be sent: members that it lacks stay as they are
 */
export const merge = (base: unknown, theirs: unknown, mine: unknown, path = ''): Merged => {
  if (isSame(theirs, mine)) return { value: mine, collisions: [] }
  if (isFields(theirs) && isFields(mine) && (base === UNKNOWN || isFields(base)))
    return mergedFields(base, theirs, mine, path)
  if (base !== UNKNOWN && isStill(base, theirs)) return { value: mine, collisions: [] }
  if (base !== UNKNOWN && isSame(base, mine)) return { value: theirs, collisions: [] }
  return { value: mine, collisions: [{ path, theirs, mine }] }
}
