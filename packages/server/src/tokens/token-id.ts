/**
 * The `jti` of JWT access tokens. Unique, and to this server it names the grant or the subject token from which the
 * token was issued: an API only compares it.
 */
import type { GrantOfToken } from '../domain/issued/token-grants.ts'
import { newId } from '../kernel/ids.ts'

const OF_GRANT = /^([gs])\.([0-9a-z]{21})\.[0-9a-z]{21}$/
const OF_SUBJECT_TOKEN = /^x\.([0-9a-z]{21})\.[0-9a-z]{21}$/

/** The origin of a token. A machine's token has none, nor does one from an exchange without a subject token. */
type Origin =
  | { readonly id: string; readonly endsWithSession: boolean }
  | { readonly subjectTokenId: string | undefined }

/** A new `jti`. @param origin the grant, or the exchange; undefined for a machine's */
export const newTokenId = (origin: Origin = { subjectTokenId: undefined }): string => {
  if ('id' in origin) return `${origin.endsWithSession ? 's' : 'g'}.${origin.id}.${newId()}`
  return origin.subjectTokenId === undefined ? newId() : `x.${origin.subjectTokenId}.${newId()}`
}

/** The id of a token's original subject token; undefined if there was none. */
export const subjectTokenOf = ({ jti }: { readonly jti: string }): string | undefined => OF_SUBJECT_TOKEN.exec(jti)?.[1]

/** The claims of a token that describe its grant. */
interface ClaimsOfGrant {
  readonly jti: string
  readonly iat: number
  readonly sid?: string
  readonly auth_time?: number
}

/** The grant that they describe; undefined if the token has no grant. */
export const grantOfToken = ({ jti, iat, sid, auth_time }: ClaimsOfGrant): GrantOfToken | undefined => {
  const [, kind, id] = OF_GRANT.exec(jti) ?? []
  if (id !== undefined) return { id, endsWithSession: kind === 's' }
  // a token with auth_time comes from a sign-in, one without only from an exchange
  return auth_time === undefined ? undefined : { sessionId: sid, issuedAt: new Date(iat * 1000) }
}
