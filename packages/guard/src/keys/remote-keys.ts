import { createRemoteJWKSet, customFetch } from 'jose'
import { discoverJwksUri } from './discover-jwks-uri.ts'
import type { KeySource } from './key-source.ts'
import { type RemoteKeysOptions, type RemoteSettings, remoteSettings } from './remote-settings.ts'

/**
 * The keys of an issuer, fetched when the first token needs them and kept in the function that is returned.
 *
 * A token with an unknown `kid` causes another fetch, at most one in `cooldownMs`, so that a key which appears after
 * the start is found without a restart. Concurrent requests share one fetch. The discovered address of the key set is
 * kept for good; a failure is not kept, the next token asks again.
 */
export const remoteKeys = (issuer: string, options: RemoteKeysOptions = {}): KeySource =>
  fetchedKeys(remoteSettings(issuer, options))

/** {@link remoteKeys} for options that are checked already. */
export function fetchedKeys(settings: RemoteSettings): KeySource {
  const keySet = async () =>
    createRemoteJWKSet(settings.jwksUri ?? (await discoverJwksUri(settings)), {
      timeoutDuration: settings.timeoutMs,
      cooldownDuration: settings.cooldownMs,
      cacheMaxAge: settings.cacheMaxAgeMs,
      [customFetch]: settings.fetch,
    })

  let keys: ReturnType<typeof keySet> | undefined
  return async (header, token) => {
    keys ??= keySet().catch((error: unknown) => {
      keys = undefined
      throw error
    })
    return (await keys)(header, token)
  }
}
