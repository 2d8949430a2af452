/** What a user holds: roles, organizations with the roles there, applications that got access, personal access tokens. */
import { Link } from '@tanstack/react-router'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { ago } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { ItemList } from '../../parts/item-list.tsx'
import { notify } from '../../parts/toast.tsx'
import { AddRole } from './add-role.tsx'
import { UserOrganizations } from './organizations.tsx'
import { useOriginWords } from './origins.ts'
import { UserTokens } from './tokens.tsx'

const Roles = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listUserRoles', { params: { userId: id } })
  const known = useAnswer('listUserRoleOrigins', { params: { userId: id } })
  const origins = new Map(known.data?.origins.map((each) => [each.roleId, each]))
  const wordsOf = useOriginWords(known.data?.origins ?? [])
  const remove = useChange('removeUserRole')
  const add = useChange('addUserRoles')
  return (
    <ItemList
      title={t('user.roles')}
      text={t('user.rolesText')}
      items={data?.map(({ id: roleId, name, description, isDefault }) => ({
        id: roleId,
        title: (
          <Link to="/roles/$id" params={{ id: roleId }} className="hover:underline">
            {name}
          </Link>
        ),
        detail: (
          <>
            <p>{isDefault ? t('user.defaultRole') : description}</p>
            <p>{wordsOf(origins.get(roleId))}</p>
          </>
        ),
      }))}
      error={error}
      none={t('user.noRoles')}
      actions={may('addUserRoles', 'listRoles') && <AddRole id={id} />}
      removal={
        may('removeUserRole')
          ? {
              isUndoable: true,
              action: t('user.removeRole'),
              isBusy: remove.isPending,
              error: remove.error,
              onRemove: (roleId) =>
                remove.mutate(
                  { params: { userId: id, roleId } },
                  {
                    onSuccess: () =>
                      notify(t('user.roleRemoved'), () =>
                        add.mutate({ params: { userId: id }, body: { roleIds: [roleId] } }),
                      ),
                  },
                ),
            }
          : undefined
      }
    />
  )
}

const Grants = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listUserGrants', { params: { userId: id } })
  const revoke = useChange('revokeUserGrant')
  return (
    <ItemList
      title={t('user.grants')}
      text={t('user.grantsText')}
      items={data?.grants.map(({ id: grantId, application, payload, expiresAt }) => ({
        id: grantId,
        title: application.name,
        detail: t('user.grantTimes', { since: ago(payload.iat * 1000), until: ago(expiresAt) }),
      }))}
      error={error}
      none={t('user.noGrants')}
      removal={
        may('revokeUserGrant')
          ? {
              title: t('user.revokeGrant'),
              text: t('user.revokeGrantText'),
              action: t('user.revokeGrant'),
              isBusy: revoke.isPending,
              error: revoke.error,
              onClose: revoke.reset,
              onRemove: (grantId, done) => revoke.mutate({ params: { userId: id, grantId } }, { onSuccess: done }),
            }
          : undefined
      }
    />
  )
}

export const UserAccess = ({ id }: { readonly id: string }) => (
  <div className="grid grid-cols-1 items-start gap-x-4 lg:grid-cols-2">
    <div>
      {may('listUserRoles') && <Roles id={id} />}
      {may('listUserOrganizations') && <UserOrganizations id={id} />}
    </div>
    <div>
      <Grants id={id} />
      <UserTokens id={id} />
    </div>
  </div>
)
