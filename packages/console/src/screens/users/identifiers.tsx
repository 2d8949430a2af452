/** Name and identifiers of a user, and facts that do not change. */
import { type Answer, may, useChange } from '../../api/client.ts'
import { failureOf } from '../../api/failure.ts'
import { ago, moment } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { CustomData } from './custom-data.tsx'
import { DownloadData } from './download.tsx'
import { ProfileFields } from './profile-fields.tsx'

type User = Answer<'getUser'>
const FIELDS = [
  ['name', 'users.name', 'text'],
  ['primaryEmail', 'users.email', 'email'],
  ['username', 'users.username', 'text'],
  ['primaryPhone', 'users.phone', 'tel'],
] as const

const Facts = ({ user }: { readonly user: User }) => {
  const facts = [
    [t('users.created'), moment(user.createdAt)],
    [t('users.lastSignIn'), user.lastSignInAt === null ? t('users.never') : ago(user.lastSignInAt)],
    [t('users.password'), user.hasPassword ? t('user.hasPassword') : t('user.noPassword')],
  ] as const
  return (
    <Card title={t('user.facts')}>
      <CopyField label={t('users.id')} value={user.id} />
      <dl className="mt-3">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 border-line py-2 not-last:border-b">
            <dt className="text-soft">{name}</dt>
            <dd className="wrap-anywhere text-end">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

export const Identifiers = ({ user }: { readonly user: User }) => {
  const { id, name, primaryEmail, username, primaryPhone } = user
  const { values, set, isChanged, reset } = useForm(`user.${id}`, {
    name: name ?? '',
    primaryEmail: primaryEmail ?? '',
    username: username ?? '',
    primaryPhone: primaryPhone ?? '',
  })
  const update = useChange('updateUser')
  const { member } = failureOf(update.error)
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div>
        <Card title={t('user.profile')}>
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              const body = Object.fromEntries(
                Object.entries(values).map(([field, value]) => [field, value.trim() || null]),
              )
              update.mutate(
                { params: { userId: id }, body },
                {
                  onSuccess: () => {
                    reset()
                    notify(t('form.saved'))
                  },
                },
              )
            }}
          >
            <div className="grid gap-4 sm:grid-cols-2">
              {FIELDS.map(([field, label, type]) => (
                <Field
                  key={field}
                  name={field}
                  label={t(label)}
                  type={type}
                  value={values[field]}
                  onChange={(next) => set(field, next)}
                  error={errorAt(update.error, field)}
                  isReadOnly={!may('updateUser')}
                />
              ))}
            </div>
            {update.error && !FIELDS.some(([field]) => field === member) && <ErrorState error={update.error} />}
            {may('updateUser') && <SaveBar isChanged={isChanged} isBusy={update.isPending} onDiscard={reset} />}
          </form>
        </Card>
        <ProfileFields user={user} />
        <CustomData user={user} />
      </div>
      <div>
        <Facts user={user} />
        <DownloadData id={id} />
      </div>
    </div>
  )
}
