/** A colour: chosen in the system's own control, or written. */
import { t } from '../languages/languages.ts'
import { Field } from './field.tsx'
import { useReadOnly } from './read-only.ts'

/** Whether it is complete, as the API takes it. */
export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

interface ColorFieldProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
  /** What an empty field stands for. */
  readonly placeholder?: string | undefined
  readonly isReadOnly?: boolean
}

export const ColorField = (props: ColorFieldProps) => {
  const { name, label, value, onChange, error, placeholder, isReadOnly } = props
  const isFixed = useReadOnly(isReadOnly)
  const shown = value || placeholder || ''
  return (
    <div className="flex items-start gap-2">
      <input
        type="color"
        aria-label={t('signIn.choose', { what: label })}
        value={isColor(shown) ? shown.toLowerCase() : '#000000'}
        onChange={({ target }) => onChange(target.value)}
        disabled={isFixed}
        className="mt-6 h-[2.125rem] w-11 shrink-0 rounded-lg border border-edge bg-surface p-1 max-md:h-[2.625rem]"
      />
      <div className="min-w-0 flex-1">
        <Field
          name={name}
          label={label}
          value={value}
          onChange={onChange}
          error={value !== '' && !isColor(value) ? t('signIn.colorForm') : error}
          isReadOnly={isFixed}
          {...(placeholder === undefined ? {} : { placeholder })}
          isMonospace
        />
      </div>
    </div>
  )
}
