/**
 * The resource's side of the identity assertion authorization grant (draft-ietf-oauth-identity-assertion-authz-grant section 4.4, DECISIONS
 * H14): which assertions of the identity providers of companies are believed, and whom they are about.
 */

import { keysOfIssuer } from '../domain/applications/issuer-keys.ts'
import { accountOf } from '../domain/federation/account.ts'
import { oidcProviderOf } from '../domain/federation/enterprise/config.ts'
import { type SsoConnector, ssoConnectorOfSignIn } from '../domain/federation/enterprise/connectors.ts'
import { FederationFailure } from '../domain/federation/failure.ts'
import { toNumericDate } from '../kernel/clock.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import { ID_JAG_HEADER } from '../tokens/identity-assertion.ts'
import { type ParsedJws, parseJws } from '../tokens/jws.ts'
import { CLOCK_TOLERANCE } from './client-jwt.ts'
import { refuseAudience, refuseSignature, refuseTime, shown } from './foreign-jwt.ts'
import type { GrantRequest } from './grants/grant.ts'
import { parseScope } from './scope.ts'

/** What discovery calls it. */
export const ID_JAG_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag'
const LONGEST_ASSERTION = 8192
/** How far ahead `exp` may be, and so the longest that a `jti` is remembered. Seconds. */
const LONGEST_LIFE = 3600

type Place = Pick<GrantRequest, 'store' | 'tenant' | 'client' | 'now'>

export const refuseIdentity = (reason: string): OAuthError =>
  new OAuthError('invalid_grant', 'the assertion is not valid for this request', { reason })

/** An assertion whose issuer is one that the application may bring assertions of. Nothing of it is verified. */
interface Claimed {
  readonly jws: ParsedJws
  readonly connector: SsoConnector
}

/** Throws invalid_grant. */
const claimedIn = async ({ store, tenant, client }: Place, assertion: string): Promise<Claimed> => {
  const jws = assertion.length <= LONGEST_ASSERTION ? parseJws(assertion) : undefined
  if (jws?.header.typ !== ID_JAG_HEADER) throw refuseIdentity('it is not an identity assertion (oauth-id-jag+jwt)')
  for (const id of client.metadata.identityAssertionConnectors ?? []) {
    const connector = await ssoConnectorOfSignIn(store, tenant, id)
    if (!connector?.isComplete || connector.preset.providerType !== 'oidc') continue
    if (oidcProviderOf(connector).at.issuer === jws.claims.iss) return { jws, connector }
  }
  throw refuseIdentity(`no connector of identityAssertionConnectors has the issuer ${shown(jws.claims.iss)}`)
}

const refuseSigner = ({ store }: Place, assertion: string, { connector }: Claimed): Promise<string | undefined> => {
  const { issuer } = oidcProviderOf(connector).at
  return refuseSignature((isEnough) => keysOfIssuer(store, { issuer }, isEnough), assertion)
}

/** Fetches the keys of the issuer, if they are not known; of an assertion that nobody could accept, none. */
export const fetchIssuerKeys = async (place: Place, assertion: string): Promise<void> => {
  await refuseSigner(place, assertion, await claimedIn(place, assertion))
}

/** Why the claims, whose signature is that of the issuer, are not for this request; undefined: they are. */
const refuseClaims = ({ tenant, client, now }: Place, claims: ParsedJws['claims']): string | undefined => {
  const { client_id: clientId, jti, iat, sub, act } = claims
  if (typeof sub !== 'string' || sub === '') return `sub is ${shown(sub)}`
  if (clientId !== client.id) return `client_id is ${shown(clientId)}, not that of the application`
  if (typeof jti !== 'string' || jti === '' || jti.length > 256) return `jti is ${shown(jti)}`
  if (iat === undefined) return 'iat is missing'
  // an actor there is nobody whom a token of this server could name
  if (act !== undefined) return `act is ${shown(act)}, an actor of the other issuer`
  return refuseAudience(claims, tenant.issuer) ?? refuseTime(claims, toNumericDate(now), LONGEST_LIFE)
}

/** Whom and what an assertion is about. */
export interface ProvedIdentity {
  readonly connectorId: string
  readonly account: { readonly issuer: string; readonly id: string }
  /** What makes it one of a kind, among those of all issuers. */
  readonly id: string
  readonly until: Date
  /** The APIs that it is for; undefined: any. */
  readonly resources: readonly string[] | undefined
  /** The scopes that it is for; undefined: any. */
  readonly scopes: readonly string[] | undefined
  /** For the audit entry. */
  readonly facts: Readonly<Record<string, unknown>>
}

const resourcesOf = (value: unknown): readonly string[] | undefined => {
  if (value === undefined) return undefined
  const values: unknown[] = Array.isArray(value) ? value : [value]
  if (!values.every((each) => typeof each === 'string')) throw refuseIdentity(`resource is ${shown(value)}`)
  return values
}

const scopesOf = (value: unknown): readonly string[] | undefined => {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw refuseIdentity(`scope is ${shown(value)}`)
  return parseScope(value)
}

/** The id under which the connector knows the account, as at a sign-in. Throws invalid_grant. */
const accountIn = (connector: SsoConnector, claims: ParsedJws['claims']) => {
  const provider = oidcProviderOf(connector)
  try {
    return { issuer: provider.at.issuer, id: accountOf(provider, claims).id }
  } catch (error) {
    throw error instanceof FederationFailure ? refuseIdentity(error.message) : error
  }
}

/** What the assertion proves. Throws invalid_grant. Does not check whether it was used before, nor whether the account has a user here. */
export const proveIdentity = async (place: Place, assertion: string): Promise<ProvedIdentity> => {
  const claimed = await claimedIn(place, assertion)
  const { jws, connector } = claimed
  const { claims } = jws
  const reason = (await refuseSigner(place, assertion, claimed)) ?? refuseClaims(place, claims)
  if (reason !== undefined) throw refuseIdentity(reason)
  const { iss, sub, jti, exp } = claims
  return {
    connectorId: connector.id,
    account: accountIn(connector, claims),
    id: `${iss} ${jti}`,
    until: new Date((Number(exp) + CLOCK_TOLERANCE) * 1000),
    resources: resourcesOf(claims.resource),
    scopes: scopesOf(claims.scope),
    facts: { ssoConnectorId: connector.id, assertionIssuer: iss, assertionSubject: sub, assertionJti: jti },
  }
}
