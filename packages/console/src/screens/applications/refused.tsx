/**
 * Redirect addresses that were refused lately, the most frequent mistake of a first sign-in: each is added after one has seen how
 * often, when and from where it was asked for, because anyone can cause such an entry.
 */
import { CircleAlert, Plus } from 'lucide-react'
import { useState } from 'react'
import { may, usePage } from '../../api/client.ts'
import { moment, number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'

const LIVE_MS = 5000
const READ = 100
const SHOWN = 3

interface Refused {
  readonly address: string
  readonly count: number
  /** Milliseconds since 1970. */
  readonly last: number
  /** IP addresses. */
  readonly from: readonly string[]
}

interface RefusedProps {
  readonly applicationId: string
  readonly registered: readonly string[]
  readonly onAdd: (address: string) => void
}

const useRefused = (applicationId: string): readonly Refused[] => {
  const { data } = usePage(
    'listLogs',
    { query: { applicationId, logKey: 'Interaction.Authorize', result: 'Error', page: 1, page_size: READ } },
    LIVE_MS,
  )
  const entries = (data?.rows ?? []).flatMap(({ payload, createdAt }) => {
    const { redirectUri } = payload as { readonly redirectUri?: unknown }
    return typeof redirectUri === 'string' ? [{ address: redirectUri, createdAt, ip: payload.ip }] : []
  })
  return [...Map.groupBy(entries, ({ address }) => address)].map(([address, asked]) => ({
    address,
    count: asked.length,
    last: Math.max(...asked.map(({ createdAt }) => createdAt)),
    from: [...new Set(asked.flatMap(({ ip }) => ip ?? []))],
  }))
}

const Facts = ({ refused: { address, count, last, from } }: { readonly refused: Refused }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
    <dt className="text-soft">{t('refused.address')}</dt>
    <dd className="wrap-anywhere font-mono text-[0.8125rem]">{address}</dd>
    <dt className="text-soft">{t('refused.count')}</dt>
    <dd>{number(count)}</dd>
    <dt className="text-soft">{t('refused.last')}</dt>
    <dd>{moment(last)}</dd>
    <dt className="text-soft">{t('refused.from')}</dt>
    <dd className="wrap-anywhere font-mono text-[0.8125rem]">{from.join(', ') || '–'}</dd>
  </dl>
)

export const RefusedAddresses = ({ applicationId, registered, onAdd }: RefusedProps) => {
  const refused = useRefused(applicationId)
  const [asked, ask] = useState<Refused>()
  const missing = refused.filter(({ address }) => !registered.includes(address)).slice(0, SHOWN)
  if (!may('updateApplication')) return null
  return (
    <>
      {missing.length > 0 && (
        <ul aria-label={t('addresses.refused')} className="rounded-xl bg-warn-tint">
          {missing.map((each) => (
            <li key={each.address} className="flex flex-wrap items-center gap-3 px-4 py-2.5">
              <CircleAlert size={16} aria-hidden className="shrink-0 text-warn" />
              <span className="min-w-0 flex-1 basis-48">
                <span className="block font-medium text-warn">{t('addresses.refused')}</span>
                <code className="wrap-anywhere font-mono text-xs">{each.address}</code>
              </span>
              <Button aria-label={`${t('addresses.addRefused')}: ${each.address}`} onClick={() => ask(each)}>
                <Plus size={15} aria-hidden />
                {t('addresses.addRefused')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {asked && (
        <Confirm
          isOpen
          onClose={() => ask(undefined)}
          title={t('refused.title')}
          text={t('refused.text')}
          action={t('addresses.addRefused')}
          look="primary"
          isBusy={false}
          error={undefined}
          onConfirm={() => {
            onAdd(asked.address)
            ask(undefined)
          }}
        >
          <Facts refused={asked} />
        </Confirm>
      )}
    </>
  )
}
