/**
 * The `jti` of JWT access tokens. Unique, and for this server it names the grant that the token came of: an API compares it
 * and reads nothing of it.
 */
import type { GrantOfToken } from '../domain/issued/token-grants.ts'
import { newId } from '../kernel/ids.ts'

const OF_GRANT = /^([gs])\.([0-9a-z]{21})\.[0-9a-z]{21}$/

/** A new `jti`. @param grant undefined: of a machine or of an exchange; such a token hangs on no grant */
export const newTokenId = (grant?: { readonly id: string; readonly endsWithSession: boolean }): string =>
  grant ? `${grant.endsWithSession ? 's' : 'g'}.${grant.id}.${newId()}` : newId()

/** The claims of a token of ours that tell of its grant. */
interface ClaimsOfGrant {
  readonly jti: string
  readonly iat: number
  readonly sid?: string
  readonly auth_time?: number
}

/** What they tell; undefined where the token has no grant. */
export const grantOfToken = ({ jti, iat, sid, auth_time }: ClaimsOfGrant): GrantOfToken | undefined => {
  const [, kind, id] = OF_GRANT.exec(jti) ?? []
  if (id !== undefined) return { id, endsWithSession: kind === 's' }
  // who signed in stands behind a token with auth_time, and nobody but an exchange behind one without
  return auth_time === undefined ? undefined : { sessionId: sid, issuedAt: new Date(iat * 1000) }
}
