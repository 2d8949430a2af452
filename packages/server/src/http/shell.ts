/**
 * The shell: listens, finds the tenant of a request by its host, hands the request to its endpoint, and writes down what
 * happened. The only file that names the web framework.
 */
import type { IncomingMessage, Server } from 'node:http'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { ApiError } from '../kernel/api-error.ts'
import { newId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { endServerSpan, startServerSpan, type Traced, traceIds, within } from '../kernel/tracing.ts'
import { ADMITTED_BODY_LIMITS, BODY_LIMITS, createBodyReader } from './body-reader.ts'
import { type Answer, type Endpoint, type Exchange, TransportError } from './exchange.ts'
import { NOSNIFF, refuseExpectation, refuseUnreadable } from './unreadable-request.ts'

export interface ShellOptions {
  readonly endpoints: readonly Endpoint[]
  readonly log: Log
  readonly metrics: Metrics
  readonly trustedProxies: readonly string[]
  /** The tenant of a host; undefined when there is none. */
  readonly tenantAtHost: (host: string) => Promise<Tenant | undefined>
  readonly defaultTenant: () => Promise<Tenant>
  /** Renders errors of addresses that no endpoint has. */
  readonly renderError: Endpoint['renderError']
  /** Answers a browser that asks for a page at such an address; without it `renderError` does. */
  readonly notFoundPage?: (exchange: Exchange) => Promise<Answer>
}

export interface Shell {
  /** Begins to accept; returns the port. */
  listen(host: string, port: number): Promise<number>
  /** Stops accepting and waits for what is in flight, at most so many milliseconds. */
  close(graceMs: number): Promise<void>
  readonly server: Server
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

/** What the framework refuses by itself, in our words. */
const asTransportError = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'FST_ERR_BAD_URL')
    return new TransportError('malformed', 'the address holds a percent-encoding that is not valid UTF-8', {
      cause: error,
    })
  // no id is so long: it names nothing
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new ApiError('request.not_found', undefined, { cause: error })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new TransportError('media-type', 'the content type cannot be read', { cause: error })
  return error
}

const headerValues = (request: FastifyRequest, name: string): string[] => {
  const { rawHeaders } = request.raw
  const values: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) values.push(rawHeaders[i + 1] ?? '')
  }
  return values
}

/** RFC 9112 section 6. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const exchangeOf = (request: FastifyRequest, tenant: Tenant, requestId: string, body?: Buffer): Exchange => {
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
    headerValues: (name) => headerValues(request, name),
    body,
    ip: request.ip,
    userAgent: headers['user-agent']?.slice(0, 512),
  }
}

/** RFC 9110 section 9.1: what has GET has HEAD; the same answer, of which Node leaves the body out. */
const methodsOf = ({ method, isNotSafe }: Endpoint): string[] =>
  method === 'GET' && !isNotSafe ? ['GET', 'HEAD'] : [method]

const noSchemas = (): never => {
  throw new Error('Routes are validated by the contract, not by Fastify')
}

