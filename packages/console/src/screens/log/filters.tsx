/** What the log is filtered by: all of it in the address, so that a filtered log can be passed on. */
import { X } from 'lucide-react'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Select } from '../../parts/select.tsx'
import { FILTER_KEYS, keyInWords } from './words.ts'

const ID_LENGTH = 21
/** A client may have an address for an id. */
const CLIENT_ID_LENGTH = 2048
const REQUEST_ID_LENGTH = 64

export interface LogFilter {
  readonly user?: string
  readonly application?: string
  readonly entity?: string
  readonly key?: string
  readonly request?: string
  readonly result?: 'Success' | 'Error'
  /** The day whose entries are looked through, as `2026-05-01`. */
  readonly day?: string
}

/** Midnight of the day where the administrator is; undefined for what is no day. */
const startOf = (day: string | undefined): number | undefined => {
  const start = day === undefined ? Number.NaN : new Date(`${day}T00:00`).getTime()
  return Number.isNaN(start) || start < 0 ? undefined : start
}

const nextDay = (start: number): number => {
  const day = new Date(start)
  return day.setDate(day.getDate() + 1)
}

/** The filter as the API takes it. */
export const queryOf = ({ user, application, entity, key, request, result, day }: LogFilter) => {
  const start = startOf(day)
  return {
    ...(user ? { userId: user.slice(0, ID_LENGTH) } : {}),
    ...(application ? { applicationId: application.slice(0, CLIENT_ID_LENGTH) } : {}),
    ...(entity ? { entity } : {}),
    ...(key ? { logKey: key } : {}),
    ...(request ? { requestId: request.slice(0, REQUEST_ID_LENGTH) } : {}),
    ...(result ? { result } : {}),
    ...(start === undefined ? {} : { start_time: start, end_time: nextDay(start) }),
    // the console's own tokens are what those want to see who ask for its entries, or for all of a request
    ...(application || request || key ? {} : { withoutRenewals: 'true' as const }),
  }
}

export const isFilteredBy = (filter: LogFilter): boolean =>
  Object.keys(queryOf(filter)).some((name) => name !== 'withoutRenewals')

const Chip = ({
  name,
  value,
  onRemove,
}: {
  readonly name: string
  readonly value: string
  readonly onRemove: () => void
}) => (
  <button
    type="button"
    onClick={onRemove}
    aria-label={t('log.removeFilter', { name })}
    className="inline-flex h-8 max-w-full items-center gap-1.5 rounded-lg bg-accent-tint px-2.5 text-accent max-md:h-10"
  >
    <span className="truncate">
      {name} <code className="font-mono text-xs">{value}</code>
    </span>
    <X size={14} aria-hidden className="shrink-0" />
  </button>
)

interface FiltersProps {
  readonly search: LogFilter
  readonly put: (change: { readonly [Name in keyof LogFilter]: LogFilter[Name] | undefined }) => void
  readonly clear: () => void
}

export const Filters = ({ search, put, clear }: FiltersProps) => {
  const { user, application, entity, key, request, result, day } = search
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b p-3 max-md:[&>select]:min-w-0 max-md:[&>select]:max-w-full max-md:[&>select]:grow max-md:[&>select]:basis-[40%]">
      <SearchBox
        label={t('log.searchEntity')}
        value={entity ?? ''}
        onSearch={(next) => put({ entity: next.trim() || undefined })}
      />
      <SearchBox
        label={t('log.request')}
        value={request ?? ''}
        onSearch={(next) => put({ request: next.trim() || undefined })}
        isNarrow
      />
      <Select
        label={t('log.what')}
        value={key ?? ''}
        choices={[['', t('log.everything')], ...FILTER_KEYS.map((each) => [each, keyInWords(each)] as const)]}
        onChange={(next) => put({ key: next || undefined })}
      />
      <Select
        label={t('log.result')}
        value={result ?? ''}
        choices={[
          ['', t('log.anyResult')],
          ['Success', t('log.succeeded')],
          ['Error', t('log.refused')],
        ]}
        onChange={(next) => put({ result: next === 'Success' || next === 'Error' ? next : undefined })}
      />
      <input
        type="date"
        aria-label={t('log.day')}
        title={t('log.day')}
        value={day ?? ''}
        onChange={({ target }) => put({ day: target.value || undefined })}
        className="h-8 rounded-lg border border-edge bg-surface px-2 max-md:h-10"
      />
      {user && <Chip name={t('log.user')} value={user} onRemove={() => put({ user: undefined })} />}
      {application && (
        <Chip name={t('log.application')} value={application} onRemove={() => put({ application: undefined })} />
      )}
      {isFilteredBy(search) && (
        <Button look="ghost" onClick={clear}>
          <X size={15} aria-hidden />
          {t('action.clear')}
        </Button>
      )}
      {(request || result) && !day && <p className="basis-full text-soft text-xs">{t('log.withinADay')}</p>}
    </div>
  )
}
