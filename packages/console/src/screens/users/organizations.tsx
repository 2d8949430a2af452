/** The organizations of a user: joined, left, and with which roles. */
import { Link } from '@tanstack/react-router'
import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { may, type Row, useAnswer, useChange, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Chooser } from '../../parts/chooser.tsx'
import { ItemList } from '../../parts/item-list.tsx'
import { notify } from '../../parts/toast.tsx'
import { MemberRoles } from '../organizations/member-roles.tsx'
import { useOriginWords } from './origins.ts'

const SHOWN = 8
type Organization = Row<'listUserOrganizations'>

interface JoinProps {
  readonly id: string
  readonly joined: readonly Organization[]
  readonly onClose: () => void
}

const Join = ({ id, joined, onClose }: JoinProps) => {
  const [search, setSearch] = useState('')
  const add = useChange('addOrganizationUsers')
  const found = usePage('listOrganizations', { query: { page: 1, page_size: SHOWN, ...(search ? { q: search } : {}) } })
  const known = new Set(joined.map((each) => each.id))
  return (
    <Chooser
      title={t('user.join')}
      text={t('user.joinText')}
      searchLabel={t('organizations.search')}
      search={search}
      onSearch={setSearch}
      choices={found.data?.rows
        .filter((each) => !known.has(each.id))
        .map(({ id: organizationId, name, description }) => ({ id: organizationId, name, detail: description }))}
      error={found.error ?? add.error}
      isBusy={add.isPending}
      onChoose={({ id: organizationId, name }) =>
        add.mutate(
          { params: { id: organizationId }, body: { userIds: [id] } },
          {
            onSuccess: () => {
              onClose()
              notify(t('user.joined', { name }))
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}

export const UserOrganizations = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listUserOrganizations', { params: { userId: id } })
  const known = useAnswer('listUserOrganizationRoleOrigins', { params: { userId: id } })
  const origins = known.data?.origins ?? []
  const wordsOf = useOriginWords(origins)
  const originOf = (organizationId: string, roleId: string) =>
    wordsOf(origins.find((each) => each.organizationId === organizationId && each.organizationRoleId === roleId))
  const [isJoining, setJoining] = useState(false)
  const [edited, edit] = useState<Organization>()
  const put = useChange('replaceOrganizationUserRoles')
  const remove = useChange('removeOrganizationUser')
  const close = () => {
    edit(undefined)
    put.reset()
  }
  const mayEdit = may('replaceOrganizationUserRoles', 'listOrganizationRoles')
  return (
    <>
      <ItemList
        title={t('nav.organizations')}
        items={data?.map((organization) => ({
          id: organization.id,
          title: (
            <Link to="/organizations/$id" params={{ id: organization.id }} className="hover:underline">
              {organization.name}
            </Link>
          ),
          detail:
            organization.organizationRoles.length === 0
              ? t('user.noOrganizationRoles')
              : organization.organizationRoles.map((role) => (
                  <p key={role.id}>{[role.name, originOf(organization.id, role.id)].filter(Boolean).join(' · ')}</p>
                )),
          actions: mayEdit && (
            <IconButton
              label={`${t('administrators.change')}: ${organization.name}`}
              onClick={() => edit(organization)}
            >
              <Pencil size={16} />
            </IconButton>
          ),
        }))}
        error={error}
        none={t('user.noOrganizations')}
        actions={
          may('addOrganizationUsers', 'listOrganizations') && (
            <Button onClick={() => setJoining(true)}>
              <Plus size={15} aria-hidden />
              {t('user.join')}
            </Button>
          )
        }
        removal={
          may('removeOrganizationUser')
            ? {
                title: t('organizations.remove'),
                text: t('organizations.removeText'),
                action: t('organizations.remove'),
                isBusy: remove.isPending,
                error: remove.error,
                onClose: remove.reset,
                onRemove: (organizationId, done) =>
                  remove.mutate({ params: { id: organizationId, userId: id } }, { onSuccess: done }),
              }
            : undefined
        }
      />
      {isJoining && data && <Join id={id} joined={data} onClose={() => setJoining(false)} />}
      {edited && (
        <MemberRoles
          member={{ id, name: edited.name, roles: edited.organizationRoles }}
          type="User"
          change={put}
          onClose={close}
          onSave={(organizationRoleIds) =>
            put.mutate(
              { params: { id: edited.id, userId: id }, body: { organizationRoleIds: [...organizationRoleIds] } },
              {
                onSuccess: () => {
                  close()
                  notify(t('form.saved'))
                },
              },
            )
          }
        />
      )}
    </>
  )
}
