/** Says calmly that the server cannot be reached; when it is back, everything that is shown is read again. */
import { useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useIsLost } from '../api/connection.ts'
import { t } from '../languages/languages.ts'

export const ConnectionNotice = () => {
  const isLost = useIsLost()
  const wasLost = useRef(false)
  const queries = useQueryClient()
  useEffect(() => {
    if (wasLost.current && !isLost) void queries.invalidateQueries()
    wasLost.current = isLost
  }, [isLost, queries])
  return (
    <div aria-live="polite">
      {isLost && (
        <div className="fixed inset-x-4 bottom-4 z-60 mx-auto flex max-w-md items-start gap-3 rounded-xl border border-line bg-raised px-4 py-3 shadow-raised">
          <WifiOff aria-hidden size={18} className="mt-px shrink-0 text-warn" />
          <p>
            <span className="font-medium">{t('connection.lost')}</span>{' '}
            <span className="text-soft">{t('connection.lostText')}</span>
          </p>
        </div>
      )}
    </div>
  )
}
