/** How long the tokens of an application live, how refresh tokens are given, and which algorithm signs ID tokens. */
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

const FLAGS = ['alwaysIssueRefreshToken', 'rotateRefreshToken', 'requirePkce'] as const
const NUMBERS = ['idTokenTtl', 'refreshTokenTtlInDays', 'maxAllowedGrants'] as const
const ALGORITHMS = ['', 'RS256', 'PS256', 'ES384', 'ES256', 'EdDSA'] as const

export const TokenSettings = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const form = useForm(`application.${id}.tokens`, {
    idTokenTtl: String(stored.idTokenTtl ?? ''),
    refreshTokenTtlInDays: String(stored.refreshTokenTtlInDays ?? ''),
    maxAllowedGrants: String(stored.maxAllowedGrants ?? ''),
    algorithm: stored.idTokenSignedResponseAlg ?? '',
    alwaysIssueRefreshToken: String(stored.alwaysIssueRefreshToken ?? false),
    rotateRefreshToken: String(stored.rotateRefreshToken ?? true),
    requirePkce: String(stored.requirePkce ?? false),
  })
  const { values, set, reset } = form
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const errorOf = (name: string) => errorAt(update.error, `customClientMetadata.${name}`)
  const submit = () =>
    update.mutate(
      {
        params: { id },
        body: {
          customClientMetadata: metadataWith(application, {
            ...Object.fromEntries(FLAGS.map((flag) => [flag, values[flag] === 'true'])),
            ...Object.fromEntries(
              NUMBERS.map((name) => [name, values[name] === '' ? undefined : Number(values[name])]),
            ),
            idTokenSignedResponseAlg: ALGORITHMS.find((each) => each !== '' && each === values.algorithm) || undefined,
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
      title={t('tokens.title')}
      form={form}
      change={update}
      isPlaced={NUMBERS.some((name) => errorOf(name))}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {NUMBERS.map((name) => (
          <Field
            key={name}
            name={name}
            type="number"
            label={t(`tokens.${name}`)}
            hint={t(`tokens.${name}.hint`)}
            value={values[name]}
            onChange={(next) => set(name, next)}
            error={errorOf(name)}
            isReadOnly={isReadOnly}
          />
        ))}
        <SelectField
          label={t('tokens.algorithm')}
          value={values.algorithm}
          choices={ALGORITHMS.map((each) => [each, each || t('tokens.algorithmOfTenant')])}
          onChange={(next) => set('algorithm', next as (typeof ALGORITHMS)[number])}
          isReadOnly={isReadOnly}
        />
      </div>
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
