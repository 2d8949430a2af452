/** The applications: found by name or id, filtered by type. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { AppWindow, BookUser, Plus } from 'lucide-react'
import { may, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { createdColumn, idColumn, nameColumn } from '../../parts/columns.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { ListFooter } from '../../parts/list-footer.tsx'
import { useLookup } from '../../parts/lookup.ts'
import { Page } from '../../parts/page.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Select } from '../../parts/select.tsx'
import { EmptyState, ErrorState } from '../../parts/states.tsx'
import { type Application, type ApplicationType, TYPE_TITLES } from './kinds.ts'

const PAGE_SIZE = 20
const route = getRouteApi('/applications')

const columns = (): Column<Application>[] => [
  nameColumn('/applications/$id'),
  {
    id: 'type',
    title: t('applications.type'),
    isWide: true,
    cell: ({ type, isThirdParty, customClientMetadata, registration }) => (
      <span className="flex gap-1.5">
        <Badge>{t(customClientMetadata.isDeviceFlow ? 'kind.device' : TYPE_TITLES[type])}</Badge>
        {isThirdParty && <Badge tone="accent">{t('applications.thirdParty')}</Badge>}
        {registration && <Badge tone="warn">{t('applications.registered')}</Badge>}
      </span>
    ),
  },
  idColumn(t('applications.id')),
  createdColumn(),
]

const isType = (type: string | undefined): type is ApplicationType =>
  type !== undefined && Object.hasOwn(TYPE_TITLES, type)

export const ApplicationList = () => {
  const { search, page, onSearch, onPage } = useLookup()
  const { type } = route.useSearch()
  const navigate = route.useNavigate()
  const query = {
    page,
    page_size: PAGE_SIZE,
    ...(search ? { search: `%${search}%` } : {}),
    ...(isType(type) ? { types: type } : {}),
  }
  const { data, error, isPlaceholderData, refetch } = usePage('listApplications', { query })
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
          {may('getClientRegistration') && (
            <Link to="/applications/registration" className={buttonClass()}>
              <BookUser size={15} aria-hidden />
              {t('registration.title')}
            </Link>
          )}
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
            <ListFooter
              data={data}
              page={page}
              pageSize={PAGE_SIZE}
              isFiltered={isFiltered}
              empty={
                <EmptyState
                  icon={<AppWindow size={20} />}
                  title={t('applications.none')}
                  text={t('applications.noneText')}
                >
                  {create}
                </EmptyState>
              }
              onPage={onPage}
            />
          }
        />
      )}
    </Page>
  )
}
