/**
 * The end of the log, followed by long poll while the screen is looked at. The cursor is older than the list that is shown with it, and an
 * entry that is in both is shown once: so none is lost between the two.
 */
import { ManagementApiError } from '@countersign/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { callOnce, type Input } from '../../api/client.ts'
import { SessionEnded } from '../../session/session.ts'
import type { queryOf } from './filters.tsx'
import type { Entry } from './words.ts'

/** How long the server may wait for something to happen, in seconds. */
const WAIT = 25
/** The same, to learn soon whether there is room again. */
const SHORT_WAIT = 5
/** Between two requests, however much happens. */
const PAUSE_MS = 500
/** Where too many wait for the log, it is asked for without waiting. */
const BUSY_PAUSE_MS = 5000
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 30_000
/** What one page shows, so that no more has to be kept. */
const KEPT = 50

type Filter = ReturnType<typeof queryOf>
/** Why new entries come late: too many follow the log, or a request failed. */
type Trouble = 'busy' | 'interrupted'

interface Tail {
  readonly entries: readonly Entry[]
  readonly trouble: Trouble | undefined
}

const NOTHING: Tail = { entries: [], trouble: undefined }

const newestFirst = (one: Entry, other: Entry): number =>
  other.createdAt - one.createdAt || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0)

/** Both without what they have in common, newest first. @param most how many of them */
const joined = (one: readonly Entry[], other: readonly Entry[], most: number): readonly Entry[] =>
  [...new Map([...one, ...other].map((entry) => [entry.id, entry])).values()].sort(newestFirst).slice(0, most)

interface Shown {
  readonly rows: readonly Entry[]
  readonly total: number
}

/** The first page of the list with what has become visible since it was read. */
export const withTail = ({ rows, total }: Shown, entries: readonly Entry[], pageSize: number): Shown => {
  const listed = new Set(rows.map(({ id }) => id))
  const last = rows.length < pageSize ? undefined : rows.at(-1)
  // what is behind the last row of a full page was counted with the pages behind it
  const added = entries.filter((entry) => !listed.has(entry.id) && (!last || newestFirst(entry, last) < 0))
  return { rows: joined(rows, added, pageSize), total: total + added.length }
}

const isBusy = (error: unknown): boolean =>
  error instanceof ManagementApiError && (error.status === 429 || error.status === 503)

/** Waits, or until it is over. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })

interface Follower {
  readonly filter: NonNullable<NonNullable<Input<'followLogs'>>['query']>
  /** Where it goes on; undefined: from now on. */
  readonly since: string | undefined
  readonly signal: AbortSignal
  /** @param isGap the list has to be read again: it may lack entries that will not be among these */
  readonly onEntries: (entries: readonly Entry[], cursor: string, isGap: boolean) => void
  readonly onTrouble: (trouble: Trouble | undefined) => void
}

/** Asks again and again, until it is over or the session has ended. */
const follow = async ({ filter, since, signal, onEntries, onTrouble }: Follower): Promise<void> => {
  let cursor = since
  let failures = 0
  let trouble: Trouble | undefined
  let wait = WAIT
  while (!signal.aborted) {
    try {
      const query = { ...filter, ...(cursor === undefined ? {} : { since: cursor, wait }) }
      const answer = await callOnce('followLogs', { query }, signal)
      onEntries(answer.entries, answer.cursor, cursor === undefined || answer.isCut)
      cursor = answer.cursor
      failures = 0
      // an answer to which nothing waited does not say that there is room again
      if (trouble !== 'busy' || wait > 0) trouble = undefined
      onTrouble(trouble)
      await pause(trouble === undefined ? PAUSE_MS : BUSY_PAUSE_MS, signal)
      wait = trouble === undefined ? WAIT : SHORT_WAIT
    } catch (error) {
      if (signal.aborted || error instanceof SessionEnded) return
      // after the database was restored the cursor may be none any more
      if (error instanceof ManagementApiError && error.status === 400) cursor = undefined
      trouble = isBusy(error) ? 'busy' : 'interrupted'
      onTrouble(trouble)
      await pause(Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS), signal)
      failures += 1
      wait = 0
    }
  }
}

const onVisibility = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
const useIsVisible = (): boolean => useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')

/**
 * What has become visible since the list was read, newest first, and why that may be late. Pauses while the tab is hidden, and goes on
 * where it was.
 * @param isWanted false: not now
 */
export const useTail = ({ start_time: from = 0, end_time: until, ...filter }: Filter, isWanted: boolean): Tail => {
  const queries = useQueryClient()
  const isVisible = useIsVisible()
  const key = JSON.stringify(filter)
  const position = useRef<{ readonly key: string; readonly cursor: string }>(undefined)
  const [kept, keep] = useState<Tail & { readonly key: string }>({ ...NOTHING, key })
  useEffect(() => {
    if (!isWanted || !isVisible) return
    const over = new AbortController()
    const change = (next: (before: Tail) => Tail) =>
      over.signal.aborted || keep((before) => ({ ...next(before.key === key ? before : NOTHING), key }))
    const readAgain = async () => {
      const list = { queryKey: ['listLogs', 'page'], type: 'active' as const }
      // one that has begun already may end before the entries that the cursor does not give
      if (queries.isFetching(list) > 0) await queries.refetchQueries(list, { cancelRefetch: false })
      await queries.refetchQueries(list)
    }
    void follow({
      filter: JSON.parse(key) as Follower['filter'],
      since: position.current?.key === key ? position.current.cursor : undefined,
      signal: over.signal,
      onEntries: (entries, cursor, isGap) => {
        position.current = { key, cursor }
        if (isGap) void readAgain()
        if (entries.length > 0) change((before) => ({ ...before, entries: joined(before.entries, entries, KEPT) }))
      },
      onTrouble: (trouble) => change((before) => (before.trouble === trouble ? before : { ...before, trouble })),
    })
    return () => over.abort()
  }, [key, isWanted, isVisible, queries])
  if (kept.key !== key) return NOTHING
  return {
    entries: kept.entries.filter(({ createdAt }) => createdAt >= from && (until === undefined || createdAt < until)),
    trouble: isWanted ? kept.trouble : undefined,
  }
}
