/** Changes of the keys of a SAML application, as operations: each locks the application first. */
import { operation } from '../../storage/unit-of-work.ts'
import { lockSamlApplication } from './saml-applications.ts'
import { addFurtherKey, eraseKey, type SamlKeyRow, setActive } from './saml-keys.ts'

/** Adds a key that is not active. Throws 404, 422. */
export const createSamlKey = operation([], async (unit, applicationId: string, years: number): Promise<SamlKeyRow> => {
  await lockSamlApplication(unit, applicationId)
  return addFurtherKey(unit, applicationId, years)
})

/** Makes a key the one that signs, instead of the former one, or no longer. Throws 404, 422. */
export const activateSamlKey = operation(
  [],
  async (unit, applicationId: string, id: string, isActive: boolean): Promise<SamlKeyRow> => {
    await lockSamlApplication(unit, applicationId)
    return setActive(unit, applicationId, id, isActive)
  },
)

/** Deletes a key that is not active. Throws 404, 422. */
export const deleteSamlKey = operation([], async (unit, applicationId: string, id: string): Promise<void> => {
  await lockSamlApplication(unit, applicationId)
  return eraseKey(unit, applicationId, id)
})
