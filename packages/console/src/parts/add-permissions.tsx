/** Adds permissions, many at once: one to a line. What the server refuses stays in the field. */
import { useState } from 'react'
import { type Client, useChanges } from '../api/client.ts'
import { failureOf } from '../api/failure.ts'
import { t } from '../languages/languages.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { useForm } from './form.ts'
import { type Line, linesOf, textOf } from './permission-lines.ts'
import { notify } from './toast.tsx'

interface AddPermissionsProps {
  readonly owner: string
  /** The names of those that there are. */
  readonly held: readonly string[]
  readonly create: (client: Client, line: Line) => Promise<unknown>
  readonly onClose: () => void
}

export const AddPermissions = ({ owner, held, create, onClose }: AddPermissionsProps) => {
  const { values, set, reset } = useForm(`${owner}.permissions`, { lines: '' })
  const [done, setDone] = useState(0)
  const changes = useChanges()
  const lines = linesOf(values.lines)
  const wanted = lines.filter(({ name }) => !held.includes(name))
  const skipped = lines.filter(({ name }) => held.includes(name))

  const submit = () => {
    let left: readonly Line[] = wanted
    setDone(0)
    changes.mutate(
      async (client) => {
        for (const [at, line] of wanted.entries()) {
          await create(client, line)
          left = wanted.slice(at + 1)
          setDone(at + 1)
        }
      },
      {
        onSuccess: () => {
          reset()
          onClose()
          notify(t('api.added', { count: wanted.length }))
        },
        onError: () => set('lines', textOf(left)),
      },
    )
  }

  const { sentence } = failureOf(changes.error)
  const [refused] = wanted
  const error = changes.error ? [refused?.name, sentence ?? t('state.failed')].filter(Boolean).join(': ') : undefined
  return (
    <Dialog isOpen onClose={onClose} title={t('api.addPermissions')} description={t('api.addText')} shape="wide">
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field
          name="lines"
          label={t('api.lines')}
          value={values.lines}
          onChange={(next) => {
            changes.reset()
            set('lines', next)
          }}
          placeholder={t('api.linesPlaceholder')}
          {...(error === undefined ? {} : { hint: t('api.notAdded') })}
          error={error}
          rows={10}
          isMonospace
        />
        {skipped.length > 0 && (
          <p className="wrap-anywhere text-soft">
            {t('api.skipped', { names: skipped.map(({ name }) => name).join(', ') })}
          </p>
        )}
        <div className="flex items-center justify-end gap-2">
          {changes.isPending && (
            <span role="status" className="me-auto text-soft tabular-nums">
              {t('api.adding', { done, count: wanted.length })}
            </span>
          )}
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" disabled={wanted.length === 0} isBusy={changes.isPending}>
            {wanted.length === 0 ? t('api.addPermissions') : t('api.addCount', { count: wanted.length })}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
