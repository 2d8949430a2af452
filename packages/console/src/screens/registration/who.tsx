/** Who may register applications, how many, and when unused ones are deleted. */
import { type Answer, may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'

const MODES = ['closed', 'initial-access-token', 'open'] as const
const NUMBERS = ['maxClients', 'openRegistrationsPerHour', 'unusedClientDays'] as const
const LABELS = {
  maxClients: 'registration.maxClients',
  openRegistrationsPerHour: 'registration.perHour',
  unusedClientDays: 'registration.unusedDays',
} as const

export const Who = ({ settings }: { readonly settings: Answer<'getClientRegistration'> }) => {
  const form = useForm('registration.who', {
    mode: settings.mode as string,
    maxClients: String(settings.maxClients),
    openRegistrationsPerHour: String(settings.openRegistrationsPerHour),
    unusedClientDays: String(settings.unusedClientDays ?? ''),
  })
  const { values, set, reset } = form
  const update = useChange('updateClientRegistration')
  const isReadOnly = !may('updateClientRegistration')
  const errors = NUMBERS.map((name) => errorAt(update.error, name))
  const submit = () =>
    update.mutate(
      {
        body: {
          mode: MODES.find((each) => each === values.mode) ?? 'closed',
          maxClients: Number(values.maxClients),
          openRegistrationsPerHour: Number(values.openRegistrationsPerHour),
          unusedClientDays: values.unusedClientDays.trim() === '' ? null : Number(values.unusedClientDays),
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
      title={t('registration.who')}
      text={t('registration.whoText')}
      form={form}
      change={update}
      isPlaced={errors.some((error) => error !== undefined)}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <SelectField
        label={t('registration.mode')}
        value={values.mode}
        choices={MODES.map((each) => [each, t(`registration.${each}`)])}
        onChange={(next) => set('mode', next)}
        isReadOnly={isReadOnly}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {NUMBERS.map((name, index) => (
          <Field
            key={name}
            name={name}
            label={t(LABELS[name])}
            {...(name === 'unusedClientDays' ? { hint: t('registration.unusedHint') } : {})}
            type="number"
            value={values[name]}
            onChange={(next) => set(name, next)}
            error={errors[index]}
            isReadOnly={isReadOnly}
          />
        ))}
      </div>
    </SettingsCard>
  )
}
