/** Whether users could be sent to a provider now: what can be seen without one (for `countersign doctor`). */
import { importPKCS8 } from 'jose'
import { customFetch } from 'oauth4webapi'
import type { Store } from '../../storage/store.ts'
import { FederationFailure } from './failure.ts'
import { serverOf } from './metadata.ts'
import type { Provider } from './provider.ts'
import { foundOfProvider, type ProviderCheck } from './provider-findings.ts'
import { type Reach, reachOf } from './reach.ts'
import { step } from './step.ts'

const keysAt = async ({ options }: Reach, address: string): Promise<number> => {
  const response = await options[customFetch](address, { method: 'GET', headers: { accept: 'application/json' } })
  if (response.status !== 200) throw new FederationFailure('provider', `${address} answered ${response.status}`)
  const said: unknown = await response.json().catch(() => undefined)
  const keys = typeof said === 'object' && said !== null && 'keys' in said ? said.keys : undefined
  return Array.isArray(keys) ? keys.length : 0
}

/**
 * Asks an OpenID provider for its metadata and keys; of others there is nothing to ask. Throws
 * FederationFailure with what is wrong. Does not check whether the provider knows the client.
 */
export const probeProvider = async (store: Store, provider: Provider): Promise<ProviderCheck> => {
  const { at, credential } = provider
  if (credential.method === 'apple')
    await importPKCS8(credential.privateKey, 'ES256').catch((cause: unknown) => {
      throw new FederationFailure('provider', 'privateKey is not a key for ES256 in PEM format', { cause })
    })
  if (at.protocol === 'oauth2') return foundOfProvider('provider.oauth2', {})
  const reach = reachOf(store)
  const { jwks_uri: address, authorization_endpoint, token_endpoint } = await serverOf(reach, provider)
  if (!authorization_endpoint || !token_endpoint)
    throw new FederationFailure('provider', `the metadata of ${at.issuer} names no endpoints`)
  if (!address) throw new FederationFailure('provider', `the metadata of ${at.issuer} names no keys`)
  const keys = await step('provider', () => keysAt(reach, address))
  if (keys === 0) throw new FederationFailure('provider', `${address} has no keys`)
  return foundOfProvider('provider.reached', { issuer: at.issuer, count: keys })
}
