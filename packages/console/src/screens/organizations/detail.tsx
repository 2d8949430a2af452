/** One organization: members, invitations, who becomes a member without one, its end. */
import { Tabs } from '@base-ui/react/tabs'
import { getRouteApi } from '@tanstack/react-router'
import { may, type Operation, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { TabList } from '../../parts/tab-list.tsx'
import { OrganizationDomains } from './domains.tsx'
import { Invitations } from './invitations.tsx'
import { OrganizationLook } from './look.tsx'
import { OrganizationMembers } from './members.tsx'
import { OwnConnectors } from './own-connectors.tsx'
import { Provisioning } from './provisioning.tsx'
import { OrganizationSettings } from './settings.tsx'

const route = getRouteApi('/organizations/$id')
const TABS = ['members', 'applications', 'invitations', 'sso', 'provisioning', 'look', 'settings'] as const
const NEEDS: Readonly<Partial<Record<(typeof TABS)[number], Operation>>> = {
  members: 'listOrganizationUsers',
  applications: 'listOrganizationApplications',
  sso: 'listOrganizationDomains',
}

export const OrganizationDetail = () => {
  const { id } = route.useParams()
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: organization, error, refetch } = useAnswer('getOrganization', { params: { id } })
  const up = { to: '/organizations', title: t('nav.organizations') } as const
  if (error)
    return (
      <Page title={id} up={up}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    )
  if (!organization) return <Loading />
  const tabs = TABS.filter((each) => {
    const needed = NEEDS[each]
    return needed === undefined || may(needed)
  })
  const shown = tabs.find((each) => each === tab) ?? tabs[0] ?? 'settings'
  return (
    <Page
      title={organization.name}
      {...(organization.description ? { text: organization.description } : {})}
      up={up}
      actions={
        <ShowApiCall
          calls={[
            { id: 'getOrganization', input: { params: { id } } },
            { id: 'listOrganizationUsers', input: { params: { id } } },
            { id: 'listOrganizationInvitations', input: { query: { organizationId: id } } },
            { id: 'listJitEmailDomains', input: { params: { id } } },
          ]}
        />
      }
    >
      <Tabs.Root
        value={shown}
        onValueChange={(next) => void navigate({ search: { tab: String(next) }, replace: true })}
      >
        <TabList tabs={tabs.map((each) => [each, t(`organizations.tab.${each}`)])} />
        <Tabs.Panel value="members" className="outline-offset-4">
          <OrganizationMembers id={id} kind="user" />
        </Tabs.Panel>
        <Tabs.Panel value="applications" className="outline-offset-4">
          <OrganizationMembers id={id} kind="application" />
        </Tabs.Panel>
        <Tabs.Panel value="invitations" className="outline-offset-4">
          <Invitations id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="sso" className="outline-offset-4">
          <OrganizationDomains id={id} />
          {may('listSsoConnectors') && <OwnConnectors id={id} />}
        </Tabs.Panel>
        <Tabs.Panel value="look" className="outline-offset-4">
          <OrganizationLook organization={organization} />
        </Tabs.Panel>
        <Tabs.Panel value="provisioning" className="outline-offset-4">
          <Provisioning id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className="outline-offset-4">
          <OrganizationSettings organization={organization} />
        </Tabs.Panel>
      </Tabs.Root>
    </Page>
  )
}
