/**
 * SPEC 4.1 and DECISIONS F2: every parameter of an authorization request: missing, empty, repeated, wrong and right.
 * The other parameters of the request are valid, and the user is signed in. %R stands for the indicator of a registered
 * API.
 */
export type Outcome =
  /** A page of the server: there is no safe redirect target. */
  | 'page'
  /** Back at the application with a code. */
  | 'code'
  /** Another page of the server: the user is asked something. */
  | 'question'
  /** Back at the application with this error. */
  | `error ${string}`

export interface ParameterRow {
  readonly app: 'public' | 'confidential' | 'machine' | 'device'
  readonly parameter: string
  readonly what: string
  /** Each value once, in this order; an empty list: the parameter is not sent. */
  readonly values: readonly string[]
  readonly outcome: Outcome
}

const of =
  (app: ParameterRow['app'], parameter: string) =>
  (what: string, values: readonly string[], outcome: Outcome): ParameterRow => ({
    app,
    parameter,
    what,
    values,
    outcome,
  })

const BAD: Outcome = 'error invalid_request'
const TARGET: Outcome = 'error invalid_target'
const CALLBACK = 'https://app.example/callback'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const many = (count: number, of: string) => Array.from({ length: count }, (_, i) => `${of}${i}`)

const responseType = of('public', 'response_type')
const clientId = of('public', 'client_id')
const redirectUri = of('public', 'redirect_uri')
const scope = of('public', 'scope')
const resource = of('public', 'resource')
const challenge = of('public', 'code_challenge')
const optionalChallenge = of('confidential', 'code_challenge')
const method = of('public', 'code_challenge_method')
const state = of('public', 'state')

export const SPEC_ROWS: readonly ParameterRow[] = [
  responseType('missing', [], BAD),
  responseType('empty', [''], BAD),
  responseType('repeated', ['code', 'code'], BAD),
  responseType('the implicit flow', ['token'], 'error unsupported_response_type'),
  responseType('the hybrid flow', ['code id_token'], 'error unsupported_response_type'),
  responseType('in upper case', ['CODE'], 'error unsupported_response_type'),
  responseType('none', ['none'], 'error unsupported_response_type'),
  responseType('right', ['code'], 'code'),

  clientId('missing', [], 'page'),
  clientId('empty', [''], 'page'),
  clientId('repeated', ['%C', '%C'], 'page'),
  clientId('two different', ['%C', 'nobody'], 'page'),
  clientId('unknown', ['nobody'], 'page'),
  clientId('an inherited property name', ['__proto__'], 'page'),
  clientId('too long', ['a'.repeat(5000)], 'page'),
  clientId('in upper case', ['%U'], 'page'),
  clientId('right', ['%C'], 'code'),

  redirectUri('missing', [], 'page'),
  redirectUri('empty', [''], 'page'),
  redirectUri('repeated', [CALLBACK, CALLBACK], 'page'),
  redirectUri('two different', [CALLBACK, 'https://evil.example/'], 'page'),
  redirectUri('another one first', ['https://evil.example/', CALLBACK], 'page'),
  redirectUri('not registered', ['https://evil.example/'], 'page'),
  redirectUri('with a slash at the end', [`${CALLBACK}/`], 'page'),
  redirectUri('with a query', [`${CALLBACK}?a=b`], 'page'),
  redirectUri('in upper case', [CALLBACK.toUpperCase()], 'page'),
  redirectUri('right', [CALLBACK], 'code'),

  scope('missing', [], 'code'),
  scope('empty', [''], 'code'),
  scope('repeated', ['openid', 'openid'], BAD),
  scope('with a character that no scope has', ['openid "x"'], 'error invalid_scope'),
  scope('too many', [many(201, 's').join(' ')], 'error invalid_scope'),
  scope('unknown names', ['openid nobody:knows'], 'code'),
  scope('right', ['openid profile offline_access read'], 'code'),

  resource('missing', [], 'code'),
  resource('empty', [''], 'code'),
  resource('not registered', ['https://nobody.example'], TARGET),
  resource('no URI', ['orders'], TARGET),
  resource('with a fragment', ['%R#x'], TARGET),
  resource('registered and not registered', ['%R', 'https://nobody.example'], TARGET),
  resource('too many', many(21, 'https://api.example/'), TARGET),
  resource('too long', [`%R${'x'.repeat(3000)}`], TARGET),
  resource('repeated', ['%R', '%R'], 'code'),
  resource('two', ['%R', '%S'], 'code'),
  resource('right', ['%R'], 'code'),

  challenge('missing', [], BAD),
  challenge('empty', [''], BAD),
  challenge('repeated', [CHALLENGE, CHALLENGE], BAD),
  challenge('too short', [CHALLENGE.slice(1)], BAD),
  challenge('too long', [`${CHALLENGE}x`], BAD),
  challenge('not base64url', [`${CHALLENGE.slice(1)}+`], BAD),
  challenge('right', [CHALLENGE], 'code'),
  optionalChallenge('missing, with a method', [], BAD),
  optionalChallenge('right', [CHALLENGE], 'code'),

  method('missing', [], BAD),
  method('empty', [''], BAD),
  method('repeated', ['S256', 'S256'], BAD),
  method('plain', ['plain'], BAD),
  method('in lower case', ['s256'], BAD),
  method('right', ['S256'], 'code'),

  state('missing', [], 'code'),
  state('empty', [''], 'code'),
  state('repeated', ['a', 'b'], BAD),
  state('any text', ['"<>&\u2028 %00 \u{1f600}'], 'code'),
  state('long', ['x'.repeat(4000)], 'code'),
]

