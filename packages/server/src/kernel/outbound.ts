/**
 * Requests to other servers, as modules see them that send some: what they say, what comes back, and why there is no response.
 * How they are guarded is in events/outbound.ts (SECURITY R-31).
 */
import type { IncomingHttpHeaders } from 'node:http'

export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Gives up earlier than the client's own limit. */
  readonly signal?: AbortSignal
  /** How much of the answer is read, in bytes; 64 KiB unless given. */
  readonly mostBytes?: number
}

export interface OutboundAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** At most the first 64 KiB, or as much as was asked for, as sent. */
  readonly body: Buffer
  /** Whether the body was longer. */
  readonly isCut: boolean
}

/**
 * Why there is no response. `url`: not a URL that requests may go to; `address`: the name resolves to an address that
 * is not allowed; `plain`: it is public and not https; `timeout`; `protocol`: what answered does not speak HTTP;
 * `connection`: the name was not found, or the host could not be reached.
 */
export type OutboundErrorKind = 'url' | 'address' | 'plain' | 'timeout' | 'protocol' | 'connection'

/**
 * Why there is no response, in a sentence for the log. It may name internal addresses: not for callers who registered
 * the URL.
 */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind
  constructor(kind: OutboundErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export interface Outbound {
  /**
   * Sends a request. Throws OutboundError if there is no response. Does not judge the status: the caller treats
   * anything but success as a failure, and no redirect is followed.
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>
  /**
   * Whether a request to this URL would be sent if its host were reachable and public, as far as that is known without
   * resolving its addresses: false for plain http to a host that can be neither this machine nor listed in
   * OUTBOUND_ALLOW.
   */
  isSecureEnough(url: string): boolean
  /**
   * The addresses at which a host may be connected to now, for protocols other than HTTP: returned only if all of them
   * are allowed. Throws OutboundError, and what the resolver throws.
   */
  addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]>
}

/** Of a process that asks no provider: every request fails. */
export const NO_OUTBOUND: Pick<Outbound, 'send'> = {
  send: () => Promise.reject(new OutboundError('connection', 'this process sends no requests')),
}
