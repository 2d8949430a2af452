/** What ID tokens say about users, to all applications that do not choose themselves. */
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'

type Settings = Answer<'getIdTokenSettings'>

const Form = ({ settings }: { readonly settings: Settings }) => {
  const form = useForm('tenant.id-tokens', {
    claims: settings.claims as string,
    extended: settings.enabledExtendedClaims.join('\n'),
  })
  const { values, set, reset } = form
  const update = useChange('putIdTokenSettings')
  const isReadOnly = !may('putIdTokenSettings')
  const extendedError = errorAt(update.error, 'enabledExtendedClaims')
  const submit = () =>
    update.mutate(
      {
        body: {
          claims: values.claims === 'requested' ? 'requested' : 'scopes',
          // one that does not exist is refused by name
          enabledExtendedClaims: values.extended.split(/\s+/).filter(Boolean) as Settings['enabledExtendedClaims'],
        },
      },
      {
        onSuccess: () => {
          reset()
          notify(t('form.saved'))
        },
      },
    )
  return (
    <SettingsCard
      title={t('idToken.title')}
      text={t('idToken.text')}
      form={form}
      change={update}
      isPlaced={extendedError !== undefined}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <SelectField
        label={t('identity.claims')}
        value={values.claims}
        choices={[
          ['scopes', t('identity.scopes')],
          ['requested', t('identity.requested')],
        ]}
        onChange={(next) => set('claims', next)}
        isReadOnly={isReadOnly}
      />
      <Field
        name="enabledExtendedClaims"
        label={t('idToken.extended')}
        hint={t('idToken.extendedHint')}
        value={values.extended}
        onChange={(next) => set('extended', next)}
        error={extendedError}
        rows={4}
        isReadOnly={isReadOnly}
        isMonospace
      />
    </SettingsCard>
  )
}

export const IdTokens = () => {
  const { data: settings } = useAnswer('getIdTokenSettings', {}, may('getIdTokenSettings'))
  return settings ? <Form settings={settings} /> : null
}