export const createShell = (options: ShellOptions): Shell => {
  const { endpoints, log, metrics, renderError } = options
  let closing = false
  // The line of a request holds nothing that could be a secret; looking for one costs 4 µs and a copy of the line.
  const requestLog = log.child({}, { redact: [] })

  const app = fastify({
    logger: false,
    // no route brings a schema for Fastify: without these it would load two compilers of 5 MB
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    // in our own words: see onRequest
    return503OnClosing: false,
    clientErrorHandler: refuseUnreadable,
    // our own: see methodsOf
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => {
      const state = begin(request)
      // no hook runs for an address that the router cannot read
      reply.headers({ 'x-request-id': state.requestId, ...NOSNIFF })
      send(reply, renderError(asTransportError(error), state))
    },
  })
  app.server.on('checkExpectation', refuseExpectation)
  // a field of every request: looking it up in a map of them costs the garbage collector
  app.decorateRequest('state', undefined)
  // bodies are read by our own reader, once it is known whose the request is; endpoints make something of the bytes
  app.removeAllContentTypeParsers()
  // (named: the framework parses a type that it knows by name once, one that only the asterisk fits each time)
  app.addContentTypeParser(['application/x-www-form-urlencoded', 'application/json', '*'], (_request, _stream, done) =>
    done(null),
  )
  const ofAnybody = createBodyReader(BODY_LIMITS, seconds)
  const ofAdmitted = createBodyReader(ADMITTED_BODY_LIMITS, seconds)
  const sweeper = setInterval(() => {
    ofAnybody.sweep()
    ofAdmitted.sweep()
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
    // a connection that was busy when the server began to close would else stay open for its keep-alive time; and on one whose
    // request was not read to its end nothing else can be
    const { raw } = reply.request
    if (closing || (hasBody(raw) && !raw.complete)) reply.header('connection', 'close')
    reply.send(body ?? '')
  }

  app.addHook('onRequest', (request, reply, done) => {
    const state = begin(request)
    reply.headers({ 'x-request-id': state.requestId, ...NOSNIFF })
    if (!closing) return done()
    // on a connection that was open already; a load balancer takes it elsewhere
    send(reply, renderError(new TransportError('unavailable', 'the server is shutting down'), state))
  })
  /** Writes down what became of a request, once. */
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

  const tenantOf = async (request: FastifyRequest, endpoint: Endpoint): Promise<Tenant> => {
    const tenant = await options.tenantAtHost(request.host)
    if (tenant) return tenant
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
    // of one that comes in chunks no one knows how large it will be
    if (!larger || Number(raw.headers['content-length']) <= bodyLimit) return ofAnybody.read(raw, bodyLimit, request.ip)
    return (await larger.admits(asked())) ? ofAdmitted.read(raw, larger.bodyLimit, request.ip) : undefined
  }

  const answerTo = async (request: FastifyRequest, endpoint: Endpoint, state: State): Promise<Answer> => {
    try {
      const tenant = await tenantOf(request, endpoint)
      const body = await bodyOf(request, endpoint, () => exchangeOf(request, tenant, state.requestId))
      return await endpoint.handle(exchangeOf(request, tenant, state.requestId, body))
    } catch (error) {
      return endpoint.renderError(error, state)
    }
  }

  for (const endpoint of endpoints) {
    app.route({
      method: methodsOf(endpoint),
      url: endpoint.path,
      bodyLimit: endpoint.bodyLimit,
      errorHandler: (error, request, reply) =>
        send(reply, endpoint.renderError(asTransportError(error), begin(request))),
      // Not an async handler: the framework would wrap its promise and look at it after the answer is sent (4 µs). What
      // fails in sending goes to errorHandler, as it would from one.
      handler: (request, reply) => {
        const state = begin(request)
        state.route = endpoint.path
        within(state.traced, () => answerTo(request, endpoint, state))
          .then((answer) => {
            send(reply, answer)
            // the caller has gone while it sent the body: the framework says nothing of an answer that goes nowhere
            if (request.raw.destroyed && !request.raw.complete) conclude(request, answer.status)
          })
          .catch((error: unknown) => reply.send(error))
      },
    })
  }

  /** The methods that a path supports; asked only where none fits. */
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
  /** Whether a person is looking: what reads JSON does not ask for HTML by name. */
  const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
    (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '')

  /** The page of an address that nothing answers at; undefined where there is none for this request. */
  const pageInstead = async (request: FastifyRequest): Promise<Answer | undefined> => {
    const tenant = options.notFoundPage && wantsPage(request) ? await options.tenantAtHost(request.host) : undefined
    return tenant && options.notFoundPage?.(exchangeOf(request, tenant, begin(request).requestId))
  }
  app.setNotFoundHandler((request, reply) => {
    const [path = '/'] = (request.raw.url ?? '/').split('?')
    const methods = methodsAt(path)
    const error =
      methods.length > 0
        ? new ApiError('request.method_not_allowed', { method: request.method, allow: methods.join(', ') })
        : new ApiError('request.not_found')
    const fallback = () => renderError(error, begin(request))
    if (methods.length > 0) return send(reply, fallback())
    pageInstead(request)
      .then((page) => send(reply, page ?? fallback()))
      .catch(() => send(reply, fallback()))
  })
  app.setErrorHandler((error, request, reply) => send(reply, renderError(asTransportError(error), begin(request))))

  return {
    server: app.server,
    async listen(host, port) {
      await app.listen({ host, port })
      const address = app.server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    async close(graceMs) {
      closing = true
      clearInterval(sweeper)
      const timer = setTimeout(() => app.server.closeAllConnections(), graceMs)
      await app.close()
      clearTimeout(timer)
    },
  }
}
