/** What users may do with their own account, on the account pages and by the Account API. */
import { type Answer, type Input, may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { Select } from '../../parts/select.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { tenantOrigin } from '../../session/place.ts'
import { FieldChoice } from './fields/field-choice.tsx'
import { fieldsOf, textOfFields } from './fields/named-fields.ts'

type Center = Answer<'getAccountCenter'>
type Change = NonNullable<Input<'updateAccountCenter'>>['body']
const PARTS = [
  'name',
  'avatar',
  'profile',
  'username',
  'email',
  'phone',
  'password',
  'mfa',
  'passkey',
  'social',
  'session',
  'trustedDevice',
  'personalAccessToken',
  'organization',
  'securityLog',
  'customData',
  'data',
  'deletion',
] as const satisfies readonly (keyof Center['fields'])[]
const ACCESSES = ['Off', 'ReadOnly', 'Edit'] as const

const valuesOf = (center: Center): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(PARTS.map((part) => [part, center.fields[part] ?? 'Off'])),
  enabled: String(center.enabled),
  reuseVerifications: String(center.reuseVerifications),
  profileFields: textOfFields(center.profileFields),
  deletionDelayDays: String(center.deletionDelayDays),
  deleteAccountUrl: center.deleteAccountUrl ?? '',
  webauthnRelatedOrigins: center.webauthnRelatedOrigins.join('\n'),
})

const changeOf = (values: Readonly<Record<string, string>>): Change => ({
  enabled: values.enabled === 'true',
  fields: Object.fromEntries(PARTS.map((part) => [part, values[part]])) as Center['fields'],
  reuseVerifications: values.reuseVerifications === 'true',
  profileFields: fieldsOf(values.profileFields),
  deletionDelayDays: Number(values.deletionDelayDays),
  deleteAccountUrl: values.deleteAccountUrl?.trim() || null,
  webauthnRelatedOrigins: (values.webauthnRelatedOrigins ?? '').split(/\s+/).filter(Boolean),
})

const TEXTS = [
  ['deletionDelayDays', { type: 'number' }],
  ['deleteAccountUrl', { type: 'url' }],
  ['webauthnRelatedOrigins', { rows: 2, isMonospace: true }],
] as const

const Form = ({ center }: { readonly center: Center }) => {
  const { values, set, isChanged, reset } = useForm('account-center', valuesOf(center))
  const update = useChange('updateAccountCenter')
  const put = (name: string) => (next: boolean) => set(name, String(next))
  const isShown = TEXTS.some(([name]) => errorAt(update.error, name))
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate(
          { body: changeOf(values) },
          {
            onSuccess: () => {
              reset()
              notify(t('form.saved'))
            },
          },
        )
      }}
    >
      <Card title={t('account.title')} text={t('account.text', { address: `${tenantOrigin()}/account` })}>
        <SwitchRow
          label={t('account.enabled')}
          text={t('account.enabledText')}
          isOn={values.enabled === 'true'}
          onChange={put('enabled')}
        />
        <ul aria-label={t('account.parts')} className="mt-2 grid gap-x-6 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
          {PARTS.map((part) => (
            <li key={part} className="flex items-center gap-3 border-line border-b py-2">
              <span className="min-w-0 flex-1">{t(`account.part.${part}`)}</span>
              <Select
                label={t(`account.part.${part}`)}
                value={values[part] ?? 'Off'}
                choices={ACCESSES.map((each) => [each, t(`account.access.${each}`)])}
                onChange={(next) => set(part, next)}
              />
            </li>
          ))}
        </ul>
        <div className="mt-4">
          <FieldChoice
            label={t('account.profileFields')}
            value={values.profileFields}
            onChange={(next) => set('profileFields', next)}
          />
        </div>
      </Card>
      <Card title={t('account.changes')} text={t('account.changesText')}>
        <SwitchRow
          label={t('account.reuseVerifications')}
          text={t('account.reuseVerificationsText')}
          isOn={values.reuseVerifications === 'true'}
          onChange={put('reuseVerifications')}
        />
        <div className="mt-3 space-y-4">
          {TEXTS.map(([name, shape]) => (
            <Field
              key={name}
              name={name}
              label={t(`account.${name}`)}
              value={values[name] ?? ''}
              onChange={(next) => set(name, next)}
              hint={t(`account.${name}Text`)}
              error={errorAt(update.error, name)}
              {...shape}
            />
          ))}
        </div>
      </Card>
      {update.error && !isShown && <ErrorState error={update.error} />}
      <div className="mb-6 flex flex-wrap items-end gap-2">
        {may('updateAccountCenter') && <SaveBar isChanged={isChanged} isBusy={update.isPending} onDiscard={reset} />}
        <ShowApiCall
          calls={[
            { id: 'getAccountCenter' },
            ...(isChanged ? [{ id: 'updateAccountCenter' as const, input: { body: changeOf(values) } }] : []),
          ]}
        />
      </div>
    </form>
  )
}

export const AccountTab = () => {
  const { data, error, refetch } = useAnswer('getAccountCenter', {})
  if (error) return <ErrorState error={error} retry={refetch} />
  return data ? <Form center={data} /> : <Loading />
}
