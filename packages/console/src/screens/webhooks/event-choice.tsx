/** Which events a webhook is sent: by group, each with when it occurs. */
import { type EventType, occasionOf } from '@countersign/contract/events.ts'
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { t } from '../../languages/languages.ts'
import { EVENT_GROUPS } from './catalogue.ts'

interface EventChoiceProps {
  /** With commas between them. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
  readonly isReadOnly: boolean
}

export const EventChoice = ({ value, onChange, error, isReadOnly }: EventChoiceProps) => {
  const id = useId()
  const chosen = new Set(value === '' ? [] : value.split(','))
  const put = (events: readonly EventType[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const event of events) isChosen ? next.add(event) : next.delete(event)
    onChange([...next].sort().join(','))
  }
  return (
    <fieldset disabled={isReadOnly} aria-describedby={error === undefined ? undefined : id} className="min-w-0">
      <legend className="mb-2 font-medium">{t('webhooks.events')}</legend>
      {error !== undefined && (
        <p id={id} role="alert" className="mb-2 text-bad text-xs">
          {error}
        </p>
      )}
      <div className="divide-y divide-line overflow-hidden rounded-xl border border-line">
        {EVENT_GROUPS.map(({ title, events }) => {
          const count = events.filter((event) => chosen.has(event)).length
          return (
            <details key={title} className="group" open={count > 0 || title === 'webhooks.group.signIns' || undefined}>
              <summary className="flex list-none items-center gap-2 px-4 py-2.5 font-medium -outline-offset-2 hover:bg-hover">
                <ChevronRight
                  size={15}
                  aria-hidden
                  className="transition-transform group-open:rotate-90 rtl:rotate-180 rtl:group-open:rotate-90"
                />
                <span className="flex-1">{t(title)}</span>
                <span className={`text-xs tabular-nums ${count > 0 ? 'text-accent' : 'text-soft'}`}>
                  {t('webhooks.chosen', { count, total: events.length })}
                </span>
              </summary>
              <div className="grid gap-x-4 px-4 pb-3 sm:grid-cols-2">
                <label className="col-span-full flex cursor-pointer items-center gap-3 py-1.5 text-soft">
                  <input
                    type="checkbox"
                    checked={count === events.length}
                    onChange={({ target }) => put(events, target.checked)}
                    className="size-4 accent-accent-fill"
                  />
                  {t('webhooks.wholeGroup')}
                </label>
                {events.map((event) => (
                  <label key={event} className="flex min-w-0 cursor-pointer items-start gap-3 py-1.5">
                    <input
                      type="checkbox"
                      checked={chosen.has(event)}
                      onChange={({ target }) => put([event], target.checked)}
                      className="mt-0.5 size-4 shrink-0 accent-accent-fill"
                    />
                    <span className="min-w-0">
                      <span className="wrap-anywhere block font-mono text-xs leading-5">{event}</span>
                      <span className="block text-soft text-xs">{occasionOf(event)}</span>
                    </span>
                  </label>
                ))}
              </div>
            </details>
          )
        })}
      </div>
    </fieldset>
  )
}
