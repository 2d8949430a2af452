import type { RemoteSettings } from './remote-settings.ts'
import { secureUrl } from './secure-url.ts'

/**
 * The address of an issuer's keys (OIDC Discovery §4). The metadata must name the requested issuer, byte for byte
 * (§4.3), or one issuer could publish the keys of another. Redirects are not followed. Nothing else of the metadata is
 * used, not even the list of algorithms: this package has its own.
 */
export async function discoverJwksUri(settings: RemoteSettings): Promise<URL> {
  const { issuer, fetch } = settings
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(address, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(settings.timeoutMs),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${address} answered ${response.status}`)
  }
  const metadata: unknown = await response.json()
  if (typeof metadata !== 'object' || metadata === null) throw new Error(`${address} is not a JSON object`)
  if (!('issuer' in metadata) || metadata.issuer !== issuer) throw new Error(`${address} is not of issuer ${issuer}`)
  if (!('jwks_uri' in metadata) || typeof metadata.jwks_uri !== 'string') throw new Error(`${address} has no jwks_uri`)
  return secureUrl('jwks_uri', metadata.jwks_uri, settings)
}
