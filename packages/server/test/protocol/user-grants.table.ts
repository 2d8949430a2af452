/**
 * SPEC 4.2 and DECISIONS C4, D4: the parameters of the two grants of a user: missing, empty, repeated, wrong and right,
 * sent by a public application. The others are valid: %V stands for the right value, %R for the indicator of the
 * authorized API, %S for another registered one. The grant of machines is in token-request.table.ts.
 */
export interface GrantRow {
  readonly parameter: string
  readonly what: string
  /** Absent: the parameter is not sent. */
  readonly values: readonly string[]
  /** `opaque`, `JWT`, or the error; a status other than that of the error's kind stands before it. */
  readonly outcome: string
  /** Whether it uses up the code or the refresh token, so that a right request fails afterwards. */
  readonly spends: boolean
}

const of =
  (parameter: string) =>
  (what: string, values: readonly string[], outcome: string, spends = false): GrantRow => ({
    parameter,
    what,
    values,
    outcome,
    spends,
  })
const BAD = '400 invalid_request'
const GRANT = '400 invalid_grant'
const TARGET = '400 invalid_target'
const CLIENT = '401 invalid_client'
const SPENT = true

const code = of('code')
const redirectUri = of('redirect_uri')
const verifier = of('code_verifier')
const clientId = of('client_id')
const resource = of('resource')
const refreshToken = of('refresh_token')
const scope = of('scope')
const grantType = of('grant_type')

const CLIENT_ROWS = [
  clientId('missing', [], CLIENT),
  clientId('empty', [''], CLIENT),
  clientId('repeated', ['%V', '%V'], BAD),
  clientId('unknown', ['nobody'], CLIENT),
  clientId('of another application', ['%O'], GRANT),
  clientId('of a confidential application', ['%Q'], CLIENT),
  clientId('in upper case', ['%U'], CLIENT),
]
const RESOURCE_ROWS = [
  resource('missing', [], 'opaque', SPENT),
  resource('empty', [''], 'opaque', SPENT),
  resource('not authorized', ['%S'], TARGET),
  resource('not registered', ['https://nobody.example'], TARGET),
  resource('too long', [`%R${'x'.repeat(3000)}`], TARGET),
  resource('with a slash at the end', ['%R/'], TARGET),
  resource('repeated', ['%R', '%R'], TARGET),
  resource('two', ['%R', '%S'], TARGET),
  resource('right', ['%R'], 'JWT', SPENT),
]

export const CODE_ROWS: readonly GrantRow[] = [
  grantType('repeated', ['%V', '%V'], BAD),
  grantType('of the other grant', ['refresh_token'], BAD),
  code('missing', [], BAD),
  code('empty', [''], BAD),
  code('repeated', ['%V', '%V'], BAD),
  code('unknown', [`cs_ac_${'A'.repeat(43)}`], GRANT),
  code('no code', ['x'], GRANT),
  code('in upper case', ['%U'], GRANT),
  code('with a space at the end', ['%V '], GRANT),
  code('of 10 KB', ['x'.repeat(10_000)], GRANT),
  code('right', ['%V'], 'opaque', SPENT),
  redirectUri('missing', [], BAD),
  redirectUri('empty', [''], BAD),
  redirectUri('repeated', ['%V', '%V'], BAD),
  redirectUri('another registered one', ['https://app.example/other'], GRANT, SPENT),
  redirectUri('with a slash at the end', ['%V/'], GRANT, SPENT),
  redirectUri('right', ['%V'], 'opaque', SPENT),
  verifier('missing', [], GRANT, SPENT),
  verifier('empty', [''], GRANT, SPENT),
  verifier('repeated', ['%V', '%V'], BAD),
  verifier('wrong', ['a'.repeat(43)], GRANT, SPENT),
  verifier('too short', ['a'.repeat(42)], GRANT, SPENT),
  verifier('too long', ['a'.repeat(129)], GRANT, SPENT),
  verifier('the challenge', ['%H'], GRANT, SPENT),
  verifier('right', ['%V'], 'opaque', SPENT),
  ...CLIENT_ROWS,
  ...RESOURCE_ROWS,
  // not a parameter of this grant
  scope('ignored', ['read write nobody:knows'], 'opaque', SPENT),
  scope('ignored, whatever characters', ['"'], 'opaque', SPENT),
  scope('repeated', ['read', 'read'], BAD),
  of('nobody_knows')('ignored', ['x'], 'opaque', SPENT),
  of('nobody_knows')('repeated', ['x', 'x'], BAD),
  refreshToken('of another grant is ignored', ['x'], 'opaque', SPENT),
  of('client_secret')('that a public application does not have', ['x'], CLIENT),
]

/** A spent refresh token still returns its successor for ten seconds; `spends` says that it was rotated. */
export const REFRESH_ROWS: readonly GrantRow[] = [
  grantType('repeated', ['%V', '%V'], BAD),
  grantType('of the other grant', ['authorization_code'], BAD),
  refreshToken('missing', [], BAD),
  refreshToken('empty', [''], BAD),
  refreshToken('repeated', ['%V', '%V'], BAD),
  refreshToken('no token', ['x'], GRANT),
  refreshToken('in upper case', ['%U'], GRANT),
  refreshToken('with a space at the end', ['%V '], GRANT),
  refreshToken('cut short', ['%-'], GRANT),
  refreshToken('with another last character', ['%~'], GRANT),
  refreshToken('with its counter spelled in another way', ['%0'], GRANT),
  refreshToken('of 10 KB', ['x'.repeat(10_000)], GRANT),
  refreshToken('right', ['%V'], 'opaque', SPENT),
  ...CLIENT_ROWS,
  ...RESOURCE_ROWS,
  scope('empty', [''], 'opaque', SPENT),
  scope('repeated', ['openid', 'openid'], BAD),
  scope('narrower', ['openid read'], 'opaque', SPENT),
  scope('the same in another order', ['write read offline_access openid'], 'opaque', SPENT),
  scope('wider', ['openid read delete'], '400 invalid_scope'),
  scope('with a character that no scope has', ['openid "x"'], '400 invalid_scope'),
  scope('a prefix of one', ['rea'], '400 invalid_scope'),
  of('nobody_knows')('ignored', ['x'], 'opaque', SPENT),
  of('nobody_knows')('repeated', ['x', 'x'], BAD),
  code('of another grant is ignored', ['x'], 'opaque', SPENT),
  redirectUri('of another grant is ignored', ['https://evil.example/'], 'opaque', SPENT),
]
