/** What can be done with a webhook: send a test, send a period again, switch it off and on. */
import { History, Power, Send } from 'lucide-react'
import { useState } from 'react'
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Hook } from './hook.ts'
import { Replay } from './replay.tsx'
import { SendTest } from './send-test.tsx'

export const HookActions = ({ hook }: { readonly hook: Hook }) => {
  const [open, setOpen] = useState<'test' | 'replay'>()
  const update = useChange('updateHook')
  const { id, enabled } = hook
  const close = () => setOpen(undefined)
  const enable = (isOn: boolean, undo?: () => void) =>
    update.mutate(
      { params: { id }, body: { enabled: isOn } },
      { onSuccess: () => notify(t(isOn ? 'webhooks.switchedOn' : 'webhooks.switchedOff'), undo) },
    )
  return (
    <>
      {may('testHook') && (
        <Button onClick={() => setOpen('test')}>
          <Send size={15} aria-hidden />
          {t('webhooks.test')}
        </Button>
      )}
      {may('replayHook') && enabled && (
        <Button onClick={() => setOpen('replay')}>
          <History size={15} aria-hidden />
          {t('webhooks.replay')}
        </Button>
      )}
      {may('updateHook') && (
        <Button isBusy={update.isPending} onClick={() => enable(!enabled, () => enable(enabled))}>
          <Power size={15} aria-hidden />
          {t(enabled ? 'webhooks.switchOff' : 'webhooks.switchOn')}
        </Button>
      )}
      {open === 'test' && <SendTest hook={hook} onClose={close} />}
      {open === 'replay' && <Replay hook={hook} onClose={close} />}
    </>
  )
}
