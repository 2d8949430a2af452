/** Signatures and encryption: what this server signs, what it demands of requests, and whether assertions are encrypted. */
import { may, useChange } from '../../api/client.ts'
import { failureOf } from '../../api/failure.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { useForm } from '../../parts/form.ts'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { certificatesOf, type SamlApplication } from './settings.ts'

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----'

export const Signatures = ({ application }: { readonly application: SamlApplication }) => {
  const { id, signResponse, requireSignedRequests, requestCertificates } = application
  const form = useForm(`saml.${id}.signatures`, {
    signResponse: String(signResponse),
    requireSignedRequests: String(requireSignedRequests),
    certificates: requestCertificates.join('\n'),
  })
  const { values, set, reset } = form
  const update = useChange('updateSamlApplication')
  const isReadOnly = !may('updateSamlApplication')
  const error = update.error ? failureOf(update.error).sentence : undefined
  const submit = () =>
    update.mutate(
      {
        params: { id },
        body: {
          signResponse: values.signResponse === 'true',
          requireSignedRequests: values.requireSignedRequests === 'true',
          requestCertificates: certificatesOf(values.certificates),
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
      title={t('saml.signatures')}
      form={form}
      change={update}
      isPlaced={error !== undefined}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <SwitchRow
        label={t('saml.signResponse')}
        text={t('saml.signResponseText')}
        isOn={values.signResponse === 'true'}
        onChange={(isOn) => set('signResponse', String(isOn))}
        isReadOnly={isReadOnly}
      />
      <SwitchRow
        label={t('saml.requireSigned')}
        text={t('saml.requireSignedText')}
        isOn={values.requireSignedRequests === 'true'}
        onChange={(isOn) => set('requireSignedRequests', String(isOn))}
        isReadOnly={isReadOnly}
      />
      <Field
        name="requestCertificates"
        label={t('saml.requestCertificates')}
        hint={t('saml.requestCertificatesHint')}
        value={values.certificates}
        onChange={(next) => set('certificates', next)}
        error={error}
        placeholder={CERTIFICATE}
        rows={5}
        isReadOnly={isReadOnly}
        isMonospace
      />
    </SettingsCard>
  )
}

export const Encryption = ({ application: { id, encryption } }: { readonly application: SamlApplication }) => {
  const form = useForm(`saml.${id}.encryption`, {
    isOn: String(encryption?.encryptAssertion ?? false),
    isSignedAfter: String(encryption?.encryptThenSign ?? false),
    certificate: encryption?.certificate ?? '',
  })
  const { values, set, reset } = form
  const update = useChange('updateSamlApplication')
  const isReadOnly = !may('updateSamlApplication')
  const error = update.error ? failureOf(update.error).sentence : undefined
  const certificate = values.certificate.trim()
  const submit = () =>
    update.mutate(
      {
        params: { id },
        body: {
          encryption:
            values.isOn === 'true' || certificate
              ? {
                  encryptAssertion: values.isOn === 'true',
                  encryptThenSign: values.isSignedAfter === 'true',
                  ...(certificate ? { certificate } : {}),
                }
              : null,
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
      title={t('saml.encryption')}
      form={form}
      change={update}
      isPlaced={error !== undefined}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <SwitchRow
        label={t('saml.encrypt')}
        text={t('saml.encryptText')}
        isOn={values.isOn === 'true'}
        onChange={(isOn) => set('isOn', String(isOn))}
        isReadOnly={isReadOnly}
      />
      {(values.isOn === 'true' || certificate) && (
        <>
          <Field
            name="encryptionCertificate"
            label={t('saml.encryptionCertificate')}
            value={values.certificate}
            onChange={(next) => set('certificate', next)}
            error={error}
            placeholder={CERTIFICATE}
            rows={5}
            isReadOnly={isReadOnly}
            isMonospace
          />
          <SwitchRow
            label={t('saml.encryptThenSign')}
            text={t('saml.encryptThenSignText')}
            isOn={values.isSignedAfter === 'true'}
            onChange={(isOn) => set('isSignedAfter', String(isOn))}
            isReadOnly={isReadOnly}
          />
        </>
      )}
    </SettingsCard>
  )
}
