/**
 * What of an authorization request is kept, and how long it may be (DECISIONS M). A stranger can send such a request, and it
 * is kept for an hour; nonce and state come back with the answer. No honest client comes near these lengths.
 */
import type { Parameters } from '../../http/parameters.ts'

/** Characters. */
const LONGEST: ReadonlyMap<string, number> = new Map([
  ['state', 8192],
  ['nonce', 2048],
  ['acr_values', 1024],
  ['login_hint', 1024],
  ['ui_locales', 1024],
  ['prompt', 1024],
  ['first_screen', 256],
  ['interaction_mode', 256],
])

/** Parameters that are read beside those: values that are known already, and what is as long as the request can be. */
const KNOWN_VALUES: ReadonlySet<string> = new Set([
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'resource', 'max_age'],
  ...['code_challenge', 'code_challenge_method', 'scope', 'id_token_hint'],
])

/** The first of the named parameters that is too long, in words that name it; undefined when none is. */
export const excessOf = (parameters: Parameters, names: Iterable<string> = LONGEST.keys()): string | undefined => {
  for (const name of names) {
    const longest = LONGEST.get(name) ?? Number.POSITIVE_INFINITY
    if (parameters.get(name)?.some((value) => value.length > longest))
      return `the parameter ${name} is longer than ${longest} characters`
  }
  return undefined
}

/** A request without the parameters that no one reads, as it can be kept once it has passed the checks. */
export const keepable = (parameters: Parameters): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries([...parameters].filter(([name]) => LONGEST.has(name) || KNOWN_VALUES.has(name)))
