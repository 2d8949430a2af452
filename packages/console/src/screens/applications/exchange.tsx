/** Token exchange: whether an application may do it, with tokens for which APIs and for which, and its table of rules. */
import { useState } from 'react'
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { useForm } from '../../parts/form.ts'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { ApiChoice, apisOf, textOfApis } from './api-choice.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

type Policies = NonNullable<Application['customClientMetadata']['exchangePolicies']>

/** The rows in a text; null: there is no table; undefined: the text is no list. */
const policiesOf = (text: string): Policies | null | undefined => {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? (value as Policies) : undefined
  } catch {
    return undefined
  }
}

export const Exchange = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const form = useForm(`application.${id}.exchange`, {
    isAllowed: String(stored.allowTokenExchange ?? false),
    subjects: textOfApis(stored.exchangeSubjectAudiences),
    targets: textOfApis(stored.exchangeTargetResources),
    policies: stored.exchangePolicies ? JSON.stringify(stored.exchangePolicies, null, 2) : '',
  })
  const { values, set, reset } = form
  const [isRefused, refuse] = useState(false)
  const policies = policiesOf(values.policies)
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const isAllowed = values.isAllowed === 'true'
  const submit = () => {
    refuse(policies === undefined)
    if (policies === undefined) return
    update.mutate(
      {
        params: { id },
        body: {
          customClientMetadata: metadataWith(application, {
            allowTokenExchange: isAllowed,
            exchangeSubjectAudiences: apisOf(values.subjects),
            exchangeTargetResources: apisOf(values.targets),
            exchangePolicies: policies ?? undefined,
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
      title={t('exchange.title')}
      text={t('exchange.text')}
      form={form}
      change={update}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <SwitchRow
        label={t('tokens.allowTokenExchange')}
        text={t('tokens.allowTokenExchange.hint')}
        isOn={isAllowed}
        onChange={(isOn) => set('isAllowed', String(isOn))}
        isReadOnly={isReadOnly}
      />
      {isAllowed && may('listResources') && (
        <>
          <ApiChoice
            label={t('exchange.subjects')}
            anyTitle={t('exchange.anyApi')}
            value={values.subjects}
            onChange={(next) => set('subjects', next)}
            isReadOnly={isReadOnly}
          />
          <ApiChoice
            label={t('exchange.targets')}
            anyTitle={t('exchange.anyTarget')}
            value={values.targets}
            onChange={(next) => set('targets', next)}
            isReadOnly={isReadOnly}
          />
        </>
      )}
      {isAllowed && (
        <Field
          name="policies"
          label={t('exchange.policies')}
          hint={t('exchange.policiesHint')}
          value={values.policies}
          onChange={(next) => set('policies', next)}
          error={isRefused && policies === undefined ? t('exchange.noList') : undefined}
          placeholder={'[{ "name": "…", "effect": "allow", "scopes": ["read:orders"], "maxLifetime": 60 }]'}
          rows={6}
          isReadOnly={isReadOnly}
          isMonospace
        />
      )}
    </SettingsCard>
  )
}
