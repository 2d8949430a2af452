/** The configuration of a connector, and for mail and text messages a test with what is typed. */
import { type Input, may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { ReadOnly } from '../../parts/read-only.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { ConfigFields } from './config-fields.tsx'
import { useConfigForm } from './config-form.ts'
import { isAtField } from './config-schema.ts'
import { type Connector, connectorName } from './kinds.ts'
import { TestMessage } from './test-message.tsx'

type Config = NonNullable<NonNullable<Input<'updateConnector'>>['body']>['config']

const FLAGS = ['syncProfile', 'enableTokenStorage'] as const

interface ConnectorSettingsProps {
  readonly connector: Connector
  /** JSON Schema of its configuration. */
  readonly schema: object
}

export const ConnectorSettings = ({ connector, schema }: ConnectorSettingsProps) => {
  const { id, type, connectorId, config, metadata, isStandard = false, isTokenStorageSupported = false } = connector
  const isSocial = type === 'Social'
  const form = useConfigForm(`connector.${id}`, schema, config, {
    name: connectorName(connector),
    syncProfile: String(connector.syncProfile),
    enableTokenStorage: String(connector.enableTokenStorage),
  })
  const update = useChange('updateConnector')
  const flags = FLAGS.filter((flag) => isSocial && (flag === 'syncProfile' || isTokenStorageSupported))
  return (
    <>
      <Card title={t('connectors.settings')}>
        <ReadOnly value={!may('updateConnector')}>
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
                    config: form.config as Config,
                    ...(isStandard
                      ? { metadata: { ...metadata, name: { ...metadata.name, en: form.valueOf('name') } } }
                      : {}),
                    ...Object.fromEntries(flags.map((flag) => [flag, form.valueOf(flag) === 'true'])),
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
            {isStandard && (
              <Field
                name="name"
                label={t('applications.name')}
                value={form.valueOf('name')}
                onChange={(name) => form.set('name', name)}
                hint={t('connectors.nameHint')}
                error={errorAt(update.error, 'metadata.name')}
              />
            )}
            <ConfigFields schema={schema} values={form.values} set={form.set} error={update.error} wrong={form.wrong} />
            {flags.map((flag) => (
              <SwitchRow
                key={flag}
                label={t(`connectors.${flag}`)}
                text={t(`connectors.${flag}.hint`)}
                isOn={form.valueOf(flag) === 'true'}
                onChange={(isOn) => form.set(flag, String(isOn))}
              />
            ))}
            {update.error && !isAtField(schema, update.error) && <ErrorState error={update.error} />}
            {may('updateConnector') && (
              <SaveBar isChanged={form.isChanged} isBusy={update.isPending} onDiscard={form.reset} />
            )}
          </form>
        </ReadOnly>
      </Card>
      {!isSocial && may('testConnector') && (
        <TestMessage kind={connectorId} type={type} config={form.config} isReady={form.check} />
      )}
    </>
  )
}
