/** A command that goes on until it is told to stop. */
import { flushSpans } from '../kernel/tracing.ts'

/**
 * Starts something, prints what it says of itself, and at SIGTERM or SIGINT closes it and ends with status 0. A signal may
 * come while it is still starting: then it is stopped as soon as it has started.
 * @param keepsOutput whether standard output is for something else, so that the greeting goes to standard error
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
