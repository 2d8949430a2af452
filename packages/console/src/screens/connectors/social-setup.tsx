/** What a social connector needs beside its configuration: the address to register, an answering provider, a place on the sign-in page. */
import { CircleCheck } from 'lucide-react'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Card } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { type Connector, callbackOf } from './kinds.ts'

/** Asks the server to begin a sign-in at the provider, which shows whether the provider answers. */
const Check = ({ id }: { readonly id: string }) => {
  const check = useChange('getConnectorAuthorizationUri')
  return (
    <div className="mt-4 space-y-3">
      <Button
        isBusy={check.isPending}
        onClick={() =>
          check.mutate({
            params: { connectorId: id },
            body: { state: crypto.randomUUID(), redirectUri: callbackOf(id) },
          })
        }
      >
        {t('connectors.check')}
      </Button>
      {check.error && <ErrorState error={check.error} />}
      {check.data && (
        <p role="status" className="flex items-start gap-3 rounded-xl bg-good-tint p-3 text-good">
          <CircleCheck size={18} aria-hidden className="shrink-0" />
          <span className="wrap-anywhere min-w-0">
            {t('connectors.checked', { host: new URL(check.data.redirectTo).host })}
          </span>
        </p>
      )}
    </div>
  )
}

export const SocialSetup = ({ connector: { id, target } }: { readonly connector: Connector }) => {
  const { data: settings } = useAnswer('getSignInExperience', {})
  const update = useChange('updateSignInExperience')
  const targets = settings?.socialSignInConnectorTargets ?? []
  const isOffered = targets.includes(target)
  const offer = (isOn: boolean) =>
    update.mutate(
      {
        body: { socialSignInConnectorTargets: isOn ? [...targets, target] : targets.filter((each) => each !== target) },
      },
      { onSuccess: () => notify(t('form.saved')) },
    )
  return (
    <Card title={t('connectors.setup')}>
      <div className="max-w-2xl">
        <CopyField label={t('connectors.callback')} value={callbackOf(id)} />
        <p className="mt-1 text-soft text-xs">{t('connectors.callbackHint')}</p>
        {settings && may('updateSignInExperience') && (
          <div className="mt-2">
            <SwitchRow
              label={t('connectors.offered')}
              text={t('connectors.offeredText')}
              isOn={isOffered}
              onChange={offer}
            />
          </div>
        )}
        {update.error && <ErrorState error={update.error} />}
        {may('getConnectorAuthorizationUri') && <Check id={id} />}
      </div>
    </Card>
  )
}
