/** Name and description of a permission. */
import { type Row, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

interface EditPermissionProps {
  readonly permission: Row<'listScopes'>
  readonly onClose: () => void
}

export const EditPermission = ({
  permission: { id: scopeId, resourceId, name, description },
  onClose,
}: EditPermissionProps) => {
  const { values, set, isChanged, reset } = useForm(`permission.${scopeId}`, { name, description: description ?? '' })
  const update = useChange('updateScope')
  const nameError = errorAt(update.error, 'name', 'scope.name_exists', 'scope.name_with_space')
  const submit = () =>
    update.mutate(
      { params: { resourceId, scopeId }, body: { name: values.name, description: values.description || null } },
      {
        onSuccess: () => {
          reset()
          onClose()
          notify(t('form.saved'))
        },
      },
    )
  return (
    <Dialog isOpen onClose={onClose} title={t('api.editPermission')}>
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
          error={nameError}
          isMonospace
        />
        <Field
          name="description"
          label={t('api.permissionDescription')}
          value={values.description}
          onChange={(next) => set('description', next)}
        />
        {update.error && nameError === undefined && <ErrorState error={update.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" disabled={!isChanged} isBusy={update.isPending}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
