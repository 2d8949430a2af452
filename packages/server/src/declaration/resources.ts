/** API resources and their permissions, identified by indicator and name. */

import type { DeclaredResource } from '@countersign/contract/declaration.ts'
import { MANAGEMENT_API } from '@countersign/contract/declaration.ts'
import { deleteResource, deleteScope } from '../domain/organizations/deletions.ts'
import {
  createResource,
  type ResourceRow,
  setDefaultResource,
  updateResource,
} from '../domain/permissions/resources.ts'
import { createScope, type ScopeRow, updateScope } from '../domain/permissions/scopes.ts'
import { inTenant } from '../storage/in-tenant.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { applyDetailsTypes } from './authorization-details-types.ts'
import { Fault, type Path } from './fault.ts'
import { assertDistinct, at, differing, fromTo, type Journal } from './journal.ts'

type ResourceUnit = Unit<
  'Scope.Created' | 'Scope.Data.Updated' | 'Scope.Deleted' | 'Role.Scopes.Updated' | 'OrganizationRole.Scopes.Updated'
>

const readResources = ({ tx, tenant }: Unit): Promise<ResourceRow[]> =>
  tx.selectFrom('resources').selectAll().where(inTenant(tenant.id)).orderBy('created_at').orderBy('id').execute()
const readScopes = ({ tx, tenant }: Unit): Promise<ScopeRow[]> =>
  tx.selectFrom('scopes').selectAll().where(inTenant(tenant.id)).orderBy('created_at').orderBy('id').execute()

const applyPermissions = async (
  unit: ResourceUnit,
  journal: Journal,
  { id, indicator }: ResourceRow,
  declared: NonNullable<DeclaredResource['permissions']>,
  present: readonly ScopeRow[],
  path: Path,
): Promise<void> => {
  assertDistinct(
    path,
    'name',
    declared.map(({ name }) => name),
  )
  for (const [index, permission] of declared.entries()) {
    const what = `permission ${permission.name} of ${indicator}`
    const before = present.find(({ name }) => name === permission.name)
    if (!before) {
      await at([...path, index], () => createScope.run(unit, id, permission))
      journal.changes.push({ verb: 'create', what, details: [] })
      continue
    }
    const change = differing({ ...before }, { description: permission.description })
    if (Object.keys(change).length === 0) continue
    await at([...path, index], () => updateScope.run(unit, id, before.id, change))
    journal.changes.push({ verb: 'change', what, details: fromTo({ ...before }, change) })
  }
  if (!journal.prune) return
  for (const { id: scopeId, name } of present.filter(
    (each) => !declared.some(({ name: wanted }) => wanted === each.name),
  )) {
    await deleteScope.run(unit, id, scopeId)
    journal.changes.push({ verb: 'delete', what: `permission ${name} of ${indicator}`, details: [] })
  }
}

const applyResource = async (
  unit: ResourceUnit,
  journal: Journal,
  { permissions: _own, authorizationDetailsTypes: _types, ...declared }: DeclaredResource,
  before: ResourceRow | undefined,
  path: Path,
): Promise<ResourceRow> => {
  const what = `resource ${declared.indicator}`
  if (!before) {
    // the default is set when all exist
    const row = await at(path, () => createResource.run(unit, { ...declared, isDefault: false }))
    journal.changes.push({ verb: 'create', what, details: [] })
    return row
  }
  if (before.is_management)
    throw new Fault([...path, 'indicator'], 'this is the Management API, which belongs to the server')
  const present = {
    name: before.name,
    accessTokenTtl: before.access_token_ttl,
    senderConstraint: before.sender_constraint,
    dpopNonceRequired: before.requires_nonce,
  }
  const { name, accessTokenTtl, senderConstraint, dpopNonceRequired } = declared
  const change = differing(present, { name, accessTokenTtl, senderConstraint, dpopNonceRequired })
  if (Object.keys(change).length === 0) return before
  journal.changes.push({ verb: 'change', what, details: fromTo(present, change) })
  return at(path, () => updateResource.run(unit, before.id, change))
}

