/**
 * Tokens: what a grant concludes (Authorization), the one mint that turns it into tokens, and the verification of the
 * server's own tokens. Depends on the domain for keys and storage for revocations; knows no grant and no HTTP.
 */
import type { AuthorizationDetail } from '../domain/access/authorization-details.ts'
import type { Client } from '../domain/applications/clients.ts'
import type { Confirmation } from '../domain/issued/confirmation.ts'
import type { TargetResource } from '../domain/permissions/resources.ts'
import type { Person } from './claims/person.ts'

/** A requested scope that is not granted, and why; for the audit log only (DECISIONS D5, D7). */
export interface DroppedScope {
  readonly scope: string
  readonly why: string
}

/** Who acts for the subject (RFC 8693 section 4.1); nested in it, the actor in the token that was exchanged. */
export interface Actor {
  readonly sub: string
  readonly act?: Actor
}

/** What a user's token depends on: the grant and the sign-in behind it. */
export interface UserGrant {
  readonly id: string
  readonly sessionId: string | null
  /** Whether tokens issued from it end with the session: it was authorized without offline_access. */
  readonly endsWithSession: boolean
  /** `auth_time`. */
  readonly authenticatedAt: Date
  readonly amr: readonly string[]
  readonly nonce: string | null
  /** Claims that the authorization request named one by one (requested-claims.ts). */
  readonly claims?: readonly string[] | null
  /** When the user signed in, if the authorization request asked for it; never of a refresh token. */
  readonly stepUpAt?: Date
  /** Whether the application manages the grant: it is told its id. */
  readonly isManaged?: boolean
}

/** What an access token is for: an API, or an organization itself (DECISIONS E2). */
export type Audience = Pick<TargetResource, 'indicator' | 'accessTokenTtl' | 'senderConstraint' | 'dpopNonceRequired'>

/** What every grant has established. */
interface Concluded {
  readonly client: Client
  /** The organization in which the scopes were granted, in addition to those of the tenant's roles. */
  readonly organizationId?: string
  readonly scopes: readonly string[]
  readonly dropped: readonly DroppedScope[]
  /** What was approved for the API of the token, beside the scopes (RFC 9396); undefined: none. */
  readonly details?: readonly AuthorizationDetail[] | undefined
  /** Why this kind of token for this resource, in plain words, for the audit log (DECISIONS D5). */
  readonly why: string
  /** What the access token is bound to; undefined: a bearer token. */
  readonly confirmation?: Confirmation | undefined
}

/** A machine acts for itself. Ids of users and of applications never coincide: 12 and 21 characters (SECURITY R-19). */
export interface MachineAuthorization extends Concluded {
  readonly kind: 'machine'
  readonly resource: Audience
}

/** A user gave an application a grant. */
export interface GrantAuthorization extends Concluded {
  readonly kind: 'grant'
  readonly userId: string
  readonly grant: UserGrant
  /** What the access token is for; undefined: an opaque token for userinfo (SPEC 2.3). */
  readonly resource: Audience | undefined
  /** The `jti` of the access token, if the grant has to record it. */
  readonly jti?: string
  /** The refresh token in the response. */
  readonly refreshToken?: string
  /** The secret of the device (Native SSO section 3.2): in the response, and as `ds_hash` in the ID token. */
  readonly deviceSecret?: string
  /** `issued_token_type` of the response, if tokens were exchanged for it. */
  readonly issuedTokenType?: string
  /** More for the audit entry. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** The claims of the ID token in the response, besides those that the mint adds. */
  readonly identity?: Readonly<Record<string, unknown>>
}

/** A token was exchanged for one of the same user: without a grant, a refresh token or an ID token (DECISIONS H6). */
export interface ExchangeAuthorization extends Concluded {
  readonly kind: 'exchange'
  readonly userId: string
  /** What the access token is for; undefined: an opaque token for userinfo, only for a personal access token. */
  readonly resource: Audience | undefined
  /** The original subject token, however often the token was exchanged since. */
  readonly subjectTokenId: string | undefined
  /** DECISIONS H5. */
  readonly act?: Actor
  /** Numeric date that the access token may not outlive, whatever the lifetime set for its resource. */
  readonly expiresAt?: number
  /** `issued_token_type` of the response (RFC 8693 section 2.2.1); undefined: it was an assertion of another issuer, not exchanged here. */
  readonly issuedTokenType?: string
  /** More for the audit entry: what was exchanged, and for whom. */
  readonly facts: Readonly<Record<string, unknown>>
  /** `context.grant` of custom claims (SPEC 4.4, DECISIONS J1). */
  readonly grantContext: { readonly type: string; readonly subjectTokenContext: Readonly<Record<string, unknown>> }
  /** What a custom claims script sees of the user, if it was read together with the rest. */
  readonly person?: Promise<Person | undefined>
}

/** An ID token was exchanged for an assertion about its user that another authorization server accepts (ID-JAG, DECISIONS H14). */
export interface AssertionAuthorization extends Concluded {
  readonly kind: 'assertion'
  readonly userId: string
  readonly resource: undefined
  /** `aud`: the issuer of the other authorization server. */
  readonly audience: string
  /** `client_id`: what the application is called there. */
  readonly clientIdThere: string
  /** `resource`: what it is for there; empty: anything. */
  readonly resources: readonly string[]
  /** What the ID token says of the sign-in. */
  readonly signIn: Readonly<Record<'auth_time' | 'acr' | 'amr', unknown>>
  readonly issuedTokenType: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** A grant that redeems something, in a transaction. */
export type RedeemedAuthorization = GrantAuthorization | ExchangeAuthorization | AssertionAuthorization

/** What a grant has established. Nothing else reaches the mint. */
export type Authorization = MachineAuthorization | RedeemedAuthorization

/** An Authorization whose access token is a JWT. */
export type JwtAuthorization =
  | MachineAuthorization
  | (GrantAuthorization & { readonly resource: Audience })
  | (ExchangeAuthorization & { readonly resource: Audience })

/** The user whom an authorization is for; undefined: the application itself. */
export const userOf = (authorization: Authorization): string | undefined =>
  authorization.kind === 'machine' ? undefined : authorization.userId
