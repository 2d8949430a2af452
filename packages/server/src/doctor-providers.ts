/** The part of `countersign doctor` that asks the providers at which users sign in: of social connectors and of enterprise SSO. */
import { listConnectors, providerOfConnector } from './domain/delivery/connectors.ts'
import { ssoProviderOf } from './domain/federation/enterprise/config.ts'
import { ssoConnectorsOf } from './domain/federation/enterprise/connectors.ts'
import { checkProvider } from './domain/federation/provider-check.ts'
import type { ProviderCheck } from './domain/federation/provider-findings.ts'
import type { Tenant } from './kernel/tenant.ts'
import type { Store } from './storage/store.ts'

interface Probed {
  readonly kind: 'connector' | 'sso_connector'
  /** The target of a social connector. */
  readonly name: string
  readonly check: ProviderCheck
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
    .map((each) => ['connector', each.target, providerOfConnector(each).provider] as const)
  const enterprise = (await ssoConnectorsOf({ tx: store.database.kysely, vault: store.vault, tenant }))
    .filter(({ isComplete }) => isComplete)
    .map((each) => ['sso_connector', each.name, ssoProviderOf(each)] as const)
  const all = [...social, ...enterprise]
  const found: Probed[] = []
  for (let from = 0; from < all.length; from += AT_ONCE)
    found.push(
      ...(await Promise.all(
        all
          .slice(from, from + AT_ONCE)
          .map(async ([kind, name, provider]) => ({ kind, name, check: await checkProvider(store, tenant, provider) })),
      )),
    )
  return found
}
