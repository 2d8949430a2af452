/** A command that runs until it is told to stop. */
import { flushSpans } from '../kernel/tracing.ts'

/**
 * Starts something, prints its startup message, and on SIGTERM or SIGINT closes it and exits with status 0. If a signal
 * arrives while it is still starting, it is stopped as soon as it has started. @param keepsOutput whether standard
 * output is used for something else, so that the startup message goes to standard error
 */
export const runUntilStopped = async <T extends { close(): Promise<void> }>(
  start: () => Promise<T>,
  greeting: (started: T) => string,
  keepsOutput: boolean,
): Promise<void> => {
  const stopped = new Promise<void>((resolve) => {
    process.on('SIGTERM', resolve)
    process.on('SIGINT', resolve)
  })
  const started = await start()
  if (keepsOutput) console.error(greeting(started))
  else console.log(greeting(started))
  await stopped
  await started.close()
  await flushSpans()
  process.exit(0)
}
