/** Structured logs: one JSON object per line, on standard error. No secret is ever passed to a log call. */
import { type Logger, pino } from 'pino'
import { oneOf, option } from './configuration.ts'
import { standardError } from './standard-error.ts'
import { traceIds } from './tracing.ts'

export type Log = Logger

export const logOptions = {
  logLevel: option({
    env: 'LOG_LEVEL',
    default: 'info',
    description: 'The log level: silent, error, warn, info, debug or trace. Each request is one line at info.',
    parse: oneOf(['silent', 'error', 'warn', 'info', 'debug', 'trace']),
  }),
}

/** Of a line that belongs to no trace: nothing is merged into it. */
const NO_TRACE = {}

/** The server's log. A line that belongs to a trace has its `trace_id` and `span_id`. */
export const createLog = (level: string): Log =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => traceIds() ?? NO_TRACE,
      mixinMergeStrategy: (fields, ids) => (ids === NO_TRACE ? fields : { ...ids, ...fields }),
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['*.secret', '*.password', '*.token', '*.authorization', '*.client_secret'],
        censor: '[redacted]',
      },
    },
    standardError,
  )
