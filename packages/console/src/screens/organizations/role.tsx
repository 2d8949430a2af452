/** One role of the organization template: its permissions in the organization and in APIs, its name and its end. */
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { may, useAnswer, useChange, useChanges } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { DeleteCard } from '../../parts/delete-card.tsx'
import { useForm } from '../../parts/form.ts'
import { idsOf, textOfIds } from '../../parts/id-set.ts'
import { NameForm } from '../../parts/name-form.tsx'
import { Page } from '../../parts/page.tsx'
import { PermissionPicker } from '../../parts/permission-picker.tsx'
import { ROLE_TYPES, type RoleType } from '../../parts/role-types.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { isBuiltIn } from '../apis/built-in.ts'

const route = getRouteApi('/organizations/roles/$id')

const Permissions = ({ id, type }: { readonly id: string; readonly type: RoleType }) => {
  const all = useAnswer('listOrganizationScopes', {})
  const held = useAnswer('listOrganizationRoleScopes', { params: { id } })
  const apis = useAnswer('listResources', { query: { includeScopes: 'true' } })
  const heldOfApis = useAnswer('listOrganizationRoleResourceScopes', { params: { id } })
  const stored = textOfIds([...(held.data ?? []), ...(heldOfApis.data ?? [])].map((each) => each.id))
  const { values, set, isChanged, reset } = useForm(`organization-role.${id}.permissions`, { scopes: stored })
  const changes = useChanges()
  const failure = all.error ?? held.error ?? apis.error ?? heldOfApis.error
  if (failure) return <ErrorState error={failure} />
  if (!all.data || !held.data || (may('listResources') && (!apis.data || !heldOfApis.data))) return <Loading />
  const wanted = idsOf(values.scopes)
  const own = all.data
  const groups = [
    { id: 'organization', title: t('template.own'), text: t('template.ownText'), permissions: own },
    ...(apis.data ?? [])
      .filter((api) => type !== 'User' || !isBuiltIn(api))
      .map((api) => ({ id: api.id, title: api.name, text: api.indicator, permissions: api.scopes ?? [] })),
  ]
  const mayChange = may('replaceOrganizationRoleScopes', 'replaceOrganizationRoleResourceScopes')
  const submit = () =>
    changes.mutate(
      async (client) => {
        const organizationScopeIds = own.map((each) => each.id).filter((each) => wanted.has(each))
        await client.replaceOrganizationRoleScopes({ params: { id }, body: { organizationScopeIds } })
        if (!apis.data) return
        const ofApis = new Set(apis.data.flatMap(({ scopes = [] }) => scopes.map((each) => each.id)))
        await client.replaceOrganizationRoleResourceScopes({
          params: { id },
          body: { scopeIds: [...wanted].filter((each) => ofApis.has(each)) },
        })
      },
      {
        onSuccess: () => {
          reset()
          notify(t('form.saved'))
        },
      },
    )
  return (
    <form
      className="mb-8"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <PermissionPicker
        groups={groups}
        held={wanted}
        onChange={(next) => set('scopes', textOfIds(next))}
        isReadOnly={!mayChange}
      />
      {changes.error && <ErrorState error={changes.error} />}
      {mayChange && <SaveBar isChanged={isChanged} isBusy={changes.isPending} onDiscard={reset} />}
    </form>
  )
}

export const OrganizationRole = () => {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const { data: role, error, refetch } = useAnswer('getOrganizationRole', { params: { id } })
  const update = useChange('updateOrganizationRole')
  const remove = useChange('deleteOrganizationRole')
  const up = { to: '/organizations/template', title: t('template.title') } as const
  if (error)
    return (
      <Page title={id} up={up}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    )
  if (!role) return <Loading />
  const { name, description, type } = role
  return (
    <Page
      title={name}
      {...(description ? { text: description } : {})}
      up={up}
      badge={<Badge>{t(ROLE_TYPES[type])}</Badge>}
      actions={
        <ShowApiCall
          calls={[
            { id: 'getOrganizationRole', input: { params: { id } } },
            { id: 'listOrganizationRoleScopes', input: { params: { id } } },
            { id: 'listOrganizationRoleResourceScopes', input: { params: { id } } },
          ]}
        />
      }
    >
      <Permissions id={id} type={type} />
      <NameForm
        form={`organization-role.${id}`}
        name={name}
        description={description ?? ''}
        change={update}
        nameCodes={['entity.unique_integrity_violation']}
        isReadOnly={!may('updateOrganizationRole')}
        onSave={(values, done) =>
          update.mutate(
            { params: { id }, body: { name: values.name, description: values.description || null } },
            { onSuccess: done },
          )
        }
      />
      {may('deleteOrganizationRole') && (
        <DeleteCard
          title={t('roles.delete')}
          text={t('roles.deleteText')}
          name={name}
          change={remove}
          onDelete={() =>
            remove.mutate(
              { params: { id } },
              {
                onSuccess: () => {
                  notify(t('api.deleted', { name }))
                  void navigate({ to: '/organizations/template' })
                },
              },
            )
          }
        />
      )}
    </Page>
  )
}
