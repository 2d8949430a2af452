/** A card with a form of settings: save and discard, and the server's refusal where no field of it shows it. */
import type { ReactNode } from 'react'
import { Card } from './page.tsx'
import { ReadOnly } from './read-only.ts'
import { SaveBar } from './save-bar.tsx'
import { ErrorState } from './states.tsx'

interface SettingsCardProps {
  readonly title: string
  readonly text?: string
  /** Of `useForm`. */
  readonly form: { readonly isChanged: boolean; readonly reset: () => void }
  readonly change: { readonly isPending: boolean; readonly error: unknown; readonly reset: () => void }
  /** Whether a field shows what the server refused. */
  readonly isPlaced?: boolean
  readonly isReadOnly: boolean
  readonly onSubmit: () => void
  readonly children: ReactNode
}

export const SettingsCard = (props: SettingsCardProps) => {
  const { title, text, form, change, isPlaced = false, isReadOnly, onSubmit, children } = props
  return (
    <Card title={title} {...(text === undefined ? {} : { text })}>
      <form
        noValidate
        className="max-w-2xl"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <ReadOnly value={isReadOnly}>
          <div className="space-y-4">{children}</div>
        </ReadOnly>
        {change.error && !isPlaced ? <ErrorState error={change.error} /> : null}
        {!isReadOnly && (
          <SaveBar
            isChanged={form.isChanged}
            isBusy={change.isPending}
            onDiscard={() => {
              form.reset()
              change.reset()
            }}
          />
        )}
      </form>
    </Card>
  )
}
