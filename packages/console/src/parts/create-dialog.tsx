/** A dialog that creates a thing: its fields, and the server's refusal where none of them shows it. */
import type { ReactNode } from 'react'
import { t } from '../languages/languages.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorState } from './states.tsx'

interface CreateDialogProps {
  /** Of the button as well. */
  readonly title: string
  readonly text: string
  /** Whether what has to be filled in is. */
  readonly isReady: boolean
  readonly change: { readonly isPending: boolean; readonly error: unknown }
  /** Whether a field shows what the server refused. */
  readonly isPlaced: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

export const CreateDialog = (props: CreateDialogProps) => {
  const { title, text, isReady, change, isPlaced, onSubmit, onClose, children } = props
  return (
    <Dialog isOpen onClose={onClose} title={title} description={text}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) onSubmit()
        }}
      >
        {children}
        {change.error && !isPlaced ? <ErrorState error={change.error} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" disabled={!isReady} isBusy={change.isPending}>
            {title}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
