/** A box to tick, with what it stands for. */
import { useReadOnly } from './read-only.ts'

interface CheckRowProps {
  readonly label: string
  readonly text?: string | null | undefined
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly isReadOnly?: boolean
}

export const CheckRow = ({ label, text, isOn, onChange, isReadOnly }: CheckRowProps) => {
  const isFixed = useReadOnly(isReadOnly)
  return (
    <label className="-mx-2 flex cursor-pointer items-start gap-3 rounded-lg px-2 py-1.5 hover:bg-hover">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isFixed}
        onChange={({ target }) => onChange(target.checked)}
        className="mt-1 size-4 shrink-0 accent-accent-fill"
      />
      <span className="min-w-0">
        <span className="wrap-anywhere block font-medium">{label}</span>
        {text && <span className="wrap-anywhere block text-soft text-xs">{text}</span>}
      </span>
    </label>
  )
}
