/**
 * SPEC 4.3, 4.4, 4.5 and 7, DECISIONS H1 to H7, SECURITY: requests of an application that may exchange
 * tokens. A row is a valid request of a backend with one thing changed, and everything that is visible of the response.
 */
import { ACCESS_TOKEN, BILLING } from './arrange.ts'

/** Values that the test creates; rows refer to them by these names. */
export type Made =
  | '%subject token'
  | '%user JWT'
  | '%exchanged JWT'
  | '%personal access token'
  | '%actor'
  | '%another actor'
  | '%own id'
  | '%other id'

type Value = string | readonly string[] | undefined

export interface ExchangeRow {
  readonly guarantee: string
  /** Parameters; undefined omits one, a list repeats it. */
  readonly change: Readonly<Record<string, Value>>
  /** `scope`: of the token; undefined: it has none. `named`: what the description of a refusal names. */
  readonly expect:
    | { readonly status: 200; readonly scope?: string }
    | { readonly status: 400 | 401; readonly error: string; readonly named?: string }
}

const ok = (scope?: string) => ({ status: 200, ...(scope === undefined ? {} : { scope }) }) as const
const all = ok('read:bills pay:bills')
const no = (error: string, named?: string) =>
  ({ status: 400, error, ...(named === undefined ? {} : { named }) }) as const
const malformed = (named: string) => no('invalid_request', named)

const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'
const JWT = 'urn:ietf:params:oauth:token-type:jwt'
const REFRESH_TOKEN = 'urn:ietf:params:oauth:token-type:refresh_token'
const SHORT = 'access_token'

