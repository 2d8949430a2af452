/**
 * Who does something, from where and by which route: what the audit log and the envelope of events record about the
 * caller.
 */

export interface Actor {
  /** `directory`: one that provisions users by SCIM. */
  readonly type: 'application' | 'user' | 'system' | 'directory'
  readonly id?: string
}

/** Something that a request names, as `user` and its id. */
export interface NamedEntity {
  readonly type: string
  readonly id: string
}

export interface Caller {
  readonly actor: Actor
  /** The actor is claimed by the request and not proved: a public client, which anyone may claim to be. */
  readonly isUnproven?: true
  /** What is being done, the key of the audit entry: `ManagementApi.createRole`, `System.bootstrap`. */
  readonly action: string
  readonly requestId?: string
  readonly ip?: string
  readonly userAgent?: string
  readonly application?: {
    readonly id: string
    readonly type: string
    readonly name: string
    readonly description: string | null
  }
  /** Permissions of the Management API that the token carries; absent if that API was not called. */
  readonly permissions?: readonly string[]
  /**
   * An administrator who signed in longer ago than what is dangerous asks for: at most how many seconds ago that is to be (RFC 9470).
   */
  readonly needsSignIn?: { readonly maxAge: number }
  /** The interaction in which a user does it. */
  readonly interaction?: {
    readonly sessionId: string
    readonly applicationId: string
    /** Absent while it is not yet known what the user is about to do. */
    readonly interactionEvent?: 'SignIn' | 'Register' | 'ForgotPassword'
  }
  /** What the request names in its path and its body: what the audit log finds it by. */
  readonly named?: readonly NamedEntity[]
  /** The request as events show it: paths without `/api`. */
  readonly request?: {
    readonly method: string
    readonly path: string
    readonly matchedRoute: string
    readonly params: Readonly<Record<string, string>>
    readonly status: number
  }
}

/** Whether anyone could have made the request: it came from outside, and the sender is not authenticated. */
export const isAnonymous = ({ ip, actor, isUnproven }: Caller): boolean =>
  ip !== undefined && (isUnproven === true || actor.id === undefined)

/** The caller of a request that is answered with a status other than its route's. */
export const withStatus = (caller: Caller, status: number): Caller =>
  caller.request ? { ...caller, request: { ...caller.request, status } } : caller

/** The server itself: bootstrap, the command line, background work. */
export const systemCaller = (action: string): Caller => ({ actor: { type: 'system' }, action: `System.${action}` })
