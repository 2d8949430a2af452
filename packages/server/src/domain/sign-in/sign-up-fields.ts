/** The fields of profiles that settings name, for sign-up and for pages of an account: that they exist, and what becomes of them when one is deleted. */
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertFieldsExist, eraseProfileField, listProfileFields } from '../users/profile-fields.ts'
import { EXPERIENCE_TAG } from './experience.ts'

type Named = { readonly name: string }

/** Throws 400 `custom_profile_fields.entity_not_exists_with_names`. */
export const assertSignUpFields = async (unit: Unit, named: readonly Named[] | null | undefined): Promise<void> => {
  if (!named || named.length === 0) return
  assertFieldsExist(
    await listProfileFields(unit.tx, unit.tenant.id),
    named.map(({ name }) => name),
  )
}

/** Takes a field out of what pages of an account show. The row stays locked until the unit ends. */
const leaveAccountCenter = async ({ tx, tenant, changed }: Unit, name: string): Promise<void> => {
  const row = await tx
    .selectFrom('account_centers')
    .select('profile_fields')
    .where(inTenant(tenant.id))
    .forUpdate()
    .executeTakeFirst()
  if (!row?.profile_fields?.includes(name)) return
  await tx
    .updateTable('account_centers')
    .set({ profile_fields: row.profile_fields.filter((each) => each !== name) })
    .where(inTenant(tenant.id))
    .execute()
  changed(EXPERIENCE_TAG)
}

/** Deletes a field, which sign-up then does not ask for any more, and pages of an account do not show. Throws 404. */
export const deleteProfileField = operation([], async (unit, name: string): Promise<void> => {
  const { tx, tenant } = unit
  // locked first, so that no concurrent change of the settings names it again
  const row = await tx
    .selectFrom('sign_in_experiences')
    .select('settings')
    .where(inTenant(tenant.id))
    .forUpdate()
    .executeTakeFirst()
  await leaveAccountCenter(unit, name)
  await eraseProfileField(unit, name)
  const named = row?.settings.signUpProfileFields as readonly Named[] | null | undefined
  if (!row || !named?.some((each) => each.name === name)) return
  const signUpProfileFields = named.filter((each) => each.name !== name)
  await tx
    .updateTable('sign_in_experiences')
    .set({ settings: JSON.stringify({ ...row.settings, signUpProfileFields }) })
    .where(inTenant(tenant.id))
    .execute()
  unit.changed(EXPERIENCE_TAG)
})
