/** Redirect addresses that were refused lately, with a button that adds one: the most frequent mistake of a first sign-in. */
import { CircleAlert, Plus } from 'lucide-react'
import { may, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'

const LIVE_MS = 5000
const READ = 20
const SHOWN = 3

interface RefusedProps {
  readonly applicationId: string
  readonly registered: readonly string[]
  readonly onAdd: (address: string) => void
}

export const RefusedAddresses = ({ applicationId, registered, onAdd }: RefusedProps) => {
  const { data } = usePage(
    'listLogs',
    { query: { applicationId, logKey: 'Interaction.Authorize', page: 1, page_size: READ } },
    LIVE_MS,
  )
  const refused = (data?.rows ?? []).flatMap(({ payload }) => {
    const { redirectUri } = payload as { readonly redirectUri?: unknown }
    return payload.result === 'Error' && typeof redirectUri === 'string' ? [redirectUri] : []
  })
  const missing = [...new Set(refused)].filter((address) => !registered.includes(address)).slice(0, SHOWN)
  if (missing.length === 0 || !may('updateApplication')) return null
  return (
    <ul aria-label={t('addresses.refused')} className="rounded-xl bg-warn-tint">
      {missing.map((address) => (
        <li key={address} className="flex flex-wrap items-center gap-3 px-4 py-2.5">
          <CircleAlert size={16} aria-hidden className="shrink-0 text-warn" />
          <span className="min-w-0 flex-1 basis-48">
            <span className="block font-medium text-warn">{t('addresses.refused')}</span>
            <code className="wrap-anywhere font-mono text-xs">{address}</code>
          </span>
          <Button onClick={() => onAdd(address)}>
            <Plus size={15} aria-hidden />
            {t('addresses.addRefused')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
