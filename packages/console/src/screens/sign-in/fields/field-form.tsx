/** A field of profiles, old or new: what it is called, what it takes, and whether it has to be filled in. */
import { useAnswer, useChange } from '../../../api/client.ts'
import { t } from '../../../languages/languages.ts'
import { CreateDialog } from '../../../parts/create-dialog.tsx'
import { Field } from '../../../parts/field.tsx'
import { errorAt, useForm } from '../../../parts/form.ts'
import { SelectField } from '../../../parts/select.tsx'
import { SwitchRow } from '../../../parts/switch-row.tsx'
import { notify } from '../../../parts/toast.tsx'
import {
  bodyOfField,
  DATE_FORMATS,
  type FieldValues,
  hasParts,
  PART_STATES,
  PARTS,
  type ProfileField,
  TYPES,
  valuesOfField,
} from './field-values.ts'

/** Which errors concern which value. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  name: [
    'custom_profile_fields.name_required',
    'custom_profile_fields.invalid_name',
    'custom_profile_fields.name_exists',
    'custom_profile_fields.name_conflict_sign_in_identifier',
    'custom_profile_fields.name_conflict_built_in_prop',
  ],
  minLength: ['custom_profile_fields.invalid_min_max_input'],
  minValue: ['custom_profile_fields.invalid_min_max_input'],
  options: ['custom_profile_fields.invalid_options'],
  pattern: ['custom_profile_fields.invalid_regex_format'],
}
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  Text: ['minLength'],
  Number: ['minValue'],
  Select: ['options'],
  Regex: ['pattern'],
}

interface Inputs {
  readonly values: FieldValues
  readonly set: (name: string, value: string) => void
  readonly errorOf: (name: string) => string | undefined
}

const Input = ({
  name,
  inputs: { values, set, errorOf },
  ...more
}: {
  readonly name: string
  readonly label: string
  readonly inputs: Inputs
  readonly hint?: string
  readonly type?: 'number'
  readonly rows?: number
  readonly isMonospace?: boolean
}) => (
  <Field name={name} value={values[name] ?? ''} onChange={(next) => set(name, next)} error={errorOf(name)} {...more} />
)

const Pair = ({ names, inputs }: { readonly names: readonly [Limit, Limit]; readonly inputs: Inputs }) => (
  <div className="grid gap-4 sm:grid-cols-2">
    {names.map((name) => (
      <Input key={name} name={name} label={t(`fields.${name}`)} type="number" inputs={inputs} />
    ))}
  </div>
)
type Limit = 'minLength' | 'maxLength' | 'minValue' | 'maxValue'

/** What only a field of this type has. */
const OfType = ({ inputs }: { readonly inputs: Inputs }) => {
  const { values, set } = inputs
  const { type = '' } = values
  if (hasParts(type))
    return (
      <fieldset>
        <legend className="mb-2 font-medium">{t('fields.parts')}</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          {PARTS[type].map(([name, label]) => (
            <SelectField
              key={name}
              label={t(label)}
              value={values[`part.${name}`] ?? 'no'}
              choices={PART_STATES.map((state) => [state, t(`fields.part.${state}`)])}
              onChange={(next) => set(`part.${name}`, next)}
            />
          ))}
        </div>
      </fieldset>
    )
  switch (type) {
    case 'Text':
      return <Pair names={['minLength', 'maxLength']} inputs={inputs} />
    case 'Number':
      return <Pair names={['minValue', 'maxValue']} inputs={inputs} />
    case 'Date':
      return (
        <>
          <SelectField
            label={t('fields.dateFormat')}
            value={values.dateFormat ?? ''}
            choices={DATE_FORMATS.map((format) => [
              format,
              format === 'custom' ? t('fields.dateFormat.custom') : format,
            ])}
            onChange={(next) => set('dateFormat', next)}
          />
          {values.dateFormat === 'custom' && (
            <Input
              name="customFormat"
              label={t('fields.customFormat')}
              hint={t('fields.customFormatHint')}
              inputs={inputs}
              isMonospace
            />
          )}
        </>
      )
    case 'Select':
      return (
        <Input name="options" label={t('fields.options')} hint={t('fields.optionsHint')} rows={5} inputs={inputs} />
      )
    case 'Regex':
      return (
        <Input name="pattern" label={t('fields.pattern')} hint={t('fields.patternHint')} inputs={inputs} isMonospace />
      )
    case 'Checkbox':
      return (
        <SwitchRow
          label={t('fields.checked')}
          text={t('fields.checkedText')}
          isOn={values.defaultValue === 'true'}
          onChange={(isOn) => set('defaultValue', String(isOn))}
        />
      )
    default:
      return null
  }
}

interface FieldFormProps {
  /** None: a new one. */
  readonly field?: ProfileField
  readonly onClose: () => void
}

export const FieldForm = ({ field, onClose }: FieldFormProps) => {
  const { values, set, reset } = useForm(`profile-field.${field?.name ?? ''}`, valuesOfField(field))
  const create = useChange('createCustomProfileField')
  const replace = useChange('replaceCustomProfileField')
  const change = field ? replace : create
  const { name = '', type = '' } = values
  const shown = ['name', 'label', 'description', ...(SHOWN_BY[type] ?? [])]
  const errorOf = (each: string) => errorAt(change.error, each, ...(CODES[each] ?? []))
  const inputs: Inputs = { values, set: (each, value) => set(each, value), errorOf }
  const done = {
    onSuccess: () => {
      reset()
      onClose()
      notify(t('form.saved'))
    },
  }
  const submit = () => {
    const body = bodyOfField(values, field)
    if (field) replace.mutate({ params: { name: field.name }, body }, done)
    else create.mutate({ body: { name: name.trim(), ...body } }, done)
  }
  return (
    <CreateDialog
      title={t(field ? 'fields.edit' : 'fields.add')}
      text={field ? field.name : t('fields.text')}
      isReady={name.trim() !== ''}
      change={change}
      isPlaced={shown.some((each) => errorOf(each) !== undefined)}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {!field && <Input name="name" label={t('apis.name')} hint={t('fields.nameHint')} inputs={inputs} isMonospace />}
        <SelectField
          label={t('fields.type')}
          value={type}
          choices={TYPES.map((each) => [each, t(`fields.type.${each}`)])}
          onChange={(next) => set('type', next)}
        />
      </div>
      {field && errorOf('name') !== undefined && (
        <p role="alert" className="text-bad text-xs">
          {errorOf('name')}
        </p>
      )}
      <Input name="label" label={t('fields.label')} hint={t('fields.labelHint')} inputs={inputs} />
      <Input name="description" label={t('fields.description')} inputs={inputs} />
      {type !== 'Checkbox' && !hasParts(type) && (
        <Input name="placeholder" label={t('fields.placeholder')} inputs={inputs} />
      )}
      <OfType inputs={inputs} />
      {type !== 'Checkbox' && (
        <SwitchRow
          label={t('fields.required')}
          text={t('fields.requiredText')}
          isOn={values.required === 'true'}
          onChange={(isOn) => set('required', String(isOn))}
        />
      )}
    </CreateDialog>
  )
}

/** One that there is: read by itself, so that a change of it stands on what was read. */
export const EditField = ({ name, onClose }: { readonly name: string; readonly onClose: () => void }) => {
  const { data } = useAnswer('getCustomProfileField', { params: { name } })
  return data ? <FieldForm field={data} onClose={onClose} /> : null
}
