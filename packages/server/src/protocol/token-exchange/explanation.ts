/**
 * What a token exchange would come to, decided by the steps of the exchange themselves from what is known of the subject token, so that
 * the explanation cannot say anything else than they do (DECISIONS H12). Nothing is issued, used up or recorded.
 */
import type { Client } from '../../domain/applications/clients.ts'
import type { Considered, SubjectOrigin } from '../../domain/applications/exchange-policies.ts'
import { OPAQUE_TOKEN_SECONDS } from '../../domain/issued/opaque-access-tokens.ts'
import { signInExperience } from '../../domain/sign-in/experience.ts'
import { readHolder } from '../../domain/sign-in/identity.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { aloneOn } from '../../storage/statement.ts'
import type { Store } from '../../storage/store.ts'
import type { GrantRequest } from '../grants/grant.ts'
import { tokenExchange } from '../grants/token-exchange.ts'
import { decideExchange } from './decision.ts'
import { type Granted, grantedByExchange } from './granted.ts'
import { assertIssuedTo, assertMayDelegate, refuseSubject } from './subject.ts'
import { exchangeTarget } from './target.ts'
import { ACCESS_TOKEN_TYPE, PERSONAL_ACCESS_TOKEN_TYPE } from './token-types.ts'

/** An exchange that is thought of. The tokens are taken to be valid, and no user who acts is asked for. */
export interface AskedExchange {
  readonly client: Client
  /** Whom the subject token stands for. */
  readonly userId: string
  readonly origin: SubjectOrigin
  /** The scopes of the subject token, where the tenant restricts exchanges to them; undefined: all that are requested. */
  readonly subjectScopes: readonly string[] | undefined
  /** The organization of the subject token, which matters there too. */
  readonly subjectOrganizationId: string | undefined
  readonly hasActor: boolean
  readonly scope: string
  readonly resource: string | undefined
  readonly organizationId: string | undefined
}

interface Outcome extends Granted {
  /** `aud`; undefined: an opaque token. */
  readonly audience: string | undefined
  /** Seconds, at most. */
  readonly expiresIn: number
}

export interface ExplainedExchange {
  /** In order; the last one decides. Empty if the exchange is refused before they are asked. */
  readonly rules: readonly Considered[]
  /** Undefined: there would be a token. */
  readonly refusal: OAuthError | undefined
  readonly outcome: Outcome | undefined
}

const requestOf = (store: Store, tenant: Tenant, asked: AskedExchange): GrantRequest => {
  const { client, scope, resource, organizationId } = asked
  const parameters = new Map<string, readonly string[]>([['scope', [scope]]])
  if (resource !== undefined) parameters.set('resource', [resource])
  if (organizationId !== undefined) parameters.set('organization_id', [organizationId])
  const assumed = { confirmation: undefined, hasClaimsScript: false, note: () => undefined }
  return { store, tenant, client, parameters, now: store.clock.now(), ...assumed }
}

const outcomeOf = async (
  request: GrantRequest,
  { userId, origin, subjectScopes, subjectOrganizationId, hasActor }: AskedExchange,
  tell: (considered: readonly Considered[]) => void,
): Promise<Outcome> => {
  const { client, store, tenant } = request
  const refused = tokenExchange.refuseClient(client)
  if (refused !== undefined) throw new OAuthError('unauthorized_client', refused)
  const type = origin.type === 'personal_access_token' ? PERSONAL_ACCESS_TOKEN_TYPE : ACCESS_TOKEN_TYPE
  const target = await exchangeTarget(request, type, hasActor)
  if (origin.type === 'access_token') {
    assertMayDelegate(client)
    if (origin.applicationId !== undefined) await assertIssuedTo(request, origin.applicationId)
  }
  const rule = decideExchange(client, { ...origin, hasActor, target: target.indicator }, tell)
  const { restrictExchangeToSubjectScope } = await signInExperience(store, tenant)
  const { audience, resource, organizationId, requested, oidc } = target
  const question = { userId, scopes: [], client, resourceId: resource?.id, organizationId }
  const holder = await readHolder(aloneOn(store.database.kysely), tenant, question)
  if (!holder || holder.user.is_suspended) throw refuseSubject('the user is deleted or suspended')
  const limits = { scopes: subjectScopes ?? [...requested, ...oidc], organizationId: subjectOrganizationId }
  const isRestricted = restrictExchangeToSubjectScope && origin.type === 'access_token'
  const granted = grantedByExchange(client, target, holder, { subject: isRestricted ? limits : undefined, rule })
  const lifetime = audience?.accessTokenTtl ?? OPAQUE_TOKEN_SECONDS
  return {
    ...granted,
    audience: audience?.indicator,
    expiresIn: Math.min(lifetime, rule.maxLifetime ?? lifetime),
  }
}

/** What an exchange would come to now, and the rules that were considered for it. */
export const explainExchange =
  (store: Store) =>
  async (tenant: Tenant, asked: AskedExchange): Promise<ExplainedExchange> => {
    let rules: readonly Considered[] = []
    const tell = (considered: readonly Considered[]) => {
      rules = considered
    }
    try {
      const outcome = await outcomeOf(requestOf(store, tenant, asked), asked, tell)
      return { rules, refusal: undefined, outcome }
    } catch (error) {
      if (error instanceof OAuthError) return { rules, refusal: error, outcome: undefined }
      throw error
    }
  }
