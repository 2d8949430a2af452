/** What the tenant demands of all its applications: a security profile, pushed requests, and nonces in DPoP proofs. */
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { useForm } from '../../parts/form.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'

type Settings = Answer<'getSecuritySettings'>
const PROFILES = ['none', 'fapi2'] as const

const Form = ({ settings }: { readonly settings: Settings }) => {
  const form = useForm('tenant.security', {
    profile: settings.profile,
    isPushed: String(settings.requirePushedAuthorizationRequests),
    hasNonces: String(settings.dpopNonceRequired),
  })
  const { values, set, reset } = form
  const update = useChange('updateSecuritySettings')
  const isReadOnly = !may('updateSecuritySettings')
  const isFapi2 = values.profile === 'fapi2'
  const submit = () =>
    update.mutate(
      {
        body: {
          profile: isFapi2 ? 'fapi2' : 'none',
          requirePushedAuthorizationRequests: values.isPushed === 'true',
          dpopNonceRequired: values.hasNonces === 'true',
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
      title={t('security.tenant.title')}
      text={t('security.tenant.text')}
      form={form}
      change={update}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <SelectField
        label={t('security.profile')}
        value={values.profile}
        choices={PROFILES.map((each) => [each, t(`security.${each}`)])}
        onChange={(next) => set('profile', next as (typeof PROFILES)[number])}
        isReadOnly={isReadOnly}
      />
      {isFapi2 && <p className="text-soft">{t('security.fapi2.changes')}</p>}
      <SwitchRow
        label={t('security.requirePushedAuthorizationRequests')}
        text={t('security.requirePushedAuthorizationRequests.hint')}
        isOn={values.isPushed === 'true' || isFapi2}
        onChange={(isOn) => set('isPushed', String(isOn))}
        isReadOnly={isReadOnly || isFapi2}
      />
      <SwitchRow
        label={t('security.dpopNonceRequired')}
        text={t('tokens.dpopNonceRequired.hint')}
        isOn={values.hasNonces === 'true'}
        onChange={(isOn) => set('hasNonces', String(isOn))}
        isReadOnly={isReadOnly}
      />
    </SettingsCard>
  )
}

export const ApplicationSecurity = () => {
  const { data: settings } = useAnswer('getSecuritySettings', {})
  return settings ? <Form settings={settings} /> : null
}
