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
import { useTail, withTail } from './tail.ts'

const PAGE_SIZE = 50
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
  const filter = queryOf(search)
  const query = { page, page_size: PAGE_SIZE, ...filter }
  const { data, error, refetch, isPlaceholderData } = usePage('listLogs', { query })
  // a day that is over grows no more
  const canGrow = page === 1 && (filter.end_time === undefined || filter.end_time > Date.now())
  const { entries, trouble } = useTail(filter, isLive && canGrow)
  const shown = data && { ...data, ...(canGrow && !isPlaceholderData ? withTail(data, entries, PAGE_SIZE) : {}) }
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
          <ShowApiCall
            calls={[
              { id: 'listLogs', input: { query } },
              ...(canGrow ? [{ id: 'followLogs' as const, input: { query: { since: '…', wait: 25 } } }] : []),
            ]}
          />
          <Button onClick={() => setLive(!isLive)} aria-pressed={isLive} disabled={!canGrow}>
            {isLive ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
            {isLive ? t('log.pause') : t('log.live')}
          </Button>
        </>
      }
    >
      <div className="overflow-hidden rounded-xl border border-line bg-surface">
        <Filters search={search} put={put} clear={() => void navigate({ search: {}, replace: true })} />
        <div aria-live="polite" className="text-warn">
          {trouble && <p className="border-line border-b px-4 py-2">{t(`log.${trouble}`)}</p>}
        </div>
        {error ? (
          <ErrorState error={error} retry={refetch} />
        ) : shown === undefined ? (
          <Loading />
        ) : shown.rows.length === 0 ? (
          <EmptyState
            icon={isFiltered ? <SearchX size={20} /> : <ScrollText size={20} />}
            title={isFiltered ? t('state.noMatch') : t('log.none')}
            text={isFiltered ? t('state.noMatchText') : t('log.noneText')}
          />
        ) : (
          <>
            <Entries entries={shown.rows} nameOf={nameOf} />
            <Pager
              page={page}
              pageSize={PAGE_SIZE}
              total={shown.total}
              isTotalCapped={shown.isTotalCapped}
              onPage={(next) => put({ page: next })}
            />
          </>
        )}
      </div>
      {entry && <Linked id={entry} onClose={() => put({ entry: undefined })} />}
    </Page>
  )
}
