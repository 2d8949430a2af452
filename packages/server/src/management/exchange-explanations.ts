/** `/users/:userId/applications/:applicationId/exchange-explanation`: what an application would get by a token exchange, and which rules decide that. */
import { exchangeExplanationRoutes } from '@countersign/contract/exchange-explanations.ts'
import type { RouteInput, RouteResult } from '@countersign/contract/route.ts'
import { permissionNames } from '../domain/access/paths.ts'
import { type Client, findClient } from '../domain/applications/clients.ts'
import type { Considered, SubjectOrigin } from '../domain/applications/exchange-policies.ts'
import { getApplication } from '../domain/applications/rows.ts'
import { findDefaultResource, findResource } from '../domain/permissions/resources.ts'
import { getUser } from '../domain/users/rows.ts'
import { bind } from '../http/api.ts'
import { notFound } from '../kernel/api-error.ts'
import type { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import type { DroppedScope } from '../tokens/authorization.ts'

/** As the protocol does it. */
export type ExplainExchange = (
  tenant: Tenant,
  asked: {
    readonly client: Client
    readonly userId: string
    readonly origin: SubjectOrigin
    readonly subjectScopes: readonly string[] | undefined
    readonly subjectOrganizationId: string | undefined
    readonly hasActor: boolean
    readonly scope: string
    readonly resource: string | undefined
    readonly organizationId: string | undefined
  },
) => Promise<{
  readonly rules: readonly Considered[]
  readonly refusal: OAuthError | undefined
  readonly outcome:
    | {
        readonly scopes: readonly string[]
        readonly dropped: readonly DroppedScope[]
        readonly audience: string | undefined
        readonly expiresIn: number
      }
    | undefined
}>

type ExplainRoute = typeof exchangeExplanationRoutes.explainExchange
export type ExchangeQuestion = RouteInput<ExplainRoute>['query']
/** The user of the subject token, and the application that exchanges. */
export type ExchangeParties = RouteInput<ExplainRoute>['params']
export type ExchangeExplanation = RouteResult<ExplainRoute>

/** The most scopes that a request may name. */
const MOST_SCOPES = 200

const namesIn = (scope: string | undefined): string[] | undefined => scope?.split(' ').filter(Boolean)

/** What the subject token is, as it is described. */
const originOf = (tenant: Tenant, question: ExchangeQuestion): SubjectOrigin => {
  const { subjectType: type = 'access_token', subjectAudience, subjectApplicationId: applicationId } = question
  return type === 'access_token' ? { type, audience: subjectAudience ?? tenant.issuer, applicationId } : { type }
}

/** The requested scopes: those that are named, or all permissions of what the token is for. */
const scopesOf = async (store: Store, tenant: Tenant, question: ExchangeQuestion): Promise<string[]> => {
  const named = namesIn(question.scope)
  if (named) return named
  const { resource: indicator, organizationId, subjectType } = question
  const isDefault = indicator === undefined && organizationId === undefined && subjectType === 'personal_access_token'
  const resource = await (isDefault
    ? findDefaultResource(store, tenant)
    : indicator === undefined
      ? undefined
      : findResource(store, tenant, indicator))
  return permissionNames(store, tenant, { resourceId: resource?.id, organizationId }, MOST_SCOPES)
}

/**
 * The explanation for an application. Throws 404 for an application or a user that does not exist. Does not check that what is named as
 * the subject token's API, application and scopes exists.
 */
export const explanationOf = async (
  store: Store,
  tenant: Tenant,
  explain: ExplainExchange,
  { userId, applicationId }: ExchangeParties,
  question: ExchangeQuestion,
): Promise<ExchangeExplanation> => {
  await getUser(store, tenant, userId)
  await getApplication(store, tenant, applicationId)
  const client = await findClient(store, tenant, applicationId)
  if (!client) throw notFound('application', applicationId)
  const names = await scopesOf(store, tenant, question)
  const { rules, refusal, outcome } = await explain(tenant, {
    client,
    userId,
    origin: originOf(tenant, question),
    subjectScopes: namesIn(question.subjectScope),
    subjectOrganizationId: question.subjectOrganizationId ?? question.organizationId,
    hasActor: question.hasActor === 'true',
    scope: names.join(' '),
    resource: question.resource,
    organizationId: question.organizationId,
  })
  const whyNot = new Map(outcome?.dropped.map(({ scope, why }) => [scope, why]))
  return {
    refusal: refusal ? { error: refusal.code, description: refusal.description, reason: refusal.reason ?? null } : null,
    rules: rules.map(({ rule: { source, name, effect }, whyNot: reason }) => ({
      ...{ source, name, effect },
      whyNot: reason ?? null,
    })),
    audience: outcome?.audience ?? null,
    expiresIn: outcome?.expiresIn ?? null,
    scopes: names.map((name) => {
      const isGranted = outcome?.scopes.includes(name) === true
      return { name, isGranted, why: isGranted ? null : (whyNot.get(name) ?? refusal?.description ?? null) }
    }),
  }
}

export const exchangeExplanationHandlers = (explain: ExplainExchange) =>
  bind(exchangeExplanationRoutes, {
    explainExchange: ({ params, query }, { store, tenant }) => explanationOf(store, tenant, explain, params, query),
  })
