/** The permissions of a role, by API; saved together. */
import { type Answer, may, useAnswer, useChanges } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { useForm } from '../../parts/form.ts'
import { idsOf, textOfIds } from '../../parts/id-set.ts'
import { PermissionPicker } from '../../parts/permission-picker.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { isBuiltIn } from '../apis/built-in.ts'

export const RolePermissions = ({ role: { id, type } }: { readonly role: Answer<'getRole'> }) => {
  const { data: held, error, refetch } = useAnswer('listRoleScopes', { params: { id } })
  const apis = useAnswer('listResources', { query: { includeScopes: 'true' } })
  const stored = textOfIds((held ?? []).map((each) => each.id))
  const { values, set, isChanged, reset } = useForm(`role.${id}.permissions`, { scopes: stored })
  const changes = useChanges()
  const failure = error ?? apis.error
  if (failure) return <ErrorState error={failure} retry={() => Promise.all([refetch(), apis.refetch()])} />
  if (!held || !apis.data) return <Loading />
  const wanted = idsOf(values.scopes)
  const submit = () => {
    const before = idsOf(stored)
    const added = [...wanted].filter((each) => !before.has(each))
    const removed = [...before].filter((each) => !wanted.has(each))
    changes.mutate(
      async (client) => {
        if (added.length > 0) await client.addRoleScopes({ params: { id }, body: { scopeIds: added } })
        for (const scopeId of removed) await client.removeRoleScope({ params: { id, scopeId } })
      },
      {
        onSuccess: () => {
          reset()
          notify(t('form.saved'))
        },
      },
    )
  }
  // permissions of the Management API are for machines only
  const groups = apis.data
    .filter((api) => type !== 'User' || !isBuiltIn(api))
    .map((api) => ({ id: api.id, title: api.name, text: api.indicator, permissions: api.scopes ?? [] }))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {groups.length === 0 && <p className="text-soft">{t('apis.none')}</p>}
      <PermissionPicker
        groups={groups}
        held={wanted}
        onChange={(next) => set('scopes', textOfIds(next))}
        isReadOnly={!may('addRoleScopes', 'removeRoleScope')}
      />
      {changes.error && <ErrorState error={changes.error} />}
      {may('addRoleScopes', 'removeRoleScope') && groups.length > 0 && (
        <SaveBar isChanged={isChanged} isBusy={changes.isPending} onDiscard={reset} />
      )}
    </form>
  )
}
