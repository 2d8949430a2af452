/** The connectors by kind: mail, text messages, social sign-in, companies; each says what does not work yet. */
import { Link } from '@tanstack/react-router'
import { ChevronRight, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { type Connector, connectorName, factoryName, KIND_WORDS, KINDS, type Kind, type SsoConnector } from './kinds.ts'
import { Logo } from './logo.tsx'

const rowClass =
  'relative flex items-center gap-3 border-line py-3 not-last:border-b first:pt-1 last:pb-0 has-[a:hover]:text-accent'
const linkClass = "wrap-anywhere font-medium before:absolute before:inset-0 before:content-['']"

const Line = ({
  logo,
  link,
  detail,
  badge,
}: {
  readonly logo: string
  readonly link: ReactNode
  readonly detail: string
  readonly badge?: ReactNode
}) => (
  <li className={rowClass}>
    <Logo source={logo} />
    <span className="min-w-0 flex-1">
      <span className="flex flex-wrap items-center gap-x-2">
        {link}
        {badge}
      </span>
      <span className="wrap-anywhere block text-soft text-xs">{detail}</span>
    </span>
    <ChevronRight size={16} aria-hidden className="text-soft rtl:rotate-180" />
  </li>
)

const ConnectorLine = ({ connector, isOffered }: { readonly connector: Connector; readonly isOffered: boolean }) => (
  <Line
    logo={connector.metadata.logo || connector.logo}
    detail={connector.type === 'Social' ? connector.target : factoryName({ ...connector, id: connector.connectorId })}
    link={
      <Link to="/connectors/$id" params={{ id: connector.id }} className={linkClass}>
        {connectorName(connector)}
      </Link>
    }
    badge={!isOffered && <Badge tone="warn">{t('connectors.notOffered')}</Badge>}
  />
)

const SsoLine = ({
  connector: { id, connectorName: name, name: provider, providerLogo, domains, isComplete },
}: {
  readonly connector: SsoConnector
}) => (
  <Line
    logo={providerLogo}
    detail={domains.length > 0 ? domains.join(', ') : t('connectors.noDomains', { provider })}
    link={
      <Link to="/connectors/sso/$id" params={{ id }} className={linkClass}>
        <bdi>{name}</bdi>
      </Link>
    }
    badge={!isComplete && <Badge tone="warn">{t('connectors.incomplete')}</Badge>}
  />
)

export const ConnectorList = () => {
  const { data: connectors, error, refetch } = useAnswer('listConnectors', {})
  const { data: companies = [], error: ssoError } = useAnswer('listSsoConnectors', {})
  const { data: settings } = useAnswer('getSignInExperience', {})
  const isOffered = ({ type, target }: Connector) =>
    type !== 'Social' || settings === undefined || settings.socialSignInConnectorTargets.includes(target)
  const linesOf = (kind: Kind) =>
    kind === 'Sso'
      ? companies.map((connector) => <SsoLine key={connector.id} connector={connector} />)
      : (connectors ?? [])
          .filter(({ type }) => type === kind)
          .map((connector) => (
            <ConnectorLine key={connector.id} connector={connector} isOffered={isOffered(connector)} />
          ))
  const failure = error ?? ssoError
  return (
    <Page
      title={t('nav.connectors')}
      text={t('connectors.text')}
      actions={
        <>
          {may('listEmailTemplates') && (
            <Link to="/connectors/messages" className={buttonClass('secondary')}>
              {t('messages.title')}
            </Link>
          )}
          <ShowApiCall calls={[{ id: 'listConnectors' }, { id: 'listSsoConnectors' }]} />
        </>
      }
    >
      {failure ? (
        <ErrorState error={failure} retry={refetch} />
      ) : connectors === undefined ? (
        <Loading />
      ) : (
        KINDS.map((kind) => {
          const { title, text, none, add } = KIND_WORDS[kind]
          const lines = linesOf(kind)
          const isReplacing = lines.length > 0 && (kind === 'Email' || kind === 'Sms')
          return (
            <Card
              key={kind}
              title={t(title)}
              text={t(text)}
              actions={
                may(kind === 'Sso' ? 'createSsoConnector' : 'createConnector') && (
                  <Link to="/connectors/new" search={{ kind }} className={buttonClass('secondary')}>
                    {!isReplacing && <Plus size={15} aria-hidden />}
                    {t(isReplacing ? 'connectors.replace' : add)}
                  </Link>
                )
              }
            >
              {lines.length === 0 ? <p className="text-soft">{t(none)}</p> : <ul>{lines}</ul>}
              {kind === 'Sso' && lines.length > 0 && settings?.singleSignOnEnabled === false && (
                <p className="mt-3 text-warn">{t('connectors.ssoOff')}</p>
              )}
            </Card>
          )
        })
      )}
    </Page>
  )
}
