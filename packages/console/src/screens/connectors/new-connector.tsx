/** A new connector of one kind: its configuration, and for a standard protocol the name of the provider. */
import { Link, useNavigate } from '@tanstack/react-router'
import { type Input, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt } from '../../parts/form.ts'
import { Page } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { ConfigFields } from './config-fields.tsx'
import { useConfigForm } from './config-form.ts'
import { isAtField } from './config-schema.ts'
import { connectorName, type Factory, factoryName, readmeOf } from './kinds.ts'

type Config = NonNullable<Input<'createConnector'>>['body']['config']

export const NewConnector = ({ factory }: { readonly factory: Factory }) => {
  const { id, type, configSchema, isStandard = false } = factory
  const navigate = useNavigate()
  const form = useConfigForm(`new-connector.${id}`, configSchema, {}, { name: '', target: '' })
  const { data: connectors = [] } = useAnswer('listConnectors', {})
  const replaced = type === 'Social' ? undefined : connectors.find((each) => each.type === type)
  const create = useChange('createConnector')
  const targetError = errorAt(
    create.error,
    'metadata.target',
    'connector.should_specify_target',
    'connector.multiple_target_with_same_platform',
  )
  return (
    <Page title={factoryName(factory)} text={readmeOf(factory)} up={{ to: '/connectors', title: t('nav.connectors') }}>
      {replaced && (
        <p className="mb-4 rounded-xl bg-warn-tint p-4 text-warn">
          {t('connectors.replaces', { name: connectorName(replaced) })}
        </p>
      )}
      {type === 'Social' && (
        <p className="mb-4 max-w-2xl rounded-xl bg-accent-tint p-4">{t('connectors.callbackLater')}</p>
      )}
      <form
        noValidate
        className="max-w-2xl space-y-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!form.check()) return
          create.mutate(
            {
              body: {
                connectorId: id,
                config: form.config as Config,
                ...(isStandard
                  ? {
                      metadata: {
                        target: form.valueOf('target').trim(),
                        ...(form.valueOf('name').trim() ? { name: { en: form.valueOf('name').trim() } } : {}),
                      },
                    }
                  : {}),
              },
            },
            {
              onSuccess: (connector) => {
                form.reset()
                notify(t('connectors.created', { name: connectorName(connector) }))
                void navigate({ to: '/connectors/$id', params: { id: connector.id } })
              },
            },
          )
        }}
      >
        {isStandard && (
          <>
            <Field
              name="name"
              label={t('applications.name')}
              value={form.valueOf('name')}
              onChange={(name) => form.set('name', name)}
              hint={t('connectors.nameHint')}
              error={errorAt(create.error, 'metadata.name')}
              placeholder="Acme"
            />
            <Field
              name="target"
              label={t('connectors.target')}
              value={form.valueOf('target')}
              onChange={(target) => form.set('target', target)}
              hint={t('connectors.targetHint')}
              error={targetError}
              placeholder="acme"
              isMonospace
              isRequired
            />
          </>
        )}
        <ConfigFields
          schema={configSchema}
          values={form.values}
          set={form.set}
          error={create.error}
          wrong={form.wrong}
        />
        {create.error && targetError === undefined && !isAtField(configSchema, create.error) && (
          <ErrorState error={create.error} />
        )}
        <div className="flex gap-2">
          <Button look="primary" type="submit" isBusy={create.isPending}>
            {t('connectors.create')}
          </Button>
          <Link to="/connectors" onClick={form.reset} className={buttonClass('ghost')}>
            {t('action.cancel')}
          </Link>
        </div>
      </form>
    </Page>
  )
}
