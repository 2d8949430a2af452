/**
 * The guarded outbound client: the only way in which the server sends requests to addresses that others
 * registered (DECISIONS K7, SECURITY R-31).
 *
 * The name is resolved once for each request, every returned address is checked, and the connection goes to exactly
 * those: what the name resolves to a moment later does not matter. No redirect is followed, nothing is decompressed,
 * and everything has a limit.
 */
import { lookup } from 'node:dns/promises'
import type http from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { type Outbound, type OutboundAnswer, OutboundError, type OutboundRequest } from '../kernel/outbound.ts'
import { failSpan, inClientSpan, traceHeaders } from '../kernel/tracing.ts'
import { type Allowed, createAddressGuard } from './addresses.ts'
import { createConnections, isStale } from './connections.ts'

/** A kept connection that the other side had closed: the fate of the request is unknown. */
class StaleConnection extends Error {}

/** Every address of a host name. */
export type Resolver = (host: string) => Promise<readonly string[]>

const systemResolver: Resolver = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address)

export interface OutboundOptions {
  readonly allow: Allowed
  /** While the server itself is at a loopback address, targets may be at one too. */
  readonly allowLoopback: boolean
  readonly resolver?: Resolver
  /** For the whole request, from resolving the name to the last byte. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 15_000
const MOST_BYTES = 64 * 1024
const MOST_HEADER_BYTES = 16 * 1024
const LONGEST_URL = 2048

const parse = (text: string): URL => {
  if (text.length > LONGEST_URL) throw new OutboundError('url', `the URL is longer than ${LONGEST_URL} characters`)
  if (!URL.canParse(text)) throw new OutboundError('url', 'the URL cannot be parsed')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new OutboundError('url', 'the URL is neither https nor http')
  if (url.username || url.password) throw new OutboundError('url', 'the URL contains user information')
  return url
}

/** What the span of a request says of it: where it goes, without the query, which may hold a secret of the receiver. */
const describe = ({ protocol, hostname, port, origin, pathname }: URL, { method }: OutboundRequest) => ({
  'http.request.method': method,
  'url.full': `${origin}${pathname}`,
  'server.address': hostname,
  'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
})

/** A host in the form that the guard uses: an IPv6 address without brackets, a name without the trailing dot. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Resolves any name to these checked addresses and no others. */
export const lookupOf = (addresses: readonly string[]): LookupFunction => {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, callback) => {
    const [first] = found
    if (options.all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
}

/** Does not start if it is already too late, because no one would see the failure. */
const until = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  signal.throwIfAborted()
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    if (stop) signal.removeEventListener('abort', stop)
  }
}

const readBody = async (
  response: http.IncomingMessage,
  mostBytes = MOST_BYTES,
): Promise<{ body: Buffer; isCut: boolean }> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    // leaving the loop destroys the response and its connection
    if (size > mostBytes) break
  }
  return { body: Buffer.concat(chunks).subarray(0, mostBytes), isCut: size > mostBytes }
}

const sentence = (error: unknown, signal: AbortSignal, timeoutMs: number): string => {
  if (signal.aborted) return `there was no complete response within ${timeoutMs / 1000} s`
  if (error instanceof AggregateError)
    return error.errors.map((each: unknown) => sentence(each, signal, timeoutMs)).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Creates the client. */
export const createOutbound = ({
  allow,
  allowLoopback,
  resolver = systemResolver,
  timeoutMs = TIMEOUT_MS,
}: OutboundOptions): Outbound => {
  const guard = createAddressGuard(allow, allowLoopback)
  const connections = createConnections()

  const addressesOf: Outbound['addressesOf'] = async (name, signal) => {
    const host = bare(name)
    const addresses = isIP(host) ? [host] : await until(() => resolver(host), signal)
    if (addresses.length === 0) throw new OutboundError('connection', `${host} has no address`)
    const refused = addresses.find((address) => !guard.isAllowed(host, address))
    if (refused !== undefined)
      throw new OutboundError('address', `${host} is at ${refused}, which is not public; see OUTBOUND_ALLOW`)
    return addresses
  }

  /** The addresses to send a request to. */
  const addressesFor = async ({ hostname, protocol }: URL, signal: AbortSignal): Promise<readonly string[]> => {
    const host = bare(hostname)
    const addresses = await addressesOf(host, signal)
    const isTrusted = addresses.every((address) => guard.isListed(host, address) || guard.isLoopback(address))
    if (protocol === 'http:' && !isTrusted)
      throw new OutboundError('plain', `${host} is public and the URL is not https`)
    return addresses
  }

  const responseTo = (
    url: URL,
    addresses: readonly string[],
    { method, headers, body }: OutboundRequest,
    signal: AbortSignal,
    isKept: boolean,
  ): Promise<http.IncomingMessage> => {
    return new Promise((resolve, reject) => {
      const request = connections.request(url, isKept ? addresses : undefined, {
        method,
        headers: {
          'accept-encoding': 'identity',
          'user-agent': 'Countersign',
          ...traceHeaders(),
          ...headers,
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        },
        lookup: lookupOf(addresses),
        // regardless of NODE_TLS_REJECT_UNAUTHORIZED
        rejectUnauthorized: true,
        signal,
        maxHeaderSize: MOST_HEADER_BYTES,
      })
      request.once('response', resolve)
      // it may fail again once the response has arrived, which readBody notices itself
      request.on('error', (error) => reject(isStale(request, error) ? new StaleConnection() : error))
      request.once('upgrade', (_response, socket) => {
        socket.destroy()
        reject(new OutboundError('protocol', 'answered with another protocol'))
      })
      request.end(body)
    })
  }

  const exchange = async (
    url: URL,
    addresses: readonly string[],
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> => {
    const response = await responseTo(url, addresses, request, signal, true).catch((error: unknown) => {
      if (error instanceof StaleConnection) return responseTo(url, addresses, request, signal, false)
      throw error
    })
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      ...(await readBody(response, request.mostBytes)),
    }
  }

  return {
    addressesOf,
    isSecureEnough(text) {
      const url = URL.canParse(text) ? new URL(text) : undefined
      return url?.protocol !== 'http:' || guard.mayBePlain(bare(url.hostname))
    },
    async send(request) {
      const limit = AbortSignal.timeout(timeoutMs)
      const signal = request.signal ? AbortSignal.any([limit, request.signal]) : limit
      const url = parse(request.url)
      return inClientSpan(request.method, describe(url, request), async (span) => {
        try {
          const answer = await exchange(url, await addressesFor(url, signal), request, signal)
          span.setAttribute('http.response.status_code', answer.status)
          if (answer.status >= 400) failSpan(span, String(answer.status))
          return answer
        } catch (error) {
          if (error instanceof OutboundError) throw error
          const kind = signal.aborted ? 'timeout' : 'connection'
          throw new OutboundError(kind, sentence(error, signal, timeoutMs), { cause: error })
        }
      })
    },
  }
}
