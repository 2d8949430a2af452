/** Chooses the user who becomes an administrator. */
import { useState } from 'react'
import { usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { Avatar } from '../users/avatar.tsx'
import { patternOf, titleOf } from '../users/search.ts'
import type { Chosen } from './choose-roles.tsx'

const SHOWN = 8

interface ChooseUserProps {
  readonly onClose: () => void
  readonly onChoose: (user: Chosen) => void
}

export const ChooseUser = ({ onClose, onChoose }: ChooseUserProps) => {
  const [search, setSearch] = useState('')
  const { data, error } = usePage('listUsers', {
    query: { page: 1, page_size: SHOWN, ...(search ? { search: patternOf(search) } : {}) },
  })
  return (
    <Dialog isOpen onClose={onClose} title={t('administrators.add')} description={t('administrators.addText')}>
      <SearchBox label={t('users.search')} value={search} onSearch={setSearch} />
      {error ? (
        <ErrorState error={error} />
      ) : data === undefined ? (
        <Loading lines={3} />
      ) : (
        <ul className="mt-3">
          {data.rows.map((user) => (
            <li key={user.id}>
              <button
                type="button"
                onClick={() => onChoose({ userId: user.id, name: titleOf(user), roleIds: [] })}
                className="flex w-full items-center gap-3 rounded-lg px-3 py-2 text-start hover:bg-hover"
              >
                <Avatar name={titleOf(user)} picture={user.avatar} />
                <span className="min-w-0">
                  <span className="block truncate font-medium">{titleOf(user)}</span>
                  <span className="block truncate text-soft text-xs">{user.primaryEmail}</span>
                </span>
              </button>
            </li>
          ))}
          {data.rows.length === 0 && <li className="px-3 py-2 text-soft">{t('state.noMatch')}</li>}
        </ul>
      )}
    </Dialog>
  )
}
