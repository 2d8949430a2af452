/** Rotation of the signing keys: with which algorithm, and how long clients have to learn the new key before it signs. */
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '@countersign/contract/signing-keys.ts'
import { useState } from 'react'
import { type Answer, useChange } from '../../api/client.ts'
import { number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField } from '../../parts/select.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

const MINUTE = 60
/** Seconds. Clients keep the keys for five minutes. */
const GRACE = [0, 10 * MINUTE, 60 * MINUTE, 1440 * MINUTE, 7 * 1440 * MINUTE] as const
const USUAL = GRACE[1]
const ENOUGH = 5 * MINUTE

const lengthOf = (seconds: number): string => {
  if (seconds === 0) return t('keys.atOnce')
  if (seconds < 60 * MINUTE) return t('keys.minutes', { count: number(seconds / MINUTE) })
  if (seconds < 1440 * MINUTE) return t('keys.hours', { count: number(seconds / (60 * MINUTE)) })
  return t('keys.days', { count: number(seconds / (1440 * MINUTE)) })
}

interface RotateKeysProps {
  readonly current: Answer<'listSigningKeys'>[number] | undefined
  /** The rotation replaces a key that signs nothing yet. */
  readonly hasNext: boolean
  readonly onClose: () => void
}

export const RotateKeys = ({ current, hasNext, onClose }: RotateKeysProps) => {
  const rotate = useChange('rotateSigningKeys')
  const [algorithm, setAlgorithm] = useState<SigningAlgorithm>(current?.algorithm ?? 'ES256')
  const [grace, setGrace] = useState<number>(USUAL)
  const input = { body: { algorithm, rotationGracePeriod: grace } }
  return (
    <Dialog isOpen onClose={onClose} title={t('keys.rotate')} description={t('keys.rotateText')}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          rotate.mutate(input, {
            onSuccess: () => {
              notify(t('keys.rotated'))
              onClose()
            },
          })
        }}
      >
        <SelectField
          label={t('keys.algorithm')}
          value={algorithm}
          choices={SIGNING_ALGORITHMS.map((each) => [each, each])}
          onChange={(next) => setAlgorithm(next as SigningAlgorithm)}
        />
        <SelectField
          label={t('keys.grace')}
          value={String(grace)}
          choices={GRACE.map((each) => [String(each), lengthOf(each)])}
          onChange={(next) => setGrace(Number(next))}
        />
        {hasNext && <p className="rounded-lg bg-hover p-3">{t('keys.replacesNext')}</p>}
        {grace < ENOUGH && <p className="rounded-lg bg-warn-tint p-3 text-warn">{t('keys.graceWarning')}</p>}
        {current && algorithm !== current.algorithm && (
          <p className="rounded-lg bg-warn-tint p-3 text-warn">
            {t('keys.algorithmWarning', { before: current.algorithm, after: algorithm })}
          </p>
        )}
        {rotate.error && <ErrorState error={rotate.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <ShowApiCall calls={[{ id: 'rotateSigningKeys', input }]} />
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" isBusy={rotate.isPending}>
            {t('keys.rotate')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
