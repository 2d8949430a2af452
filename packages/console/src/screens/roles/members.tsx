/** Who holds a role: users, or applications that act for themselves. */
import { Users } from 'lucide-react'
import { may, useChange, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { AddMember } from '../../parts/add-member.tsx'
import { choiceOf } from '../../parts/found.tsx'
import { useLookup } from '../../parts/lookup.ts'
import { type MemberKind, MemberList } from '../../parts/member-list.tsx'
import { EmptyState, ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { memberOf } from '../users/member.tsx'
import { patternOf } from '../users/search.ts'

const PAGE_SIZE = 20

/** The calls that read and change who holds the role; both kinds have the same. */
const useHolders = (id: string, kind: MemberKind, search: string, page: number) => {
  const isUser = kind === 'user'
  const query = (pattern: string) => ({ page, page_size: PAGE_SIZE, ...(search ? { search: pattern } : {}) })
  const users = usePage('listRoleUsers', { params: { id }, query: query(patternOf(search)) }, undefined, isUser)
  const applications = usePage(
    'listRoleApplications',
    { params: { id }, query: query(`%${search}%`) },
    undefined,
    !isUser,
  )
  const [addUser, removeUser] = [useChange('addRoleUsers'), useChange('removeRoleUser')]
  const [addApplication, removeApplication] = [useChange('addRoleApplications'), useChange('removeRoleApplication')]
  return {
    list: isUser ? users : applications,
    members: isUser ? users.data?.rows.map(memberOf) : applications.data?.rows.map(choiceOf),
    add: isUser ? addUser : addApplication,
    remove: isUser ? removeUser : removeApplication,
    mayAdd: isUser ? may('addRoleUsers', 'listUsers') : may('addRoleApplications', 'listApplications'),
    mayRemove: may(isUser ? 'removeRoleUser' : 'removeRoleApplication'),
    give: (memberId: string, onSuccess: () => void) =>
      isUser
        ? addUser.mutate({ params: { id }, body: { userIds: [memberId] } }, { onSuccess })
        : addApplication.mutate({ params: { id }, body: { applicationIds: [memberId] } }, { onSuccess }),
    take: (memberId: string, onSuccess: () => void) =>
      isUser
        ? removeUser.mutate({ params: { id, userId: memberId } }, { onSuccess })
        : removeApplication.mutate({ params: { id, applicationId: memberId } }, { onSuccess }),
  }
}

export const RoleMembers = ({ id, kind }: { readonly id: string; readonly kind: MemberKind }) => {
  const lookup = useLookup()
  const { list, members, add, remove, mayAdd, mayRemove, give, take } = useHolders(id, kind, lookup.search, lookup.page)
  const addButton = mayAdd && (
    <AddMember
      kind={kind}
      text={t('user.addRoleText')}
      without={{ excludeRoleId: id }}
      change={add}
      onChoose={(choice, done) =>
        give(choice.id, () => {
          done()
          notify(t('roles.given', { name: choice.name }))
        })
      }
    />
  )
  return (
    <>
      {remove.error && <ErrorState error={remove.error} />}
      <MemberList
        {...lookup}
        label={t('roles.members')}
        kind={kind}
        members={members}
        list={list}
        pageSize={PAGE_SIZE}
        empty={
          <EmptyState icon={<Users size={20} />} title={t('roles.noMembers')} text={t('roles.noMembersText')}>
            {addButton}
          </EmptyState>
        }
        add={addButton}
        remove={
          mayRemove && {
            label: t('user.removeRole'),
            onRemove: (member) =>
              take(member.id, () =>
                notify(t('roles.taken', { name: member.name }), () => give(member.id, () => undefined)),
              ),
          }
        }
      />
    </>
  )
}