/** At most one is the default: first those that no longer are, then the one that is. */
const applyDefaults = async (
  unit: ResourceUnit,
  journal: Journal,
  declared: readonly DeclaredResource[],
  rows: readonly ResourceRow[],
  created: ReadonlySet<string>,
): Promise<void> => {
  const defaults = declared.flatMap(({ isDefault }, index) => (isDefault ? [index] : []))
  if (defaults[1] !== undefined)
    throw new Fault(['resources', defaults[1], 'isDefault'], 'another resource is already declared as the default')
  for (const wanted of [false, true]) {
    for (const [index, { isDefault, indicator }] of declared.entries()) {
      const row = rows[index]
      if (isDefault !== wanted || !row || row.is_default === wanted) continue
      await at(['resources', index, 'isDefault'], () => setDefaultResource.run(unit, row.id, wanted))
      if (created.has(row.id)) continue
      journal.changes.push({
        verb: 'change',
        what: `resource ${indicator}`,
        details: fromTo({ isDefault: !wanted }, { isDefault: wanted }),
      })
    }
  }
}

export const applyResources = async (
  unit: ResourceUnit,
  journal: Journal,
  declared: readonly DeclaredResource[],
): Promise<void> => {
  assertDistinct(
    ['resources'],
    'indicator',
    declared.map(({ indicator }) => indicator),
  )
  const present = await readResources(unit)
  const scopes = await readScopes(unit)
  const known = new Set(present.map(({ id }) => id))
  const rows: ResourceRow[] = []
  for (const [index, resource] of declared.entries()) {
    const before = present.find(({ indicator }) => indicator === resource.indicator)
    const path = ['resources', index]
    const row = await applyResource(unit, journal, resource, before, path)
    rows.push(row)
    const own = scopes.filter(({ resource_id }) => resource_id === row.id)
    const permissions = [...path, 'permissions']
    if (resource.permissions) await applyPermissions(unit, journal, row, resource.permissions, own, permissions)
  }
  await applyDefaults(unit, journal, declared, rows, new Set(rows.map(({ id }) => id).filter((id) => !known.has(id))))
  for (const { id, indicator, is_management } of journal.prune ? present : []) {
    if (is_management || declared.some((each) => each.indicator === indicator)) continue
    await deleteResource.run(unit, id)
    journal.changes.push({ verb: 'delete', what: `resource ${indicator}`, details: [] })
  }
  await applyDetailsTypes(unit, journal, declared, rows)
}

/** Finds permissions by their names in a file, and gives their names in a file. */
export interface Permissions {
  /** The ids of the named permissions. Throws the fault of a resource or a permission that does not exist. */
  idsOf(grants: Readonly<Record<string, readonly string[]>>, path: Path): string[]
  /** `indicator name` of each. */
  labels(ids: readonly string[]): string[]
  /** The same as in a file: sorted, so that the same permissions always have the same text. */
  grantsOf(ids: readonly string[]): Record<string, string[]>
  isManagement(id: string): boolean
}

/** The existing permissions. */
export const readPermissions = async (unit: Unit): Promise<Permissions> => {
  const resources = await readResources(unit)
  const names = new Map(
    resources.map(({ id, indicator, is_management }) => [id, is_management ? MANAGEMENT_API : indicator]),
  )
  const scopes = await readScopes(unit)
  const byId = new Map(scopes.map((scope) => [scope.id, scope]))
  const byName = new Map<string, Map<string, string>>([...names.values()].map((name) => [name, new Map()]))
  for (const { id, resource_id, name } of scopes) byName.get(names.get(resource_id) ?? '')?.set(name, id)
  const named = (ids: readonly string[]) =>
    ids
      .flatMap((id) => byId.get(id) ?? [])
      .map(({ resource_id, name }) => [names.get(resource_id) ?? '', name] as const)
      .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
  return {
    idsOf: (grants, path) =>
      Object.entries(grants).flatMap(([resource, wanted]) => {
        const own = byName.get(resource)
        if (!own) throw new Fault([...path, resource], `there is no resource ${resource}`)
        return [...new Set(wanted)].map((name) => {
          const id = own.get(name)
          if (id === undefined)
            throw new Fault([...path, resource, wanted.indexOf(name)], `${resource} has no permission ${name}`)
          return id
        })
      }),
    labels: (ids) => named(ids).map(([resource, name]) => `${name} of ${resource}`),
    grantsOf(ids) {
      const grants: Record<string, string[]> = {}
      for (const [resource, name] of named(ids)) grants[resource] = [...(grants[resource] ?? []), name]
      return grants
    },
    isManagement: (id) => byId.get(id)?.is_management ?? false,
  }
}
