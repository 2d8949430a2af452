/** The command palette: screens, applications, users and organizations by a few letters. Loaded when it is first opened. */
import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { AppWindow, CornerDownLeft, type LucideIcon, User } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { may, usePage } from '../api/client.ts'
import { t } from '../languages/languages.ts'
import { patternOf, titleOf } from '../screens/users/search.ts'
import { SCREENS } from './screens.ts'

const PAUSE_MS = 150
const SHOWN = 5

interface Find {
  readonly id: string
  readonly title: string
  readonly detail: string
  readonly icon: LucideIcon
  readonly go: () => unknown
}

/** The value, some time after it last changed. */
const useSettled = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const useFinds = (typed: string): Find[] => {
  const navigate = useNavigate()
  const settled = useSettled(typed.trim())
  const isSearch = settled.length > 0
  const applications = usePage(
    'listApplications',
    { query: { search: `%${settled}%`, page_size: SHOWN } },
    undefined,
    isSearch,
  )
  const users = usePage('listUsers', { query: { search: patternOf(settled), page_size: SHOWN } }, undefined, isSearch)
  const wanted = typed.trim().toLowerCase()
  const screens = SCREENS.filter(({ title, needs }) => may(...needs) && t(title).toLowerCase().includes(wanted))
  return [
    ...screens.map(({ to, title, icon }) => ({
      id: to,
      title: t(title),
      detail: t('palette.screen'),
      icon,
      go: () => navigate({ to }),
    })),
    ...(isSearch ? (applications.data?.rows ?? []) : []).map(({ id, name }) => ({
      id,
      title: name,
      detail: t('palette.application'),
      icon: AppWindow,
      go: () => navigate({ to: '/applications/$id', params: { id } }),
    })),
    ...(isSearch ? (users.data?.rows ?? []) : []).map((user) => ({
      id: user.id,
      title: titleOf(user),
      detail: t('palette.user'),
      icon: User,
      go: () => navigate({ to: '/users/$id', params: { id: user.id } }),
    })),
  ]
}

const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const finds = useFinds(typed)
  const chosen = Math.min(at, finds.length - 1)
  const open = (find: Find | undefined) => {
    if (!find) return
    onClose()
    find.go()
  }
  return (
    <Dialog.Root open onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
        <Dialog.Popup className="fixed inset-x-4 top-[12vh] z-50 mx-auto max-w-xl overflow-hidden rounded-2xl border border-line bg-raised shadow-raised">
          <Dialog.Title className="sr-only">{t('shell.search')}</Dialog.Title>
          <input
            role="combobox"
            aria-label={t('shell.search')}
            aria-expanded={finds.length > 0}
            aria-controls={list}
            aria-activedescendant={finds.length > 0 ? `${list}-${chosen}` : undefined}
            placeholder={t('palette.placeholder')}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value)
              setAt(0)
            }}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, finds.length - 1))
              else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
              else if (event.key === 'Enter') open(finds[chosen])
              else return
              event.preventDefault()
            }}
            className="h-13 w-full border-line border-b bg-transparent px-5 text-base outline-none placeholder:text-soft"
          />
          <div id={list} role="listbox" aria-label={t('palette.results')} className="max-h-96 overflow-y-auto p-2">
            {finds.map((find, index) => (
              <div
                key={find.id}
                id={`${list}-${index}`}
                role="option"
                aria-selected={index === chosen}
                tabIndex={-1}
                onClick={() => open(find)}
                onKeyDown={({ key }) => key === 'Enter' && open(find)}
                onPointerMove={() => setAt(index)}
                className={`flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2 ${index === chosen ? 'bg-hover' : ''}`}
              >
                <find.icon size={16} aria-hidden className="text-soft" />
                <span className="min-w-0 flex-1 truncate font-medium">{find.title}</span>
                <span className="text-soft text-xs">{find.detail}</span>
                <CornerDownLeft size={14} aria-hidden className={index === chosen ? 'text-soft' : 'invisible'} />
              </div>
            ))}
          </div>
          {finds.length === 0 && <p className="px-5 pb-6 text-center text-soft">{t('palette.nothing')}</p>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

// biome-ignore lint/style/noDefaultExport: React.lazy loads default exports
export default Palette
