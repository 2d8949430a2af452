/** Identity assertions (ID-JAG): for which other authorization servers an application gets them, and of which connectors it brings them here. */
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CheckRow } from '../../parts/check-row.tsx'
import { Field } from '../../parts/field.tsx'
import { useForm } from '../../parts/form.ts'
import { type FormRow, linesOf, listIn, RowList, rowsOf, textOfRows } from '../../parts/row-list.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

type Audience = NonNullable<Application['customClientMetadata']['identityAssertionAudiences']>[number]

const rowOf = ({ audience, clientId, resources = [], scopes }: Audience): FormRow => ({
  name: audience,
  clientId,
  resources: resources.join('\n'),
  // an empty list allows none
  scopes: (scopes ?? []).join(' '),
  limitsScopes: String(scopes !== undefined),
})

const audienceOf = ({ name = '', clientId = '', resources, scopes = '', limitsScopes }: FormRow): Audience => ({
  audience: name.trim(),
  clientId: clientId.trim(),
  ...listIn('resources', resources),
  ...(limitsScopes === 'true' ? { scopes: scopes.split(' ').filter(Boolean) } : {}),
})

const Connectors = ({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) => {
  const { data: companies = [] } = useAnswer('listSsoConnectors', {})
  const chosen = linesOf(value)
  const known = companies.map(({ id, connectorName }) => [id, connectorName] as const)
  const others = chosen.filter((id) => !companies.some((company) => company.id === id))
  return (
    <fieldset aria-label={t('crossApp.connectors')}>
      <p className="font-medium">{t('crossApp.connectors')}</p>
      {[...known, ...others.map((id) => [id, id] as const)].map(([id, name]) => (
        <CheckRow
          key={id}
          label={name}
          isOn={chosen.includes(id)}
          onChange={(isOn) => onChange((isOn ? [...chosen, id] : chosen.filter((each) => each !== id)).join('\n'))}
        />
      ))}
      {known.length + others.length === 0 && <p className="text-soft">{t('crossApp.noConnectors')}</p>}
    </fieldset>
  )
}

export const CrossApp = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const form = useForm(`application.${id}.crossApp`, {
    audiences: textOfRows((stored.identityAssertionAudiences ?? []).map(rowOf)),
    connectors: (stored.identityAssertionConnectors ?? []).join('\n'),
  })
  const { values, set } = form
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const submit = () => {
    const audiences = rowsOf(values.audiences).map(audienceOf)
    const connectors = linesOf(values.connectors)
    update.mutate(
      {
        params: { id },
        body: {
          customClientMetadata: metadataWith(application, {
            identityAssertionAudiences: audiences.length > 0 ? audiences : undefined,
            identityAssertionConnectors: connectors.length > 0 ? connectors : undefined,
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
      title={t('crossApp.title')}
      text={t('crossApp.text')}
      form={form}
      change={update}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <RowList
        label={t('crossApp.audiences')}
        hint={t('crossApp.audiencesHint')}
        addLabel={t('crossApp.add')}
        value={values.audiences}
        onChange={(next) => set('audiences', next)}
        blank={{ limitsScopes: 'false' }}
      >
        {(row, change) => (
          <>
            <Field
              name="audience"
              label={t('start.issuer')}
              value={row.name ?? ''}
              onChange={(name) => change({ name })}
              placeholder="https://id.example.com/oidc"
              isRequired
              isMonospace
            />
            <Field
              name="clientId"
              label={t('crossApp.clientId')}
              value={row.clientId ?? ''}
              onChange={(clientId) => change({ clientId })}
              isRequired
              isMonospace
            />
            <Field
              name="resources"
              label={t('exchange.targetResources')}
              hint={t('rows.perLine')}
              value={row.resources ?? ''}
              onChange={(resources) => change({ resources })}
              rows={2}
              isMonospace
            />
            <CheckRow
              label={t('exchange.limitsScopes')}
              isOn={row.limitsScopes === 'true'}
              onChange={(isOn) => change({ limitsScopes: String(isOn) })}
            />
            {row.limitsScopes === 'true' && (
              <Field
                name="scopes"
                label={t('explain.scope')}
                value={row.scopes ?? ''}
                onChange={(scopes) => change({ scopes })}
                isMonospace
              />
            )}
          </>
        )}
      </RowList>
      {may('listSsoConnectors') && (
        <Connectors value={values.connectors} onChange={(next) => set('connectors', next)} />
      )}
    </SettingsCard>
  )
}
