/** Which role has which permission of an API: a box for each pair, which takes effect at once and can be undone. */
import { Link } from '@tanstack/react-router'
import { UserRoundCheck } from 'lucide-react'
import { may, type Row, useAnswer, useAnswers, useChanges, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Pager } from '../../parts/data-table.tsx'
import { useLookup } from '../../parts/lookup.ts'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

/** Roles side by side. */
const COLUMNS = 8

interface GridProps {
  readonly roles: readonly Row<'listRoles'>[]
  readonly permissions: readonly Row<'listScopes'>[]
  /** Ids of the permissions that each role has, in the order of the roles. */
  readonly held: readonly ReadonlySet<string>[]
  readonly onChange: (role: Row<'listRoles'>, permission: Row<'listScopes'>, isHeld: boolean) => void
}

const Grid = ({ roles, permissions, held, onChange }: GridProps) => (
  <div className="overflow-x-auto">
    <table aria-label={t('apis.matrix')} className="w-full">
      <thead>
        <tr className="border-line border-b">
          <th scope="col" className="sticky start-0 z-10 bg-surface px-4 py-2 text-start font-medium text-soft text-xs">
            {t('apis.permission')}
          </th>
          {roles.map(({ id, name }) => (
            <th key={id} scope="col" className="min-w-24 max-w-40 px-3 py-2 font-medium text-xs">
              <Link to="/roles/$id" params={{ id }} className="block truncate hover:underline" title={name}>
                <bdi>{name}</bdi>
              </Link>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {permissions.map((permission) => (
          <tr key={permission.id} className="border-line not-last:border-b hover:bg-hover">
            <th
              scope="row"
              className="sticky start-0 z-10 max-w-64 bg-surface max-md:max-w-40 px-4 py-2 text-start font-normal"
            >
              <code className="block truncate font-mono text-[0.8125rem]" title={permission.name}>
                {permission.name}
              </code>
            </th>
            {roles.map((role, at) => (
              <td key={role.id} className="px-3 text-center">
                <input
                  type="checkbox"
                  aria-label={`${role.name}: ${permission.name}`}
                  checked={held[at]?.has(permission.id) ?? false}
                  disabled={!may('addRoleScopes', 'removeRoleScope')}
                  onChange={({ target }) => onChange(role, permission, target.checked)}
                  className="size-4 align-middle accent-accent-fill max-md:size-5"
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

export const Matrix = ({ id, isForMachines }: { readonly id: string; readonly isForMachines: boolean }) => {
  const { page, onPage } = useLookup()
  const permissions = useAnswer('listScopes', { params: { resourceId: id } })
  // roles of users cannot have permissions of the Management API
  const roles = usePage('listRoles', {
    query: { page, page_size: COLUMNS, ...(isForMachines ? { type: 'MachineToMachine' as const } : {}) },
  })
  const shown = roles.data?.rows ?? []
  const scopes = useAnswers(
    'listRoleScopes',
    shown.map((role) => ({ params: { id: role.id } })),
  )
  const changes = useChanges()
  const failure = permissions.error ?? roles.error ?? scopes.find(({ error }) => error)?.error
  const put = (role: Row<'listRoles'>, permission: Row<'listScopes'>, isHeld: boolean, isUndo = false) =>
    changes.mutate(
      (client) =>
        isHeld
          ? client.addRoleScopes({ params: { id: role.id }, body: { scopeIds: [permission.id] } })
          : client.removeRoleScope({ params: { id: role.id, scopeId: permission.id } }),
      {
        onSuccess: () =>
          isUndo ||
          notify(t(isHeld ? 'apis.given' : 'apis.taken', { role: role.name, permission: permission.name }), () =>
            put(role, permission, !isHeld, true),
          ),
      },
    )
  if (failure) return <ErrorState error={failure} />
  if (!permissions.data || !roles.data || scopes.some(({ isPending }) => isPending)) return <Loading />
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      {changes.error && <ErrorState error={changes.error} />}
      {shown.length === 0 || permissions.data.length === 0 ? (
        <EmptyState
          icon={<UserRoundCheck size={20} />}
          title={t(shown.length === 0 ? 'roles.none' : 'api.noPermissions')}
        />
      ) : (
        <>
          <Grid
            roles={shown}
            permissions={permissions.data}
            held={scopes.map(({ data = [] }) => new Set(data.map((each) => each.id)))}
            onChange={(role, permission, isHeld) => put(role, permission, isHeld)}
          />
          <Pager
            page={page}
            pageSize={COLUMNS}
            total={roles.data.total}
            isTotalCapped={roles.data.isTotalCapped}
            onPage={onPage}
          />
        </>
      )}
    </div>
  )
}
