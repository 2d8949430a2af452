/** How long the tokens of an application live, and how refresh tokens are given. */
import { may, useChange } from '../../api/client.ts'
import { failureOf } from '../../api/failure.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'

const FLAGS = ['alwaysIssueRefreshToken', 'rotateRefreshToken', 'requirePkce', 'allowTokenExchange'] as const
const NUMBERS = ['idTokenTtl', 'refreshTokenTtlInDays'] as const

export const TokenSettings = ({
  application: { id, type, customClientMetadata: stored },
}: {
  readonly application: Application
}) => {
  const flags = FLAGS.filter((flag) => type !== 'MachineToMachine' || flag === 'allowTokenExchange')
  const numbers = NUMBERS.filter(() => type !== 'MachineToMachine')
  const { values, set, isChanged, reset } = useForm(`application.${id}.tokens`, {
    idTokenTtl: String(stored.idTokenTtl ?? ''),
    refreshTokenTtlInDays: String(stored.refreshTokenTtlInDays ?? ''),
    alwaysIssueRefreshToken: String(stored.alwaysIssueRefreshToken ?? false),
    rotateRefreshToken: String(stored.rotateRefreshToken ?? true),
    requirePkce: String(stored.requirePkce ?? false),
    allowTokenExchange: String(stored.allowTokenExchange ?? false),
  })
  const update = useChange('updateApplication')
  const { member, sentence } = failureOf(update.error)
  const errorOf = (name: string) => (member === `customClientMetadata.${name}` ? sentence : undefined)

  const submit = () => {
    const changed = {
      ...Object.fromEntries(flags.map((flag) => [flag, values[flag] === 'true'])),
      ...Object.fromEntries(numbers.filter((name) => values[name] !== '').map((name) => [name, Number(values[name])])),
    }
    const emptied = new Set<string>(numbers.filter((name) => values[name] === ''))
    // replaced as a whole by the server
    const kept = Object.fromEntries(Object.entries(stored).filter(([name]) => !emptied.has(name)))
    update.mutate(
      { params: { id }, body: { customClientMetadata: { ...kept, ...changed } } },
      {
        onSuccess: () => {
          reset()
          notify(t('form.saved'))
        },
      },
    )
  }

  return (
    <Card title={t('tokens.title')}>
      <form
        noValidate
        className="max-w-2xl"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {numbers.map((name) => (
            <Field
              key={name}
              name={name}
              type="number"
              label={t(`tokens.${name}`)}
              hint={t(`tokens.${name}.hint`)}
              value={values[name]}
              onChange={(next) => set(name, next)}
              error={errorOf(name)}
            />
          ))}
        </div>
        <div className="mt-4">
          {flags.map((flag) => (
            <SwitchRow
              key={flag}
              label={t(`tokens.${flag}`)}
              text={t(`tokens.${flag}.hint`)}
              isOn={values[flag] === 'true'}
              onChange={(isOn) => set(flag, String(isOn))}
            />
          ))}
        </div>
        {update.error && !NUMBERS.some((name) => errorOf(name)) && <ErrorState error={update.error} />}
        {may('updateApplication') && <SaveBar isChanged={isChanged} isBusy={update.isPending} onDiscard={reset} />}
      </form>
    </Card>
  )
}
