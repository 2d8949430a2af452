/** What the grants for users share: from authorized scopes to an Authorization (SPEC 2.2, 3). */

import { ORGANIZATIONS_SCOPE } from '@countersign/contract/reserved-names.ts'
import { TOKEN_REASONS } from '@countersign/contract/token-reasons.ts'
import type { AuthorizationDetail } from '../../domain/access/authorization-details.ts'
import { type ConsentScopes, consentScopes } from '../../domain/access/consent-scopes.ts'
import { consentedInOrganizations, consentedOf } from '../../domain/access/requested-consent.ts'
import { type OrganizationConsentScopes, organizationConsentScopes } from '../../domain/organizations/access.ts'
import { isOidcScope } from '../../domain/permissions/oidc-scopes.ts'
import { type Holder, idTokenClaimsOf, readHolder } from '../../domain/sign-in/identity.ts'
import { claimsWithin } from '../../domain/sign-in/requested-claims.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { ShapeSender } from '../../storage/statement.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { DroppedScope, GrantAuthorization, UserGrant } from '../../tokens/authorization.ts'
import { assertFactor, assertMember, audienceOf, heldBy, missingOrganizationsScope } from '../organization-token.ts'
import { droppedFor, grantHeld, grantHeldSince, withinConsent } from '../scope.ts'
import { detailsOfToken } from '../token-details.ts'
import type { UserTokenTarget } from '../user-token-target.ts'
import { administratorScopes } from './administrator-permissions.ts'
import type { GrantRequest } from './grant.ts'

/** What it reads by: a unit, or a connection where nothing is redeemed. */
type Reader = ShapeSender & Pick<Unit, 'tenant'>

interface Authorized {
  readonly userId: string
  /**
   * The user, if already read, with what they hold for possibleResource; a grant that can find the user by what it
   * redeems sends the two statements together and saves a round trip. If omitted, read here.
   */
  readonly holder?: Promise<Holder | undefined>
  readonly grant: UserGrant
  /** The scopes of this token: those of the authorization request, or fewer. */
  readonly scopes: readonly string[]
  /**
   * Ids of the permissions that the user held at the authorization; null: not recorded, so what they hold now counts.
   */
  readonly grantedScopeIds: readonly string[] | null
  /** What the user consented to for a third-party application; null: not recorded, so no API was consented to. */
  readonly consentedIds: readonly string[] | null
  readonly target: UserTokenTarget
  /** What the token may have of what the user approved, for whatever API. */
  readonly details: readonly AuthorizationDetail[]
  readonly refreshToken: string | undefined
}

/** What a third-party application may have; does not apply to a first-party one. */
interface Limits {
  readonly own?: ConsentScopes | undefined
  readonly inOrganizations?: OrganizationConsentScopes | undefined
}

/**
 * What a third-party application may have, as far as the user agreed to it. Throws invalid_grant for an API or an
 * organization about which they were never asked: a new authorization asks them.
 */
const limitsOf = async (
  { store, tenant, client }: GrantRequest,
  { consentedIds, target: { resource, organizationId } }: Pick<Authorized, 'consentedIds' | 'target'>,
): Promise<Limits> => {
  const own = await consentScopes(store, tenant, client)
  if (!own) return {}
  const ids = new Set(consentedIds)
  if (resource ? !ids.has(resource.id) : organizationId !== undefined && consentedIds === null) {
    const reason =
      'the user did not agree to this use by the application, or did so in a version that recorded only names'
    throw new OAuthError('invalid_grant', 'the user has to agree to this; a new authorization asks them', { reason })
  }
  const inOrganizations =
    organizationId === undefined ? undefined : await organizationConsentScopes(store, tenant, client)
  return {
    own: consentedOf(own, ids),
    inOrganizations: inOrganizations && consentedInOrganizations(inOrganizations, ids),
  }
}

interface Granted {
  readonly scopes: readonly string[]
  readonly dropped: readonly DroppedScope[]
}

