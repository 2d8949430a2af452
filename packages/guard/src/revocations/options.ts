import { misconfigured } from '../errors/misconfigured.ts'
import { checkedIssuer } from '../keys/issuer.ts'
import { type InsecureOptions, secureUrl } from '../keys/secure-url.ts'

/** How the revocation feed of an issuer is read. */
export interface RevocationFeedOptions extends InsecureOptions {
  /** A confidential client of the issuer whose `introspectionAudiences` has the API. */
  readonly clientId: string
  /** Its secret, sent by `client_secret_basic`. */
  readonly clientSecret?: string
  /** In place of the secret: adds what authenticates the client to a request, such as a client assertion. */
  readonly authenticate?: (form: URLSearchParams, headers: Headers) => void | Promise<void>
  /**
   * What happens to a token that is not known to be revoked while the feed has been silent for longer than `maxSilenceMs`: `refuse`
   * answers 503, `accept` verifies it as without a feed. There is no default, because an API either would rather be down or would rather be late.
   */
  readonly whenSilent: 'accept' | 'refuse'
  /** 60 000 by default, from 2 000 to a day. */
  readonly maxSilenceMs?: number
  /** The most revocations that are kept, 20 to 40 bytes each: a million by default. With more the feed counts as silent. */
  readonly maxEntries?: number
  /** The address of the feed, `{issuer}/revocations` by default. */
  readonly url?: string
  /** For a proxy, a client certificate or instrumentation. The global `fetch` by default. */
  readonly fetch?: typeof fetch
  /** How long an answer may take beyond the time that the feed waits for something to end: 5 000 by default, from 100 to 60 000. */
  readonly timeoutMs?: number
  /** The clock. The system's by default. */
  readonly now?: () => Date
  /** Called with each failure to read the feed, which is tried again. */
  readonly onError?: (error: unknown) => void
}

const withGlobalFetch: typeof fetch = (input, init) => globalThis.fetch(input, init)

/** The options with their defaults. Invalid ones are refused. */
export function feedSettings(issuer: string, options: RevocationFeedOptions) {
  const {
    clientId,
    clientSecret,
    authenticate,
    whenSilent,
    onError = () => undefined,
    now = () => new Date(),
  } = options
  if (typeof clientId !== 'string' || clientId === '') throw misconfigured('clientId is missing')
  if ((clientSecret === undefined) === (authenticate === undefined))
    throw misconfigured('either clientSecret or authenticate is needed')
  if (whenSilent !== 'accept' && whenSilent !== 'refuse') throw misconfigured('whenSilent must be accept or refuse')
  const url = secureUrl('url', options.url ?? `${checkedIssuer(issuer, options)}/revocations`, options)
  const maxSilenceMs = inRange('maxSilenceMs', options.maxSilenceMs ?? 60_000, 2_000, 86_400_000)
  return {
    url,
    authenticate: authenticate ?? basic(clientId, clientSecret ?? ''),
    isRefusedWhenSilent: whenSilent === 'refuse',
    maxSilenceMs,
    // an answer in the middle of the time after which none would be missed
    waitSeconds: Math.min(25, Math.floor(maxSilenceMs / 2_000)),
    maxEntries: inRange('maxEntries', options.maxEntries ?? 1_000_000, 1, 100_000_000),
    fetch: options.fetch ?? withGlobalFetch,
    timeoutMs: inRange('timeoutMs', options.timeoutMs ?? 5_000, 100, 60_000),
    now: () => Math.floor(now().getTime() / 1000),
    onError,
  }
}

/** RFC 6749 §2.3.1: both are form-encoded first. */
const basic = (clientId: string, clientSecret: string) => {
  const encoded = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length)
  const value = `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')}`
  return (_form: URLSearchParams, headers: Headers): void => headers.set('authorization', value)
}

function inRange(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw misconfigured(`${name} must be an integer from ${least} to ${most}`)
}
