import type { AccessTokenClaims } from '../token/claims.ts'

/** What is known of tokens that were revoked: made by `revocationFeed` of `@countersign/guard/revocations`, or your own. */
export interface RevocationFeed {
  /**
   * Refuses the token of these claims if it was revoked: throws `token_revoked`, or `revocations_unavailable` if that cannot be
   * known. Waits once, after the start, until everything that has ended is known.
   */
  check(claims: AccessTokenClaims): Promise<void>
  /** Whether everything is known that had ended a short while ago. */
  readonly isCurrent: boolean
  /** The revocations that are kept, and the bytes that they take. */
  readonly size: number
  readonly bytes: number
  /** Ends the reading. Without it the process goes on for as long as a request waits. */
  close(): void
}
