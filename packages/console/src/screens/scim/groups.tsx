/** The groups that the identity provider sent, and the roles that their members get. */
import { Pencil, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { may, type Row, useAnswer, useChange, usePage } from '../../api/client.ts'
import { number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { CheckRow } from '../../parts/check-row.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ListFooter } from '../../parts/list-footer.tsx'
import { useLookup } from '../../parts/lookup.ts'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

type Group = Row<'listScimGroups'>
const PAGE_SIZE = 20
const MOST = 100

interface RoleChoice {
  readonly id: string
  readonly name: string
  readonly description: string | null
}

/** The roles that groups of the directory can have: global ones, or those of the organization template. */
const useRoles = (isOfOrganization: boolean) => {
  const global = usePage(
    'listRoles',
    { query: { type: 'User', page: 1, page_size: MOST } },
    undefined,
    !isOfOrganization,
  )
  const own = useAnswer('listOrganizationRoles', { query: { page: 1, page_size: MOST } }, isOfOrganization)
  const roles: readonly RoleChoice[] | undefined = isOfOrganization
    ? own.data?.filter(({ type }) => type === 'User')
    : global.data?.rows
  return { roles, error: isOfOrganization ? own.error : global.error }
}

interface GroupsProps {
  readonly id: string
  readonly isOfOrganization: boolean
}

const GroupRoles = ({
  id,
  isOfOrganization,
  group,
  onClose,
}: GroupsProps & { readonly group: Group; readonly onClose: () => void }) => {
  const { roles, error } = useRoles(isOfOrganization)
  const [held, hold] = useState<ReadonlySet<string>>(() => new Set(group.roleIds))
  const put = useChange('replaceScimGroupRoles')
  return (
    <Dialog isOpen onClose={onClose} title={group.displayName} description={t('scimGroups.rolesText')}>
      {error ? <ErrorState error={error} /> : roles === undefined && <Loading lines={2} />}
      <div>
        {roles?.map(({ id: roleId, name, description }) => (
          <CheckRow
            key={roleId}
            label={name}
            text={description}
            isOn={held.has(roleId)}
            onChange={(isOn) =>
              hold(isOn ? new Set([...held, roleId]) : new Set([...held].filter((each) => each !== roleId)))
            }
          />
        ))}
        {roles?.length === 0 && <p className="text-soft">{t('roles.none')}</p>}
      </div>
      {put.error && <ErrorState error={put.error} />}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button
          look="primary"
          isBusy={put.isPending}
          onClick={() =>
            put.mutate(
              { params: { id, scimGroupId: group.id }, body: { roleIds: [...held] } },
              {
                onSuccess: () => {
                  onClose()
                  notify(t('form.saved'))
                },
              },
            )
          }
        >
          {t('action.save')}
        </Button>
      </div>
    </Dialog>
  )
}

export const Groups = ({ id, isOfOrganization }: GroupsProps) => {
  const { page, onPage } = useLookup()
  const { data, error, refetch } = usePage('listScimGroups', { params: { id }, query: { page, page_size: PAGE_SIZE } })
  const { roles = [] } = useRoles(isOfOrganization)
  const [edited, edit] = useState<Group>()
  if (error) return <ErrorState error={error} retry={refetch} />
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      {data && data.rows.length > 0 && (
        <ul aria-label={t('scim.tab.groups')}>
          {data.rows.map((group) => (
            <li key={group.id} className="flex flex-wrap items-center gap-3 border-line px-4 py-2.5 not-last:border-b">
              <div className="min-w-40 flex-1">
                <div className="wrap-anywhere font-medium">{group.displayName}</div>
                <div className="text-soft text-xs">{t('scimGroups.members', { count: number(group.memberCount) })}</div>
              </div>
              <div className="flex flex-wrap gap-1.5">
                {group.roleIds.map((roleId) => (
                  <Badge key={roleId} tone="accent">
                    {roles.find((role) => role.id === roleId)?.name ?? roleId}
                  </Badge>
                ))}
              </div>
              {may('replaceScimGroupRoles') && (
                <IconButton label={`${t('administrators.change')}: ${group.displayName}`} onClick={() => edit(group)}>
                  <Pencil size={16} />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      <ListFooter
        data={data}
        page={page}
        pageSize={PAGE_SIZE}
        isFiltered={false}
        empty={
          <EmptyState icon={<UsersRound size={20} />} title={t('scimGroups.none')} text={t('scimGroups.noneText')} />
        }
        onPage={onPage}
      />
      {edited && (
        <GroupRoles id={id} isOfOrganization={isOfOrganization} group={edited} onClose={() => edit(undefined)} />
      )}
    </div>
  )
}
