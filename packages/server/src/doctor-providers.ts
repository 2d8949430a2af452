/** The part of `countersign doctor` that asks the providers at which users sign in: of social connectors and of enterprise SSO. */
import { listConnectors, providerOfConnector } from './domain/delivery/connectors.ts'
import { ssoProviderOf } from './domain/federation/enterprise/config.ts'
import { ssoConnectorsOf } from './domain/federation/enterprise/connectors.ts'
import { checkProvider, type ProviderCheck } from './domain/federation/provider-check.ts'
import type { Tenant } from './kernel/tenant.ts'
import type { Store } from './storage/store.ts'

interface Probed extends ProviderCheck {
  readonly subject: string
}

/** How many providers are asked at once. */
const AT_ONCE = 10

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
    .filter(({ isComplete }) => isComplete)
    .map((each) => [`SSO connector ${each.name} of ${tenant.id}`, ssoProviderOf(each)] as const)
  const all = [...social, ...enterprise]
  const found: Probed[] = []
  for (let from = 0; from < all.length; from += AT_ONCE)
    found.push(
      ...(await Promise.all(
        all
          .slice(from, from + AT_ONCE)
          .map(async ([subject, provider]) => ({ subject, ...(await checkProvider(store, tenant, provider)) })),
      )),
    )
  return found
}
