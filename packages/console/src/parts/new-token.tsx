/** Creates a token by its name and how long it is valid, and shows its value, once. */
import { type ReactNode, useState } from 'react'
import { t } from '../languages/languages.ts'
import { Button } from './button.tsx'
import { CopyField } from './copy-field.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { errorAt } from './form.ts'
import { expiryOf, LifeField } from './life.tsx'

interface Shown {
  readonly title: string
  readonly text: string
  readonly label: string
  /** On the button that closes it. */
  readonly action: string
}

interface NewTokenProps {
  readonly title: string
  readonly text: string
  /** What is said beside the value of a token of this name. */
  readonly shown: (name: string) => Shown
  /** In days. */
  readonly lives: readonly string[]
  /** The usual one of them. */
  readonly life: string
  /** The error for a name that another token has. */
  readonly taken?: string
  readonly change: {
    readonly isPending: boolean
    readonly error: unknown
    readonly data: { readonly name: string; readonly value: string } | undefined
  }
  readonly onSubmit: (token: { readonly name: string; readonly expiresAt: number | null }) => void
  readonly onClose: () => void
  /** What else is chosen for it. */
  readonly children?: ReactNode
}

export const NewToken = (props: NewTokenProps) => {
  const { title, text, shown, lives, life, taken, change, onSubmit, onClose, children } = props
  const [name, setName] = useState('')
  const [days, setDays] = useState(life)
  const nameError = errorAt(change.error, 'name', ...(taken === undefined ? [] : [taken]))
  if (change.data) {
    const { title: once, text: meaning, label, action } = shown(change.data.name)
    return (
      <Dialog isOpen onClose={onClose} title={once} description={meaning}>
        <CopyField label={label} value={change.data.value} />
        <div className="mt-4 flex justify-end">
          <Button look="primary" onClick={onClose}>
            {action}
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <CreateDialog
      title={title}
      text={text}
      isReady={name.trim() !== ''}
      change={change}
      isPlaced={nameError !== undefined}
      onSubmit={() => onSubmit({ name: name.trim(), expiresAt: expiryOf(days) })}
      onClose={onClose}
    >
      <Field name="name" label={t('apis.name')} value={name} onChange={setName} error={nameError} />
      <LifeField days={days} choices={lives} onChange={setDays} />
      {children}
    </CreateDialog>
  )
}
