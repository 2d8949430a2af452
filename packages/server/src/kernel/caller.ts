/** Who does something, from where and by which route: what the audit log and the envelope of events say about it. */

export interface Actor {
  readonly type: 'application' | 'user' | 'system'
  readonly id?: string
}

/** Something that a request names, as `user` and its id. */
export interface NamedEntity {
  readonly type: string
  readonly id: string
}

export interface Caller {
  readonly actor: Actor
  /** The actor is what the request says and nothing proves: a public client, which anyone may call itself. */
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
  /** Of the Management API, as its token carries them; absent where that API was not called. */
  readonly permissions?: readonly string[]
  /** The interaction in which a person does it. */
  readonly interaction?: {
    readonly sessionId: string
    readonly applicationId: string
    /** Absent while it is not known yet what the person is about to do. */
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

/** Whether anyone could have made the request: it came from outside, and nothing proves who sent it. */
export const isAnonymous = ({ ip, actor, isUnproven }: Caller): boolean =>
  ip !== undefined && (isUnproven === true || actor.id === undefined)

/** The caller of a request that is answered with another status than its route promises. */
export const withStatus = (caller: Caller, status: number): Caller =>
  caller.request ? { ...caller, request: { ...caller.request, status } } : caller

/** The server itself: bootstrap, the command line, scheduled work. */
export const systemCaller = (action: string): Caller => ({ actor: { type: 'system' }, action: `System.${action}` })
