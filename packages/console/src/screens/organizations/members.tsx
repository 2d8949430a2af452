/** The members of an organization, users or applications, with the roles that they have there. */
import { AppWindow, Users } from 'lucide-react'
import { useState } from 'react'
import { may, useChange, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { AddMember } from '../../parts/add-member.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { choiceOf } from '../../parts/found.tsx'
import { useLookup } from '../../parts/lookup.ts'
import { type Member, type MemberKind, MemberList } from '../../parts/member-list.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { memberOf } from '../users/member.tsx'
import { MemberRoles } from './member-roles.tsx'

const PAGE_SIZE = 20

/** The calls that read and change the members; both kinds have the same. */
const useMembers = (id: string, kind: MemberKind, search: string, page: number) => {
  const isUser = kind === 'user'
  const input = { params: { id }, query: { page, page_size: PAGE_SIZE, ...(search ? { q: search } : {}) } }
  const users = usePage('listOrganizationUsers', input, undefined, isUser)
  const applications = usePage('listOrganizationApplications', input, undefined, !isUser)
  const addUser = useChange('addOrganizationUsers')
  const addApplication = useChange('addOrganizationApplications')
  const putUser = useChange('replaceOrganizationUserRoles')
  const putApplication = useChange('replaceOrganizationApplicationRoles')
  const removeUser = useChange('removeOrganizationUser')
  const removeApplication = useChange('removeOrganizationApplication')
  return {
    list: isUser ? users : applications,
    members: isUser
      ? users.data?.rows.map((user) => ({ ...memberOf(user), roles: user.organizationRoles }))
      : applications.data?.rows.map((each) => ({ ...choiceOf(each), roles: each.organizationRoles })),
    add: isUser ? addUser : addApplication,
    put: isUser ? putUser : putApplication,
    remove: isUser ? removeUser : removeApplication,
    mayAdd: isUser ? may('addOrganizationUsers', 'listUsers') : may('addOrganizationApplications', 'listApplications'),
    mayPut:
      may('listOrganizationRoles') &&
      may(isUser ? 'replaceOrganizationUserRoles' : 'replaceOrganizationApplicationRoles'),
    mayRemove: may(isUser ? 'removeOrganizationUser' : 'removeOrganizationApplication'),
    addOne: (memberId: string, onSuccess: () => void) =>
      isUser
        ? addUser.mutate({ params: { id }, body: { userIds: [memberId] } }, { onSuccess })
        : addApplication.mutate({ params: { id }, body: { applicationIds: [memberId] } }, { onSuccess }),
    putRoles: (memberId: string, organizationRoleIds: string[], onSuccess: () => void) =>
      isUser
        ? putUser.mutate({ params: { id, userId: memberId }, body: { organizationRoleIds } }, { onSuccess })
        : putApplication.mutate(
            { params: { id, applicationId: memberId }, body: { organizationRoleIds } },
            { onSuccess },
          ),
    removeOne: (memberId: string, onSuccess: () => void) =>
      isUser
        ? removeUser.mutate({ params: { id, userId: memberId } }, { onSuccess })
        : removeApplication.mutate({ params: { id, applicationId: memberId } }, { onSuccess }),
  }
}

export const OrganizationMembers = ({ id, kind }: { readonly id: string; readonly kind: MemberKind }) => {
  const lookup = useLookup()
  const [edited, edit] = useState<Member>()
  const [doomed, doom] = useState<Member>()
  const { list, members, add, put, remove, mayAdd, mayPut, mayRemove, addOne, putRoles, removeOne } = useMembers(
    id,
    kind,
    lookup.search,
    lookup.page,
  )
  const addButton = mayAdd && (
    <AddMember
      kind={kind}
      text={t('organizations.addText')}
      without={{ excludeOrganizationId: id }}
      change={add}
      onChoose={(choice, done) =>
        addOne(choice.id, () => {
          done()
          notify(t('organizations.added', { name: choice.name }))
        })
      }
    />
  )
  const close = () => {
    edit(undefined)
    doom(undefined)
    put.reset()
    remove.reset()
  }
  return (
    <>
      <MemberList
        {...lookup}
        label={t('roles.members')}
        kind={kind}
        members={members}
        list={list}
        pageSize={PAGE_SIZE}
        empty={
          <EmptyState
            icon={kind === 'user' ? <Users size={20} /> : <AppWindow size={20} />}
            title={t(kind === 'user' ? 'organizations.noMembers' : 'applications.none')}
            {...(kind === 'user' ? { text: t('organizations.noMembersText') } : {})}
          >
            {addButton}
          </EmptyState>
        }
        add={addButton}
        edit={mayPut && { label: t('administrators.change'), onEdit: edit }}
        remove={mayRemove && { label: t('organizations.remove'), onRemove: doom }}
      />
      {edited && (
        <MemberRoles
          member={edited}
          type={kind === 'user' ? 'User' : 'MachineToMachine'}
          change={put}
          onClose={close}
          onSave={(roleIds) =>
            putRoles(edited.id, [...roleIds], () => {
              close()
              notify(t('form.saved'))
            })
          }
        />
      )}
      {doomed && (
        <Confirm
          isOpen
          onClose={close}
          title={t('organizations.removeTitle', { name: doomed.name })}
          text={t('organizations.removeText')}
          action={t('organizations.remove')}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            removeOne(doomed.id, () => {
              close()
              notify(t('organizations.removed', { name: doomed.name }))
            })
          }
        />
      )}
    </>
  )
}
