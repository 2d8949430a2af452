/** The organization template: roles and permissions that all organizations share. */
import { Tabs } from '@base-ui/react/tabs'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Plus, UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { may, useAnswer, useChange, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CreateRoleDialog } from '../../parts/create-role.tsx'
import { ListFooter } from '../../parts/list-footer.tsx'
import { useLookup } from '../../parts/lookup.ts'
import { Page } from '../../parts/page.tsx'
import { PermissionList } from '../../parts/permission-list.tsx'
import { ROLE_TYPES } from '../../parts/role-types.ts'
import { SearchBox } from '../../parts/search-box.tsx'
import { EmptyState, ErrorState } from '../../parts/states.tsx'
import { TabList } from '../../parts/tab-list.tsx'
import { notify } from '../../parts/toast.tsx'

const PAGE_SIZE = 20
const route = getRouteApi('/organizations/template')
const TABS = ['roles', 'permissions'] as const

const CreateRole = ({ onClose }: { readonly onClose: () => void }) => {
  const create = useChange('createOrganizationRole')
  const navigate = useNavigate()
  return (
    <CreateRoleDialog
      form="new-organization-role"
      title={t('roles.create')}
      change={create}
      nameCodes={['entity.unique_integrity_violation']}
      onClose={onClose}
      onCreate={({ name, description, type }, done) =>
        create.mutate(
          { body: { name, type, description: description || null } },
          {
            onSuccess: ({ id }) => {
              done()
              notify(t('roles.created', { name }))
              void navigate({ to: '/organizations/roles/$id', params: { id } })
            },
          },
        )
      }
    />
  )
}

const TemplateRoles = () => {
  const { search, page, onSearch, onPage } = useLookup()
  const [isCreating, setCreating] = useState(false)
  const query = { page, page_size: PAGE_SIZE, ...(search ? { q: search } : {}) }
  const { data, error, refetch } = usePage('listOrganizationRoles', { query })
  const create = may('createOrganizationRole') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus size={15} aria-hidden />
      {t('roles.create')}
    </Button>
  )
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-line border-b p-3">
        <SearchBox label={t('user.findRole')} value={search} onSearch={onSearch} />
        <span className="ms-auto">{create}</span>
      </div>
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <>
          {data && data.rows.length > 0 && (
            <ul aria-label={t('nav.roles')}>
              {data.rows.map(({ id, name, description, type, scopes, resourceScopes }) => (
                <li
                  key={id}
                  className="relative flex flex-wrap items-center gap-3 border-line px-4 py-2.5 not-last:border-b hover:bg-hover"
                >
                  <div className="min-w-40 flex-1">
                    <Link
                      to="/organizations/roles/$id"
                      params={{ id }}
                      className="block truncate font-medium before:absolute before:inset-0 before:content-['']"
                    >
                      {name}
                    </Link>
                    {description && <span className="block truncate text-soft text-xs">{description}</span>}
                  </div>
                  <span className="text-soft text-xs tabular-nums">
                    {t('administrators.permissions', { count: scopes.length + resourceScopes.length })}
                  </span>
                  <Badge>{t(ROLE_TYPES[type])}</Badge>
                </li>
              ))}
            </ul>
          )}
          <ListFooter
            data={data}
            page={page}
            pageSize={PAGE_SIZE}
            isFiltered={search !== ''}
            empty={
              <EmptyState icon={<UserRoundCheck size={20} />} title={t('roles.none')} text={t('template.noRolesText')}>
                {create}
              </EmptyState>
            }
            onPage={onPage}
          />
        </>
      )}
      {isCreating && <CreateRole onClose={() => setCreating(false)} />}
    </div>
  )
}

const TemplatePermissions = () => {
  const { search, onSearch } = useLookup()
  const { data, error, refetch } = useAnswer('listOrganizationScopes', {})
  return (
    <PermissionList
      owner="template"
      permissions={data}
      error={error}
      retry={refetch}
      search={search}
      onSearch={onSearch}
      create={
        may('createOrganizationScope') &&
        ((client, { name, description }) =>
          client.createOrganizationScope({ body: { name, description: description || null } }))
      }
      update={
        may('updateOrganizationScope') &&
        ((client, id, body) => client.updateOrganizationScope({ params: { id }, body }))
      }
      remove={may('deleteOrganizationScope') && ((client, id) => client.deleteOrganizationScope({ params: { id } }))}
    />
  )
}

export const OrganizationTemplate = () => {
  const { tab = 'roles' } = route.useSearch()
  const navigate = route.useNavigate()
  const shown = TABS.find((each) => each === tab) ?? 'roles'
  return (
    <Page
      title={t('template.title')}
      text={t('template.text')}
      up={{ to: '/organizations', title: t('nav.organizations') }}
      actions={<ShowApiCall calls={[{ id: 'listOrganizationRoles' }, { id: 'listOrganizationScopes' }]} />}
    >
      <Tabs.Root
        value={shown}
        onValueChange={(next) => void navigate({ search: { tab: String(next) }, replace: true })}
      >
        <TabList tabs={TABS.map((each) => [each, t(`template.tab.${each}`)])} />
        <Tabs.Panel value="roles" className="outline-offset-4">
          <TemplateRoles />
        </Tabs.Panel>
        <Tabs.Panel value="permissions" className="outline-offset-4">
          <TemplatePermissions />
        </Tabs.Panel>
      </Tabs.Root>
    </Page>
  )
}
