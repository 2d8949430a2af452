/** One connector: the address to register, its configuration, a test that says what is wrong, and its end. */
import { getRouteApi } from '@tanstack/react-router'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { DeleteCard } from '../../parts/delete-card.tsx'
import { Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { connectorName, KIND_WORDS, readmeOf } from './kinds.ts'
import { ConnectorSettings } from './settings.tsx'
import { SocialSetup } from './social-setup.tsx'

const route = getRouteApi('/connectors/$id')

export const ConnectorDetail = () => {
  const { id } = route.useParams()
  const navigate = route.useNavigate()
  const { data: connector, error, refetch } = useAnswer('getConnector', { params: { id } })
  const { data: factory, error: factoryError } = useAnswer(
    'getConnectorFactory',
    { params: { id: connector?.connectorId ?? '' } },
    connector !== undefined,
  )
  const remove = useChange('deleteConnector')
  const up = { to: '/connectors', title: t('nav.connectors') } as const
  const failure = error ?? factoryError
  if (failure)
    return (
      <Page title={id} up={up}>
        <ErrorState error={failure} retry={refetch} />
      </Page>
    )
  if (!connector || !factory) return <Loading />
  const name = connectorName(connector)
  return (
    <Page
      title={name}
      text={readmeOf(connector)}
      up={up}
      badge={<Badge>{t(KIND_WORDS[connector.type].title)}</Badge>}
      actions={<ShowApiCall calls={[{ id: 'getConnector', input: { params: { id } } }]} />}
    >
      {connector.type === 'Social' && <SocialSetup connector={connector} />}
      <ConnectorSettings key={connector.id} connector={connector} schema={factory.configSchema} />
      {may('deleteConnector') && (
        <DeleteCard
          title={t('connectors.delete')}
          text={t(connector.type === 'Social' ? 'connectors.deleteSocialText' : 'connectors.deleteText')}
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
