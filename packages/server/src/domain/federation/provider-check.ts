/** Whether users could be sent to a provider now, by whichever protocol it speaks, as a finding for the operator. */
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { FederationFailure } from './failure.ts'
import type { Provider } from './provider.ts'
import { foundOfProvider, type ProviderCheck } from './provider-findings.ts'
import type { SamlProvider } from './saml/provider.ts'
import { isSaml } from './visits.ts'

/** Loaded where there is one to ask. */
const oidc = () => import('./probe.ts')
const saml = () => import('./saml/probe.ts')

const asked = async (store: Store, tenant: Tenant, provider: Provider | SamlProvider): Promise<ProviderCheck> =>
  isSaml(provider) ? (await saml()).probeSaml(store, tenant, provider) : (await oidc()).probeProvider(store, provider)

/** Asks it. Does not check whether the provider knows the client. @param store its outbound client sends the requests */
export const checkProvider = async (
  store: Store,
  tenant: Tenant,
  provider: Provider | SamlProvider,
): Promise<ProviderCheck> => {
  try {
    return await asked(store, tenant, provider)
  } catch (error) {
    if (!(error instanceof FederationFailure)) throw error
    return foundOfProvider('provider.failed', { reason: error.message })
  }
}
