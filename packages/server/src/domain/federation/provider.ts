/**
 * A provider at which users sign in, as the client side sees it: where its endpoints are, how the client authenticates, and
 * where it says what about a user. Built from a connector; nothing here knows which kind.
 */

/** Where the provider says what: a name, names with dots that lead into objects, or a text with such in braces. */
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

/** How the client authenticates at the token endpoint: with a secret, or as Apple wants it, with a JWT signed by a key. */
export type ClientCredential =
  | { readonly method: 'client_secret_basic' | 'client_secret_post'; readonly secret: string }
  | { readonly method: 'apple'; readonly teamId: string; readonly keyId: string; readonly privateKey: string }

export interface Endpoints {
  readonly authorization: string
  readonly token: string
  readonly userInfo: string
  /** A list of the user's addresses as GitHub has it: `email`, `primary`, `verified`. */
  readonly emails?: string
}

export interface Provider {
  /** An OpenID provider is found by its issuer; of others the endpoints are known. */
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
  /** Whether addresses that it says it has verified count as verified. */
  readonly isTrusted: boolean
}

/** What a provider says about a user. */
export interface FederatedAccount {
  /** At the provider, for ever. */
  readonly id: string
  readonly email?: string
  /** Whether the provider has verified it, and is trusted to say so. */
  readonly isEmailVerified: boolean
  /** Digits only, country code first. */
  readonly phone?: string
  readonly isPhoneVerified: boolean
  readonly name?: string
  readonly avatar?: string
  /** Everything that it said, unless that is too much to keep. */
  readonly rawData?: Readonly<Record<string, unknown>>
}
