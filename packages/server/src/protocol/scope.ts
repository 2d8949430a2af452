/** The `scope` parameter (RFC 6749 section 3.3), and which of the requested scopes are granted (SPEC 2.2, DECISIONS D7). */
import { TOKEN_REASONS } from '@countersign/contract/token-reasons.ts'
import type { ConsentScopes } from '../domain/access/consent-scopes.ts'
import type { OrganizationConsentScopes } from '../domain/organizations/access.ts'
import { isGrantScope } from '../domain/permissions/oidc-scopes.ts'
import { canonicalName } from '../domain/permissions/reserved-names.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { DroppedScope } from '../tokens/authorization.ts'

/** DECISIONS M. */
const MOST_SCOPES = 200
/** The longest name of a permission (DECISIONS D3); of longer names, the log keeps the beginning. */
const LONGEST_NAME = 256

/** The distinct requested scopes, in order. Throws invalid_scope for characters that no scope has, and for too many. */
export const parseScope = (value: string | undefined): string[] => {
  if (value === undefined) return []
  if (!/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(value)) {
    throw new OAuthError('invalid_scope', 'scope contains a character that no scope can have')
  }
  const scopes = [...new Set(value.split(' ').filter((scope) => scope !== ''))]
  if (scopes.length > MOST_SCOPES) throw new OAuthError('invalid_scope', `scope names more than ${MOST_SCOPES} scopes`)
  return scopes
}

/** The same reason for each of these, for the audit log. */
export const droppedFor = (why: string, scopes: readonly string[]): DroppedScope[] =>
  scopes.map((scope) => ({ scope: scope.slice(0, LONGEST_NAME), why }))

/** What a third-party application may request without being configured for it. */
const ALWAYS: ReadonlySet<string> = new Set(['openid', 'offline_access'])

/**
 * The scopes that an application may have for these resources: all of a first-party one, the configured ones of a
 * third-party one (DECISIONS F4). The rest is dropped silently (DECISIONS D7). @param limits undefined: a first-party
 * application @param inOrganizations what it may have in organizations, if such a scope is requested
 */
export const withinConsent = (
  scopes: readonly string[],
  limits: ConsentScopes | undefined,
  resourceIds: readonly string[],
  inOrganizations?: OrganizationConsentScopes,
): { scopes: readonly string[]; dropped: DroppedScope[] } => {
  if (!limits) return { scopes, dropped: [] }
  const may = (scope: string): boolean =>
    ALWAYS.has(scope) ||
    // about the application's own grants: it has them only if it manages grants
    isGrantScope(scope) ||
    limits.user.has(canonicalName(scope)) ||
    inOrganizations?.permissions.has(scope) ||
    [limits.byResource, inOrganizations?.byResource].some((each) => resourceIds.some((id) => each?.get(id)?.has(scope)))
  const dropped = droppedFor(
    TOKEN_REASONS.unconfigured,
    scopes.filter((scope) => !may(scope)),
  )
  return { scopes: scopes.filter(may), dropped }
}

/** Requested ∩ held, by exact name; the rest is dropped silently (DECISIONS D7). */
export const grantHeld = (
  requested: readonly string[],
  held: Pick<ReadonlySet<string>, 'has'>,
): { scopes: string[]; dropped: DroppedScope[] } => {
  const scopes = requested.filter((scope) => held.has(scope))
  if (scopes.length === requested.length) return { scopes, dropped: [] }
  const dropped = droppedFor(
    TOKEN_REASONS.not_held,
    requested.filter((scope) => !held.has(scope)),
  )
  return { scopes, dropped }
}

/**
 * The same for a token of a user, who must also have held the permission when they authorized: permissions gained since
 * need a new authorization (SPEC 3, DECISIONS G4). @param held name → id
 * @param grantedIds null: not recorded, so only what is held counts
 */
export const grantHeldSince = (
  requested: readonly string[],
  held: ReadonlyMap<string, string>,
  grantedIds: readonly string[] | null,
): { scopes: string[]; dropped: DroppedScope[] } => {
  const now = grantHeld(requested, held)
  if (grantedIds === null) return now
  const gained = now.scopes.filter((scope) => !grantedIds.includes(held.get(scope) ?? ''))
  if (gained.length === 0) return now
  const dropped = droppedFor(TOKEN_REASONS.gained_since, gained)
  return { scopes: now.scopes.filter((scope) => !gained.includes(scope)), dropped: [...now.dropped, ...dropped] }
}
