/** The streams of Shared Signals: which application is told what happens to its users, and whether it arrives. */
import { Link } from '@tanstack/react-router'
import { Pause, Play, RadioTower, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { ago, number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

type Stream = Answer<'listSignalStreams'>[number]

const QUERY = { page_size: 100 } as const

const stateOf = ({ status, failingSince }: Stream): { readonly tone: Tone; readonly word: string } => {
  if (status === 'paused') return { tone: 'warn', word: t('signals.paused') }
  if (status === 'disabled') return { tone: 'plain', word: t('webhooks.off') }
  return failingSince === null ? { tone: 'good', word: t('webhooks.on') } : { tone: 'bad', word: t('webhooks.failing') }
}

/** Pauses a stream, lets it continue, deletes it. */
const Actions = ({ stream }: { readonly stream: Stream }) => {
  const [isAsked, ask] = useState(false)
  const change = useChange('setSignalStreamStatus')
  const remove = useChange('deleteSignalStream')
  const { id, status } = stream
  const isPaused = status === 'paused'
  const pause = (isOn: boolean, undo?: () => void) =>
    change.mutate(
      { params: { id }, body: { status: isOn ? 'paused' : 'enabled' } },
      { onSuccess: () => notify(t(isOn ? 'signals.pausedNotice' : 'signals.continues'), undo) },
    )
  const close = () => {
    ask(false)
    remove.reset()
  }
  return (
    <span className="relative flex gap-2">
      {may('setSignalStreamStatus') && status !== 'disabled' && (
        <Button isBusy={change.isPending} onClick={() => pause(!isPaused, () => pause(isPaused))}>
          {isPaused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
          <span className="max-sm:sr-only">{t(isPaused ? 'signals.continue' : 'signals.pause')}</span>
        </Button>
      )}
      {may('deleteSignalStream') && (
        <Button onClick={() => ask(true)} aria-label={t('signals.delete')}>
          <Trash2 size={15} aria-hidden />
        </Button>
      )}
      <Confirm
        isOpen={isAsked}
        onClose={close}
        title={t('signals.delete')}
        text={t('signals.deleteText')}
        action={t('signals.delete')}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(
            { params: { id } },
            {
              onSuccess: () => {
                close()
                notify(t('signals.deleted'))
              },
            },
          )
        }
      />
    </span>
  )
}

const columns = (): Column<Stream>[] => [
  {
    id: 'application',
    title: t('signals.application'),
    cell: ({ application, endpointUrl, statusReason }) => (
      <>
        <Link to="/applications/$id" params={{ id: application.id }} className="block truncate font-medium">
          {application.name}
        </Link>
        <span className="block truncate font-mono text-soft text-xs">{endpointUrl ?? t('signals.poll')}</span>
        {statusReason !== null && (
          <span className="wrap-anywhere mt-1 line-clamp-4 text-soft text-xs">{statusReason}</span>
        )}
      </>
    ),
  },
  {
    id: 'state',
    title: t('webhooks.state'),
    cell: (stream) => {
      const { tone, word } = stateOf(stream)
      return <Badge tone={tone}>{word}</Badge>
    },
  },
  {
    id: 'waiting',
    title: t('webhooks.waiting'),
    isWide: true,
    cell: ({ waitingCount, oldestWaitingAt }) =>
      oldestWaitingAt === null ? (
        <span className="text-soft">–</span>
      ) : (
        <span className="tabular-nums">
          {t('webhooks.backlog', { count: number(waitingCount), when: ago(oldestWaitingAt) })}
        </span>
      ),
  },
  {
    id: 'error',
    title: t('signals.lastError'),
    isWide: true,
    cell: ({ lastError, lastErrorAt }) =>
      lastError === null || lastErrorAt === null ? (
        <span className="text-soft">–</span>
      ) : (
        <>
          <span className="wrap-anywhere block">{lastError}</span>
          <span className="block text-soft text-xs">{ago(lastErrorAt)}</span>
        </>
      ),
  },
  { id: 'actions', title: t('signals.actions'), cell: (stream) => <Actions stream={stream} /> },
]

export const Signals = () => {
  const { data: streams, error, refetch } = useAnswer('listSignalStreams', { query: QUERY })
  return (
    <Page
      title={t('signals.title')}
      text={t('signals.text')}
      up={{ to: '/webhooks', title: t('nav.webhooks') }}
      actions={<ShowApiCall calls={[{ id: 'listSignalStreams', input: { query: QUERY } }]} />}
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <DataTable
          name="signals"
          label={t('signals.title')}
          rows={streams ?? []}
          columns={columns()}
          rowId={({ id }) => id}
          isStale={false}
          footer={
            streams === undefined ? (
              <Loading />
            ) : (
              streams.length === 0 && (
                <EmptyState icon={<RadioTower size={20} />} title={t('signals.none')} text={t('signals.noneText')} />
              )
            )
          }
        />
      )}
    </Page>
  )
}
