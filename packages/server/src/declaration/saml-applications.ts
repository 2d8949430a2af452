/** SAML applications, identified by name. Their keys are not in a file: they stay in the server. */
import type { DeclaredSamlApplication } from '@countersign/contract/declaration.ts'
import {
  createSamlApplication,
  listSamlApplicationsOf,
  type SamlApplication,
  updateSamlApplication,
} from '../domain/applications/saml-applications.ts'
import { deleteApplication } from '../domain/organizations/deletions.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { assertDistinct, at, differing, findByName, fromTo, type Journal } from './journal.ts'

const SECTION = 'samlApplications'

const fieldsOf = ({ row, settings }: SamlApplication) => ({
  name: row.name,
  description: row.description,
  customData: row.custom_data,
  appLevelAccessControlEnabled: row.has_access_control,
  ...settings,
})

/** As a file has it, but for who may use it; what is as it would be without being named is left out. */
export const declaredSamlApplication = (application: SamlApplication): DeclaredSamlApplication => {
  const { description, customData, appLevelAccessControlEnabled, ...fields } = fieldsOf(application)
  return {
    ...fields,
    ...(description === null ? {} : { description }),
    ...(Object.keys(customData).length > 0 ? { customData } : {}),
    ...(appLevelAccessControlEnabled ? { appLevelAccessControlEnabled } : {}),
  }
}

/** Creates and changes them; with `prune` deletes those that the file does not name. Throws Fault. */
export const applySamlApplications = async (
  unit: Unit<'Organization.Membership.Updated'>,
  journal: Journal,
  declared: readonly DeclaredSamlApplication[],
): Promise<void> => {
  const names = declared.map(({ name }) => name)
  assertDistinct([SECTION], 'name', names)
  const present = (await listSamlApplicationsOf(unit)).map((each) => ({
    ...each,
    id: each.row.id,
    name: each.row.name,
  }))
  for (const [index, { accessControl: _, ...wanted }] of declared.entries()) {
    const path = [SECTION, index]
    const what = `SAML application ${wanted.name}`
    const before = findByName(present, 'SAML applications', wanted.name, path)
    if (!before) {
      await at(path, () => createSamlApplication.run(unit, wanted))
      journal.changes.push({ verb: 'create', what, details: [] })
      continue
    }
    const own = differing(fieldsOf(before), wanted)
    if (Object.keys(own).length === 0) continue
    await at(path, () => updateSamlApplication.run(unit, before.id, own))
    journal.changes.push({ verb: 'change', what, details: fromTo(fieldsOf(before), own) })
  }
  if (!journal.prune) return
  for (const { id, name } of present.filter((each) => !names.includes(each.name))) {
    await deleteApplication.run(unit, id)
    journal.changes.push({ verb: 'delete', what: `SAML application ${name}`, details: [] })
  }
}
