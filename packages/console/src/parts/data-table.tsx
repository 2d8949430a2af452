/** A list of rows with columns to choose from; the server searches, sorts and pages, so that a million rows are like ten. */
import {
  type ColumnDef,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { lazy, type ReactNode, useState } from 'react'
import { number } from '../languages/formats.ts'
import { t } from '../languages/languages.ts'
import { Button } from './button.tsx'
import { ColumnsLabel, columnsClass } from './columns-label.tsx'
import { MenuButton } from './menu-button.tsx'

const load = () => import('./column-choices.tsx')
const ColumnChoices = lazy(async () => ({ default: (await load()).ColumnChoices }))

const features = tableFeatures({ columnVisibilityFeature })

export interface Column<Row> {
  readonly id: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Hidden until it is asked for. */
  readonly isExtra?: true
  /** Left out on a phone, where the first column says enough. */
  readonly isWide?: true
}

interface DataTableProps<Row> {
  /** Says what it lists, to screen readers; names what is remembered of it. */
  readonly name: string
  readonly label: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowId: (row: Row) => string
  /** Older rows stay while newer ones are on their way. */
  readonly isStale: boolean
  readonly toolbar?: ReactNode
  readonly footer?: ReactNode
}

const read = (key: string): Record<string, boolean> => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, boolean>
  } catch {
    return {}
  }
}

export const DataTable = <Row extends object>({
  name,
  label,
  rows,
  columns,
  rowId,
  isStale,
  toolbar,
  footer,
}: DataTableProps<Row>) => {
  const key = `console.columns.${name}`
  const [visibility, setVisibility] = useState<Record<string, boolean>>(() => ({
    ...Object.fromEntries(columns.filter(({ isExtra }) => isExtra).map(({ id }) => [id, false])),
    ...read(key),
  }))
  const helper = createColumnHelper<typeof features, Row>()
  const definitions: ColumnDef<typeof features, Row>[] = columns.map(({ id, title }) =>
    helper.display({ id, header: title }),
  )
  // called here, not rendered as a component: a caller makes its columns anew each time, and what a cell has begun would begin again
  const cells = new Map(columns.map(({ id, cell }) => [id, cell]))
  const table = useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    getRowId: rowId,
    state: { columnVisibility: visibility },
    onColumnVisibilityChange: (change) => {
      const next = typeof change === 'function' ? change(visibility) : change
      localStorage.setItem(key, JSON.stringify(next))
      setVisibility(next)
    },
  })
  const wide = new Set(columns.filter(({ isWide }) => isWide).map(({ id }) => id))
  const place = (id: string) => (wide.has(id) ? 'max-md:hidden' : '')
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      <div
        className={`flex flex-wrap items-center gap-2 border-line border-b p-3 max-md:[&>select]:min-w-0 max-md:[&>select]:max-w-full max-md:[&>select]:grow max-md:[&>select]:basis-[40%] ${toolbar ? '' : 'max-md:hidden'}`}
      >
        {toolbar}
        <MenuButton
          load={load}
          className={columnsClass}
          menu={
            <ColumnChoices
              choices={table.getAllLeafColumns().map((column, at) => ({
                id: column.id,
                title: columns[at]?.title ?? column.id,
                isShown: column.getIsVisible(),
                isFixed: at === 0,
              }))}
              onChoose={(id, isShown) => table.getColumn(id)?.toggleVisibility(isShown)}
            />
          }
        >
          <ColumnsLabel />
        </MenuButton>
      </div>
      <div className={`overflow-x-auto transition-opacity ${isStale ? 'opacity-60' : ''}`}>
        <table aria-label={label} aria-busy={isStale} className="w-full text-start">
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id} className="border-line border-b">
                {group.headers.map((header) => (
                  <th
                    key={header.id}
                    scope="col"
                    className={`whitespace-nowrap px-4 py-2 text-start font-medium text-soft text-xs ${place(header.column.id)}`}
                  >
                    <table.FlexRender header={header} />
                  </th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id} className="relative border-line not-last:border-b hover:bg-hover">
                {row.getVisibleCells().map((cell, at) => (
                  <td
                    key={cell.id}
                    className={`px-4 py-2.5 align-middle ${at === 0 ? 'max-w-80 max-md:w-full max-md:max-w-0' : 'max-w-80'} ${place(cell.column.id)}`}
                  >
                    {cells.get(cell.column.id)?.(row.original)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {footer}
    </div>
  )
}

interface PagerProps {
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly isTotalCapped: boolean
  readonly onPage: (page: number) => void
}

/** "1–20 of 2,345", and the pages before and after. */
export const Pager = ({ page, pageSize, total, isTotalCapped, onPage }: PagerProps) => {
  const last = Math.max(1, Math.ceil(total / pageSize))
  const values = {
    from: number(total === 0 ? 0 : (page - 1) * pageSize + 1),
    to: number(Math.min(total, page * pageSize)),
    total: number(total) + (isTotalCapped ? '+' : ''),
  }
  return (
    <nav aria-label={t('table.pages')} className="flex items-center gap-2 border-line border-t px-4 py-2.5 text-soft">
      <span className="me-auto text-xs tabular-nums" aria-live="polite">
        {t('table.range', values)}
      </span>
      <Button onClick={() => onPage(page - 1)} disabled={page <= 1} aria-label={t('table.previous')}>
        <ChevronLeft size={16} aria-hidden className="rtl:rotate-180" />
      </Button>
      <Button onClick={() => onPage(page + 1)} disabled={page >= last} aria-label={t('table.next')}>
        <ChevronRight size={16} aria-hidden className="rtl:rotate-180" />
      </Button>
    </nav>
  )
}
