/** The applications: found by name or id, filtered by type. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { AppWindow, Plus, SearchX } from 'lucide-react'
import { useCallback } from 'react'
import { may, usePage } from '../../api/client.ts'
import { ago, moment } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { type Column, DataTable, Pager } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Select } from '../../parts/select.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { type Application, type ApplicationType, TYPE_TITLES } from './kinds.ts'

const PAGE_SIZE = 20
const route = getRouteApi('/applications')

const columns = (): Column<Application>[] => [
  {
    id: 'name',
    title: t('applications.name'),
    cell: ({ id, name, description }) => (
      <>
        <Link
          to="/applications/$id"
          params={{ id }}
          className="block truncate font-medium before:absolute before:inset-0 before:content-['']"
        >
          {name}
        </Link>
        {description && <span className="block truncate text-soft text-xs">{description}</span>}
      </>
    ),
  },
  {
    id: 'type',
    title: t('applications.type'),
    isWide: true,
    cell: ({ type, isThirdParty, customClientMetadata }) => (
      <span className="flex gap-1.5">
        <Badge>{t(customClientMetadata.isDeviceFlow ? 'kind.device' : TYPE_TITLES[type])}</Badge>
        {isThirdParty && <Badge tone="accent">{t('applications.thirdParty')}</Badge>}
      </span>
    ),
  },
  {
    id: 'id',
    title: t('applications.id'),
    isWide: true,
    cell: ({ id }) => <code className="font-mono text-soft text-xs">{id}</code>,
  },
  {
    id: 'created',
    title: t('applications.created'),
    isWide: true,
    cell: ({ createdAt }) => (
      <time
        dateTime={new Date(createdAt).toISOString()}
        title={moment(createdAt)}
        className="whitespace-nowrap text-soft"
      >
        {ago(createdAt)}
      </time>
    ),
  },
]

const isType = (type: string | undefined): type is ApplicationType =>
  type !== undefined && Object.hasOwn(TYPE_TITLES, type)

export const ApplicationList = () => {
  const { search = '', type, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const query = {
    page,
    page_size: PAGE_SIZE,
    ...(search ? { search: `%${search}%` } : {}),
    ...(isType(type) ? { types: type } : {}),
  }
  const { data, error, isPlaceholderData, refetch } = usePage('listApplications', { query })
  const onSearch = useCallback(
    (next: string) =>
      void navigate({
        search: (before) => ({ ...before, search: next || undefined, page: undefined }) as never,
        replace: true,
      }),
    [navigate],
  )
  const isFiltered = search !== '' || isType(type)
  const create = may('createApplication') && (
    <Link to="/applications/new" className={buttonClass('primary')}>
      <Plus size={15} aria-hidden />
      {t('applications.create')}
    </Link>
  )
  return (
    <Page
      title={t('nav.applications')}
      text={t('applications.text')}
      actions={
        <>
          <ShowApiCall calls={[{ id: 'listApplications', input: { query } }]} />
          {create}
        </>
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <DataTable
          name="applications"
          label={t('nav.applications')}
          rows={data?.rows ?? []}
          columns={columns()}
          rowId={({ id }) => id}
          isStale={isPlaceholderData}
          toolbar={
            <>
              <SearchBox label={t('applications.search')} value={search} onSearch={onSearch} />
              <Select
                label={t('applications.type')}
                value={type ?? ''}
                choices={[
                  ['', t('applications.allTypes')],
                  ...Object.entries(TYPE_TITLES).map(([each, title]) => [each, t(title)] as const),
                ]}
                onChange={(next) =>
                  void navigate({
                    search: (before) => ({ ...before, type: next || undefined, page: undefined }) as never,
                  })
                }
              />
            </>
          }
          footer={
            data === undefined ? (
              <Loading />
            ) : data.rows.length === 0 ? (
              isFiltered ? (
                <EmptyState icon={<SearchX size={20} />} title={t('state.noMatch')} text={t('state.noMatchText')} />
              ) : (
                <EmptyState
                  icon={<AppWindow size={20} />}
                  title={t('applications.none')}
                  text={t('applications.noneText')}
                >
                  {create}
                </EmptyState>
              )
            ) : (
              <Pager
                page={page}
                pageSize={PAGE_SIZE}
                total={data.total}
                isTotalCapped={data.isTotalCapped}
                onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) as never })}
              />
            )
          }
        />
      )}
    </Page>
  )
}
