/** The permissions of an API: found by name, edited, deleted, and added many at once. */
import { getRouteApi } from '@tanstack/react-router'
import { KeyRound, Pencil, Plus, SearchX, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { type Answer, may, type Row, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { AddPermissions } from './add-permissions.tsx'
import { isBuiltIn } from './built-in.ts'
import { EditPermission } from './edit-permission.tsx'

const route = getRouteApi('/apis/$id')
type Permission = Row<'listScopes'>

const DeletePermission = ({
  permission,
  onClose,
}: {
  readonly permission: Permission
  readonly onClose: () => void
}) => {
  const remove = useChange('deleteScope')
  const { id: scopeId, resourceId, name } = permission
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t('api.deletePermission')}
      text={t('api.deletePermissionText')}
      action={t('action.delete')}
      typed={name}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { resourceId, scopeId } },
          {
            onSuccess: () => {
              onClose()
              notify(t('api.permissionDeleted', { name }))
            },
          },
        )
      }
    />
  )
}

interface LineProps {
  readonly permission: Permission
  readonly isFixed: boolean
  readonly onEdit: () => void
  readonly onDelete: () => void
}

const Line = ({ permission: { name, description }, isFixed, onEdit, onDelete }: LineProps) => (
  <li className="flex items-center gap-3 border-line px-4 py-2.5 not-last:border-b">
    <div className="min-w-0 flex-1">
      <code className="wrap-anywhere font-medium font-mono text-[0.8125rem]">{name}</code>
      {description && <div className="wrap-anywhere text-soft">{description}</div>}
    </div>
    {!isFixed && may('updateScope') && (
      <IconButton label={`${t('api.editPermission')}: ${name}`} onClick={onEdit}>
        <Pencil size={16} />
      </IconButton>
    )}
    {!isFixed && may('deleteScope') && (
      <IconButton label={`${t('api.deletePermission')}: ${name}`} onClick={onDelete}>
        <Trash2 size={16} />
      </IconButton>
    )}
  </li>
)

export const Permissions = ({ api }: { readonly api: Answer<'getResource'> }) => {
  const { search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useAnswer('listScopes', { params: { resourceId: api.id } })
  const [isAdding, setAdding] = useState(false)
  const [edited, edit] = useState<Permission>()
  const [doomed, doom] = useState<Permission>()
  const onSearch = useCallback(
    (next: string) =>
      void navigate({
        search: ({ search: _before, ...rest }) => (next ? { ...rest, search: next } : rest),
        replace: true,
      }),
    [navigate],
  )
  const isFixed = isBuiltIn(api)
  const wanted = search.toLowerCase()
  const shown = data?.filter(({ name, description }) => `${name}\n${description ?? ''}`.toLowerCase().includes(wanted))
  const add = !isFixed && may('createScope') && (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus size={15} aria-hidden />
      {t('api.addPermissions')}
    </Button>
  )
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-line border-b p-3">
        <SearchBox label={t('api.findPermission')} value={search} onSearch={onSearch} />
        <span className="ms-auto">{add}</span>
      </div>
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : shown === undefined ? (
        <Loading />
      ) : shown.length > 0 ? (
        <ul aria-label={t('apis.permissions')}>
          {shown.map((permission) => (
            <Line
              key={permission.id}
              permission={permission}
              isFixed={isFixed}
              onEdit={() => edit(permission)}
              onDelete={() => doom(permission)}
            />
          ))}
        </ul>
      ) : search ? (
        <EmptyState icon={<SearchX size={20} />} title={t('state.noMatch')} text={t('state.noMatchText')} />
      ) : (
        <EmptyState icon={<KeyRound size={20} />} title={t('api.noPermissions')} text={t('api.noPermissionsText')}>
          {add}
        </EmptyState>
      )}
      {isAdding && (
        <AddPermissions id={api.id} held={(data ?? []).map(({ name }) => name)} onClose={() => setAdding(false)} />
      )}
      {edited && <EditPermission permission={edited} onClose={() => edit(undefined)} />}
      {doomed && <DeletePermission permission={doomed} onClose={() => doom(undefined)} />}
    </div>
  )
}
