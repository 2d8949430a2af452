/** The settings of an SSO connector. */
import { type Input, may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Card } from '../../parts/page.tsx'
import { ReadOnly } from '../../parts/read-only.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { useConfigForm } from './config-form.ts'
import type { SsoConnector } from './kinds.ts'
import { domainsOf, SsoFields } from './sso-fields.tsx'

type Config = NonNullable<NonNullable<Input<'updateSsoConnector'>>['body']>['config']

export const SsoSettings = ({ connector, schema }: { readonly connector: SsoConnector; readonly schema: object }) => {
  const { id, connectorName, domains, syncProfile, config } = connector
  const form = useConfigForm(
    `sso.${id}`,
    schema,
    config,
    { connectorName, domains: domains.join('\n'), syncProfile: String(syncProfile) },
    true,
  )
  const update = useChange('updateSsoConnector')
  return (
    <Card title={t('connectors.settings')}>
      <ReadOnly value={!may('updateSsoConnector')}>
        <form
          noValidate
          className="max-w-2xl space-y-5"
          onSubmit={(event) => {
            event.preventDefault()
            if (!form.check()) return
            update.mutate(
              {
                params: { id },
                body: {
                  connectorName: form.valueOf('connectorName').trim(),
                  domains: domainsOf(form.valueOf('domains')),
                  syncProfile: form.valueOf('syncProfile') === 'true',
                  config: form.config as Config,
                },
              },
              {
                onSuccess: () => {
                  form.reset()
                  notify(t('form.saved'))
                },
              },
            )
          }}
        >
          <SsoFields schema={schema} form={form} error={update.error} />
          <SwitchRow
            label={t('connectors.syncProfile')}
            text={t('connectors.syncProfile.hint')}
            isOn={form.valueOf('syncProfile') === 'true'}
            onChange={(isOn) => form.set('syncProfile', String(isOn))}
          />
          {may('updateSsoConnector') && (
            <SaveBar isChanged={form.isChanged} isBusy={update.isPending} onDiscard={form.reset} />
          )}
        </form>
      </ReadOnly>
    </Card>
  )
}
