/**
 * Why a token is of its kind, why it lacks a scope, and why a rule of an exchange does not apply: code → English sentence. Explanations and
 * the audit log have the sentence, with the values that it has in braces; `tokenReasonOf` finds the code again, for callers in another
 * language. A sentence may change with a version: entries of before then are not found, and stay English.
 */
export const TOKEN_REASONS = {
  // of a scope that a token lacks
  unconfigured:
    'the application is a third party, and is not configured to request it here or the user did not agree to it',
  not_held: 'no role of the subject holds a permission of exactly this name for the resource',
  gained_since: 'the user holds it now, but did not when they authorized; a new authorization grants it',
  opaque_without_permissions: 'the token is opaque, for userinfo, and has no permissions',
  opaque_without_refresh: 'the token is opaque, for userinfo, and cannot be refreshed',
  exchanged_without_oidc: 'an exchanged token has no OpenID Connect scopes',
  not_in_subject_token: 'the subject token does not have it, and the tenant restricts exchanges to its scopes',
  row_disallows: 'the row "{row}" of exchangePolicies does not allow it',
  not_for_audience: 'identityAssertionAudiences of the application does not allow it',
  not_in_assertion: 'the identity assertion does not have it',
  not_of_signals: 'it is no scope of Shared Signals',
  no_grant_management: 'the application does not manage grants',
  no_shared_sign_in: 'the application shares no sign-ins with others (nativeSsoGroup)',
  // of the kind of a token
  jwt_resource: 'a JWT, because a resource was asked for',
  jwt_default: 'a JWT for the default API, because no resource was asked for',
  jwt_default_without_openid:
    'a JWT for the default API: no resource was asked for, and openid is not among the scopes',
  jwt_details: 'a JWT, because all authorization details are for this API',
  jwt_organization: 'a JWT for the organization, because it was asked for and no resource was',
  jwt_organization_resource:
    'a JWT for an API in an organization, because a resource and an organization were asked for',
  jwt_signals: 'a JWT for Shared Signals, because a receiver asked for it',
  jwt_assertion: 'a JWT for the user of an identity assertion',
  opaque_openid: 'an opaque token for userinfo: no resource was asked for, and openid is among the scopes',
  opaque_nothing: 'an opaque token: no resource was asked for, and no default API was authorized',
  assertion: 'an identity assertion for another authorization server, because id-jag was requested',
  // of a rule that does not apply to an exchange
  rule_subjects: 'it is for other kinds of subject tokens',
  rule_audiences: 'it is for access tokens of other APIs',
  rule_applications: 'it is for access tokens of other applications',
  rule_needs_actor: 'it needs an actor token',
  rule_without_actor: 'it is for exchanges without an actor token',
  rule_resources: 'it is for other resources',
  rule_audience_named: 'exchangeSubjectAudiences names the audience of the subject token, or it has none',
  rule_resource_named: 'exchangeTargetResources names the resource',
  // the names of the rules that are no row of a table
  name_audiences: 'access tokens for other APIs than these',
  name_targets: 'other targets than these',
  name_rest: 'what no row applies to',
  name_no_table: 'without a table',
} as const

export type TokenReasonCode = keyof typeof TOKEN_REASONS

const codes = new Map(
  Object.entries(TOKEN_REASONS).map(([code, sentence]) => [sentence as string, code as TokenReasonCode]),
)
const [beforeRow = '', afterRow = ''] = TOKEN_REASONS.row_disallows.split('{row}')

/** The code of a sentence, with its values; undefined: it is none of these. */
export const tokenReasonOf = (
  sentence: string,
): { readonly code: TokenReasonCode; readonly values: Readonly<Record<string, string>> } | undefined => {
  const code = codes.get(sentence)
  if (code !== undefined) return { code, values: {} }
  return sentence.startsWith(beforeRow) && sentence.endsWith(afterRow)
    ? { code: 'row_disallows', values: { row: sentence.slice(beforeRow.length, -afterRow.length) } }
    : undefined
}
