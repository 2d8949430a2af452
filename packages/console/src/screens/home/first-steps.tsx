/** The first steps of a new tenant: an application, and the first sign-in, which is waited for live. */
import { Link } from '@tanstack/react-router'
import { Check, PartyPopper } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { may, type Row, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { buttonClass, Spinner } from '../../parts/button.tsx'
import { CONSOLE_ID } from '../log/words.ts'
import { TryIt } from '../sign-in/try-it.tsx'

const LIVE_MS = 2000
const READ = 20

const Step = ({
  number,
  title,
  text,
  isDone,
  isCurrent,
  children,
}: {
  readonly number: number
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  readonly isCurrent: boolean
  readonly children?: ReactNode
}) => (
  <li
    className="flex items-start gap-4 border-line px-5 py-4 not-last:border-b"
    aria-current={isCurrent ? 'step' : undefined}
  >
    <span
      className={`mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full font-semibold text-xs ${
        isDone ? 'bg-good-tint text-good' : isCurrent ? 'bg-accent-fill text-on-accent' : 'bg-hover text-soft'
      }`}
    >
      {isDone ? <Check size={14} aria-label={t('first.done')} /> : number}
    </span>
    <div className="min-w-0 flex-1">
      <div className={`font-medium ${isDone ? 'text-soft' : ''}`}>{title}</div>
      {isCurrent && <p className="mt-0.5 text-soft">{text}</p>}
      {isCurrent && children && <div className="mt-3 flex flex-wrap items-center gap-3">{children}</div>}
    </div>
  </li>
)

interface Steps {
  /** Applications of the tenant's own, newest first. */
  readonly own: readonly Row<'listApplications'>[]
  readonly hasSignedIn: boolean
}

/** Whether a sign-in at an application of the tenant's own is in the log. */
const useFirstSignIn = (isWaiting: boolean, mayKnow: boolean) => {
  const { data, error } = usePage(
    'listLogs',
    { query: { page: 1, page_size: READ, logKey: 'ExchangeTokenBy.AuthorizationCode' } },
    isWaiting ? LIVE_MS : undefined,
    mayKnow,
  )
  const hasSignedIn = data?.rows.some(
    ({ payload }) => payload.result === 'Success' && payload.applicationId !== CONSOLE_ID,
  )
  return { hasSignedIn, error }
}

/** Which steps are to be shown; null: none, undefined: it is not known yet. */
export const useFirstSteps = (): Steps | null | undefined => {
  const mayKnow = may('listApplications', 'listLogs')
  const applications = usePage(
    'listApplications',
    { query: { page: 1, page_size: READ, types: ['SPA', 'Traditional', 'Native'] } },
    undefined,
    mayKnow,
  )
  const [isWaiting, setWaiting] = useState(true)
  const signIns = useFirstSignIn(isWaiting, mayKnow)
  const { hasSignedIn } = signIns
  const waited = useRef(false)
  useEffect(() => {
    if (hasSignedIn === false) waited.current = true
    if (hasSignedIn) setWaiting(false)
  }, [hasSignedIn])
  if (!mayKnow) return null
  const own = applications.data?.rows.filter(({ id }) => id !== CONSOLE_ID)
  if (own === undefined || hasSignedIn === undefined) return applications.error || signIns.error ? null : undefined
  return hasSignedIn && !waited.current ? null : { own, hasSignedIn }
}

export const FirstSteps = ({ steps: { own, hasSignedIn } }: { readonly steps: Steps }) => {
  const latest = own[0]
  const hasApplication = latest !== undefined
  return (
    <section aria-label={t('first.title')} className="mb-4 overflow-hidden rounded-xl border border-line bg-surface">
      <div className="border-line border-b px-5 py-4">
        <h2 className="font-semibold">{t('first.title')}</h2>
        <p className="text-soft">{t('first.text')}</p>
      </div>
      <ol aria-live="polite">
        <Step number={1} title={t('first.administrator')} text="" isDone isCurrent={false} />
        <Step
          number={2}
          title={t('first.application')}
          text={t('first.applicationText')}
          isDone={hasApplication}
          isCurrent={!hasApplication}
        >
          {may('createApplication') && (
            <Link to="/applications/new" className={buttonClass('primary')}>
              {t('applications.create')}
            </Link>
          )}
        </Step>
        <Step
          number={3}
          title={hasSignedIn ? t('first.signedIn') : t('first.signIn')}
          text={t('first.signInText')}
          isDone={hasSignedIn}
          isCurrent={hasApplication && !hasSignedIn}
        >
          {latest && (
            <Link to="/applications/$id" params={{ id: latest.id }} className={buttonClass('primary')}>
              {t('first.code', { name: latest.name })}
            </Link>
          )}
          {own.some(({ type }) => type !== 'Traditional') && <TryIt />}
          <span className="flex items-center gap-2 text-soft">
            <Spinner />
            {t('first.waiting')}
          </span>
        </Step>
      </ol>
      {hasSignedIn && (
        <p className="flex items-center gap-2 bg-good-tint px-5 py-3 font-medium text-good">
          <PartyPopper size={16} aria-hidden />
          {t('first.finished')}
        </p>
      )}
    </section>
  )
}
