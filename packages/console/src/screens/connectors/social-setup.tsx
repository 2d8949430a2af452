/** What a social connector needs beside its configuration: the address to register, an answering provider, a place on the sign-in page. */
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { Card } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { type Connector, callbackOf } from './kinds.ts'
import { ProviderCheck } from './provider-check.tsx'

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
        <ProviderCheck kind="social" id={id} />
      </div>
    </Card>
  )
}
