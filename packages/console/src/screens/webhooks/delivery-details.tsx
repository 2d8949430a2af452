/** One delivery: its attempts with what the receiver answered, what was sent, and sending it again. */
import { RotateCw } from 'lucide-react'
import { may, type Row, useChange, usePage } from '../../api/client.ts'
import { moment } from '../../languages/formats.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Hook } from './hook.ts'

export type Delivery = Row<'listHookDeliveries'>
type Attempt = Row<'listHookLogs'>

const MOST = 100
const LIVE_MS = 3000

export const DELIVERY_STATES: Readonly<Record<Delivery['state'], { readonly title: Phrase; readonly tone: Tone }>> = {
  Waiting: { title: 'webhooks.waiting', tone: 'warn' },
  Held: { title: 'webhooks.held', tone: 'warn' },
  Sending: { title: 'webhooks.sending', tone: 'accent' },
  Delivered: { title: 'webhooks.delivered', tone: 'good' },
  Failed: { title: 'webhooks.failed', tone: 'bad' },
}

/** What the log of an attempt holds beside what every entry does. */
interface AttemptPayload {
  readonly deliveryId?: string
  readonly attempt?: number
  readonly durationMs?: number
  readonly error?: string
  readonly hookRequest?: { readonly body?: unknown }
  readonly response?: { readonly statusCode?: number; readonly headers?: unknown; readonly body?: unknown }
}
const payloadOf = ({ payload }: Attempt) => payload as AttemptPayload

const shown = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 2))

const AttemptRow = ({ entry }: { readonly entry: Attempt }) => {
  const { attempt, durationMs, error, response } = payloadOf(entry)
  const isGood = entry.payload.result === 'Success'
  return (
    <li className="rounded-xl border border-line p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={isGood ? 'good' : 'bad'}>{response?.statusCode ?? t('webhooks.noAnswer')}</Badge>
        <span className="font-medium">{t('webhooks.attempt', { number: attempt ?? 1 })}</span>
        <span className="text-soft text-xs">{t('webhooks.took', { ms: durationMs ?? 0 })}</span>
        <time className="ms-auto text-soft text-xs" dateTime={new Date(entry.createdAt).toISOString()}>
          {moment(entry.createdAt)}
        </time>
      </div>
      {error !== undefined && <p className="wrap-anywhere mt-2 text-bad">{error}</p>}
      {response?.body !== undefined && response.body !== null && response.body !== '' && (
        <div className="mt-2">
          <CodeBlock title={t('webhooks.response')} code={shown(response.body)} />
        </div>
      )}
    </li>
  )
}

interface DeliveryDetailsProps {
  readonly hook: Hook
  readonly delivery: Delivery
  readonly onClose: () => void
}

export const DeliveryDetails = ({ hook, delivery, onClose }: DeliveryDetailsProps) => {
  const { id, hookId, event, state, createdAt, nextAttemptAt, sequence } = delivery
  const { data, error } = usePage(
    'listHookLogs',
    { params: { id: hookId }, query: { logKey: `TriggerHook.${event}`, start_time: createdAt, page_size: MOST } },
    LIVE_MS,
  )
  const attempts = data?.rows.filter((entry) => payloadOf(entry).deliveryId === id)
  const sent = attempts?.[0] && payloadOf(attempts[0]).hookRequest?.body
  const retry = useChange('retryHookDelivery')
  return (
    <Dialog isOpen onClose={onClose} title={event} description={moment(createdAt)} shape="drawer">
      <div className="space-y-5">
        <div className="flex flex-wrap items-center gap-3">
          <Badge tone={DELIVERY_STATES[state].tone}>{t(DELIVERY_STATES[state].title)}</Badge>
          <span className="text-soft">
            {state === 'Held'
              ? t('webhooks.heldText')
              : nextAttemptAt !== null && t('webhooks.next', { when: moment(nextAttemptAt) })}
          </span>
          {may('retryHookDelivery') && hook.enabled && state !== 'Sending' && (
            <Button
              className="ms-auto"
              isBusy={retry.isPending}
              onClick={() =>
                retry.mutate(
                  { params: { id: hookId, deliveryId: id } },
                  { onSuccess: () => notify(t('webhooks.retried')) },
                )
              }
            >
              <RotateCw size={15} aria-hidden />
              {t('webhooks.retry')}
            </Button>
          )}
        </div>
        {retry.error && <ErrorState error={retry.error} />}
        <CopyField label={t('webhooks.deliveryId')} value={id} />
        <section>
          <h3 className="mb-2 font-semibold">{t('webhooks.attempts')}</h3>
          {error ? (
            <ErrorState error={error} />
          ) : attempts === undefined ? (
            <Loading lines={2} />
          ) : attempts.length === 0 ? (
            <p className="text-soft">{t('webhooks.notAttempted')}</p>
          ) : (
            <ul className="space-y-2">
              {attempts.map((entry) => (
                <AttemptRow key={entry.id} entry={entry} />
              ))}
            </ul>
          )}
        </section>
        {sent !== undefined && <CodeBlock title={t('webhooks.sent', { sequence })} code={shown(sent)} />}
      </div>
    </Dialog>
  )
}
