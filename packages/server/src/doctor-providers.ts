/** The part of `countersign doctor` that asks the providers at which users sign in: of social connectors and of enterprise SSO. */
import { listConnectors, providerOfConnector } from './domain/delivery/connectors.ts'
import { oidcProviderOf } from './domain/federation/enterprise/config.ts'
import { ssoConnectorsOf } from './domain/federation/enterprise/connectors.ts'
import { FederationFailure } from './domain/federation/failure.ts'
import type { Provider } from './domain/federation/provider.ts'
import type { Tenant } from './kernel/tenant.ts'
import type { Store } from './storage/store.ts'

interface Probed {
  readonly subject: string
  readonly isSound: boolean
  readonly text: string
}

/** How many providers are asked at once. */
const AT_ONCE = 10

const probed = async (store: Store, subject: string, provider: Provider): Promise<Probed> => {
  try {
    const { probeProvider } = await import('./domain/federation/probe.ts')
    return { subject, isSound: true, text: await probeProvider(store, provider) }
  } catch (error) {
    if (!(error instanceof FederationFailure)) throw error
    return { subject, isSound: false, text: `users cannot sign in there: ${error.message}` }
  }
}

/**
 * Every provider of the tenant, with what is wrong. SSO connectors whose configuration is incomplete, to which no user is sent, are left
 * out.
 * @param store its outbound client is the one that the providers are asked with
 */
export const probeProviders = async (store: Store, tenant: Tenant): Promise<Probed[]> => {
  const connectors = await listConnectors(store, tenant)
  const social = connectors
    .filter(({ factory }) => factory.type === 'Social')
    .map((each) => [`connector ${each.target} of ${tenant.id}`, providerOfConnector(each).provider] as const)
  const enterprise = (await ssoConnectorsOf({ tx: store.database.kysely, vault: store.vault, tenant }))
    .filter(({ isComplete, preset }) => isComplete && preset.providerType === 'oidc')
    .map((each) => [`SSO connector ${each.name} of ${tenant.id}`, oidcProviderOf(each)] as const)
  const all = [...social, ...enterprise]
  const found: Probed[] = []
  for (let from = 0; from < all.length; from += AT_ONCE)
    found.push(
      ...(await Promise.all(
        all.slice(from, from + AT_ONCE).map(([subject, provider]) => probed(store, subject, provider)),
      )),
    )
  return found
}
