/** The `act` claim (RFC 8693 §4.1). */
export interface ActorClaim {
  readonly sub: string
  readonly act?: ActorClaim
  readonly [claim: string]: unknown
}

/** The actual actor: in a token of an impersonation, the user who acts as `subject`. */
export interface Actor {
  readonly subject: string
  /** The previous actor, when the chain is longer. RFC 8693 §4.1: for information, not for access control. */
  readonly actor: Actor | undefined
}

/** Whether a value is an `act` claim with a `sub`, all the way down. */
export function isActorClaim(value: unknown): value is ActorClaim {
  if (typeof value !== 'object' || value === null || !('sub' in value)) return false
  if (typeof value.sub !== 'string' || value.sub === '') return false
  return !('act' in value) || value.act === undefined || isActorClaim(value.act)
}

export const actorOf = (claim: ActorClaim): Actor => ({
  subject: claim.sub,
  actor: claim.act === undefined ? undefined : actorOf(claim.act),
})
