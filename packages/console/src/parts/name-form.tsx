/** Name and description of a thing, in a card. */
import { t } from '../languages/languages.ts'
import { Field } from './field.tsx'
import { errorAt, useForm } from './form.ts'
import { Card } from './page.tsx'
import { SaveBar } from './save-bar.tsx'
import { ErrorState } from './states.tsx'
import { notify } from './toast.tsx'

interface NameFormProps {
  /** Names the draft. */
  readonly form: string
  readonly name: string
  readonly description: string
  readonly change: { readonly isPending: boolean; readonly error: unknown }
  /** Codes of errors that concern the name. */
  readonly nameCodes: readonly string[]
  readonly isReadOnly: boolean
  readonly onSave: (values: { readonly name: string; readonly description: string }, done: () => void) => void
}

export const NameForm = ({ form, name, description, change, nameCodes, isReadOnly, onSave }: NameFormProps) => {
  const { values, set, isChanged, reset } = useForm(form, { name, description })
  const nameError = errorAt(change.error, 'name', ...nameCodes)
  const descriptionError = errorAt(change.error, 'description')
  return (
    <Card title={t('roles.general')}>
      <form
        noValidate
        className="max-w-xl space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          onSave(values, () => {
            reset()
            notify(t('form.saved'))
          })
        }}
      >
        <Field
          name="name"
          label={t('apis.name')}
          value={values.name}
          onChange={(next) => set('name', next)}
          error={nameError}
          isReadOnly={isReadOnly}
        />
        <Field
          name="description"
          label={t('api.permissionDescription')}
          value={values.description}
          onChange={(next) => set('description', next)}
          error={descriptionError}
          isReadOnly={isReadOnly}
        />
        {change.error && !nameError && !descriptionError ? <ErrorState error={change.error} /> : null}
        {!isReadOnly && <SaveBar isChanged={isChanged} isBusy={change.isPending} onDiscard={reset} />}
      </form>
    </Card>
  )
}
