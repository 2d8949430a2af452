/** The roles of administrators: those that every tenant has, and the tenant's own, which are made, changed and deleted here. */
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { may, type Row, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Card } from '../../parts/page.tsx'
import { notify } from '../../parts/toast.tsx'
import { extentOf, RoleForm } from './role-form.tsx'

type Role = Row<'listAdministratorRoles'>

/** Reads the role by itself, so that the change carries its version. */
const EditRole = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const { data } = useAnswer('getAdministratorRole', { params: { id } })
  return data ? <RoleForm role={data} onClose={onClose} /> : null
}

const Line = (props: { readonly role: Role; readonly onChange: () => void; readonly onDelete: () => void }) => {
  const { role, onChange, onDelete } = props
  return (
    <li className="flex flex-wrap items-center gap-3 border-line py-3 not-last:border-b">
      <div className="min-w-40 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere font-medium">{role.name}</span>
          {role.isBuiltIn && <Badge>{t('administrators.builtIn')}</Badge>}
        </div>
        <div className="wrap-anywhere text-soft text-xs">{role.description}</div>
      </div>
      <span className="text-soft text-xs">{extentOf(role.permissions)}</span>
      {!role.isBuiltIn && (
        <div className="flex">
          {may('updateAdministratorRole') && (
            <IconButton label={`${t('administrators.editRole')}: ${role.name}`} onClick={onChange}>
              <Pencil size={16} />
            </IconButton>
          )}
          {may('deleteAdministratorRole') && (
            <IconButton label={`${t('administrators.deleteRole')}: ${role.name}`} onClick={onDelete}>
              <Trash2 size={16} />
            </IconButton>
          )}
        </div>
      )}
    </li>
  )
}

export const OwnRoles = ({ roles }: { readonly roles: readonly Role[] }) => {
  const remove = useChange('deleteAdministratorRole')
  const [isCreating, setCreating] = useState(false)
  const [edited, edit] = useState<string>()
  const [doomed, setDoomed] = useState<Role>()
  return (
    <div className="mt-4">
      <Card
        title={t('administrators.roles')}
        text={t('administrators.rolesText')}
        actions={
          may('createAdministratorRole') && (
            <Button onClick={() => setCreating(true)}>
              <Plus size={15} aria-hidden />
              {t('administrators.createRole')}
            </Button>
          )
        }
      >
        <ul aria-label={t('administrators.roles')}>
          {roles.map((each) => (
            <Line key={each.id} role={each} onChange={() => edit(each.id)} onDelete={() => setDoomed(each)} />
          ))}
        </ul>
      </Card>
      {isCreating && <RoleForm onClose={() => setCreating(false)} />}
      {edited !== undefined && <EditRole id={edited} onClose={() => edit(undefined)} />}
      {doomed && (
        <Confirm
          isOpen
          onClose={() => {
            setDoomed(undefined)
            remove.reset()
          }}
          title={t('administrators.deleteRole')}
          text={t('administrators.deleteRoleText')}
          action={t('action.delete')}
          typed={doomed.name}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(
              { params: { id: doomed.id } },
              {
                onSuccess: () => {
                  setDoomed(undefined)
                  notify(t('api.deleted', { name: doomed.name }))
                },
              },
            )
          }
        />
      )}
    </div>
  )
}
