/** How a confidential application proves who it is at the token endpoint: with a secret, a key of its own, or a client certificate. */
import { CLIENT_AUTH_METHODS } from '@countersign/contract/client-metadata.ts'
import { useState } from 'react'
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

/** How the name of an application is in its certificate, with what RFC 8705 calls it (section 2.1.2). */
const SUBJECTS = {
  tlsClientAuthSubjectDn: 'tls_client_auth_subject_dn',
  tlsClientAuthSanDns: 'tls_client_auth_san_dns',
  tlsClientAuthSanUri: 'tls_client_auth_san_uri',
  tlsClientAuthSanIp: 'tls_client_auth_san_ip',
  tlsClientAuthSanEmail: 'tls_client_auth_san_email',
} as const
type Subject = keyof typeof SUBJECTS
const NAMES = Object.keys(SUBJECTS) as Subject[]

/** Each certificate of a text in PEM; undefined: there is none. */
const certificatesOf = (text: string): string[] | undefined => {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  return found ?? (text.trim() === '' ? undefined : [text])
}
type Keys = NonNullable<Application['customClientMetadata']['jwks']>

/** A key set (RFC 7517), its array of keys, or one key; undefined when the text is none of them, null when it is empty. */
export const keysOf = (text: string): Keys | null | undefined => {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value)) return { keys: value }
    return 'keys' in value ? (value as Keys) : { keys: [value as Record<string, unknown>] }
  } catch {
    return undefined
  }
}

export const Authentication = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const named = NAMES.find((each) => stored[each] !== undefined) ?? 'tlsClientAuthSubjectDn'
  const form = useForm(`application.${id}.authentication`, {
    method: stored.tokenEndpointAuthMethod ?? 'client_secret_basic',
    jwksUri: stored.jwksUri ?? '',
    jwks: stored.jwks ? JSON.stringify(stored.jwks, null, 2) : '',
    kind: named,
    subject: stored[named] ?? '',
    authorities: (stored.tlsClientAuthCertificates ?? []).join('\n'),
  })
  const { values, set, reset } = form
  const usesKeys = values.method === 'private_key_jwt' || values.method === 'self_signed_tls_client_auth'
  const update = useChange('updateApplication')
  const [isRefused, refuse] = useState(false)
  const isReadOnly = !may('updateApplication')
  const keys = keysOf(values.jwks)
  const keyError =
    isRefused && keys === undefined ? t('connectors.noJson') : errorAt(update.error, 'customClientMetadata.jwks')
  const uriError = errorAt(update.error, 'customClientMetadata.jwksUri')
  const submit = () => {
    refuse(keys === undefined)
    if (keys === undefined) return
    update.mutate(
      {
        params: { id },
        body: {
          customClientMetadata: metadataWith(application, {
            tokenEndpointAuthMethod: CLIENT_AUTH_METHODS.find((each) => each === values.method),
            jwks: keys ?? undefined,
            jwksUri: values.jwksUri.trim() || undefined,
            ...Object.fromEntries(NAMES.map((each) => [each, undefined])),
            [values.kind]: values.subject.trim() || undefined,
            tlsClientAuthCertificates: certificatesOf(values.authorities),
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
  }
  return (
    <SettingsCard
      title={t('authentication.title')}
      text={t('authentication.text')}
      form={form}
      change={update}
      isPlaced={keyError !== undefined || uriError !== undefined}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <SelectField
        label={t('authentication.method')}
        value={values.method}
        choices={CLIENT_AUTH_METHODS.map((each) => [each, t(`authentication.${each}`)])}
        onChange={(next) => set('method', next as (typeof CLIENT_AUTH_METHODS)[number])}
        isReadOnly={isReadOnly}
      />
      {values.method === 'tls_client_auth' && (
        <>
          <SelectField
            label={t('authentication.subject')}
            value={values.kind}
            choices={NAMES.map((each) => [each, SUBJECTS[each]])}
            onChange={(next) => set('kind', next as Subject)}
            isReadOnly={isReadOnly}
          />
          <Field
            name="subject"
            label={SUBJECTS[values.kind]}
            value={values.subject}
            onChange={(next) => set('subject', next)}
            isReadOnly={isReadOnly}
            isMonospace
          />
          <Field
            name="authorities"
            label={t('authentication.authorities')}
            hint={t('authentication.authoritiesHint')}
            value={values.authorities}
            onChange={(next) => set('authorities', next)}
            rows={8}
            isReadOnly={isReadOnly}
            isMonospace
          />
        </>
      )}
      {(usesKeys || values.jwksUri !== '') && (
        <Field
          name="jwksUri"
          label={t('authentication.jwksUri')}
          hint={t('authentication.jwksUriHint')}
          value={values.jwksUri}
          onChange={(next) => set('jwksUri', next)}
          error={uriError}
          placeholder="https://example.com/jwks.json"
          isReadOnly={isReadOnly}
          isMonospace
        />
      )}
      {(usesKeys || values.jwks !== '') && (
        <Field
          name="jwks"
          label={t('authentication.keys')}
          hint={t('authentication.keysHint')}
          value={values.jwks}
          onChange={(next) => set('jwks', next)}
          error={keyError}
          rows={8}
          isReadOnly={isReadOnly}
          isMonospace
        />
      )}
    </SettingsCard>
  )
}
