// The revocation feed of Countersign, followed in the background: which tokens are refused before they expire, without a request for each.

import { setTimeout as delay } from 'node:timers/promises'
import { GuardError } from '../errors/guard-error.ts'
import type { AccessTokenClaims } from '../token/claims.ts'
import { type Page, pageIn } from './answer.ts'
import { DigestTable } from './digest-table.ts'
import { digestsOf } from './digests.ts'
import { feedSettings, type RevocationFeedOptions } from './options.ts'
import type { RevocationFeed } from './revocation-feed.ts'

export type { RevocationFeedOptions } from './options.ts'
export type { RevocationFeed } from './revocation-feed.ts'

/** Between the beginnings of two requests: what ends meanwhile comes together. */
const SPACING_MS = 200
/** After an answer that came at once and brought nothing: the server has no place for those who wait. */
const WITHOUT_WAITING_MS = 1_000
const LONGEST_BACKOFF_MS = 30_000

/**
 * Follows the revocation feed of an issuer until it is closed: one request at a time, that waits at the server for something to end. Give
 * it to every verifier of the process as `revocations`. After an interruption it continues where it was; retries come after 0.1 to 30 s with jitter.
 *
 * Throws `configuration_invalid` for invalid options. Not checked: whether the client may read the feed; `onError` says it if it may not.
 */
export function revocationFeed(issuer: string, options: RevocationFeedOptions): RevocationFeed {
  const settings = feedSettings(issuer, options)
  const { maxSilenceMs, timeoutMs, waitSeconds } = settings
  const table = new DigestTable(settings.maxEntries)
  const closing = new AbortController()
  let cursor: string | undefined
  /** When everything that had ended was known. */
  let heardAt: number | undefined
  let known = () => {}
  const first = new Promise<void>((resolve) => {
    known = resolve
  })

  /** Waits, unless the feed is closed. */
  const pause = (ms: number): Promise<void> =>
    delay(Math.max(0, ms), undefined, { signal: closing.signal, ref: false }).catch(() => undefined)

  const ask = async (wait: number): Promise<Page> => {
    const form = new URLSearchParams({ wait: String(wait), ...(cursor === undefined ? {} : { after: cursor }) })
    const headers = new Headers({ accept: 'application/json' })
    await settings.authenticate(form, headers)
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(wait * 1000 + timeoutMs)])
    return pageIn(
      await settings.fetch(settings.url, { method: 'POST', body: form, headers, signal, redirect: 'error' }),
    )
  }

  const keep = ({ revocations, cursor: next, hasMore }: Page): void => {
    if (hasMore && next === cursor) throw new Error('the feed does not go on')
    const now = settings.now()
    for (const { digest, expiry, issuedUntil } of revocations) {
      if (expiry > now && !table.add(digest, expiry, issuedUntil, now))
        throw new Error(`more than ${settings.maxEntries} revocations: maxEntries is too small`)
    }
    cursor = next
    if (hasMore) return
    heardAt = performance.now()
    known()
  }

  const follow = async (): Promise<void> => {
    let failures = 0
    // nothing has been read, or there is more: without waiting for something to end
    let isBehind = true
    while (!closing.signal.aborted) {
      const began = performance.now()
      try {
        const page = await ask(isBehind ? 0 : waitSeconds)
        keep(page)
        const isEmpty = page.revocations.length === 0 && !isBehind
        isBehind = page.hasMore
        failures = 0
        if (!isBehind) await pause(began + (isEmpty ? WITHOUT_WAITING_MS : SPACING_MS) - performance.now())
      } catch (error) {
        if (closing.signal.aborted) return
        settings.onError(error)
        failures += 1
        // what was missed is asked for at once, so that it is known to be known
        isBehind = true
        await pause(Math.min(LONGEST_BACKOFF_MS, 125 * 2 ** failures) * (0.5 + Math.random() / 2))
      }
    }
  }
  void follow()

  const isSilent = () => heardAt === undefined || performance.now() - heardAt > maxSilenceMs

  return {
    async check(claims: AccessTokenClaims): Promise<void> {
      if (heardAt === undefined) await Promise.race([first, pause(timeoutMs)])
      for (const digest of digestsOf(claims)) if (table.has(digest, claims.iat)) throw new GuardError('token_revoked')
      if (settings.isRefusedWhenSilent && isSilent()) throw new GuardError('revocations_unavailable')
    },
    get isCurrent() {
      return !isSilent()
    },
    get size() {
      return table.size
    },
    get bytes() {
      return table.bytes
    },
    close() {
      closing.abort()
    },
  }
}
