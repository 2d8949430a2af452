/**
 * Traces: the spans that this server makes with the OpenTelemetry API, and the context that comes in and goes out with
 * requests (W3C Trace Context). Without an SDK, which the operator registers, none of it does anything.
 */
import type { IncomingHttpHeaders } from 'node:http'
import {
  type Attributes,
  type Context,
  context,
  INVALID_TRACEID,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

const tracer = trace.getTracer('countersign')

/** What the semantic conventions know as methods; any other is `_OTHER`, so that callers cannot make names up. */
const METHODS: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
])

/** A span and the context in which it is the active one; none where no SDK is registered and the caller sent no trace. */
export interface Traced {
  readonly span: Span
  readonly context: Context | undefined
}

const traced = (span: Span, parent: Context): Traced => ({
  span,
  // one that is not sampled is active too, or what happens in it would begin traces of its own
  context: span.spanContext().traceId === INVALID_TRACEID ? undefined : trace.setSpan(parent, span),
})

/** Runs something, with all that it awaits, in a span. */
export const within = <T>({ context: active }: Traced, work: () => T): T =>
  active ? context.with(active, work) : work()

/**
 * Begins the SERVER span of a request, in the trace that its `traceparent` names, if there is one. The query of the address
 * is left out: it holds codes and tokens.
 * @param target of the request line
 */
export const startServerSpan = (
  method: string,
  scheme: string,
  target: string,
  headers: IncomingHttpHeaders,
): Traced => {
  const parent = propagation.extract(ROOT_CONTEXT, headers)
  const isKnown = METHODS.has(method)
  const mark = target.indexOf('?')
  const attributes: Attributes = {
    'http.request.method': isKnown ? method : '_OTHER',
    'url.path': mark < 0 ? target : target.slice(0, mark),
    'url.scheme': scheme,
  }
  if (!isKnown) attributes['http.request.method_original'] = method
  return traced(tracer.startSpan(isKnown ? method : 'HTTP', { kind: SpanKind.SERVER, attributes }, parent), parent)
}

/**
 * Ends the span of a request. Answers from 500 on are errors; what a caller did wrong is none of the server's.
 * @param route as it is registered, such as `/api/roles/:id`; undefined where none fitted
 */
export const endServerSpan = ({ span }: Traced, method: string, route: string | undefined, status: number): void => {
  if (span.isRecording()) {
    span.setAttribute('http.response.status_code', status)
    if (route !== undefined) {
      span.setAttribute('http.route', route)
      span.updateName(`${METHODS.has(method) ? method : 'HTTP'} ${route}`)
    }
    if (status >= 500) {
      span.setAttribute('error.type', String(status))
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
  }
  span.end()
}

/** What a span says of an error: the code or the kind that it has, or its class; never its message. */
const errorType = (error: unknown): string => {
  if (!(error instanceof Error)) return '_OTHER'
  if ('kind' in error && typeof error.kind === 'string') return error.kind
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.name
}

/** Writes down how what a span stands for has failed. */
export const failSpan = (span: Span, error: unknown): void => {
  span.setAttribute('error.type', typeof error === 'string' ? error : errorType(error))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Does a piece of work in a span, which ends with it; a failure is the span's too, and is thrown on. */
const inSpan = async <T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> => {
  const parent = context.active()
  const own = traced(tracer.startSpan(name, options, parent), parent)
  const { span } = own
  try {
    return await within(own, () => work(span))
  } catch (error) {
    failSpan(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Does a part of a request in a span of its own. */
export const inInternalSpan = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  inSpan(name, { kind: SpanKind.INTERNAL }, work)

/** Calls another service in a CLIENT span. @param attributes as the semantic conventions name them */
export const inClientSpan = <T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T> =>
  inSpan(name, { kind: SpanKind.CLIENT, attributes }, work)

/**
 * The CLIENT span of a statement, without its values; undefined outside a trace: what the server looks after by itself,
 * every five seconds, is none. The caller that begins it ends it.
 */
export const startQuerySpan = (text: () => string): Span | undefined => {
  if (trace.getActiveSpan() === undefined) return undefined
  const statement = text()
  const operation = /\w+/.exec(statement)?.[0].toUpperCase() ?? 'query'
  return tracer.startSpan(operation, {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': statement },
  })
}

/**
 * Headers that carry the trace on to another service. The baggage of a caller stays here: the other is not always one of
 * the same operator.
 */
export const traceHeaders = (): Record<string, string> => {
  const headers: Record<string, string> = {}
  propagation.inject(propagation.deleteBaggage(context.active()), headers)
  return headers
}

/** Runs something outside any trace: what a request has only woken is not a part of it. */
export const untraced = <T>(work: () => T): T => context.with(ROOT_CONTEXT, work)

/** The members of a log line that name its trace, as OpenTelemetry names them in logs; undefined outside one. */
export const traceIds = (span = trace.getActiveSpan()): { trace_id: string; span_id: string } | undefined => {
  const { traceId = INVALID_TRACEID, spanId = '' } = span?.spanContext() ?? {}
  return traceId === INVALID_TRACEID ? undefined : { trace_id: traceId, span_id: spanId }
}

/** Has the SDK send the spans that it still holds, before the process ends; waits as long as its exporter does. */
export const flushSpans = async (): Promise<void> => {
  // the API knows providers as something that gives tracers; that they can be flushed is the SDK's
  const provider = trace.getTracerProvider() as { getDelegate?(): object }
  const registered: { forceFlush?(): Promise<void> } = provider.getDelegate?.() ?? provider
  // what could not be sent is the SDK's to report
  await registered.forceFlush?.().catch(() => undefined)
}
