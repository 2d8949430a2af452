/** What an application that acts for itself may do: its roles, its organizations, and the Management API. */
import { useState } from 'react'
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { AddOne } from '../../parts/add-one.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { ItemList } from '../../parts/item-list.tsx'
import { Card } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'

const Roles = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listApplicationRoles', { params: { applicationId: id } })
  const add = useChange('addApplicationRoles')
  const remove = useChange('removeApplicationRole')
  const give = (roleId: string, onSuccess?: () => void) =>
    add.mutate({ params: { applicationId: id }, body: { roleIds: [roleId] } }, { onSuccess: () => onSuccess?.() })
  return (
    <ItemList
      title={t('nav.roles')}
      text={t('machine.rolesText')}
      items={data?.map(({ id: roleId, name, description }) => ({ id: roleId, title: name, detail: description }))}
      error={error}
      none={t('machine.noRoles')}
      actions={
        may('addApplicationRoles', 'listRoles') && (
          <AddOne
            title={t('user.addRole')}
            text={t('machine.addRoleText')}
            searchLabel={t('user.findRole')}
            among={{ kind: 'roles', type: 'MachineToMachine', excludeApplicationId: id }}
            change={add}
            onChoose={({ id: roleId }, done) =>
              give(roleId, () => {
                done()
                notify(t('user.roleAdded'))
              })
            }
          />
        )
      }
      removal={
        may('removeApplicationRole')
          ? {
              isUndoable: true,
              action: t('user.removeRole'),
              isBusy: remove.isPending,
              error: remove.error,
              onRemove: (roleId) =>
                remove.mutate(
                  { params: { applicationId: id, roleId } },
                  { onSuccess: () => notify(t('user.roleRemoved'), () => give(roleId)) },
                ),
            }
          : undefined
      }
    />
  )
}

const Organizations = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listApplicationOrganizations', { params: { id } })
  return (
    <ItemList
      title={t('nav.organizations')}
      text={t('machine.organizationsText')}
      items={data?.map(({ id: organizationId, name, organizationRoles }) => ({
        id: organizationId,
        title: name,
        detail: organizationRoles.map((role) => role.name).join(', ') || t('user.noOrganizationRoles'),
      }))}
      error={error}
      none={t('user.noOrganizations')}
    />
  )
}

const ManagementApi = ({ application }: { readonly application: Answer<'getApplication'> }) => {
  const { id, name, isAdmin } = application
  const update = useChange('updateApplication')
  const [isAsking, ask] = useState(false)
  const put = (next: boolean) =>
    update.mutate(
      { params: { id }, body: { isAdmin: next } },
      {
        onSuccess: () => {
          ask(false)
          notify(t('form.saved'), next ? undefined : () => put(true))
        },
      },
    )
  return (
    <Card title={t('machine.management')} text={t('machine.managementText')}>
      <div className="max-w-2xl">
        <SwitchRow
          label={t('machine.admin')}
          text={t('machine.adminText')}
          isOn={isAdmin}
          onChange={(isOn) => (isOn ? ask(true) : put(false))}
          isReadOnly={!may('updateApplication')}
        />
      </div>
      {update.error && !isAsking && <ErrorState error={update.error} />}
      {isAsking && (
        <Confirm
          isOpen
          onClose={() => {
            ask(false)
            update.reset()
          }}
          title={t('machine.admin')}
          text={t('machine.adminWarning')}
          action={t('machine.give')}
          typed={name}
          isBusy={update.isPending}
          error={update.error}
          onConfirm={() => put(true)}
        />
      )}
    </Card>
  )
}

export const MachineRoles = ({ application }: { readonly application: Answer<'getApplication'> }) => (
  <>
    {may('listApplicationRoles') && <Roles id={application.id} />}
    {may('listApplicationOrganizations') && <Organizations id={application.id} />}
    <ManagementApi application={application} />
  </>
)
