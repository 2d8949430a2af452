/** What applications may be that register themselves, and who vouches for software. */
import { useState } from 'react'
import { type Answer, may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'

type Settings = Answer<'getClientRegistration'>
type Issuers = Settings['softwareStatementIssuers']
type Permissions = Settings['policy']['permissions']

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const permissionsIn = (text: string): Permissions =>
  linesOf(text).map((line) => {
    const [resource = '', ...scopes] = line.split(/\s+/)
    return { resource, scopes }
  })

/** undefined: the text is no JSON array. */
const issuersIn = (text: string): Issuers | undefined => {
  if (text.trim() === '') return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? (value as Issuers) : undefined
  } catch {
    return undefined
  }
}

export const Policy = ({ settings }: { readonly settings: Settings }) => {
  const { policy, softwareStatementIssuers: stored } = settings
  const form = useForm('registration.policy', {
    hosts: policy.redirectHosts.join('\n'),
    userScopes: policy.userScopes.join('\n'),
    permissions: policy.permissions.map(({ resource, scopes }) => [resource, ...scopes].join(' ')).join('\n'),
    prefix: policy.namePrefix ?? '',
    isNative: String(policy.applicationTypes.includes('native')),
    isVouched: String(policy.softwareStatement === 'required'),
    issuers: stored.length > 0 ? JSON.stringify(stored, null, 2) : '',
  })
  const { values, set, reset } = form
  const update = useChange('updateClientRegistration')
  const [isRefused, refuse] = useState(false)
  const isReadOnly = !may('updateClientRegistration')
  const issuers = issuersIn(values.issuers)
  const issuersError =
    isRefused && issuers === undefined ? t('connectors.noJson') : errorAt(update.error, 'softwareStatementIssuers')
  const submit = () => {
    refuse(issuers === undefined)
    if (issuers === undefined) return
    const { namePrefix: _, ...kept } = policy
    update.mutate(
      {
        body: {
          softwareStatementIssuers: issuers,
          policy: {
            ...kept,
            redirectHosts: linesOf(values.hosts),
            // one that does not exist is refused by name
            userScopes: values.userScopes.split(/\s+/).filter(Boolean) as typeof policy.userScopes,
            permissions: permissionsIn(values.permissions),
            applicationTypes: values.isNative === 'true' ? ['web', 'native'] : ['web'],
            softwareStatement: values.isVouched === 'true' ? 'required' : 'optional',
            namePrefix: values.prefix,
          },
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
      title={t('registration.policy')}
      text={t('registration.policyText')}
      form={form}
      change={update}
      isPlaced={issuersError !== undefined}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      {(
        [
          ['hosts', 'registration.hosts', 'registration.hostsHint'],
          ['userScopes', 'registration.userScopes', 'registration.userScopesHint'],
          ['permissions', 'registration.permissions', 'registration.permissionsHint'],
        ] as const
      ).map(([name, label, hint]) => (
        <Field
          key={name}
          name={name}
          label={t(label)}
          hint={t(hint)}
          value={values[name]}
          onChange={(next) => set(name, next)}
          rows={3}
          isReadOnly={isReadOnly}
          isMonospace
        />
      ))}
      <Field
        name="namePrefix"
        label={t('registration.prefix')}
        value={values.prefix}
        onChange={(next) => set('prefix', next)}
        isReadOnly={isReadOnly}
      />
      <div>
        <SwitchRow
          label={t('registration.isNative')}
          text={t('registration.isNativeText')}
          isOn={values.isNative === 'true'}
          onChange={(isOn) => set('isNative', String(isOn))}
          isReadOnly={isReadOnly}
        />
        <SwitchRow
          label={t('registration.statement')}
          text={t('registration.statementText')}
          isOn={values.isVouched === 'true'}
          onChange={(isOn) => set('isVouched', String(isOn))}
          isReadOnly={isReadOnly}
        />
      </div>
      <Field
        name="softwareStatementIssuers"
        label={t('registration.issuers')}
        hint={t('registration.issuersHint')}
        value={values.issuers}
        onChange={(next) => set('issuers', next)}
        error={issuersError}
        rows={6}
        isReadOnly={isReadOnly}
        isMonospace
      />
    </SettingsCard>
  )
}
