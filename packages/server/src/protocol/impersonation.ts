/**
 * Acting as a user through the Management API (DECISIONS U9): a subject token and its exchange in one transaction, so that the rules of
 * an exchange decide about the token. Unlike other exchanges it ends after ten minutes, and at once when it is ended.
 */
import { permissionNames } from '../domain/access/paths.ts'
import { type Client, findClient } from '../domain/applications/clients.ts'
import { getApplication } from '../domain/applications/rows.ts'
import { type ImpersonationRow, recordImpersonation } from '../domain/issued/impersonations.ts'
import { createSubjectToken } from '../domain/issued/subject-tokens.ts'
import { getResource } from '../domain/permissions/resources.ts'
import type { Call } from '../http/api.ts'
import { ApiError, notFound } from '../kernel/api-error.ts'
import { toNumericDate } from '../kernel/clock.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Store } from '../storage/store.ts'
import { operation, Refusal } from '../storage/unit-of-work.ts'
import type { ExchangeAuthorization } from '../tokens/authorization.ts'
import { redeemInTurn } from '../tokens/claims/redemptions.ts'
import { mintTokens } from '../tokens/mint.ts'
import { exchangeSubject, refuseExchange } from './grants/token-exchange.ts'
import { bound } from './sender-constraint.ts'
import { ACCESS_TOKEN_TYPE } from './token-exchange/token-types.ts'

/** The longest lifetime. */
const LONGEST_SECONDS = 600
/** The most permissions that are asked for by default. */
const MOST_SCOPES = 200

interface Asked {
  readonly userId: string
  readonly reason: string
  readonly applicationId: string
  readonly resourceId: string
  readonly organizationId?: string
  readonly scope?: string
}

interface Impersonated {
  readonly row: ImpersonationRow
  readonly accessToken: string
  readonly expiresIn: number
}

/** An error of the exchange, as the Management API says it. */
const asApiError = (error: unknown): unknown => {
  const cause = error instanceof Refusal ? error.error : error
  if (!(cause instanceof OAuthError)) return error
  return new ApiError('impersonation.refused', { reason: cause.reason ?? cause.description }, { cause })
}

const begin = operation(
  [],
  async (unit, store: Store, client: Client, asked: Asked & { readonly indicator: string; readonly scope: string }) => {
    const { tenant, now, caller } = unit
    const { userId, reason, applicationId, resourceId, organizationId, scope, indicator } = asked
    const { actor } = caller
    if (actor.id === undefined || (actor.type !== 'user' && actor.type !== 'application'))
      throw new ApiError('auth.unauthorized')
    // refuses an administrator who holds what the caller lacks
    const subjectToken = await createSubjectToken.run(unit, userId, { reason })
    const parameters = new Map(
      Object.entries({
        subject_token: subjectToken,
        subject_token_type: ACCESS_TOKEN_TYPE,
        resource: indicator,
        // an exchange asks for something; an API without permissions has nothing to ask for, and no such scope
        scope: scope.trim() || 'openid',
        ...(organizationId === undefined ? {} : { organization_id: organizationId }),
      }).map(([name, value]) => [name, [value]] as const),
    )
    const request = {
      store,
      tenant,
      client,
      parameters,
      now,
      confirmation: undefined,
      hasClaimsScript: false,
      note: unit.note,
    }
    // a spent subject token is not worth keeping: it was never handed out
    const exchanged = (await exchangeSubject(unit, request)
      .then((authorization) => bound(request, authorization, undefined))
      .catch((error: unknown) => {
        throw asApiError(error)
      })) as ExchangeAuthorization
    const act = { sub: actor.id }
    const authorization = { ...exchanged, act, expiresAt: toNumericDate(now) + LONGEST_SECONDS }
    const { accessToken, jti, expiresIn } = await mintTokens(store, tenant, authorization, now, unit)
    const { subjectTokenId: id } = exchanged
    if (id === undefined || jti === undefined) throw new Error('an exchange of a subject token gave no JWT of it')
    const row = await recordImpersonation(unit, {
      ...{ id, user_id: userId, actor_type: actor.type, actor_id: actor.id, application_id: applicationId },
      ...{
        resource_id: resourceId,
        organization_id: organizationId ?? null,
        scopes: [...exchanged.scopes],
        reason,
        jti,
      },
      ...{ created_at: now, expires_at: new Date((toNumericDate(now) + expiresIn) * 1000) },
    })
    unit.concerns('impersonation', id)
    unit.concerns('user', userId)
    unit.note({
      ...exchanged.facts,
      userId,
      act,
      reason,
      jti,
      scope: exchanged.scopes.join(' '),
      dropped: exchanged.dropped,
    })
    return { row, accessToken, expiresIn }
  },
)

/**
 * Makes a token by which the caller acts as a user. Throws 404 for what does not exist, 403 for an administrator who holds what the
 * caller lacks, 422 `subject_token.user_suspended`, and 422 `impersonation.refused` with the reason of the exchange.
 */
export const impersonate = async ({ store, tenant, perform }: Call, asked: Asked): Promise<Impersonated> => {
  const { applicationId, resourceId, organizationId } = asked
  await getApplication(store, tenant, applicationId)
  const client = await findClient(store, tenant, applicationId)
  if (!client) throw notFound('application', applicationId)
  const { indicator } = await getResource(store, tenant, resourceId)
  try {
    const refused = refuseExchange(client)
    if (refused) throw new OAuthError('unauthorized_client', refused)
    const names =
      asked.scope ?? (await permissionNames(store, tenant, { resourceId, organizationId }, MOST_SCOPES)).join(' ')
    const whole = { ...asked, indicator, scope: names }
    return await redeemInTurn(store, tenant, () => perform(begin, store, client, whole))
  } catch (error) {
    throw asApiError(error)
  }
}
