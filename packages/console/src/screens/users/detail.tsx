/** One user: who they are, what they hold, where they are signed in, what happened. */
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
import { UserAccess } from './access.tsx'
import { ActAs } from './act-as.tsx'
import { UserActions } from './actions.tsx'
import { Identifiers } from './identifiers.tsx'
import { titleOf } from './search.ts'
import { UserSecurity } from './security.tsx'
import { Timeline } from './timeline.tsx'

const route = getRouteApi('/users/$id')
const TABS = ['profile', 'access', 'security', 'activity'] as const

export const UserDetail = () => {
  const { id } = route.useParams()
  const { tab = 'profile' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useAnswer('getUser', { params: { userId: id } })
  // drawn in slices, and never under the id of another
  const user = useDeferredValue(data)
  const up = { to: '/users', title: t('nav.users') } as const
  if (error)
    return (
      <Page title={id} up={up}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    )
  if (user?.id !== id) return <Loading />
  const tabs = TABS.filter((each) => each !== 'activity' || may('listLogs'))
  const shown = tabs.find((each) => each === tab) ?? 'profile'
  return (
    <Page
      title={titleOf(user)}
      {...(user.primaryEmail && user.primaryEmail !== titleOf(user) ? { text: user.primaryEmail } : {})}
      up={up}
      badge={user.isSuspended && <Badge tone="bad">{t('users.suspended')}</Badge>}
      actions={
        <>
          <ShowApiCall
            calls={[
              { id: 'getUser', input: { params: { userId: id } } },
              { id: 'suspendUser', input: { params: { userId: id }, body: { isSuspended: !user.isSuspended } } },
            ]}
          />
          <ActAs user={user} />
          <UserActions user={user} />
        </>
      }
    >
      <Tabs.Root
        value={shown}
        onValueChange={(next) => void navigate({ search: { tab: String(next) }, replace: true })}
      >
        <TabList tabs={tabs.map((each) => [each, t(`user.tab.${each}`)])} />
        <Tabs.Panel value="profile">
          <Identifiers user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="access">
          <UserAccess id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="security">
          <UserSecurity user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="activity">
          <Timeline id={id} name={titleOf(user)} />
        </Tabs.Panel>
      </Tabs.Root>
    </Page>
  )
}
