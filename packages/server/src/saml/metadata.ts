/** GET /api/saml-applications/:id/metadata: what the application has to know about this server, for anyone. */
import { samlAddressesOf } from '../domain/applications/saml-applications.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { notFound } from '../kernel/api-error.ts'
import type { Store } from '../storage/store.ts'
import { metadataOf } from '../tokens/saml/metadata.ts'
import { findServiceProvider } from './service-provider.ts'

/** Throws 404. */
export const samlMetadata =
  (store: Store) =>
  async ({ tenant, params }: Exchange): Promise<Answer> => {
    const provider = await findServiceProvider(store, tenant, params.id)
    if (!provider) throw notFound('application', params.id ?? '')
    const { client, settings, keys } = provider
    const addresses = samlAddressesOf(tenant, client.id)
    const body = metadataOf({
      entityId: addresses.metadata,
      certificates: keys.map(({ certificate }) => certificate),
      signOnUrl: addresses.signOn,
      logoutUrl: settings.singleLogout ? addresses.logout : undefined,
      nameIdFormat: settings.nameIdFormat,
      wantsSignedRequests: settings.requireSignedRequests,
    })
    return {
      status: 200,
      headers: { 'content-type': 'application/samlmetadata+xml', 'cache-control': 'no-cache' },
      body,
    }
  }
