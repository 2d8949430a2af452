import { misconfigured } from '../errors/misconfigured.ts'
import type { NonceSource } from './nonces.ts'
import { memoryReplayStore, type ReplayStore } from './replay-store.ts'

/** How an API takes tokens that are bound to a key of the client (RFC 9449). */
export interface DPoPOptions {
  /**
   * The address at which clients call the API: scheme and host, and the part of the path that a proxy removes. It is compared with what
   * a proof names; the Host header is not, because the caller chooses it.
   */
  readonly baseUrl: string
  /** Whether tokens that are bound to no key are refused. `false` by default. */
  readonly required?: boolean
  /** How old a proof may be: 60 by default, at most 300. */
  readonly maxAgeSeconds?: number
  /** Where used proofs are remembered: in this process by default. Processes that share their callers need a shared one. */
  readonly replayStore?: ReplayStore
  /** Nonces that proofs must carry. None by default. */
  readonly nonces?: NonceSource
}

export type ProofTerms = ReturnType<typeof checkDPoPOptions>

/** The options with their defaults. @param now the clock of the verifier */
export function checkDPoPOptions(options: DPoPOptions, now: () => Date) {
  const { baseUrl, required = false, maxAgeSeconds = 60, nonces } = options
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    throw misconfigured('dpop.baseUrl must be the http or https URL of the API, without a query')
  if (!(maxAgeSeconds > 0 && maxAgeSeconds <= 300)) throw misconfigured('dpop.maxAgeSeconds must be a number up to 300')
  const replayStore = options.replayStore ?? memoryReplayStore(undefined, now)
  return { baseUrl: baseUrl.replace(/\/$/, ''), required, maxAgeSeconds, replayStore, nonces, now }
}
