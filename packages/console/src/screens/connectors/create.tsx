/** A new connector: first which service, then what it needs. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { factoryName, factoryText, isKind, KIND_WORDS, providerText } from './kinds.ts'
import { Logo } from './logo.tsx'
import { NewConnector } from './new-connector.tsx'
import { NewSso } from './new-sso.tsx'

const route = getRouteApi('/connectors/new')

export const CreateConnector = () => {
  const { kind: asked, service } = route.useSearch()
  const kind = isKind(asked) ? asked : 'Email'
  const isSso = kind === 'Sso'
  const factories = useAnswer('listConnectorFactories', {}, !isSso)
  const providers = useAnswer('listSsoConnectorProviders', {}, isSso)
  const error = factories.error ?? providers.error
  const services = isSso
    ? providers.data?.map((each) => ({
        id: each.providerName,
        name: each.name,
        text: providerText(each),
        logo: each.logo,
      }))
    : factories.data
        ?.filter(({ type }) => type === kind)
        .map((factory) => ({
          id: factory.id,
          name: factoryName(factory),
          text: factoryText(factory),
          logo: factory.logo,
        }))
  const factory = factories.data?.find(({ id, type }) => id === service && type === kind)
  const provider = providers.data?.find(({ providerName }) => providerName === service)
  const up = { to: '/connectors', title: t('nav.connectors') } as const
  if (factory) return <NewConnector key={factory.id} factory={factory} />
  if (provider && isSso) return <NewSso key={provider.providerName} provider={provider} />
  return (
    <Page title={t(KIND_WORDS[kind].title)} text={t('connectors.choose')} up={up}>
      {error ? (
        <ErrorState error={error} />
      ) : services === undefined ? (
        <Loading />
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {services.map(({ id, name, text, logo }) => (
            <li
              key={id}
              className="relative flex items-start gap-3 rounded-xl border border-line bg-surface p-4 transition-colors hover:border-edge"
            >
              <Logo source={logo} />
              <span className="min-w-0">
                <Link
                  to="/connectors/new"
                  search={{ kind, service: id }}
                  className="font-medium before:absolute before:inset-0 before:content-['']"
                >
                  {name}
                </Link>
                <span className="block text-soft text-xs">{text}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}
