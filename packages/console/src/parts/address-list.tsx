/** A list of addresses, one to a line, each with its own error and a button to remove it. */
import { Plus, Trash2 } from 'lucide-react'
import { useId, useRef } from 'react'
import { t } from '../languages/languages.ts'
import { Button, IconButton } from './button.tsx'
import { inputClass } from './field.tsx'

interface AddressListProps {
  readonly label: string
  readonly hint: string
  /** Lines. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** Which line the server refused, counted from 0. */
  readonly error: { readonly at: number; readonly sentence: string } | undefined
  readonly isReadOnly: boolean
}

export const AddressList = ({ label, hint, value, onChange, error, isReadOnly }: AddressListProps) => {
  const id = useId()
  const list = useRef<HTMLFieldSetElement>(null)
  const addresses = value === '' ? [] : value.split('\n')
  const put = (next: readonly string[]) => onChange(next.join('\n'))
  const add = () => {
    // an empty first line is a line too
    put(addresses.length === 0 ? [' '] : [...addresses, ''])
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus())
  }
  return (
    <fieldset ref={list} className="min-w-0">
      <legend className="font-medium">{label}</legend>
      <p id={`${id}-hint`} className="mb-2 text-soft text-xs">
        {hint}
      </p>
      <ul className="space-y-2">
        {addresses.map((address, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
          <li key={at}>
            <div className="flex items-center gap-1">
              <input
                type="url"
                aria-label={`${label} ${at + 1}`}
                aria-invalid={error?.at === at || undefined}
                aria-describedby={error?.at === at ? `${id}-error` : `${id}-hint`}
                value={address.trim()}
                readOnly={isReadOnly}
                spellCheck={false}
                autoComplete="off"
                placeholder="https://app.example.com/callback"
                onChange={({ target }) => put(addresses.with(at, target.value.replaceAll('\n', '')))}
                className={`${inputClass} font-mono text-[0.8125rem] ${error?.at === at ? 'border-bad' : ''}`}
              />
              {!isReadOnly && (
                <IconButton label={t('addresses.remove', { address })} onClick={() => put(addresses.toSpliced(at, 1))}>
                  <Trash2 size={16} />
                </IconButton>
              )}
            </div>
            {error?.at === at && (
              <p id={`${id}-error`} role="alert" className="wrap-anywhere mt-1 text-bad text-xs">
                {error.sentence}
              </p>
            )}
          </li>
        ))}
      </ul>
      {!isReadOnly && (
        <Button onClick={add} className="mt-2">
          <Plus size={15} aria-hidden />
          {t('addresses.add')}
        </Button>
      )}
    </fieldset>
  )
}
