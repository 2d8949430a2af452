/** Does one thing to many users, one after the other, and remembers for whom it failed. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Row } from '../../api/client.ts'
import { failureOf, isOffline, OutcomeUnknown } from '../../api/failure.ts'
import { t } from '../../languages/languages.ts'

export type User = Row<'listUsers'>

interface Progress {
  readonly done: number
  readonly failed: readonly { readonly user: User; readonly why: string }[]
  readonly isRunning: boolean
}

const NONE: Progress = { done: 0, failed: [], isRunning: false }

/** @param onDone is told of each user for whom it worked */
export const useBulkRun = (onDone: (user: User) => void) => {
  const queries = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const isStopped = useRef(false)
  const run = async (users: readonly User[], act: (user: User) => Promise<unknown>): Promise<void> => {
    isStopped.current = false
    let now: Progress = { ...NONE, isRunning: true }
    setProgress(now)
    for (const user of users) {
      if (isStopped.current) break
      try {
        await act(user)
        onDone(user)
        now = { ...now, done: now.done + 1 }
      } catch (error) {
        const why =
          error instanceof OutcomeUnknown
            ? t('state.unknownOne')
            : isOffline(error)
              ? t('state.offline')
              : (failureOf(error).sentence ?? t('state.failed'))
        now = { ...now, failed: [...now.failed, { user, why }] }
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
