/** Log entries as a list of sentences; one opens with everything that is known of it. */

import { CircleCheck, CircleX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { t } from '../../languages/languages.ts'
import { Ago } from '../../parts/ago.tsx'
import { causersOf } from './names.ts'
import { useUserNames } from './user-names.ts'
import { droppedOf, type Entry, isRefused, keyInWords, reasonOf } from './words.ts'

const Mark = ({ entry }: { readonly entry: Entry }) =>
  isRefused(entry) ? (
    <CircleX size={16} className="mt-0.5 shrink-0 text-bad" aria-label={t('log.refused')} />
  ) : (
    <CircleCheck size={16} className="mt-0.5 shrink-0 text-good" aria-label={t('log.succeeded')} />
  )

const EntryDetails = lazy(async () => ({ default: (await import('./entry-details.tsx')).EntryDetails }))

/** The list. @param nameOf who did it, in a few words */
export const Entries = ({
  entries,
  nameOf,
}: {
  readonly entries: readonly Entry[]
  readonly nameOf: (entry: Entry, userName: (id: string) => string | undefined) => string
}) => {
  const [opened, setOpened] = useState<Entry>()
  const userName = useUserNames(causersOf(entries))
  return (
    <>
      <ul>
        {entries.map((entry) => (
          <li key={entry.id} className="border-line not-last:border-b">
            <button
              type="button"
              onClick={() => setOpened(entry)}
              className="flex w-full items-start gap-3 px-4 py-2.5 text-start -outline-offset-2 hover:bg-hover"
            >
              <Mark entry={entry} />
              <span className="min-w-0 flex-1">
                <span className="wrap-anywhere block font-medium">{keyInWords(entry.key)}</span>
                <span className="block truncate text-soft text-xs">
                  {isRefused(entry) ? reasonOf(entry) : nameOf(entry, userName)}
                </span>
              </span>
              {droppedOf(entry).length > 0 && (
                <span className="mt-0.5 shrink-0 text-warn text-xs">
                  {t('log.droppedCount', { count: droppedOf(entry).length })}
                </span>
              )}
              <Ago at={entry.createdAt} className="mt-0.5 shrink-0 text-xs" />
            </button>
          </li>
        ))}
      </ul>
      {opened && (
        <Suspense>
          <EntryDetails entry={opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  )
}
