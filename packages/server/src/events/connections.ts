/**
 * The connections of the outbound client, kept open for a moment, so that a hundred events per second do not need a
 * hundred handshakes. A connection is reused only for the same name, port and TLS options, and only while the name
 * resolves to the very addresses that were checked for this request: a connection is used only for what it was opened
 * for (SECURITY R-31).
 */
import type { Agent, ClientRequest } from 'node:http'
import https, { type RequestOptions } from 'node:https'

/** Importing it would read all that it exports, and so load the whole of `fetch`: 16 MB (docs/decisions/0017). */
const http = process.getBuiltinModule('node:http')

/** Shorter than servers keep theirs: Node's own closes after five seconds. */
const IDLE_MS = 4000
const MOST_IDLE_OF_A_HOST = 32

interface Pinned {
  /** What the name resolved to for this request. */
  readonly addresses?: string
}

const KEPT = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: MOST_IDLE_OF_A_HOST, scheduling: 'lifo' } as const

class HttpConnections extends http.Agent {
  override getName(options: Parameters<Agent['getName']>[0] & Pinned = {}): string {
    return `${super.getName(options)} ${options.addresses}`
  }
}

class HttpsConnections extends https.Agent {
  override getName(options: RequestOptions & Pinned = {}): string {
    return `${super.getName(options)} ${options.addresses}`
  }
}

export interface Connections {
  /** Starts a request. @param addresses where the connection may lead; undefined: a new one, used once */
  request(url: URL, addresses: readonly string[] | undefined, options: RequestOptions): ClientRequest
}

export const createConnections = (): Connections => {
  const [plain, secure] = [new HttpConnections(KEPT), new HttpsConnections(KEPT)]
  return {
    request(url, addresses, options) {
      const isSecure = url.protocol === 'https:'
      const pinned: RequestOptions & Pinned = {
        ...options,
        agent: addresses ? (isSecure ? secure : plain) : false,
        ...(addresses ? { addresses: addresses.toSorted().join() } : {}),
      }
      return (isSecure ? https : http).request(url, pinned)
    },
  }
}

const CLOSED: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE'])

/** Whether a request failed because its kept connection had been closed in the meantime: it may be sent again. */
export const isStale = (request: ClientRequest, error: Error): boolean =>
  request.reusedSocket && 'code' in error && CLOSED.has(error.code)
