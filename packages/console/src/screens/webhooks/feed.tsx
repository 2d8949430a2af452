/** The feed of events, live: what was published last, whatever webhooks there are. */

import { getRouteApi, Link } from '@tanstack/react-router'
import { BookOpen, Pause, Play, Radio, SearchX } from 'lucide-react'
import { Fragment, useState } from 'react'
import { type Answer, useAnswer } from '../../api/client.ts'
import { ago, moment, number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Ago } from '../../parts/ago.tsx'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Page } from '../../parts/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { EventSelect } from './event-select.tsx'

type Event = Answer<'readEvents'>['events'][number]

const LIVE_MS = 2000
const SHOWN = 50
const route = getRouteApi('/webhooks/feed')

/** What events concern, as far as one line tells it. */
interface Subject {
  readonly id?: unknown
  readonly name?: unknown
  readonly username?: unknown
  readonly primaryEmail?: unknown
}

const subjectOf = (event: Event): string => {
  const { data, user } = event as { readonly data?: Subject | null; readonly user?: Subject | null }
  const { name, username, primaryEmail, id } = data ?? user ?? {}
  return (
    [name, username, primaryEmail, id].find((each): each is string => typeof each === 'string' && each !== '') ?? ''
  )
}

/** How many committed events wait for their number, and since when. */
const Lag = () => {
  const { data } = useAnswer('getHealth', {}, true, LIVE_MS)
  if (!data) return null
  const { waiting, oldestAt } = data.events
  return waiting === 0 || oldestAt === null ? (
    <span className="text-soft">{t('webhooks.noLag')}</span>
  ) : (
    <span className="font-medium text-warn">{t('webhooks.lag', { count: number(waiting), when: ago(oldestAt) })}</span>
  )
}

const EventDetails = ({ event, onClose }: { readonly event: Event; readonly onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title={event.event} description={moment(Date.parse(event.createdAt))} shape="drawer">
    <div className="space-y-5">
      <CopyField label={t('webhooks.deliveryId')} value={event.id} />
      <CodeBlock title={t('webhooks.payload', { sequence: event.sequence })} code={JSON.stringify(event, null, 2)} />
      <Link to="/webhooks/events" search={{ event: event.event }} className={buttonClass('secondary')}>
        <BookOpen size={15} aria-hidden />
        {t('webhooks.schema', { event: event.event })}
      </Link>
    </div>
  </Dialog>
)

/** The name of an event, which may break after its dots where it is too long for a line. */
const Dotted = ({ name }: { readonly name: string }) =>
  name.split('.').map((part, at) => (
    <Fragment key={part}>
      {at > 0 && (
        <>
          .<wbr />
        </>
      )}
      {part}
    </Fragment>
  ))

export const EventFeed = () => {
  const { event: type } = route.useSearch()
  const navigate = route.useNavigate()
  const [isLive, setLive] = useState(true)
  const [opened, setOpened] = useState<Event>()
  const query = { last: SHOWN, ...(type ? { event: type } : {}) }
  const { data, error, refetch } = useAnswer('readEvents', { query }, true, isLive ? LIVE_MS : undefined)
  const events = data?.events.toReversed()
  return (
    <Page
      title={t('webhooks.feed')}
      text={t('webhooks.feedText')}
      up={{ to: '/webhooks', title: t('nav.webhooks') }}
      actions={
        <>
          <ShowApiCall
            calls={[
              {
                id: 'readEvents',
                input: { query: { after: data?.nextCursor ?? '…', ...(type ? { event: type } : {}) } },
              },
            ]}
          />
          <Button onClick={() => setLive(!isLive)} aria-pressed={isLive}>
            {isLive ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
            {isLive ? t('log.pause') : t('log.live')}
          </Button>
        </>
      }
    >
      <section className="overflow-hidden rounded-xl border border-line bg-surface">
        <div className="flex flex-wrap items-center gap-2 border-line border-b p-3">
          <EventSelect
            value={type}
            onChange={(event) => void navigate({ search: event ? { event } : {}, replace: true })}
          />
          <div className="ms-auto px-1 text-xs" aria-live="polite">
            <Lag />
          </div>
        </div>
        {error ? (
          <ErrorState error={error} retry={refetch} />
        ) : events === undefined ? (
          <Loading />
        ) : events.length === 0 ? (
          <EmptyState
            icon={type ? <SearchX size={20} /> : <Radio size={20} />}
            title={type ? t('state.noMatch') : t('webhooks.noEvents')}
            text={type ? t('state.noMatchText') : t('webhooks.noEventsText')}
          />
        ) : (
          <ul aria-label={t('webhooks.events')}>
            {events.map((each) => (
              <li key={each.id} className="border-line not-last:border-b">
                <button
                  type="button"
                  onClick={() => setOpened(each)}
                  className="flex w-full items-start gap-3 px-4 py-2.5 text-start -outline-offset-2 hover:bg-hover"
                >
                  <span className="w-14 shrink-0 pt-0.5 text-soft text-xs tabular-nums max-md:w-auto max-md:min-w-6">
                    {number(each.sequence)}
                  </span>
                  <span className="min-w-0 flex-1">
                    <span className="wrap-anywhere block font-medium">
                      <Dotted name={each.event} />
                    </span>
                    <span className="block truncate text-soft text-xs">{subjectOf(each)}</span>
                  </span>
                  <Ago at={Date.parse(each.createdAt)} className="mt-0.5 shrink-0 text-xs" />
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
      {opened && <EventDetails event={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  )
}
