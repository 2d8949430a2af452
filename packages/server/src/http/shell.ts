/**
 * The shell: listens, finds the tenant of a request by its host, passes the request to its endpoint, and logs what
 * happened. The only file that names the web framework.
 */
import type { IncomingMessage, Server } from 'node:http'
import { Readable } from 'node:stream'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { ApiError } from '../kernel/api-error.ts'
import { newId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { endServerSpan, startServerSpan, type Traced, traceIds, within } from '../kernel/tracing.ts'
import { ADMITTED_BODY_LIMITS, BODY_LIMITS, createBodyReader, UPLOAD_BODY_LIMITS } from './body-reader.ts'
import type { CertificateReader } from './client-certificates.ts'
import { type Answer, type Endpoint, type Exchange, redirectTo, TransportError } from './exchange.ts'
import { headerValues } from './header-values.ts'
import { NOSNIFF, refuseExpectation, refuseUnreadable } from './unreadable-request.ts'

export interface ShellOptions {
  readonly endpoints: readonly Endpoint[]
  readonly log: Log
  readonly metrics: Metrics
  readonly trustedProxies: readonly string[]
  /** Finds the certificate of a client; without it there are none. */
  readonly certificates?: CertificateReader
  /** The tenant of a host, for a part of it; 'elsewhere' if that part is at another host; undefined when there is none. */
  readonly tenantAtHost: (host: string, part: Endpoint['part']) => Promise<Tenant | 'elsewhere' | undefined>
  readonly defaultTenant: () => Promise<Tenant>
  /** Renders errors of addresses that no endpoint has. */
  readonly renderError: Endpoint['renderError']
  /** Answers a browser that asks for a page at an unknown address; without it `renderError` does. */
  readonly notFoundPage?: (exchange: Exchange) => Promise<Answer>
}

export interface Shell {
  /** Starts accepting connections; returns the port. */
  listen(host: string, port: number): Promise<number>
  /** Stops accepting connections and waits for requests in flight, at most this many milliseconds. */
  close(graceMs: number): Promise<void>
  readonly server: Server
  /** Answers what arrives at another server too, and ends with it. It has begun to listen, or does so later. */
  attach(other: Server): void
}

const LONGEST_PARAMETER = 1024
const seconds = (): number => performance.now() / 1000

interface State {
  readonly startedAt: number
  readonly traced: Traced
  readonly requestId: string
  route: string | undefined
  isConcluded: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    state: State | undefined
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof TransportError && error.kind === 'body-too-large'

/** What the framework refuses by itself, in the server's words. */
const asTransportError = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'FST_ERR_BAD_URL')
    return new TransportError('malformed', 'the address contains a percent-encoding that is not valid UTF-8', {
      cause: error,
    })
  // no id is that long, so it refers to nothing
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new ApiError('request.not_found', undefined, { cause: error })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new TransportError('media-type', 'the content type cannot be read', { cause: error })
  return error
}

/** RFC 9112 section 6. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const exchangeOf = (
  request: FastifyRequest,
  tenant: Tenant,
  requestId: string,
  certificates: CertificateReader | undefined,
  body?: Buffer,
): Exchange => {
  const { url, headers } = request.raw
  const target = url ?? '/'
  const mark = target.indexOf('?')
  return {
    tenant,
    requestId,
    method: request.method === 'HEAD' ? 'GET' : request.method,
    path: mark < 0 ? target : target.slice(0, mark),
    params: request.params as Record<string, string>,
    queryText: mark < 0 ? '' : target.slice(mark + 1),
    headers,
    headerValues: (name) => headerValues(request.raw, name),
    body,
    onGone: (listener) => {
      const { socket } = request.raw
      socket.once('close', listener)
      return () => void socket.off('close', listener)
    },
    clientCertificate: () => certificates?.(request.raw),
    ip: request.ip,
    userAgent: headers['user-agent']?.slice(0, 512),
  }
}

/** RFC 9110 section 9.1: what has GET has HEAD: the same response, from which Node omits the body. */
const methodsOf = ({ method, isNotSafe }: Endpoint): string[] =>
  method === 'GET' && !isNotSafe ? ['GET', 'HEAD'] : [method]

/** Accepts no more connections, and waits for those that are busy. */
const endOf = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })

const noSchemas = (): never => {
  throw new Error('Routes are validated by the contract, not by Fastify')
}

