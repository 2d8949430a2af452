/** Structured logs: one JSON object a line, on standard error. No secret is ever given to a log call. */
import { type Logger, pino } from 'pino'
import { oneOf, option } from './configuration.ts'

export type Log = Logger

export const logOptions = {
  logLevel: option({
    env: 'LOG_LEVEL',
    default: 'info',
    description: 'How much is logged: silent, error, warn, info, debug or trace. Each request is one line at info.',
    parse: oneOf(['silent', 'error', 'warn', 'info', 'debug', 'trace']),
  }),
}

/** Of all logs of the process. */
const destinations: { flushSync(): void }[] = []

/**
 * The server's log. Lines are gathered up to 16 KiB and written at least every half second, so that a request does not
 * wait for a write; warnings and errors are written at once, and everything before the process ends.
 */
export const createLog = (level: string): Log => {
  const destination = pino.destination({
    dest: 2,
    minLength: 16_384,
    maxWrite: 65_536,
    sync: false,
    periodicFlush: 500,
  })
  const log = pino(
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
    destination,
  )
  if (destinations.push(destination) === 1) {
    process.once('exit', () => {
      for (const each of destinations) each.flushSync()
    })
  }
  return log
}
