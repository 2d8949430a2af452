/** Which limits users and addresses reached in the last day, and where the log and the events tell of them. */
import { Link } from '@tanstack/react-router'
import { may } from '../../api/client.ts'
import { number } from '../../languages/formats.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { Card } from '../../parts/page.tsx'
import type { Health } from './findings.ts'

/** No limit is counted further by the server. */
const MOST_COUNTED = 10_000
const LINK = 'rounded text-accent hover:underline'

/** The events, or the log where no event is published. */
const LIMITS = [
  { id: 'lockouts', title: 'health.lockouts', event: 'Identifier.Lockout' },
  { id: 'messages', title: 'health.limitedMessages', event: 'Message.RateLimited' },
  { id: 'addresses', title: 'health.limitedAddresses', event: undefined },
] as const satisfies readonly { id: keyof Health['limits']; title: Phrase; event: string | undefined }[]

const Told = ({ event, title }: Pick<(typeof LIMITS)[number], 'event' | 'title'>) => {
  if (event === undefined)
    return may('listLogs') ? (
      <Link to="/log" search={{ result: 'Error' }} className={LINK}>
        {t('health.refusedEntries')}
      </Link>
    ) : null
  return may('readEvents') ? (
    <Link to="/webhooks/feed" search={{ event }} aria-label={`${t('health.showEvents')}: ${t(title)}`} className={LINK}>
      {t('health.showEvents')}
    </Link>
  ) : null
}

export const Reached = ({ limits }: { readonly limits: Health['limits'] }) => (
  <Card title={t('health.limits')} text={t('health.limitsText')}>
    <ul aria-label={t('health.limits')}>
      {LIMITS.map(({ id, title, event }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 border-line py-2 not-last:border-b">
          <span className="min-w-0 flex-1 basis-56">{t(title)}</span>
          <span className="font-medium tabular-nums">
            {number(limits[id])}
            {limits[id] >= MOST_COUNTED && '+'}
          </span>
          <Told event={event} title={title} />
        </li>
      ))}
    </ul>
  </Card>
)
