/** A new role: its name, what it is for, who can hold it. */
import { useId } from 'react'
import { t } from '../languages/languages.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { errorAt, useForm } from './form.ts'
import { ROLE_TYPES, type RoleType } from './role-types.ts'
import { ErrorState } from './states.tsx'

interface CreateRoleProps {
  /** Names the draft. */
  readonly form: string
  readonly title: string
  readonly change: { readonly isPending: boolean; readonly error: unknown }
  readonly nameCodes: readonly string[]
  readonly onCreate: (
    role: { readonly name: string; readonly description: string; readonly type: RoleType },
    done: () => void,
  ) => void
  readonly onClose: () => void
}

export const CreateRoleDialog = ({ form, title, change, nameCodes, onCreate, onClose }: CreateRoleProps) => {
  const { values, set, reset } = useForm(form, { name: '', description: '', type: 'User' })
  const group = useId()
  const nameError = errorAt(change.error, 'name', ...nameCodes)
  const descriptionError = errorAt(change.error, 'description')
  const done = () => {
    reset()
    onClose()
  }
  return (
    <Dialog isOpen onClose={onClose} title={title} description={t('roles.createText')}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          onCreate(
            { name: values.name.trim(), description: values.description.trim(), type: values.type as RoleType },
            done,
          )
        }}
      >
        <Field
          name="name"
          label={t('apis.name')}
          value={values.name}
          onChange={(next) => set('name', next)}
          error={nameError}
        />
        <Field
          name="description"
          label={t('api.permissionDescription')}
          value={values.description}
          onChange={(next) => set('description', next)}
          error={descriptionError}
        />
        <fieldset>
          <legend className="mb-1 font-medium">{t('roles.type')}</legend>
          {Object.entries(ROLE_TYPES).map(([type, label]) => (
            <label key={type} className="flex cursor-pointer items-center gap-3 py-1">
              <input
                type="radio"
                name={group}
                checked={values.type === type}
                onChange={() => set('type', type)}
                className="size-4 accent-accent-fill"
              />
              {t(label)}
            </label>
          ))}
        </fieldset>
        {change.error && !nameError && !descriptionError ? <ErrorState error={change.error} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" disabled={!values.name.trim()} isBusy={change.isPending}>
            {title}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
