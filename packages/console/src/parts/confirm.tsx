/** Asks before something is done: what cannot be undone has to be typed. */
import { type ReactNode, useId, useState } from 'react'
import { t } from '../languages/languages.ts'
import { Button, type Look } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorState } from './states.tsx'

interface ConfirmProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly text: string
  readonly action: string
  /** Has to be typed before the button works. */
  readonly typed?: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onConfirm: () => void
  /** Of its button; what cannot be undone is red. */
  readonly look?: Look
  /** What has to be known to decide. */
  readonly children?: ReactNode
}

export const Confirm = (props: ConfirmProps) => {
  const { isOpen, onClose, title, text, action, typed, isBusy, error, onConfirm, look = 'danger', children } = props
  const [written, setWritten] = useState('')
  const id = useId()
  const isReady = typed === undefined || written.trim() === typed.trim()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} description={text}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // the dialog may belong to a form
          event.stopPropagation()
          if (isReady) onConfirm()
        }}
      >
        {children && <div className="mb-4">{children}</div>}
        {typed !== undefined && (
          <div className="mb-4">
            <label htmlFor={id} className="mb-1 block text-soft">
              {t('confirm.type')} <strong className="wrap-anywhere select-all text-ink">{typed}</strong>
            </label>
            <input
              id={id}
              value={written}
              onChange={({ target }) => setWritten(target.value)}
              autoComplete="off"
              spellCheck={false}
              className="h-9 w-full rounded-lg border border-edge bg-surface px-3"
            />
          </div>
        )}
        {error !== null && error !== undefined && <ErrorState error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look={look} type="submit" disabled={!isReady} isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
