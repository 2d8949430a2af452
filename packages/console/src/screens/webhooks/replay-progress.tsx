/** How far a period that is sent again has come: how many are sent, and how many have failed. */
import { CircleCheck } from 'lucide-react'
import { usePage } from '../../api/client.ts'
import { number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'

const LIVE_MS = 1000

interface ReplayProgressProps {
  readonly hookId: string
  readonly since: number
  readonly until: number | undefined
  /** How many were queued. */
  readonly count: number
}

export const ReplayProgress = ({ hookId, since, until, count }: ReplayProgressProps) => {
  const period = { start_time: since, ...(until === undefined ? {} : { end_time: until }), page_size: 1 }
  const of = (state: 'Waiting' | 'Sending' | 'Failed') => ({ params: { id: hookId }, query: { ...period, state } })
  const { data: waiting } = usePage('listHookDeliveries', of('Waiting'), LIVE_MS)
  const { data: sending } = usePage('listHookDeliveries', of('Sending'), LIVE_MS)
  const { data: failed } = usePage('listHookDeliveries', of('Failed'), LIVE_MS)
  if (!waiting || !sending || !failed) return <progress className="h-2 w-full accent-accent-fill" max={count} />
  const left = Math.min(count, waiting.total + sending.total)
  // more are left than the server counts
  const done = waiting.isTotalCapped ? 0 : count - left
  return (
    <div className="space-y-3">
      <progress
        aria-label={t('webhooks.replay')}
        className="h-2 w-full accent-accent-fill"
        max={Math.max(count, 1)}
        value={count === 0 ? 1 : done}
      />
      {left === 0 ? (
        <p role="status" className="flex items-start gap-3 rounded-xl bg-good-tint p-3 text-good">
          <CircleCheck size={18} aria-hidden className="shrink-0" />
          {count === 0 ? t('webhooks.nothingToReplay') : t('webhooks.replayDone', { count: number(count) })}
        </p>
      ) : (
        <p aria-live="polite" className="tabular-nums">
          {waiting.isTotalCapped
            ? t('webhooks.replayMany', { count: number(waiting.total) })
            : t('webhooks.replayLeft', { done: number(done), count: number(count) })}
        </p>
      )}
      {failed.total > 0 && <p className="text-bad">{t('webhooks.replayFailed', { count: number(failed.total) })}</p>}
    </div>
  )
}
