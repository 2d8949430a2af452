/** A request and an answer as endpoints see them: no framework, nothing that depends on one. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { ClientCertificate } from '../kernel/client-certificate.ts'
import type { Tenant } from '../kernel/tenant.ts'

export interface Exchange {
  readonly tenant: Tenant
  readonly requestId: string
  /** GET for HEAD, which asks for the same (RFC 9110 section 9.3.2). */
  readonly method: string
  /** The path without the query. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** The query as it was sent, without the question mark. */
  readonly queryText: string
  readonly headers: IncomingHttpHeaders
  /** Every value of a header that came more than once; Node joins or drops them in `headers`. */
  readonly headerValues: (name: string) => readonly string[]
  readonly body: Buffer | undefined
  /** Calls the listener if the client ends the connection, until what it returns is called: for answers that take long. */
  readonly onGone: (listener: () => void) => () => void
  /**
   * The certificate that the client has shown to have: in the handshake with this server, or with a trusted proxy that says so; undefined:
   * none. Nothing about it has been checked but that the client has its key. Throws TransportError where a proxy says something else.
   */
  readonly clientCertificate: () => ClientCertificate | undefined
  readonly ip: string
  readonly userAgent: string | undefined
}

export interface Answer {
  readonly status: number
  /** A header that comes several times, such as Set-Cookie, is a list. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** A stream is read as fast as the client takes it, and destroyed if the client disconnects. It needs a `content-length`. */
  readonly body?: string | Buffer | Readable
}

/** A request for which an error is rendered: its id, and its headers if it was read so far. */
export interface Failed {
  readonly requestId: string
  readonly headers?: IncomingHttpHeaders
}

/** An address of the server and what answers there. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** The path with parameters as `:name`. */
  readonly path: string
  /** Its GET has effects, so HEAD, which must not have any, is refused. Every other GET also answers HEAD. */
  readonly isNotSafe?: true
  /** Bytes that any caller may send. */
  readonly bodyLimit: number
  /**
   * The larger limit for callers who are authenticated before their body is read. The body of others is not read at all
   * if it could be larger than `bodyLimit`: `handle` gets none and refuses them as unauthenticated.
   */
  readonly larger?: {
    readonly bodyLimit: number
    readonly admits: (exchange: Exchange) => Promise<boolean>
    /** Its bodies are so large that few are read at a time, for all callers together. */
    readonly isUpload?: true
    /** Answers, in place of `renderError`, one whose body is larger than that too: it gets the request without the body. */
    readonly refuse?: (exchange: Exchange) => Promise<Answer>
  }
  /**
   * The part of a tenant that it belongs to. The console and the Management API may be at a host of their own; the Management API and
   * what applications call without a browser are at the address for client certificates too.
   */
  readonly part?: 'console' | 'api' | 'applications'
  /** Also answers for unknown host names, as the default tenant's: a load balancer asks by address. */
  readonly anyHost?: true
  readonly handle: (exchange: Exchange) => Promise<Answer>
  /** Renders whatever goes wrong before or in `handle`. */
  readonly renderError: (error: unknown, request: Failed) => Answer
}

/** The largest body in bytes that anyone may send: more than a form or a step of a sign-in needs. */
export const ANONYMOUS_BODY_LIMIT = 16 * 1024

export const jsonAnswer = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string | string[]>> = {},
): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
})

/**
 * A redirect that becomes a GET whatever the request was (RFC 9700 section 4.12), which is not cached and not sent to
 * any site as a referrer.
 * @param cookies values of Set-Cookie
 */
export const redirectTo = (location: string, cookies: readonly string[] = []): Answer => ({
  status: 303,
  headers: {
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...(cookies.length > 0 ? { 'set-cookie': [...cookies] } : {}),
  },
})

/** Transport problems that the shell finds before calling an endpoint. */
export class TransportError extends Error {
  readonly kind: 'body-too-large' | 'too-slow' | 'aborted' | 'media-type' | 'malformed' | 'unavailable' | 'host-unknown'
  readonly detail: string
  constructor(kind: TransportError['kind'], detail: string, options?: { cause?: unknown }) {
    super(`${kind}: ${detail}`, options)
    this.kind = kind
    this.detail = detail
  }
}
