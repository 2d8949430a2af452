/** The dialog for what cannot go on without the administrator: the session has ended, or a fresh proof is asked for. */
import { useEffect, useState } from 'react'
import { t } from '../languages/languages.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import type { StepUp } from '../session/authorization.ts'
import { onInterruption, SessionEnded, signIn } from '../session/session.ts'

export const Interruption = () => {
  const [reason, setReason] = useState<SessionEnded | StepUp>()
  useEffect(() => onInterruption(setReason), [])
  const isEnd = reason instanceof SessionEnded
  return (
    <Dialog
      isOpen={reason !== undefined}
      onClose={() => setReason(undefined)}
      title={isEnd ? t('session.ended') : t('session.proof')}
      description={isEnd ? t('session.endedText') : t('session.proofText')}
    >
      <div className="flex justify-end gap-2">
        <Button onClick={() => setReason(undefined)}>{t('action.notNow')}</Button>
        <Button look="primary" onClick={() => void signIn(reason instanceof SessionEnded ? {} : reason)}>
          {isEnd ? t('session.signIn') : t('session.confirm')}
        </Button>
      </div>
    </Dialog>
  )
}