/** The parameters of SPEC 4.3 and 4.4: they are the same for every kind of subject. */
export const PARAMETER_ROWS: readonly ExchangeRow[] = [
  {
    guarantee: 'the grant type in upper case is another',
    change: { grant_type: 'TOKEN-EXCHANGE' },
    expect: no('unsupported_grant_type'),
  },
  {
    guarantee: 'a shortened grant type is another',
    change: { grant_type: 'token-exchange' },
    expect: no('unsupported_grant_type'),
  },
  { guarantee: 'without a grant type', change: { grant_type: undefined }, expect: malformed('grant_type') },
  { guarantee: 'client_id beside Basic may say the same', change: { client_id: '%own id' }, expect: all },
  {
    guarantee: 'client_id beside Basic may not say another',
    change: { client_id: '%other id' },
    expect: malformed('client_id'),
  },
  { guarantee: 'without scope', change: { scope: undefined }, expect: malformed('scope') },
  { guarantee: 'an empty scope', change: { scope: '' }, expect: malformed('scope') },
  { guarantee: 'a scope of only spaces', change: { scope: '   ' }, expect: malformed('scope') },
  { guarantee: 'scope twice', change: { scope: ['read:bills', 'pay:bills'] }, expect: malformed('scope') },
  {
    guarantee: 'a scope with an invalid character',
    change: { scope: 'read:bills"' },
    expect: no('invalid_scope'),
  },
  {
    guarantee: 'more than 200 scopes',
    change: { scope: Array.from({ length: 201 }, (_, i) => `s${i}`).join(' ') },
    expect: no('invalid_scope'),
  },
  { guarantee: 'one of the permissions that are held', change: { scope: 'pay:bills' }, expect: ok('pay:bills') },
  {
    guarantee: 'a permission twice is granted once',
    change: { scope: 'pay:bills pay:bills' },
    expect: ok('pay:bills'),
  },
  {
    guarantee: 'a permission that is not held is dropped',
    change: { scope: 'read:bills write:bills' },
    expect: ok('read:bills'),
  },
  { guarantee: 'only ones that are not held: a token without scope', change: { scope: 'write:bills' }, expect: ok() },
  { guarantee: 'one of another API is none of this', change: { scope: 'read:orders' }, expect: ok() },
  { guarantee: 'a prefix matches nothing', change: { scope: 'read pay:' }, expect: ok() },
  { guarantee: 'a star matches nothing', change: { scope: '* read:*' }, expect: ok() },
  { guarantee: 'case matters', change: { scope: 'READ:BILLS' }, expect: ok() },
  {
    guarantee: 'openid and offline_access bring nothing',
    change: { scope: 'openid profile offline_access read:bills' },
    expect: ok('read:bills'),
  },
  { guarantee: 'without subject_token', change: { subject_token: undefined }, expect: malformed('subject_token') },
  { guarantee: 'an empty subject_token', change: { subject_token: '' }, expect: malformed('subject_token') },
  { guarantee: 'subject_token twice', change: { subject_token: ['x', 'y'] }, expect: malformed('subject_token') },
  {
    guarantee: 'without subject_token_type',
    change: { subject_token_type: undefined },
    expect: malformed('subject_token_type'),
  },
  {
    guarantee: 'an empty subject_token_type',
    change: { subject_token_type: '' },
    expect: malformed('subject_token_type'),
  },
  {
    guarantee: 'subject_token_type twice',
    change: { subject_token_type: [ACCESS_TOKEN, ACCESS_TOKEN] },
    expect: malformed('subject_token_type'),
  },
  ...[ID_TOKEN, JWT, REFRESH_TOKEN, SHORT, ACCESS_TOKEN.toUpperCase(), `${ACCESS_TOKEN} `].map((type) => ({
    guarantee: `subject_token_type ${type}`,
    change: { subject_token_type: type },
    expect: malformed('subject_token_type'),
  })),
  {
    guarantee: 'called a personal access token',
    change: { subject_token_type: 'urn:logto:token-type:personal_access_token' },
    expect: no('invalid_grant'),
  },
  { guarantee: 'without resource', change: { resource: undefined }, expect: malformed('resource') },
  { guarantee: 'an empty resource', change: { resource: '' }, expect: malformed('resource') },
  { guarantee: 'the same resource twice', change: { resource: [BILLING, BILLING] }, expect: malformed('resource') },
  {
    guarantee: 'two resources',
    change: { resource: [BILLING, 'https://orders.example/api'] },
    expect: malformed('resource'),
  },
  {
    guarantee: 'a resource with a slash more',
    change: { resource: `${BILLING}/` },
    expect: no('invalid_target', 'resource'),
  },
  {
    guarantee: 'a resource with a fragment',
    change: { resource: `${BILLING}#x` },
    expect: no('invalid_target', 'resource'),
  },
  {
    guarantee: 'the beginning of a resource',
    change: { resource: 'https://billing.example' },
    expect: no('invalid_target', 'resource'),
  },
  { guarantee: 'no URI', change: { resource: 'Billing' }, expect: no('invalid_target', 'resource') },
  {
    guarantee: 'a resource of 3000 characters',
    change: { resource: BILLING + 'x'.repeat(3000) },
    expect: no('invalid_target', 'resource'),
  },
  {
    guarantee: 'an organization alone has no API',
    change: { resource: 'urn:logto:resource:organizations' },
    expect: no('invalid_target'),
  },
  {
    guarantee: 'actor_token without its type',
    change: { actor_token: '%actor' },
    expect: malformed('actor_token_type'),
  },
  {
    guarantee: 'actor_token with an empty type',
    change: { actor_token: '%actor', actor_token_type: '' },
    expect: malformed('actor_token_type'),
  },
  { guarantee: 'actor_token_type alone', change: { actor_token_type: ACCESS_TOKEN }, expect: malformed('actor_token') },
  {
    guarantee: 'an empty actor_token',
    change: { actor_token: '', actor_token_type: ACCESS_TOKEN },
    expect: malformed('actor_token'),
  },
  {
    guarantee: 'actor_token twice',
    change: { actor_token: ['%actor', '%actor'], actor_token_type: ACCESS_TOKEN },
    expect: malformed('actor_token'),
  },
  {
    guarantee: 'actor_token_type twice',
    change: { actor_token: '%actor', actor_token_type: [ACCESS_TOKEN, ACCESS_TOKEN] },
    expect: malformed('actor_token_type'),
  },
  ...[ID_TOKEN, JWT, SHORT].map((type) => ({
    guarantee: `actor_token_type ${type}`,
    change: { actor_token: '%actor', actor_token_type: type },
    expect: malformed('actor_token_type'),
  })),
  {
    guarantee: 'requested_token_type may say what comes anyway',
    change: { requested_token_type: ACCESS_TOKEN },
    expect: all,
  },
  ...[ID_TOKEN, JWT, REFRESH_TOKEN].map((type) => ({
    guarantee: `requested_token_type ${type}`,
    change: { requested_token_type: type },
    expect: malformed('requested_token_type'),
  })),
  {
    guarantee: 'audience is not how an API is named here',
    change: { audience: BILLING },
    expect: malformed('audience'),
  },
  { guarantee: 'an unknown parameter is of no account', change: { state: 'x', act: 'y', may_act: 'z' }, expect: all },
  { guarantee: 'an unknown parameter twice is refused', change: { state: ['x', 'y'] }, expect: malformed('state') },
  {
    guarantee: 'parameters of other grants are of no account',
    change: { code: 'x', redirect_uri: 'y', refresh_token: 'z', device_code: 'd', username: 'u', password: 'p' },
    expect: all,
  },
]

