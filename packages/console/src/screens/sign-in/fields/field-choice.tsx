/** A choice among the fields of profiles: all of them, those of the future too, or only some. */
import { useAnswer } from '../../../api/client.ts'
import { t } from '../../../languages/languages.ts'
import { CheckRow } from '../../../parts/check-row.tsx'
import { SelectField } from '../../../parts/select.tsx'
import { ALL_FIELDS, fieldsOf, textOfFields } from './named-fields.ts'

const CHOICES = ['all', 'some'] as const

interface FieldChoiceProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string) => void
}

export const FieldChoice = ({ label, value, onChange }: FieldChoiceProps) => {
  const { data: fields = [] } = useAnswer('listCustomProfileFields', {})
  const chosen = fieldsOf(value)
  const put = (next: readonly { readonly name: string }[]) => onChange(textOfFields(next.map(({ name }) => ({ name }))))
  return (
    <>
      <SelectField
        label={label}
        value={chosen ? 'some' : 'all'}
        choices={CHOICES.map((each) => [each, t(`fields.asked.${each}`)])}
        onChange={(next) => (next === 'all' ? onChange(ALL_FIELDS) : put(fields))}
      />
      {chosen && (
        <div className="mt-3">
          {fields.map((field) => (
            <CheckRow
              key={field.name}
              label={field.label || field.name}
              isOn={chosen.some(({ name }) => name === field.name)}
              onChange={(isOn) => put(isOn ? [...chosen, field] : chosen.filter(({ name }) => name !== field.name))}
            />
          ))}
        </div>
      )}
    </>
  )
}
