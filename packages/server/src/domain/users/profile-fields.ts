/** The fields of profiles that an operator has defined, in their order. Which of them sign-up asks for is a sign-in setting. */
import type {
  CustomProfileFieldCreate,
  CustomProfileFieldUpdate,
  ProfileFieldConfig,
} from '@countersign/contract/custom-profile-fields.ts'
import type { Selectable } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertFieldName, type FieldShape, fieldConfig } from './profile-field-config.ts'

export interface ProfileField extends FieldShape {
  readonly id: string
  /** Empty: the pages have a name of their own for it, or show its name. */
  readonly label: string
  readonly description: string | null
  readonly sieOrder: number
  readonly createdAt: Date
}

export const PROFILE_FIELDS_TAG = 'custom-profile-fields'

/** Fields of a tenant: all of them may be on one page. */
const MOST_FIELDS = 200

const toField = ({
  sie_order: sieOrder,
  created_at: createdAt,
  type,
  ...row
}: Selectable<Tables['custom_profile_fields']>): ProfileField => ({
  id: row.id,
  name: row.name,
  type: type as ProfileField['type'],
  label: row.label,
  description: row.description,
  required: row.required,
  config: row.config,
  sieOrder,
  createdAt,
})

/** All fields of a tenant, in their order. */
export const listProfileFields = async (db: Db, tenantId: string): Promise<ProfileField[]> => {
  const rows = await db
    .selectFrom('custom_profile_fields')
    .selectAll()
    .where(inTenant(tenantId))
    .orderBy('sie_order')
    .orderBy('name')
    .execute()
  return rows.map(toField)
}

/** Throws 404. */
export const getProfileField = async ({ database }: Store, { id }: Tenant, name: string): Promise<ProfileField> => {
  const row = await database.kysely
    .selectFrom('custom_profile_fields')
    .selectAll()
    .where(inTenant(id))
    .where('name', '=', name)
    .executeTakeFirst()
  if (!row) throw notFound('custom profile field', name)
  return toField(row)
}

interface Columns {
  readonly type: string
  readonly label: string
  readonly description: string | null
  readonly required: boolean
  readonly config: string
}

/** Throws 400 as fieldConfig. */
const columnsOf = (name: string, input: CustomProfileFieldUpdate): Columns => {
  const { type, label = '', description, required, config } = input
  const kept: ProfileFieldConfig = fieldConfig({ name, type, required, config })
  return { type, label, description: description || null, required, config: JSON.stringify(kept) }
}

/** Creates fields behind those that there are, all or none. Throws 400 `custom_profile_fields.…`. */
export const createProfileFields = operation(
  [],
  async (unit, inputs: readonly CustomProfileFieldCreate[]): Promise<ProfileField[]> => {
    const { tx, tenant, now, changed } = unit
    for (const { name } of inputs) assertFieldName(name)
    if (new Set(inputs.map(({ name }) => name)).size < inputs.length)
      throw new ApiError('custom_profile_fields.name_exists')
    const present = await listProfileFields(tx, tenant.id)
    if (present.length + inputs.length > MOST_FIELDS)
      throw new ApiError('guard.invalid_input', { reason: `there can be ${MOST_FIELDS} fields at most` })
    const next = (present.at(-1)?.sieOrder ?? 0) + 1
    const rows = await tx
      .insertInto('custom_profile_fields')
      .values(
        inputs.map(({ name, ...input }, index) => ({
          ...{ tenant_id: tenant.id, id: newId(), name, sie_order: next + index, created_at: now },
          ...columnsOf(name, input),
        })),
      )
      .returningAll()
      .execute()
    for (const { id, name } of rows) unit.concerns('customProfileField', id, { after: { name } })
    changed(PROFILE_FIELDS_TAG)
    return rows.map(toField)
  },
)

const lockField = async ({ tx, tenant }: Unit, name: string): Promise<ProfileField> => {
  const row = await tx
    .selectFrom('custom_profile_fields')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('custom profile field', name)
  return toField(row)
}

/** Replaces a field; what users have entered stays. Throws 404, and 400 as fieldConfig. */
export const replaceProfileField = operation(
  [],
  async (unit, name: string, input: CustomProfileFieldUpdate): Promise<ProfileField> => {
    const before = await lockField(unit, name)
    const row = await unit.tx
      .updateTable('custom_profile_fields')
      .set(columnsOf(name, input))
      .where(inTenant(unit.tenant.id))
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const after = toField(row)
    unit.concerns('customProfileField', before.id, { before: { ...before }, after: { ...after } })
    unit.changed(PROFILE_FIELDS_TAG)
    return after
  },
)

/** Deletes the row of a field. Throws 404. */
export const eraseProfileField = async (unit: Unit, name: string): Promise<void> => {
  const { id } = await lockField(unit, name)
  await unit.tx.deleteFrom('custom_profile_fields').where(inTenant(unit.tenant.id)).where('id', '=', id).execute()
  unit.concerns('customProfileField', id, { before: { name } })
  unit.changed(PROFILE_FIELDS_TAG)
}

/**
 * Gives fields their places. Throws 400 `custom_profile_fields.entity_not_exists_with_names`, and `….conflicted_sie_order` when two fields
 * would have the same one.
 */
export const orderProfileFields = operation(
  [],
  async (unit, order: readonly { readonly name: string; readonly sieOrder: number }[]): Promise<ProfileField[]> => {
    const { tx, tenant, changed } = unit
    const fields = await listProfileFields(tx, tenant.id)
    assertFieldsExist(
      fields,
      order.map(({ name }) => name),
    )
    const wanted = new Map(order.map(({ name, sieOrder }) => [name, sieOrder]))
    const places = fields.map(({ name, sieOrder }) => wanted.get(name) ?? sieOrder)
    if (new Set(places).size < places.length || wanted.size < order.length)
      throw new ApiError('custom_profile_fields.conflicted_sie_order')
    for (const [name, sie_order] of [...wanted].toSorted()) {
      await tx
        .updateTable('custom_profile_fields')
        .set({ sie_order })
        .where(inTenant(tenant.id))
        .where('name', '=', name)
        .execute()
    }
    for (const { id, name } of fields.filter((field) => wanted.has(field.name)))
      unit.concerns('customProfileField', id, { after: { name } })
    changed(PROFILE_FIELDS_TAG)
    return listProfileFields(tx, tenant.id)
  },
)

/** Throws 400 `custom_profile_fields.entity_not_exists_with_names` with the names that are not of these fields. */
export const assertFieldsExist = (fields: readonly ProfileField[], names: readonly string[]): void => {
  const known = new Set(fields.map(({ name }) => name))
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new ApiError('custom_profile_fields.entity_not_exists_with_names', { names: unknown.join(', ') })
}
