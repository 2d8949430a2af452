/**
 * Where audit entries go besides the database: lines of JSON in a file or on standard output, as in `GET /api/logs`. An
 * entry is written once the database has it, at least once: one whose commit was not confirmed is written too. What
 * could not be written waits and is written again, so that a line may appear twice, or truncated before its complete
 * copy.
 */
import { appendFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { ConfigurationError } from '../kernel/configuration.ts'
import type { Log } from '../kernel/log.ts'

export interface AuditSink {
  /** Adds lines, each with its line break; returns at once. */
  write(lines: string): void
  /** Writes what is waiting; gives up after five seconds if the target accepts nothing. */
  close(): Promise<void>
  /** How many characters were dropped because the target accepted nothing while the buffer was full. */
  readonly dropped: () => number
}

export const STANDARD_OUTPUT = '-'
const EVERY_MS = 100
const RETRY_MS = 1000
const CLOSE_MS = 5000
/** The most characters that wait while the target accepts nothing. */
const MOST_WAITING = 64 * 1024 * 1024

const toStandardOutput = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })

/** A file is opened for each write, so that one that was renamed for rotation is followed by a new one. */
const writerOf = (target: string) => (text: string) =>
  target === STANDARD_OUTPUT ? toStandardOutput(text) : appendFile(target, text, { mode: 0o600 })

/**
 * Opens a target; every process appends whole lines, so that several may share a file.
 * @param target a path, or `-` for standard output
 * Throws ConfigurationError when the file cannot be written.
 */
export const openAuditSink = async (target: string, log: Log): Promise<AuditSink> => {
  const append = writerOf(target)
  try {
    await append('')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new ConfigurationError(`AUDIT_LOG_FILE names a file that cannot be written: ${target} (${reason}).`)
  }
  let waiting: string[] = []
  let size = 0
  let dropped = 0
  let isTorn = false
  let closingSince: number | undefined
  let writing: Promise<void> | undefined

  const take = (): string => {
    const text = waiting.join('')
    waiting = []
    size = 0
    return text
  }
  const pump = async (): Promise<void> => {
    await delay(closingSince === undefined ? EVERY_MS : 0)
    while (waiting.length > 0) {
      const text = take()
      try {
        // a truncated line is terminated first
        await append(isTorn ? `\n${text}` : text)
        isTorn = false
      } catch (error) {
        log.error({ err: error }, 'audit entries could not be written to AUDIT_LOG_FILE; they wait')
        isTorn = true
        waiting = [text, ...waiting]
        size += text.length
        if (closingSince !== undefined && performance.now() - closingSince > CLOSE_MS) return
        await delay(RETRY_MS)
      }
    }
  }
  const start = () => {
    writing ??= pump().finally(() => {
      writing = undefined
    })
  }

  return {
    write(lines) {
      if (size + lines.length > MOST_WAITING) {
        dropped += lines.length
        return
      }
      waiting.push(lines)
      size += lines.length
      start()
    },
    async close() {
      closingSince = performance.now()
      start()
      await writing
    },
    dropped: () => dropped,
  }
}
