/** The members of an organization, users and applications, with the roles that they have there. */
import { Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { may, useChange, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { AddMember } from '../../parts/add-member.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { useLookup } from '../../parts/lookup.ts'
import { type Member, MemberList } from '../../parts/member-list.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { memberOf } from '../users/member.tsx'
import { MemberRoles } from './member-roles.tsx'

const PAGE_SIZE = 20

const NoMembers = ({ children }: { readonly children: ReactNode }) => (
  <EmptyState icon={<Users size={20} />} title={t('organizations.noMembers')} text={t('organizations.noMembersText')}>
    {children}
  </EmptyState>
)

interface RemoveProps {
  readonly member: Member
  readonly change: { readonly isPending: boolean; readonly error: unknown }
  readonly onRemove: () => void
  readonly onClose: () => void
}

const RemoveMember = ({ member: { name }, change, onRemove, onClose }: RemoveProps) => (
  <Confirm
    isOpen
    onClose={onClose}
    title={t('organizations.removeTitle', { name })}
    text={t('organizations.removeText')}
    action={t('organizations.remove')}
    isBusy={change.isPending}
    error={change.error}
    onConfirm={onRemove}
  />
)

export const OrganizationUsers = ({ id }: { readonly id: string }) => {
  const lookup = useLookup()
  const { search, page } = lookup
  const [edited, edit] = useState<Member>()
  const [doomed, doom] = useState<Member>()
  const add = useChange('addOrganizationUsers')
  const put = useChange('replaceOrganizationUserRoles')
  const remove = useChange('removeOrganizationUser')
  const query = { page, page_size: PAGE_SIZE, ...(search ? { q: search } : {}) }
  const { data, error, refetch } = usePage('listOrganizationUsers', { params: { id }, query })
  const addButton = may('addOrganizationUsers', 'listUsers') && (
    <AddMember
      kind="user"
      text={t('organizations.addText')}
      without={{ excludeOrganizationId: id }}
      change={add}
      onChoose={({ id: userId, name }, done) =>
        add.mutate(
          { params: { id }, body: { userIds: [userId] } },
          {
            onSuccess: () => {
              done()
              notify(t('organizations.added', { name }))
            },
          },
        )
      }
    />
  )
  const close = () => {
    edit(undefined)
    doom(undefined)
    put.reset()
    remove.reset()
  }
  const saved = () => {
    close()
    notify(t('form.saved'))
  }
  return (
    <>
      <MemberList
        {...lookup}
        label={t('roles.members')}
        kind="/users/$id"
        members={data?.rows.map((user) => ({ ...memberOf(user), roles: user.organizationRoles }))}
        total={data?.total ?? 0}
        isTotalCapped={data?.isTotalCapped ?? false}
        error={error}
        retry={refetch}
        searchLabel={t('users.search')}
        pageSize={PAGE_SIZE}
        empty={<NoMembers>{addButton}</NoMembers>}
        add={addButton}
        edit={
          may('replaceOrganizationUserRoles', 'listOrganizationRoles') && {
            label: t('administrators.change'),
            onEdit: edit,
          }
        }
        remove={may('removeOrganizationUser') && { label: t('organizations.remove'), onRemove: doom }}
      />
      {edited && (
        <MemberRoles
          member={edited}
          type="User"
          change={put}
          onClose={close}
          onSave={(organizationRoleIds) =>
            put.mutate(
              { params: { id, userId: edited.id }, body: { organizationRoleIds: [...organizationRoleIds] } },
              { onSuccess: saved },
            )
          }
        />
      )}
      {doomed && (
        <RemoveMember
          member={doomed}
          change={remove}
          onClose={close}
          onRemove={() =>
            remove.mutate(
              { params: { id, userId: doomed.id } },
              {
                onSuccess: () => {
                  close()
                  notify(t('organizations.removed', { name: doomed.name }))
                },
              },
            )
          }
        />
      )}
    </>
  )
}

export const OrganizationApplications = ({ id }: { readonly id: string }) => {
  const lookup = useLookup()
  const { search, page } = lookup
  const [edited, edit] = useState<Member>()
  const [doomed, doom] = useState<Member>()
  const add = useChange('addOrganizationApplications')
  const put = useChange('replaceOrganizationApplicationRoles')
  const remove = useChange('removeOrganizationApplication')
  const query = { page, page_size: PAGE_SIZE, ...(search ? { q: search } : {}) }
  const { data, error, refetch } = usePage('listOrganizationApplications', { params: { id }, query })
  const addButton = may('addOrganizationApplications', 'listApplications') && (
    <AddMember
      kind="application"
      text={t('organizations.addText')}
      without={{ excludeOrganizationId: id }}
      change={add}
      onChoose={({ id: applicationId, name }, done) =>
        add.mutate(
          { params: { id }, body: { applicationIds: [applicationId] } },
          {
            onSuccess: () => {
              done()
              notify(t('organizations.added', { name }))
            },
          },
        )
      }
    />
  )
  const close = () => {
    edit(undefined)
    doom(undefined)
    put.reset()
    remove.reset()
  }
  const saved = () => {
    close()
    notify(t('form.saved'))
  }
  return (
    <>
      <MemberList
        {...lookup}
        label={t('roles.members')}
        kind="/applications/$id"
        members={data?.rows.map(({ id: applicationId, name, description, organizationRoles }) => ({
          id: applicationId,
          name,
          detail: description,
          roles: organizationRoles,
        }))}
        total={data?.total ?? 0}
        isTotalCapped={data?.isTotalCapped ?? false}
        error={error}
        retry={refetch}
        searchLabel={t('applications.search')}
        pageSize={PAGE_SIZE}
        empty={<NoMembers>{addButton}</NoMembers>}
        add={addButton}
        edit={
          may('replaceOrganizationApplicationRoles', 'listOrganizationRoles') && {
            label: t('administrators.change'),
            onEdit: edit,
          }
        }
        remove={may('removeOrganizationApplication') && { label: t('organizations.remove'), onRemove: doom }}
      />
      {edited && (
        <MemberRoles
          member={edited}
          type="MachineToMachine"
          change={put}
          onClose={close}
          onSave={(organizationRoleIds) =>
            put.mutate(
              { params: { id, applicationId: edited.id }, body: { organizationRoleIds: [...organizationRoleIds] } },
              { onSuccess: saved },
            )
          }
        />
      )}
      {doomed && (
        <RemoveMember
          member={doomed}
          change={remove}
          onClose={close}
          onRemove={() =>
            remove.mutate(
              { params: { id, applicationId: doomed.id } },
              {
                onSuccess: () => {
                  close()
                  notify(t('organizations.removed', { name: doomed.name }))
                },
              },
            )
          }
        />
      )}
    </>
  )
}
