/** Short notices of what was done, with a way to undo it where there is one. What shows them is loaded with the first one. */
import { lazy, Suspense, useSyncExternalStore } from 'react'

export interface Notice {
  readonly title: string
  /** Takes it back. */
  readonly undo: (() => void) | undefined
}

let show: ((notice: Notice) => void) | undefined
/** Notices from before their place was there. */
const waiting: Notice[] = []
let isWanted = false
const listeners = new Set<() => void>()

/** Says what was done. @param undo takes it back */
export const notify = (title: string, undo?: () => void): void => {
  if (show) show({ title, undo })
  else waiting.push({ title, undo })
  isWanted = true
  for (const listener of listeners) listener()
}

const onNotice = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Gives the place every notice from now on, and those that wait. Gives the way to stop. */
export const showNotices = (next: (notice: Notice) => void): (() => void) => {
  show = next
  for (const notice of waiting.splice(0)) next(notice)
  return () => {
    show = undefined
  }
}

const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }))

/** Where they appear. */
export const Notices = () =>
  useSyncExternalStore(onNotice, () => isWanted) ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null
