/** A setting that is on or off, with what it means. */
import { Switch } from '@base-ui/react/switch'
import { useId } from 'react'
import { useReadOnly } from './read-only.ts'

interface SwitchRowProps {
  readonly label: string
  readonly text: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly isReadOnly?: boolean
}

export const SwitchRow = ({ label, text, isOn, onChange, isReadOnly }: SwitchRowProps) => {
  const id = useId()
  const isFixed = useReadOnly(isReadOnly)
  return (
    <div className="flex items-start gap-4 border-line py-3 not-last:border-b">
      <div className="min-w-0 flex-1">
        <div id={id} className="font-medium">
          {label}
        </div>
        <div id={`${id}-text`} className="text-soft">
          {text}
        </div>
      </div>
      <Switch.Root
        aria-labelledby={id}
        aria-describedby={`${id}-text`}
        checked={isOn}
        disabled={isFixed}
        onCheckedChange={onChange}
        className="relative flex h-5 w-9 shrink-0 items-center rounded-full bg-edge transition-colors data-checked:bg-accent-fill data-disabled:cursor-not-allowed data-disabled:opacity-50"
      >
        <Switch.Thumb className="block size-4 translate-x-0.5 rounded-full bg-on-accent shadow-xs transition-transform data-checked:translate-x-[1.125rem] rtl:-translate-x-0.5 rtl:data-checked:-translate-x-[1.125rem]" />
      </Switch.Root>
    </div>
  )
}
