/** The application of a request, as this room needs it: the client, its settings and the keys that sign for it. */
import { type Client, findClient } from '../domain/applications/clients.ts'
import { findSamlSettings, type SamlSettings } from '../domain/applications/saml-applications.ts'
import { type SamlKey, samlKeys } from '../domain/applications/saml-keys.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'

export interface ServiceProvider {
  readonly client: Client
  readonly settings: SamlSettings
  /** Those that have not expired, the active one first. */
  readonly keys: readonly SamlKey[]
}

/** Everything from the cache. Undefined: there is no SAML application with this id. */
export const findServiceProvider = async (
  store: Store,
  tenant: Tenant,
  id: string | undefined,
): Promise<ServiceProvider | undefined> => {
  if (id === undefined || !/^[0-9a-z-]{1,21}$/.test(id)) return undefined
  const client = await findClient(store, tenant, id)
  if (client?.type !== 'SAML') return undefined
  const [settings, keys] = await Promise.all([findSamlSettings(store, tenant, id), samlKeys(store, tenant, id)])
  return settings && { client, settings, keys }
}
