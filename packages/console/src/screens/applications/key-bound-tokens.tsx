/** Whether an application has to prove with each token request that it has what its tokens are bound to: a key (RFC 9449), a certificate (RFC 8705). */
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { useForm } from '../../parts/form.ts'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

const FLAGS = ['dpopBoundAccessTokens', 'dpopNonceRequired', 'tlsClientCertificateBoundAccessTokens'] as const

export const KeyBoundTokens = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const form = useForm(`application.${id}.keys`, {
    dpopBoundAccessTokens: String(stored.dpopBoundAccessTokens ?? false),
    dpopNonceRequired: String(stored.dpopNonceRequired ?? false),
    tlsClientCertificateBoundAccessTokens: String(stored.tlsClientCertificateBoundAccessTokens ?? false),
  })
  const { values, set, reset } = form
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const submit = () =>
    update.mutate(
      {
        params: { id },
        body: {
          customClientMetadata: metadataWith(
            application,
            Object.fromEntries(FLAGS.map((flag) => [flag, values[flag] === 'true'])),
          ),
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
      title={t('tokens.dpop')}
      text={t('tokens.dpop.text')}
      form={form}
      change={update}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <div>
        {FLAGS.map((flag) => (
          <SwitchRow
            key={flag}
            label={t(`tokens.${flag}`)}
            text={t(`tokens.${flag}.hint`)}
            isOn={values[flag] === 'true'}
            onChange={(isOn) => set(flag, String(isOn))}
            isReadOnly={isReadOnly}
          />
        ))}
      </div>
    </SettingsCard>
  )
}
