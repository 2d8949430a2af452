/** What a webhook was sent, newest first and live: each delivery with its state, and how far the webhook is behind. */

import { getRouteApi } from '@tanstack/react-router'
import { SearchX, Send } from 'lucide-react'
import { usePage } from '../../api/client.ts'
import { ago, number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Ago } from '../../parts/ago.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Pager } from '../../parts/data-table.tsx'
import { Select } from '../../parts/select.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { DELIVERY_STATES, type Delivery, DeliveryDetails } from './delivery-details.tsx'
import { type Hook, valuesOf } from './hook.ts'

const PAGE_SIZE = 20
const LIVE_MS = 3000
const FILTERS = ['Waiting', 'Delivered', 'Failed'] as const
const route = getRouteApi('/webhooks/$id')

/** How many wait, and since when the oldest of them. */
const Backlog = ({ id }: { readonly id: string }) => {
  const waiting = { params: { id }, query: { state: 'Waiting', page_size: 1 } } as const
  const { data } = usePage('listHookDeliveries', waiting, LIVE_MS)
  const total = data?.total ?? 0
  const { data: last } = usePage(
    'listHookDeliveries',
    { params: { id }, query: { ...waiting.query, page: Math.max(total, 1) } },
    LIVE_MS,
    total > 0,
  )
  const [oldest] = last?.rows ?? []
  if (total === 0 || !oldest) return <span className="text-soft">{data && t('webhooks.noBacklog')}</span>
  return (
    <span className="font-medium text-warn">
      {t('webhooks.backlog', {
        count: number(total) + (data?.isTotalCapped ? '+' : ''),
        when: ago(oldest.createdAt),
      })}
    </span>
  )
}

const resultOf = ({ lastAttempt, attempts }: Delivery): string =>
  lastAttempt === null
    ? t('webhooks.notAttempted')
    : t('webhooks.attemptLine', {
        result: lastAttempt.error ?? String(lastAttempt.status ?? ''),
        count: attempts,
      })

export const Deliveries = ({ hook }: { readonly hook: Hook }) => {
  const { id } = hook
  const { state, event, page = 1, delivery } = route.useSearch()
  const navigate = route.useNavigate()
  const query = {
    page,
    page_size: PAGE_SIZE,
    ...(FILTERS.some((each) => each === state) ? { state: state as (typeof FILTERS)[number] } : {}),
    ...(event ? { event } : {}),
  }
  const { data, error, refetch } = usePage(
    'listHookDeliveries',
    { params: { id }, query },
    page === 1 ? LIVE_MS : undefined,
  )
  const put = (change: Readonly<Record<string, string | number | undefined>>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...change }) as never, replace: true })
  const isFiltered = Boolean(state || event)
  const opened = data?.rows.find((each) => each.id === delivery)
  return (
    <section className="overflow-hidden rounded-xl border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-line border-b p-3">
        <Select
          label={t('webhooks.state')}
          value={state ?? ''}
          choices={[
            ['', t('webhooks.allStates')],
            ...FILTERS.map((each) => [each, t(DELIVERY_STATES[each].title)] as const),
          ]}
          onChange={(next) => put({ state: next || undefined })}
        />
        <Select
          label={t('webhooks.event')}
          value={event ?? ''}
          choices={[
            ['', t('webhooks.allEvents')],
            ...valuesOf(hook)
              .events.split(',')
              .map((each) => [each, each] as const),
          ]}
          onChange={(next) => put({ event: next || undefined })}
        />
        <div className="ms-auto px-1 text-xs" aria-live="polite">
          <Backlog id={id} />
        </div>
      </div>
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <Loading />
      ) : data.rows.length === 0 ? (
        <EmptyState
          icon={isFiltered ? <SearchX size={20} /> : <Send size={20} />}
          title={isFiltered ? t('state.noMatch') : t('webhooks.noDeliveries')}
          text={isFiltered ? t('state.noMatchText') : t('webhooks.noDeliveriesText')}
        />
      ) : (
        <>
          <ul>
            {data.rows.map((each) => (
              <li key={each.id} className="border-line not-last:border-b">
                <button
                  type="button"
                  onClick={() => put({ page, delivery: each.id })}
                  className="flex w-full items-start gap-3 px-4 py-2.5 text-start -outline-offset-2 hover:bg-hover"
                >
                  <span className="shrink-0 md:w-24">
                    <Badge tone={DELIVERY_STATES[each.state].tone}>{t(DELIVERY_STATES[each.state].title)}</Badge>
                  </span>
                  <span className="min-w-0 flex-1">
                    <span className="wrap-anywhere block font-medium">{each.event}</span>
                    <span className="wrap-anywhere block text-soft text-xs">{resultOf(each)}</span>
                  </span>
                  <Ago at={each.createdAt} className="mt-0.5 shrink-0 text-xs" />
                </button>
              </li>
            ))}
          </ul>
          <Pager
            page={page}
            pageSize={PAGE_SIZE}
            total={data.total}
            isTotalCapped={data.isTotalCapped}
            onPage={(next) => put({ page: next })}
          />
        </>
      )}
      {opened && (
        <DeliveryDetails
          hook={hook}
          delivery={opened}
          onClose={() => put({ page: page === 1 ? undefined : page, delivery: undefined })}
        />
      )}
    </section>
  )
}
