/** Whose tokens an application may look into (RFC 7662). */
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { useForm } from '../../parts/form.ts'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'
import { ApiChoice, apisOf, textOfApis } from './api-choice.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

export const Introspection = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const isEvery = stored.dangerouslyIntrospectAllTokens === true
  const form = useForm(`application.${id}.introspection`, {
    apis: textOfApis(isEvery ? undefined : (stored.introspectionAudiences ?? [])),
  })
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const submit = () => {
    const only = apisOf(form.values.apis)
    update.mutate(
      {
        params: { id },
        body: {
          customClientMetadata: metadataWith(application, {
            dangerouslyIntrospectAllTokens: only === undefined ? true : undefined,
            introspectionAudiences: only,
          }),
        },
      },
      {
        onSuccess: () => {
          form.reset()
          notify(t('form.saved'))
        },
      },
    )
  }
  return (
    <SettingsCard
      title={t('introspection.title')}
      text={t('introspection.text')}
      form={form}
      change={update}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <ApiChoice
        label={t('introspection.apis')}
        anyTitle={t('introspection.every')}
        value={form.values.apis}
        onChange={(next) => form.set('apis', next)}
        isReadOnly={isReadOnly}
      />
    </SettingsCard>
  )
}
