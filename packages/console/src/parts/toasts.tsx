/** The place where notices appear, and go by themselves. */
import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { t } from '../languages/languages.ts'
import { IconButton } from './button.tsx'
import { type Notice, showNotices } from './toast.tsx'

const SHOWN_MS = 4000
const UNDO_MS = 10_000
/** The newest ones; an older one is back when there is room before its time is over, as one that can be undone. */
const MOST = 3

const manager = Toast.createToastManager()

const show = ({ title, undo }: Notice): void => {
  const id = manager.add({
    title,
    timeout: undo ? UNDO_MS : SHOWN_MS,
    ...(undo
      ? {
          actionProps: {
            children: t('action.undo'),
            onClick: () => {
              undo()
              manager.close(id)
            },
          },
        }
      : {}),
  })
}

const List = () =>
  Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="mt-2 rounded-xl border border-line bg-raised shadow-raised transition-opacity data-limited:hidden data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-center gap-2 py-2 ps-4 pe-2">
        <Toast.Title className="wrap-anywhere min-w-0 flex-1 font-medium" render={<p />} />
        <Toast.Action className="rounded-lg px-2 py-1 font-medium text-accent hover:bg-hover" />
        {/* it can be reached by Tab, and must not be hidden from those who do */}
        <Toast.Close aria-hidden={false} render={<IconButton label={t('action.close')} />}>
          <X size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))

export const Toasts = () => {
  useEffect(() => showNotices(show), [])
  return (
    <Toast.Provider toastManager={manager} limit={MOST}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-4 z-60 mx-auto max-w-sm sm:start-auto sm:end-6 sm:mx-0">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
