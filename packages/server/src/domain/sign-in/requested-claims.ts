/**
 * Claims that an authorization request names one by one (OpenID Connect Core section 5.5). They are stored as `place.name`, with the
 * classes of authentication that the request lists as `acr.class`.
 */
import { ORGANIZATION_ROLES_SCOPE, ORGANIZATIONS_SCOPE } from '@countersign/contract/reserved-names.ts'
import { isGrantScope } from '../permissions/oidc-scopes.ts'
import { ACR_VALUES } from './acr.ts'

/** Where a claim is asked for: the prefix by which it is stored. */
const PLACES = { idToken: 'id_token.', userinfo: 'userinfo.' } as const
type Place = keyof typeof PLACES
const ACR = 'acr.'

/** The scope that stands for a claim, among others. In the order in which discovery lists the claims. */
const SCOPES: ReadonlyMap<string, string> = new Map([
  ...['name', 'username', 'family_name', 'given_name', 'middle_name', 'nickname', 'preferred_username', 'profile'].map(
    (claim) => [claim, 'profile'] as const,
  ),
  ...['picture', 'website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'created_at', 'updated_at'].map(
    (claim) => [claim, 'profile'] as const,
  ),
  ['email', 'email'],
  ['email_verified', 'email'],
  ['phone_number', 'phone'],
  ['phone_number_verified', 'phone'],
  ['address', 'address'],
  ['custom_data', 'custom_data'],
  ['identities', 'identities'],
  ['roles', 'roles'],
  ['organizations', ORGANIZATIONS_SCOPE],
  ['organization_data', ORGANIZATIONS_SCOPE],
  ['organization_roles', ORGANIZATION_ROLES_SCOPE],
])

/** The claims about a user that a request can name. */
export const USER_CLAIMS: readonly string[] = [...SCOPES.keys()]

/** As a claim is stored; undefined for one that does not exist, which is ignored. */
export const namedClaim = (place: Place, name: string): string | undefined =>
  SCOPES.has(name) ? `${PLACES[place]}${name}` : undefined

/** As a class of authentication is stored. */
export const namedAcr = (acr: string): string => `${ACR}${acr}`

/** The names of the claims that are asked for in one place. */
export const claimsNamedFor = (place: Place, named: readonly string[] | null): string[] =>
  (named ?? []).flatMap((each) => (each.startsWith(PLACES[place]) ? [each.slice(PLACES[place].length)] : []))

/** The classes of authentication that the request lists. */
export const requestedAcrs = (named: readonly string[] | null = null): readonly string[] =>
  named ? ACR_VALUES.filter((value) => named.includes(namedAcr(value))) : []

/** The scopes that stand for these claims, each once. */
export const scopesOfClaims = (claims: readonly string[]): string[] => [
  ...new Set(claims.flatMap((claim) => SCOPES.get(claim) ?? [])),
]

/** The same for claims as they are stored, in whatever place. */
export const scopesOfNamed = (named: readonly string[] | null): string[] =>
  named ? scopesOfClaims([...claimsNamedFor('idToken', named), ...claimsNamedFor('userinfo', named)]) : []

/** Without the claims that a third-party application may not ask for. @param scopes those that it may ask for */
export const claimsWithin = (named: readonly string[], scopes: ReadonlySet<string>): readonly string[] =>
  named.filter((each) => scopesOfNamed([each]).every((scope) => scopes.has(scope)))

/** What the user of a third-party application is asked about: a claim is asked about as the scope that stands for it. */
export const scopesToConsent = ({
  scopes,
  claims,
}: {
  readonly scopes: readonly string[]
  readonly claims?: readonly string[]
}): readonly string[] => {
  const named = claims ? [...new Set([...scopes, ...scopesOfNamed(claims)])] : scopes
  // they give an application nothing but what it was granted
  return named.some(isGrantScope) ? named.filter((scope) => !isGrantScope(scope)) : named
}
