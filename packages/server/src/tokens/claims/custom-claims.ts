/**
 * Custom claims (DECISIONS J): what a tenant's script adds to a JWT access token. Nothing is read, run or loaded while
 * there is no script. If the grant has a transaction the script runs inside it: when the script refuses, the grant
 * consumes nothing; the connection is held in the meantime (redemptions.ts limits for how many).
 */
import { type Customizer, findCustomizer } from '../../domain/issued/jwt-customizers.ts'
import { toNumericDate } from '../../kernel/clock.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import type { Store } from '../../storage/store.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { JwtAuthorization } from '../authorization.ts'
import { claimsContext } from './context.ts'
import { scriptPool } from './pool.ts'
import { extraClaims } from './registered-claims.ts'
import type { Conclusion, ScriptFailure } from './script.ts'

export interface CustomClaims {
  readonly claims: Readonly<Record<string, unknown>>
  /** For the audit entry, if there is anything to record. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/** RFC 6749 section 5.2: what an error_description may contain, and no more than a person would read. */
const asDescription = (message: string): string =>
  message
    .slice(0, 256)
    .replace(/"/g, "'")
    .replace(/[^\x20-\x7e]|\\/g, '?') || 'access denied'

/** For the log: the script's own message, which its author chose. */
const reasonOf = (failure: ScriptFailure, detail: string): string =>
  `custom claims: ${failure}: ${detail.slice(0, 256)}`

const refuse = (failure: ScriptFailure, reason: string): OAuthError =>
  failure === 'unavailable'
    ? new OAuthError('temporarily_unavailable', 'too many tokens with custom claims are being made; try again soon', {
        reason,
        headers: { 'retry-after': '1' },
      })
    : new OAuthError('invalid_request', 'the custom claims of the access token could not be made', { reason })

/** DECISIONS J4. */
const withoutClaims = ({ blockIssuanceOnError }: Customizer, failure: ScriptFailure, detail: string): CustomClaims => {
  const reason = reasonOf(failure, detail)
  if (blockIssuanceOnError) throw refuse(failure, reason)
  return { claims: {}, facts: { customClaims: { error: reason } } }
}

const concluded = (customizer: Customizer, conclusion: Conclusion): CustomClaims => {
  switch (conclusion.kind) {
    case 'denied':
      throw new OAuthError('access_denied', asDescription(conclusion.message), {
        reason: `custom claims: denied: ${conclusion.message.slice(0, 256)}`,
      })
    case 'failed':
      return withoutClaims(customizer, conclusion.failure, conclusion.detail)
    case 'claims': {
      const extra = extraClaims(conclusion.json)
      // the engine lets only objects through, whose length it counts in characters
      if (!extra) return withoutClaims(customizer, 'size', 'its result is too large')
      const { claims, dropped } = extra
      return { claims, ...(dropped.length > 0 ? { facts: { customClaims: { dropped } } } : {}) }
    }
  }
}

/** The token as the script sees it. */
const tokenOf = (authorization: JwtAuthorization, jti: string, now: Date) => {
  const { kind, client, resource, scopes } = authorization
  const grant = kind === 'grant' ? authorization.grant : undefined
  return {
    kind: kind === 'machine' ? 'ClientCredentials' : 'AccessToken',
    jti,
    aud: resource.indicator,
    scope: scopes.length > 0 ? scopes.join(' ') : undefined,
    clientId: client.id,
    iat: toNumericDate(now),
    ...(kind === 'machine' ? {} : { accountId: authorization.userId }),
    ...(grant && { grantId: grant.id, sid: grant.sessionId ?? undefined, sessionUid: grant.sessionId ?? undefined }),
  }
}

/** What a script gets of a token, each of them JSON. */
export interface ScriptView {
  readonly token: string
  readonly context: string
}

/**
 * What the script gets of the token that an Authorization leads to.
 * @param jti of the token
 * @param db the transaction of the grant, if there is one
 */
export const scriptView = async (
  store: Store,
  tenant: Tenant,
  authorization: JwtAuthorization,
  jti: string,
  now: Date,
  db: Db,
): Promise<ScriptView> => ({
  token: JSON.stringify(tokenOf(authorization, jti, now)),
  context: await claimsContext(store, tenant, authorization, db),
})

/** The argument of the function, as JSON, without the api. */
export const scriptInput = (
  { token, context }: ScriptView,
  environmentVariables: Readonly<Record<string, string>> | undefined,
): string => {
  const environment = environmentVariables && `,"environmentVariables":${JSON.stringify(environmentVariables)}`
  return `{"token":${token},"context":${context}${environment ?? ''}}`
}

/** Whether a script runs for a token: an administrator who could not get in could not fix the script either. */
export const hasCustomClaims = (tenant: Tenant, { resource }: Pick<JwtAuthorization, 'resource'>): boolean =>
  resource.indicator !== tenant.managementApi

/**
 * The claims that the tenant's script adds to the JWT access token of an Authorization; none when there is no script, and none
 * in a token for the Management API. Registered claims are not among them. Throws OAuthError: access_denied when the
 * script denies access; invalid_request when it fails, and temporarily_unavailable when it was not run, unless the
 * tenant allows issuing the token nonetheless.
 * @param jti of the token
 * @param unit of the grant, if it has one
 */
export const customClaims = async (
  store: Store,
  tenant: Tenant,
  authorization: JwtAuthorization,
  jti: string,
  now: Date,
  unit: Unit | undefined,
): Promise<CustomClaims> => {
  if (!hasCustomClaims(tenant, authorization)) return { claims: {} }
  const tokenType = authorization.kind === 'machine' ? 'client-credentials' : 'access-token'
  const customizer = await findCustomizer(store, tenant, tokenType)
  if (!customizer) return { claims: {} }
  const view = await scriptView(store, tenant, authorization, jti, now, unit?.tx ?? store.database.kysely)
  const { script, environmentVariables, cpuLimit } = customizer
  const input = scriptInput(view, environmentVariables)
  const run = { tenantId: tenant.id, script, input, cpuLimit }
  const stop = store.metrics.claimsScripts.startTimer({ token: tokenType })
  const { conclusion } = await scriptPool.run(run, unit !== undefined)
  stop({ result: conclusion.kind })
  return concluded(customizer, conclusion)
}
