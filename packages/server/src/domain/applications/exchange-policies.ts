/**
 * Which tokens an application may exchange for which (DECISIONS H12): one table of rules, in which the settings
 * `exchangeSubjectAudiences` and `exchangeTargetResources` are rows too. The first rule that applies decides.
 */

import type { EXCHANGE_SUBJECTS, ExchangePolicy } from '@countersign/contract/exchange-policies.ts'
import type { InputIssueCode } from '@countersign/contract/input-issues.ts'
import { TOKEN_REASONS } from '@countersign/contract/token-reasons.ts'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { canonicalName } from '../permissions/reserved-names.ts'
import type { ClientMetadata } from './rows.ts'

type Policy = Static<typeof ExchangePolicy>
export type ExchangeSubjectType = (typeof EXCHANGE_SUBJECTS)[number]

/** What is known of the subject token. */
export interface SubjectOrigin {
  readonly type: ExchangeSubjectType
  /** Of an access token: what it is for. */
  readonly audience?: string
  /** Of an access token: the application that it was issued to. */
  readonly applicationId?: string | undefined
}

/** What a rule looks at. */
export interface ExchangeFacts extends SubjectOrigin {
  readonly hasActor: boolean
  /** The indicator of what the new token is for; undefined: userinfo. */
  readonly target: string | undefined
}

export interface ExchangeRule {
  readonly source: 'exchangeSubjectAudiences' | 'exchangeTargetResources' | 'exchangePolicies' | 'default'
  readonly name: string
  readonly effect: 'allow' | 'deny'
  /** The only scopes that a token may have; undefined: any. */
  readonly scopes?: readonly string[]
  /** Seconds. */
  readonly maxLifetime?: number
  /** Why it does not apply; undefined: it applies. */
  readonly whyNot: (facts: ExchangeFacts) => string | undefined
}

/** Whether a list names an indicator, in either of the forms that a reserved one has. */
const names = (list: readonly string[], indicator: string | undefined): boolean =>
  indicator !== undefined && (list.includes(indicator) || list.includes(canonicalName(indicator)))

/** The conditions of a row, each with what is said when it is not met. */
const CONDITIONS: readonly (readonly [isMet: (policy: Policy, facts: ExchangeFacts) => boolean, whyNot: string])[] = [
  [({ subjects }, { type }) => !subjects || subjects.includes(type), TOKEN_REASONS.rule_subjects],
  [({ subjectAudiences: of }, { audience }) => !of || names(of, audience), TOKEN_REASONS.rule_audiences],
  [
    ({ subjectApplications: of }, { applicationId }) =>
      !of || (applicationId !== undefined && of.includes(applicationId)),
    TOKEN_REASONS.rule_applications,
  ],
  [({ actor }, { hasActor }) => actor !== 'required' || hasActor, TOKEN_REASONS.rule_needs_actor],
  [({ actor }, { hasActor }) => actor !== 'forbidden' || !hasActor, TOKEN_REASONS.rule_without_actor],
  [({ targetResources: of }, { target }) => !of || names(of, target), TOKEN_REASONS.rule_resources],
]

const ruleOf = (policy: Policy): ExchangeRule => ({
  source: 'exchangePolicies',
  name: policy.name,
  effect: policy.effect,
  ...(policy.scopes === undefined ? {} : { scopes: policy.scopes }),
  ...(policy.maxLifetime === undefined ? {} : { maxLifetime: policy.maxLifetime }),
  whyNot: (facts) => CONDITIONS.find(([isMet]) => !isMet(policy, facts))?.[1],
})

const rulesOf = (metadata: ClientMetadata): readonly ExchangeRule[] => {
  const { exchangeSubjectAudiences: audiences, exchangeTargetResources: targets, exchangePolicies: table } = metadata
  const rules: ExchangeRule[] = []
  if (audiences)
    rules.push({
      source: 'exchangeSubjectAudiences',
      name: TOKEN_REASONS.name_audiences,
      effect: 'deny',
      whyNot: ({ type, audience }) =>
        type !== 'access_token' || (audience !== undefined && audiences.includes(audience))
          ? TOKEN_REASONS.rule_audience_named
          : undefined,
    })
  if (targets)
    rules.push({
      source: 'exchangeTargetResources',
      name: TOKEN_REASONS.name_targets,
      effect: 'deny',
      whyNot: ({ target }) => (names(targets, target) ? TOKEN_REASONS.rule_resource_named : undefined),
    })
  const rest = table
    ? ({ name: TOKEN_REASONS.name_rest, effect: 'deny' } as const)
    : ({ name: TOKEN_REASONS.name_no_table, effect: 'allow' } as const)
  return [...rules, ...(table ?? []).map(ruleOf), { source: 'default', ...rest, whyNot: () => undefined }]
}

export interface Considered {
  readonly rule: ExchangeRule
  readonly whyNot: string | undefined
}

/**
 * Every rule up to the first that applies, which decides. Does not check whether the application may exchange tokens at all, nor
 * anything about the tokens and the user.
 */
export const considerExchange = (
  metadata: ClientMetadata,
  facts: ExchangeFacts,
): { readonly decided: ExchangeRule; readonly considered: readonly Considered[] } => {
  const considered: Considered[] = []
  for (const rule of rulesOf(metadata)) {
    const whyNot = rule.whyNot(facts)
    considered.push({ rule, whyNot })
    if (whyNot === undefined) return { decided: rule, considered }
  }
  throw new Error('the last rule applies to everything')
}

/** Refuses a table whose rows contradict themselves or cannot be told apart, naming the first. */
export const assertExchangePolicies = (policies: readonly Policy[]): void => {
  for (const [index, { name, effect, scopes, maxLifetime }] of policies.entries()) {
    const refuse = (reason: string, said: { readonly code?: InputIssueCode } = {}) =>
      new ApiError('guard.invalid_input', {
        reason: `exchangePolicies[${index}] ${reason}`,
        issues: [{ path: `/customClientMetadata/exchangePolicies/${index}`, reason, ...said }],
      })
    if (effect === 'deny' && (scopes !== undefined || maxLifetime !== undefined))
      throw refuse('denies, and so has neither scopes nor maxLifetime')
    if (policies.findIndex((each) => each.name === name) !== index)
      throw refuse('has the name of another row', { code: 'duplicate' })
  }
}