/** Who acts (SPEC 2.5, 4.3 rule 2, DECISIONS H5): the `act` claim of the resulting token. */
export interface ActorRow {
  readonly guarantee: string
  readonly subject: Exclude<Made, '%actor' | '%another actor' | '%own id' | '%other id'>
  readonly actor: '%actor' | '%another actor' | undefined
  /** The chain by these names, the latest actor first. */
  readonly act: readonly ('%actor' | '%another actor')[]
}

export const ACTOR_ROWS: readonly ActorRow[] = [
  { guarantee: 'impersonation, no one acts', subject: '%subject token', actor: undefined, act: [] },
  { guarantee: 'impersonation by an actor', subject: '%subject token', actor: '%actor', act: ['%actor'] },
  { guarantee: 'delegation adds no act', subject: '%user JWT', actor: undefined, act: [] },
  { guarantee: 'delegation with an actor', subject: '%user JWT', actor: '%actor', act: ['%actor'] },
  { guarantee: 'delegation of what an actor got: kept', subject: '%exchanged JWT', actor: undefined, act: ['%actor'] },
  {
    guarantee: 'delegation of what an actor got, by another: nested',
    subject: '%exchanged JWT',
    actor: '%another actor',
    act: ['%another actor', '%actor'],
  },
  { guarantee: 'a personal access token', subject: '%personal access token', actor: undefined, act: [] },
  {
    guarantee: 'a personal access token with an actor',
    subject: '%personal access token',
    actor: '%actor',
    act: ['%actor'],
  },
]

export const TYPES = ['Traditional', 'MachineToMachine', 'SPA', 'Native'] as const
export type ClientType = (typeof TYPES)[number]
export const SUBJECTS = ['%subject token', '%user JWT', '%exchanged JWT', '%personal access token'] as const
export const TARGETS = [
  'an API with all permissions',
  'an API with some',
  'an API with none',
  'the Management API',
  'no API',
] as const

export interface Combination {
  readonly type: ClientType
  readonly isAllowed: boolean
  readonly isThirdParty: boolean
  readonly subject: (typeof SUBJECTS)[number]
  readonly isActed: boolean
  readonly target: (typeof TARGETS)[number]
}

/**
 * The result of a combination, in the words of DECISIONS H2 and H6: the error, or how much of two scopes is granted.
 */
export const outcomeOf = ({ type, isAllowed, isThirdParty, subject, target }: Combination): string | 0 | 1 | 2 => {
  if (!isAllowed || isThirdParty) return 'unauthorized_client'
  if (target === 'the Management API' || target === 'no API') return 'invalid_target'
  const isPublic = type === 'SPA' || type === 'Native'
  if (isPublic && subject.endsWith('JWT')) return 'unauthorized_client'
  if (target === 'an API with none') return 0
  return target === 'an API with some' ? 1 : 2
}
