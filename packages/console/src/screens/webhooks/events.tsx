/** The catalogue of events: when each occurs, and the schema of what a webhook is sent for it. */
import { EVENT_TYPES, occasionOf } from '@countersign/contract/events.ts'
import { webhookSchema } from '@countersign/contract/hooks.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Page } from '../../parts/page.tsx'
import { Select } from '../../parts/select.tsx'
import { EVENT_GROUPS, isEvent } from './catalogue.ts'

const route = getRouteApi('/webhooks/events')

export const EventCatalogue = () => {
  const { event } = route.useSearch()
  const navigate = route.useNavigate()
  const shown = isEvent(event) ? event : EVENT_TYPES[0]
  if (shown === undefined) return null
  return (
    <Page
      title={t('webhooks.catalogue')}
      text={t('webhooks.catalogueText')}
      up={{ to: '/webhooks', title: t('nav.webhooks') }}
      actions={<ShowApiCall calls={[{ id: 'readEvents', input: { query: { event: shown } } }]} />}
    >
      <div className="grid gap-6 md:grid-cols-[16rem_1fr]">
        <div className="md:hidden">
          <Select
            label={t('webhooks.event')}
            value={shown}
            choices={EVENT_TYPES.map((each) => [each, each])}
            onChange={(next) => void navigate({ search: { event: next }, replace: true })}
          />
        </div>
        <nav aria-label={t('webhooks.events')} className="space-y-4 max-md:hidden">
          {EVENT_GROUPS.map(({ title, events }) => (
            <div key={title}>
              <h2 className="mb-1 px-2 font-medium text-soft text-xs">{t(title)}</h2>
              <ul>
                {events.map((each) => (
                  <li key={each}>
                    <Link
                      to="/webhooks/events"
                      search={{ event: each }}
                      replace
                      aria-current={each === shown ? 'page' : undefined}
                      className="wrap-anywhere block rounded-lg px-2 py-1 font-mono text-xs hover:bg-hover aria-[current]:bg-accent-tint aria-[current]:text-accent"
                    >
                      {each}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className="min-w-0">
          <p className="mb-3">{occasionOf(shown)}</p>
          <CodeBlock
            title={t('webhooks.schema', { event: shown })}
            code={JSON.stringify(webhookSchema(shown), null, 2)}
          />
        </div>
      </div>
    </Page>
  )
}
