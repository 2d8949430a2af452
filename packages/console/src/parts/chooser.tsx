/** Chooses one of many in a dialog, found by a search. */
import type { ReactNode } from 'react'
import { t } from '../languages/languages.ts'
import { Dialog } from './dialog.tsx'
import { SearchBox } from './search-box.tsx'
import { ErrorState, Loading } from './states.tsx'

export interface Choice {
  readonly id: string
  readonly name: string
  readonly detail?: string | null
  readonly picture?: ReactNode
}

interface ChooserProps {
  readonly title: string
  readonly text: string
  readonly searchLabel: string
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly choices: readonly Choice[] | undefined
  readonly error: unknown
  readonly isBusy: boolean
  readonly onChoose: (choice: Choice) => void
  readonly onClose: () => void
}

export const Chooser = (props: ChooserProps) => {
  const { title, text, searchLabel, search, onSearch, choices, error, isBusy, onChoose, onClose } = props
  return (
    <Dialog isOpen onClose={onClose} title={title} description={text}>
      <SearchBox label={searchLabel} value={search} onSearch={onSearch} />
      {error ? (
        <ErrorState error={error} />
      ) : choices === undefined ? (
        <Loading lines={3} />
      ) : (
        <ul className="mt-3">
          {choices.map((choice) => (
            <li key={choice.id}>
              <button
                type="button"
                disabled={isBusy}
                onClick={() => onChoose(choice)}
                className="flex w-full items-center gap-3 rounded-lg px-3 py-2 text-start hover:bg-hover"
              >
                {choice.picture}
                <span className="min-w-0">
                  <span className="block truncate font-medium">{choice.name}</span>
                  <span className="block truncate text-soft text-xs">{choice.detail}</span>
                </span>
              </button>
            </li>
          ))}
          {choices.length === 0 && <li className="px-3 py-2 text-soft">{t('state.noMatch')}</li>}
        </ul>
      )}
    </Dialog>
  )
}
