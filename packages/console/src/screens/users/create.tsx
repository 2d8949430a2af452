/** A new user: at least one identifier, and a password if they are to have one. */
import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../../api/client.ts'
import { failureOf } from '../../api/failure.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { titleOf } from './search.ts'

const SECRETS = ['password'] as const
const FIELDS = [
  ['name', 'users.name', 'text'],
  ['primaryEmail', 'users.email', 'email'],
  ['username', 'users.username', 'text'],
  ['primaryPhone', 'users.phone', 'tel'],
  ['password', 'users.password', 'password'],
] as const

export const CreateUser = ({ onClose }: { readonly onClose: () => void }) => {
  const { values, set, reset } = useForm(
    'new-user',
    { name: '', primaryEmail: '', username: '', primaryPhone: '', password: '' },
    SECRETS,
  )
  const create = useChange('createUser')
  const navigate = useNavigate()
  const { member } = failureOf(create.error)
  const submit = () => {
    const body = Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) =>
        value.trim() === '' ? [] : [[name, name === 'password' ? value : value.trim()]],
      ),
    )
    create.mutate(
      { body },
      {
        onSuccess: (user) => {
          reset()
          onClose()
          notify(t('users.created.notice', { name: titleOf(user) }))
          void navigate({ to: '/users/$id', params: { id: user.id } })
        },
      },
    )
  }
  return (
    <Dialog isOpen onClose={onClose} title={t('users.create')} description={t('users.createText')}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {FIELDS.map(([name, label, type]) => (
          <Field
            key={name}
            name={name}
            label={t(label)}
            type={type}
            value={values[name]}
            onChange={(next) => set(name, next)}
            error={errorAt(create.error, name)}
            autoComplete={type === 'password' ? 'new-password' : 'off'}
          />
        ))}
        {create.error && !FIELDS.some(([name]) => name === member) && <ErrorState error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" isBusy={create.isPending}>
            {t('users.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
