/** A choice of one among a few: the system's own control, which is right on every device. */
import { useReadOnly } from './read-only.ts'

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, title: string])[]
  readonly onChange: (value: string) => void
  readonly isReadOnly?: boolean
}

export const Select = ({ label, value, choices, onChange, isReadOnly }: SelectProps) => (
  <select
    aria-label={label}
    value={value}
    disabled={useReadOnly(isReadOnly)}
    onChange={({ target }) => onChange(target.value)}
    className="h-8 max-w-56 rounded-lg border border-edge bg-surface px-2 disabled:cursor-not-allowed disabled:bg-sunken max-md:h-10"
  >
    {choices.map(([each, title]) => (
      <option key={each} value={each}>
        {title}
      </option>
    ))}
  </select>
)

/** The same in a form, with its label above it. */
export const SelectField = (props: SelectProps) => (
  <div className="min-w-0 [&>select]:max-w-full">
    <span aria-hidden className="mb-1 block font-medium">
      {props.label}
    </span>
    <Select {...props} />
  </div>
)
