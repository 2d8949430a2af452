/** How providers are reached: by the guarded outbound client (SECURITY R-31), in time, and not for more than a provider has to say. */
import { allowInsecureRequests, customFetch } from 'oauth4webapi'
import type { Store } from '../../storage/store.ts'
import { FederationFailure } from './failure.ts'

/** A user waits for it: all requests of one sign-in together. */
const TIMEOUT_MS = 10_000
const MOST_BYTES = 256 * 1024

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

export interface Reach {
  readonly store: Store
  /** For the library that speaks OAuth. */
  readonly options: {
    readonly [customFetch]: (url: string, options: FetchOptions) => Promise<Response>
    readonly [allowInsecureRequests]: true
  }
}

interface FetchOptions {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
}

/** An endpoint to which users are sent. Throws FederationFailure unless it is an https address. @param what its name */
export const soundForBrowsers = ({ outbound }: Store, endpoint: string, what: string): URL => {
  const url = URL.parse(endpoint)
  if (!url || !['http:', 'https:'].includes(url.protocol) || !outbound.isSecureEnough(endpoint))
    throw new FederationFailure('provider', `the ${what} is not an https address`)
  return url
}

/** Begins the requests of one sign-in. */
export const reachOf = (store: Store): Reach => {
  let limit: AbortSignal | undefined
  return {
    store,
    options: {
      // plain http reaches only what the outbound client allows
      [allowInsecureRequests]: true,
      [customFetch]: async (url, { method, headers, body }) => {
        // from the first request on: most visits begin with what is known
        limit ??= AbortSignal.timeout(TIMEOUT_MS)
        const answer = await store.outbound.send({
          url,
          method: method === 'POST' ? 'POST' : 'GET',
          headers,
          signal: limit,
          mostBytes: MOST_BYTES,
          ...(body === undefined || body === null ? {} : { body: String(body) }),
        })
        if (answer.isCut) throw new FederationFailure('provider', `the answer is longer than ${MOST_BYTES} bytes`)
        if (answer.status < 200 || answer.status > 599)
          throw new FederationFailure('provider', `the answer has the status ${answer.status}`)
        const type = answer.headers['content-type']
        return new Response(WITHOUT_BODY.has(answer.status) ? null : new Uint8Array(answer.body), {
          status: answer.status,
          headers: type ? { 'content-type': type } : {},
        })
      },
    },
  }
}
