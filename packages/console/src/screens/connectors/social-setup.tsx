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
  // undone to the targets as they were, in their order
  const put = (next: readonly string[], undo?: () => void) =>
    update.mutate(
      { body: { socialSignInConnectorTargets: [...next] } },
      { onSuccess: () => undo && notify(t('form.saved'), undo) },
    )
  const offer = (isOn: boolean) =>
    put(isOn ? [...targets, target] : targets.filter((each) => each !== target), () => put(targets))
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
