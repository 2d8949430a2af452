/**
 * The `jti` of JWT access tokens. Unique, and for this server it names the grant or the subject token that the token came of:
 * an API compares it and reads nothing of it.
 */
import type { GrantOfToken } from '../domain/issued/token-grants.ts'
import { newId } from '../kernel/ids.ts'

const OF_GRANT = /^([gs])\.([0-9a-z]{21})\.[0-9a-z]{21}$/
const OF_SUBJECT_TOKEN = /^x\.([0-9a-z]{21})\.[0-9a-z]{21}$/

/** What a token came of. A machine's came of nothing, nor did what came of an exchange that began with no subject token. */
type Origin =
  | { readonly id: string; readonly endsWithSession: boolean }
  | { readonly subjectTokenId: string | undefined }

/** A new `jti`. @param origin the grant, or the exchange; undefined for a machine's */
export const newTokenId = (origin: Origin = { subjectTokenId: undefined }): string => {
  if ('id' in origin) return `${origin.endsWithSession ? 's' : 'g'}.${origin.id}.${newId()}`
  return origin.subjectTokenId === undefined ? newId() : `x.${origin.subjectTokenId}.${newId()}`
}

/** The id of the subject token that a token of ours began with; undefined where it began with none. */
export const subjectTokenOf = ({ jti }: { readonly jti: string }): string | undefined => OF_SUBJECT_TOKEN.exec(jti)?.[1]

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
  // who signed in stands behind a token with auth_time, and no one but an exchange behind one without
  return auth_time === undefined ? undefined : { sessionId: sid, issuedAt: new Date(iat * 1000) }
}
