/** Who may register applications dynamically. Initial access tokens and registered applications are not in the file. */
import { isDeepStrictEqual } from 'node:util'
import type { Declaration } from '@countersign/contract/declaration.ts'
import { readRegistrationSettings, updateRegistrationSettings } from '../domain/registered-clients/settings.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { at, differing, fromTo, type Journal } from './journal.ts'

type Declared = NonNullable<Declaration['clientRegistration']>

export const applyClientRegistration = async (unit: Unit, journal: Journal, declared: Declared): Promise<void> => {
  const before = await readRegistrationSettings(unit.tx, unit.tenant.id)
  const after = { ...before, ...declared, policy: { ...before.policy, ...declared.policy } }
  if (isDeepStrictEqual(after, before)) return
  await at(['clientRegistration'], () => updateRegistrationSettings.run(unit, declared))
  journal.changes.push({
    verb: 'change',
    what: 'client registration',
    details: fromTo({ ...before }, differing({ ...before }, after)),
  })
}
