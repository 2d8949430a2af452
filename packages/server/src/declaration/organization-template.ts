/** The organization template: organization permissions and organization roles, known by name (DECISIONS E2). */

import type { Declaration, DeclaredOrganizationRole } from '@countersign/contract/declaration.ts'
import { deleteOrganizationScope } from '../domain/organizations/deletions.ts'
import type { OrganizationRoleRow } from '../domain/organizations/role-rows.ts'
import {
  replaceOrganizationRoleResourceScopes,
  replaceOrganizationRoleScopes,
} from '../domain/organizations/role-scopes.ts'
import {
  createOrganizationRole,
  deleteOrganizationRole,
  updateOrganizationRole,
} from '../domain/organizations/roles.ts'
import {
  createOrganizationScope,
  type OrganizationScopeRow,
  updateOrganizationScope,
} from '../domain/organizations/scopes.ts'
import { inTenant } from '../storage/in-tenant.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { Fault, type Path } from './fault.ts'
import { additionsAndRemovals, assertDistinct, at, differing, fromTo, type Journal } from './journal.ts'
import { type Permissions, readPermissions } from './resources.ts'

type Template = NonNullable<Declaration['organizationTemplate']>
type TemplateUnit = Unit<
  | 'OrganizationScope.Created'
  | 'OrganizationScope.Data.Updated'
  | 'OrganizationScope.Deleted'
  | 'OrganizationRole.Created'
  | 'OrganizationRole.Data.Updated'
  | 'OrganizationRole.Scopes.Updated'
  | 'OrganizationRole.Deleted'
>

export const readOrganizationScopes = ({ tx, tenant }: Unit): Promise<OrganizationScopeRow[]> =>
  tx
    .selectFrom('organization_scopes')
    .selectAll()
    .where(inTenant(tenant.id))
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const readOrganizationRoles = ({ tx, tenant }: Unit): Promise<OrganizationRoleRow[]> =>
  tx
    .selectFrom('organization_roles')
    .selectAll()
    .where(inTenant(tenant.id))
    .orderBy('created_at')
    .orderBy('id')
    .execute()

interface Held {
  readonly organizationScopes: readonly string[]
  readonly scopes: readonly string[]
}
const NOTHING: Held = { organizationScopes: [], scopes: [] }

/** The ids of the permissions of both kinds of every organization role. */
export const readHeldPermissions = async ({ tx, tenant }: Unit): Promise<Map<string, Held>> => {
  const own = await tx
    .selectFrom('organization_roles_scopes')
    .select(['organization_role_id as role', 'organization_scope_id as scope'])
    .where(inTenant(tenant.id))
    .execute()
  const ofResources = await tx
    .selectFrom('organization_roles_resource_scopes')
    .select(['organization_role_id as role', 'scope_id as scope'])
    .where(inTenant(tenant.id))
    .execute()
  const held = new Map<string, Held>()
  const heldBy = (role: string) => held.get(role) ?? NOTHING
  for (const { role, scope } of own)
    held.set(role, { ...heldBy(role), organizationScopes: [...heldBy(role).organizationScopes, scope] })
  for (const { role, scope } of ofResources)
    held.set(role, { ...heldBy(role), scopes: [...heldBy(role).scopes, scope] })
  return held
}

const PERMISSIONS: Path = ['organizationTemplate', 'permissions']
const ROLES: Path = ['organizationTemplate', 'roles']

const applyPermissions = async (
  unit: TemplateUnit,
  journal: Journal,
  declared: NonNullable<Template['permissions']>,
): Promise<void> => {
  assertDistinct(
    PERMISSIONS,
    'name',
    declared.map(({ name }) => name),
  )
  const present = await readOrganizationScopes(unit)
  for (const [index, permission] of declared.entries()) {
    const what = `organization permission ${permission.name}`
    const path = [...PERMISSIONS, index]
    const before = present.find(({ name }) => name === permission.name)
    if (!before) {
      await at(path, () => createOrganizationScope.run(unit, permission))
      journal.changes.push({ verb: 'create', what, details: [] })
      continue
    }
    const change = differing({ ...before }, { description: permission.description })
    if (Object.keys(change).length === 0) continue
    await at(path, () => updateOrganizationScope.run(unit, before.id, change))
    journal.changes.push({ verb: 'change', what, details: fromTo({ ...before }, change) })
  }
  if (!journal.prune) return
  for (const { id, name } of present.filter((row) => !declared.some((each) => each.name === row.name))) {
    await deleteOrganizationScope.run(unit, id)
    journal.changes.push({ verb: 'delete', what: `organization permission ${name}`, details: [] })
  }
}

