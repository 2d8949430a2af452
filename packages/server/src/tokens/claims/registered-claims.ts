/** The claims that no script can set or change (DECISIONS J3, SECURITY R-16). */
import { LARGEST_RESULT } from './script.ts'

const REGISTERED: ReadonlySet<string> = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'client_id', 'scope', 'act', 'may_act', 'cnf', 'sid'],
  ...['organization_id', 'auth_time', 'acr', 'amr', 'authorization_details'],
])

/** Never a valid claim: code that reads it into an object would set the object's prototype. */
const PROTOTYPE = '__proto__'

/** `registered`: no script can set it · `json`: its value has no JSON, such as undefined or a function */
interface DroppedClaim {
  readonly name: string
  readonly why: 'registered' | 'json'
}

export interface Extra {
  readonly claims: Readonly<Record<string, unknown>>
  /** The names of the registered claims among those that were dropped, sorted. */
  readonly dropped: readonly string[]
  /** All that were dropped, sorted by name; without `names` only the registered ones. */
  readonly droppedClaims: readonly DroppedClaim[]
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(
      json,
      json.includes('__proto__') ? (name, value) => (name === PROTOTYPE ? undefined : value) : undefined,
    )
  } catch {
    return undefined
  }
}

/**
 * Which part of a script's result goes into a token; undefined when the result is not an object of at most 16 KiB.
 * Takes text and trusts nothing in it, because it was made by untrusted code.
 * @param names of the members that the result had
 */
export const extraClaims = (json: string, names: readonly string[] = []): Extra | undefined => {
  if (Buffer.byteLength(json) > LARGEST_RESULT) return undefined
  const value = parsed(json)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value)
  const isReserved = (name: string) => REGISTERED.has(name) || name === PROTOTYPE
  const lost = names.filter((name) => !Object.hasOwn(value, name))
  const dropped = entries.flatMap(([name]) => (REGISTERED.has(name) ? [name] : [])).sort()
  return {
    claims: Object.fromEntries(entries.filter(([name]) => !REGISTERED.has(name))),
    dropped,
    droppedClaims: [...new Set([...dropped, ...lost])]
      .sort()
      .map((name) => ({ name, why: isReserved(name) ? 'registered' : 'json' })),
  }
}
