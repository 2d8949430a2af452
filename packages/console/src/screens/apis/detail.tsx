/** One API: its permissions, what may be asked of it in detail, its tokens, its end. */
import { Tabs } from '@base-ui/react/tabs'
import { getRouteApi } from '@tanstack/react-router'
import { may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { TabList } from '../../parts/tab-list.tsx'
import { isBuiltIn } from './built-in.ts'
import { DetailsTypes } from './details-types.tsx'
import { Matrix } from './matrix.tsx'
import { Permissions } from './permissions.tsx'
import { ApiSettings } from './settings.tsx'

const route = getRouteApi('/apis/$id')
const TABS = ['permissions', 'roles', 'details', 'settings'] as const

export const ApiDetail = () => {
  const { id } = route.useParams()
  const { tab = 'permissions', type } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: api, error, refetch } = useAnswer('getResource', { params: { id } })
  const up = { to: '/apis', title: t('nav.apis') } as const
  if (error)
    return (
      <Page title={id} up={up}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    )
  if (!api) return <Loading />
  const tabs = TABS.filter((each) => each !== 'roles' || may('listRoles', 'listRoleScopes'))
  const shown = tabs.find((each) => each === tab) ?? 'permissions'
  return (
    <Page
      title={api.name}
      text={api.indicator}
      up={up}
      badge={
        <>
          {api.isDefault && <Badge tone="accent">{t('apis.default')}</Badge>}
          {isBuiltIn(api) && <Badge>{t('apis.builtIn')}</Badge>}
        </>
      }
      actions={
        <ShowApiCall
          calls={[
            { id: 'getResource', input: { params: { id } } },
            { id: 'listScopes', input: { params: { resourceId: id } } },
            {
              id: 'createScope',
              input: { params: { resourceId: id }, body: { name: 'read:orders', description: 'See the orders' } },
            },
            { id: 'listAuthorizationDetailsTypes', input: { params: { resourceId: id } } },
            {
              id: 'createAuthorizationDetailsType',
              input: {
                params: { resourceId: id },
                body: {
                  type: 'payment_initiation',
                  schema: { type: 'object', required: ['type', 'amount'], properties: { amount: { type: 'string' } } },
                  templates: { en: 'Pay {amount}' },
                },
              },
            },
          ]}
        />
      }
    >
      <Tabs.Root
        value={shown}
        onValueChange={(next) => void navigate({ search: { tab: String(next) }, replace: true })}
      >
        <TabList tabs={tabs.map((each) => [each, t(`api.tab.${each}`)])} />
        <Tabs.Panel value="permissions" className="outline-offset-4">
          <Permissions api={api} />
        </Tabs.Panel>
        <Tabs.Panel value="roles" className="outline-offset-4">
          <Matrix id={id} isForMachines={isBuiltIn(api)} />
        </Tabs.Panel>
        <Tabs.Panel value="details" className="outline-offset-4">
          <DetailsTypes
            resourceId={id}
            isFixed={isBuiltIn(api)}
            typeId={type}
            go={(next) => void navigate({ search: { tab: 'details', ...(next === undefined ? {} : { type: next }) } })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className="outline-offset-4">
          <ApiSettings api={api} />
        </Tabs.Panel>
      </Tabs.Root>
    </Page>
  )
}
