/** Signatures and encryption: what this server signs, what it demands of requests, and whether assertions are encrypted. */
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { useSettings } from './card.ts'
import { certificatesOf, type SamlApplication } from './settings.ts'

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----'

interface CertificateFieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

const CertificateField = (props: CertificateFieldProps) => (
  <Field {...props} placeholder={CERTIFICATE} rows={5} isMonospace />
)

export const Signatures = ({ application }: { readonly application: SamlApplication }) => {
  const { id, signResponse, requireSignedRequests, requestCertificates } = application
  const { values, set, card, error, save } = useSettings(id, 'signatures', {
    signResponse: String(signResponse),
    requireSignedRequests: String(requireSignedRequests),
    certificates: requestCertificates.join('\n'),
  })
  const submit = () =>
    save({
      signResponse: values.signResponse === 'true',
      requireSignedRequests: values.requireSignedRequests === 'true',
      requestCertificates: certificatesOf(values.certificates),
    })
  return (
    <SettingsCard title={t('saml.signatures')} {...card} isPlaced={error !== undefined} onSubmit={submit}>
      <SwitchRow
        label={t('saml.signResponse')}
        text={t('saml.signResponseText')}
        isOn={values.signResponse === 'true'}
        onChange={(isOn) => set('signResponse', String(isOn))}
      />
      <SwitchRow
        label={t('saml.requireSigned')}
        text={t('saml.requireSignedText')}
        isOn={values.requireSignedRequests === 'true'}
        onChange={(isOn) => set('requireSignedRequests', String(isOn))}
      />
      <CertificateField
        name="requestCertificates"
        label={t('saml.requestCertificates')}
        hint={t('saml.requestCertificatesHint')}
        value={values.certificates}
        onChange={(next) => set('certificates', next)}
        error={error}
      />
    </SettingsCard>
  )
}

export const Encryption = ({ application: { id, encryption } }: { readonly application: SamlApplication }) => {
  const { values, set, card, error, save } = useSettings(id, 'encryption', {
    isOn: String(encryption?.encryptAssertion ?? false),
    isSignedAfter: String(encryption?.encryptThenSign ?? false),
    certificate: encryption?.certificate ?? '',
  })
  const certificate = values.certificate.trim()
  const isShown = values.isOn === 'true' || certificate !== ''
  const submit = () =>
    save({
      encryption: isShown
        ? {
            encryptAssertion: values.isOn === 'true',
            encryptThenSign: values.isSignedAfter === 'true',
            ...(certificate ? { certificate } : {}),
          }
        : null,
    })
  return (
    <SettingsCard title={t('saml.encryption')} {...card} isPlaced={error !== undefined} onSubmit={submit}>
      <SwitchRow
        label={t('saml.encrypt')}
        text={t('saml.encryptText')}
        isOn={values.isOn === 'true'}
        onChange={(isOn) => set('isOn', String(isOn))}
      />
      {isShown && (
        <>
          <CertificateField
            name="encryptionCertificate"
            label={t('saml.encryptionCertificate')}
            value={values.certificate}
            onChange={(next) => set('certificate', next)}
            error={error}
          />
          <SwitchRow
            label={t('saml.encryptThenSign')}
            text={t('saml.encryptThenSignText')}
            isOn={values.isSignedAfter === 'true'}
            onChange={(isOn) => set('isSignedAfter', String(isOn))}
          />
        </>
      )}
    </SettingsCard>
  )
}
