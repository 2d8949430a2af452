/** Does one thing to many users, one after the other: remembers for whom it worked and for whom it failed, and goes on with the rest. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Row } from '../../api/client.ts'
import { failureOf, isOffline, OutcomeUnknown } from '../../api/failure.ts'
import { t } from '../../languages/languages.ts'

export type User = Row<'listUsers'>

interface Progress {
  /** The ids of those for whom it worked. */
  readonly done: ReadonlySet<string>
  readonly failed: readonly { readonly user: User; readonly why: string }[]
  readonly isRunning: boolean
}

const reasonOf = (error: unknown): string => {
  if (error instanceof OutcomeUnknown) return t('state.unknownOne')
  return isOffline(error) ? t('state.offline') : (failureOf(error).sentence ?? t('state.failed'))
}

/** @param onDone is told of each user for whom it worked */
export const useBulkRun = (onDone: (user: User) => void) => {
  const queries = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const isStopped = useRef(false)
  /** For those of the users for whom it has not worked yet. Ends before them where no answer comes. */
  const run = async (users: readonly User[], act: (user: User) => Promise<unknown>): Promise<void> => {
    isStopped.current = false
    let now: Progress = { done: progress?.done ?? new Set(), failed: [], isRunning: true }
    setProgress(now)
    for (const user of users.filter(({ id }) => !now.done.has(id))) {
      if (isStopped.current) break
      try {
        await act(user)
        onDone(user)
        now = { ...now, done: new Set([...now.done, user.id]) }
      } catch (error) {
        const isLost = error instanceof OutcomeUnknown || isOffline(error)
        now = { ...now, failed: [...now.failed, { user, why: reasonOf(error) }] }
        if (isLost) break
      }
      setProgress(now)
    }
    setProgress({ ...now, isRunning: false })
    await queries.invalidateQueries()
  }
  return {
    progress,
    run,
    /** After the user that is at work. */
    stop: () => {
      isStopped.current = true
    },
  }
}
