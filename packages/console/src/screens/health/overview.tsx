/** The state of the server: what needs attention, what waits to be sent, and the facts that support asks for. */
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useAnswer, usePage } from '../../api/client.ts'
import { ago, moment, number, size } from '../../languages/formats.ts'
import { isolated, type Phrase, t } from '../../languages/languages.ts'
import { buttonClass } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { SCREENS } from '../../shell/screens.ts'
import { Administrators } from './administrators.tsx'
import { type Finding, findingsOf, type Health, ownersOf } from './findings.ts'
import { Outside } from './outside.tsx'
import { Reached } from './reached.tsx'
import { Tenants } from './tenants.tsx'

const MOST = 100
/** No queue is counted further by the server. */
const MOST_COUNTED = 10_000
const TONES = { warn: 'text-warn', bad: 'text-bad' } as const

const Mend = ({ screen, hookId }: Finding) => {
  const look = buttonClass('secondary', 'max-sm:ms-7')
  if (hookId !== undefined)
    return (
      <Link to="/webhooks/$id" params={{ id: hookId }} className={look}>
        {t('health.open')}
      </Link>
    )
  const title = SCREENS.find(({ to }) => to === screen)?.title
  return screen && title ? (
    <Link to={screen} className={look}>
      {t(title)}
    </Link>
  ) : null
}

const Findings = ({ findings }: { readonly findings: readonly Finding[] }) =>
  findings.length === 0 ? (
    <p className="mb-4 flex items-center gap-3 rounded-xl bg-good-tint p-4 font-medium text-good">
      <CircleCheck size={18} aria-hidden className="shrink-0" />
      {t('health.allWell')}
    </p>
  ) : (
    <Card title={t('health.findings')}>
      <ul aria-label={t('health.findings')}>
        {findings.map((finding) => {
          const Icon = finding.tone === 'bad' ? CircleAlert : TriangleAlert
          return (
            <li
              key={finding.id}
              className="flex flex-wrap items-start gap-x-4 gap-y-2 border-line py-3 not-last:border-b"
            >
              <div className="flex min-w-0 flex-1 basis-72 items-start gap-3">
                <Icon
                  size={18}
                  aria-label={t(finding.tone === 'bad' ? 'health.bad' : 'health.warn')}
                  className={`mt-px shrink-0 ${TONES[finding.tone]}`}
                />
                <div className="min-w-0">
                  <p className="wrap-anywhere font-medium">{finding.title}</p>
                  <p className="wrap-anywhere text-soft">{finding.advice}</p>
                </div>
              </div>
              <Mend {...finding} />
            </li>
          )
        })}
      </ul>
    </Card>
  )

const Waiting = ({ title, queue }: { readonly title: Phrase; readonly queue: Health['messages'] }) => (
  <div className="rounded-xl border border-line bg-surface px-5 py-4">
    <div className="text-soft">{t(title)}</div>
    <div className="mt-1 font-semibold text-2xl tabular-nums tracking-tight">
      {number(queue.waiting)}
      {queue.waiting >= MOST_COUNTED && '+'}
    </div>
    <div className="text-soft text-xs">
      {queue.oldestAt === null ? t('health.nothingWaits') : t('health.oldest', { when: ago(queue.oldestAt) })}
    </div>
  </div>
)

const factsOf = ({ version, retention, events, installation }: Health): readonly (readonly [Phrase, string])[] => [
  ['health.version', version],
  ...(installation
    ? ([
        [
          'health.database',
          `${isolated(`PostgreSQL ${installation.databaseVersion}`)} · ${size(installation.databaseBytes)}`,
        ],
        [
          'health.connections',
          t('health.connectionsUsed', {
            used: number(installation.connections.used),
            most: number(installation.connections.most),
          }),
        ],
        [
          'health.transaction',
          installation.longestTransactionSeconds === null
            ? t('health.noTransaction')
            : t('health.seconds', { count: number(installation.longestTransactionSeconds) }),
        ],
        ['health.migration', number(installation.migration)],
        [
          'health.cleaned',
          installation.expiredDeletedAt === null ? t('users.never') : ago(installation.expiredDeletedAt),
        ],
      ] as const)
    : []),
  ['health.lastEvent', events.lastSequence === 0 ? '–' : number(events.lastSequence)],
  [
    'health.auditKept',
    retention.auditDays === 0 ? t('health.forever') : t('health.days', { count: number(retention.auditDays) }),
  ],
  ['health.eventsKept', t('health.days', { count: number(retention.eventDays) })],
]

export const Overview = ({ health, readAt }: { readonly health: Health; readonly readAt: number }) => {
  const { data: hooks = [] } = useAnswer('listHooks', {})
  const { data: administrators } = usePage('listAdministrators', { query: { page: 1, page_size: MOST } })
  const known = administrators && administrators.total <= MOST ? administrators.rows : []
  return (
    <>
      <Findings findings={findingsOf(health, hooks, known, readAt)} />
      <div className="mb-4 grid gap-4 sm:grid-cols-3">
        <Waiting title="health.messages" queue={health.messages} />
        <Waiting title="health.deliveries" queue={health.deliveries} />
        <Waiting title="health.events" queue={health.events} />
      </div>
      <Outside />
      <Reached limits={health.limits} />
      {administrators && (
        <Administrators
          total={administrators.total}
          owners={administrators.total <= MOST ? ownersOf(known).length : undefined}
        />
      )}
      {health.installation?.tenants && <Tenants tenants={health.installation.tenants} />}
      <Card title={t('health.server')} text={t('health.readAt', { when: moment(readAt) })}>
        <dl className="grid gap-x-8 sm:grid-cols-2">
          {factsOf(health).map(([name, value]) => (
            <div key={name} className="flex flex-wrap justify-between gap-x-4 border-line border-b py-2">
              <dt className="text-soft">{t(name)}</dt>
              <dd className="wrap-anywhere font-medium tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-4 text-soft">{t('health.backups')}</p>
      </Card>
    </>
  )
}
