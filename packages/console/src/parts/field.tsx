/** A labelled input of a form with its hint and its error, tied together for screen readers. */
import { Field as Base } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import { useReadOnly } from './read-only.ts'

export const inputClass =
  'block w-full rounded-lg border border-edge bg-surface px-3 py-1.5 placeholder:text-soft data-invalid:border-bad read-only:bg-sunken max-md:py-2 max-md:text-base'

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'tel' | 'url'
  readonly isRequired?: boolean
  readonly isMonospace?: boolean
  readonly placeholder?: string
  readonly autoComplete?: string
  /** Several lines of text. */
  readonly rows?: number
  readonly isReadOnly?: boolean
}

export const Field = ({
  name,
  label,
  value,
  onChange,
  hint,
  error,
  type = 'text',
  isRequired = false,
  isMonospace = false,
  placeholder,
  autoComplete = 'off',
  rows,
  isReadOnly,
}: FieldProps) => {
  const isFixed = useReadOnly(isReadOnly)
  return (
    <Base.Root name={name} invalid={error !== undefined}>
      <Base.Label className="mb-1 block font-medium">{label}</Base.Label>
      <Base.Control
        {...(rows === undefined ? { type } : { render: <textarea rows={rows} /> })}
        value={value}
        onValueChange={onChange}
        required={isRequired}
        readOnly={isFixed}
        placeholder={placeholder}
        autoComplete={autoComplete}
        spellCheck={false}
        className={`${inputClass} ${isMonospace ? 'font-mono text-[0.8125rem]' : ''}`}
      />
      {hint && <Base.Description className="mt-1 text-soft text-xs">{hint}</Base.Description>}
      {error !== undefined && (
        <Base.Error match className="wrap-anywhere mt-1 text-bad text-xs">
          {error}
        </Base.Error>
      )}
    </Base.Root>
  )
}
