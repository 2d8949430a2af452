/** Sends the events of a period again, and shows how far that has come. */
import { useId, useState } from 'react'
import { useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { inputClass } from '../../parts/field.tsx'
import { ErrorState } from '../../parts/states.tsx'
import type { Hook } from './hook.ts'
import { ReplayProgress } from './replay-progress.tsx'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** A moment as an input of type datetime-local holds it, in the time zone of the browser. */
const localOf = (at: number): string =>
  new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)

const When = ({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) => {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <input
        id={id}
        type="datetime-local"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={inputClass}
      />
    </div>
  )
}

export const Replay = ({ hook: { id }, onClose }: { readonly hook: Hook; readonly onClose: () => void }) => {
  const [since, setSince] = useState(() => localOf(Date.now() - HOUR_MS))
  const [until, setUntil] = useState('')
  const replay = useChange('replayHook')
  const body = { since: Date.parse(since), ...(until ? { until: Date.parse(until) } : {}) }
  return (
    <Dialog isOpen onClose={onClose} title={t('webhooks.replay')} description={t('webhooks.replayText')}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          replay.mutate({ params: { id }, body })
        }}
      >
        {replay.data && replay.variables ? (
          <ReplayProgress
            hookId={id}
            since={replay.variables.body.since}
            until={replay.variables.body.until}
            count={replay.data.count}
          />
        ) : (
          <div className="grid gap-4 sm:grid-cols-2">
            <When label={t('webhooks.since')} value={since} onChange={setSince} />
            <When label={t('webhooks.until')} value={until} onChange={setUntil} />
          </div>
        )}
        {replay.error && <ErrorState error={replay.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          {replay.data ? (
            <Button onClick={onClose}>{t('action.close')}</Button>
          ) : (
            <>
              <ShowApiCall calls={[{ id: 'replayHook', input: { params: { id }, body } }]} />
              <Button onClick={onClose}>{t('action.cancel')}</Button>
              <Button look="primary" type="submit" disabled={since === ''} isBusy={replay.isPending}>
                {t('webhooks.send')}
              </Button>
            </>
          )}
        </div>
      </form>
    </Dialog>
  )
}