/**
 * The permissions of a token in an organization: those that the user holds there, also those gained since they authorized,
 * and, for an API, those of their other roles as in a token without an organization. Throws access_denied.
 */
const grantInOrganization = (
  requested: readonly string[],
  holder: Holder,
  { client }: GrantRequest,
  { grantedScopeIds, target: { resource } }: Pick<Authorized, 'grantedScopeIds' | 'target'>,
  { own, inOrganizations }: Limits,
): Granted => {
  const membership = assertMember(holder.membership, client.isThirdParty)
  if (own && !own.user.has(ORGANIZATIONS_SCOPE)) throw missingOrganizationsScope()
  const there = heldBy(membership, resource, inOrganizations)
  const ofTenant = own
    ? new Map([...holder.permissions].filter(([name]) => resource && own.byResource.get(resource.id)?.has(name)))
    : holder.permissions
  const elsewhere = grantHeldSince(requested, resource ? ofTenant : new Map(), grantedScopeIds)
  const global = new Set(elsewhere.scopes)
  const { scopes } = grantHeld(requested, { has: (scope) => there.has(scope) || global.has(scope) })
  return { scopes, dropped: elsewhere.dropped.filter(({ scope }) => !scopes.includes(scope)) }
}

/**
 * Concludes for a user: the scopes that a third-party application may still have and that the user held when they
 * authorized and still holds (DECISIONS G4, SECURITY R-13), and the identity if openid is among them. Throws
 * invalid_grant for a user who is deleted or suspended, and access_denied for an application that they may not use or
 * an organization that they may not act in. Does not check that the grant is live and belongs to the client: the caller
 * that redeemed it has.
 */
export const authorizeUser = async (
  reader: Reader,
  request: GrantRequest,
  authorized: Authorized,
): Promise<GrantAuthorization> => {
  const { tenant, client } = request
  const { userId, grant, scopes, grantedScopeIds, target, refreshToken } = authorized
  const { resource, organizationId, why } = target
  const holder = await (authorized.holder ??
    readHolder(reader, tenant, { userId, scopes, client, resourceId: resource?.id, organizationId }))
  if (holder?.user.id !== userId || holder.user.is_suspended) {
    throw new OAuthError('invalid_grant', 'the user cannot get tokens', { reason: 'the user is deleted or suspended' })
  }
  if (!holder.isAdmitted) {
    const reason = 'the access rules of the application do not admit the user'
    throw new OAuthError('access_denied', 'the user may not use this application', { reason })
  }
  if (organizationId !== undefined) await assertFactor(request, holder.membership, grant.amr)
  const { own, inOrganizations } = await limitsOf(request, authorized)
  const asked = withinConsent(scopes, own, resource ? [resource.id] : [], inOrganizations)
  const oidc = asked.scopes.filter(isOidcScope)
  const claims = own && grant.claims ? claimsWithin(grant.claims, own.user) : (grant.claims ?? null)
  const permissions = asked.scopes.filter((scope) => !isOidcScope(scope))
  const grantAll = (): Granted => {
    if (organizationId !== undefined)
      return grantInOrganization(permissions, holder, request, authorized, { own, inOrganizations })
    return resource
      ? grantHeldSince(permissions, holder.permissions, grantedScopeIds)
      : { scopes: oidc, dropped: droppedFor(TOKEN_REASONS.opaque_without_permissions, permissions) }
  }
  const ofAdministrator =
    organizationId === undefined ? await administratorScopes(reader, client, resource, userId, permissions) : undefined
  const granted = ofAdministrator ?? grantAll()
  return {
    kind: 'grant',
    userId,
    client,
    resource: resource ?? (organizationId === undefined ? undefined : audienceOf(organizationId)),
    ...(organizationId === undefined ? {} : { organizationId }),
    scopes: granted.scopes,
    dropped: [...asked.dropped, ...granted.dropped],
    why,
    ...(await detailsOfToken(request, authorized.details, resource?.id)),
    grant: { ...grant, claims },
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(oidc.includes('openid') ? { identity: idTokenClaimsOf(holder, client, oidc, claims) } : {}),
  }
}