const nonce = of('public', 'nonce')
const claims = of('public', 'claims')
const prompt = of('public', 'prompt')
const maxAge = of('public', 'max_age')
const responseMode = of('public', 'response_mode')
const idTokenHint = of('public', 'id_token_hint')
const requestUri = of('public', 'request_uri')

export const FURTHER_ROWS: readonly ParameterRow[] = [
  nonce('missing', [], 'code'),
  nonce('empty', [''], 'code'),
  nonce('repeated', ['a', 'b'], BAD),
  nonce('long', ['x'.repeat(2000)], 'code'),

  prompt('empty', [''], 'code'),
  prompt('repeated', ['none', 'none'], BAD),
  prompt('unknown', ['register'], BAD),
  prompt('create', ['create'], 'question'),
  prompt('create without asking', ['none create'], BAD),
  prompt('none with another', ['none login'], BAD),
  prompt('none', ['none'], 'code'),
  prompt('login', ['login'], 'question'),
  prompt('select_account', ['select_account'], 'question'),

  maxAge('empty', [''], 'code'),
  maxAge('repeated', ['1', '1'], BAD),
  maxAge('negative', ['-1'], BAD),
  maxAge('no number', ['soon'], BAD),
  maxAge('too large', ['9999999999'], BAD),
  maxAge('right', ['3600'], 'code'),

  responseMode('empty', [''], 'code'),
  responseMode('repeated', ['query', 'query'], BAD),
  responseMode('fragment', ['fragment'], 'error unsupported_response_mode'),
  responseMode('web_message', ['web_message'], 'error unsupported_response_mode'),
  responseMode('query', ['query'], 'code'),

  idTokenHint('empty', [''], 'code'),
  idTokenHint('repeated', ['a', 'b'], BAD),
  idTokenHint('no token', ['x'], BAD),

  requestUri('empty', [''], 'code'),
  requestUri('not ours', ['https://app.example/request.jwt'], 'error request_uri_not_supported'),
  requestUri('never pushed', ['urn:ietf:params:oauth:request_uri:cs_pr_x'], 'page'),
  of('public', 'request')('a request object', ['eyJhbGciOiJub25lIn0.e30.'], 'error request_not_supported'),
  of('public', 'login_hint')('repeated', ['a', 'b'], BAD),
  of('public', 'login_hint')('another user', ['somebody'], 'question'),
  of('public', 'ui_locales')('repeated', ['de', 'en'], BAD),
  of('public', 'ui_locales')('right', ['de'], 'code'),
  of('public', 'acr_values')('repeated', ['1', '2'], BAD),
  of('public', 'acr_values')('right', ['2 1'], 'code'),
  claims('empty', [''], 'code'),
  claims('repeated', ['{}', '{}'], BAD),
  claims('no JSON', ['{'], BAD),
  claims('an array', ['[]'], BAD),
  claims('null', ['null'], BAD),
  claims('a place that is none', ['{"id_token":["name"]}'], BAD),
  claims('a claim that is a text', ['{"id_token":{"name":"Ada"}}'], BAD),
  claims('an essential that is a text', ['{"id_token":{"name":{"essential":"true"}}}'], BAD),
  claims('values that are one', ['{"id_token":{"acr":{"values":"1"}}}'], BAD),
  claims('value and values', ['{"id_token":{"acr":{"value":"1","values":["2"]}}}'], BAD),
  claims('a place twice', ['{"id_token":{"name":null},"id_token":{"email":null}}'], BAD),
  claims('a claim twice, once escaped', ['{"id_token":{"name":null,"n\\u0061me":null}}'], BAD),
  claims('the same claim in both places', ['{"id_token":{"name":null},"userinfo":{"name":null}}'], 'code'),
  claims('nested too deeply', ['{"id_token":{"name":{"values":[[1]]}}}'], BAD),
  claims(
    'members and claims that do not exist',
    ['{"verified":[{"x":1}],"id_token":{"__proto__":null,"x":{"y":1}}}'],
    'code',
  ),
  claims(
    'names with characters that cannot be stored',
    ['{"id_token":{"\\u0000":null,"\\ud800":{"value":"\\u0000"}}}'],
    'code',
  ),
  claims('another user', ['{"id_token":{"sub":{"value":"nobody"}}}'], 'question'),
  claims('several users', ['{"id_token":{"sub":{"values":["a","b"]}}}'], BAD),
  claims('a user that is no text', ['{"userinfo":{"sub":{"value":1}}}'], BAD),
  claims('a class that exists', ['{"id_token":{"acr":{"values":["x","urn:countersign:acr:1fa"]}}}'], 'code'),
  claims('a class that the session lacks', ['{"id_token":{"acr":{"value":"urn:countersign:acr:mfa"}}}'], 'question'),
  claims('classes that do not exist', ['{"id_token":{"acr":{"values":["x"]}}}'], 'code'),
  claims(
    'an essential class that does not exist',
    ['{"id_token":{"acr":{"essential":true,"values":["x"]}}}'],
    'error unmet_authentication_requirements',
  ),
  of('public', 'nobody_knows')('unknown', ['x'], 'code'),
  of('public', 'nobody_knows')('unknown and repeated', ['x', 'y'], BAD),
  of('public', '__proto__')('unknown', ['x'], 'code'),

  of('machine', 'client_id')('of a machine-to-machine application', ['%C'], 'error unauthorized_client'),
  of('device', 'client_id')('of a device-flow application', ['%C'], 'error unauthorized_client'),
]
