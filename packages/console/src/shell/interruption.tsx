/** Listens for what cannot go on without the administrator; the dialog that says so is loaded when it is needed. */
import { lazy, Suspense, useEffect, useState } from 'react'
import type { StepUp } from '../session/authorization.ts'
import { onInterruption, type SessionEnded } from '../session/session.ts'

const InterruptionDialog = lazy(async () => ({
  default: (await import('./interruption-dialog.tsx')).InterruptionDialog,
}))

export const Interruption = () => {
  const [reason, setReason] = useState<SessionEnded | StepUp>()
  useEffect(() => onInterruption(setReason), [])
  if (!reason) return null
  return (
    <Suspense>
      <InterruptionDialog reason={reason} onClose={() => setReason(undefined)} />
    </Suspense>
  )
}
