/**
 * Outbound requests from the caller's side: request, response, and reasons for a missing response. Their
 * guard is in events/outbound.ts (SECURITY R-31).
 */
import type { IncomingHttpHeaders } from 'node:http'

export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Aborts earlier than the client's own timeout. */
  readonly signal?: AbortSignal
  /** How much of the response is read, in bytes; 64 KiB by default. */
  readonly mostBytes?: number
}

export interface OutboundAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** At most the first 64 KiB, or the requested limit, as sent. */
  readonly body: Buffer
  /** Whether the body was longer. */
  readonly isCut: boolean
}

/**
 * Why there is no response. `url`: not a URL that requests may go to; `address`: the name resolves to an address that
 * is not allowed; `plain`: it is public and not https; `timeout`; `protocol`: the server does not speak HTTP;
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

/** Why there was no response, without the addresses that a name resolves to: for callers who registered the URL. */
export const publicReason = (error: unknown): string => {
  if (!(error instanceof OutboundError)) return 'the request could not be sent'
  switch (error.kind) {
    case 'url':
    case 'timeout':
    case 'protocol':
      return error.message
    case 'address':
      return 'the host is at an address that is not public'
    case 'plain':
      return 'the host is public and the URL is not https'
    case 'connection': {
      const code = error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : ''
      return /^[A-Z0-9_]{3,40}$/.test(code) ? `the connection failed: ${code}` : 'the connection failed'
    }
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

/** For a process that sends no requests: every request fails. */
export const NO_OUTBOUND: Pick<Outbound, 'send' | 'isSecureEnough'> = {
  isSecureEnough: () => false,
  send: () => Promise.reject(new OutboundError('connection', 'this process sends no requests')),
}
