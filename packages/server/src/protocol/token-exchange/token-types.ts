/** The kinds of tokens that an exchange knows (RFC 8693 section 3, DECISIONS I1). */

export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'
const PERSONAL_ACCESS_TOKEN_TYPES: ReadonlySet<string> = new Set([
  'urn:logto:token-type:personal_access_token',
  'urn:countersign:token-type:personal_access_token',
])

export const isPersonalAccessTokenType = (type: string): boolean => PERSONAL_ACCESS_TOKEN_TYPES.has(type)

/** Whether a subject can be brought by a token of this kind. */
export const isSubjectTokenType = (type: string): boolean =>
  type === ACCESS_TOKEN_TYPE || isPersonalAccessTokenType(type)
