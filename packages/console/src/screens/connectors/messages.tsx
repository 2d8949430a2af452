/** Messages in the operator's own words: mail, and text messages. */
import { Tabs } from '@base-ui/react/tabs'
import { getRouteApi } from '@tanstack/react-router'
import { may } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Page } from '../../parts/page.tsx'
import { TabList } from '../../parts/tab-list.tsx'
import { MailTemplates } from './mail-templates.tsx'
import { TextTemplates } from './text-templates.tsx'

const route = getRouteApi('/connectors/messages')
const TABS = ['mail', 'text'] as const

export const Messages = () => {
  const { tab, usage, language = 'en' } = route.useSearch()
  const navigate = route.useNavigate()
  // the templates of text messages are part of a connector, whose configuration has secrets
  const tabs = TABS.filter((each) => each === 'mail' || may('listConnectors', 'updateConnector'))
  const shown = tabs.find((each) => each === tab) ?? 'mail'
  const go = (search: { readonly usage?: string; readonly language?: string; readonly tab?: string }) =>
    void navigate({ search: { tab: shown, usage, language, ...search }, replace: true })
  return (
    <Page title={t('messages.title')} text={t('messages.text')} up={{ to: '/connectors', title: t('nav.connectors') }}>
      <Tabs.Root value={shown} onValueChange={(next) => go({ tab: String(next) })}>
        {tabs.length > 1 && <TabList tabs={tabs.map((each) => [each, t(`messages.tab.${each}`)])} />}
        <Tabs.Panel value="mail" className="outline-offset-4">
          <MailTemplates usage={usage} language={language} go={go} />
        </Tabs.Panel>
        <Tabs.Panel value="text" className="outline-offset-4">
          <TextTemplates usage={usage} language={language} go={go} />
        </Tabs.Panel>
      </Tabs.Root>
    </Page>
  )
}
