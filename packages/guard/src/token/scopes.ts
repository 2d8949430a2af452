import { GuardError, type TokenScheme } from '../errors/guard-error.ts'
import { misconfigured } from '../errors/misconfigured.ts'

// RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E )
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** The scopes of a `scope` claim: split only on spaces. */
export const splitScopes = (scope: string): ReadonlySet<string> =>
  new Set(scope.split(' ').filter((name) => name !== ''))

/** Refuses names that no token could ever hold, such as two in one string. */
export function checkScopeNames(scopes: readonly string[]): readonly string[] {
  const wrong = scopes.find((scope) => !scopeToken.test(scope))
  if (wrong !== undefined) throw misconfigured(`${JSON.stringify(wrong)} is not the name of a scope (RFC 6749 §3.3)`)
  return [...scopes]
}

/**
 * Throws `scope_missing` unless the token holds every one of the scopes. Names are compared exactly: no prefix, no
 * wildcard, no case folding. For "one of several", check `token.scopes` yourself.
 *
 * The token's scopes are those that the user or client held when it was issued. Whether that is still so is not
 * checked.
 */
export function requireScopes(
  token: { readonly scopes: ReadonlySet<string>; readonly scheme?: TokenScheme },
  ...scopes: readonly string[]
): void {
  const requiredScopes = checkScopeNames(scopes)
  const missing = requiredScopes.filter((scope) => !token.scopes.has(scope))
  if (missing.length === 0) return
  const { scheme, scopes: held } = token
  throw new GuardError('scope_missing', {
    requiredScopes,
    cause: { missing, held: [...held] },
    ...(scheme && { scheme }),
  })
}
