/** The `scope` parameter (RFC 6749 section 3.3), and which of the requested scopes are granted (SPEC 2.2, DECISIONS D7). */
import { OAuthError } from '../kernel/oauth-error.ts'
import type { DroppedScope } from '../tokens/authorization.ts'

/** DECISIONS M. */
const MOST_SCOPES = 200
/** No permission's name is longer (DECISIONS D3); of what is, the log keeps the beginning. */
const LONGEST_NAME = 256

/** The distinct requested scopes, in order. Throws invalid_scope for characters that no scope has, and for too many. */
export const parseScope = (value: string | undefined): string[] => {
  if (value === undefined) return []
  if (!/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(value)) {
    throw new OAuthError('invalid_scope', 'scope holds a character that no scope can have')
  }
  const scopes = [...new Set(value.split(' ').filter((scope) => scope !== ''))]
  if (scopes.length > MOST_SCOPES) throw new OAuthError('invalid_scope', `scope names more than ${MOST_SCOPES} scopes`)
  return scopes
}

/** Requested ∩ held, by exact name; the rest is dropped without a word to the client (DECISIONS D7). */
export const grantHeld = (
  requested: readonly string[],
  held: ReadonlySet<string>,
): { scopes: string[]; dropped: DroppedScope[] } => {
  const scopes = requested.filter((scope) => held.has(scope))
  if (scopes.length === requested.length) return { scopes, dropped: [] }
  const dropped = requested
    .filter((scope) => !held.has(scope))
    .map((scope) => ({
      scope: scope.slice(0, LONGEST_NAME),
      why: 'no role of the subject holds a permission of exactly this name for the resource',
    }))
  return { scopes, dropped }
}
