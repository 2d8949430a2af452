import type { JSONWebKeySet } from 'jose'
import { checkDPoPOptions, type DPoPOptions } from '../dpop/options.ts'
import { misconfigured } from '../errors/misconfigured.ts'
import { checkedIssuer } from '../keys/issuer.ts'
import type { KeySource } from '../keys/key-source.ts'
import { localKeys } from '../keys/local-keys.ts'
import type { RemoteKeysOptions } from '../keys/remote-settings.ts'
import type { MutualTlsOptions } from '../mtls/options.ts'
import type { RevocationFeed } from '../revocations/revocation-feed.ts'
import { checkScopeNames } from '../token/scopes.ts'

/** What an API expects of an access token. Keys come from `keys`, `jwks`, `jwksUri`, or otherwise from discovery. */
export interface AccessTokenOptions extends RemoteKeysOptions {
  /** The issuer, exactly as in its metadata: `{base_url}/oidc` for Countersign. */
  readonly issuer: string
  /** The API's resource indicator, exactly as it is registered. */
  readonly audience: string
  /** Scopes that every token must hold, by their exact names. */
  readonly requiredScopes?: readonly string[]
  /** The only clients that may call the API. Without it, every client may. */
  readonly clientIds?: readonly string[]
  /** Tolerated clock skew for `exp` and `nbf`: 0 by default, at most 300. */
  readonly clockToleranceSeconds?: number
  /** How tokens that are bound to a key of the client are taken (RFC 9449). Without it they are refused. */
  readonly dpop?: DPoPOptions
  /** How tokens that are bound to a certificate of the client are taken (RFC 8705 §3). Without it they are refused. */
  readonly mtls?: MutualTlsOptions
  /** What refuses tokens that were revoked: `revocationFeed` of `@countersign/guard/revocations`. Without it they pass until `exp`. */
  readonly revocations?: Pick<RevocationFeed, 'check'>
  /** The clock. The system's by default. */
  readonly now?: () => Date
  /** A key source that several verifiers share: {@link remoteKeys}, or your own. */
  readonly keys?: KeySource
  /** The issuer's public keys, if they should not be fetched. */
  readonly jwks?: JSONWebKeySet
}

export type Expectations = ReturnType<typeof checkOptions>

/** The options with their defaults. Mistakes are refused when the verifier is created and not when a token arrives. */
export function checkOptions(options: AccessTokenOptions) {
  const { audience, requiredScopes = [], clientIds, clockToleranceSeconds = 0 } = options
  const issuer = checkedIssuer(options.issuer, options)
  if (typeof audience !== 'string' || audience === '')
    throw misconfigured("audience must be the API's resource indicator")
  if (clientIds?.length === 0) throw misconfigured('clientIds is empty: omit it to allow every client')
  if (!(clockToleranceSeconds >= 0 && clockToleranceSeconds <= 300)) {
    throw misconfigured('clockToleranceSeconds must be a number from 0 to 300')
  }
  const now = () => currentDate(options.now)
  return {
    issuer,
    audience,
    requiredScopes: checkScopeNames(requiredScopes),
    clientIds: clientIds && [...clientIds],
    clockToleranceSeconds,
    now,
    dpop: options.dpop && checkDPoPOptions(options.dpop, now),
    mtls: options.mtls,
    revocations: options.revocations,
  }
}

function currentDate(now = () => new Date()): Date {
  const date = now()
  if (Number.isNaN(date.getTime())) throw misconfigured('now must return a valid Date')
  return date
}

/** The key source that the options name, or `undefined` if keys have to be fetched. */
export function givenKeys({ keys, jwks, jwksUri }: AccessTokenOptions): KeySource | undefined {
  if ([keys, jwks, jwksUri].filter((source) => source !== undefined).length > 1) {
    throw misconfigured('keys, jwks and jwksUri exclude one another')
  }
  return keys ?? (jwks === undefined ? undefined : localKeys(jwks))
}
