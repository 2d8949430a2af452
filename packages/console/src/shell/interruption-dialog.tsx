/** The dialog for what cannot go on without the administrator: the session has ended, or a fresh proof is asked for. */
import { t } from '../languages/languages.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import type { StepUp } from '../session/authorization.ts'
import { SessionEnded, signIn } from '../session/session.ts'

interface Props {
  readonly reason: SessionEnded | StepUp
  readonly onClose: () => void
}

export const InterruptionDialog = ({ reason, onClose }: Props) => {
  const isEnd = reason instanceof SessionEnded
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isEnd ? t('session.ended') : t('session.proof')}
      description={isEnd ? t('session.endedText') : t('session.proofText')}
    >
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('action.notNow')}</Button>
        <Button look="primary" onClick={() => void signIn(isEnd ? {} : reason)}>
          {isEnd ? t('session.signIn') : t('session.confirm')}
        </Button>
      </div>
    </Dialog>
  )
}