/** Both kinds of permissions, if declared; undefined: left as they are. */
const wantedOf = (
  { permissions: names, apiPermissions }: DeclaredOrganizationRole,
  scopes: readonly OrganizationScopeRow[],
  permissions: Permissions,
  path: Path,
) => ({
  organizationScopes:
    names &&
    [...new Set(names)].map((name) => {
      const scope = scopes.find((each) => each.name === name)
      if (!scope)
        throw new Fault([...path, 'permissions', names.indexOf(name)], `there is no organization permission ${name}`)
      return scope
    }),
  scopeIds: apiPermissions && permissions.idsOf(apiPermissions, [...path, 'apiPermissions']),
})

const applyRole = async (
  unit: TemplateUnit,
  journal: Journal,
  declared: DeclaredOrganizationRole,
  { before, held }: { readonly before: OrganizationRoleRow | undefined; readonly held: Held },
  { scopes, permissions }: { readonly scopes: readonly OrganizationScopeRow[]; readonly permissions: Permissions },
  path: Path,
): Promise<void> => {
  const { organizationScopes, scopeIds } = wantedOf(declared, scopes, permissions, path)
  const organizationScopeIds = organizationScopes?.map(({ id }) => id)
  const { permissions: _names, apiPermissions: _grants, ...fields } = declared
  const what = `organization role ${declared.name}`
  if (!before) {
    const input = { ...fields, organizationScopeIds: organizationScopeIds ?? [], resourceScopeIds: scopeIds ?? [] }
    await at(path, () => createOrganizationRole.run(unit, input))
    journal.changes.push({ verb: 'create', what, details: [] })
    return
  }
  const present = { description: before.description, type: before.type }
  const change = differing(present, { description: declared.description, type: declared.type })
  if (Object.keys(change).length > 0) await at(path, () => updateOrganizationRole.run(unit, before.id, change))
  const presentNames = scopes.filter(({ id }) => held.organizationScopes.includes(id)).map(({ name }) => name)
  const own = organizationScopes
    ? additionsAndRemovals(
        'permissions',
        presentNames,
        organizationScopes.map(({ name }) => name),
      )
    : []
  if (organizationScopeIds && own.length > 0)
    await at(path, () => replaceOrganizationRoleScopes.run(unit, before.id, organizationScopeIds))
  const api = scopeIds
    ? additionsAndRemovals('apiPermissions', permissions.labels(held.scopes), permissions.labels(scopeIds))
    : []
  if (scopeIds && api.length > 0)
    await at([...path, 'apiPermissions'], () => replaceOrganizationRoleResourceScopes.run(unit, before.id, scopeIds))
  const details = [...fromTo(present, change), ...own, ...api]
  if (details.length > 0) journal.changes.push({ verb: 'change', what, details })
}

const applyRoles = async (
  unit: TemplateUnit,
  journal: Journal,
  declared: readonly DeclaredOrganizationRole[],
): Promise<void> => {
  assertDistinct(
    ROLES,
    'name',
    declared.map(({ name }) => name),
  )
  const [present, held] = [await readOrganizationRoles(unit), await readHeldPermissions(unit)]
  const known = { scopes: await readOrganizationScopes(unit), permissions: await readPermissions(unit) }
  for (const [index, role] of declared.entries()) {
    const before = present.find(({ name }) => name === role.name)
    const own = { before, held: held.get(before?.id ?? '') ?? NOTHING }
    await applyRole(unit, journal, role, own, known, [...ROLES, index])
  }
  if (!journal.prune) return
  for (const { id, name } of present.filter((row) => !declared.some((each) => each.name === row.name))) {
    await deleteOrganizationRole.run(unit, id)
    journal.changes.push({ verb: 'delete', what: `organization role ${name}`, details: [] })
  }
}

export const applyOrganizationTemplate = async (
  unit: TemplateUnit,
  journal: Journal,
  { permissions, roles }: Template,
): Promise<void> => {
  if (permissions) await applyPermissions(unit, journal, permissions)
  if (roles) await applyRoles(unit, journal, roles)
}
