/** One application: how to add it to code, its addresses, credentials, tokens, look, and its end. */
import { Tabs } from '@base-ui/react/tabs'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { TabList } from '../../parts/tab-list.tsx'
import { SamlDetail } from '../saml/detail.tsx'
import { Access } from './access.tsx'
import { Addresses } from './addresses.tsx'
import { Authentication } from './authentication.tsx'
import { Backchannel } from './backchannel.tsx'
import { Consent } from './consent.tsx'
import { CrossApp } from './cross-app.tsx'
import { CustomData } from './custom-data.tsx'
import { DeleteApplication } from './delete.tsx'
import { DetailsTypes } from './details-types.tsx'
import { Exchange } from './exchange.tsx'
import { FindUser, Identity } from './identity.tsx'
import { Introspection } from './introspection.tsx'
import { KeyBoundTokens } from './key-bound-tokens.tsx'
import { type Application, hasRedirects, hasSecrets, TYPE_TITLES } from './kinds.ts'
import { ApplicationLook } from './look.tsx'
import { MachineRoles } from './machine-roles.tsx'
import { NativeSso } from './native-sso.tsx'
import { Profile } from './profile.tsx'
import { QuickStart } from './quick-start.tsx'
import { Receiver } from './receiver.tsx'
import { Secrets } from './secrets.tsx'
import { Security } from './security.tsx'
import { SignOut } from './sign-out.tsx'
import { TokenSettings } from './token-settings.tsx'
import { Workloads } from './workloads.tsx'

const route = getRouteApi('/applications/$id')
const TABS = ['start', 'settings', 'secrets', 'tokens', 'roles', 'access', 'consent', 'look'] as const
type Tab = (typeof TABS)[number]

const tabsOf = (application: Application): Tab[] => {
  const isMachine = application.type === 'MachineToMachine'
  const has: Readonly<Partial<Record<Tab, boolean>>> = {
    secrets: hasSecrets(application),
    look: !isMachine,
    access: !isMachine && may('getAccessControl'),
    roles: isMachine,
    consent: application.isThirdParty && may('getUserConsentScopes'),
  }
  return TABS.filter((tab) => has[tab] ?? true)
}

export const ApplicationDetail = () => {
  const { id } = route.useParams()
  const { tab = 'start' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useAnswer('getApplication', { params: { id } })
  // its cards are drawn in slices, and never under the id of another
  const application = useDeferredValue(data)
  const up = { to: '/applications', title: t('nav.applications') } as const
  if (error)
    return (
      <Page title={id} up={up}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    )
  if (application?.id !== id) return <Loading />
  if (application.type === 'SAML') return <SamlDetail id={id} />
  const tabs = tabsOf(application)
  const shown = tabs.find((each) => each === tab) ?? 'start'
  return (
    <Page
      title={application.name}
      {...(application.description ? { text: application.description } : {})}
      up={up}
      badge={
        <>
          <Badge>
            {t(application.customClientMetadata.isDeviceFlow ? 'kind.device' : TYPE_TITLES[application.type])}
          </Badge>
          {application.isThirdParty && <Badge tone="accent">{t('applications.thirdParty')}</Badge>}
          {application.registration && <Badge tone="warn">{t('applications.registered')}</Badge>}
        </>
      }
      actions={<ShowApiCall calls={[{ id: 'getApplication', input: { params: { id } } }]} />}
    >
      <Tabs.Root
        value={shown}
        onValueChange={(next) => void navigate({ search: { tab: String(next) }, replace: true })}
      >
        <TabList tabs={tabs.map((each) => [each, t(`application.tab.${each}`)])} />
        <Tabs.Panel value="start" className="outline-offset-4">
          <QuickStart application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className="outline-offset-4">
          <Profile application={application} />
          {hasRedirects(application) && (
            <>
              <Addresses application={application} />
              <SignOut application={application} />
            </>
          )}
          <CustomData application={application} />
          {may('deleteApplication') && <DeleteApplication application={application} />}
        </Tabs.Panel>
        <Tabs.Panel value="secrets" className="outline-offset-4">
          {may('listApplicationSecrets') && <Secrets id={id} />}
          <Authentication application={application} />
          <Workloads application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="tokens" className="outline-offset-4">
          {application.type !== 'MachineToMachine' && (
            <>
              <TokenSettings application={application} />
              <Identity application={application} />
            </>
          )}
          <KeyBoundTokens application={application} />
          {!application.isThirdParty && <Exchange application={application} />}
          {application.type === 'Native' && !application.isThirdParty && <NativeSso application={application} />}
          {!application.isThirdParty && hasSecrets(application) && <CrossApp application={application} />}
          <DetailsTypes application={application} />
          {application.type === 'Traditional' && <Backchannel application={application} />}
          {hasSecrets(application) && <Introspection application={application} />}
          {hasSecrets(application) && <Security application={application} />}
          {hasSecrets(application) && <Receiver application={application} />}
          {application.type !== 'MachineToMachine' && may('findApplicationSubject') && <FindUser applicationId={id} />}
        </Tabs.Panel>
        <Tabs.Panel value="roles" className="outline-offset-4">
          <MachineRoles application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="access" className="outline-offset-4">
          <Access id={id} isSaml={false} isLimited={application.appLevelAccessControlEnabled} />
        </Tabs.Panel>
        <Tabs.Panel value="consent" className="outline-offset-4">
          <Consent id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="look" className="outline-offset-4">
          <ApplicationLook application={application} />
        </Tabs.Panel>
      </Tabs.Root>
    </Page>
  )
}
