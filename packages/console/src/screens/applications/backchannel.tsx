/** Whether an application may ask for users without a browser (OpenID CIBA), and how it learns their answer. */
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

const MODES = ['poll', 'ping'] as const
const ALGORITHMS = ['', 'ES256', 'PS256', 'EdDSA', 'ES384', 'RS256'] as const

export const Backchannel = ({ application }: { readonly application: Application }) => {
  const { id, oidcClientMetadata, customClientMetadata: stored } = application
  const form = useForm(`application.${id}.backchannel`, {
    mode: stored.backchannelTokenDeliveryMode ?? '',
    endpoint: oidcClientMetadata.backchannelClientNotificationEndpoint ?? '',
    algorithm: stored.backchannelAuthenticationRequestSigningAlg ?? '',
  })
  const { values, set, reset } = form
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const [isPing, isOff] = [values.mode === 'ping', values.mode === '']
  const refused = errorAt(update.error, 'oidcClientMetadata.backchannelClientNotificationEndpoint')
  const endpointError = isPing ? refused : undefined
  const submit = () =>
    update.mutate(
      {
        params: { id },
        body: {
          oidcClientMetadata: { backchannelClientNotificationEndpoint: isPing ? values.endpoint.trim() : '' },
          customClientMetadata: metadataWith(application, {
            backchannelTokenDeliveryMode: MODES.find((mode) => mode === values.mode),
            backchannelAuthenticationRequestSigningAlg: isOff
              ? undefined
              : ALGORITHMS.find((each) => each !== '' && each === values.algorithm) || undefined,
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
      title={t('backchannel.title')}
      text={t('backchannel.text')}
      form={form}
      change={update}
      isPlaced={endpointError !== undefined}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <SelectField
        label={t('backchannel.mode')}
        value={values.mode}
        choices={[['', t('backchannel.off')], ...MODES.map((mode) => [mode, t(`backchannel.${mode}`)] as const)]}
        onChange={(next) => set('mode', MODES.find((mode) => mode === next) ?? '')}
        isReadOnly={isReadOnly}
      />
      {isPing && (
        <Field
          name="backchannelClientNotificationEndpoint"
          label={t('backchannel.endpoint')}
          hint={t('backchannel.endpointHint')}
          value={values.endpoint}
          onChange={(next) => set('endpoint', next)}
          error={endpointError}
          placeholder="https://app.example.com/backchannel-ping"
          isRequired
          isReadOnly={isReadOnly}
          isMonospace
        />
      )}
      {!isOff && (
        <SelectField
          label={t('backchannel.signingAlg')}
          value={values.algorithm}
          choices={ALGORITHMS.map((each) => [each, each || t('backchannel.unsigned')])}
          onChange={(next) => set('algorithm', next as (typeof ALGORITHMS)[number])}
          isReadOnly={isReadOnly}
        />
      )}
    </SettingsCard>
  )
}
