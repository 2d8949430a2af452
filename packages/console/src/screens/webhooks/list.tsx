/** The webhooks: where each sends to, whether it works, and how much was delivered in a day. */
import { Link } from '@tanstack/react-router'
import { BookOpen, Plus, Radio, RadioTower, Webhook } from 'lucide-react'
import { may, useAnswer } from '../../api/client.ts'
import { ago, number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { type Hook, stateOf, titleOf } from './hook.ts'

const QUERY = { includeExecutionStats: 'true' } as const

const columns = (): Column<Hook>[] => [
  {
    id: 'name',
    title: t('applications.name'),
    cell: (hook) => (
      <>
        <Link
          to="/webhooks/$id"
          params={{ id: hook.id }}
          className="block truncate font-medium before:absolute before:inset-0 before:content-['']"
        >
          {titleOf(hook)}
        </Link>
        <span className="block truncate font-mono text-soft text-xs">{hook.config.url}</span>
      </>
    ),
  },
  {
    id: 'state',
    title: t('webhooks.state'),
    cell: (hook) => {
      const { tone, word } = stateOf(hook)
      return <Badge tone={tone}>{word}</Badge>
    },
  },
  {
    id: 'events',
    title: t('webhooks.events'),
    isWide: true,
    cell: ({ events, event }) => (
      <span className="tabular-nums">{number(events.length || (event === null ? 0 : 1))}</span>
    ),
  },
  {
    id: 'day',
    title: t('webhooks.day'),
    isWide: true,
    cell: ({ executionStats }) =>
      executionStats === undefined || executionStats.requestCount === 0 ? (
        <span className="text-soft">–</span>
      ) : (
        <span className="tabular-nums">
          {t('webhooks.dayCount', {
            good: number(executionStats.successCount),
            all: number(executionStats.requestCount),
          })}
        </span>
      ),
  },
  {
    id: 'waiting',
    title: t('webhooks.waiting'),
    isWide: true,
    cell: ({ executionStats }) =>
      executionStats?.oldestWaitingAt ? (
        <span className="tabular-nums">
          {t('webhooks.backlog', {
            count: number(executionStats.waitingCount),
            when: ago(executionStats.oldestWaitingAt),
          })}
        </span>
      ) : (
        <span className="text-soft">–</span>
      ),
  },
]

export const WebhookList = () => {
  const { data: hooks, error, refetch } = useAnswer('listHooks', { query: QUERY })
  const create = may('createHook') && (
    <Link to="/webhooks/new" className={buttonClass('primary')}>
      <Plus size={15} aria-hidden />
      {t('webhooks.create')}
    </Link>
  )
  return (
    <Page
      title={t('nav.webhooks')}
      text={t('webhooks.text')}
      actions={
        <>
          <ShowApiCall calls={[{ id: 'listHooks', input: { query: QUERY } }]} />
          {may('readEvents') && (
            <Link to="/webhooks/feed" className={buttonClass('secondary')}>
              <Radio size={15} aria-hidden />
              {t('webhooks.feed')}
            </Link>
          )}
          {may('listSignalStreams') && (
            <Link to="/webhooks/signals" className={buttonClass('secondary')}>
              <RadioTower size={15} aria-hidden />
              {t('signals.title')}
            </Link>
          )}
          <Link to="/webhooks/events" className={buttonClass('secondary')}>
            <BookOpen size={15} aria-hidden />
            {t('webhooks.catalogue')}
          </Link>
          {create}
        </>
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <DataTable
          name="webhooks"
          label={t('nav.webhooks')}
          rows={hooks ?? []}
          columns={columns()}
          rowId={({ id }) => id}
          isStale={false}
          footer={
            hooks === undefined ? (
              <Loading />
            ) : (
              hooks.length === 0 && (
                <EmptyState icon={<Webhook size={20} />} title={t('webhooks.none')} text={t('webhooks.noneText')}>
                  {create}
                </EmptyState>
              )
            )
          }
        />
      )}
    </Page>
  )
}
