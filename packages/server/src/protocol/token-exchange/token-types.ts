/** The kinds of tokens that an exchange knows (RFC 8693 section 3, DECISIONS I1, N5). */
import { canonicalName } from '../../domain/permissions/reserved-names.ts'

export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'
const PERSONAL_ACCESS_TOKEN_TYPE = 'urn:logto:token-type:personal_access_token'
/** Of a subject token alone, whose type is that of access tokens as well (SPEC 4.3). */
const IMPERSONATION_TOKEN_TYPE = 'urn:logto:token-type:impersonation_token'

export const isPersonalAccessTokenType = (type: string): boolean => canonicalName(type) === PERSONAL_ACCESS_TOKEN_TYPE

export const isImpersonationTokenType = (type: string): boolean => canonicalName(type) === IMPERSONATION_TOKEN_TYPE

/** Whether a subject can be brought by a token of this kind. */
export const isSubjectTokenType = (type: string): boolean =>
  type === ACCESS_TOKEN_TYPE || isPersonalAccessTokenType(type) || isImpersonationTokenType(type)
