/** What applications may know of a user beside name and identifiers: the standard claims, the address, the tenant's own fields. */
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { SelectField } from '../../parts/select.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { ADDRESS, CLAIMS, OF, type OwnField, profileChange, profileValues, simpleFields } from './profile-values.ts'

/** How many claims are shown although they are empty. */
const USUAL = 2

const choicesOf = ({ type, config }: OwnField): readonly (readonly [string, string])[] | undefined => {
  if (type === 'Select') return (config.options ?? []).map(({ value, label }) => [value, label || value])
  if (type !== 'Checkbox') return undefined
  return [
    ['true', t('profile.yes')],
    ['false', t('profile.no')],
  ]
}

interface OwnFieldProps {
  readonly field: OwnField
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
  readonly isReadOnly: boolean
}

const OwnFieldInput = ({ field, value, onChange, error, isReadOnly }: OwnFieldProps) => {
  const label = field.label || field.name
  const choices = choicesOf(field)
  if (choices && !isReadOnly)
    return <SelectField label={label} value={value} choices={[['', '–'], ...choices]} onChange={onChange} />
  const hint = field.description ? { hint: field.description } : {}
  return (
    <Field
      name={OF.own + field.name}
      label={label}
      value={value}
      onChange={onChange}
      error={error}
      isReadOnly={isReadOnly}
      {...hint}
    />
  )
}

/** @param own of the tenant, those that are one value each */
const Form = ({ user, own }: { readonly user: Answer<'getUser'>; readonly own: readonly OwnField[] }) => {
  const { values, set, isChanged, reset } = useForm(`user.${user.id}.profile`, profileValues(user, own))
  const update = useChange('updateUser')
  const isReadOnly = !may('updateUser')
  const [isWhole, setWhole] = useState(false)
  const shownOf = <Name extends string>(prefix: string, fields: readonly (readonly [Name, Phrase])[], least: number) =>
    fields.filter(([name], at) => isWhole || at < least || (values[prefix + name] ?? '') !== '')
  const claims = shownOf(OF.claim, CLAIMS, USUAL)
  const address = shownOf(OF.address, ADDRESS, 0)
  const field = (name: string, label: string) => (
    <Field
      key={name}
      name={name}
      label={label}
      value={values[name] ?? ''}
      onChange={(next) => set(name, next)}
      error={errorAt(update.error, name)}
      isReadOnly={isReadOnly}
    />
  )
  return (
    <Card title={t('profile.title')} text={t('profile.text')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate(
            { params: { userId: user.id }, body: profileChange(user, own, values) },
            {
              onSuccess: () => {
                reset()
                notify(t('form.saved'))
              },
            },
          )
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {own.map((each) => (
            <OwnFieldInput
              key={each.id}
              field={each}
              value={values[OF.own + each.name] ?? ''}
              onChange={(next) => set(OF.own + each.name, next)}
              error={errorAt(update.error, OF.own + each.name) ?? errorAt(update.error, each.name)}
              isReadOnly={isReadOnly}
            />
          ))}
          {claims.map(([name, label]) => field(OF.claim + name, t(label)))}
        </div>
        {address.length > 0 && (
          <fieldset className="mt-6">
            <legend className="mb-2 font-semibold">{t('profile.address')}</legend>
            <div className="grid gap-4 sm:grid-cols-2">
              {address.map(([name, label]) => field(OF.address + name, t(label)))}
            </div>
          </fieldset>
        )}
        {!isWhole && !isReadOnly && (
          <Button look="ghost" className="-ms-3 mt-3" onClick={() => setWhole(true)}>
            <ChevronDown size={15} aria-hidden />
            {t('profile.more')}
          </Button>
        )}
        {update.error && <ErrorState error={update.error} />}
        {isChanged && <SaveBar isChanged={isChanged} isBusy={update.isPending} onDiscard={reset} />}
      </form>
    </Card>
  )
}

export const ProfileFields = ({ user }: { readonly user: Answer<'getUser'> }) => {
  const { data, isPending } = useAnswer('listCustomProfileFields', {})
  if (isPending && may('listCustomProfileFields')) return null
  return <Form user={user} own={simpleFields(data ?? [])} />
}
