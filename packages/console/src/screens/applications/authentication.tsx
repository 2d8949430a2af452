/** How a confidential application proves who it is at the token endpoint: with a secret, or with a key of its own. */
import { useState } from 'react'
import { may, useChange } from '../../api/client.ts'
import { failureOf } from '../../api/failure.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { useForm } from '../../parts/form.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

const METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const
type Keys = NonNullable<Application['customClientMetadata']['jwks']>

/** A key set (RFC 7517), its array of keys, or one key; undefined when the text is none of them, null when it is empty. */
const keysOf = (text: string): Keys | null | undefined => {
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
  const form = useForm(`application.${id}.authentication`, {
    method: stored.tokenEndpointAuthMethod ?? 'client_secret_basic',
    jwksUri: stored.jwksUri ?? '',
    jwks: stored.jwks ? JSON.stringify(stored.jwks, null, 2) : '',
  })
  const { values, set, reset } = form
  const update = useChange('updateApplication')
  const [isRefused, refuse] = useState(false)
  const isReadOnly = !may('updateApplication')
  const keys = keysOf(values.jwks)
  const { sentence } = failureOf(update.error)
  const keyError =
    isRefused && keys === undefined ? t('connectors.noJson') : sentence?.includes('jwks.') ? sentence : undefined
  const uriError = sentence?.includes('jwksUri') ? sentence : undefined
  const submit = () => {
    refuse(keys === undefined)
    if (keys === undefined) return
    update.mutate(
      {
        params: { id },
        body: {
          customClientMetadata: metadataWith(application, {
            tokenEndpointAuthMethod: METHODS.find((each) => each === values.method),
            jwks: keys ?? undefined,
            jwksUri: values.jwksUri.trim() || undefined,
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
        choices={METHODS.map((each) => [each, t(`authentication.${each}`)])}
        onChange={(next) => set('method', next as (typeof METHODS)[number])}
        isReadOnly={isReadOnly}
      />
      {(values.method === 'private_key_jwt' || values.jwksUri !== '') && (
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
      {(values.method === 'private_key_jwt' || values.jwks !== '') && (
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
