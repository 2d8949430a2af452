/** What is shown when the console cannot open: another address, no permissions, or a server that does not answer. */
import { useEffect } from 'react'
import { doubtConnection } from '../api/connection.ts'
import { isOffline } from '../api/failure.ts'
import { t } from '../languages/languages.ts'
import { Button, buttonClass } from '../parts/button.tsx'
import { MarkIcon } from '../parts/mark.tsx'
import { OtherAddress } from '../session/authorization.ts'
import { signIn } from '../session/session.ts'

/** The server does not answer: the page is loaded again as soon as it does. */
const Waiting = () => {
  useEffect(() => void doubtConnection().then(() => location.reload()), [])
  return (
    <p role="status" className="text-soft">
      {t('connection.lost')} {t('connection.lostText')}
    </p>
  )
}

export const NotOpened = ({ error }: { readonly error: unknown }) => (
  <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-3 px-6">
    <MarkIcon size={32} />
    <h1 className="font-semibold text-xl">{t('notOpened.title')}</h1>
    {error instanceof OtherAddress ? (
      <>
        <p className="text-soft">{t('notOpened.address')}</p>
        <a href={error.address} className={buttonClass('primary')}>
          {error.address}
        </a>
      </>
    ) : isOffline(error) ? (
      <Waiting />
    ) : (
      <>
        <p className="wrap-anywhere text-soft">{error instanceof Error ? error.message : String(error)}</p>
        <div className="flex gap-2">
          <Button look="primary" onClick={() => location.reload()}>
            {t('action.retry')}
          </Button>
          <Button onClick={() => void signIn({}, 'select_account')}>{t('session.signIn')}</Button>
        </div>
      </>
    )}
  </main>
)
