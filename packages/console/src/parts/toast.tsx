/** Short notices of what was done, with a way to undo it where there is one. */
import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { t } from '../languages/languages.ts'
import { IconButton } from './button.tsx'

const manager = Toast.createToastManager()

/** Notices from before their place was there: it comes after the screen. */
const waiting: (() => void)[] = []
let isThere = false

/** Says what was done. @param undo takes it back */
export const notify = (title: string, undo?: () => void): void => {
  if (isThere) show(title, undo)
  else waiting.push(() => show(title, undo))
}

const show = (title: string, undo: (() => void) | undefined): void => {
  const id = manager.add({
    title,
    timeout: undo ? 10_000 : 4000,
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
      className="mt-2 rounded-xl border border-line bg-raised shadow-raised transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-center gap-2 py-2 ps-4 pe-2">
        <Toast.Title className="wrap-anywhere min-w-0 flex-1 font-medium" render={<p />} />
        <Toast.Action className="rounded-lg px-2 py-1 font-medium text-accent hover:bg-hover" />
        <Toast.Close render={<IconButton label={t('action.close')} />}>
          <X size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))

/** The place where they appear. */
export const Toasts = () => {
  useEffect(() => {
    isThere = true
    for (const each of waiting.splice(0)) each()
    return () => {
      isThere = false
    }
  }, [])
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-4 z-60 mx-auto max-w-sm sm:start-auto sm:end-6 sm:mx-0">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
