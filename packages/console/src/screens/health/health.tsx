/** Health: the state of the server and what to do about it, the keys that sign, and the tenant as a file. */
import { Tabs } from '@base-ui/react/tabs'
import { getRouteApi } from '@tanstack/react-router'
import { may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { TabList } from '../../parts/tab-list.tsx'
import { ApplicationSecurity } from './application-security.tsx'
import { IdTokens } from './id-tokens.tsx'
import { Keys } from './keys.tsx'
import { Overview } from './overview.tsx'
import { TenantFile } from './tenant-file.tsx'

const LIVE_MS = 10_000
const TABS = ['state', 'keys', 'file'] as const
const NEEDS = { state: 'getHealth', keys: 'listSigningKeys', file: 'exportTenant' } as const
const route = getRouteApi('/health')

const State = () => {
  const { data, error, refetch, dataUpdatedAt } = useAnswer('getHealth', {}, true, LIVE_MS)
  if (error) return <ErrorState error={error} retry={refetch} />
  return data ? <Overview health={data} readAt={dataUpdatedAt} /> : <Loading />
}

export const Health = () => {
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const tabs = TABS.filter((each) => may(NEEDS[each]))
  const shown = tabs.find((each) => each === tab) ?? 'state'
  return (
    <Page
      title={t('nav.health')}
      text={t('health.text')}
      actions={
        <ShowApiCall
          calls={[
            { id: 'getHealth' },
            ...(may('checkOutside') ? [{ id: 'checkOutside' } as const] : []),
            { id: 'listSigningKeys' },
            ...(may('exportTenant') ? [{ id: 'exportTenant' } as const] : []),
          ]}
        />
      }
    >
      <Tabs.Root
        value={shown}
        onValueChange={(next) => void navigate({ search: { tab: String(next) }, replace: true })}
      >
        <TabList tabs={tabs.map((each) => [each, t(`health.tab.${each}`)])} />
        <Tabs.Panel value="state" className="outline-offset-4">
          <State />
        </Tabs.Panel>
        <Tabs.Panel value="keys" className="outline-offset-4">
          <Keys />
          <ApplicationSecurity />
          <IdTokens />
        </Tabs.Panel>
        <Tabs.Panel value="file" className="outline-offset-4">
          <TenantFile />
        </Tabs.Panel>
      </Tabs.Root>
    </Page>
  )
}
