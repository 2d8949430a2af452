/** The kinds of tokens that an exchange knows (RFC 8693 section 3, DECISIONS I1, N5). */
import { canonicalName } from '../../domain/permissions/reserved-names.ts'

export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'
export const ID_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:id_token'
/** An identity assertion for another authorization server (ID-JAG, DECISIONS H14). */
export const ID_JAG_TYPE = 'urn:ietf:params:oauth:token-type:id-jag'
/** What the applications of a group share on a device, as drafts from 05 on call it, and as earlier ones did (Native SSO section 4.1). */
const DEVICE_SECRET_TYPES = [
  'urn:openid:params:token-type:device-secret',
  'urn:x-oath:params:oauth:token-type:device-secret',
]
export const PERSONAL_ACCESS_TOKEN_TYPE = 'urn:logto:token-type:personal_access_token'
/** Only for subject tokens, whose type is also that of access tokens (SPEC 4.3). */
const IMPERSONATION_TOKEN_TYPE = 'urn:logto:token-type:impersonation_token'

export const isPersonalAccessTokenType = (type: string): boolean => canonicalName(type) === PERSONAL_ACCESS_TOKEN_TYPE

export const isImpersonationTokenType = (type: string): boolean => canonicalName(type) === IMPERSONATION_TOKEN_TYPE

export const isDeviceSecretType = (type: string | undefined): boolean =>
  type !== undefined && DEVICE_SECRET_TYPES.includes(type)

/** Whether a token of this kind can be a subject token. */
export const isSubjectTokenType = (type: string): boolean =>
  type === ACCESS_TOKEN_TYPE || isPersonalAccessTokenType(type) || isImpersonationTokenType(type)
