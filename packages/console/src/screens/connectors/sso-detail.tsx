/** One SSO connector: the addresses to register at the identity provider, its settings, and its end. */
import { getRouteApi } from '@tanstack/react-router'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { DeleteCard } from '../../parts/delete-card.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { tenantOrigin } from '../../session/place.ts'
import { callbackOf, type SsoConnector } from './kinds.ts'
import { ProviderCheck } from './provider-check.tsx'
import { SsoKeys } from './sso-keys.tsx'
import { SsoSettings } from './sso-settings.tsx'

const route = getRouteApi('/connectors/sso/$id')

const Addresses = ({ connector: { id, providerType } }: { readonly connector: SsoConnector }) =>
  providerType === 'saml' ? (
    <>
      <CopyField label={t('connectors.entityId')} value={`${tenantOrigin()}/enterprise-sso/${id}`} />
      <CopyField label={t('connectors.acs')} value={`${tenantOrigin()}/api/authn/single-sign-on/saml/${id}`} />
    </>
  ) : (
    <CopyField label={t('connectors.callback')} value={callbackOf(id)} />
  )

/** Whether users of companies are led to their identity providers at all. */
const SsoSwitch = () => {
  const { data: settings } = useAnswer('getSignInExperience', {})
  const update = useChange('updateSignInExperience')
  const change = (singleSignOnEnabled: boolean, isUndo = false) =>
    update.mutate(
      { body: { singleSignOnEnabled } },
      { onSuccess: () => isUndo || notify(t('form.saved'), () => change(!singleSignOnEnabled, true)) },
    )
  if (!settings || !may('updateSignInExperience')) return null
  return (
    <>
      <SwitchRow
        label={t('connectors.ssoSwitch')}
        text={t('connectors.ssoSwitchText')}
        isOn={settings.singleSignOnEnabled}
        onChange={(isOn) => change(isOn)}
      />
      {update.error && <ErrorState error={update.error} />}
    </>
  )
}

export const SsoDetail = () => {
  const { id } = route.useParams()
  const navigate = route.useNavigate()
  const { data: connector, error, refetch } = useAnswer('getSsoConnector', { params: { id } })
  const { data: providers } = useAnswer('listSsoConnectorProviders', {})
  const remove = useChange('deleteSsoConnector')
  const up = { to: '/connectors', title: t('nav.connectors') } as const
  if (error)
    return (
      <Page title={id} up={up}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    )
  const provider = providers?.find(({ providerName }) => providerName === connector?.providerName)
  if (!connector || !provider) return <Loading />
  const { connectorName: name, isComplete } = connector
  return (
    <Page
      title={name}
      text={connector.name}
      up={up}
      badge={
        <Badge tone={isComplete ? 'good' : 'warn'}>
          {t(isComplete ? 'connectors.complete' : 'connectors.incomplete')}
        </Badge>
      }
      actions={<ShowApiCall calls={[{ id: 'getSsoConnector', input: { params: { id } } }]} />}
    >
      {!isComplete && <p className="mb-4 rounded-xl bg-warn-tint p-4 text-warn">{t('connectors.incompleteText')}</p>}
      <Card title={t('connectors.setup')} text={t('connectors.ssoSetupText')}>
        <div className="max-w-2xl space-y-3">
          <Addresses connector={connector} />
          <SsoSwitch />
          <ProviderCheck kind="enterprise" id={id} />
        </div>
      </Card>
      {connector.providerType === 'saml' && may('listSsoSigningKeys') && <SsoKeys id={id} />}
      <SsoSettings key={id} connector={connector} schema={provider.configSchema} />
      {may('deleteSsoConnector') && (
        <DeleteCard
          title={t('connectors.delete')}
          text={t('connectors.deleteSsoText')}
          name={name}
          change={remove}
          onDelete={() =>
            remove.mutate(
              { params: { id } },
              {
                onSuccess: () => {
                  notify(t('connectors.deleted', { name }))
                  void navigate({ to: '/connectors' })
                },
              },
            )
          }
        />
      )}
    </Page>
  )
}
