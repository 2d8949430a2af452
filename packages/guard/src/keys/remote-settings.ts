import { misconfigured } from '../errors/misconfigured.ts'
import { checkedIssuer } from './issuer.ts'
import { dangerouslyAllowHttp, type InsecureOptions, secureUrl } from './secure-url.ts'

/** How an issuer's keys are fetched. */
export interface RemoteKeysOptions extends InsecureOptions {
  /** The address of the key set. Without it, it is discovered from `{issuer}/.well-known/openid-configuration`. */
  readonly jwksUri?: string
  /** For a proxy or for instrumentation. The global `fetch` by default. */
  readonly fetch?: typeof fetch
  /** Timeout of one request: 5 000 by default, from 1 to 60 000. */
  readonly timeoutMs?: number
  /** How long after a fetch an unknown `kid` does not cause another: 30 000 by default, from 0 to 3 600 000. */
  readonly cooldownMs?: number
  /**
   * How long keys are used without fetching again, and so how long a withdrawn key stays valid: 600 000 by default, at
   * most a day.
   */
  readonly cacheMaxAgeMs?: number
}

export type RemoteSettings = ReturnType<typeof remoteSettings>

const withGlobalFetch: typeof fetch = (input, init) => globalThis.fetch(input, init)

/** The options with their defaults. Invalid ones are refused. */
export const remoteSettings = (issuer: string, options: RemoteKeysOptions) => ({
  issuer: checkedIssuer(issuer, options),
  jwksUri: options.jwksUri === undefined ? undefined : secureUrl('jwksUri', options.jwksUri, options),
  fetch: options.fetch ?? withGlobalFetch,
  timeoutMs: inRange('timeoutMs', options.timeoutMs ?? 5_000, 1, 60_000),
  cooldownMs: inRange('cooldownMs', options.cooldownMs ?? 30_000, 0, 3_600_000),
  cacheMaxAgeMs: inRange('cacheMaxAgeMs', options.cacheMaxAgeMs ?? 600_000, 0, 86_400_000),
  [dangerouslyAllowHttp]: options[dangerouslyAllowHttp] === true,
})

function inRange(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw misconfigured(`${name} must be an integer from ${least} to ${most}`)
}
