/** Types of authorization details, identified by their names, each at the API resource that understands it. */
import type { DeclaredResource } from '@countersign/contract/declaration.ts'
import {
  createDetailsType,
  type DetailsTypeRow,
  deleteDetailsType,
  updateDetailsType,
} from '../domain/permissions/authorization-details-types.ts'
import type { ResourceRow } from '../domain/permissions/resources.ts'
import { inTenant } from '../storage/in-tenant.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import type { Path } from './fault.ts'
import { assertDistinct, at, differing, fromTo, type Journal } from './journal.ts'

type DeclaredType = NonNullable<DeclaredResource['authorizationDetailsTypes']>[number]

const readTypes = ({ tx, tenant }: Unit): Promise<DetailsTypeRow[]> =>
  tx.selectFrom('authorization_details_types').selectAll().where(inTenant(tenant.id)).orderBy('type').execute()

const applyType = async (
  unit: Unit,
  journal: Journal,
  { id, indicator }: ResourceRow,
  declared: DeclaredType,
  before: DetailsTypeRow | undefined,
  path: Path,
): Promise<void> => {
  const what = `authorization details type ${declared.type} of ${indicator}`
  if (!before) {
    await at(path, () => createDetailsType.run(unit, id, declared))
    journal.changes.push({ verb: 'create', what, details: [] })
    return
  }
  const { description, schema, templates } = declared
  const small = differing({ ...before }, { description })
  const large = differing({ ...before }, { schema, templates })
  const details = [...fromTo({ ...before }, small), ...Object.keys(large).map((name) => `${name} differs`)]
  if (details.length === 0) return
  await at(path, () => updateDetailsType.run(unit, id, before.id, { ...small, ...large }))
  journal.changes.push({ verb: 'change', what, details })
}

/** One resource of the file, and its row. */
interface OfFile {
  readonly row: ResourceRow
  readonly declared: readonly DeclaredType[]
  readonly path: Path
}

const prune = async (
  unit: Unit,
  journal: Journal,
  { row, declared }: OfFile,
  present: readonly DetailsTypeRow[],
): Promise<void> => {
  const wanted = new Set(declared.map(({ type }) => type))
  for (const { id, type } of present.filter((each) => each.resource_id === row.id && !wanted.has(each.type))) {
    await deleteDetailsType.run(unit, row.id, id)
    journal.changes.push({
      verb: 'delete',
      what: `authorization details type ${type} of ${row.indicator}`,
      details: [],
    })
  }
}

/**
 * Brings the types of these resources, which exist, to the state of the file; of a resource that declares none they stay as they are.
 * Throws Fault.
 */
export const applyDetailsTypes = async (
  unit: Unit,
  journal: Journal,
  resources: readonly DeclaredResource[],
  rows: readonly ResourceRow[],
): Promise<void> => {
  const declaring = rows.flatMap((row, index): OfFile[] => {
    const declared = resources[index]?.authorizationDetailsTypes
    return declared ? [{ row, declared, path: ['resources', index, 'authorizationDetailsTypes'] }] : []
  })
  if (declaring.length === 0) return
  const present = await readTypes(unit)
  // a name is unique in the tenant: what goes from one API to another has to be gone first
  if (journal.prune) for (const each of declaring) await prune(unit, journal, each, present)
  for (const { row, declared, path } of declaring) {
    assertDistinct(
      path,
      'type',
      declared.map(({ type }) => type),
    )
    for (const [index, type] of declared.entries()) {
      const before = present.find((each) => each.resource_id === row.id && each.type === type.type)
      await applyType(unit, journal, row, type, before, [...path, index])
    }
  }
}

/** The types of each resource as a file has them; nothing where there are none. */
export const readDeclaredTypes = async (
  unit: Unit,
): Promise<(resourceId: string) => Pick<DeclaredResource, 'authorizationDetailsTypes'>> => {
  const rows = await readTypes(unit)
  return (resourceId) => {
    const own = rows.filter(({ resource_id }) => resource_id === resourceId)
    if (own.length === 0) return {}
    return {
      authorizationDetailsTypes: own.map(({ type, description, schema, templates }) => ({
        type,
        ...(description ? { description } : {}),
        schema,
        ...(Object.keys(templates).length > 0 ? { templates } : {}),
      })),
    }
  }
}
