/** Token exchange: whether an application may do it, with tokens for which APIs and for which, and its table of rules. */
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { useForm } from '../../parts/form.ts'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { ApiChoice, apisOf, textOfApis } from './api-choice.tsx'
import { ExchangeTable, policiesOf, textOfPolicies } from './exchange-table.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

export const Exchange = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const form = useForm(`application.${id}.exchange`, {
    isAllowed: String(stored.allowTokenExchange ?? false),
    subjects: textOfApis(stored.exchangeSubjectAudiences),
    targets: textOfApis(stored.exchangeTargetResources),
    policies: textOfPolicies(stored.exchangePolicies),
  })
  const { values, set, reset } = form
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const isAllowed = values.isAllowed === 'true'
  const submit = () => {
    update.mutate(
      {
        params: { id },
        body: {
          customClientMetadata: metadataWith(application, {
            allowTokenExchange: isAllowed,
            exchangeSubjectAudiences: apisOf(values.subjects),
            exchangeTargetResources: apisOf(values.targets),
            exchangePolicies: policiesOf(values.policies),
          }),
        },
      },
      {
        onSuccess: () => {
          reset()
          notify(t('form.saved'))
        },
      },
    )
  }
  return (
    <SettingsCard
      title={t('exchange.title')}
      text={t('exchange.text')}
      form={form}
      change={update}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <SwitchRow
        label={t('tokens.allowTokenExchange')}
        text={t('tokens.allowTokenExchange.hint')}
        isOn={isAllowed}
        onChange={(isOn) => set('isAllowed', String(isOn))}
        isReadOnly={isReadOnly}
      />
      {isAllowed && may('listResources') && (
        <>
          <ApiChoice
            label={t('exchange.subjects')}
            anyTitle={t('exchange.anyApi')}
            value={values.subjects}
            onChange={(next) => set('subjects', next)}
            isReadOnly={isReadOnly}
          />
          <ApiChoice
            label={t('exchange.targets')}
            anyTitle={t('exchange.anyTarget')}
            value={values.targets}
            onChange={(next) => set('targets', next)}
            isReadOnly={isReadOnly}
          />
        </>
      )}
      {isAllowed && <ExchangeTable value={values.policies} onChange={(next) => set('policies', next)} />}
    </SettingsCard>
  )
}
