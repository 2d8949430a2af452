/**
 * The Account API: contract to domain. Users call it through an application, with an opaque access token (DECISIONS T1).
 *
 * This file answers whose account a request is about, and whether its token covers it.
 */
import { VERIFICATION_HEADER } from '@countersign/contract/account-verifications.ts'
import { type AccountHolder, findAccountHolder } from '../domain/account/holder.ts'
import { summaryOf } from '../domain/applications/clients.ts'
import { subjectFor } from '../domain/applications/subjects.ts'
import { accountCenter } from '../domain/sign-in/account-center.ts'
import { presentedToken } from '../http/access-token.ts'
import type { Authorize, Call } from '../http/api.ts'
import type { Exchange } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Store } from '../storage/store.ts'
import { assertHeldAtApi } from '../tokens/bound/at-api.ts'

const holders = new WeakMap<Exchange, KnownHolder>()

/** The user, and by which `sub` their application knows them. */
export type KnownHolder = AccountHolder & { readonly subject: string }

/** Whose account the call is about. */
export const holderOf = ({ exchange }: Pick<Call, 'exchange'>): KnownHolder => {
  const holder = holders.get(exchange)
  if (!holder) throw new Error('the request was not authorized')
  return holder
}

const verificationIdOf = ({ headerValues }: Exchange): string | undefined => {
  const [id, ...more] = headerValues(VERIFICATION_HEADER)
  if (more.length > 0 || (id?.length ?? 0) > 64)
    throw new ApiError('guard.invalid_input', { reason: `${VERIFICATION_HEADER} names one verification` })
  return id
}

/**
 * Throws 401 unless the token is an opaque one of a user's live grant, and the caller has the key that it may be bound to. Refuses with 403 without `openid` or a scope of the route,
 * and what is sensitive or not a GET of a third-party application; with 400 where the Account API is off.
 */
export const authorizeAccount =
  (store: Store): Authorize =>
  async (exchange, { method, scopes = [], proof, isFirstParty }) => {
    const { tenant } = exchange
    const presented = presentedToken(exchange)
    const found = await findAccountHolder(store, tenant, presented.token, verificationIdOf(exchange))
    if (!found) throw new ApiError('auth.unauthorized')
    const { holder, client, confirmation } = found
    const headers = await assertHeldAtApi(store, exchange, { ...presented, ...confirmation }, client)
    const who = { actor: { type: 'user', id: holder.userId }, application: summaryOf(client) } as const
    const missing = ['openid', ...scopes].filter((scope) => !holder.scopes.includes(scope))
    if (missing.length > 0) return { who, refusal: new ApiError('auth.forbidden', { permission: missing.join(' ') }) }
    if (client.isThirdParty && (method !== 'GET' || proof || isFirstParty))
      return { who, refusal: new ApiError('auth.third_party_application_forbidden') }
    const { enabled } = await accountCenter(store, tenant)
    if (!enabled) return { who, refusal: new ApiError('account_center.not_enabled') }
    holders.set(exchange, { ...holder, subject: subjectFor(store, tenant, client, holder.userId) })
    return { who, headers }
  }
