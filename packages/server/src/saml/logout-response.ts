/**
 * What an application answers to a logout request that the browser brought (saml2-core section 3.7.3.2): checked as strictly as its
 * requests, and recorded once. The browser then goes on to the next application.
 */

import { summaryOf } from '../domain/applications/clients.ts'
import { samlAddressesOf } from '../domain/applications/saml-applications.ts'
import { recordLogoutAnswer, SAML_LOGOUT_PATH } from '../domain/sessions/saml-logouts.ts'
import { callerOf } from '../http/caller-of.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { type Incoming, receive } from '../tokens/saml/incoming.ts'
import { readLogoutResponse } from '../tokens/saml/requests.ts'
import { SamlRefusal } from './refusal-page.ts'
import type { ServiceProvider } from './service-provider.ts'

/** Throws SamlRefusal, UnacceptableMessage. */
export const takeLogoutResponse = async (
  store: Store,
  exchange: Exchange,
  { client, settings }: ServiceProvider,
  incoming: Incoming,
): Promise<Answer> => {
  const { tenant } = exchange
  const { root, isSigned } = receive(incoming, 'LogoutResponse', settings.requestCertificates)
  if (!isSigned) throw new SamlRefusal('malformed', 'the response is not signed')
  const address = samlAddressesOf(tenant, client.id).logout
  const { issuer, inResponseTo, status, isPartial } = readLogoutResponse(root, address, isSigned, store.clock.now())
  if (issuer !== settings.entityId)
    throw new SamlRefusal('malformed', 'the Issuer is not the entityId of the application')
  const caller = callerOf(exchange, 'SamlApplication.LogoutResponse', { application: summaryOf(client) })
  const work = { store, tenant, caller }
  const hasEnded = status === 'Success' && !isPartial
  const isAwaited = await perform(work, recordLogoutAnswer, client.id, inResponseTo ?? '', hasEnded)
  if (!isAwaited)
    throw new SamlRefusal('pushedRequestGone', 'no logout request to the application waits for this answer')
  return redirectTo(`${tenant.baseUrl}${SAML_LOGOUT_PATH}`)
}
