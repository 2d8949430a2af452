/**
 * A user's access token at a provider, for applications that act there on behalf of the user: the one that was kept at a sign-in,
 * refreshed when it has expired. One node refreshes at a time, because many providers accept a refresh token once.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, perform, Refusal, type Unit, type Work } from '../../storage/unit-of-work.ts'
import { type SocialProvider, socialProvider } from '../delivery/connectors.ts'
import type { Visited } from '../federation/client.ts'
import { oidcProviderOf } from '../federation/enterprise/config.ts'
import { ssoConnectorOfSignIn } from '../federation/enterprise/connectors.ts'
import { FederationFailure } from '../federation/failure.ts'
import type { Provider } from '../federation/provider.ts'
import {
  findTokenSet,
  replaceTokens,
  sealTokens,
  type TokenSet,
  type TokenSetRow,
  tokensIn,
} from '../federation/token-sets.ts'

/** A token that is about to expire is of no use to its receiver. */
const SPARE_SECONDS = 30
/** Longer than a provider may take: a node that stopped meanwhile holds the others up no longer. */
const REFRESH_SECONDS = 20
const POLL_MS = 100
const MOST_POLLS = 150

const isFresh = ({ expiresAt }: TokenSet, now: Date): boolean =>
  expiresAt === undefined || expiresAt > now.getTime() / 1000 + SPARE_SECONDS

/** Whether this node is the one that refreshes it. */
const begun = operation([], async ({ tx, tenant, now }, { id, sealed }: TokenSetRow): Promise<boolean> => {
  const row = await tx
    .updateTable('token_sets')
    .set({ refreshing_until: secondsAfter(now, REFRESH_SECONDS) })
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .where('sealed', '=', sealed)
    .where((eb) => eb.or([eb('refreshing_until', 'is', null), eb('refreshing_until', '<=', now)]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
})

const refreshed = operation([], async (unit, row: TokenSetRow, tokens: TokenSet): Promise<void> => {
  unit.concerns('user', row.user_id)
  await replaceTokens(unit, row, tokens)
})

const failed = operation([], async (unit, row: TokenSetRow, failure: FederationFailure): Promise<void> => {
  const { tx, tenant } = unit
  unit.concerns('user', row.user_id)
  unit.note({ connectorId: row.connector_id ?? row.sso_connector_id, kind: failure.kind, reason: failure.message })
  await tx
    .updateTable('token_sets')
    .set({ refreshing_until: null })
    .where(inTenant(tenant.id))
    .where('id', '=', row.id)
    .execute()
  const isRefused = failure.kind === 'code'
  const code = isRefused ? 'secrets.third_party_token_set.access_token_expired' : 'connector.invalid_response'
  throw new Refusal(new ApiError(code, undefined, { cause: failure }))
})

const renewed = async (work: Work, provider: Provider, row: TokenSetRow, tokens: TokenSet): Promise<TokenSet> => {
  try {
    const { refreshedTokens } = await import('../federation/token-refresh.ts')
    const fresh = await refreshedTokens(work.store, provider, tokens)
    await perform(work, refreshed, row, fresh)
    return fresh
  } catch (error) {
    if (!(error instanceof FederationFailure)) throw error
    work.store.log.warn({ err: error, tenant: work.tenant.id }, 'a token of a provider could not be refreshed')
    await perform(work, failed, row, error)
    throw error
  }
}

/** Who knows the provider of a set. */
type FindProvider = (row: TokenSetRow) => Promise<Provider | undefined>

/**
 * The tokens that a user has at a provider, with an access token that is valid. Throws 404
 * `secrets.third_party_token_set.token_not_found`, 401 `….access_token_expired` where there is no refresh token or the provider no
 * longer accepts it, 502 `connector.invalid_response`. Does not check whether the caller may have them.
 * @param source the target of a social connector, or a connector of enterprise SSO
 */
const providerTokens = async (
  work: Work,
  userId: string,
  source: Readonly<{ target: string } | { ssoConnectorId: string }>,
  findProvider: FindProvider,
): Promise<TokenSet> => {
  const { store, tenant } = work
  for (let polls = 0; polls < MOST_POLLS; polls += 1) {
    const row = await findTokenSet(store.database.kysely, tenant.id, userId, source)
    const provider = row && (await findProvider(row))
    if (!row || !provider) throw new ApiError('secrets.third_party_token_set.token_not_found')
    const tokens = tokensIn(store.vault, row)
    const now = store.clock.now()
    if (isFresh(tokens, now)) return tokens
    if (tokens.refreshToken === undefined) throw new ApiError('secrets.third_party_token_set.access_token_expired')
    const isBusy = row.refreshing_until !== null && row.refreshing_until > now
    if (!isBusy && (await perform(work, begun, row))) return renewed(work, provider, row, tokens)
    await delay(POLL_MS)
  }
  throw new ApiError('connector.invalid_response')
}

/** The same for a social connector. Throws as providerTokens. */
export const socialTokens = (work: Work, userId: string, target: string): Promise<TokenSet> =>
  providerTokens(work, userId, { target }, async ({ connector_id }) => {
    const connector = await socialProvider(work.store, work.tenant, connector_id ?? '')
    return connector?.provider
  })

/** The same for a connector of enterprise SSO. Throws as providerTokens. */
export const ssoTokens = (work: Work, userId: string, ssoConnectorId: string): Promise<TokenSet> =>
  providerTokens(work, userId, { ssoConnectorId }, async () => {
    const connector = await ssoConnectorOfSignIn(work.store, work.tenant, ssoConnectorId)
    return connector?.isComplete && connector.preset.providerType === 'oidc' ? oidcProviderOf(connector) : undefined
  })

/** What of a visit is to be kept, sealed for the account; undefined: the connector keeps nothing. */
export const tokensToKeep = (
  { vault, tenant }: Pick<Unit, 'vault' | 'tenant'>,
  { id: connectorId, enableTokenStorage }: Pick<SocialProvider, 'id' | 'enableTokenStorage'>,
  { account, tokens }: Pick<Visited, 'account'> & Partial<Visited>,
): string | undefined =>
  enableTokenStorage && tokens
    ? sealTokens(vault, tenant.id, { connectorId, identityId: account.id }, tokens)
    : undefined
