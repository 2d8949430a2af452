/** The end of a form of settings: save and discard, there only when something was changed. */
import { useEffect } from 'react'
import { onTheirsTaken } from '../api/conflict.ts'
import { t } from '../languages/languages.ts'
import { Button } from './button.tsx'

interface SaveBarProps {
  readonly isChanged: boolean
  readonly isBusy: boolean
  readonly onDiscard: () => void
}

export const SaveBar = ({ isChanged, isBusy, onDiscard }: SaveBarProps) => {
  useEffect(() => {
    if (isBusy) return onTheirsTaken(onDiscard)
  })
  return (
    <div className="mt-4 flex gap-2">
      <Button look="primary" type="submit" disabled={!isChanged} isBusy={isBusy}>
        {t('action.save')}
      </Button>
      {isChanged && <Button onClick={onDiscard}>{t('action.discard')}</Button>}
    </div>
  )
}
