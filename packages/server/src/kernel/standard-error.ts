/**
 * The destination of all log lines of the process. They are buffered up to 16 KiB and written at least every half
 * second, so that a request does not wait for a write; warnings and errors are written at once, and everything before
 * the process ends.
 *
 * Nothing that happens at the other end (a full disk, a closed terminal, a program that stops reading) ends the
 * process or blocks it: what cannot be written waits and is retried, and beyond 4 MiB new lines are dropped.
 */
import { write, writeSync } from 'node:fs'

const STANDARD_ERROR = 2
const ENOUGH = 16_384
const EVERY_MS = 500
const MOST_WAITING = 4 * 1024 * 1024
/** The level is the first field of a line. */
const URGENT = /^\{"level":"(?:warn|error|fatal)"/
/** How long the end of the process waits for a slow reader, once for each. */
const [LAST_TRIES, LAST_PAUSE_MS] = [100, 10]

let gathered = ''
/** What is being written, or could not be. */
let unwritten = Buffer.alloc(0)
let isWriting = false
let isUrgent = false
/** Whether the last write failed: then it is retried at intervals, not with each line. */
let hasFailed = false
let timer: NodeJS.Timeout | undefined

const begin = (): void => {
  clearTimeout(timer)
  timer = undefined
  if (isWriting) return
  if (unwritten.length === 0) {
    unwritten = Buffer.from(gathered)
    gathered = ''
  }
  if (unwritten.length === 0) return
  isWriting = true
  isUrgent = false
  write(STANDARD_ERROR, unwritten, (error, written) => {
    isWriting = false
    hasFailed = error !== null
    unwritten = unwritten.subarray(written ?? 0)
    if (!hasFailed && (unwritten.length > 0 || isUrgent || gathered.length >= ENOUGH)) begin()
    else if (unwritten.length > 0 || gathered.length > 0) later()
  })
}

const later = (): void => {
  timer ??= setTimeout(begin, EVERY_MS).unref()
}

/** Writes what is left, synchronously: at this point nothing can be awaited any more. */
const finish = (): void => {
  let left = Buffer.concat([isWriting ? Buffer.alloc(0) : unwritten, Buffer.from(gathered)])
  for (let tries = LAST_TRIES; left.length > 0 && tries > 0; tries -= 1) {
    try {
      left = left.subarray(writeSync(STANDARD_ERROR, left))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_PAUSE_MS)
    }
  }
}

let isUsed = false

/** A destination for `pino`. */
export const standardError = {
  write(line: string): void {
    if (gathered.length > MOST_WAITING) return
    if (!isUsed) process.once('exit', finish)
    isUsed = true
    gathered += line
    isUrgent ||= URGENT.test(line)
    if (!hasFailed && (isUrgent || gathered.length >= ENOUGH)) begin()
    else later()
  },
}
