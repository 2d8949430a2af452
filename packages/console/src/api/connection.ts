/**
 * Whether the server can be reached. A request that got no answer only raises the question: the status of the server answers it, again
 * and again until it can be reached.
 */
import { useSyncExternalStore } from 'react'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 15_000
/** What a proxy answers for a server that is not there. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504])

let isLost = false
let watching: Promise<void> | undefined
const listeners = new Set<() => void>()

const set = (next: boolean): void => {
  if (isLost === next) return
  isLost = next
  for (const listener of listeners) listener()
}

const isThere = async (): Promise<boolean> => {
  try {
    return !isGatewayStatus((await fetch('/api/status', { cache: 'no-store' })).status)
  } catch {
    return false
  }
}

/** Some time, or less where the browser finds a network again. */
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    addEventListener('online', end)
  })

const watch = async (): Promise<void> => {
  for (let wait = FIRST_PAUSE_MS; !(await isThere()); wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    set(true)
    await pause(wait)
  }
  set(false)
}

/** Whether the answer is that of a server that is not there, or cannot serve now. */
export const isGatewayStatus = (status: number): boolean => GATEWAY_STATUSES.has(status)

/** A request got no answer: finds out whether the connection is lost. Ends when the server can be reached. */
export const doubtConnection = (): Promise<void> => {
  watching ??= watch().finally(() => {
    watching = undefined
  })
  return watching
}

/** Is called when the connection is lost, and when it is back. Gives the way to stop. */
const onConnection = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the connection is lost right now. */
export const useIsLost = (): boolean => useSyncExternalStore(onConnection, () => isLost)
