/** One webhook: what was delivered, its settings, its signing key, and its end. */
import { Tabs } from '@base-ui/react/tabs'
import { getRouteApi } from '@tanstack/react-router'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { DeleteCard } from '../../parts/delete-card.tsx'
import { Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { TabList } from '../../parts/tab-list.tsx'
import { notify } from '../../parts/toast.tsx'
import { HookActions } from './actions.tsx'
import { Deliveries } from './deliveries.tsx'
import { stateOf, titleOf } from './hook.ts'
import { HookSettings } from './settings.tsx'
import { SigningKey } from './signing-key.tsx'

const route = getRouteApi('/webhooks/$id')
const NOTICES: Readonly<Partial<Record<Tone, string>>> = { bad: 'bg-bad-tint text-bad', warn: 'bg-warn-tint text-warn' }
const TABS = ['deliveries', 'settings', 'signing'] as const

export const WebhookDetail = () => {
  const { id } = route.useParams()
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: hook, error, refetch } = useAnswer('getHook', { params: { id } })
  const remove = useChange('deleteHook')
  const up = { to: '/webhooks', title: t('nav.webhooks') } as const
  if (error)
    return (
      <Page title={id} up={up}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    )
  if (!hook) return <Loading />
  const tabs = TABS.filter((each) => each !== 'deliveries' || may('listHookDeliveries'))
  const shown = tabs.find((each) => each === tab) ?? tabs[0]
  const { tone, word, sentence } = stateOf(hook)
  const name = titleOf(hook)
  return (
    <Page
      title={name}
      text={hook.config.url}
      up={up}
      badge={<Badge tone={tone}>{word}</Badge>}
      actions={
        <>
          <ShowApiCall
            calls={[
              { id: 'getHook', input: { params: { id } } },
              { id: 'listHookDeliveries', input: { params: { id } } },
            ]}
          />
          <HookActions hook={hook} />
        </>
      }
    >
      {sentence && <p className={`mb-4 rounded-xl p-4 ${NOTICES[tone] ?? 'bg-hover'}`}>{sentence}</p>}
      <Tabs.Root
        value={shown}
        onValueChange={(next) => void navigate({ search: { tab: String(next) }, replace: true })}
      >
        <TabList tabs={tabs.map((each) => [each, t(`webhooks.tab.${each}`)])} />
        <Tabs.Panel value="deliveries" className="outline-offset-4">
          <Deliveries hook={hook} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className="outline-offset-4">
          <HookSettings hook={hook} />
          {may('deleteHook') && (
            <DeleteCard
              title={t('webhooks.delete')}
              text={t('webhooks.deleteText')}
              name={name}
              change={remove}
              onDelete={() =>
                remove.mutate(
                  { params: { id } },
                  {
                    onSuccess: () => {
                      notify(t('webhooks.deleted', { name }))
                      void navigate({ to: '/webhooks' })
                    },
                  },
                )
              }
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="signing" className="outline-offset-4">
          <SigningKey hook={hook} />
        </Tabs.Panel>
      </Tabs.Root>
    </Page>
  )
}
