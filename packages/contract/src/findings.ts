/**
 * What checks find, as tables: a code with its verdict and its English sentence, whose places are in braces. Callers in another language
 * say the same by code and values.
 */
import Type from 'typebox'
import { OneOf } from './schema.ts'

const VERDICTS = ['ok', 'warning', 'problem'] as const
export type Verdict = (typeof VERDICTS)[number]

/** By code: the verdict, and the sentence. */
type FindingTable = Readonly<Record<string, readonly [Verdict, string]>>

/** What providers at which users sign in are found to be. */
export const PROVIDER_FINDINGS = {
  'provider.reached': ['ok', '{issuer} is reached; public keys: {count}'],
  'provider.oauth2': ['ok', 'plain OAuth 2.0, which only a sign-in can check'],
  'provider.certificate': ['ok', '{entityId} is reached and has a certificate that is valid until {date}'],
  'provider.certificate_given': ['ok', '{entityId} has a certificate that is valid until {date}'],
  'provider.certificate_ends': [
    'warning',
    '{entityId} has no certificate that is valid after {date}: from then on users cannot sign in there',
  ],
  'provider.failed': ['problem', 'users cannot sign in there: {reason}'],
  'provider.incomplete': ['problem', 'no user is sent there: the configuration is not complete'],
} as const satisfies FindingTable

/** What the check from outside finds. The `reason` of `mail.failed` is that of `kind`, one of the kinds of `connector.general`. */
export const OUTSIDE_FINDINGS = {
  ...PROVIDER_FINDINGS,
  'address.unreached': ['problem', 'cannot be reached from here: {reason}'],
  'base_url.other_issuer': ['problem', 'leads to a server whose issuer is {issuer}; set BASE_URL to what clients use'],
  'base_url.reached': ['ok', 'reaches the server, which has the same base URL'],
  'base_url.status': ['problem', 'answers {status} for discovery'],
  'check.too_late': ['problem', 'no answer within {seconds} seconds'],
  'console.other_site': [
    'warning',
    'is of another site than {baseUrl}: browsers withhold the session there, so that administrators sign in again every ten minutes',
  ],
  'console.other_tenant': ['problem', 'does not lead to the console of {baseUrl}; pass its host on to the server'],
  'console.reached': ['ok', 'reaches the console'],
  'console.status': ['problem', 'answers {status} for /console'],
  'mail.answers': ['ok', '{server} answers'],
  'mail.by_provider': [
    'ok',
    'sent through {connector}, which only a test message can check: POST /api/connectors/{connector}/test',
  ],
  'mail.failed': ['problem', '{server}: {reason} ({cause})'],
  'mail.login': ['ok', '{server} accepts the login'],
  'mail.none': ['ok', 'no connector is set up, so no mail is sent and codes by mail are not offered'],
  'proxy.address': ['ok', 'the server sees requests of this machine as coming from {ip}'],
  'proxy.other_database': ['warning', 'the server at the base URL does not write to this database'],
  'proxy.private': [
    'warning',
    'the server sees requests as coming from {ip}; if that is a proxy, name it in TRUSTED_PROXIES',
  ],
  'token.answered': ['ok', 'a token request through the base URL is answered'],
  'token.no_answer': ['problem', 'a token request through the base URL gets no answer'],
  'token.status': ['problem', 'a token request through the base URL answers {status}'],
} as const satisfies FindingTable

/** What the check from outside asks, in English. */
export const OUTSIDE_SUBJECTS = {
  base_url: 'base URL {url}',
  connector: 'connector {name} of {tenant}',
  console: 'console {url}',
  mail: 'mail of {tenant}',
  providers: 'providers of {tenant}',
  proxy: 'proxy',
  sso_connector: 'SSO connector {name} of {tenant}',
  token: 'token',
} as const

/** The values of the places of a sentence, by name. */
export const Values = (what: string) =>
  Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]), { description: what })

/** The schema of a finding of this table. @param verdict what the verdicts mean, where that is not plain */
export const FindingOf = <Table extends FindingTable>(table: Table, verdict?: string) =>
  Type.Object({
    verdict: OneOf(VERDICTS, verdict === undefined ? {} : { description: verdict }),
    code: OneOf(Object.keys(table) as (keyof Table & string)[], { description: 'Which finding it is' }),
    values: Values('What the sentence names, such as addresses, by name'),
    text: Type.String({ description: 'What was found, in an English sentence' }),
  })
