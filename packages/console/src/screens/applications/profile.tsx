/** Name and description of an application. */
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'

export const Profile = ({ application: { id, name, description } }: { readonly application: Application }) => {
  const { values, set, isChanged, reset } = useForm(`application.${id}.profile`, {
    name,
    description: description ?? '',
  })
  const update = useChange('updateApplication')
  const nameError = errorAt(update.error, 'name')
  return (
    <Card title={t('application.profile')}>
      <form
        noValidate
        className="max-w-xl space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate(
            { params: { id }, body: { name: values.name, description: values.description || null } },
            {
              onSuccess: () => {
                reset()
                notify(t('form.saved'))
              },
            },
          )
        }}
      >
        <Field
          name="name"
          label={t('applications.name')}
          value={values.name}
          onChange={(next) => set('name', next)}
          error={nameError}
        />
        <Field
          name="description"
          label={t('applications.description')}
          value={values.description}
          onChange={(next) => set('description', next)}
          error={errorAt(update.error, 'description')}
        />
        {update.error && nameError === undefined && <ErrorState error={update.error} />}
        {may('updateApplication') && <SaveBar isChanged={isChanged} isBusy={update.isPending} onDiscard={reset} />}
      </form>
    </Card>
  )
}
