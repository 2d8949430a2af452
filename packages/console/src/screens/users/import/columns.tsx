/** What the columns of a table stand for: guessed by their names, changed by the administrator. */
import { t } from '../../../languages/languages.ts'
import { Card } from '../../../parts/page.tsx'
import { Select } from '../../../parts/select.tsx'
import { MEMBERS, OWN } from './csv.ts'

interface ColumnsProps {
  readonly columns: readonly string[]
  /** For each column: a member of a user, or the empty text to leave it out. */
  readonly members: readonly string[]
  readonly onChange: (members: readonly string[]) => void
}

export const Columns = ({ columns, members, onChange }: ColumnsProps) => (
  <Card title={t('import.columns')} text={t('import.columnsText')}>
    <ul>
      {columns.map((column, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name, and none moves
        <li key={at} className="flex flex-wrap items-center gap-3 border-line py-2 not-last:border-b">
          <span className="wrap-anywhere min-w-0 flex-1 basis-40 font-medium">{column}</span>
          <Select
            label={t('import.column', { name: column })}
            value={members[at] ?? ''}
            choices={[
              ['', t('import.leaveOut')],
              [OWN, t('import.own', { name: column })],
              ...MEMBERS.map((member) => [member, member] as const),
            ]}
            onChange={(next) => onChange(members.map((member, place) => (place === at ? next : member)))}
          />
        </li>
      ))}
    </ul>
  </Card>
)
