/**
 * How a rule for the tokens of workloads names a claim (DECISIONS H13): by its name, or, for a member of an object, by a JSON Pointer
 * (RFC 6901), such as `/kubernetes.io/namespace`.
 */

/** The names on the way to a claim, from the outside in. */
const pathOf = (name: string): readonly string[] =>
  name.startsWith('/')
    ? name
        .slice(1)
        .split('/')
        // in this order: ~01 is ~1, not / (RFC 6901 section 4)
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    : [name]

/** The claim that a name is of, or is within. */
export const outermostClaim = (name: string): string => pathOf(name)[0] ?? name

/** Why a text names no claim; undefined: it does. */
export const objectionToClaimName = (name: string): string | undefined =>
  name.startsWith('/') && /~(?![01])/.test(name)
    ? `${name} is not a JSON Pointer: / is written as ~1 and ~ as ~0`
    : undefined

/**
 * The value of a claim; undefined: the token does not have it. Goes through objects alone: the place of a value in an array says nothing
 * about it.
 */
export const claimNamed = (claims: Readonly<Record<string, unknown>>, name: string): unknown =>
  pathOf(name).reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.getOwnPropertyDescriptor(value, part)?.value
        : undefined,
    claims,
  )
