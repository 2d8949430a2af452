/**
 * A provider at which users sign in, from the client's side: its endpoints, how the client authenticates, and where
 * it has which data of a user. Built from a connector, of whatever kind.
 */

/**
 * Where the provider has which data: a name, names with dots that lead into objects, or a text with such names in
 * braces.
 */
export interface ClaimMap {
  readonly id: string
  readonly email?: string
  /** Missing: it verifies no address. */
  readonly emailVerified?: string
  readonly phone?: string
  readonly phoneVerified?: string
  readonly name?: string
  readonly avatar?: string
}

/**
 * How the client authenticates at the token endpoint: with a secret, or, as Apple requires, with a JWT signed by a key.
 */
export type ClientCredential =
  | { readonly method: 'client_secret_basic' | 'client_secret_post'; readonly secret: string }
  | { readonly method: 'apple'; readonly teamId: string; readonly keyId: string; readonly privateKey: string }

export interface Endpoints {
  readonly authorization: string
  readonly token: string
  readonly userInfo: string
  /** A list of the user's addresses in GitHub's form: `email`, `primary`, `verified`. */
  readonly emails?: string
}

export interface Provider {
  /** An OpenID provider is discovered by its issuer; others have configured endpoints. */
  readonly at:
    | { readonly protocol: 'oidc'; readonly issuer: string }
    | { readonly protocol: 'oauth2'; readonly endpoints: Endpoints }
  readonly clientId: string
  readonly credential: ClientCredential
  readonly scope: string
  /** Further parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>
  readonly usesPkce: boolean
  readonly claims: ClaimMap
  /** Whether addresses that it reports as verified count as verified. */
  readonly isTrusted: boolean
  /** Whether addresses of which it does not report that they are unverified count as verified too: it is a company's own. */
  readonly isAuthority?: boolean
  /** Whether its ID tokens lack `auth_time` also where a new sign-in was requested. */
  readonly omitsAuthTime?: boolean
  /** A claim that has to have one of these values, or the user is not let in. */
  readonly demands?: { readonly claim: string; readonly oneOf: readonly string[] }
}

/** A provider's data of a user. */
export interface FederatedAccount {
  /** Permanent identifier at the provider. */
  readonly id: string
  readonly email?: string
  /** Whether the provider has verified it, and is trusted for that. */
  readonly isEmailVerified: boolean
  /** Digits only, country code first. */
  readonly phone?: string
  readonly isPhoneVerified: boolean
  readonly name?: string
  readonly avatar?: string
  /** Everything that it returned, unless that is too large to store. */
  readonly rawData?: Readonly<Record<string, unknown>>
}

/** A name of SAML as it came, so that it can be repeated (saml-core-2.0-os, section 2.2.3). */
export interface SamlNameId {
  readonly value: string
  readonly format?: string
  readonly nameQualifier?: string
  readonly spNameQualifier?: string
}

/** An account at the identity provider of a company. Its address is verified only if it is at a domain of the connector. */
export interface EnterpriseAccount extends FederatedAccount {
  /** The provider, by the name that its answers are held against. */
  readonly issuer: string
  /** What the provider calls its session: `sid`, SessionIndex. */
  readonly sessionId?: string
  /** Of SAML: by which the provider refers to the user when a session ends. */
  readonly nameId?: SamlNameId
  /** Of SAML: when the user signed in there, in milliseconds since 1970. */
  readonly authenticatedAt?: number
}
