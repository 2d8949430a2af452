/** The organizations: customers, partners or teams whose members have roles of their own there. */
import { Link } from '@tanstack/react-router'
import { Building2, Plus, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { may, type Row, usePage } from '../../api/client.ts'
import { number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { createdColumn, idColumn, nameColumn } from '../../parts/columns.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { ListFooter } from '../../parts/list-footer.tsx'
import { useLookup } from '../../parts/lookup.ts'
import { Page } from '../../parts/page.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { EmptyState, ErrorState } from '../../parts/states.tsx'
import { CreateOrganization } from './create.tsx'

const PAGE_SIZE = 20

const columns = (): Column<Row<'listOrganizations'>>[] => [
  nameColumn('/organizations/$id'),
  {
    id: 'members',
    title: t('roles.members'),
    isWide: true,
    cell: ({ usersCount = 0 }) => <span className="tabular-nums">{number(usersCount)}</span>,
  },
  idColumn(t('organizations.id')),
  createdColumn(),
]

export const OrganizationList = () => {
  const { search, page, onSearch, onPage } = useLookup()
  const [isCreating, setCreating] = useState(false)
  const query = { page, page_size: PAGE_SIZE, showFeatured: 'true', ...(search ? { q: search } : {}) }
  const { data, error, isPlaceholderData, refetch } = usePage('listOrganizations', { query })
  const create = may('createOrganization') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus size={15} aria-hidden />
      {t('organizations.create')}
    </Button>
  )
  return (
    <Page
      title={t('nav.organizations')}
      text={t('organizations.text')}
      actions={
        <>
          <ShowApiCall calls={[{ id: 'listOrganizations', input: { query } }]} />
          {may('listOrganizationRoles', 'listOrganizationScopes') && (
            <Link to="/organizations/template" className={buttonClass()}>
              <SlidersHorizontal size={15} aria-hidden />
              {t('template.title')}
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
          name="organizations"
          label={t('nav.organizations')}
          rows={data?.rows ?? []}
          columns={columns()}
          rowId={({ id }) => id}
          isStale={isPlaceholderData}
          toolbar={<SearchBox label={t('organizations.search')} value={search} onSearch={onSearch} />}
          footer={
            <ListFooter
              data={data}
              page={page}
              pageSize={PAGE_SIZE}
              isFiltered={search !== ''}
              empty={
                <EmptyState
                  icon={<Building2 size={20} />}
                  title={t('organizations.none')}
                  text={t('organizations.noneText')}
                >
                  {create}
                </EmptyState>
              }
              onPage={onPage}
            />
          }
        />
      )}
      {isCreating && <CreateOrganization onClose={() => setCreating(false)} />}
    </Page>
  )
}
