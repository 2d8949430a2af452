/**
 * What is stored of an authorization request, and how long it may be (DECISIONS M). Anyone can send such a request, and
 * it is stored for an hour; nonce and state are returned with the response. No honest client comes near these lengths.
 */
import { LONGEST_DETAILS } from '../../domain/access/authorization-details.ts'
import type { Parameters } from '../../http/parameters.ts'

/** Characters. */
const LONGEST: ReadonlyMap<string, number> = new Map([
  ['state', 8192],
  ['claims', 4096],
  ['authorization_details', LONGEST_DETAILS],
  ['grant_id', 256],
  ['grant_management_action', 256],
  ['nonce', 2048],
  ['acr_values', 1024],
  ['login_hint', 1024],
  ['ui_locales', 1024],
  ['prompt', 1024],
  ['first_screen', 256],
  ['interaction_mode', 256],
  ['direct_sign_in', 256],
  ['organization_id', 256],
  ['one_time_token', 256],
])

/**
 * Under this name a pushed request keeps the thumbprint of the certificate that it came with. It is no parameter: opened-request.ts drops
 * what an application sends under it.
 */
export const CERTIFICATE_OF_REQUEST = 'x5t#S256'

/** Other parameters that are read: values that are already known, and those that may be as long as the request. */
const KNOWN_VALUES: ReadonlySet<string> = new Set([
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'resource', 'max_age'],
  ...['code_challenge', 'code_challenge_method', 'dpop_jkt', 'scope', 'id_token_hint'],
  CERTIFICATE_OF_REQUEST,
])

/** A message that names the first of these parameters that is too long; undefined when none is. */
export const excessOf = (parameters: Parameters, names: Iterable<string> = LONGEST.keys()): string | undefined => {
  for (const name of names) {
    const longest = LONGEST.get(name) ?? Number.POSITIVE_INFINITY
    if (parameters.get(name)?.some((value) => value.length > longest))
      return `the parameter ${name} is longer than ${longest} characters`
  }
  return undefined
}

/** A request without unused parameters, as it is stored once it has passed the checks. */
export const keepable = (parameters: Parameters): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries([...parameters].filter(([name]) => LONGEST.has(name) || KNOWN_VALUES.has(name)))
