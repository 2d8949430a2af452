/** One SCIM directory: its address and tokens, its groups with their roles, what it did, its settings. */
import { Tabs } from '@base-ui/react/tabs'
import { getRouteApi, Link } from '@tanstack/react-router'
import { may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { TabList } from '../../parts/tab-list.tsx'
import { Activity } from './activity.tsx'
import { Groups } from './groups.tsx'
import { DirectorySettings } from './settings.tsx'
import { Tokens } from './tokens.tsx'

const route = getRouteApi('/scim/$id')
const TABS = ['connect', 'groups', 'activity', 'settings'] as const

const Owner = ({ organizationId }: { readonly organizationId: string }) => {
  const { data } = useAnswer('getOrganization', { params: { id: organizationId } })
  return (
    <Card title={t('scim.provisions')} text={t('scim.provisionsText')}>
      <Link
        to="/organizations/$id"
        params={{ id: organizationId }}
        className="wrap-anywhere font-medium text-accent hover:underline"
      >
        {data?.name ?? organizationId}
      </Link>
    </Card>
  )
}

export const DirectoryDetail = () => {
  const { id } = route.useParams()
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: directory, error, refetch } = useAnswer('getScimDirectory', { params: { id } })
  const up = { to: '/scim', title: t('nav.scim') } as const
  if (error)
    return (
      <Page title={id} up={up}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    )
  if (!directory) return <Loading />
  const { name, baseUrl, organizationId, isEnabled } = directory
  const tabs = TABS.filter((each) => each !== 'activity' || may('listLogs'))
  const shown = tabs.find((each) => each === tab) ?? 'connect'
  return (
    <Page
      title={name}
      up={up}
      badge={<Badge tone={isEnabled ? 'good' : 'plain'}>{t(isEnabled ? 'scim.enabled' : 'scim.disabled')}</Badge>}
      actions={
        <ShowApiCall
          calls={[
            { id: 'getScimDirectory', input: { params: { id } } },
            { id: 'listScimTokens', input: { params: { id } } },
            { id: 'listScimGroups', input: { params: { id } } },
          ]}
        />
      }
    >
      <Tabs.Root
        value={shown}
        onValueChange={(next) => void navigate({ search: { tab: String(next) }, replace: true })}
      >
        <TabList tabs={tabs.map((each) => [each, t(`scim.tab.${each}`)])} />
        <Tabs.Panel value="connect" className="outline-offset-4">
          <Card title={t('scim.address')} text={t('scim.addressText')}>
            <div className="max-w-2xl">
              <CopyField label={t('scim.baseUrl')} value={baseUrl} />
            </div>
          </Card>
          <Tokens id={id} />
          {organizationId !== null && <Owner organizationId={organizationId} />}
        </Tabs.Panel>
        <Tabs.Panel value="groups" className="outline-offset-4">
          <Groups id={id} isOfOrganization={organizationId !== null} />
        </Tabs.Panel>
        <Tabs.Panel value="activity" className="outline-offset-4">
          <Activity id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className="outline-offset-4">
          <DirectorySettings directory={directory} />
        </Tabs.Panel>
      </Tabs.Root>
    </Page>
  )
}
