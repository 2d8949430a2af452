/** A tenant's own roles of administrators, identified by name; those that are built in are in no file. */
import type { DeclaredAdministratorRole } from '@countersign/contract/declaration.ts'
import type { Selectable } from 'kysely'
import type { Held } from '../domain/administrators/built-in-roles.ts'
import {
  createAdministratorRole,
  deleteAdministratorRole,
  updateAdministratorRole,
} from '../domain/administrators/roles.ts'
import { inTenant } from '../storage/in-tenant.ts'
import type { Tables } from '../storage/tables.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { Fault, type Path } from './fault.ts'
import { additionsAndRemovals, assertDistinct, at, differing, fromTo, type Journal } from './journal.ts'

type Row = Selectable<Tables['administrator_roles']>

const readAdministratorRoles = ({ tx, tenant }: Unit): Promise<Row[]> =>
  tx.selectFrom('administrator_roles').selectAll().where(inTenant(tenant.id)).orderBy('name').execute()

const readHeldRoles = async ({ tx, tenant }: Unit): Promise<Set<string>> => {
  const rows = await tx
    .selectFrom('administrators_roles')
    .select('role_id')
    .distinct()
    .where(inTenant(tenant.id))
    .execute()
  return new Set(rows.map(({ role_id }) => role_id))
}

const applyRole = async (
  unit: Unit,
  journal: Journal,
  declared: DeclaredAdministratorRole,
  before: Row | undefined,
  path: Path,
): Promise<void> => {
  const what = `administrator role ${declared.name}`
  if (before?.is_built_in)
    throw new Fault([...path, 'name'], `${declared.name} is a role that is built in, which cannot be changed`)
  if (!before) {
    await at(path, () => createAdministratorRole.run(unit, declared))
    journal.changes.push({ verb: 'create', what, details: [] })
    return
  }
  const present = { description: before.description }
  const change = differing(present, { description: declared.description })
  const changes = additionsAndRemovals('permissions', before.permissions, declared.permissions)
  const details = [...fromTo(present, change), ...changes]
  if (details.length === 0) return
  await at(path, () => updateAdministratorRole.run(unit, before.id, { ...change, permissions: declared.permissions }))
  journal.changes.push({ verb: 'change', what, details })
}

/** Brings the tenant's own roles to the state of the file. With prune, a role that an administrator holds is kept. */
export const applyAdministratorRoles = async (
  unit: Unit,
  journal: Journal,
  declared: readonly DeclaredAdministratorRole[],
): Promise<void> => {
  const section = 'administratorRoles'
  assertDistinct(
    [section],
    'name',
    declared.map(({ name }) => name),
  )
  const present = await readAdministratorRoles(unit)
  for (const [index, role] of declared.entries()) {
    const before = present.find(({ name }) => name === role.name)
    await applyRole(unit, journal, role, before, [section, index])
  }
  if (!journal.prune) return
  const held = await readHeldRoles(unit)
  const own = present.filter((row) => !row.is_built_in && !declared.some(({ name }) => name === row.name))
  for (const { id, name } of own) {
    const what = `administrator role ${name}`
    if (held.has(id)) {
      journal.changes.push({ verb: 'keep', what, details: ['administrators hold it'] })
      continue
    }
    await deleteAdministratorRole.run(unit, id)
    journal.changes.push({ verb: 'delete', what, details: [] })
  }
}

/** The tenant's own roles as a file has them. */
export const declaredAdministratorRoles = async (unit: Unit): Promise<DeclaredAdministratorRole[]> =>
  (await readAdministratorRoles(unit))
    .filter((row) => !row.is_built_in)
    .map(({ name, description, permissions }) => ({
      name,
      ...(description ? { description } : {}),
      permissions: permissions as Held[],
    }))
