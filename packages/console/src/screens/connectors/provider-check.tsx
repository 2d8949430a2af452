/** Asks the server whether users could be sent to a provider now, and shows what is wrong. */
import { CircleAlert, CircleCheck } from 'lucide-react'
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { foundText } from '../../parts/findings.ts'
import { ErrorState } from '../../parts/states.tsx'

const TONES = { ok: 'bg-good-tint text-good', warning: 'bg-warn-tint text-warn', problem: 'bg-bad-tint text-bad' }

/** @param id of the connector */
export const ProviderCheck = ({ kind, id }: { readonly kind: 'social' | 'enterprise'; readonly id: string }) => {
  const social = useChange('checkConnectorProvider')
  const enterprise = useChange('checkSsoConnectorProvider')
  const check = kind === 'social' ? social : enterprise
  if (!may('checkConnectorProvider', 'checkSsoConnectorProvider')) return null
  const ask = () =>
    kind === 'social' ? social.mutate({ params: { connectorId: id } }) : enterprise.mutate({ params: { id } })
  const Icon = check.data?.verdict === 'ok' ? CircleCheck : CircleAlert
  return (
    <div className="mt-4 space-y-3">
      <Button isBusy={check.isPending} onClick={ask}>
        {t('connectors.check')}
      </Button>
      {check.error && <ErrorState error={check.error} />}
      {check.data && (
        <div role="status" className={`flex items-start gap-3 rounded-xl p-3 ${TONES[check.data.verdict]}`}>
          <Icon size={18} aria-hidden className="mt-px shrink-0" />
          <div className="wrap-anywhere min-w-0">
            <p className="font-medium">{t(`connectors.check.${check.data.verdict}`)}</p>
            <p>{foundText(check.data)}</p>
            {check.data.verdict === 'ok' && <p>{t('connectors.checked')}</p>}
          </div>
        </div>
      )}
    </div>
  )
}
