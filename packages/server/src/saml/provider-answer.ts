/** What an identity provider is told that has asked to end sessions (saml2-core section 3.7.3.2; DECISIONS P20). */
import { type SsoConnector, ssoConnectorOfSignIn } from '../domain/federation/enterprise/connectors.ts'
import { logoutIdentityProvider, logoutServiceProvider } from '../domain/federation/enterprise/saml-logout.ts'
import { FederationFailure } from '../domain/federation/failure.ts'
import type { SamlIdentityProvider, ServiceProvider } from '../domain/federation/saml/provider.ts'
import type { LogoutEnd } from '../domain/sessions/saml-logouts.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import type { Store } from '../storage/store.ts'
import { logoutResponse, signedAddress, signedDocument } from '../tokens/saml/logout.ts'
import type { Status } from '../tokens/saml/names.ts'
import { postPage } from './post-page.ts'

/** The request that is answered, and by which connector. */
type Asked = Omit<Extract<LogoutEnd, { kind: 'provider' }>, 'kind'>

/** The page that says that the user is signed out. */
const pageOf = ({ tenant }: Exchange, { connectorId }: Asked): Answer =>
  redirectTo(`${tenant.baseUrl}/sso/${connectorId}/signed-out`)

/** To where the metadata of the identity provider says; where that says nothing, or nothing can be signed, there is a page. */
export const answerProvider = (
  store: Store,
  exchange: Exchange,
  { us, idp }: { readonly us: ServiceProvider; readonly idp: SamlIdentityProvider },
  asked: Asked,
  status: Status,
): Promise<Answer> | Answer => {
  const { requestId, relayState } = asked
  const key = us.keys.active
  const { redirect, post } = idp.signOutAnswer
  const destination = redirect ?? post
  if (!key || destination === undefined || !store.outbound.isSecureEnough(destination)) return pageOf(exchange, asked)
  const envelope = { issuer: us.entityId, destination, inResponseTo: requestId, now: store.clock.now() }
  const message = logoutResponse(envelope, status)
  if (redirect !== undefined) return redirectTo(signedAddress(message, key, relayState))
  return postPage(store, exchange, undefined, { destination, xml: signedDocument(message, key), relayState })
}

const samlConnector = async (
  store: Store,
  { tenant }: Exchange,
  { connectorId }: Asked,
): Promise<SsoConnector | undefined> => {
  const found = await ssoConnectorOfSignIn(store, tenant, connectorId)
  return found?.isComplete && found.preset.providerType === 'saml' ? found : undefined
}

/** The same once the browser has been to the applications. An identity provider that cannot be answered any more leads to the page. */
export const answerProviderLater = async (
  store: Store,
  exchange: Exchange,
  asked: Asked,
  status: Status,
): Promise<Answer> => {
  const { tenant } = exchange
  const connector = await samlConnector(store, exchange, asked)
  if (!connector) return pageOf(exchange, asked)
  try {
    const us = await logoutServiceProvider(store, tenant, connector)
    const idp = await logoutIdentityProvider({ store, tenant }, connector)
    return await answerProvider(store, exchange, { us, idp }, asked, status)
  } catch (error) {
    if (!(error instanceof FederationFailure)) throw error
    return pageOf(exchange, asked)
  }
}
