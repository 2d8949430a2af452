/** Structured logs: one JSON object a line, on standard error. No secret is ever given to a log call. */
import { type Logger, pino } from 'pino'
import { oneOf, option } from './configuration.ts'
import { standardError } from './standard-error.ts'

export type Log = Logger

export const logOptions = {
  logLevel: option({
    env: 'LOG_LEVEL',
    default: 'info',
    description: 'How much is logged: silent, error, warn, info, debug or trace. Each request is one line at info.',
    parse: oneOf(['silent', 'error', 'warn', 'info', 'debug', 'trace']),
  }),
}

/** The server's log. */
export const createLog = (level: string): Log =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['*.secret', '*.password', '*.token', '*.authorization', '*.client_secret'],
        censor: '[redacted]',
      },
    },
    standardError,
  )
