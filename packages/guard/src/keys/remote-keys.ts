import { createRemoteJWKSet, customFetch } from 'jose'
import { discoverJwksUri } from './discover-jwks-uri.ts'
import type { KeySource } from './key-source.ts'
import { type RemoteKeysOptions, type RemoteSettings, remoteSettings } from './remote-settings.ts'

/**
 * The keys of an issuer, fetched when the first token needs them and cached in the returned function.
 *
 * A token with an unknown `kid` causes another fetch, at most one in `cooldownMs`, so that a key which appears after
 * the start is found without a restart. Concurrent requests share one fetch. The discovered address of the key set
 * is cached forever; a failure is not cached, the next token fetches again.
 */
export const remoteKeys = (issuer: string, options: RemoteKeysOptions = {}): KeySource =>
  fetchedKeys(remoteSettings(issuer, options))

/** {@link remoteKeys} for already checked options. */
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
