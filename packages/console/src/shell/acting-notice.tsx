/** On every screen: as whom the administrator acts, why and until when, and the way to end it. The server says so, also after a reload. */
import { useQueryClient } from '@tanstack/react-query'
import { VenetianMask } from 'lucide-react'
import { useEffect } from 'react'
import { type Answer, may, useAnswer, useChange } from '../api/client.ts'
import { time } from '../languages/formats.ts'
import { t } from '../languages/languages.ts'
import { Button } from '../parts/button.tsx'
import { notify } from '../parts/toast.tsx'
import { titleOf } from '../screens/users/search.ts'
import { currentTokens } from '../session/session.ts'

const MOST = 20

const Acting = ({ id, userId, reason, expiresAt }: Answer<'listImpersonations'>[number]) => {
  const { data: user } = useAnswer('getUser', { params: { userId } })
  const end = useChange('deleteImpersonation')
  const queries = useQueryClient()
  useEffect(() => {
    const readAgain = () => void queries.invalidateQueries({ queryKey: ['listImpersonations'] })
    const timer = setTimeout(readAgain, Math.max(0, expiresAt - Date.now()))
    return () => clearTimeout(timer)
  }, [expiresAt, queries])
  const name = user ? titleOf(user) : userId
  return (
    <div className="flex items-center gap-3 border-line border-b bg-warn-tint px-4 py-2 md:px-8">
      <VenetianMask aria-hidden size={18} className="shrink-0 text-warn" />
      <p className="wrap-anywhere min-w-0 flex-1">{t('acting.banner', { name, reason, time: time(expiresAt) })}</p>
      {may('deleteImpersonation') && (
        <Button
          aria-label={t('acting.endLabel', { name })}
          isBusy={end.isPending}
          onClick={() =>
            // this notice is gone by then
            void end.mutateAsync({ params: { id } }).then(
              () => notify(t('acting.ended', { time: time(expiresAt) })),
              // it may have ended by itself
              () => queries.invalidateQueries({ queryKey: ['listImpersonations'] }),
            )
          }
        >
          {t('acting.end')}
        </Button>
      )}
    </div>
  )
}

export const ActingNotice = () => {
  const query = { actorId: currentTokens().user.id, page: 1, page_size: MOST }
  const { data: current = [] } = useAnswer('listImpersonations', { query })
  return (
    <div aria-live="polite" className="sticky top-0 z-20 max-md:top-14">
      {current.map((each) => (
        <Acting key={each.id} {...each} />
      ))}
    </div>
  )
}
