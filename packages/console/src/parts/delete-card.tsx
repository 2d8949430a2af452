/** The end of a thing: a card whose button asks for its name to be typed. */
import { type ReactNode, useState } from 'react'
import { t } from '../languages/languages.ts'
import { Button } from './button.tsx'
import { Confirm } from './confirm.tsx'
import { Card } from './page.tsx'

interface DeleteCardProps {
  readonly title: string
  readonly text: string
  /** Has to be typed. */
  readonly name: string
  readonly change: { readonly isPending: boolean; readonly error: unknown; readonly reset: () => void }
  readonly onDelete: () => void
  /** What has to be known to decide: there when it is asked. */
  readonly children?: ReactNode
}

export const DeleteCard = ({ title, text, name, change, onDelete, children }: DeleteCardProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={title}
      text={text}
      actions={
        <Button look="warning" onClick={() => setOpen(true)}>
          {title}
        </Button>
      }
    >
      {isOpen && (
        <Confirm
          isOpen
          onClose={() => {
            setOpen(false)
            change.reset()
          }}
          title={title}
          text={text}
          action={t('action.delete')}
          typed={name}
          isBusy={change.isPending}
          error={change.error}
          onConfirm={onDelete}
        >
          {children}
        </Confirm>
      )}
    </Card>
  )
}
