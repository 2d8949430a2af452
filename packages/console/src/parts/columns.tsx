/** Columns that many tables have: the name that leads to the thing, its id, when it was created. */

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../languages/languages.ts'
import { Ago } from './ago.tsx'
import type { Column } from './data-table.tsx'

interface Named {
  readonly id: string
  readonly name: string
  readonly description?: string | null
}

/** @param badge beside the name */
export const nameColumn = <Row extends Named>(
  to: '/applications/$id' | '/organizations/$id' | '/roles/$id' | '/scim/$id',
  badge?: (row: Row) => ReactNode,
): Column<Row> => ({
  id: 'name',
  title: t('apis.name'),
  cell: (row) => (
    <>
      <span className="flex items-center gap-2">
        <Link
          to={to}
          params={{ id: row.id }}
          className="truncate font-medium before:absolute before:inset-0 before:content-['']"
        >
          <bdi>{row.name}</bdi>
        </Link>
        {badge?.(row)}
      </span>
      {row.description && <span className="block truncate text-soft text-xs">{row.description}</span>}
    </>
  ),
})

export const idColumn = <Row extends { readonly id: string }>(title: string): Column<Row> => ({
  id: 'id',
  title,
  isWide: true,
  cell: ({ id }) => <code className="font-mono text-soft text-xs">{id}</code>,
})

export const createdColumn = <Row extends { readonly createdAt: number }>(): Column<Row> => ({
  id: 'created',
  title: t('applications.created'),
  isWide: true,
  cell: ({ createdAt }) => <Ago at={createdAt} />,
})
