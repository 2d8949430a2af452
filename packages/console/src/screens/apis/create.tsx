/** A new API: its name and the indicator that applications ask for. */
import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CreateDialog } from '../../parts/create-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { notify } from '../../parts/toast.tsx'

export const CreateApi = ({ onClose }: { readonly onClose: () => void }) => {
  const { values, set, reset } = useForm('new-api', { name: '', indicator: '' })
  const create = useChange('createResource')
  const navigate = useNavigate()
  const nameError = errorAt(create.error, 'name')
  const indicatorError = errorAt(
    create.error,
    'indicator',
    'resource.invalid_indicator',
    'resource.resource_identifier_in_use',
  )
  const submit = () =>
    create.mutate(
      { body: { name: values.name.trim(), indicator: values.indicator.trim() } },
      {
        onSuccess: ({ id, name }) => {
          reset()
          onClose()
          notify(t('apis.created', { name }))
          void navigate({ to: '/apis/$id', params: { id } })
        },
      },
    )
  return (
    <CreateDialog
      title={t('apis.create')}
      text={t('apis.createText')}
      isReady={values.name.trim() !== '' && values.indicator.trim() !== ''}
      change={create}
      isPlaced={nameError !== undefined || indicatorError !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        name="name"
        label={t('apis.name')}
        value={values.name}
        onChange={(name) => set('name', name)}
        error={nameError}
        placeholder={t('apis.namePlaceholder')}
      />
      <Field
        name="indicator"
        label={t('apis.indicator')}
        value={values.indicator}
        onChange={(indicator) => set('indicator', indicator)}
        hint={t('apis.indicatorHint')}
        error={indicatorError}
        placeholder="https://orders.example.com"
        isMonospace
      />
    </CreateDialog>
  )
}
