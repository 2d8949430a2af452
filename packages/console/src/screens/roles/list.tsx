/** The roles: groups of permissions that users or applications hold. */
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Plus, UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { may, type Row, useChange, usePage } from '../../api/client.ts'
import { number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { nameColumn } from '../../parts/columns.tsx'
import { CreateRoleDialog } from '../../parts/create-role.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { ListFooter } from '../../parts/list-footer.tsx'
import { useLookup } from '../../parts/lookup.ts'
import { Page } from '../../parts/page.tsx'
import { isRoleType, ROLE_TYPES } from '../../parts/role-types.ts'
import { SearchBox } from '../../parts/search-box.tsx'
import { Select } from '../../parts/select.tsx'
import { EmptyState, ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

const PAGE_SIZE = 20
const route = getRouteApi('/roles')

const columns = (): Column<Row<'listRoles'>>[] => [
  nameColumn('/roles/$id', ({ isDefault }) => isDefault && <Badge tone="accent">{t('roles.default')}</Badge>),
  { id: 'type', title: t('roles.type'), isWide: true, cell: ({ type }) => <Badge>{t(ROLE_TYPES[type])}</Badge> },
  {
    id: 'members',
    title: t('roles.members'),
    isWide: true,
    cell: ({ type, usersCount, applicationsCount }) => (
      <span className="tabular-nums">{number(type === 'User' ? usersCount : applicationsCount)}</span>
    ),
  },
]

const CreateRole = ({ onClose }: { readonly onClose: () => void }) => {
  const create = useChange('createRole')
  const navigate = useNavigate()
  return (
    <CreateRoleDialog
      form="new-role"
      title={t('roles.create')}
      change={create}
      nameCodes={['role.name_in_use']}
      onClose={onClose}
      onCreate={(body, done) =>
        create.mutate(
          { body },
          {
            onSuccess: ({ id, name }) => {
              done()
              notify(t('roles.created', { name }))
              void navigate({ to: '/roles/$id', params: { id } })
            },
          },
        )
      }
    />
  )
}

export const RoleList = () => {
  const { search, page, onSearch, onPage } = useLookup()
  const { type } = route.useSearch()
  const navigate = route.useNavigate()
  const [isCreating, setCreating] = useState(false)
  const query = {
    page,
    page_size: PAGE_SIZE,
    ...(search ? { search: `%${search}%` } : {}),
    ...(isRoleType(type) ? { type } : {}),
  }
  const { data, error, isPlaceholderData, refetch } = usePage('listRoles', { query })
  const create = may('createRole') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus size={15} aria-hidden />
      {t('roles.create')}
    </Button>
  )
  return (
    <Page
      title={t('nav.roles')}
      text={t('roles.text')}
      actions={
        <>
          <ShowApiCall calls={[{ id: 'listRoles', input: { query } }]} />
          {create}
        </>
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <DataTable
          name="roles"
          label={t('nav.roles')}
          rows={data?.rows ?? []}
          columns={columns()}
          rowId={({ id }) => id}
          isStale={isPlaceholderData}
          toolbar={
            <>
              <SearchBox label={t('user.findRole')} value={search} onSearch={onSearch} />
              <Select
                label={t('roles.type')}
                value={type ?? ''}
                choices={[
                  ['', t('applications.allTypes')],
                  ...Object.entries(ROLE_TYPES).map(([each, title]) => [each, t(title)] as const),
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
              isFiltered={search !== '' || isRoleType(type)}
              empty={
                <EmptyState icon={<UserRoundCheck size={20} />} title={t('roles.none')} text={t('roles.noneText')}>
                  {create}
                </EmptyState>
              }
              onPage={onPage}
            />
          }
        />
      )}
      {isCreating && <CreateRole onClose={() => setCreating(false)} />}
    </Page>
  )
}
