/** Asks the server whether users could be sent to a provider now, and shows what is wrong. */
import { CircleAlert, CircleCheck } from 'lucide-react'
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { ErrorState } from '../../parts/states.tsx'

const TONES = { ok: 'bg-good-tint text-good', warning: 'bg-warn-tint text-warn', problem: 'bg-bad-tint text-bad' }

/** @param operation by the kind of connector @param id of the connector */
export const ProviderCheck = ({
  operation,
  id,
}: {
  readonly operation: 'checkConnectorProvider' | 'checkSsoConnectorProvider'
  readonly id: string
}) => {
  const check = useChange(operation)
  if (!may(operation)) return null
  const Icon = check.data?.verdict === 'ok' ? CircleCheck : CircleAlert
  return (
    <div className="mt-4 space-y-3">
      <Button isBusy={check.isPending} onClick={() => check.mutate({ params: { id } })}>
        {t('connectors.check')}
      </Button>
      {check.error && <ErrorState error={check.error} />}
      {check.data && (
        <div role="status" className={`flex items-start gap-3 rounded-xl p-3 ${TONES[check.data.verdict]}`}>
          <Icon size={18} aria-hidden className="mt-px shrink-0" />
          <div className="wrap-anywhere min-w-0">
            <p className="font-medium">{t(`connectors.check.${check.data.verdict}`)}</p>
            <p>{check.data.text}</p>
            {check.data.verdict === 'ok' && <p>{t('connectors.checked')}</p>}
          </div>
        </div>
      )}
    </div>
  )
}