export const createShell = (options: ShellOptions): Shell => {
  const { endpoints, log, metrics, renderError, certificates } = options
  const attached: Server[] = []
  let closing = false
  // The request line contains nothing that could be a secret; searching for one costs 4 µs and a copy of the line.
  const requestLog = log.child({}, { redact: [] })

  const app = fastify({
    logger: false,
    // no route has a schema for Fastify: without these it would load two compilers of 5 MB
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    // in the server's own words: see onRequest
    return503OnClosing: false,
    clientErrorHandler: refuseUnreadable,
    // implemented here: see methodsOf
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => {
      const state = begin(request)
      // no hook runs for an address that the router cannot parse
      reply.headers({ 'x-request-id': state.requestId, ...NOSNIFF })
      send(reply, renderError(asTransportError(error), state))
    },
  })
  app.server.on('checkExpectation', refuseExpectation)
  // a field of every request: looking it up in a map of them costs the garbage collector
  app.decorateRequest('state', undefined)
  // bodies are read by body-reader.ts, once the caller is known; endpoints parse the bytes
  app.removeAllContentTypeParsers()
  // (by name: the framework parses a type registered by name once, but one matched by the asterisk each time)
  app.addContentTypeParser(['application/x-www-form-urlencoded', 'application/json', '*'], (_request, _stream, done) =>
    done(null),
  )
  const ofAnybody = createBodyReader(BODY_LIMITS, seconds)
  const ofAdmitted = createBodyReader(ADMITTED_BODY_LIMITS, seconds)
  const ofUploads = createBodyReader(UPLOAD_BODY_LIMITS, seconds)
  const sweeper = setInterval(() => {
    ofAnybody.sweep()
    ofAdmitted.sweep()
    ofUploads.sweep()
  }, 1000).unref()

  const begin = (request: FastifyRequest): State => {
    request.state ??= {
      startedAt: performance.now(),
      traced: startServerSpan(request.method, request.protocol, request.raw.url ?? '/', request.headers),
      requestId: newId(),
      route: undefined,
      isConcluded: false,
    }
    return request.state
  }

  const send = (reply: FastifyReply, { status, headers, body }: Answer): void => {
    reply.code(status)
    if (headers) reply.headers(headers)
    // a connection that was busy when the server began to close would otherwise stay open for its keep-alive time; and
    // one whose request was not read to its end cannot be reused
    const { raw } = reply.request
    if (closing || (hasBody(raw) && !raw.complete)) reply.header('connection', 'close')
    if (!(body instanceof Readable)) return void reply.send(body ?? '')
    if (raw.method === 'HEAD') {
      body.destroy()
      return void reply.send('')
    }
    const { requestId } = begin(reply.request)
    body.once('error', (error) => log.error({ err: error, requestId }, 'what was to be sent could not be read'))
    // the framework destroys it if the client disconnects, and the connection if reading fails in the middle
    reply.send(body)
  }

  app.addHook('onRequest', (request, reply, done) => {
    const state = begin(request)
    reply.headers({ 'x-request-id': state.requestId, ...NOSNIFF })
    if (!closing) return done()
    // on a connection that was already open; a load balancer sends the request elsewhere
    send(reply, renderError(new TransportError('unavailable', 'the server is shutting down'), state))
  })
  /** Logs the outcome of a request, once. */
  const conclude = (request: FastifyRequest, status: number): void => {
    const state = begin(request)
    if (state.isConcluded) return
    state.isConcluded = true
    const ms = performance.now() - state.startedAt
    const { traced, route = 'unmatched' } = state
    metrics.requests.observe({ method: request.method, route, status }, ms / 1000)
    endServerSpan(traced, request.method, state.route, status)
    if (requestLog.isLevelEnabled('info')) {
      requestLog.info(
        {
          requestId: state.requestId,
          method: request.method,
          route,
          status,
          ms: Math.round(ms * 100) / 100,
          ip: request.ip,
          ...traceIds(traced.span),
        },
        'request',
      )
    }
  }
  app.addHook('onResponse', (request, reply, done) => {
    conclude(request, reply.statusCode)
    done()
  })

  const tenantOf = async (request: FastifyRequest, endpoint: Endpoint): Promise<Tenant | 'elsewhere'> => {
    const tenant = await options.tenantAtHost(request.host, endpoint.part)
    if (tenant && (tenant !== 'elsewhere' || !endpoint.anyHost)) return tenant
    if (endpoint.anyHost) return options.defaultTenant()
    throw new TransportError('host-unknown', request.host)
  }

  /** The body, if there is one and the caller may send it: see Endpoint.larger. */
  const bodyOf = async (
    request: FastifyRequest,
    { method, bodyLimit, larger }: Endpoint,
    asked: () => Exchange,
  ): Promise<Buffer | undefined> => {
    const { raw } = request
    if (method === 'GET' || method === 'OPTIONS' || !hasBody(raw)) return undefined
    // the size of a chunked body is not known in advance
    if (!larger || Number(raw.headers['content-length']) <= bodyLimit) return ofAnybody.read(raw, bodyLimit, request.ip)
    if (!(await larger.admits(asked()))) return undefined
    return (larger.isUpload ? ofUploads : ofAdmitted).read(raw, larger.bodyLimit, request.ip)
  }

  const answerTo = async (request: FastifyRequest, endpoint: Endpoint, state: State): Promise<Answer> => {
    try {
      const tenant = await tenantOf(request, endpoint)
      if (tenant === 'elsewhere') return await unknownAddress(request)
      const asked = () => exchangeOf(request, tenant, state.requestId, certificates)
      let body: Buffer | undefined
      try {
        body = await bodyOf(request, endpoint, asked)
      } catch (error) {
        const refuse = isTooLarge(error) ? endpoint.larger?.refuse : undefined
        if (!refuse) throw error
        return await refuse(asked())
      }
      return await endpoint.handle(exchangeOf(request, tenant, state.requestId, certificates, body))
    } catch (error) {
      return endpoint.renderError(error, { requestId: state.requestId, headers: request.headers })
    }
  }

  for (const endpoint of endpoints) {
    app.route({
      method: methodsOf(endpoint),
      url: endpoint.path,
      bodyLimit: endpoint.bodyLimit,
      errorHandler: (error, request, reply) =>
        send(reply, endpoint.renderError(asTransportError(error), begin(request))),
      // Not an async handler: the framework would wrap its promise and look at it after the answer is sent (4 µs).
      // Failures while sending go to errorHandler, as they would from an async handler.
      handler: (request, reply) => {
        const state = begin(request)
        state.route = endpoint.path
        within(state.traced, () => answerTo(request, endpoint, state))
          .then((answer) => {
            send(reply, answer)
            // the caller disconnected while sending the body: the framework does not report a response that goes
            // nowhere
            if (request.raw.destroyed && !request.raw.complete) conclude(request, answer.status)
          })
          .catch((error: unknown) => reply.send(error))
      },
    })
  }

  /** The methods that a path supports; needed only if none matches. */
  const methodsAt = (path: string): string[] => {
    const segments = path.split('/')
    return endpoints
      .filter((endpoint) => {
        const pattern = endpoint.path.split('/')
        return (
          pattern.length === segments.length && pattern.every((part, i) => part.startsWith(':') || part === segments[i])
        )
      })
      .flatMap(methodsOf)
  }
  /** Whether a browser is asking: clients that read JSON do not ask for HTML by name. */
  const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
    (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '')

  /** The answer at an address where nothing is: a page for a browser that asks for one, and at an admin host the way to the console. */
  const unknownAddress = async (request: FastifyRequest): Promise<Answer> => {
    const fallback = () => renderError(new ApiError('request.not_found'), begin(request))
    if (!options.notFoundPage || !wantsPage(request)) return fallback()
    try {
      const tenant = await options.tenantAtHost(request.host, undefined)
      if (tenant === 'elsewhere') return request.raw.url === '/' ? redirectTo('/console') : fallback()
      return tenant
        ? await options.notFoundPage(exchangeOf(request, tenant, begin(request).requestId, certificates))
        : fallback()
    } catch {
      return fallback()
    }
  }
  app.setNotFoundHandler((request, reply) => {
    const [path = '/'] = (request.raw.url ?? '/').split('?')
    const methods = methodsAt(path)
    if (methods.length === 0) return void unknownAddress(request).then((answer) => send(reply, answer))
    const error = new ApiError('request.method_not_allowed', { method: request.method, allow: methods.join(', ') })
    send(reply, renderError(error, begin(request)))
  })
  app.setErrorHandler((error, request, reply) => send(reply, renderError(asTransportError(error), begin(request))))

  return {
    server: app.server,
    attach(other) {
      attached.push(other)
      const { requestTimeout, headersTimeout, keepAliveTimeout } = app.server
      Object.assign(other, { requestTimeout, headersTimeout, keepAliveTimeout })
      other.on('clientError', refuseUnreadable)
      other.on('checkExpectation', refuseExpectation)
      other.on('request', (request, response) => app.routing(request, response))
    },
    async listen(host, port) {
      await app.listen({ host, port })
      const address = app.server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    async close(graceMs) {
      closing = true
      clearInterval(sweeper)
      const servers = [app.server, ...attached]
      const timer = setTimeout(() => servers.forEach((server) => void server.closeAllConnections()), graceMs)
      const ended = attached.map(endOf)
      await app.close()
      await Promise.all(ended)
      clearTimeout(timer)
    },
  }
}
