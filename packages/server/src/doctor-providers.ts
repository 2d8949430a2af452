/** The part of `countersign doctor` that asks the providers at which users sign in: of social connectors and of enterprise SSO. */
import { listConnectors, providerOfConnector } from './domain/delivery/connectors.ts'
import { ssoProviderOf } from './domain/federation/enterprise/config.ts'
import { ssoConnectorsOf } from './domain/federation/enterprise/connectors.ts'
import { FederationFailure } from './domain/federation/failure.ts'
import type { Provider } from './domain/federation/provider.ts'
import type { SamlProvider } from './domain/federation/saml/provider.ts'
import { isSaml } from './domain/federation/visits.ts'
import type { Tenant } from './kernel/tenant.ts'
import type { Store } from './storage/store.ts'

interface Probed {
  readonly subject: string
  readonly verdict: 'ok' | 'warning' | 'problem'
  readonly text: string
}

/** How many providers are asked at once. */
const AT_ONCE = 10

/** Loaded where there is one to ask. */
const oidc = () => import('./domain/federation/probe.ts')
const saml = () => import('./domain/federation/saml/probe.ts')

const asked = async (
  store: Store,
  tenant: Tenant,
  provider: Provider | SamlProvider,
): Promise<Omit<Probed, 'subject'>> => {
  if (!isSaml(provider)) return { verdict: 'ok', text: await (await oidc()).probeProvider(store, provider) }
  const { isWarning, text } = await (await saml()).probeSaml(store, tenant, provider)
  return { verdict: isWarning ? 'warning' : 'ok', text }
}

const probed = async (
  store: Store,
  tenant: Tenant,
  subject: string,
  provider: Provider | SamlProvider,
): Promise<Probed> => {
  try {
    return { subject, ...(await asked(store, tenant, provider)) }
  } catch (error) {
    if (!(error instanceof FederationFailure)) throw error
    return { subject, verdict: 'problem', text: `users cannot sign in there: ${error.message}` }
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
    .filter(({ isComplete }) => isComplete)
    .map((each) => [`SSO connector ${each.name} of ${tenant.id}`, ssoProviderOf(each)] as const)
  const all = [...social, ...enterprise]
  const found: Probed[] = []
  for (let from = 0; from < all.length; from += AT_ONCE)
    found.push(
      ...(await Promise.all(
        all.slice(from, from + AT_ONCE).map(([subject, provider]) => probed(store, tenant, subject, provider)),
      )),
    )
  return found
}
