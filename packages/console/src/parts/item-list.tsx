/** A short list inside a card: title, detail, and what can be done to each. */
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from './button.tsx'
import { Confirm } from './confirm.tsx'
import { Card } from './page.tsx'
import { ErrorState, Loading } from './states.tsx'

interface Item {
  readonly id: string
  readonly title: ReactNode
  readonly detail?: ReactNode
  /** What can be done to it, before its removal. */
  readonly actions?: ReactNode
}

interface Question {
  readonly title: string
  /** What it means, for all or for this one. */
  readonly text: string | ((id: string) => string)
  /** Has to be typed before the button works. */
  readonly typed?: (id: string) => string
  readonly onClose: () => void
}

/** Asks first, or can be undone: then `onRemove` offers that with `notify`. */
type Removal = (Question | { readonly isUndoable: true }) & {
  readonly action: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onRemove: (id: string, done: () => void) => void
}

interface ItemListProps {
  readonly title: string
  readonly text?: string
  readonly items: readonly Item[] | undefined
  readonly error: unknown
  /** Said where there are none. */
  readonly none: string
  readonly actions?: ReactNode
  /** After the list: a form that adds to it. */
  readonly footer?: ReactNode
  /** Removing one; absent where that is not permitted. */
  readonly removal?: Removal | undefined
}

export const ItemList = ({ title, text, items, error, none, actions, footer, removal }: ItemListProps) => {
  const [doomed, setDoomed] = useState<string>()
  const question = removal && 'title' in removal ? removal : undefined
  return (
    <Card title={title} {...(text === undefined ? {} : { text })} actions={actions}>
      {removal && !question && Boolean(removal.error) && <ErrorState error={removal.error} />}
      {error ? (
        <ErrorState error={error} />
      ) : items === undefined ? (
        <Loading lines={2} />
      ) : items.length === 0 ? (
        <p className="text-soft">{none}</p>
      ) : (
        <ul>
          {items.map(({ id, title: name, detail, actions: own }) => (
            <li key={id} className="flex items-center gap-3 border-line py-2 not-last:border-b">
              <div className="min-w-0 flex-1">
                <div className="wrap-anywhere font-medium">
                  <bdi>{name}</bdi>
                </div>
                {detail && <div className="wrap-anywhere text-soft text-xs">{detail}</div>}
              </div>
              {own}
              {removal && (
                <IconButton
                  label={removal.action}
                  disabled={removal.isBusy}
                  onClick={() => (question ? setDoomed(id) : removal.onRemove(id, () => undefined))}
                >
                  <Trash2 size={16} />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {footer && <div className="mt-4">{footer}</div>}
      {question && doomed !== undefined && (
        <Confirm
          isOpen
          onClose={() => {
            setDoomed(undefined)
            question.onClose()
          }}
          title={question.title}
          text={typeof question.text === 'string' ? question.text : question.text(doomed)}
          action={question.action}
          {...(question.typed ? { typed: question.typed(doomed) } : {})}
          isBusy={question.isBusy}
          error={question.error}
          onConfirm={() => question.onRemove(doomed, () => setDoomed(undefined))}
        />
      )}
    </Card>
  )
}
