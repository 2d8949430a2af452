/** The SCIM directories: of the tenant, and of organizations. */
import { FolderSync } from 'lucide-react'
import { type Row, useAnswers, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { createdColumn, nameColumn } from '../../parts/columns.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { ListFooter } from '../../parts/list-footer.tsx'
import { useLookup } from '../../parts/lookup.ts'
import { Page } from '../../parts/page.tsx'
import { EmptyState, ErrorState } from '../../parts/states.tsx'
import { CreateDirectory } from './create.tsx'

type Directory = Row<'listScimDirectories'>
const PAGE_SIZE = 20

const columns = (organizationOf: (id: string) => string): Column<Directory>[] => [
  nameColumn('/scim/$id'),
  {
    id: 'organization',
    title: t('scim.provisions'),
    isWide: true,
    cell: ({ organizationId }) => (
      <span className="wrap-anywhere">
        {organizationId === null ? t('scim.tenant') : organizationOf(organizationId)}
      </span>
    ),
  },
  {
    id: 'state',
    title: t('scim.state'),
    cell: ({ isEnabled }) => (
      <Badge tone={isEnabled ? 'good' : 'plain'}>{t(isEnabled ? 'scim.enabled' : 'scim.disabled')}</Badge>
    ),
  },
  createdColumn(),
]

export const DirectoryList = () => {
  const { page, onPage } = useLookup()
  const query = { page, page_size: PAGE_SIZE }
  const { data, error, isPlaceholderData, refetch } = usePage('listScimDirectories', { query })
  const organizationIds = [...new Set((data?.rows ?? []).flatMap(({ organizationId }) => organizationId ?? []))]
  const organizations = useAnswers(
    'getOrganization',
    organizationIds.map((id) => ({ params: { id } })),
  )
  const nameOf = (id: string) => organizations[organizationIds.indexOf(id)]?.data?.name ?? id
  return (
    <Page
      title={t('nav.scim')}
      text={t('scim.text')}
      actions={
        <>
          <ShowApiCall calls={[{ id: 'listScimDirectories', input: { query } }]} />
          <CreateDirectory look="primary" />
        </>
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <DataTable
          name="scim"
          label={t('nav.scim')}
          rows={data?.rows ?? []}
          columns={columns(nameOf)}
          rowId={({ id }) => id}
          isStale={isPlaceholderData}
          footer={
            <ListFooter
              data={data}
              page={page}
              pageSize={PAGE_SIZE}
              isFiltered={false}
              empty={
                <EmptyState icon={<FolderSync size={20} />} title={t('scim.none')} text={t('scim.noneText')}>
                  <CreateDirectory />
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
