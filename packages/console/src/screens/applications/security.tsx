/** Which security profile an application has, and whether its authorization requests must be pushed and signed. */
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { useForm } from '../../parts/form.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { type Application, hasRedirects } from './kinds.ts'
import { metadataWith } from './metadata.ts'

const PROFILES = ['', 'none', 'fapi2'] as const
const FLAGS = ['requirePushedAuthorizationRequests', 'requireSignedRequestObject'] as const
const SIGNED = ['requestObjectSigningAlg', 'authorizationSignedResponseAlg'] as const
const ALGORITHMS = ['', 'ES256', 'PS256', 'EdDSA', 'ES384', 'RS256'] as const

const algorithmOf = (value: string) => ALGORITHMS.find((each) => each !== '' && each === value) || undefined

export const Security = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const form = useForm(`application.${id}.security`, {
    profile: stored.securityProfile ?? '',
    requirePushedAuthorizationRequests: String(stored.requirePushedAuthorizationRequests ?? false),
    requireSignedRequestObject: String(stored.requireSignedRequestObject ?? false),
    requestObjectSigningAlg: stored.requestObjectSigningAlg ?? '',
    authorizationSignedResponseAlg: stored.authorizationSignedResponseAlg ?? '',
  })
  const { values, set, reset } = form
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const isFapi2 = values.profile === 'fapi2'
  const submit = () =>
    update.mutate(
      {
        params: { id },
        body: {
          customClientMetadata: metadataWith(application, {
            securityProfile: PROFILES.find((each) => each !== '' && each === values.profile) || undefined,
            ...Object.fromEntries(FLAGS.map((flag) => [flag, values[flag] === 'true' || undefined])),
            ...Object.fromEntries(SIGNED.map((name) => [name, algorithmOf(values[name])])),
          }),
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
      title={t('security.title')}
      text={t('security.text')}
      form={form}
      change={update}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <SelectField
        label={t('security.profile')}
        value={values.profile}
        choices={PROFILES.map((each) => [each, t(`security.${each || 'ofTenant'}`)])}
        onChange={(next) => set('profile', next as (typeof PROFILES)[number])}
        isReadOnly={isReadOnly}
      />
      {isFapi2 && <p className="text-soft">{t('security.fapi2.changes')}</p>}
      {hasRedirects(application) && (
        <>
          <div>
            {FLAGS.map((flag) => (
              <SwitchRow
                key={flag}
                label={t(`security.${flag}`)}
                text={t(`security.${flag}.hint`)}
                isOn={values[flag] === 'true' || (isFapi2 && flag === 'requirePushedAuthorizationRequests')}
                onChange={(isOn) => set(flag, String(isOn))}
                isReadOnly={isReadOnly || (isFapi2 && flag === 'requirePushedAuthorizationRequests')}
              />
            ))}
          </div>
          <div className="grid gap-4 sm:grid-cols-2">
            {SIGNED.map((name) => (
              <SelectField
                key={name}
                label={t(`security.${name}`)}
                value={values[name]}
                choices={ALGORITHMS.map((each) => [
                  each,
                  each || t(name === 'requestObjectSigningAlg' ? 'security.anyKey' : 'tokens.algorithmOfTenant'),
                ])}
                onChange={(next) => set(name, next as (typeof ALGORITHMS)[number])}
                isReadOnly={isReadOnly}
              />
            ))}
          </div>
        </>
      )}
    </SettingsCard>
  )
}
