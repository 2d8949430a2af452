import type { KeySource } from './key-source.ts'
import { fetchedKeys } from './remote-keys.ts'
import { type RemoteKeysOptions, remoteSettings } from './remote-settings.ts'
import { dangerouslyAllowHttp } from './secure-url.ts'

const byFetch = new WeakMap<typeof fetch, Map<string, KeySource>>()

/**
 * Remote keys cached in the module: the same issuer with the same settings shares one cache. This is the package's
 * only state, there so that `verifyAccessToken(request, { issuer, audience })` does not fetch keys for each request. It
 * grows with the number of issuers that the API names, and never by the content of a token.
 */
export function sharedKeys(issuer: string, options: RemoteKeysOptions): KeySource {
  const settings = remoteSettings(issuer, options)
  const { fetch, ...rest } = settings
  const name = JSON.stringify([rest, rest[dangerouslyAllowHttp]])
  const shared = byFetch.get(fetch) ?? new Map<string, KeySource>()
  byFetch.set(fetch, shared)
  const source = shared.get(name) ?? fetchedKeys(settings)
  shared.set(name, source)
  return source
}
