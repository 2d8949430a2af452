/** A new organization: its name and what it is. */
import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CreateDialog } from '../../parts/create-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
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
    <CreateDialog
      title={t('organizations.create')}
      text={t('organizations.createText')}
      isReady={values.name.trim() !== ''}
      change={create}
      isPlaced={Object.values(errors).some((error) => error !== undefined)}
      onSubmit={submit}
      onClose={onClose}
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
    </CreateDialog>
  )
}
