/** Name and description of a permission. */
import { type Client, useChanges } from '../api/client.ts'
import { t } from '../languages/languages.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { errorAt, useForm } from './form.ts'
import { ErrorState } from './states.tsx'
import { notify } from './toast.tsx'

interface EditPermissionProps {
  readonly permission: { readonly id: string; readonly name: string; readonly description: string | null }
  readonly update: (
    client: Client,
    id: string,
    values: { readonly name: string; readonly description: string | null },
  ) => Promise<unknown>
  readonly onClose: () => void
}

export const EditPermission = ({ permission: { id, name, description }, update, onClose }: EditPermissionProps) => {
  const { values, set, isChanged, reset } = useForm(`permission.${id}`, { name, description: description ?? '' })
  const changes = useChanges()
  const nameError = errorAt(
    changes.error,
    'name',
    'scope.name_exists',
    'scope.name_with_space',
    'entity.unique_integrity_violation',
  )
  const submit = () =>
    changes.mutate((client) => update(client, id, { name: values.name, description: values.description || null }), {
      onSuccess: () => {
        reset()
        onClose()
        notify(t('form.saved'))
      },
    })
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
        {changes.error && nameError === undefined && <ErrorState error={changes.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" disabled={!isChanged} isBusy={changes.isPending}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
