/** The table of an application that says which tokens it may exchange for which (RFC 8693, DECISIONS H12). */
import Type from 'typebox'
import { Id, OneOf } from './schema.ts'

/** What a subject can be: an access token of a user, a subject token, or a personal access token. */
export const EXCHANGE_SUBJECTS = ['access_token', 'subject_token', 'personal_access_token'] as const

const Indicator = Type.String({ minLength: 1, maxLength: 2048 })

const list = <T extends Type.TSchema>(items: T, description: string) =>
  Type.Optional(Type.Array(items, { minItems: 1, maxItems: 100, description }))

export const ExchangePolicy = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 128, description: 'What explanations and the audit log call it' }),
  effect: OneOf(['allow', 'deny']),
  subjects: list(OneOf(EXCHANGE_SUBJECTS), 'Applies to these kinds of subject tokens. Any by default'),
  subjectAudiences: list(Indicator, 'Applies to access tokens for these APIs. Any subject by default'),
  subjectApplications: list(Id, 'Applies to access tokens that were issued to these applications. Any by default'),
  actor: Type.Optional(
    OneOf(['required', 'forbidden'], { description: 'Applies only with, or only without, an actor token' }),
  ),
  targetResources: list(Indicator, 'Applies to exchanges for these APIs. Any target by default'),
  scopes: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
      maxItems: 1000,
      description: 'No other scope is in a token that this row allows. Any by default',
    }),
  ),
  maxLifetime: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 31_536_000,
      description: 'Seconds. A token that this row allows ends by then',
    }),
  ),
})

/** The first row that applies decides; if none does, the exchange is refused. */
export const ExchangePolicies = Type.Array(ExchangePolicy, {
  maxItems: 50,
  description:
    'Which exchanges are allowed, row by row: the first row that applies decides, and what no row applies to is refused. Without the table, every exchange is allowed that exchangeSubjectAudiences and exchangeTargetResources do not exclude; both exclude with the table too',
})
