/** Who holds a role: users, or applications that act for themselves. */
import { Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { may, useChange, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { AddMember } from '../../parts/add-member.tsx'
import { useLookup } from '../../parts/lookup.ts'
import { MemberList } from '../../parts/member-list.tsx'
import { EmptyState, ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { memberOf } from '../users/member.tsx'
import { patternOf } from '../users/search.ts'

const PAGE_SIZE = 20

const NoMembers = ({ children }: { readonly children: ReactNode }) => (
  <EmptyState icon={<Users size={20} />} title={t('roles.noMembers')} text={t('roles.noMembersText')}>
    {children}
  </EmptyState>
)

export const RoleUsers = ({ id }: { readonly id: string }) => {
  const lookup = useLookup()
  const { search, page } = lookup
  const add = useChange('addRoleUsers')
  const remove = useChange('removeRoleUser')
  const query = { page, page_size: PAGE_SIZE, ...(search ? { search: patternOf(search) } : {}) }
  const { data, error, refetch } = usePage('listRoleUsers', { params: { id }, query })
  const give = (userId: string, done?: () => void) =>
    add.mutate({ params: { id }, body: { userIds: [userId] } }, { onSuccess: () => done?.() })
  const addButton = may('addRoleUsers', 'listUsers') && (
    <AddMember
      kind="user"
      text={t('user.addRoleText')}
      without={{ excludeRoleId: id }}
      change={add}
      onChoose={({ id: userId, name }, done) =>
        give(userId, () => {
          done()
          notify(t('roles.given', { name }))
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
        kind="/users/$id"
        members={data?.rows.map(memberOf)}
        total={data?.total ?? 0}
        isTotalCapped={data?.isTotalCapped ?? false}
        error={error}
        retry={refetch}
        searchLabel={t('users.search')}
        pageSize={PAGE_SIZE}
        empty={<NoMembers>{addButton}</NoMembers>}
        add={addButton}
        remove={
          may('removeRoleUser') && {
            label: t('user.removeRole'),
            onRemove: ({ id: userId, name }) =>
              remove.mutate(
                { params: { id, userId } },
                { onSuccess: () => notify(t('roles.taken', { name }), () => give(userId)) },
              ),
          }
        }
      />
    </>
  )
}

export const RoleApplications = ({ id }: { readonly id: string }) => {
  const lookup = useLookup()
  const { search, page } = lookup
  const add = useChange('addRoleApplications')
  const remove = useChange('removeRoleApplication')
  const query = { page, page_size: PAGE_SIZE, ...(search ? { search: `%${search}%` } : {}) }
  const { data, error, refetch } = usePage('listRoleApplications', { params: { id }, query })
  const give = (applicationId: string, done?: () => void) =>
    add.mutate({ params: { id }, body: { applicationIds: [applicationId] } }, { onSuccess: () => done?.() })
  const addButton = may('addRoleApplications', 'listApplications') && (
    <AddMember
      kind="application"
      text={t('user.addRoleText')}
      without={{ excludeRoleId: id }}
      change={add}
      onChoose={({ id: applicationId, name }, done) =>
        give(applicationId, () => {
          done()
          notify(t('roles.given', { name }))
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
        kind="/applications/$id"
        members={data?.rows.map(({ id: applicationId, name, description }) => ({
          id: applicationId,
          name,
          detail: description,
        }))}
        total={data?.total ?? 0}
        isTotalCapped={data?.isTotalCapped ?? false}
        error={error}
        retry={refetch}
        searchLabel={t('applications.search')}
        pageSize={PAGE_SIZE}
        empty={<NoMembers>{addButton}</NoMembers>}
        add={addButton}
        remove={
          may('removeRoleApplication') && {
            label: t('user.removeRole'),
            onRemove: ({ id: applicationId, name }) =>
              remove.mutate(
                { params: { id, applicationId } },
                { onSuccess: () => notify(t('roles.taken', { name }), () => give(applicationId)) },
              ),
          }
        }
      />
    </>
  )
}
