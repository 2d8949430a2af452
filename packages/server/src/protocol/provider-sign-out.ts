/**
 * Signing out at the identity provider of a company after signing out here, where its connector says so (OpenID Connect RP-Initiated
 * Logout 1.0; single logout of SAML 2.0; DECISIONS P18, P20): there, and back by `/sso/:connectorId/signed-out`.
 */
import { findClient } from '../domain/applications/clients.ts'
import { type SsoConnector, ssoConnectorOfSignIn } from '../domain/federation/enterprise/connectors.ts'
import { FederationFailure } from '../domain/federation/failure.ts'
import { findSsoSession, type SsoSession } from '../domain/sign-in/enterprise-sessions.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import { callerOf } from '../http/caller-of.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { parseParameters } from '../http/parameters.ts'
import { secondsAfter } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { withErrorPage } from './authorize/error-page.ts'
import { single } from './endpoint.ts'
import { type Onward, signedOut } from './signed-out.ts'

/** A provider may ask the user first. */
const STATE_SECONDS = 3600

/** The provider by which a session was made, and where the user signs out too. */
interface ProviderOfSession {
  readonly connector: SsoConnector
  readonly session: SsoSession
}

/** Undefined where signing out here is all. Has to be asked before the session ends. */
export const providerOfSession = async (
  store: Store,
  tenant: Tenant,
  sessionId: string,
): Promise<ProviderOfSession | undefined> => {
  if (!(await signInExperience(store, tenant)).hasSso) return undefined
  const session = await findSsoSession(store, tenant, sessionId)
  if (!session) return undefined
  const connector = await ssoConnectorOfSignIn(store, tenant, session.connectorId)
  if (!connector?.isComplete || !connector.config.signOutAtProvider) return undefined
  return { connector, session }
}

/** What the state says, which nothing but this server can read or make. */
interface State {
  readonly returnTo?: string
  readonly clientId?: string
  /** ISO 8601. */
  readonly until: string
}

const purpose = (tenant: Tenant, connectorId: string): string => `signed-out/${tenant.id}/${connectorId}`

const sealState = (
  { vault, clock }: Store,
  tenant: Tenant,
  connectorId: string,
  { returnTo, client }: Onward,
): string => {
  const until = secondsAfter(clock.now(), STATE_SECONDS).toISOString()
  const state: State = {
    ...(returnTo === undefined ? {} : { returnTo }),
    ...(client ? { clientId: client.id } : {}),
    until,
  }
  return vault.seal(JSON.stringify(state), purpose(tenant, connectorId)).toString('base64url')
}

const openState = ({ vault, clock }: Store, tenant: Tenant, connectorId: string, text: string): State | undefined => {
  try {
    const state = JSON.parse(vault.unseal(Buffer.from(text, 'base64url'), purpose(tenant, connectorId))) as State
    return new Date(state.until) > clock.now() ? state : undefined
  } catch {
    return undefined
  }
}

/** Loaded for the first one: most servers send no one to a provider. */
const oidc = () => import('../domain/federation/enterprise/sign-out.ts')
const saml = () => import('../domain/federation/enterprise/saml-logout.ts')

const addressOf = async (
  store: Store,
  exchange: Exchange,
  { connector, session }: ProviderOfSession,
  onward: Onward,
): Promise<string | undefined> => {
  const { tenant } = exchange
  const returnTo = `${tenant.baseUrl}/sso/${connector.id}/signed-out`
  const state = sealState(store, tenant, connector.id, onward)
  if (connector.preset.providerType === 'oidc') {
    const { signOutAddress } = await oidc()
    return signOutAddress(store, tenant, connector, { ...session, returnTo, state })
  }
  const { samlSignOutAddress } = await saml()
  const work = { store, tenant, caller: callerOf(exchange, 'Saml.SignOut') }
  return samlSignOutAddress(work, connector, { ...session, returnTo: `${returnTo}?${new URLSearchParams({ state })}` })
}

/** The address at the provider. Undefined where it has none or cannot be reached: then signing out here is all. */
export const addressAtProvider = async (
  store: Store,
  exchange: Exchange,
  provider: ProviderOfSession,
  onward: Onward,
): Promise<string | undefined> => {
  try {
    return await addressOf(store, exchange, provider, onward)
  } catch (error) {
    if (!(error instanceof FederationFailure)) throw error
    const about = { err: error, tenant: exchange.tenant.id, connectorId: provider.connector.id }
    store.log.warn(about, 'a user could not be led to the identity provider to sign out')
    return undefined
  }
}

/** The user is back. Nothing is ended here: whoever opens the address without a state gets a page. */
export const signedOutEndpoint = (store: Store) =>
  withErrorPage(store, 'EndSession', async (exchange): Promise<Answer> => {
    const { tenant, params } = exchange
    const text = single(parseParameters(exchange.queryText), 'state')
    const state = text === undefined ? undefined : openState(store, tenant, params.connectorId ?? '', text)
    const client = state?.clientId === undefined ? undefined : await findClient(store, tenant, state.clientId)
    return signedOut(store, exchange, { returnTo: client && state?.returnTo, client })
  })
