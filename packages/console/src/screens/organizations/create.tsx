/** A new organization: its name and what it is. */
import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

export const CreateOrganization = ({ onClose }: { readonly onClose: () => void }) => {
  const { values, set, reset } = useForm('new-organization', { name: '', description: '' })
  const create = useChange('createOrganization')
  const navigate = useNavigate()
  const errors = { name: errorAt(create.error, 'name'), description: errorAt(create.error, 'description') }
  const submit = () =>
    create.mutate(
      { body: { name: values.name.trim(), description: values.description.trim() || null } },
      {
        onSuccess: ({ id, name }) => {
          reset()
          onClose()
          notify(t('organizations.created', { name }))
          void navigate({ to: '/organizations/$id', params: { id } })
        },
      },
    )
  return (
    <Dialog isOpen onClose={onClose} title={t('organizations.create')} description={t('organizations.createText')}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field
          name="name"
          label={t('apis.name')}
          value={values.name}
          onChange={(next) => set('name', next)}
          error={errors.name}
        />
        <Field
          name="description"
          label={t('api.permissionDescription')}
          value={values.description}
          onChange={(next) => set('description', next)}
          error={errors.description}
        />
        {create.error && !errors.name && !errors.description && <ErrorState error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" disabled={!values.name.trim()} isBusy={create.isPending}>
            {t('organizations.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
