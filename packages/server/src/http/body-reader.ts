/**
 * Reads the bodies of requests, with limits on size, on time, and on the number of slow ones at once,
 * so that half-sent bodies cannot exhaust the server's memory or connections (SECURITY R-35).
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { countedNetwork } from '../kernel/network.ts'
import { TransportError } from './exchange.ts'

export interface BodyLimits {
  /** The time within which the whole body has to arrive. */
  readonly seconds: number
  /** A body that is incomplete after this time is slow. An honest caller sends it with the headers. */
  readonly slowAfterSeconds: number
  /** The most slow bodies; the oldest give way to newer ones. */
  readonly mostSlow: number
  readonly mostSlowOfAddress: number
  /** The most bodies being read in total; more are refused at once. */
  readonly most: number
  /** Bytes of all incomplete bodies; the oldest give way. */
  readonly mostBytes: number
}

export const BODY_LIMITS: BodyLimits = {
  seconds: 10,
  slowAfterSeconds: 1,
  mostSlow: 1000,
  mostSlowOfAddress: 100,
  most: 5000,
  mostBytes: 32 * 1024 * 1024,
}

/** For authenticated callers who may send more: only the time is limited. */
export const ADMITTED_BODY_LIMITS: BodyLimits = {
  seconds: 60,
  slowAfterSeconds: 60,
  mostSlow: Number.POSITIVE_INFINITY,
  mostSlowOfAddress: Number.POSITIVE_INFINITY,
  most: Number.POSITIVE_INFINITY,
  mostBytes: Number.POSITIVE_INFINITY,
}

/** For uploads of all callers: they take the most time and memory, so few are read at a time. */
export const UPLOAD_BODY_LIMITS: BodyLimits = {
  seconds: 60,
  slowAfterSeconds: 15,
  mostSlow: 20,
  mostSlowOfAddress: 4,
  most: 50,
  mostBytes: 24 * 1024 * 1024,
}

/** What the reader needs of a request. */
export type BodyStream = Readable & Pick<IncomingMessage, 'headers'>

interface Pending {
  readonly address: string
  /** Seconds. */
  readonly since: number
  bytes: number
  readonly fail: (error: TransportError) => void
}

export interface BodyReader {
  /**
   * The body of a request. Throws TransportError: `body-too-large` as soon as that is known, with Content-Length before
   * a byte is read; `too-slow`; `unavailable` when too many are being read; `aborted` when the connection ended first.
   * @param limit bytes
   * @param ip of the caller
   */
  read(stream: BodyStream, limit: number, ip: string): Promise<Buffer>
  /** Refuses bodies that have taken too long or are too many; to be called about every second. */
  sweep(): void
  /** How many bodies are being read. */
  readonly size: number
}

const tooMany = () => new TransportError('unavailable', 'too many requests are sending their bodies slowly')

/** @param now seconds on a clock that never goes back */
export const createBodyReader = (limits: BodyLimits, now: () => number): BodyReader => {
  /** Oldest first. */
  const pending = new Set<Pending>()
  let bytes = 0

  const dropOldest = () => {
    for (const oldest of pending) return oldest.fail(tooMany())
  }

  const sweep = () => {
    const [late, slow] = [now() - limits.seconds, now() - limits.slowAfterSeconds]
    const kept = new Map<string, number>()
    let most = limits.mostSlow
    // newest first: bodies beyond the maximum are refused
    for (const one of [...pending].filter(({ since }) => since <= slow).toReversed()) {
      const ofAddress = kept.get(one.address) ?? 0
      if (one.since <= late) one.fail(new TransportError('too-slow', String(limits.seconds)))
      else if (most === 0 || ofAddress >= limits.mostSlowOfAddress) one.fail(tooMany())
      else {
        kept.set(one.address, ofAddress + 1)
        most -= 1
      }
    }
  }

  const read = (stream: BodyStream, limit: number, ip: string): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const tooLarge = () => new TransportError('body-too-large', String(limit))
      if (Number(stream.headers['content-length'] ?? 0) > limit) return reject(tooLarge())
      if (pending.size >= limits.most) return reject(tooMany())
      const chunks: Buffer[] = []
      const end = () => {
        stream.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted)
        pending.delete(one)
        bytes -= one.bytes
      }
      const one: Pending = {
        address: countedNetwork(ip),
        since: now(),
        bytes: 0,
        fail(error) {
          end()
          // what still arrives is discarded
          stream.on('error', () => undefined).resume()
          reject(error)
        },
      }
      const onData = (chunk: Buffer) => {
        if (one.bytes + chunk.length > limit) return one.fail(tooLarge())
        chunks.push(chunk)
        one.bytes += chunk.length
        bytes += chunk.length
        if (bytes > limits.mostBytes) dropOldest()
      }
      const onEnd = () => {
        end()
        resolve(Buffer.concat(chunks))
      }
      const onAborted = () => one.fail(new TransportError('aborted', 'the connection ended before the body did'))
      pending.add(one)
      stream.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted)
    })

  return {
    read,
    sweep,
    get size() {
      return pending.size
    },
  }
}
