/** The end of a list: loading, nothing yet, nothing that matches, or its pages. */
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../languages/languages.ts'
import { Pager } from './data-table.tsx'
import { EmptyState, Loading } from './states.tsx'

interface ListFooterProps {
  readonly data:
    | { readonly rows: readonly unknown[]; readonly total: number; readonly isTotalCapped: boolean }
    | undefined
  readonly page: number
  readonly pageSize: number
  readonly isFiltered: boolean
  /** Shown where there is nothing yet. */
  readonly empty: ReactNode
  readonly onPage: (page: number) => void
}

export const ListFooter = ({ data, page, pageSize, isFiltered, empty, onPage }: ListFooterProps) => {
  if (data === undefined) return <Loading />
  if (data.rows.length > 0)
    return (
      <Pager page={page} pageSize={pageSize} total={data.total} isTotalCapped={data.isTotalCapped} onPage={onPage} />
    )
  return isFiltered ? (
    <EmptyState icon={<SearchX size={20} />} title={t('state.noMatch')} text={t('state.noMatchText')} />
  ) : (
    empty
  )
}
