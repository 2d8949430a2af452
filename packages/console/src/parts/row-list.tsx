/** Rows of a setting, each a small form of its own: added, removed and, where their order decides, moved. */
import { ArrowUp, Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../languages/languages.ts'
import { Button, IconButton } from './button.tsx'
import { useReadOnly } from './read-only.ts'

/** What is typed in a row; every field is a text. `name` is what it is called. */
export type FormRow = Readonly<Record<string, string>>

/** Rows as the one text that a form keeps. */
export const textOfRows = (rows: readonly FormRow[]): string => JSON.stringify(rows)
export const rowsOf = (text: string): readonly FormRow[] => JSON.parse(text) as FormRow[]

/** A list in a field, one to a line. */
export const linesOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The same as a member of a setting: left out when it is empty. */
export const listIn = <Name extends string>(name: Name, text: string | undefined): { [Member in Name]?: string[] } => {
  const lines = linesOf(text)
  return (lines.length > 0 ? { [name]: lines } : {}) as { [Member in Name]?: string[] }
}

interface RowListProps {
  readonly label: string
  readonly hint?: string
  readonly addLabel: string
  /** Of `textOfRows`. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** What a new row has. */
  readonly blank: FormRow
  /** Whether the order of the rows decides. */
  readonly isOrdered?: boolean
  /** The fields of a row. @param set changes some of them */
  readonly children: (row: FormRow, set: (change: FormRow) => void) => ReactNode
}

export const RowList = ({
  label,
  hint,
  addLabel,
  value,
  onChange,
  blank,
  isOrdered = false,
  children,
}: RowListProps) => {
  const isFixed = useReadOnly()
  const rows = rowsOf(value)
  const put = (next: readonly FormRow[]) => onChange(textOfRows(next))
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{label}</legend>
      {hint && <p className="text-soft text-xs">{hint}</p>}
      <ol className="mt-2 space-y-3">
        {rows.map((row, at) => {
          const title = row.name || String(at + 1)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place
            <li key={at} className="rounded-lg border border-line p-4">
              <fieldset aria-label={title} className="min-w-0 space-y-4">
                {!isFixed && (
                  <div className="-mt-2 -mr-2 -mb-6 flex justify-end">
                    {isOrdered && at > 0 && (
                      <IconButton
                        label={t('rows.up', { name: title })}
                        onClick={() => put(rows.toSpliced(at, 1).toSpliced(at - 1, 0, row))}
                      >
                        <ArrowUp size={16} />
                      </IconButton>
                    )}
                    <IconButton
                      label={t('addresses.remove', { address: title })}
                      onClick={() => put(rows.toSpliced(at, 1))}
                    >
                      <Trash2 size={16} />
                    </IconButton>
                  </div>
                )}
                {children(row, (change) => put(rows.with(at, { ...row, ...change })))}
              </fieldset>
            </li>
          )
        })}
      </ol>
      {!isFixed && (
        <Button onClick={() => put([...rows, blank])} className="mt-2">
          <Plus size={15} aria-hidden />
          {addLabel}
        </Button>
      )}
    </fieldset>
  )
}
