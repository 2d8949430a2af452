/** Roles and their permissions, identified by name. */

import type { DeclaredRole } from '@countersign/contract/declaration.ts'
import type { RoleRow } from '../domain/permissions/role-rows.ts'
import { addRoleScopes, removeRoleScope } from '../domain/permissions/role-scopes.ts'
import { createRole, deleteRole, updateRole } from '../domain/permissions/roles.ts'
import { inTenant } from '../storage/in-tenant.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { Fault, type Path } from './fault.ts'
import { additionsAndRemovals, assertDistinct, at, differing, fromTo, type Journal } from './journal.ts'
import { type Permissions, readPermissions } from './resources.ts'

type RoleUnit = Unit<'Role.Created' | 'Role.Scopes.Updated' | 'Role.Data.Updated' | 'Role.Deleted'>

export const readRoles = ({ tx, tenant }: Unit): Promise<RoleRow[]> =>
  tx.selectFrom('roles').selectAll().where(inTenant(tenant.id)).orderBy('created_at').orderBy('id').execute()

/** The ids of the permissions of every role. */
export const readRoleScopes = async ({ tx, tenant }: Unit): Promise<Map<string, string[]>> => {
  const rows = await tx.selectFrom('roles_scopes').select(['role_id', 'scope_id']).where(inTenant(tenant.id)).execute()
  const held = new Map<string, string[]>()
  for (const { role_id, scope_id } of rows) held.set(role_id, [...(held.get(role_id) ?? []), scope_id])
  return held
}

const applyRole = async (
  unit: RoleUnit,
  journal: Journal,
  permissions: Permissions,
  declared: DeclaredRole,
  before: RoleRow | undefined,
  held: readonly string[],
  path: Path,
): Promise<void> => {
  const { permissions: grants, ...fields } = declared
  const scopeIds = grants && permissions.idsOf(grants, [...path, 'permissions'])
  const what = `role ${declared.name}`
  if (!before) {
    await at(path, () => createRole.run(unit, { ...fields, scopeIds: scopeIds ?? [] }))
    journal.changes.push({ verb: 'create', what, details: [] })
    return
  }
  if (declared.type !== undefined && declared.type !== before.type)
    throw new Fault([...path, 'type'], `the role exists with the type ${before.type}, which cannot be changed`)
  const present = { description: before.description, isDefault: before.is_default }
  const change = differing(present, { description: declared.description, isDefault: declared.isDefault })
  if (Object.keys(change).length > 0) await at(path, () => updateRole.run(unit, before.id, change))
  const gained = scopeIds?.filter((id) => !held.includes(id)) ?? []
  const lost = scopeIds ? held.filter((id) => !scopeIds.includes(id)) : []
  for (const id of lost) await removeRoleScope.run(unit, before.id, id)
  if (gained.length > 0) await at([...path, 'permissions'], () => addRoleScopes.run(unit, before.id, gained))
  const details = [
    ...fromTo(present, change),
    ...additionsAndRemovals('permissions', permissions.labels(lost), permissions.labels(gained)),
  ]
  if (details.length > 0) journal.changes.push({ verb: 'change', what, details })
}

export const applyRoles = async (
  unit: RoleUnit,
  journal: Journal,
  declared: readonly DeclaredRole[],
): Promise<void> => {
  assertDistinct(
    ['roles'],
    'name',
    declared.map(({ name }) => name),
  )
  const [present, held, permissions] = [await readRoles(unit), await readRoleScopes(unit), await readPermissions(unit)]
  for (const [index, role] of declared.entries()) {
    const before = present.find(({ name }) => name === role.name)
    await applyRole(unit, journal, permissions, role, before, held.get(before?.id ?? '') ?? [], ['roles', index])
  }
  if (!journal.prune) return
  for (const { id, name } of present.filter((row) => !declared.some((each) => each.name === row.name))) {
    const what = `role ${name}`
    if (held.get(id)?.some(permissions.isManagement)) {
      journal.changes.push({ verb: 'keep', what, details: ['it holds permissions of the Management API'] })
      continue
    }
    await deleteRole.run(unit, id)
    journal.changes.push({ verb: 'delete', what, details: [] })
  }
}
