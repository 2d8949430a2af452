/** A value to copy, in one line. */
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { t } from '../languages/languages.ts'
import { IconButton } from './button.tsx'

const SHOWN_MS = 1500

/** A button that copies. @param label what is copied */
export const CopyButton = ({ value, label }: { readonly value: string; readonly label: string }) => {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <IconButton label={isCopied ? t('action.copied') : t('action.copy', { what: label })} onClick={() => void copy()}>
      {isCopied ? <Check size={16} className="text-good" /> : <Copy size={16} />}
    </IconButton>
  )
}

/** Label, value, copy. */
export const CopyField = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div>
    <div className="mb-1 font-medium text-soft text-xs">{label}</div>
    <div className="flex items-center rounded-lg border border-line bg-sunken ps-3">
      <code className="min-w-0 flex-1 truncate py-1.5 font-mono text-xs" title={value}>
        {value}
      </code>
      <CopyButton value={value} label={label} />
    </div>
  </div>
)
