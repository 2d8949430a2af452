/** What a screen shows when there is nothing to show: loading, nothing yet, a failure with its request id. */
import { CircleAlert, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Overtaken } from '../api/conflict.ts'
import { useIsLost } from '../api/connection.ts'
import { failureOf, isOffline, isTimeout, OutcomeUnknown } from '../api/failure.ts'
import { t } from '../languages/languages.ts'
import { Button } from './button.tsx'

/** Lines in the place of what comes; said once to screen readers. */
export const Loading = ({ lines = 5 }: { readonly lines?: number }) => (
  <div role="status" className="space-y-3 p-4">
    <span className="sr-only">{t('state.loading')}</span>
    {Array.from({ length: lines }, (_line, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move
      <div key={at} aria-hidden className={`h-4 animate-pulse rounded bg-hover ${at % 2 ? 'w-2/3' : 'w-full'}`} />
    ))}
  </div>
)

interface EmptyProps {
  readonly icon: ReactNode
  readonly title: string
  readonly text?: string
  readonly children?: ReactNode
}

export const EmptyState = ({ icon, title, text, children }: EmptyProps) => (
  <div className="flex flex-col items-center px-6 py-14 text-center">
    <div aria-hidden className="mb-4 flex size-11 items-center justify-center rounded-xl bg-accent-tint text-accent">
      {icon}
    </div>
    <p className="font-semibold">{title}</p>
    {text && <p className="mt-1 max-w-md text-soft">{text}</p>}
    {children && <div className="mt-5 flex flex-wrap justify-center gap-2">{children}</div>}
  </div>
)

/** What needs attention and is no failure. */
const Notice = ({ children }: { readonly children: ReactNode }) => (
  <div role="alert" className="m-4 flex items-start gap-3 rounded-xl bg-warn-tint p-4 text-warn">
    <CircleAlert aria-hidden size={18} className="mt-px shrink-0" />
    <p className="min-w-0 flex-1 font-medium">{children}</p>
  </div>
)

/** A change of which it is not known whether it arrived; once the server is back, the screen shows what it has. */
const Unknown = () => <Notice>{t(useIsLost() ? 'state.unknown' : 'state.unknownBack')}</Notice>

/** A failure in words, with the id that finds the request in the log. */
export const ErrorState = ({ error, retry }: { readonly error: unknown; readonly retry?: () => unknown }) => {
  if (error instanceof OutcomeUnknown) return <Unknown />
  if (error instanceof Overtaken) return error.choice === 'theirs' ? null : <Notice>{t('conflict.notSaved')}</Notice>
  const { sentence, requestId } = failureOf(error)
  const isLost = isOffline(error)
  const lost = t(isTimeout(error) ? 'state.timeout' : 'state.offline')
  return (
    <div role="alert" className="m-4 flex items-start gap-3 rounded-xl bg-bad-tint p-4 text-bad">
      {isLost ? <WifiOff aria-hidden size={18} /> : <CircleAlert aria-hidden size={18} />}
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-medium">{isLost ? lost : (sentence ?? t('state.failed'))}</p>
        {requestId && <p className="mt-1 font-mono text-xs">{t('state.request', { id: requestId })}</p>}
      </div>
      {retry && <Button onClick={() => void retry()}>{t('action.retry')}</Button>}
    </div>
  )
}
