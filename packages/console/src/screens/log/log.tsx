/** The log: what happened, newest first, live while one looks at the first page. */
import { getRouteApi } from '@tanstack/react-router'
import { Pause, Play, ScrollText, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useAnswer, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Button } from '../../parts/button.tsx'
import { Pager } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { Entries } from './entries.tsx'
import { EntryDetails } from './entry-details.tsx'
import { Filters, isFilteredBy, queryOf } from './filters.tsx'
import { useNameOf } from './names.ts'

const PAGE_SIZE = 50
const LIVE_MS = 2000
const route = getRouteApi('/log')

const Linked = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const { data } = useAnswer('getLog', { params: { id } })
  return data ? <EntryDetails entry={data} onClose={onClose} /> : null
}

export const Log = () => {
  const search = route.useSearch()
  const { page = 1, entry } = search
  const navigate = route.useNavigate()
  const [isLive, setLive] = useState(true)
  const query = { page, page_size: PAGE_SIZE, ...queryOf(search) }
  const { data, error, refetch } = usePage('listLogs', { query }, isLive && page === 1 ? LIVE_MS : undefined)
  const nameOf = useNameOf()
  const isFiltered = isFilteredBy(search)
  const put = (change: Readonly<Record<string, string | number | undefined>>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...change }) as never, replace: true })
  return (
    <Page
      title={t('nav.log')}
      text={t('log.text')}
      actions={
        <>
          <ShowApiCall calls={[{ id: 'listLogs', input: { query } }]} />
          <Button onClick={() => setLive(!isLive)} aria-pressed={isLive} disabled={page !== 1}>
            {isLive ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
            {isLive ? t('log.pause') : t('log.live')}
          </Button>
        </>
      }
    >
      <div className="overflow-hidden rounded-xl border border-line bg-surface">
        <Filters search={search} put={put} clear={() => void navigate({ search: {}, replace: true })} />
        {error ? (
          <ErrorState error={error} retry={refetch} />
        ) : data === undefined ? (
          <Loading />
        ) : data.rows.length === 0 ? (
          <EmptyState
            icon={isFiltered ? <SearchX size={20} /> : <ScrollText size={20} />}
            title={isFiltered ? t('state.noMatch') : t('log.none')}
            text={isFiltered ? t('state.noMatchText') : t('log.noneText')}
          />
        ) : (
          <>
            <Entries entries={data.rows} nameOf={nameOf} />
            <Pager
              page={page}
              pageSize={PAGE_SIZE}
              total={data.total}
              isTotalCapped={data.isTotalCapped}
              onPage={(next) => put({ page: next })}
            />
          </>
        )}
      </div>
      {entry && <Linked id={entry} onClose={() => put({ entry: undefined })} />}
    </Page>
  )
}
