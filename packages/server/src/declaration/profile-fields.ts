/** The fields of profiles, identified by name, in the order of the file. Those that it does not name come after them. */
import { isDeepStrictEqual } from 'node:util'
import type { CustomProfileFieldCreate } from '@countersign/contract/custom-profile-fields.ts'
import { deleteProfileField } from '../domain/sign-in/sign-up-fields.ts'
import { fieldConfig } from '../domain/users/profile-field-config.ts'
import {
  createProfileFields,
  listProfileFields,
  orderProfileFields,
  type ProfileField,
  replaceProfileField,
} from '../domain/users/profile-fields.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { assertDistinct, at, differing, fromTo, type Journal } from './journal.ts'

const SECTION = 'customProfileFields'

/** What of a field a file has. */
export const declaredField = ({ name, type, label, description, required, config }: ProfileField) => ({
  ...{ name, type, required },
  ...(label === '' ? {} : { label }),
  ...(description === null ? {} : { description }),
  ...(Object.keys(config).length > 0 ? { config } : {}),
})

/** The change of a field to what is declared; what is left out has no value. */
const changeOf = (
  before: ProfileField,
  { name, type, label, description, required, config }: CustomProfileFieldCreate,
) => {
  const wanted = {
    ...{ type, required, label: label ?? '', description: description || null },
    config: fieldConfig({ name, type, required, config }),
  }
  return differing({ ...before }, wanted)
}

/** Puts the declared fields first, in their order. Returns whether they were not there. */
const putInOrder = async (unit: Unit, names: readonly string[]): Promise<boolean> => {
  const present = (await listProfileFields(unit.tx, unit.tenant.id)).map(({ name }) => name)
  const wanted = [...names, ...present.filter((name) => !names.includes(name))]
  if (isDeepStrictEqual(present, wanted)) return false
  await orderProfileFields.run(
    unit,
    wanted.map((name, index) => ({ name, sieOrder: index + 1 })),
  )
  return true
}

export const applyProfileFields = async (
  unit: Unit,
  journal: Journal,
  declared: readonly CustomProfileFieldCreate[],
): Promise<void> => {
  const names = declared.map(({ name }) => name)
  assertDistinct([SECTION], 'name', names)
  const present = await listProfileFields(unit.tx, unit.tenant.id)
  for (const [index, field] of declared.entries()) {
    const path = [SECTION, index]
    const what = `profile field ${field.name}`
    const before = present.find(({ name }) => name === field.name)
    if (!before) {
      await at(path, () => createProfileFields.run(unit, [field]))
      journal.changes.push({ verb: 'create', what, details: [] })
      continue
    }
    const change = await at(path, async () => changeOf(before, field))
    if (Object.keys(change).length === 0) continue
    await at(path, () => replaceProfileField.run(unit, field.name, field))
    journal.changes.push({ verb: 'change', what, details: fromTo({ ...before }, change) })
  }
  if (journal.prune) {
    for (const { name } of present.filter((each) => !names.includes(each.name))) {
      await deleteProfileField.run(unit, name)
      journal.changes.push({ verb: 'delete', what: `profile field ${name}`, details: [] })
    }
  }
  if (await putInOrder(unit, names))
    journal.changes.push({ verb: 'change', what: 'profile fields', details: ['their order differs'] })
}
