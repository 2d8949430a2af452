/** Sends a sample of an event to a webhook at once, and says what the receiver made of it. */
import { EVENT_TYPES } from '@countersign/contract/events.ts'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { isEvent } from './catalogue.ts'
import { bodyOf, type Hook, valuesOf } from './hook.ts'

export const SendTest = ({ hook, onClose }: { readonly hook: Hook; readonly onClose: () => void }) => {
  const wanted = valuesOf(hook).events.split(',').filter(isEvent)
  const [event, setEvent] = useState(wanted[0] ?? EVENT_TYPES[0])
  const test = useChange('testHook')
  const input = {
    params: { id: hook.id },
    body: { events: event ? [event] : [], config: bodyOf(valuesOf(hook), hook).config },
  }
  return (
    <Dialog isOpen onClose={onClose} title={t('webhooks.test')} description={t('webhooks.testText')}>
      <form
        className="space-y-4"
        onSubmit={(submitted) => {
          submitted.preventDefault()
          test.mutate(input)
        }}
      >
        <Select
          label={t('webhooks.event')}
          value={event ?? ''}
          choices={(wanted.length > 0 ? wanted : EVENT_TYPES).map((each) => [each, each])}
          onChange={(next) => {
            test.reset()
            if (isEvent(next)) setEvent(next)
          }}
        />
        {test.error && <ErrorState error={test.error} />}
        {test.isSuccess && (
          <p role="status" className="flex items-start gap-3 rounded-xl bg-good-tint p-3 text-good">
            <CircleCheck size={18} aria-hidden className="shrink-0" />
            {t('webhooks.tested')}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <ShowApiCall
            calls={[{ id: 'testHook', input: { ...input, body: { ...input.body, config: { url: hook.config.url } } } }]}
          />
          <Button look="primary" type="submit" isBusy={test.isPending}>
            {t('webhooks.send')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
