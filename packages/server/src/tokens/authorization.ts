/**
 * Tokens: what a grant concludes (Authorization), the one mint that turns it into tokens, and the verification of our
 * own. Depends on the domain for keys and storage for revocations; knows no grant and no HTTP.
 */
import type { Client } from '../domain/applications/clients.ts'
import type { TargetResource } from '../domain/permissions/resources.ts'
import type { Person } from './claims/person.ts'

/** A requested scope that is not granted, and why; for the audit log only (DECISIONS D5, D7). */
export interface DroppedScope {
  readonly scope: string
  readonly why: string
}

/** Who acts for the subject (RFC 8693 section 4.1); before them, the one who acted for the subject of the token they brought. */
export interface Actor {
  readonly sub: string
  readonly act?: Actor
}

/** What a token of a user hangs on: the grant and the sign-in behind it. */
export interface UserGrant {
  readonly id: string
  readonly sessionId: string | null
  /** Whether what is issued of it ends with the session: it was authorized without offline_access. */
  readonly endsWithSession: boolean
  /** `auth_time`. */
  readonly authenticatedAt: Date
  readonly amr: readonly string[]
  readonly nonce: string | null
}

/** What an access token is for: an API, or an organization itself (DECISIONS E2). */
export type Audience = Pick<TargetResource, 'indicator' | 'accessTokenTtl'>

/** What every grant has established. */
interface Concluded {
  readonly client: Client
  /** The organization that the scopes were granted in, beside those of the tenant's roles. */
  readonly organizationId?: string
  readonly scopes: readonly string[]
  readonly dropped: readonly DroppedScope[]
  /** Why this kind of token for this resource, in plain words, for the audit log (DECISIONS D5). */
  readonly why: string
}

/** A machine speaks for itself. Ids of users and of applications never coincide: 12 and 21 characters (SECURITY R-19). */
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
  /** The `jti` of the access token, where the grant has to remember it. */
  readonly jti?: string
  /** The refresh token that goes with the answer. */
  readonly refreshToken?: string
  /** The claims of the ID token that goes with the answer, beside those that the mint knows. */
  readonly identity?: Readonly<Record<string, unknown>>
}

/** A token was exchanged for one of the same user: without a grant, a refresh token or an ID token (DECISIONS H6). */
export interface ExchangeAuthorization extends Concluded {
  readonly kind: 'exchange'
  readonly userId: string
  /** What the access token is for; undefined: an opaque token for userinfo, of a personal access token alone. */
  readonly resource: Audience | undefined
  /** The subject token that it began with, however often it was exchanged on since. */
  readonly subjectTokenId: string | undefined
  /** DECISIONS H5. */
  readonly act?: Actor
  /** Numeric date that the access token may not outlive, however long those of its resource live. */
  readonly expiresAt?: number
  /** `issued_token_type` of the answer (RFC 8693 section 2.2.1). */
  readonly issuedTokenType: string
  /** More for the audit entry: what was exchanged, on whose word. */
  readonly facts: Readonly<Record<string, unknown>>
  /** `context.grant` of custom claims (SPEC 4.4, DECISIONS J1). */
  readonly grantContext: { readonly type: string; readonly subjectTokenContext: Readonly<Record<string, unknown>> }
  /** What a script of custom claims is told of the user, where it was read together with the rest. */
  readonly person?: Promise<Person | undefined>
}

/** What redeems something, in a transaction. */
export type RedeemedAuthorization = GrantAuthorization | ExchangeAuthorization

/** What a grant has established. Nothing else reaches the mint. */
export type Authorization = MachineAuthorization | RedeemedAuthorization

/** One whose access token is a JWT. */
export type JwtAuthorization =
  | MachineAuthorization
  | (GrantAuthorization & { readonly resource: Audience })
  | (ExchangeAuthorization & { readonly resource: Audience })

/** The user that an authorization speaks for; undefined: the application itself. */
export const userOf = (authorization: Authorization): string | undefined =>
  authorization.kind === 'machine' ? undefined : authorization.userId
