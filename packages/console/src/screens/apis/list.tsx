/** The APIs: services that accept tokens, with how many permissions each has. */
import { Link } from '@tanstack/react-router'
import { Blocks, Plus } from 'lucide-react'
import { useState } from 'react'
import { may, type Row, useAnswer } from '../../api/client.ts'
import { number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { ListFooter } from '../../parts/list-footer.tsx'
import { useLookup } from '../../parts/lookup.ts'
import { Page } from '../../parts/page.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { EmptyState, ErrorState } from '../../parts/states.tsx'
import { isBuiltIn } from './built-in.ts'
import { CreateApi } from './create.tsx'

const PAGE_SIZE = 20
const input = { query: { includeScopes: 'true' } }

const columns = (): Column<Row<'listResources'>>[] => [
  {
    id: 'name',
    title: t('apis.name'),
    cell: (api) => (
      <>
        <span className="flex items-center gap-2">
          <Link
            to="/apis/$id"
            params={{ id: api.id }}
            className="truncate font-medium before:absolute before:inset-0 before:content-['']"
          >
            <bdi>{api.name}</bdi>
          </Link>
          {api.isDefault && <Badge tone="accent">{t('apis.default')}</Badge>}
          {isBuiltIn(api) && <Badge>{t('apis.builtIn')}</Badge>}
        </span>
        <code className="block truncate font-mono text-soft text-xs">{api.indicator}</code>
      </>
    ),
  },
  {
    id: 'permissions',
    title: t('apis.permissions'),
    isWide: true,
    cell: ({ scopes = [] }) => <span className="tabular-nums">{number(scopes.length)}</span>,
  },
  {
    id: 'lifetime',
    title: t('apis.lifetime'),
    isWide: true,
    cell: ({ accessTokenTtl }) => (
      <span className="text-soft tabular-nums">{t('apis.seconds', { count: number(accessTokenTtl) })}</span>
    ),
  },
]

export const ApiList = () => {
  const { search, page, onSearch, onPage } = useLookup()
  const [isCreating, setCreating] = useState(false)
  const { data, error, refetch } = useAnswer('listResources', input)
  const wanted = search.toLowerCase()
  const found = (data ?? []).filter(({ name, indicator }) => `${name}\n${indicator}`.toLowerCase().includes(wanted))
  const rows = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const create = may('createResource') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus size={15} aria-hidden />
      {t('apis.create')}
    </Button>
  )
  return (
    <Page
      title={t('nav.apis')}
      text={t('apis.text')}
      actions={
        <>
          <ShowApiCall calls={[{ id: 'listResources', input }]} />
          {create}
        </>
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <DataTable
          name="apis"
          label={t('nav.apis')}
          rows={rows}
          columns={columns()}
          rowId={({ id }) => id}
          isStale={false}
          toolbar={<SearchBox label={t('apis.search')} value={search} onSearch={onSearch} />}
          footer={
            <ListFooter
              data={data && { rows, total: found.length, isTotalCapped: false }}
              page={page}
              pageSize={PAGE_SIZE}
              isFiltered={search !== ''}
              empty={
                <EmptyState icon={<Blocks size={20} />} title={t('apis.none')} text={t('apis.noneText')}>
                  {create}
                </EmptyState>
              }
              onPage={onPage}
            />
          }
        />
      )}
      {isCreating && <CreateApi onClose={() => setCreating(false)} />}
    </Page>
  )
}
