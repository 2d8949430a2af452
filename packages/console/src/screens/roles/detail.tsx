/** One role: its permissions, who holds it, its name and its end. */
import { Tabs } from '@base-ui/react/tabs'
import { getRouteApi } from '@tanstack/react-router'
import { may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Page } from '../../parts/page.tsx'
import { ROLE_TYPES } from '../../parts/role-types.ts'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { TabList } from '../../parts/tab-list.tsx'
import { RoleMembers } from './members.tsx'
import { RolePermissions } from './permissions.tsx'
import { RoleSettings } from './settings.tsx'

const route = getRouteApi('/roles/$id')
const TABS = ['permissions', 'members', 'settings'] as const

export const RoleDetail = () => {
  const { id } = route.useParams()
  const { tab = 'permissions' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: role, error, refetch } = useAnswer('getRole', { params: { id } })
  const up = { to: '/roles', title: t('nav.roles') } as const
  if (error)
    return (
      <Page title={id} up={up}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    )
  if (!role) return <Loading />
  const members = role.type === 'User' ? 'listRoleUsers' : 'listRoleApplications'
  const tabs = TABS.filter(
    (each) =>
      (each !== 'permissions' || may('listRoleScopes', 'listResources')) && (each !== 'members' || may(members)),
  )
  const shown = tabs.find((each) => each === tab) ?? tabs[0] ?? 'settings'
  return (
    <Page
      title={role.name}
      {...(role.description ? { text: role.description } : {})}
      up={up}
      badge={
        <>
          <Badge>{t(ROLE_TYPES[role.type])}</Badge>
          {role.isDefault && <Badge tone="accent">{t('roles.default')}</Badge>}
        </>
      }
      actions={
        <ShowApiCall
          calls={[
            { id: 'getRole', input: { params: { id } } },
            { id: 'listRoleScopes', input: { params: { id } } },
            { id: members, input: { params: { id } } },
          ]}
        />
      }
    >
      <Tabs.Root
        value={shown}
        onValueChange={(next) => void navigate({ search: { tab: String(next) }, replace: true })}
      >
        <TabList tabs={tabs.map((each) => [each, t(`roles.tab.${each}`)])} />
        <Tabs.Panel value="permissions" className="outline-offset-4">
          <RolePermissions role={role} />
        </Tabs.Panel>
        <Tabs.Panel value="members" className="outline-offset-4">
          <RoleMembers id={id} kind={role.type === 'User' ? 'user' : 'application'} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className="outline-offset-4">
          <RoleSettings role={role} />
        </Tabs.Panel>
      </Tabs.Root>
    </Page>
  )
}
