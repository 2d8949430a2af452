/** Permissions, of an API or of organizations: found by name, edited, deleted, and added many at once. */
import { KeyRound, Pencil, Plus, SearchX, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Client, useChanges } from '../api/client.ts'
import { t } from '../languages/languages.ts'
import { AddPermissions } from './add-permissions.tsx'
import { Button, IconButton } from './button.tsx'
import { Confirm } from './confirm.tsx'
import { EditPermission } from './edit-permission.tsx'
import type { Line } from './permission-lines.ts'
import { SearchBox } from './search-box.tsx'
import { EmptyState, ErrorState, Loading } from './states.tsx'
import { notify } from './toast.tsx'

interface Permission {
  readonly id: string
  readonly name: string
  readonly description: string | null
}

interface PermissionListProps {
  /** Whose they are: names the drafts. */
  readonly owner: string
  readonly permissions: readonly Permission[] | undefined
  readonly error: unknown
  readonly retry: () => unknown
  readonly search: string
  readonly onSearch: (search: string) => void
  /** How they are changed; a call is absent where it is not permitted. */
  readonly create: ((client: Client, line: Line) => Promise<unknown>) | false
  readonly update: ((client: Client, id: string, values: Omit<Permission, 'id'>) => Promise<unknown>) | false
  readonly remove: ((client: Client, id: string) => Promise<unknown>) | false
}

interface DeletePermissionProps {
  readonly permission: Permission
  readonly remove: (client: Client, id: string) => Promise<unknown>
  readonly onClose: () => void
}

const DeletePermission = ({ permission: { id, name }, remove, onClose }: DeletePermissionProps) => {
  const changes = useChanges()
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t('api.deletePermission')}
      text={t('api.deletePermissionText')}
      action={t('action.delete')}
      typed={name}
      isBusy={changes.isPending}
      error={changes.error}
      onConfirm={() =>
        changes.mutate((client) => remove(client, id), {
          onSuccess: () => {
            onClose()
            notify(t('api.permissionDeleted', { name }))
          },
        })
      }
    />
  )
}

interface LineProps {
  readonly permission: Permission
  readonly onEdit: (() => void) | undefined
  readonly onDelete: (() => void) | undefined
}

const PermissionLine = ({ permission: { name, description }, onEdit, onDelete }: LineProps) => (
  <li className="flex items-center gap-3 border-line px-4 py-2.5 not-last:border-b">
    <div className="min-w-0 flex-1">
      <code className="wrap-anywhere font-medium font-mono text-[0.8125rem]">{name}</code>
      {description && <div className="wrap-anywhere text-soft">{description}</div>}
    </div>
    {onEdit && (
      <IconButton label={`${t('api.editPermission')}: ${name}`} onClick={onEdit}>
        <Pencil size={16} />
      </IconButton>
    )}
    {onDelete && (
      <IconButton label={`${t('api.deletePermission')}: ${name}`} onClick={onDelete}>
        <Trash2 size={16} />
      </IconButton>
    )}
  </li>
)

export const PermissionList = (props: PermissionListProps) => {
  const { owner, permissions, error, retry, search, onSearch, create, update, remove } = props
  const [isAdding, setAdding] = useState(false)
  const [edited, edit] = useState<Permission>()
  const [doomed, doom] = useState<Permission>()
  const wanted = search.toLowerCase()
  const shown = permissions?.filter(({ name, description }) =>
    `${name}\n${description ?? ''}`.toLowerCase().includes(wanted),
  )
  const add = create && (
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
        <ErrorState error={error} retry={retry} />
      ) : shown === undefined ? (
        <Loading />
      ) : shown.length > 0 ? (
        <ul aria-label={t('apis.permissions')}>
          {shown.map((permission) => (
            <PermissionLine
              key={permission.id}
              permission={permission}
              onEdit={update ? () => edit(permission) : undefined}
              onDelete={remove ? () => doom(permission) : undefined}
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
      {isAdding && create && (
        <AddPermissions
          owner={owner}
          held={(permissions ?? []).map(({ name }) => name)}
          create={create}
          onClose={() => setAdding(false)}
        />
      )}
      {edited && update && <EditPermission permission={edited} update={update} onClose={() => edit(undefined)} />}
      {doomed && remove && <DeletePermission permission={doomed} remove={remove} onClose={() => doom(undefined)} />}
    </div>
  )
}
