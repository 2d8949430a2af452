/** Tells the application that a sign-in did not come about: a response with a status and without an assertion. */
import { samlAddressesOf } from '../domain/applications/saml-applications.ts'
import type { SamlKey } from '../domain/applications/saml-keys.ts'
import type { SamlRequest } from '../domain/applications/saml-requests.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import type { Store } from '../storage/store.ts'
import type { Status } from '../tokens/saml/names.ts'
import { type Envelope, refusalResponse } from '../tokens/saml/response.ts'
import { postPage } from './post-page.ts'
import { SamlRefusal } from './refusal-page.ts'
import type { ServiceProvider } from './service-provider.ts'

/** The key that signs. Throws SamlRefusal if there is none. */
export const activeKeyOf = ({ keys }: ServiceProvider): SamlKey => {
  const key = keys.find(({ isActive }) => isActive)
  if (!key) throw new SamlRefusal('malformed', 'the application has no active key that has not expired')
  return key
}

/** From this server to where the request wants its answer. */
export const envelopeOf = (store: Store, { tenant }: Exchange, id: string, request: SamlRequest): Envelope => ({
  issuer: samlAddressesOf(tenant, id).metadata,
  destination: request.acsUrl,
  inResponseTo: request.id,
  now: store.clock.now(),
})

export const refuseToProvider = (
  store: Store,
  exchange: Exchange,
  provider: ServiceProvider,
  request: SamlRequest,
  status: Status,
): Promise<Answer> => {
  const { client } = provider
  const xml = refusalResponse(envelopeOf(store, exchange, client.id, request), status, activeKeyOf(provider))
  return postPage(store, exchange, client, { destination: request.acsUrl, xml, relayState: request.relayState })
}
